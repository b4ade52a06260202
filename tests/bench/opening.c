/* Opens a recording as the program does - events, symbols, assembly, the first picture - and says which events it has and the
 * most memory that was in use.
 *
 * bench-opening FILE, or bench-opening again FILE: from what is kept beside it, which is made first where it is missing, and says how long that takes. */
#include "measure.h"
#include "paint/paint.h"
#include "profile/model/document.h"
#include "view/viewport.h"

#include <stdio.h>
#include <sys/resource.h>

/* What the window shows first: all tasks over the whole time. */
static void
draw_first_picture (const WpTrace *trace)
{
  WpProcessesOptions options = { .sort = WP_SORT_RELATED };
  WpViewport viewport = { .width = 1920, .height = 1080, .row_height = 20 };
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &options, NULL, NULL);
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1920, 1080);
  cairo_t *cr = cairo_create (surface);

  wp_viewport_fit (&viewport, rows);
  wp_painter_boxes (painter, cr, rows, &viewport, NULL);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Wall time from the file's name to the trace with its names. */
static int
open_again (const char *path)
{
  const gint64 begun = g_get_monotonic_time ();
  const double cpu = wp_bench_cpu_ms ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, &error);
  const gboolean again = document != NULL && document->trace->lent != NULL;

  if (document == NULL || !wp_document_name (document, NULL, NULL, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  printf ("%s in %.4f s, %.4f s CPU\n", again ? "opened again" : "read", (double) (g_get_monotonic_time () - begun) / G_TIME_SPAN_SECOND,
          (wp_bench_cpu_ms () - cpu) / 1000);
  wp_document_keep (document);
  return 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = NULL;
  struct rusage usage;
  guint64 named;

  if (argc == 3 && g_str_equal (argv[1], "again"))
    return open_again (argv[2]);
  if (argc != 2)
    return 2;
  trace = wp_read (argv[1], NULL, NULL, &error);
  named = trace != NULL ? wp_read_symbols (trace, NULL, NULL, &error) : 0;
  if (error != NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  draw_first_picture (trace);
  getrusage (RUSAGE_SELF, &usage);
  for (guint32 i = 0; i < trace->events.len; i++)
    printf ("  %s %" G_GUINT64_FORMAT "\n", wp_trace_string (trace, trace->events.data[i].name),
            trace->events.data[i].count);
  printf ("events %" G_GUINT64_FORMAT ", operations %u, stacks %u, frames %u (%" G_GUINT64_FORMAT " named), peak %"
          G_GINT64_FORMAT
          " bytes\n", trace->diagnostics.n[WP_DIAG_EVENTS], trace->ops.len, trace->stacks.len, trace->frames.len, named,
          (gint64) usage.ru_maxrss * 1024);
  return 0;
}
