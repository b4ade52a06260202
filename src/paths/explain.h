/* What every nanosecond of the control paths was spent on.
 *
 * A part is a top while it lasts and none of its children does. The total time is the sum of all tops, and each
 * nanosecond of it goes to exactly one category, so the categories sum to the total exactly. */
#pragma once

#include "paths/paths.h"

/* Best understood first: the order of the table. */
typedef enum
{
  WP_CATEGORY_UNDERSTOOD,
  WP_CATEGORY_BLOCKING_IO,
  WP_CATEGORY_INTERRUPTS,
  WP_CATEGORY_NOT_SAMPLED,
  WP_CATEGORY_IO_QUEUE,
  WP_CATEGORY_SCHEDULER,
  WP_CATEGORY_HARDWARE,
  WP_CATEGORY_INVOLUNTARY,
  WP_CATEGORY_KERNEL_BLOCK,
  WP_CATEGORY_DELIBERATE_SLEEP,
  WP_CATEGORY_TIMED_OUT,
  WP_CATEGORY_OTHER_PATH,
  WP_CATEGORY_UNFINISHED,
  WP_CATEGORY_UNACCOUNTED,
  WP_CATEGORY_COUNT
} WpCategory;

const char *wp_category_id (WpCategory category);   /* stable: "understood", … */
const char *wp_category_name (WpCategory category); /* "Running, function known", …: for people, and may change */
const char *wp_category_help (WpCategory category); /* a sentence for a tooltip */
WpCategory wp_category_from_id (const char *id);    /* WP_CATEGORY_COUNT when it is none */

/* A stretch of a top with one category. */
typedef struct
{
  gint64 start, end;
  WpId part;
  guint32 row; /* of `rows` */
  gint64 latency; /* its share of the elapsed time, ns */
} WpPiece;

/* What a piece that was there since the beginning would have got up to a moment, by what it is: a run, a wait, a wait for another lane. */
#define WP_LATENCY_RANKS 3
typedef struct
{
  gint64 at;
  gint64 shares[WP_LATENCY_RANKS];
} WpLatencyStep;

/* A sub-row of the table: which device, which function, which path, who had the CPU, why unaccounted. */
typedef struct
{
  WpCategory category;
  char *name;
  gint64 ns;
  gint64 latency; /* its share of the elapsed time, ns */
  guint32 pieces;
  WpId rival; /* of time in which a CPU was waited for: the name, a string of the trace, of who had it; 0: nobody */
} WpExplanationRow;

typedef struct
{
  gint64 from, to; /* the time range that was explained */
  gint64 wall, total;
  gint64 ns[WP_CATEGORY_COUNT]; /* sums to total */
  gint64 latency[WP_CATEGORY_COUNT]; /* sums to wall, less the moments in which nothing of the paths was there */
  WP_ARRAY (WpPiece) pieces;    /* sorted by part, then time; tile the tops */
  WP_ARRAY (WpLatencyStep) latency_steps; /* in time order; between two of them shares grow evenly */
  gint64 undivided;      /* of the wall time what could not be divided, a few ns: the latency of … */
  guint32 undivided_to;  /* … this piece, at its end */
  WP_ARRAY (WpExplanationRow) rows; /* sorted by category, then longest first */
  guint32 processes;     /* how many processes (pids, or devices' none) take part */
  guint32 control_paths;
} WpExplanation;

/* Explains the parts of the paths within [from, to). Whole: from 0 to G_MAXINT64. NULL only when cancelled. */
WpExplanation *wp_explain (const WpPaths *paths, gint64 from, gint64 to, WpProgress *progress, GError **error);

/* The same of a range of what is explained as a whole: what wp_explain() says of it, in the time that it takes to look at the pieces. */
WpExplanation *wp_explain_range (const WpPaths *paths, const WpExplanation *whole, gint64 from, gint64 to, WpProgress *progress, GError **error);
void wp_explanation_free (WpExplanation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExplanation, wp_explanation_free)

/* What of the elapsed time a stretch of one of its pieces answers for. Stretches that tile a piece have its latency together, and all pieces have that
 * of all rows. */
gint64 wp_explanation_latency (const WpExplanation *self, const WpPiece *piece, gint64 start, gint64 end);

/* Categories in the order of a table: those that have time, in their own order or the longest first, then the others. Returns how many have. */
guint wp_explanation_order (const WpExplanation *self, gboolean longest_first, WpCategory order[WP_CATEGORY_COUNT]);

/* Whether several things went on at once for so long that it can be seen: then time and latency differ. */
static inline gboolean
wp_explanation_is_parallel (const WpExplanation *self)
{
  return ABS (self->total - self->wall) > self->wall / 1000;
}

static inline gint64
wp_explanation_accounted (const WpExplanation *self)
{
  return self->total - self->ns[WP_CATEGORY_UNACCOUNTED];
}

/* Accounted ÷ total in percent; 100 for an empty explanation. What had not ended with the recording is left out of both, since nothing can explain it
 * yet. `without_other_path` leaves waiting on other paths out, too. */
double wp_explanation_percent (const WpExplanation *self, gboolean without_other_path);

/* Which share (0 … 1) of the total this category and those before it in the table make up together: the graph of the table.
 * `without_other_path` leaves waiting on other paths out of both. */
double wp_explanation_cumulative (const WpExplanation *self, WpCategory category, gboolean without_other_path);
