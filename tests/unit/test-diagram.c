/* Diagrams: what is where, where arrow keys lead, and the place that is seen. */
#include "view/diagram.h"

/* A diamond with a tail that calls back: 0 → 1, 2; 1, 2 → 3; 3 → 4; 4 → 0; 4 → 4. */
static WpDiagram *
diamond (void)
{
  static const guint32 layers[] = { 0, 1, 1, 2, 3 };
  static const struct
  {
    guint32 from, to;
    double share;
  } edges[] = { { 0, 1, 0.3 }, { 0, 2, 1 }, { 1, 3, 0.3 }, { 2, 3, 0.7 }, { 3, 4, 0.2 }, { 4, 0, 0.1 }, { 4, 4, 0.05 } };
  WpDiagram *diagram = wp_diagram_new ();

  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    wp_array_push (&diagram->nodes, ((WpDiagramNode) { .width = 100, .height = 40, .size = 12, .layer = layers[i], .ref = 10 + i }));
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    wp_array_push (&diagram->edges, ((WpDiagramEdge) { .from = edges[i].from, .to = edges[i].to, .share = edges[i].share }));
  g_assert_true (wp_diagram_lay_out (diagram, NULL, NULL));
  return diagram;
}

static void
test_nodes (void)
{
  g_autoptr (WpDiagram) diagram = diamond ();

  for (guint32 i = 0; i < diagram->nodes.len; i++)
    {
      const WpDiagramNode *node = &diagram->nodes.data[i];

      g_assert_cmpuint (wp_diagram_node_at (diagram, (WpPosition) { node->x, node->y }), ==, i);
      g_assert_cmpuint (wp_diagram_node_at (diagram, (WpPosition) { node->x - 49, node->y + 19 }), ==, i);
      g_assert_cmpuint (wp_diagram_node_at (diagram, (WpPosition) { node->x, node->y + 21 }), ==, WP_NO_NODE);
    }
  g_assert_cmpuint (wp_diagram_node_at (diagram, (WpPosition) { -500, 0 }), ==, WP_NO_NODE);
}

/* Each edge is found at the middle of its first curve, and not far from it. */
static void
test_edges (void)
{
  g_autoptr (WpDiagram) diagram = diamond ();

  for (guint32 e = 0; e < diagram->edges.len; e++)
    {
      const WpDiagramEdge *edge = &diagram->edges.data[e];
      const WpPosition *points = diagram->points.data + edge->first;
      const WpDiagramNode *node = &diagram->nodes.data[edge->from];
      WpPosition middle;

      g_assert_cmpuint (edge->n == 0, ==, edge->from == edge->to);
      if (edge->n == 0) /* at the right of its node */
        middle = (WpPosition) { node->x + node->width / 2 + WP_DIAGRAM_LOOP * 0.75, node->y };
      else
        middle = (WpPosition) { (points[0].x + points[1].x) / 2, (points[0].y + points[1].y) / 2 };
      g_assert_cmpuint (wp_diagram_edge_at (diagram, middle, 4), ==, e);
      g_assert_cmpuint (wp_diagram_edge_at (diagram, (WpPosition) { diagram->width + 100, middle.y }, 4), ==, WP_NO_NODE);
    }
  for (guint32 e = 1; e < diagram->edges.len; e++)
    g_assert_cmpfloat (diagram->edges.data[e - 1].share, >=, diagram->edges.data[e].share);
}

static void
test_steps (void)
{
  g_autoptr (WpDiagram) diagram = diamond ();
  guint32 left = diagram->nodes.data[1].x < diagram->nodes.data[2].x ? 1 : 2, right = 3 - left;

  g_assert_cmpuint (wp_diagram_step (diagram, 0, 0, 1), ==, 2);  /* along the wider edge */
  g_assert_cmpuint (wp_diagram_step (diagram, 3, 0, -1), ==, 2);
  g_assert_cmpuint (wp_diagram_step (diagram, 0, 0, -1), ==, 4); /* who calls back */
  g_assert_cmpuint (wp_diagram_step (diagram, 4, 0, 1), ==, 0);  /* not to itself */
  g_assert_cmpuint (wp_diagram_step (diagram, left, 1, 0), ==, right);
  g_assert_cmpuint (wp_diagram_step (diagram, right, 1, 0), ==, right);
  g_assert_cmpuint (wp_diagram_step (diagram, right, -1, 0), ==, left);
}

static void
test_place (void)
{
  g_autoptr (WpDiagram) diagram = diamond ();
  WpDiagramPlace place = { .width = 300, .height = 200 };
  WpPosition before, after;

  wp_diagram_fit (diagram, &place);
  g_assert_cmpfloat (place.scale, <, 1);
  g_assert_cmpfloat (place.x, <=, 0);
  g_assert_cmpfloat (place.x + place.width / place.scale, >=, diagram->width);
  g_assert_cmpfloat (place.y + place.height / place.scale, >=, diagram->height);
  wp_diagram_zoom (diagram, &place, 0.1, 50, 50); /* no further away than everything */
  g_assert_cmpfloat (place.scale, ==, wp_diagram_fit_scale (diagram, &place));

  before = wp_diagram_point (&place, 150, 100);
  wp_diagram_zoom (diagram, &place, 3, 150, 100);
  after = wp_diagram_point (&place, 150, 100);
  g_assert_cmpfloat_with_epsilon (before.x, after.x, 1e-6);
  g_assert_cmpfloat_with_epsilon (before.y, after.y, 1e-6);
  wp_diagram_pan (diagram, &place, 1e9, -1e9); /* half the area stays full */
  g_assert_cmpfloat_with_epsilon (place.x, diagram->width - place.width / place.scale / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (place.y, -place.height / place.scale / 2, 1e-6);

  for (guint32 i = 0; i < diagram->nodes.len; i++)
    {
      const WpDiagramNode *node = &diagram->nodes.data[i];

      wp_diagram_show (diagram, &place, i, FALSE);
      g_assert_cmpfloat (node->x - node->width / 2, >=, place.x);
      g_assert_cmpfloat (node->x + node->width / 2, <=, place.x + place.width / place.scale);
      g_assert_cmpfloat (node->y - node->height / 2, >=, place.y);
      g_assert_cmpfloat (node->y + node->height / 2, <=, place.y + place.height / place.scale);
    }
}

static void
test_nothing (void)
{
  g_autoptr (WpDiagram) diagram = wp_diagram_new ();
  WpDiagramPlace place = { .width = 300, .height = 200 };

  g_assert_true (wp_diagram_lay_out (diagram, NULL, NULL));
  wp_diagram_fit (diagram, &place);
  g_assert_cmpuint (wp_diagram_node_at (diagram, wp_diagram_point (&place, 1, 1)), ==, WP_NO_NODE);
  g_assert_cmpuint (wp_diagram_edge_at (diagram, wp_diagram_point (&place, 1, 1), 100), ==, WP_NO_NODE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/nodes", test_nodes);
  g_test_add_func ("/diagram/edges", test_edges);
  g_test_add_func ("/diagram/steps", test_steps);
  g_test_add_func ("/diagram/place", test_place);
  g_test_add_func ("/diagram/nothing", test_nothing);
  return g_test_run ();
}
