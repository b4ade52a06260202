/* Lays a graph out. Standard input: "n LAYER WIDTH HEIGHT" for each node, "e FROM TO" for each edge. Standard output: the seconds it took and the crossings
 * it counts, then each edge's curves as points, a line each; with --paint instead what a frame takes, of everything and of a part. */
#include "paint/paint.h"

#include <stdio.h>
#include <stdlib.h>

#define STEPS 8 /* points of a curve */
#define FRAMES 21

static gboolean
read_graph (WpDiagram *diagram)
{
  char line[256];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      WpDiagramNode node = { .size = 12, .name = wp_strings_intern (diagram->strings, "some_function"), .note = wp_strings_intern (diagram->strings, "1.2 % of 3.4 %") };
      WpDiagramEdge edge = { 0 };

      if (sscanf (line, "n %u %lf %lf", &node.layer, &node.width, &node.height) == 3)
        wp_array_push (&diagram->nodes, node);
      else if (sscanf (line, "e %u %u", &edge.from, &edge.to) == 2 && edge.from < diagram->nodes.len && edge.to < diagram->nodes.len)
        {
          edge.share = 1.0 / (1 + diagram->edges.len % 97);
          wp_array_push (&diagram->edges, edge);
        }
      else
        return FALSE;
    }
  return TRUE;
}

static void
print_edges (const WpDiagram *diagram)
{
  for (guint32 e = 0; e < diagram->edges.len; e++)
    {
      const WpDiagramEdge *edge = &diagram->edges.data[e];

      printf ("%u %u", edge->from, edge->to);
      for (guint32 i = edge->first; i + 1 < edge->first + edge->n; i++)
        {
          for (guint k = i == edge->first ? 0 : 1; k <= STEPS; k++)
            {
              WpPosition on = wp_diagram_on_curve (diagram->points.data[i], diagram->points.data[i + 1], (double) k / STEPS);

              printf (" %g,%g", on.x, on.y);
            }
        }
      printf ("\n");
    }
}

static int
compare (const void *a, const void *b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

/* Panning, so that each frame is another one. */
static void
time_frames (const WpDiagram *diagram, const char *what, double scale)
{
  g_autoptr (WpPainter) painter = wp_diagram_painter_new (NULL, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1600, 900);
  WpDiagramPlace place = { .width = 1600, .height = 900 };
  gint64 took[FRAMES];

  wp_diagram_fit (diagram, &place);
  if (scale > 0)
    wp_diagram_zoom (diagram, &place, scale / place.scale, 800, 450);
  for (guint i = 0; i < FRAMES; i++)
    {
      cairo_t *cr = cairo_create (surface);
      gint64 begin = g_get_monotonic_time ();

      wp_diagram_pan (diagram, &place, i % 2 == 0 ? 7 : -5, 3);
      wp_painter_diagram (painter, cr, diagram, &place, NULL);
      cairo_surface_flush (surface);
      took[i] = g_get_monotonic_time () - begin;
      cairo_destroy (cr);
    }
  qsort (took, FRAMES, sizeof *took, compare);
  printf ("%s: %.1f ms (longest %.1f)\n", what, (double) took[FRAMES / 2] / 1e3, (double) took[FRAMES - 1] / 1e3);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_autoptr (WpDiagram) diagram = wp_diagram_new ();
  gint64 begin;

  if (!read_graph (diagram))
    {
      fprintf (stderr, "neither a node nor an edge between nodes\n");
      return 2;
    }
  begin = g_get_monotonic_time ();
  wp_diagram_lay_out (diagram, NULL, NULL);
  printf ("%.4f %" G_GUINT64_FORMAT "\n", (double) (g_get_monotonic_time () - begin) / 1e6, diagram->crossings);
  if (argc > 1 && g_str_equal (argv[1], "--paint"))
    {
      time_frames (diagram, "everything", 0);
      time_frames (diagram, "at a fifth of its size", 0.2);
      time_frames (diagram, "as large as it is", 1);
    }
  else if (argc > 1)
    wp_picture_write_diagram (argv[1], WP_PICTURE_PNG, diagram, "", WP_THEME_LIGHT, NULL);
  else
    print_edges (diagram);
  return 0;
}
