/* Who calls a function, and whom it calls: as tables, and as one picture with its callers above it and its callees below. */
#pragma once

#include "workspace/stacks/stacks-views.h"

/* Columns of both tables, and of those of the call graph (calls-picture.h). */
typedef enum
{
  WP_CALLS_NAME,
  WP_CALLS_TOTAL,
  WP_CALLS_SHARE, /* of the function's total */
  WP_CALLS_N_COLUMNS
} WpCallsColumn;

/* An empty table of so many rows with these columns, the first one called `heading`. */
WpGrid *wp_calls_table_new (guint32 n, const char *heading);

/* Immutable. A sample counts once, by the outermost call of the function in it, so that both sides sum up to the function's total; what nobody
 * called it for, and what it spent itself, are rows, too. */
typedef struct
{
  guint32 frame;        /* of which function: a row of the names of the graph */
  gint64 total;
  WpTree *caller_tree;  /* inverted: its roots are those that call the function */
  WpTree *callee_tree;  /* its only root is the function */
  WpShared *rows;       /* WpRows: the two-sided flame view, see wp_layout_callers() */
  WpShared *callers, *callees; /* WpGrid */
} WpStacksCallers;

void wp_stacks_callers_free (WpStacksCallers *self);

/* A worker's job. `views` is a WpShared of WpStacksViews. */
typedef struct WpCallersRequest WpCallersRequest;

WpCallersRequest *wp_callers_request_new (WpShared *views, guint32 frame);
void wp_callers_request_free (gpointer request);
gpointer wp_callers_request_run (gpointer request, WpProgress *progress, GError **error); /* WpStacksCallers */

/* The frame of a row of one of the tables, or of a box of the view: a row of the graph's names, G_MAXUINT32: none. */
guint32 wp_stacks_callers_frame (const WpStacksCallers *self, const WpShared *table, guint32 row);
guint32 wp_stacks_callers_box_frame (const WpStacksCallers *self, const WpBox *box);

/* What a tooltip says of a box of the view. Free with g_free(). */
char *wp_stacks_callers_describe (const WpStacksCallers *self, const WpStacksViews *views, const WpBox *box);
