/* Opens a recording as the program does - events, symbols, assembly - and says which events it has and the most
 * memory that was in use. */
#include "read/read.h"

#include <stdio.h>
#include <sys/resource.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = NULL;
  struct rusage usage;
  guint64 named;

  if (argc != 2)
    return 2;
  trace = wp_read (argv[1], NULL, NULL, &error);
  named = trace != NULL ? wp_read_symbols (trace, NULL, NULL, &error) : 0;
  if (error != NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
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
