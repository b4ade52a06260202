#include "view/layered-private.h"

/* Edges that pass very many layers would be most of what is laid out: beyond so many vertices the rest of them are straight lines. */
#define MOST_PASSING 300000

void
wp_layered_graph_clear (WpLayeredGraph *self)
{
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
}

void
wp_layered_free (WpLayered *self)
{
  if (self == NULL)
    return;
  g_free (self->centres);
  g_free (self->first);
  wp_array_clear (&self->points);
  g_free (self);
}

/* --- edges as segments ---------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpLayeredGraph *graph;
  WpLayering layering;
  guint32 *passing; /* edge → the vertex where it passes the layer below its upper end; 0: none */
} Layout;

static guint32
n_passed (const WpLayeredGraph *graph, const WpLayeredEdge *edge)
{
  gint64 apart = ABS ((gint64) graph->nodes.data[edge->from].layer - graph->nodes.data[edge->to].layer);

  return apart > 1 ? (guint32) (apart - 1) : 0;
}

static gboolean
is_between_layers (const WpLayeredGraph *graph, const WpLayeredEdge *edge)
{
  return graph->nodes.data[edge->from].layer != graph->nodes.data[edge->to].layer;
}

/* Short edges first get their vertices: how many layers an edge may pass. */
static guint32
find_longest (const WpLayeredGraph *graph, guint32 n_layers)
{
  g_autofree guint32 *n = g_new0 (guint32, n_layers + 1);
  guint64 vertices = 0;
  guint32 longest = 0;

  for (guint32 e = 0; e < graph->edges.len; e++)
    n[n_passed (graph, &graph->edges.data[e])]++;
  while (longest < n_layers && (vertices += (guint64) n[longest + 1] * (longest + 1)) <= MOST_PASSING)
    longest++;
  return longest;
}

static void
count_vertices (Layout *self, guint32 longest)
{
  WpLayering *layering = &self->layering;

  for (guint32 e = 0; e < self->graph->edges.len; e++)
    {
      const WpLayeredEdge *edge = &self->graph->edges.data[e];
      guint32 passed = n_passed (self->graph, edge);

      if (!is_between_layers (self->graph, edge) || passed > longest)
        continue;
      self->passing[e] = passed > 0 ? layering->n : 0;
      layering->n += passed;
      layering->n_segments += passed + 1;
    }
}

static void
make_segments (Layout *self, guint32 longest)
{
  WpLayering *layering = &self->layering;
  guint32 n = 0;

  for (guint32 e = 0; e < self->graph->edges.len; e++)
    {
      const WpLayeredEdge *edge = &self->graph->edges.data[e];
      guint32 passed = n_passed (self->graph, edge);
      gboolean goes_up = self->graph->nodes.data[edge->from].layer > self->graph->nodes.data[edge->to].layer;
      guint32 upper = goes_up ? edge->to : edge->from, lower = goes_up ? edge->from : edge->to;

      if (!is_between_layers (self->graph, edge) || passed > longest)
        continue;
      for (guint32 i = 0; i < passed; i++)
        {
          guint32 vertex = self->passing[e] + i;

          layering->layer[vertex] = layering->layer[upper] + 1;
          layering->segments[n++] = (WpSegment) { { upper, vertex } };
          upper = vertex;
        }
      layering->segments[n++] = (WpSegment) { { upper, lower } };
    }
}

static void
gather_near (WpLayering *self, guint side)
{
  g_autofree guint32 *next = NULL;

  self->first[side] = g_new0 (guint32, self->n + 1);
  self->near[side] = g_new (guint32, self->n_segments);
  for (guint32 s = 0; s < self->n_segments; s++)
    self->first[side][self->segments[s].end[!side] + 1]++;
  for (guint32 v = 0; v < self->n; v++)
    self->first[side][v + 1] += self->first[side][v];
  next = g_memdup2 (self->first[side], self->n * sizeof *next);
  for (guint32 s = 0; s < self->n_segments; s++)
    self->near[side][next[self->segments[s].end[!side]]++] = s;
}

/* As the caller has them, from left to right. */
static void
fill_layers (WpLayering *self)
{
  g_autofree guint32 *next = NULL;

  for (guint32 v = 0; v < self->n; v++)
    self->layer_first[self->layer[v] + 1]++;
  for (guint32 l = 0; l < self->n_layers; l++)
    self->layer_first[l + 1] += self->layer_first[l];
  next = g_memdup2 (self->layer_first, self->n_layers * sizeof *next);
  for (guint32 v = 0; v < self->n; v++)
    self->order[next[self->layer[v]]++] = v;
  for (guint32 l = 0; l < self->n_layers; l++)
    wp_layering_number (self, l);
}

void
wp_layering_number (WpLayering *self, guint32 layer)
{
  for (guint32 i = self->layer_first[layer]; i < self->layer_first[layer + 1]; i++)
    self->at[self->order[i]] = i - self->layer_first[layer];
}

void
wp_layering_sort_near (WpLayering *self, guint32 layer, guint side)
{
  guint32 *next = self->first[!side]; /* moved on while segments are put in place, and back again */

  for (guint32 i = self->layer_first[layer]; i < self->layer_first[layer + 1]; i++)
    for (guint32 k = self->first[side][self->order[i]]; k < self->first[side][self->order[i] + 1]; k++)
      self->near[!side][next[wp_layering_other (self, side, k)]++] = self->near[side][k];
  for (guint32 i = self->layer_first[layer]; i < self->layer_first[layer + 1]; i++)
    for (guint32 k = self->first[side][self->order[i]]; k < self->first[side][self->order[i] + 1]; k++)
      next[wp_layering_other (self, side, k)]--;
}

static void
layout_init (Layout *self, const WpLayeredGraph *graph)
{
  WpLayering *layering = &self->layering;
  guint32 longest;

  *self = (Layout) { .graph = graph, .layering = { .n = graph->nodes.len, .n_nodes = graph->nodes.len, .gap_x = graph->gap_x } };
  for (guint32 v = 0; v < graph->nodes.len; v++)
    layering->n_layers = MAX (layering->n_layers, graph->nodes.data[v].layer + 1);
  self->passing = g_new0 (guint32, graph->edges.len + 1);
  longest = find_longest (graph, layering->n_layers);
  count_vertices (self, longest);
  layering->layer = g_new0 (guint32, layering->n + 1);
  layering->width = g_new0 (double, layering->n + 1);
  layering->segments = g_new (WpSegment, layering->n_segments);
  layering->layer_first = g_new0 (guint32, layering->n_layers + 1);
  layering->order = g_new (guint32, layering->n);
  layering->at = g_new (guint32, layering->n);
  for (guint32 v = 0; v < graph->nodes.len; v++)
    {
      layering->layer[v] = graph->nodes.data[v].layer;
      layering->width[v] = graph->nodes.data[v].width;
    }
  make_segments (self, longest);
  fill_layers (layering);
  for (guint side = 0; side < WP_N_LAYER_SIDES; side++)
    gather_near (layering, side);
}

static void
layout_clear (Layout *self)
{
  WpLayering *layering = &self->layering;

  g_free (self->passing);
  g_free (layering->layer);
  g_free (layering->width);
  g_free (layering->segments);
  for (guint side = 0; side < WP_N_LAYER_SIDES; side++)
    {
      g_free (layering->first[side]);
      g_free (layering->near[side]);
    }
  g_free (layering->layer_first);
  g_free (layering->order);
  g_free (layering->at);
}

/* --- what comes out -------------------------------------------------------------------------------------------------- */

typedef struct
{
  double top, height; /* of a layer: that of its highest node */
} Level;

static Level *
place_layers (const WpLayeredGraph *graph, guint32 n_layers, double *height)
{
  Level *levels = g_new0 (Level, n_layers);
  double y = 0;

  for (guint32 v = 0; v < graph->nodes.len; v++)
    levels[graph->nodes.data[v].layer].height = MAX (levels[graph->nodes.data[v].layer].height, graph->nodes.data[v].height);
  for (guint32 l = 0; l < n_layers; l++)
    {
      levels[l].top = y;
      y += levels[l].height + graph->gap_y;
    }
  *height = y - graph->gap_y;
  return levels;
}

/* From the lower edge of the upper node to the upper edge of the lower one, straight through the layers between, so that no node is in its way; within a
 * layer between what they turn to each other. */
static void
add_points (WpLayered *self, const Layout *layout, guint32 e, const double *x, const Level *levels)
{
  const WpLayeredEdge *edge = &layout->graph->edges.data[e];
  const WpLayeredNode *from = &layout->graph->nodes.data[edge->from], *to = &layout->graph->nodes.data[edge->to];
  WpPosition a = self->centres[edge->from], b = self->centres[edge->to];
  guint32 n = layout->passing[e] > 0 ? n_passed (layout->graph, edge) : 0;
  gboolean goes_up = from->layer > to->layer;

  if (edge->from == edge->to)
    return;
  if (from->layer == to->layer)
    {
      double right = a.x < b.x ? 1 : -1;

      a.x += right * from->width / 2;
      b.x -= right * to->width / 2;
    }
  else
    {
      a.y += (goes_up ? -0.5 : 0.5) * from->height;
      b.y += (goes_up ? 0.5 : -0.5) * to->height;
    }
  wp_array_push (&self->points, a);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 vertex = layout->passing[e] + (goes_up ? n - 1 - i : i);
      const Level *level = &levels[layout->layering.layer[vertex]];

      wp_array_push (&self->points, ((WpPosition) { x[vertex], level->top + (goes_up ? level->height : 0) }));
      wp_array_push (&self->points, ((WpPosition) { x[vertex], level->top + (goes_up ? 0 : level->height) }));
    }
  wp_array_push (&self->points, b);
}

static void
move_to_origin (const WpLayering *self, double *x, double *width)
{
  double left = G_MAXDOUBLE, right = -G_MAXDOUBLE;

  for (guint32 v = 0; v < self->n; v++)
    {
      left = MIN (left, x[v] - self->width[v] / 2);
      right = MAX (right, x[v] + self->width[v] / 2);
    }
  for (guint32 v = 0; v < self->n; v++)
    x[v] -= left;
  *width = MAX (right - left, 0);
}

static WpLayered *
take_result (const Layout *layout, double *x)
{
  const WpLayeredGraph *graph = layout->graph;
  WpLayered *self = g_new0 (WpLayered, 1);
  g_autofree Level *levels = place_layers (graph, layout->layering.n_layers, &self->height);

  self->n_nodes = graph->nodes.len;
  move_to_origin (&layout->layering, x, &self->width);
  self->centres = g_new (WpPosition, graph->nodes.len);
  for (guint32 v = 0; v < graph->nodes.len; v++)
    self->centres[v] = (WpPosition) { x[v], levels[graph->nodes.data[v].layer].top + levels[graph->nodes.data[v].layer].height / 2 };
  self->first = g_new (guint32, graph->edges.len + 1);
  for (guint32 e = 0; e < graph->edges.len; e++)
    {
      self->first[e] = self->points.len;
      add_points (self, layout, e, x, levels);
    }
  self->first[graph->edges.len] = self->points.len;
  return self;
}

WpLayered *
wp_layered_new (const WpLayeredGraph *graph, WpProgress *progress, GError **error)
{
  Layout layout;
  WpLayered *self = NULL;
  guint64 crossings;

  if (graph->nodes.len == 0)
    {
      self = g_new0 (WpLayered, 1);
      self->first = g_new0 (guint32, 1);
      return self;
    }
  layout_init (&layout, graph);
  if (wp_layering_order (&layout.layering, &crossings, progress, error))
    {
      g_autofree double *x = wp_layering_place (&layout.layering);

      self = take_result (&layout, x);
      self->crossings = crossings;
    }
  layout_clear (&layout);
  return self;
}
