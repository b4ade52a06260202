/* The call graph of what a page of stacks shows, as a diagram: nodes as large as what they took themselves, edges as wide as what went through
 * them, callers above their callees. */
#pragma once

#include "calls/shown.h"
#include "view/diagram.h"
#include "workspace/stacks/stacks-views.h"

typedef struct
{
  gboolean lines; /* nodes are lines instead of functions */
  WpCallsLimit hide_self, hide_subs;
} WpCallsChoice;

#define WP_CALLS_CHOICE_DEFAULT { .hide_self = { 1, 100 }, .hide_subs = { 2, 100 } }

/* Immutable. */
typedef struct
{
  WpShared *calls; /* WpCalls: of the same stacks that of other limits, too */
  WpCallsChoice choice;
  guint32 n_hidden;
  WpDiagram *diagram; /* refs are nodes of the call graph, and edges of it */
  guint32 *frames;    /* node of the diagram → row of the names of the views' graph; G_MAXUINT32: none */
  /* The views are of means; these are sums, since what goes through a call is a part of both its ends, and means have
   * no parts. */
  gboolean not_means;
} WpCallsPicture;

void wp_calls_picture_free (WpCallsPicture *self);

/* A worker's job. `views` is a WpShared of WpStacksViews; `calls` what an earlier picture has of the same views and
 * granularity, or NULL. Of a file that is a call graph itself `views` is NULL, and `calls` the graph. */
typedef struct WpCallsRequest WpCallsRequest;

WpCallsRequest *wp_calls_request_new (WpShared *views, WpShared *calls, const WpCallsChoice *choice);
void wp_calls_request_free (gpointer request);
gpointer wp_calls_request_run (gpointer request, WpProgress *progress, GError **error); /* WpCallsPicture */

/* The node of the diagram that a frame is; WP_NO_NODE: none, or it is hidden. */
guint32 wp_calls_picture_node (const WpCallsPicture *self, guint32 frame);

/* A byte for each node of the diagram: 1 for the node, those that call it and those that it calls. Free with g_free(). */
guint8 *wp_calls_picture_around (const WpCallsPicture *self, guint32 node);

/* A byte for each node of the diagram: whether its name matches. Free with g_free(). */
guint8 *wp_calls_picture_find (const WpCallsPicture *self, const GRegex *pattern, guint32 *n_found);

/* Who calls a node of the diagram, or whom it calls, hidden ones too: name, time, share of what it took altogether, which they sum up to. A row's node of the
 * call graph is that at the other end of its row-th edge; 0: nobody, or itself. */
WpShared *wp_calls_picture_table (const WpCallsPicture *self, guint32 node, gboolean callees); /* WpGrid */
guint32 wp_calls_picture_row_node (const WpCallsPicture *self, guint32 node, gboolean callees, guint32 row); /* of the diagram; WP_NO_NODE: not in it */

/* What a tooltip says of a node or an edge of the diagram, one of which is WP_NO_NODE. Free with g_free(). */
char *wp_calls_picture_describe (const WpCallsPicture *self, guint32 node, guint32 edge);
