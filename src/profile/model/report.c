#include "profile/model/report.h"

#include "base/find.h"
#include "base/format.h"
#include "base/json-writer.h"
#include "base/quote.h"

#define TEXT_ROWS 5       /* sub-rows shown of a category, in text */
#define TEXT_NAME_WIDTH 42

/* --- what every format says ---------------------------------------------------------------------------------------- */

typedef struct
{
  GString *out;
  const WpDocument *document;
  const WpPaths *paths;
  const WpExplanation *e;
  guint base_paths;
} Report;

static double
share (gint64 ns, gint64 of)
{
  return of > 0 ? (double) ns / (double) of : 0.0;
}

static guint
count_base_paths (const WpPaths *paths)
{
  guint n = 0;

  for (WpId p = 1; p < paths->paths.len; p++)
    n += paths->paths.data[p].base != FALSE;
  return n;
}

/* The sub-rows of a category: rows[first] … rows[returned - 1]. Categories are asked for in their order. */
static guint32
rows_end (const WpExplanation *e, WpCategory category, guint32 first)
{
  while (first < e->rows.len && e->rows.data[first].category == category)
    first++;
  return first;
}

/* --- JSON ---------------------------------------------------------------------------------------------------------- */

static void
json_share (WpJsonWriter *json, const char *key, double value)
{
  g_string_append_printf (wp_json_writer_value (json, key), "%.6f", value);
}

static void
json_percent (WpJsonWriter *json, const char *key, double value)
{
  g_string_append_printf (wp_json_writer_value (json, key), "%.2f", value);
}

static void
json_rows (const Report *self, WpJsonWriter *json, guint32 first, guint32 end)
{
  wp_json_writer_array (json, "rows", WP_JSON_SPACED);
  for (guint32 r = first; r < end; r++)
    {
      const WpExplanationRow *row = &self->e->rows.data[r];

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "name", row->name);
      wp_json_writer_int (json, "ns", row->ns);
      wp_json_writer_int (json, "latency_ns", row->latency);
      wp_json_writer_uint (json, "pieces", row->pieces);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_category (const Report *self, WpJsonWriter *json, WpCategory c, guint32 first, guint32 end)
{
  const WpExplanation *e = self->e;

  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "id", wp_category_id (c));
  wp_json_writer_string (json, "name", wp_category_name (c));
  wp_json_writer_int (json, "ns", e->ns[c]);
  json_share (json, "share", share (e->ns[c], e->total));
  json_share (json, "share_of_wall", share (e->ns[c], e->wall));
  wp_json_writer_int (json, "latency_ns", e->latency[c]);
  wp_json_writer_line (json);
  json_share (json, "cumulative", wp_explanation_cumulative (e, c, FALSE));
  json_share (json, "cumulative_without_other_path", wp_explanation_cumulative (e, c, TRUE));
  json_rows (self, json, first, end);
  wp_json_writer_end (json);
}

static void
json_categories (const Report *self, WpJsonWriter *json)
{
  guint32 first = 0;

  wp_json_writer_line (json);
  wp_json_writer_array (json, "categories", WP_JSON_SPACED);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint32 end = rows_end (self->e, c, first);

      json_category (self, json, c, first, end);
      first = end;
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
}

void
wp_report_diagnostics (WpJsonWriter *json, const WpDiagnostics *diagnostics)
{
  wp_json_writer_object (json, "diagnostics", WP_JSON_SPACED);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    wp_json_writer_uint (json, wp_diag_id (i), diagnostics->n[i]);
  wp_json_writer_end (json);
}

static void
json_totals (const Report *self, WpJsonWriter *json)
{
  const WpExplanation *e = self->e;

  wp_json_writer_line (json);
  wp_json_writer_int (json, "accounted_ns", wp_explanation_accounted (e));
  wp_json_writer_int (json, "unfinished_ns", e->ns[WP_CATEGORY_UNFINISHED]);
  wp_json_writer_int (json, "unaccounted_ns", e->ns[WP_CATEGORY_UNACCOUNTED]);
  json_percent (json, "percent_accounted", wp_explanation_percent (e, FALSE));
  json_percent (json, "percent_accounted_without_other_path", wp_explanation_percent (e, TRUE));
  wp_json_writer_line (json);
  wp_json_writer_uint (json, "processes", e->processes);
  wp_json_writer_uint (json, "control_paths", e->control_paths);
  wp_json_writer_uint (json, "base_paths", self->base_paths);
}

static void
json_options (const Report *self, WpJsonWriter *json)
{
  const WpPathOptions *options = &self->paths->options;

  wp_json_writer_line (json);
  wp_json_writer_int (json, "grace_ns", options->grace);
  wp_json_writer_bool (json, "merge_threads", options->merge_threads);
  wp_json_writer_bool (json, "started_work", options->started_work);
  wp_json_writer_array (json, "cuts", WP_JSON_TIGHT);
  for (guint32 i = 0; options->cuts != NULL && i < options->cuts->len; i++)
    wp_json_writer_uint (json, NULL, options->cuts->data[i]);
  wp_json_writer_end (json);
}

static void
write_json (const Report *self)
{
  const WpTrace *trace = self->document->trace;
  const WpExplanation *e = self->e;
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "file", self->document->path);
  wp_json_writer_string (json, "task", self->paths->name);
  wp_json_writer_array (json, "tids", WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->paths->base_tasks.len; i++)
    wp_json_writer_int (json, NULL, trace->tasks.data[self->paths->base_tasks.data[i]].tid);
  wp_json_writer_end (json);
  wp_json_writer_int (json, "from_ns", MAX (e->from, 0));
  wp_json_writer_int (json, "to_ns", MIN (e->to, trace->end));
  wp_json_writer_int (json, "wall_ns", e->wall);
  wp_json_writer_int (json, "total_ns", e->total);
  json_categories (self, json);
  json_totals (self, json);
  json_options (self, json);
  wp_json_writer_line (json);
  wp_report_diagnostics (json, &trace->diagnostics);
  wp_json_writer_end (json);
}

/* --- TSV ----------------------------------------------------------------------------------------------------------- */

static void
tsv_shares (const Report *self, gint64 ns)
{
  g_string_append_printf (self->out, "\t%" G_GINT64_FORMAT "\t%.6f\t%.6f", ns, share (ns, self->e->total),
                          share (ns, self->e->wall));
}

/* Sub-rows say "row" where a category has its id, so that the categories alone still sum to the total. */
static void
tsv_rows (const Report *self, guint32 first, guint32 end)
{
  for (guint32 r = first; r < end; r++)
    {
      const WpExplanationRow *row = &self->e->rows.data[r];

      g_string_append (self->out, "row\t");
      wp_quote_tsv (self->out, row->name);
      tsv_shares (self, row->ns);
      g_string_append_printf (self->out, "\t\t\t%s\t%u\t%" G_GINT64_FORMAT "\n", wp_category_id (row->category), row->pieces,
                              row->latency);
    }
}

static void
write_tsv (const Report *self)
{
  const WpExplanation *e = self->e;
  guint32 first = 0;

  g_string_append (self->out, "category\tname\tns\tshare\tshare_of_wall\tcumulative\tcumulative_without_other_path\tof\tpieces\tlatency_ns\n");
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint32 end = rows_end (e, c, first), pieces = 0;

      for (guint32 r = first; r < end; r++)
        pieces += e->rows.data[r].pieces;
      g_string_append_printf (self->out, "%s\t%s", wp_category_id (c), wp_category_name (c));
      tsv_shares (self, e->ns[c]);
      g_string_append_printf (self->out, "\t%.6f\t%.6f\t\t%u\t%" G_GINT64_FORMAT "\n", wp_explanation_cumulative (e, c, FALSE),
                              wp_explanation_cumulative (e, c, TRUE), pieces, e->latency[c]);
      tsv_rows (self, first, end);
      first = end;
    }
  g_string_append_printf (self->out, "wall\tWall time\t%" G_GINT64_FORMAT "\t\t1\t\t\t\t\t\n", e->wall);
  g_string_append_printf (self->out, "total\tTotal time\t%" G_GINT64_FORMAT "\t1\t%.6f\t\t\t\t\t\n", e->total,
                          share (e->total, e->wall));
}

/* --- Markdown ------------------------------------------------------------------------------------------------------ */

static void
markdown_numbers (const Report *self, gint64 ns)
{
  char buffer[WP_FORMAT_MAX];

  g_string_append_printf (self->out, " | %s", wp_format_ns (ns, buffer));
  g_string_append_printf (self->out, " | %s", wp_format_share (share (ns, self->e->total), buffer));
}

static void
markdown_latency (const Report *self, gint64 latency)
{
  char buffer[WP_FORMAT_MAX];

  if (wp_explanation_is_parallel (self->e))
    g_string_append_printf (self->out, " | %s", wp_format_share (share (latency, self->e->wall), buffer));
  g_string_append (self->out, " |\n");
}

static void
markdown_category (const Report *self, WpCategory category)
{
  char buffer[WP_FORMAT_MAX];

  g_string_append_printf (self->out, "| %s", wp_category_name (category));
  markdown_numbers (self, self->e->ns[category]);
  g_string_append_printf (self->out, " | %s",
                          wp_format_share (wp_explanation_cumulative (self->e, category, FALSE), buffer));
  g_string_append_printf (self->out, " | %s",
                          wp_format_share (wp_explanation_cumulative (self->e, category, TRUE), buffer));
  markdown_latency (self, self->e->latency[category]);
}

static void
write_markdown (const Report *self)
{
  const WpExplanation *e = self->e;
  guint32 first = 0;
  char buffer[WP_FORMAT_MAX];

  g_string_append (self->out, "| ");
  wp_quote_markdown (self->out, self->paths->name);
  g_string_append (self->out, " | time | share | cumulative | without other lanes |");
  g_string_append (self->out, wp_explanation_is_parallel (e) ? " latency |\n|---|---:|---:|---:|---:|---:|\n"
                                                   : "\n|---|---:|---:|---:|---:|\n");
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint32 end = rows_end (e, c, first);

      markdown_category (self, c);
      for (; first < end; first++)
        {
          g_string_append (self->out, "| — ");
          wp_quote_markdown (self->out, e->rows.data[first].name);
          markdown_numbers (self, e->rows.data[first].ns);
          g_string_append (self->out, " | | ");
          markdown_latency (self, e->rows.data[first].latency);
        }
    }
  g_string_append_printf (self->out, "| **Total** | %s", wp_format_ns (e->total, buffer));
  g_string_append_printf (self->out, " | %.1f %% explained | | %.1f %%", wp_explanation_percent (e, FALSE),
                          wp_explanation_percent (e, TRUE));
  markdown_latency (self, e->wall);
}

/* --- text ---------------------------------------------------------------------------------------------------------- */

/* printf pads bytes, not characters: names are padded by hand. */
static void
pad (GString *out, const char *text, glong width)
{
  for (glong n = g_utf8_strlen (text, -1); n < width; n++)
    g_string_append_c (out, ' ');
}

static void
append_right (GString *out, const char *text, glong width)
{
  pad (out, text, width);
  g_string_append (out, text);
}

static void
text_row (const Report *self, const char *indent, const char *name, gint64 ns, gint64 latency)
{
  char buffer[WP_FORMAT_MAX];

  g_string_append (self->out, indent);
  wp_quote_tsv (self->out, name);
  pad (self->out, name, TEXT_NAME_WIDTH - (glong) strlen (indent));
  append_right (self->out, wp_format_ns (ns, buffer), 11);
  append_right (self->out, wp_format_share (share (ns, self->e->total), buffer), 9);
  if (wp_explanation_is_parallel (self->e))
    append_right (self->out, wp_format_share (share (latency, self->e->wall), buffer), 9);
}

static void
text_category (const Report *self, WpCategory category, guint32 first, guint32 end)
{
  const WpExplanation *e = self->e;
  char buffer[WP_FORMAT_MAX];

  if (e->ns[category] == 0)
    return;
  text_row (self, "", wp_category_name (category), e->ns[category], e->latency[category]);
  append_right (self->out, wp_format_share (wp_explanation_cumulative (e, category, FALSE), buffer), 11);
  append_right (self->out, wp_format_share (wp_explanation_cumulative (e, category, TRUE), buffer), 11);
  g_string_append_c (self->out, '\n');
  for (guint32 r = first; r < MIN (end, first + TEXT_ROWS); r++)
    {
      text_row (self, "  ", e->rows.data[r].name, e->rows.data[r].ns, e->rows.data[r].latency);
      g_string_append_c (self->out, '\n');
    }
  if (end > first + TEXT_ROWS)
    g_string_append_printf (self->out, "  and %u more\n", end - first - TEXT_ROWS);
}

/* Where several threads are explained, most of what they wait for is one another: the percentage without that comes first. */
static void
text_percent (const Report *self)
{
  const WpExplanation *e = self->e;
  double with = wp_explanation_percent (e, FALSE), without = wp_explanation_percent (e, TRUE);
  char buffer[WP_FORMAT_MAX];

  if (e->ns[WP_CATEGORY_OTHER_PATH] == 0)
    g_string_append_printf (self->out, "\n%.1f %% explained\n", with);
  else if (self->base_paths > 1)
    g_string_append_printf (self->out, "\n%.1f %% explained without waiting for other lanes (%.1f %% with it)\n", without,
                            with);
  else
    g_string_append_printf (self->out, "\n%.1f %% explained (%.1f %% without waiting for other lanes)\n", with, without);
  if (e->ns[WP_CATEGORY_UNFINISHED] != 0)
    g_string_append_printf (self->out, "Left out of that: %s of waits that had not ended when the recording stopped.\n",
                            wp_format_ns (e->ns[WP_CATEGORY_UNFINISHED], buffer));
}

static void
write_text (const Report *self)
{
  const WpExplanation *e = self->e;
  GString *out = self->out;
  char buffer[WP_FORMAT_MAX];
  guint32 first = 0;

  wp_quote_tsv (out, self->paths->name);
  g_string_append_printf (out, " took %s", wp_format_ns (e->wall, buffer));
  if (wp_explanation_is_parallel (e))
    g_string_append_printf (out, "; time counted, parallel included: %s", wp_format_ns (e->total, buffer));
  g_string_append_printf (out, " in %u chain%s of work of %u process%s\n\n",
                          e->control_paths, e->control_paths == 1 ? "" : "s", e->processes, e->processes == 1 ? "" : "es");
  pad (out, "", TEXT_NAME_WIDTH);
  g_string_append_printf (out, "       time    share%s cumulative  w/o lanes\n", wp_explanation_is_parallel (e) ? "  latency" : "");
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint32 end = rows_end (e, c, first);

      text_category (self, c, first, end);
      first = end;
    }
  text_percent (self);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    {
      g_autofree char *sentence = wp_diag_sentence (i, self->document->trace->diagnostics.n[i]);

      if (sentence != NULL)
        g_string_append_printf (out, "%s.\n", sentence);
    }
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *id;
  void (*write) (const Report *self);
} formats[WP_REPORT_FORMAT_COUNT] = {
  [WP_REPORT_TEXT] = { "text", write_text },
  [WP_REPORT_TSV] = { "tsv", write_tsv },
  [WP_REPORT_JSON] = { "json", write_json },
  [WP_REPORT_MARKDOWN] = { "markdown", write_markdown },
};

WpReportFormat
wp_report_format_from_id (const char *id)
{
  return WP_FIND_ROW (formats, id, id);
}

void
wp_report_write (GString *out, const WpDocument *document, const WpExplanation *explanation, const WpPaths *paths,
                 WpReportFormat format)
{
  const Report self = { .out = out, .document = document, .paths = paths, .e = explanation,
                        .base_paths = count_base_paths (paths) };

  formats[format].write (&self);
}
