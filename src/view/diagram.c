#include "view/diagram.h"

#include "base/sort.h"

#include <math.h>

#define SMALL_MARGIN 4.0
#define CURVE_STEPS 16 /* points of a curve that are looked at to find how near it is */

WpDiagram *
wp_diagram_new (void)
{
  WpDiagram *self = g_new0 (WpDiagram, 1);

  self->strings = wp_strings_new ();
  return self;
}

void
wp_diagram_free (WpDiagram *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
  wp_array_clear (&self->points);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->row_first);
  g_free (self);
}

/* --- layout ---------------------------------------------------------------------------------------------------------- */

static int
compare_edges (const void *a, const void *b)
{
  const WpDiagramEdge *x = a, *y = b;

  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static int
compare_places (const void *a, const void *b, void *data)
{
  const WpDiagramNode *nodes = data, *x = &nodes[*(const WpId *) a], *y = &nodes[*(const WpId *) b];

  if (x->layer != y->layer)
    return x->layer < y->layer ? -1 : 1;
  return x->x < y->x ? -1 : x->x > y->x;
}

static void
make_rows (WpDiagram *self)
{
  wp_array_resize (&self->rows, self->nodes.len);
  for (guint32 i = 0; i < self->nodes.len; i++)
    self->rows.data[i] = i;
  if (self->rows.len > 0)
    g_qsort_with_data (self->rows.data, (gint) self->rows.len, sizeof *self->rows.data, compare_places, self->nodes.data);
  self->row_first.len = 0;
  for (guint32 i = 0; i < self->rows.len; i++)
    while (self->row_first.len <= self->nodes.data[self->rows.data[i]].layer)
      wp_array_push (&self->row_first, i);
  wp_array_push (&self->row_first, self->rows.len);
}

static void
take_points (WpDiagram *self, const WpLayered *layered)
{
  for (guint32 e = 0; e < self->edges.len; e++)
    {
      WpDiagramEdge *edge = &self->edges.data[e];
      const WpDiagramNode *node = &self->nodes.data[edge->from];

      edge->first = self->points.len;
      edge->n = layered->first[e + 1] - layered->first[e];
      edge->left = edge->right = node->x;
      edge->top = edge->bottom = node->y;
      if (edge->n == 0)
        {
          edge->right += node->width / 2 + WP_DIAGRAM_LOOP;
          edge->top -= node->height / 2;
          edge->bottom += node->height / 2;
        }
      for (guint32 i = layered->first[e]; i < layered->first[e + 1]; i++)
        {
          WpPosition p = layered->points.data[i];

          edge->left = MIN (edge->left, p.x);
          edge->right = MAX (edge->right, p.x);
          edge->top = MIN (edge->top, p.y);
          edge->bottom = MAX (edge->bottom, p.y);
          wp_array_push (&self->points, p);
        }
    }
}

gboolean
wp_diagram_lay_out (WpDiagram *self, WpProgress *progress, GError **error)
{
  g_auto (WpLayeredGraph) graph = { .gap_x = WP_DIAGRAM_GAP_X, .gap_y = WP_DIAGRAM_GAP_Y };
  g_autoptr (WpLayered) layered = NULL;

  wp_array_sort (&self->edges, compare_edges);
  for (guint32 i = 0; i < self->nodes.len; i++)
    wp_array_push (&graph.nodes, ((WpLayeredNode) { self->nodes.data[i].width, self->nodes.data[i].height, self->nodes.data[i].layer }));
  for (guint32 i = 0; i < self->edges.len; i++)
    wp_array_push (&graph.edges, ((WpLayeredEdge) { self->edges.data[i].from, self->edges.data[i].to }));
  layered = wp_layered_new (&graph, progress, error);
  if (layered == NULL)
    return FALSE;
  for (guint32 i = 0; i < self->nodes.len; i++)
    {
      self->nodes.data[i].x = layered->centres[i].x;
      self->nodes.data[i].y = layered->centres[i].y;
    }
  take_points (self, layered);
  make_rows (self);
  self->width = layered->width;
  self->height = layered->height;
  self->crossings = layered->crossings;
  return TRUE;
}

/* --- what is where ----------------------------------------------------------------------------------------------------- */

void
wp_diagram_within (const WpDiagram *self, guint32 layer, double left, double right, guint32 *first, guint32 *end)
{
  guint32 low = self->row_first.data[layer], high = self->row_first.data[layer + 1], last = high;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      const WpDiagramNode *node = &self->nodes.data[self->rows.data[middle]];

      if (node->x + node->width / 2 < left)
        low = middle + 1;
      else
        high = middle;
    }
  *first = *end = low;
  while (*end < last && self->nodes.data[self->rows.data[*end]].x - self->nodes.data[self->rows.data[*end]].width / 2 <= right)
    ++*end;
}

guint32
wp_diagram_node_at (const WpDiagram *self, WpPosition at)
{
  for (guint32 l = 0; l + 1 < self->row_first.len; l++)
    {
      guint32 first, end;

      wp_diagram_within (self, l, at.x, at.x, &first, &end);
      for (guint32 i = first; i < end; i++)
        if (fabs (self->nodes.data[self->rows.data[i]].y - at.y) <= self->nodes.data[self->rows.data[i]].height / 2)
          return self->rows.data[i];
    }
  return WP_NO_NODE;
}

void
wp_diagram_curve (WpPosition a, WpPosition b, WpPosition control[2])
{
  if (a.y == b.y && a.x != b.x)
    {
      control[0] = (WpPosition) { a.x + (b.x - a.x) / 4, a.y + WP_DIAGRAM_GAP_Y / 2 };
      control[1] = (WpPosition) { b.x - (b.x - a.x) / 4, b.y + WP_DIAGRAM_GAP_Y / 2 };
    }
  else
    {
      control[0] = (WpPosition) { a.x, (a.y + b.y) / 2 };
      control[1] = (WpPosition) { b.x, (a.y + b.y) / 2 };
    }
}

static WpPosition
on_bezier (const WpPosition curve[4], double t)
{
  double s = 1 - t, share[4] = { s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t };
  WpPosition at = { 0, 0 };

  for (guint i = 0; i < 4; i++)
    {
      at.x += share[i] * curve[i].x;
      at.y += share[i] * curve[i].y;
    }
  return at;
}

WpPosition
wp_diagram_on_curve (WpPosition a, WpPosition b, double t)
{
  WpPosition curve[4] = { a, a, b, b };

  wp_diagram_curve (a, b, curve + 1);
  return on_bezier (curve, t);
}

void
wp_diagram_loop (const WpDiagramNode *node, WpPosition curve[4])
{
  double x = node->x + node->width / 2, up = node->height / 4;

  curve[0] = (WpPosition) { x, node->y - up };
  curve[1] = (WpPosition) { x + WP_DIAGRAM_LOOP, node->y - up - WP_DIAGRAM_LOOP / 2 };
  curve[2] = (WpPosition) { x + WP_DIAGRAM_LOOP, node->y + up + WP_DIAGRAM_LOOP / 2 };
  curve[3] = (WpPosition) { x, node->y + up };
}

/* One of an edge's curves. */
static void
curve_of (const WpDiagram *self, const WpDiagramEdge *edge, guint32 i, WpPosition curve[4])
{
  if (edge->n == 0)
    {
      wp_diagram_loop (&self->nodes.data[edge->from], curve);
      return;
    }
  curve[0] = self->points.data[edge->first + i];
  curve[3] = self->points.data[edge->first + i + 1];
  wp_diagram_curve (curve[0], curve[3], curve + 1);
}

static double
distance_to_curve (const WpPosition curve[4], WpPosition at)
{
  double nearest = G_MAXDOUBLE;

  for (guint i = 0; i <= CURVE_STEPS; i++)
    {
      WpPosition on = on_bezier (curve, (double) i / CURVE_STEPS);

      nearest = MIN (nearest, hypot (on.x - at.x, on.y - at.y));
    }
  return nearest;
}

guint32
wp_diagram_edge_at (const WpDiagram *self, WpPosition at, double most)
{
  guint32 found = WP_NO_NODE;

  for (guint32 e = 0; e < self->edges.len; e++)
    {
      const WpDiagramEdge *edge = &self->edges.data[e];

      if (at.x < edge->left - most || at.x > edge->right + most || at.y < edge->top - most || at.y > edge->bottom + most)
        continue;
      for (guint32 i = 0; i < MAX (edge->n, 2) - 1; i++)
        {
          WpPosition curve[4];
          double apart;

          curve_of (self, edge, i, curve);
          apart = distance_to_curve (curve, at);
          if (apart > most)
            continue;
          most = apart;
          found = e;
        }
    }
  return found;
}

guint32
wp_diagram_step (const WpDiagram *self, guint32 node, int right, int down)
{
  const WpDiagramNode *from = &self->nodes.data[node];
  guint32 first = self->row_first.data[from->layer], end = self->row_first.data[from->layer + 1];

  if (right == 0)
    {
      for (guint32 e = 0; e < self->edges.len; e++)
        {
          const WpDiagramEdge *edge = &self->edges.data[e];

          if (edge->from != edge->to && (down > 0 ? edge->from : edge->to) == node)
            return down > 0 ? edge->to : edge->from;
        }
      return node;
    }
  for (guint32 i = first; i < end; i++)
    if (self->rows.data[i] == node)
      return right > 0 ? (i + 1 < end ? self->rows.data[i + 1] : node) : (i > first ? self->rows.data[i - 1] : node);
  return node;
}

/* --- the place that is seen --------------------------------------------------------------------------------------------- */

double
wp_diagram_fit_scale (const WpDiagram *self, const WpDiagramPlace *place)
{
  double x = MAX (place->width - 2 * WP_DIAGRAM_MARGIN, 1) / MAX (self->width, 1), y = MAX (place->height - 2 * WP_DIAGRAM_MARGIN, 1) / MAX (self->height, 1);

  return MIN (MIN (x, y), 1);
}

/* What is smaller than the area stands in its middle; else no more than half the area is empty. */
static double
hold (double at, double length, double seen)
{
  if (length <= seen)
    return (length - seen) / 2;
  return CLAMP (at, -seen / 2, length - seen / 2);
}

static void
hold_place (const WpDiagram *self, WpDiagramPlace *place)
{
  place->x = hold (place->x, self->width, place->width / place->scale);
  place->y = hold (place->y, self->height, place->height / place->scale);
}

static void
centre (const WpDiagram *self, WpDiagramPlace *place)
{
  place->x = (self->width - place->width / place->scale) / 2;
  place->y = (self->height - place->height / place->scale) / 2;
}

void
wp_diagram_fit_small (const WpDiagram *self, WpDiagramPlace *place)
{
  place->scale = MIN (MAX (place->width - 2 * SMALL_MARGIN, 1) / MAX (self->width, 1), MAX (place->height - 2 * SMALL_MARGIN, 1) / MAX (self->height, 1));
  centre (self, place);
}

void
wp_diagram_fit (const WpDiagram *self, WpDiagramPlace *place)
{
  place->scale = wp_diagram_fit_scale (self, place);
  centre (self, place);
}

void
wp_diagram_zoom (const WpDiagram *self, WpDiagramPlace *place, double factor, double x, double y)
{
  WpPosition under = wp_diagram_point (place, x, y);

  place->scale = CLAMP (place->scale * factor, wp_diagram_fit_scale (self, place), WP_DIAGRAM_SCALE_MAX);
  place->x = under.x - x / place->scale;
  place->y = under.y - y / place->scale;
  hold_place (self, place);
}

void
wp_diagram_pan (const WpDiagram *self, WpDiagramPlace *place, double dx, double dy)
{
  place->x += dx / place->scale;
  place->y += dy / place->scale;
  hold_place (self, place);
}

static double
bring (double at, double seen, double middle, double length, double margin)
{
  if (middle - length / 2 - margin < at)
    return middle - length / 2 - margin;
  return middle + length / 2 + margin > at + seen ? middle + length / 2 + margin - seen : at;
}

void
wp_diagram_show (const WpDiagram *self, WpDiagramPlace *place, guint32 node, gboolean centre)
{
  const WpDiagramNode *to = &self->nodes.data[node];
  double width = place->width / place->scale, height = place->height / place->scale, margin = WP_DIAGRAM_MARGIN / place->scale;

  place->x = centre ? to->x - width / 2 : bring (place->x, width, to->x, to->width, margin);
  place->y = centre ? to->y - height / 2 : bring (place->y, height, to->y, to->height, margin);
  hold_place (self, place);
}

void
wp_diagram_begin (const WpDiagram *self, WpDiagramPlace *place, guint32 node, double scale)
{
  const WpDiagramNode *from = &self->nodes.data[node];

  place->scale = scale;
  place->x = from->x - place->width / scale / 2;
  place->y = from->y - from->height / 2 - WP_DIAGRAM_MARGIN / scale;
  hold_place (self, place);
}
