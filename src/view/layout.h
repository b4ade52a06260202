/* The layouts: from a trace, its control paths or its call tree to rows of boxes. */
#pragma once

#include "paths/depth.h"
#include "paths/explain.h"
#include "paths/tree.h"
#include "profile/compare/compare.h"
#include "stacks/frame-names.h"
#include "view/bodies.h"
#include "view/module-hues.h"

typedef enum
{
  WP_SORT_RELATED, /* same names and many links stand near each other */
  WP_SORT_NAME,
  WP_SORT_CPU_TIME,
  WP_SORT_FIRST_SEEN,
} WpSort;

typedef struct
{
  gboolean show_sleeps; /* boxes for sleeps, labelled with the function that describes them best; rows for tasks that slept all
                         * the time. Without it these have rows only where they are the recorded process', or where a filter names
                         * them */
  gboolean summary;     /* hide tasks that ran less than 1/300 of the trace and join links through them */
  WpSort sort;
  const char *filter;   /* only tasks whose name contains this, or NULL */
  const gint32 *turned; /* keys of rows (view/rows.h): n_turned that are open where they would be closed, and the other way round */
  guint n_turned;
  const gint32 *pinned; /* numbers of n_pinned processes that stand at the top, in this order */
  guint n_pinned;
  gboolean by_cpu;      /* a row for each CPU instead: wp_layout_cpus() */
} WpProcessesOptions;

/* x is time, y is tasks (and devices; view/task-rows.h says which and where): refs are operations, row refs tasks. */
WpRows *wp_layout_processes (const WpTrace *trace, const WpProcessesOptions *options, WpProgress *progress,
                             GError **error);

/* x is time, y is CPUs that were not idle all the time: boxes are runs, in the colours of their processes. Of the options only `filter` counts. */
#define WP_LAYOUT_CPUS_MAX 4096
WpRows *wp_layout_cpus (const WpTrace *trace, const WpProcessesOptions *options, WpProgress *progress, GError **error);

/* x is time, y is stack depth, one lane for each lane of the control paths, roots at the bottom of a lane: refs are
 * parts, row refs paths. `explanation` tells what a sleeping top waited for (its kind), may be NULL. */
WpRows *wp_layout_flame (const WpPaths *paths, const WpExplanation *explanation, WpDepthChoice depth, WpProgress *progress, GError **error);

/* The wait chain of a flame view: x is time, y a band for each process and device that takes part, in the order of
 * their first use. Boxes are where the work that is waited for goes on, lines where it goes from one band to
 * another. Refs are parts. Where there are more, those of one name share a band, and the last band stands for all
 * others. */
#define WP_LAYOUT_STRIP_BANDS 6
WpRows *wp_layout_strip (const WpPaths *paths, const WpExplanation *explanation);

/* x is duration, longest first from the left, spaced where children overflow; refs are nodes. Rows from top to bottom: roots
 * last (flame), or first (icicle). `bodies` are those of the paths that it was made of, so that processes have the colours
 * that they have in other pictures; NULL: of the tree. */
WpRows *wp_layout_tree (const WpTree *tree, gboolean icicle, const WpBodies *bodies);

/* The same of a tree of paths, in the colours of modules. */
WpRows *wp_layout_tree_by_module (const WpTree *tree, gboolean icicle, const WpModuleHues *modules);

/* x is time, from wp_stacks_first_moment() on; y is stack depth, one lane for each thread of stacks whose samples have moments. Refs are rows of `names`. Fails
 * where it would be out of all proportion. */
WpRows *wp_layout_timeline (const WpStacks *stacks, const WpFrameNames *names, guint32 type, WpProgress *progress, GError **error);

/* Whether a box of a node that spent time on a category is the one that says so: what stands on it where there is such a thing, else the node's own. */
gboolean wp_layout_shows (const WpBox *box, WpCategory category);

/* How a frame of that kind is drawn. */
WpBoxKind wp_layout_box_kind (WpFrameKind kind);

/* What a box says of whose code it is (WpBox.code), from a frame kind WP_FRAME_OF_…; anything else: nobody's. */
static inline guint8
wp_layout_code (guint8 kind)
{
  return wp_frame_is_code ((WpFrameKind) kind) ? (guint8) (kind - WP_FRAME_OF_PROGRAM + 1) : 0;
}

/* Of one function of stacks with values: `callees` has it as its only root, `callers` those that call it as roots. x is what the values are;
 * refs are nodes of `callees`, WP_REF_CALLER those of `callers`. */
WpRows *wp_layout_callers (const WpTree *callers, const WpTree *callees);

typedef enum
{
  WP_DIFF_B,        /* as wide as it is in B: vanished frames have no width */
  WP_DIFF_A,        /* as wide as it was in A: new ones have none */
  WP_DIFF_VANISHED, /* only what vanished, as wide as it was, with what it stood on */
} WpDiffWidth;

/* A comparison as a consolidated view, coloured by change. Nodes stand in the same order whatever the widths; refs are nodes of the
 * comparison. What is less than WP_COMPARE_LEAST of everything, or noise, has the colour of what did not change. */
WpRows *wp_layout_diff (const WpComparison *comparison, WpDiffWidth width, gboolean icicle);

/* A and B to stand beside each other: both of one extent, and their roots in the same row from the top. */
void wp_layout_diff_sides (const WpComparison *comparison, WpRows *rows[WP_N_SIDES]);
