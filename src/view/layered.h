/* Layered layout of a graph: where each node and edge is drawn when nodes stand in given layers, top to bottom, so that few edges cross and long
 * ones are straight. After K. Sugiyama, S. Tagawa and M. Toda (1981), with the order of E. Gansner and others (A technique for drawing directed
 * graphs, 1993) and the places of U. Brandes and B. Köpf (Fast and simple horizontal coordinate assignment, 2001). */
#pragma once

#include "base/array.h"
#include "base/progress.h"

typedef struct
{
  double width, height;
  guint32 layer; /* 0: at the top */
} WpLayeredNode;

typedef struct
{
  guint32 from, to; /* nodes */
} WpLayeredEdge;

typedef struct
{
  WP_ARRAY (WpLayeredNode) nodes; /* plain lists */
  WP_ARRAY (WpLayeredEdge) edges; /* in either direction; from a node to itself and within a layer, too */
  double gap_x, gap_y;            /* between neighbours, and between layers */
} WpLayeredGraph;

typedef struct
{
  double x, y;
} WpPosition;

typedef struct
{
  guint32 n_nodes;
  double width, height; /* of everything; its left upper corner is 0, 0 */
  WpPosition *centres;     /* node → */
  guint32 *first;       /* edge → its first point, from the node that it comes from on: where it leaves it, where it enters and leaves each layer between, where it
                         * arrives; one more at the end. None: from a node to itself */
  WP_ARRAY (WpPosition) points;
  guint64 crossings;    /* of edges between layers, as lines from point to point */
} WpLayered;

void wp_layered_graph_clear (WpLayeredGraph *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpLayeredGraph, wp_layered_graph_clear)

/* The same graph gives the same layout. NULL when cancelled. */
WpLayered *wp_layered_new (const WpLayeredGraph *graph, WpProgress *progress, GError **error);
void wp_layered_free (WpLayered *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLayered, wp_layered_free)
