#include "cli/info-calls.h"

#include "base/format.h"
#include "base/json-writer.h"

/* Node 0 is nobody. */
static guint32
n_calls (const WpCalls *calls)
{
  guint32 n = 0;

  for (guint32 e = 0; e < calls->edges.len; e++)
    n += calls->edges.data[e].caller != 0 && calls->edges.data[e].callee != 0;
  return n;
}

void
wp_cli_info_calls_text (GString *out, const char *name, const WpCalls *calls)
{
  char total[WP_FORMAT_MAX];

  wp_format_ns ((gint64) (1e6 * wp_calls_real (calls, calls->total)), total);
  g_string_append_printf (out, "%s: call graph, without stacks\nTotal: %s\n", name, total);
  g_string_append_printf (out, "Samples: %" G_GUINT64_FORMAT ", functions: %u, calls: %u, threads: %u\n", calls->n_samples,
                          calls->nodes.len - 1, n_calls (calls), calls->threads.len);
  g_string_append (out, "The window and “wakepath-cli calls” show it.\n");
}

/* With the keys that every file has. */
void
wp_cli_info_calls_json (GString *out, const WpCalls *calls)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "format", "calls");
  wp_json_writer_string_or_null (json, "command", NULL);
  wp_json_writer_string_or_null (json, "from", NULL);
  wp_json_writer_string_or_null (json, "duration_ns", NULL);
  wp_json_writer_line (json);
  wp_json_writer_real (json, "total_ms", wp_calls_real (calls, calls->total));
  wp_json_writer_uint (json, "samples", calls->n_samples);
  wp_json_writer_uint (json, "functions", calls->nodes.len - 1);
  wp_json_writer_uint (json, "calls", n_calls (calls));
  wp_json_writer_uint (json, "threads", calls->threads.len);
  wp_json_writer_line (json);
  wp_json_writer_array (json, "events", WP_JSON_TIGHT);
  wp_json_writer_end (json);
  wp_json_writer_uint (json, "lost", 0);
  wp_json_writer_array (json, "problems", WP_JSON_TIGHT);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}
