#include "base/json-writer.h"
#include "calls/renderers.h"

/* "PATH:LINE:COLUMN", of a file without lines "PATH::POSITION": two colons, whatever is known. */
static void
put_source (WpJsonWriter *json, const WpCalls *calls, const WpCallsNode *node)
{
  g_autoptr (GString) text = g_string_new (wp_calls_text (calls, node->file));

  g_string_append_c (text, ':');
  if (node->line != 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, node->line);
  g_string_append_c (text, ':');
  if (node->column >= 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, node->column + (node->line == 0));
  wp_json_writer_string (json, "src", text->str);
}

static void
put_edges (WpJsonWriter *json, const WpCalls *calls, const char *key, const WpId *edges, guint32 n)
{
  wp_json_writer_array (json, key, WP_JSON_TIGHT);
  for (guint32 i = 0; i < n; i++)
    {
      const WpCallsEdge *edge = &calls->edges.data[edges[i]];

      wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
      wp_json_writer_real (json, "total", wp_calls_real (calls, edge->total));
      wp_json_writer_uint (json, "caller", edge->caller);
      wp_json_writer_real (json, "caller_time", wp_calls_real (calls, edge->caller_time));
      wp_json_writer_uint (json, "callee", edge->callee);
      wp_json_writer_real (json, "callee_time", wp_calls_real (calls, edge->callee_time));
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
put_node (WpJsonWriter *json, const WpCalls *calls, const WpCallsNode *node)
{
  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  if (node->name != 0)
    wp_json_writer_string (json, "id", wp_calls_text (calls, node->name));
  else
    wp_json_writer_bool (json, "id", FALSE);
  if (node->file != 0)
    put_source (json, calls, node);
  else
    wp_json_writer_bool (json, "src", FALSE);
  wp_json_writer_array (json, "thread_ids", WP_JSON_TIGHT);
  for (guint32 i = node->first_thread; i < node->first_thread + node->n_threads; i++)
    wp_json_writer_int (json, NULL, calls->node_threads.data[i]);
  wp_json_writer_end (json);
  wp_json_writer_real (json, "total", wp_calls_real (calls, node->total));
  wp_json_writer_real (json, "self", wp_calls_real (calls, node->self));
  put_edges (json, calls, "callers", calls->callers.data + node->first_caller, node->n_callers);
  put_edges (json, calls, "callees", calls->callees.data + node->first_callee, node->n_callees);
  wp_json_writer_end (json);
}

void
wp_calls_append_json (const WpCalls *calls, const WpCallsShowOptions *options G_GNUC_UNUSED, GString *out)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_LINES);
  wp_json_writer_real (json, "total_time", wp_calls_real (calls, calls->total));
  wp_json_writer_real (json, "cpu_time", calls->cpu_time);
  wp_json_writer_uint (json, "sample_number", calls->n_samples);
  wp_json_writer_array (json, "thread_times", WP_JSON_TIGHT);
  for (guint32 i = 0; i < calls->threads.len; i++)
    {
      wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
      wp_json_writer_int (json, "id", calls->threads.data[i].id);
      wp_json_writer_real (json, "time", wp_calls_real (calls, calls->threads.data[i].time));
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
  wp_json_writer_array (json, "nodes", WP_JSON_LINES);
  for (guint32 i = 0; i < calls->nodes.len; i++)
    put_node (json, calls, &calls->nodes.data[i]);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}
