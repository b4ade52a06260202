/* A diagram of nodes and the edges between them, laid out in layers (view/layered.h), and the place of it that is seen. Pure arithmetic: no drawing,
 * no GTK. Lengths are in units of the diagram; at a scale of 1 one is a pixel. */
#pragma once

#include "base/intern.h"
#include "view/layered.h"

#define WP_NO_NODE G_MAXUINT32

typedef struct
{
  double x, y, width, height; /* its middle; x and y by wp_diagram_lay_out() */
  double size;    /* of the name's letters */
  WpId name, note; /* strings of the diagram: two lines; note 0: one */
  guint32 layer;
  guint32 ref;    /* what it stands for */
  guint8 kind;    /* WpBoxKind */
} WpDiagramNode;

typedef struct
{
  guint32 from, to; /* nodes */
  double share;     /* 0 … 1: of the widest edge */
  WpId note;        /* string of the diagram: what stands beside it; 0: nothing */
  guint32 ref;

  /* by wp_diagram_lay_out() */
  guint32 first, n; /* points; none where it comes back to its node */
  double left, top, right, bottom;
} WpDiagramEdge;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpDiagramNode) nodes; /* plain lists */
  WP_ARRAY (WpDiagramEdge) edges; /* widest first, once it is laid out */
  WP_ARRAY (WpPosition) points;
  double width, height;
  guint64 crossings;
  WpIdArray rows;      /* nodes by layer, from left to right */
  WpIdArray row_first; /* layer → its first one in `rows`; one more at the end */
} WpDiagram;

#define WP_DIAGRAM_GAP_X 28.0
#define WP_DIAGRAM_GAP_Y 56.0
#define WP_DIAGRAM_LOOP 14.0 /* how far an edge goes that comes back to its node */
#define WP_DIAGRAM_EDGE_MAX 12.0 /* the widest edge; the thinnest is 1 */

WpDiagram *wp_diagram_new (void);
void wp_diagram_free (WpDiagram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDiagram, wp_diagram_free)

/* Once all nodes and edges are there: places them. FALSE when cancelled. */
gboolean wp_diagram_lay_out (WpDiagram *self, WpProgress *progress, GError **error);

static inline double
wp_diagram_edge_width (const WpDiagramEdge *edge)
{
  return 1 + (WP_DIAGRAM_EDGE_MAX - 1) * edge->share;
}

/* How an edge goes from one of its points to the next: the two others of a Bézier curve. It leaves and arrives upright; within a layer it goes below. */
void wp_diagram_curve (WpPosition a, WpPosition b, WpPosition control[2]);
WpPosition wp_diagram_on_curve (WpPosition a, WpPosition b, double t); /* a point of it: t from 0 to 1 */

/* How an edge goes that comes back to its node: at its right, from the first of these to the last. */
void wp_diagram_loop (const WpDiagramNode *node, WpPosition curve[4]);

/* What is at a point. Of edges the nearest one that is no further than `most` from it. WP_NO_NODE: none. */
guint32 wp_diagram_node_at (const WpDiagram *self, WpPosition at);
guint32 wp_diagram_edge_at (const WpDiagram *self, WpPosition at, double most);

/* A layer's nodes that are within a stretch: rows *first … *end − 1. */
void wp_diagram_within (const WpDiagram *self, guint32 layer, double left, double right, guint32 *first, guint32 *end);

/* Where an arrow key leads: the neighbour in the layer, or along the widest edge to a caller (up) or a callee (down); the node itself where there is none. */
guint32 wp_diagram_step (const WpDiagram *self, guint32 node, int right, int down);

/* --- the place that is seen ------------------------------------------------------------------------------------------ */

typedef struct
{
  double x, y;          /* of the diagram, at the area's left upper corner */
  double scale;         /* pixels of one unit */
  double width, height; /* of the area, in pixels */
} WpDiagramPlace;

#define WP_DIAGRAM_SCALE_MAX 4.0
#define WP_DIAGRAM_MARGIN 24.0 /* pixels around a diagram that is seen as a whole */

/* Shows everything, not larger than it is; the smallest scale is what shows everything. */
void wp_diagram_fit (const WpDiagram *self, WpDiagramPlace *place);
double wp_diagram_fit_scale (const WpDiagram *self, const WpDiagramPlace *place);

/* Everything within a small area, nearly to its edges. */
void wp_diagram_fit_small (const WpDiagram *self, WpDiagramPlace *place);

/* What is under a pixel stays there. */
void wp_diagram_zoom (const WpDiagram *self, WpDiagramPlace *place, double factor, double x, double y);

/* By pixels; something of the diagram stays in sight. */
void wp_diagram_pan (const WpDiagram *self, WpDiagramPlace *place, double dx, double dy);

/* At a scale, with a node in the middle of the upper edge. */
void wp_diagram_begin (const WpDiagram *self, WpDiagramPlace *place, guint32 node, double scale);

/* Moves as little as brings a node into sight; `centre`: into the middle. */
void wp_diagram_show (const WpDiagram *self, WpDiagramPlace *place, guint32 node, gboolean centre);

static inline WpPosition
wp_diagram_point (const WpDiagramPlace *place, double x, double y)
{
  return (WpPosition) { place->x + x / place->scale, place->y + y / place->scale };
}
