/* report: the explanation table of a process; without one, the tasks to choose from. */
#include "base/format.h"
#include "cli/command.h"
#include "cli/open.h"
#include "paths/explain.h"

static void
json_categories (GString *out, const WpExplanation *e)
{
  guint32 row = 0;

  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      gboolean first = TRUE;

      g_string_append_printf (out, "%s\n    { \"id\": \"%s\", \"name\": ", c > 0 ? "," : "", wp_category_id (c));
      wp_cli_json_string (out, wp_category_name (c));
      g_string_append_printf (out, ", \"ns\": %" G_GINT64_FORMAT ", \"share\": %.6f, \"rows\": [", e->ns[c],
                              e->total > 0 ? (double) e->ns[c] / e->total : 0.0);
      for (; row < e->rows.len && e->rows.data[row].category == c; row++, first = FALSE)
        {
          g_string_append (out, first ? " { \"name\": " : ", { \"name\": ");
          wp_cli_json_string (out, e->rows.data[row].name);
          g_string_append_printf (out, ", \"ns\": %" G_GINT64_FORMAT " }", e->rows.data[row].ns);
        }
      g_string_append (out, first ? "] }" : " ] }");
    }
}

static void
report_json (GString *out, const WpDocument *document, const WpPaths *paths, const WpExplanation *e)
{
  const WpTrace *trace = document->trace;

  g_string_append (out, "{ \"file\": ");
  wp_cli_json_string (out, document->path);
  g_string_append (out, ", \"task\": ");
  wp_cli_json_string (out, paths->name);
  g_string_append (out, ", \"tids\": [");
  for (guint32 i = 0; i < paths->base_tasks.len; i++)
    g_string_append_printf (out, "%s%d", i > 0 ? ", " : "", trace->tasks.data[paths->base_tasks.data[i]].tid);
  g_string_append_printf (out,
                          "], \"from_ns\": %" G_GINT64_FORMAT ", \"to_ns\": %" G_GINT64_FORMAT
                          ", \"wall_ns\": %" G_GINT64_FORMAT ", \"total_ns\": %" G_GINT64_FORMAT ",\n  \"categories\": [",
                          MAX (e->from, 0), MIN (e->to, trace->end), e->wall, e->total);
  json_categories (out, e);
  g_string_append_printf (out,
                          "\n  ],\n  \"accounted_ns\": %" G_GINT64_FORMAT ", \"unaccounted_ns\": %" G_GINT64_FORMAT
                          ", \"percent_accounted\": %.2f, \"percent_accounted_without_other_path\": %.2f,\n"
                          "  \"processes\": %u, \"control_paths\": %u,\n  ",
                          wp_explanation_accounted (e), e->ns[WP_CATEGORY_UNACCOUNTED], wp_explanation_percent (e, FALSE),
                          wp_explanation_percent (e, TRUE), e->processes, e->control_paths);
  wp_cli_json_diagnostics (out, &trace->diagnostics);
  g_string_append (out, " }\n");
}

static void
report_tsv (GString *out, const WpExplanation *e)
{
  g_string_append (out, "category\tname\tns\tshare\n");
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    g_string_append_printf (out, "%s\t%s\t%" G_GINT64_FORMAT "\t%.6f\n", wp_category_id (c), wp_category_name (c), e->ns[c],
                            e->total > 0 ? (double) e->ns[c] / e->total : 0.0);
  g_string_append_printf (out, "wall\tWall time\t%" G_GINT64_FORMAT "\t\ntotal\tTotal time\t%" G_GINT64_FORMAT "\t1\n",
                          e->wall, e->total);
}

static void
report_markdown (GString *out, const WpPaths *paths, const WpExplanation *e)
{
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  g_string_append_printf (out, "| %s | time | share |\n|---|---:|---:|\n", paths->name);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    g_string_append_printf (out, "| %s | %s | %s |\n", wp_category_name (c), wp_format_ns (e->ns[c], time),
                            wp_format_share (e->total > 0 ? (double) e->ns[c] / e->total : 0, share));
  g_string_append_printf (out, "| **Total** | %s | %.1f %% accounted |\n", wp_format_ns (e->total, time),
                          wp_explanation_percent (e, FALSE));
}

/* g_print pads bytes, not characters: names are padded by hand. */
static void
append_padded (GString *out, const char *text, glong width)
{
  g_string_append (out, text);
  for (glong n = g_utf8_strlen (text, -1); n < width; n++)
    g_string_append_c (out, ' ');
}

static void
append_right (GString *out, const char *text, glong width)
{
  for (glong n = g_utf8_strlen (text, -1); n < width; n++)
    g_string_append_c (out, ' ');
  g_string_append (out, text);
}

static void
text_row (GString *out, const char *indent, const char *name, gint64 ns, gint64 total)
{
  char buffer[WP_FORMAT_MAX];

  g_string_append (out, indent);
  append_padded (out, name, 36 - (glong) strlen (indent));
  append_right (out, wp_format_ns (ns, buffer), 11);
  append_right (out, wp_format_share (total > 0 ? (double) ns / total : 0, buffer), 9);
  g_string_append_c (out, '\n');
}

static void
report_text (GString *out, const WpDocument *document, const WpPaths *paths, const WpExplanation *e)
{
  char buffer[WP_FORMAT_MAX];
  guint32 row = 0;

  g_string_append_printf (out, "%s: wall time %s, ", paths->name, wp_format_ns (e->wall, buffer));
  g_string_append_printf (out, "total %s in %u control path%s of %u process%s\n\n", wp_format_ns (e->total, buffer),
                          e->control_paths, e->control_paths == 1 ? "" : "s", e->processes,
                          e->processes == 1 ? "" : "es");
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint shown = 0;

      if (e->ns[c] > 0)
        text_row (out, "", wp_category_name (c), e->ns[c], e->total);
      for (; row < e->rows.len && e->rows.data[row].category == c; row++)
        if (shown++ < 5)
          text_row (out, "  ", e->rows.data[row].name, e->rows.data[row].ns, e->total);
    }
  g_string_append_printf (out, "\n%.1f %% accounted", wp_explanation_percent (e, FALSE));
  if (e->ns[WP_CATEGORY_OTHER_PATH] > 0)
    g_string_append_printf (out, " (%.1f %% without waiting on other paths)", wp_explanation_percent (e, TRUE));
  g_string_append_c (out, '\n');
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    {
      g_autofree char *sentence = wp_diag_sentence (i, document->trace->diagnostics.n[i]);

      if (sentence != NULL)
        g_string_append_printf (out, "%s.\n", sentence);
    }
}

static int
explain (WpDocument *document, const WpCliOptions *options)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpExplanation) e = NULL;
  GError *error = NULL;
  gboolean owned;
  WpPaths *paths = wp_cli_paths (document, options, &owned, &error);

  if (paths == NULL)
    return wp_cli_fail (error);
  e = wp_explain (paths, options->from_ns, options->to_ns, NULL, NULL);
  if (g_str_equal (options->format, "json"))
    report_json (out, document, paths, e);
  else if (g_str_equal (options->format, "tsv"))
    report_tsv (out, e);
  else if (g_str_equal (options->format, "markdown"))
    report_markdown (out, paths, e);
  else
    report_text (out, document, paths, e);
  wp_cli_flush (out);
  if (owned)
    wp_paths_free (paths);
  return 0;
}

int
wp_cmd_report (int argc, char **argv)
{
  static const char *const formats[] = { "text", "tsv", "json", "markdown", NULL };
  g_auto (WpCliOptions) options = { 0 };
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  GError *error = NULL;
  int status = wp_cli_parse (argc, argv, formats, &options);

  if (status != 0)
    return status;
  document = wp_cli_open (&options, &error);
  if (document == NULL)
    return wp_cli_fail (error);
  if (options.task != NULL || document->saved != NULL)
    return explain (document, &options);
  wp_cli_tasks (out, document, options.format);
  wp_cli_flush (out);
  return 0;
}
