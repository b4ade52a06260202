/* The call graph of what a page of stacks shows, or of an explained process, as a diagram: nodes as large as what they took themselves, edges as wide as what went through
 * them, callers above their callees. */
#pragma once

#include "calls/shown.h"
#include "view/diagram.h"
#include "workspace/file/analysis.h"
#include "workspace/stacks/stacks-views.h"

typedef struct
{
  gboolean lines; /* nodes are lines instead of functions */
  guint32 type;   /* of values, of an explained process; G_MAXUINT32: the last one, latency where it has any */
  WpCallsLimit hide_self, hide_subs;
} WpCallsChoice;

#define WP_CALLS_CHOICE_DEFAULT { .type = G_MAXUINT32, .hide_self = { 1, 100 }, .hide_subs = { 2, 100 } }

/* Immutable. */
typedef struct
{
  WpShared *calls; /* WpCalls: of the same stacks that of other limits, too */
  WpCallsChoice choice;
  guint32 n_hidden;
  WpDiagram *diagram; /* refs are nodes of the call graph, and edges of it */
  guint32 *frames;    /* node of the diagram → row of the names of the views' graph; G_MAXUINT32: none, as where there are
                         no views */
  WpStacks *stacks;   /* that the graph is of; NULL: none */
  /* The views are of means; these are sums, since what goes through a call is a part of both its ends, and means have
   * no parts. */
  gboolean not_means;
} WpCallsPicture;

void wp_calls_picture_free (WpCallsPicture *self);

/* What a graph is made of: one of these, the others are NULL. */
typedef struct
{
  WpShared *views;    /* WpStacksViews */
  WpShared *analysis; /* WpAnalysis: all that the process did and waited for, whatever is hidden in its flame views */
  WpShared *graph;    /* WpCalls: a file that is one */
} WpCallsSource;

/* A worker's job. Takes references. `before`: a picture of the same source, whatever its choice, or NULL; what it has is not made again. */
typedef struct WpCallsRequest WpCallsRequest;

WpCallsRequest *wp_calls_request_new (const WpCallsSource *source, WpShared *before, const WpCallsChoice *choice);
void wp_calls_request_free (gpointer request);
gpointer wp_calls_request_run (gpointer request, WpProgress *progress, GError **error); /* WpCallsPicture */

/* The node of the diagram that a frame is; WP_NO_NODE: none, or it is hidden. */
guint32 wp_calls_picture_node (const WpCallsPicture *self, guint32 frame);

/* The node that stands for what a node of another picture (`before`) does: the same function or line, of the same source; WP_NO_NODE: none. Both pictures may be
 * NULL, and `node` WP_NO_NODE. */
guint32 wp_calls_picture_same (const WpCallsPicture *self, const WpCallsPicture *before, guint32 node);

/* A byte for each node of the diagram: 1 for the node, those that call it and those that it calls. Free with g_free(). */
guint8 *wp_calls_picture_around (const WpCallsPicture *self, guint32 node);

/* What a node is called: a line with its number. Free with g_free(). */
char *wp_calls_picture_name (const WpCallsPicture *self, guint32 node);

/* A byte for each node of the diagram: whether its name matches. `n_all`: how many do with those that are hidden. Free with g_free(). */
guint8 *wp_calls_picture_find (const WpCallsPicture *self, const GRegex *pattern, guint32 *n_found, guint32 *n_all);

/* Who calls a node of the diagram, or whom it calls, hidden ones too: name, time, share of what it took altogether, which they sum up to. A row's node of the
 * call graph is that at the other end of its row-th edge; 0: nobody, or itself. */
WpShared *wp_calls_picture_table (const WpCallsPicture *self, guint32 node, gboolean callees); /* WpGrid */
guint32 wp_calls_picture_row_node (const WpCallsPicture *self, guint32 node, gboolean callees, guint32 row); /* of the diagram; WP_NO_NODE: not in it */

/* What a tooltip says of a node or an edge of the diagram, one of which is WP_NO_NODE. Free with g_free(). */
char *wp_calls_picture_describe (const WpCallsPicture *self, guint32 node, guint32 edge);
