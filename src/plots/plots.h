/* The views of a profile that is not a recording's: which of them suit it, what can be chosen in each, and what they show. One row
 * of a table for each view; the window and the command line know no more about them than this. */
#pragma once

#include "profile/model/groups.h"
#include "profile/model/heap-map.h"
#include "profile/model/postprocessors.h"
#include "profile/model/profile.h"
#include "plots/chart.h"
#include "plots/grid.h"
#include "view/rows.h"

typedef enum
{
  WP_PLOT_FLAME,
  WP_PLOT_HEAP_MAP,
  WP_PLOT_HEAT_MAP,
  WP_PLOT_ALLOCATIONS,
  WP_PLOT_SCATTER,
  WP_PLOT_BARS,
  WP_PLOT_FLOW,
  WP_PLOT_RESOURCES,
  WP_PLOT_MODELS,
  WP_PLOT_RAW,
  WP_PLOT_COUNT
} WpPlot;

/* Which member of its picture a view fills. */
typedef enum
{
  WP_SHOWS_ROWS,
  WP_SHOWS_CHART,
  WP_SHOWS_GRID,
  WP_SHOWS_TEXT,
  WP_N_SHOWS
} WpPlotShows;

/* What can be chosen in a view; a set of these. */
typedef enum
{
  WP_CHOOSE_FUNC = 1 << 0,       /* how values are made one */
  WP_CHOOSE_OF = 1 << 1,         /* of which field */
  WP_CHOOSE_PER = 1 << 2,        /* along which field */
  WP_CHOOSE_BY = 1 << 3,         /* a series for each value of a field */
  WP_CHOOSE_STACKED = 1 << 4,
  WP_CHOOSE_ACCUMULATE = 1 << 5,
  WP_CHOOSE_SNAPSHOT = 1 << 6,
  WP_CHOOSE_MODE = 1 << 7,       /* of the list of allocations */
  WP_CHOOSE_ICICLE = 1 << 8,
  WP_CHOOSE_INVERTED = 1 << 9,
} WpPlotChoice;

/* The list of allocations, as Perun's alloclist had it; freeing is left out of all of them. */
typedef enum
{
  WP_ALLOCATIONS_ALL,  /* in the order of time */
  WP_ALLOCATIONS_TOP,  /* the largest first */
  WP_ALLOCATIONS_MOST, /* how often each function allocated */
  WP_ALLOCATIONS_SUM,  /* how much each function allocated */
  WP_ALLOCATIONS_FUNC, /* those with the function `of` on their stacks */
  WP_N_ALLOCATIONS
} WpAllocationsMode;

typedef struct
{
  WpGroupFunc func;
  const char *of, *per, *by; /* names of fields; NULL: what the view takes by itself */
  gboolean stacked, accumulate, icicle, inverted;
  guint snapshot; /* from 1; 0: all of them */
  WpAllocationsMode mode;
} WpPlotOptions;

#define WP_PLOT_OPTIONS_DEFAULT ((WpPlotOptions) { .stacked = TRUE, .accumulate = TRUE })

/* What more is known of a box of a heap map, whose `ref` is a row of these. */
typedef struct
{
  WpId kind, trace;     /* strings of the rows: "malloc", and a line for each frame, innermost first; 0: none */
  guint32 first, last;  /* snapshots from 1 in which it is alive; last G_MAXUINT32: never freed */
  guint32 more;         /* smaller ones that the same box stands for, where there are too many for a box each */
} WpPlotNote;

typedef struct
{
  WP_ARRAY (WpPlotNote) notes;
} WpPlotNotes;

void wp_plot_notes_free (WpPlotNotes *self);

/* What a view shows: rows, a chart, a grid or text, the others are NULL. It stands for itself: the profile may go. */
typedef struct
{
  WpRows *rows;
  WpPlotNotes *notes; /* of the rows, or NULL */
  guint peak;         /* of a heap map: the first snapshot, from 1, in which most is allocated; else 0 */
  WpChart *chart;
  WpGrid *grid;
  char *text;
} WpPlotPicture;

void wp_plot_picture_free (WpPlotPicture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPlotPicture, wp_plot_picture_free)

/* A profile with what its views ask of it again and again. For one thread at a time: where there may be several, whoever asks
 * holds `lock`. */
typedef struct
{
  GMutex lock;
  WpProfile *profile;
  WpResourceTable *table;
  guint offered;        /* bit k: WpPlot k suits it */
  guint32 n_snapshots;
  GStrv fields;         /* that can be divided by: all of them */
  GStrv numeric;        /* those with numbers */
  GStrv functions;      /* that allocate */
  WpUnit unit;          /* of amounts: one of the profile's own units is unit_factor of these */
  double unit_factor;
  WpHeapMap *heap;      /* once it was asked for */
} WpPlots;

/* Takes the profile, also when it fails. */
WpPlots *wp_plots_new (WpProfile *profile, WpProgress *progress, GError **error);
void wp_plots_free (WpPlots *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPlots, wp_plots_free)

/* A profile that explains no process, read and made ready. */
WpPlots *wp_plots_open (const char *path, WpProgress *progress, GError **error);

/* What a user may have done to the resources; the views have to be asked anew afterwards. `skipped` counts uids with too few
 * points for models. FALSE and an error when there is nothing to do it to. */
gboolean wp_plots_postprocess (WpPlots *self, const WpPostprocess *what, guint32 *skipped, WpProgress *progress, GError **error);

const char *wp_plot_id (WpPlot kind);        /* "heap-map" */
const char *wp_plot_name (WpPlot kind);      /* translated */
WpPlotShows wp_plot_shows (WpPlot kind);
guint wp_plot_choices (WpPlot kind);
const char *wp_plot_along (const WpPlots *self, WpPlot kind); /* the field that a chart goes along unless another is chosen */
gboolean wp_plot_find (const char *id, WpPlot *kind);
WpPlot wp_plots_first (const WpPlots *self); /* the view that suits it best */

/* NULL and an error when it cannot be drawn with these options. */
WpPlotPicture *wp_plots_draw (WpPlots *self, WpPlot kind, const WpPlotOptions *options, WpProgress *progress, GError **error);

/* What is in a box: plain text, several lines, at most `frames` of its trace. `notes` may be NULL. Free with g_free(). */
char *wp_plot_describe_box (const WpRows *rows, const WpPlotNotes *notes, guint32 box, guint frames);
