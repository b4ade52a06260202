/* info: what a file is, what it holds, what is wrong with it. */
#include "base/format.h"
#include "base/quote.h"
#include "cli/command.h"
#include "cli/open.h"

static void
append_problems (GString *out, const WpTrace *trace, gboolean json)
{
  guint n = 0;

  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    {
      g_autofree char *sentence = wp_diag_sentence (i, trace->diagnostics.n[i]);

      if (sentence == NULL)
        continue;
      if (json)
        {
          g_string_append (out, n++ > 0 ? ", " : " ");
          wp_quote_json (out, sentence);
        }
      else
        g_string_append_printf (out, "%s.\n", sentence);
    }
  if (json)
    g_string_append (out, n > 0 ? " ]" : "]");
}

static void
info_json (GString *out, const WpDocument *document)
{
  const WpTrace *trace = document->trace;

  g_string_append (out, "{ \"format\": ");
  wp_quote_json (out, trace->format != NULL ? trace->format : wp_format_name (document->format));
  g_string_append (out, ", \"command\": ");
  if (trace->command != NULL)
    wp_quote_json (out, trace->command);
  else
    g_string_append (out, "null");
  g_string_append_printf (out, ", \"from\": %" G_GINT64_FORMAT ", \"duration_ns\": %" G_GINT64_FORMAT ",\n  \"events\": [",
                          trace->clock_start, trace->end);
  for (guint32 i = 0; i < trace->events.len; i++)
    {
      g_string_append (out, i > 0 ? ",\n    { \"name\": " : "\n    { \"name\": ");
      wp_quote_json (out, wp_trace_string (trace, trace->events.data[i].name));
      g_string_append_printf (out, ", \"count\": %" G_GUINT64_FORMAT " }", trace->events.data[i].count);
    }
  g_string_append_printf (out, "\n  ],\n  \"lost\": %" G_GUINT64_FORMAT ", \"problems\": [",
                          trace->diagnostics.n[WP_DIAG_LOST]);
  append_problems (out, trace, TRUE);
  g_string_append (out, " }\n");
}

static void
info_text (GString *out, const WpDocument *document)
{
  const WpTrace *trace = document->trace;
  char buffer[WP_FORMAT_MAX];

  g_string_append_printf (out, "%s: %s\n", document->path, wp_format_name (document->format));
  if (trace->command != NULL)
    g_string_append_printf (out, "Command: %s\n", trace->command);
  if (trace->kernel != NULL)
    g_string_append_printf (out, "Kernel: %s\n", trace->kernel);
  g_string_append_printf (out, "Duration: %s on %u CPUs\n", wp_format_ns (trace->end, buffer), trace->n_cpus);
  g_string_append_printf (out, "Tasks: %u, operations: %u, links: %u, samples: %u\n", trace->tasks.len - 1,
                          trace->ops.len - 1, trace->links.len - 1, trace->samples.len - 1);
  for (guint32 i = 0; i < trace->events.len; i++)
    g_string_append_printf (out, "%12" G_GUINT64_FORMAT "  %s\n", trace->events.data[i].count,
                            wp_trace_string (trace, trace->events.data[i].name));
  append_problems (out, trace, FALSE);
  if (trace->missing != NULL)
    g_string_append_printf (out, "%s\n", trace->missing);
}

static int
print_info (WpDocument *document, const WpCliOptions *options)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (g_str_equal (options->format, "json"))
    info_json (out, document);
  else
    info_text (out, document);
  wp_cli_flush (out);
  return 0;
}

int
wp_cmd_info (int argc, char **argv)
{
  static const char *const formats[] = { "text", "json", NULL };

  return wp_cli_with_file (argc, argv, formats, FALSE, print_info);
}
