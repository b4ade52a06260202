/* What the files of the explanation share. */
#pragma once

#include "base/pair-map.h"
#include "paths/explain.h"
#include "paths/losses.h"
#include "paths/paths-private.h"
#include "trace/cpu-runs.h"

/* What names a sub-row, so that each is found without making its text again. */
typedef enum
{
  WP_SUBJECT_NAME,     /* a string of the trace */
  WP_SUBJECT_RIVAL,    /* the same: who had the CPU */
  WP_SUBJECT_FUNCTION,
  WP_SUBJECT_PATH,     /* a control path */
  WP_SUBJECT_REASON,   /* a WpReason */
  WP_SUBJECT_NET,
  WP_SUBJECT_DISK,     /* a request: its device, and its file where that is known */
} WpSubject;

typedef enum
{
  WP_REASON_LOST,
  WP_REASON_PAUSED,
  WP_REASON_NO_WAKEUP,
  WP_REASON_UNKNOWN_WAKER,
  WP_REASON_OUTSIDE,
  WP_REASON_OTHER_TASK,
  WP_REASON_DISK,
  WP_REASON_NETWORK,
  WP_REASON_IPI,
  WP_REASON_DEVICE,
  WP_REASON_STOPPED,
  WP_REASON_NO_STACK,
  WP_REASON_CUT,
  WP_REASON_UNSEEN_START,
  WP_REASON_IDLE_CPU,
  WP_REASON_UNKNOWN_CPU,
} WpReason;

/* What all threads look at. */
typedef struct
{
  WpId *base_paths;    /* by task */
  WpId *last_children; /* by part */
  WpStretches lost;
  WpCpuRuns cpu_runs;  /* within all waits for a CPU */
  guint32 *near;       /* by part that waits for a CPU: the first of `cpu_runs` within its wait, or one near it */
} WpExplainerTables;

/* What a sub-row was named after. */
typedef struct
{
  WpSubject subject;
  guint32 id;
} WpExplainerName;

/* Explains some of the parts: a thread's. */
typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  const WpExplainerTables *tables;
  WpExplanation *out;
  WpId first, end;     /* these parts */
  guint8 *wait_ends;   /* WaitEnd, by part */
  guint8 *takes_part;  /* by task: 1 where some part is of it */
  WpPairMap rows;      /* category and subject, id → index + 1 of out->rows */
  WP_ARRAY (WpExplainerName) names; /* by row */
  WpPairMap files;     /* name of a device, of a file → a number */
  WpSliceArray slices; /* of the part at hand */
  WpCpuRuns holders;   /* of the wait at hand */
} WpExplainer;

/* wp_explain() on so many threads, which makes no difference but that of time. */
WpExplanation *wp_explain_on (guint n_threads, const WpPaths *paths, gint64 from, gint64 to, WpProgress *progress, GError **error);

/* explain.c: the time of a part that no child covers. */
void wp_explain_part (WpExplainer *self, WpId id);

/* Time of a part for a row that is there; in the order of parts, then time. */
static inline void
wp_explain_add (WpExplanation *out, guint32 row, WpId part, gint64 start, gint64 end)
{
  WpExplanationRow *r = &out->rows.data[row];

  r->ns += end - start;
  r->pieces++;
  out->ns[r->category] += end - start;
  out->total += end - start;
  wp_array_push (&out->pieces, ((WpPiece) { .start = start, .end = end, .part = part, .row = row }));
}

/* explain-all.c: what is said of all pieces together, once they are there; takes `out`. NULL when cancelled. */
WpExplanation *wp_explain_finish (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error);

/* explain-rows.c */

/* Time of a part for the row of a category and a subject; nothing where it lies outside of what is asked for. */
void wp_explain_piece (WpExplainer *self, WpId part, gint64 start, gint64 end, WpCategory category, WpSubject subject, guint32 id);
gboolean wp_explain_append (WpExplainer *self, const WpExplanation *other, const WpExplainerName *names, WpProgress *progress, GError **error); /* what another one made of the parts behind */
gboolean wp_explain_sort_rows (WpExplanation *out, WpProgress *progress, GError **error); /* by category, the longest first. FALSE when cancelled */

/* latency.c: of the sorted rows and the categories. FALSE when cancelled. */
gboolean wp_explain_latency (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error);
