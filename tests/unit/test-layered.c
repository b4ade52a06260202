/* The layered layout: what must be true of every layout, on graphs by chance; known best orders; the odd ones. */
#include "view/layered.h"

#include <math.h>

#define GAP_X 10
#define GAP_Y 40

static void
add_node (WpLayeredGraph *graph, guint32 layer, double width)
{
  wp_array_push (&graph->nodes, ((WpLayeredNode) { .width = width, .height = 20, .layer = layer }));
}

static void
add_edge (WpLayeredGraph *graph, guint32 from, guint32 to)
{
  wp_array_push (&graph->edges, ((WpLayeredEdge) { from, to }));
}

static WpLayered *
lay_out (WpLayeredGraph *graph)
{
  g_autoptr (GError) error = NULL;
  WpLayered *layered;

  graph->gap_x = GAP_X;
  graph->gap_y = GAP_Y;
  layered = wp_layered_new (graph, NULL, &error);
  g_assert_no_error (error);
  return layered;
}

/* --- what is always true --------------------------------------------------------------------------------------------- */

static void
check_nodes (const WpLayeredGraph *graph, const WpLayered *layered)
{
  for (guint32 a = 0; a < graph->nodes.len; a++)
    {
      const WpLayeredNode *node = &graph->nodes.data[a];

      g_assert_cmpfloat (layered->centres[a].x - node->width / 2, >=, -1e-6);
      g_assert_cmpfloat (layered->centres[a].x + node->width / 2, <=, layered->width + 1e-6);
      g_assert_cmpfloat (layered->centres[a].y + node->height / 2, <=, layered->height + 1e-6);
      for (guint32 b = 0; b < a; b++)
        {
          const WpLayeredNode *other = &graph->nodes.data[b];

          if (other->layer == node->layer)
            {
              g_assert_cmpfloat (layered->centres[a].y, ==, layered->centres[b].y);
              g_assert_cmpfloat (fabs (layered->centres[a].x - layered->centres[b].x), >=, (node->width + other->width) / 2 + GAP_X - 1e-6);
            }
          else
            g_assert_true ((layered->centres[a].y < layered->centres[b].y) == (node->layer < other->layer));
        }
    }
}

/* An edge is a line from border to border that goes straight through each layer between its ends. */
static void
check_edges (const WpLayeredGraph *graph, const WpLayered *layered)
{
  for (guint32 e = 0; e < graph->edges.len; e++)
    {
      const WpLayeredEdge *edge = &graph->edges.data[e];
      const WpLayeredNode *from = &graph->nodes.data[edge->from], *to = &graph->nodes.data[edge->to];
      const WpPosition *points = layered->points.data + layered->first[e];
      guint32 n = layered->first[e + 1] - layered->first[e], apart = ABS ((int) from->layer - (int) to->layer);
      double way = from->layer < to->layer ? 1 : -1;

      g_assert_cmpuint (n, ==, edge->from == edge->to ? 0 : MAX (apart, 1) * 2);
      for (guint32 i = 1; i < n && apart > 0; i++)
        {
          g_assert_cmpfloat ((points[i].y - points[i - 1].y) * way, >, i % 2 == 0 ? -1e-9 : 0);
          if (i % 2 == 0)
            g_assert_cmpfloat (points[i].x, ==, points[i - 1].x);
        }
      if (n > 0 && apart > 0)
        {
          g_assert_cmpfloat (points[0].x, ==, layered->centres[edge->from].x);
          g_assert_cmpfloat (fabs (points[0].y - layered->centres[edge->from].y), ==, 10);
          g_assert_cmpfloat (points[n - 1].x, ==, layered->centres[edge->to].x);
        }
    }
}

/* Edges that begin or end at one node do not cross there. */
static gboolean
cross (WpPosition a, WpPosition b, WpPosition c, WpPosition d)
{
  return (a.x < c.x && b.x > d.x) || (a.x > c.x && b.x < d.x);
}

/* The number that is told is that of the picture: each pair of segments of the layers between is looked at. */
static void
check_crossings (const WpLayeredGraph *graph, const WpLayered *layered)
{
  WP_ARRAY (WpPosition) segments = { 0 }; /* two points each, the upper one first */
  guint64 n = 0;

  for (guint32 e = 0; e < graph->edges.len; e++)
    for (guint32 i = layered->first[e]; i + 1 < layered->first[e + 1]; i++)
      {
        WpPosition a = layered->points.data[i], b = layered->points.data[i + 1];

        if (a.y == b.y)
          continue;
        wp_array_push (&segments, a.y < b.y ? a : b);
        wp_array_push (&segments, a.y < b.y ? b : a);
      }
  for (guint32 i = 0; i < segments.len; i += 2)
    for (guint32 k = 0; k < i; k += 2)
      {
        double middle_i = (segments.data[i].y + segments.data[i + 1].y) / 2, middle_k = (segments.data[k].y + segments.data[k + 1].y) / 2;

        if (fabs (middle_i - middle_k) < 15)
          n += cross (segments.data[i], segments.data[i + 1], segments.data[k], segments.data[k + 1]);
      }
  g_assert_cmpuint (layered->crossings, ==, n);
  wp_array_clear (&segments);
}

static void
test_chance (void)
{
  for (guint32 seed = 0; seed < 60; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_auto (WpLayeredGraph) graph = { 0 };
      g_autoptr (WpLayered) layered = NULL;
      guint32 n = (guint32) g_rand_int_range (rand, 1, 60), layers = (guint32) g_rand_int_range (rand, 1, 12);
      guint32 n_edges = (guint32) g_rand_int_range (rand, 0, 120);

      for (guint32 i = 0; i < n; i++)
        add_node (&graph, (guint32) g_rand_int_range (rand, 0, (gint32) layers), g_rand_double_range (rand, 5, 200));
      for (guint32 i = 0; i < n_edges; i++)
        add_edge (&graph, (guint32) g_rand_int_range (rand, 0, (gint32) n), (guint32) g_rand_int_range (rand, 0, (gint32) n));
      layered = lay_out (&graph);
      check_nodes (&graph, layered);
      check_edges (&graph, layered);
      check_crossings (&graph, layered);
    }
}

/* --- known ones ------------------------------------------------------------------------------------------------------- */

/* A tree has no crossings, whatever the order its nodes come in; a parent of two stands between them. */
static void
test_tree (void)
{
  static const guint32 shuffled[] = { 0, 6, 1, 5, 3, 4, 2 };
  g_auto (WpLayeredGraph) graph = { 0 };
  g_autoptr (WpLayered) layered = NULL;
  guint32 number[7];

  for (guint32 i = 0; i < 7; i++)
    number[shuffled[i]] = i;
  for (guint32 i = 0; i < 7; i++)
    add_node (&graph, shuffled[i] == 0 ? 0 : shuffled[i] < 3 ? 1 : 2, 30);
  for (guint32 i = 1; i < 7; i++)
    add_edge (&graph, number[(i - 1) / 2], number[i]);
  layered = lay_out (&graph);
  g_assert_cmpuint (layered->crossings, ==, 0);
  for (guint32 i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (layered->centres[number[i]].x,
                                    (layered->centres[number[2 * i + 1]].x + layered->centres[number[2 * i + 2]].x) / 2, 1e-6);
}

/* A long edge beside a chain of nodes is straight between its ends. */
static void
test_long_edge (void)
{
  g_auto (WpLayeredGraph) graph = { 0 };
  g_autoptr (WpLayered) layered = NULL;

  for (guint32 i = 0; i < 6; i++)
    add_node (&graph, i, 60);
  for (guint32 i = 1; i < 6; i++)
    add_edge (&graph, i - 1, i);
  add_edge (&graph, 5, 0);
  layered = lay_out (&graph);
  g_assert_cmpuint (layered->crossings, ==, 0);
  for (guint32 i = layered->first[5] + 2; i + 1 < layered->first[6]; i++)
    g_assert_cmpfloat_with_epsilon (layered->points.data[i].x, layered->points.data[i - 1].x, 1e-6);
}

/* Between two layers, all of each with all of the other: of n and m nodes n(n−1)m(m−1)/4 crossings, in every order. */
static void
test_complete (void)
{
  g_auto (WpLayeredGraph) graph = { 0 };
  g_autoptr (WpLayered) layered = NULL;

  for (guint32 i = 0; i < 9; i++)
    add_node (&graph, i < 4 ? 0 : 1, 10);
  for (guint32 i = 0; i < 4; i++)
    for (guint32 k = 4; k < 9; k++)
      add_edge (&graph, i, k);
  layered = lay_out (&graph);
  g_assert_cmpuint (layered->crossings, ==, 4 * 3 * 5 * 4 / 4);
}

static void
test_nothing (void)
{
  g_auto (WpLayeredGraph) graph = { 0 };
  g_autoptr (WpLayered) empty = lay_out (&graph), alone = NULL;

  g_assert_cmpuint (empty->n_nodes, ==, 0);
  g_assert_cmpfloat (empty->height, ==, 0);
  add_node (&graph, 3, 50);
  add_edge (&graph, 0, 0);
  alone = lay_out (&graph);
  g_assert_cmpfloat (alone->width, ==, 50);
  g_assert_cmpfloat (alone->centres[0].x, ==, 25);
}

/* Very many long edges: those beyond the limit are straight lines, and it ends. */
static void
test_deep (void)
{
  g_auto (WpLayeredGraph) graph = { 0 };
  g_autoptr (WpLayered) layered = NULL;
  guint32 n = 3000;

  for (guint32 i = 0; i < n; i++)
    add_node (&graph, i, 20);
  for (guint32 i = 0; i < n; i++)
    add_edge (&graph, i / 7, n - 1 - i / 5);
  layered = lay_out (&graph);
  g_assert_cmpuint (layered->first[n] - layered->first[n - 1], >=, 2);
}

static void
test_cancelled (void)
{
  g_auto (WpLayeredGraph) graph = { .gap_x = GAP_X, .gap_y = GAP_Y };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;

  for (guint32 i = 0; i < 4; i++)
    add_node (&graph, i / 2, 10);
  add_edge (&graph, 0, 3);
  add_edge (&graph, 1, 2);
  g_cancellable_cancel (cancellable);
  g_assert_null (wp_layered_new (&graph, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layered/chance", test_chance);
  g_test_add_func ("/layered/tree", test_tree);
  g_test_add_func ("/layered/long-edge", test_long_edge);
  g_test_add_func ("/layered/complete", test_complete);
  g_test_add_func ("/layered/nothing", test_nothing);
  g_test_add_func ("/layered/deep", test_deep);
  g_test_add_func ("/layered/cancelled", test_cancelled);
  return g_test_run ();
}
