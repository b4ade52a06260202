/* What workers make of stacks with values for a window: what a filter leaves of them, their flame view, and the table of functions. */
#pragma once

#include "plots/grid.h"
#include "stacks/filter.h"
#include "stacks/graph.h"
#include "stacks/stack-tree.h"
#include "view/rows.h"
#include "workspace/shared.h"

/* What is to be seen of them. */
typedef struct
{
  guint32 type;  /* of values */
  gboolean mean; /* divided by those of the first type, of which there is none itself */
  WpFramesBy by; /* what a frame stands for */
  gboolean without_inlined, collapse_recursion, inverted, icicle;
  gboolean timeline; /* samples in the order of time are wanted, too */
  gint64 from, to;   /* only samples from and before these moments, ns from wp_stacks_first_moment() on; equal: all */
} WpStacksChoice;

/* Columns of the table of functions; rows are the nodes of the graph. */
typedef enum
{
  WP_FUNCTIONS_NAME,
  WP_FUNCTIONS_SELF,
  WP_FUNCTIONS_SELF_SHARE,
  WP_FUNCTIONS_TOTAL,
  WP_FUNCTIONS_TOTAL_SHARE,
  WP_FUNCTIONS_SAMPLES, /* that have it anywhere */
  WP_FUNCTIONS_MODULE,
  WP_FUNCTIONS_FILE,
  WP_FUNCTIONS_N_COLUMNS
} WpFunctionsColumn;

/* Immutable. */
typedef struct
{
  WpStacks *stacks;    /* what the filter and the range of time leave */
  WpStacksChoice choice;
  char *filter;        /* in its text form; "": none */
  const char *unit;    /* of the values */
  gint64 whole, total; /* of everything, of what the filter leaves: values without their signs; or their means */
  gint64 sum;          /* of what the filter leaves: shares are of it, those of means, too */
  WpGraph *graph;
  WpTree *tree;        /* as the flame view has it: `function` is one more than the row of the graph's names */
  WpShared *rows;      /* WpRows: the flame view; refs are nodes of the tree */
  WpShared *functions; /* WpGrid */
  WpShared *timeline;  /* WpRows of what the filter leaves at all times; NULL: not wanted, or it cannot be drawn */
  char *no_timeline;   /* why it cannot be drawn, or NULL */
} WpStacksViews;

void wp_stacks_views_free (WpStacksViews *self);
WpShared *wp_stacks_views_share (const WpStacksViews *self); /* a new WpShared of what is left */

/* What the filter and the range of time are, for a comment: "focus=read, from 1.20s to 2s"; NULL: everything is left. Free with g_free(). */
char *wp_stacks_views_left (const WpStacksViews *self);

/* A worker's job. `stacks` is a WpShared of WpStacks. */
typedef struct WpStacksRequest WpStacksRequest;

WpStacksRequest *wp_stacks_request_new (WpShared *stacks, const WpFilter *filter, const WpStacksChoice *choice); /* copies both */
void wp_stacks_request_free (gpointer request);
gpointer wp_stacks_request_run (gpointer request, WpProgress *progress, GError **error); /* WpStacksViews */

/* The frame of a box of the flame view: a row of the graph's names, G_MAXUINT32: none. */
guint32 wp_stacks_views_frame (const WpStacksViews *self, const WpBox *box);

/* What finds exactly that frame in a filter; NULL where nothing does. Free with g_free(). */
char *wp_stacks_views_pattern (const WpStacksViews *self, guint32 frame);

/* What a function is called where frames are functions; NULL where only its address is known. Free with g_free(). */
char *wp_stacks_views_function (const WpStacksViews *self, guint32 frame);

/* "read\nSelf 1.20 s (12.0 %) · Total 3.00 s (30.0 %)\nlibc.so.6 · read.c:12": of a box of the flame view, several lines. Free with g_free(). */
char *wp_stacks_views_describe (const WpStacksViews *self, const WpBox *box);

/* Its functions from the innermost one of the box on, a line each. Free with g_free(). */
char *wp_stacks_views_stack (const WpStacksViews *self, const WpBox *box);

/* The same as wp_stacks_views_describe() of a box of the timeline's rows, of which from … to is seen (equal: all) and whose moments are told from `origin`. Free with
 * g_free(). */
char *wp_stacks_views_describe_moment (const WpStacksViews *self, const WpRows *rows, guint32 box, double from, double to, gint64 origin);

/* Appends "\nlibc.so.6 · read.c:12": where a frame is from. */
void wp_stacks_views_append_place (const WpStacksViews *self, GString *text, guint32 frame);

/* "12.3 s of 20.0 s (61.5 %)": what is seen; of means "1.20 KiB on average, 800 B of everything". Free with g_free(). */
char *wp_stacks_views_summary (const WpStacksViews *self);

/* How values of a type are drawn as widths. */
void wp_stacks_set_unit (WpRows *rows, const char *unit);
