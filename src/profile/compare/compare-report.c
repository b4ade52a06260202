/* A comparison as text, for people and for programs. */
#include "profile/compare/compare.h"

#include "base/find.h"
#include "base/quote.h"

#include <math.h>

#define TEXT_NAME_WIDTH 44
#define TEXT_SUB_ROWS 3 /* of each category */
#define TEXT_FRAMES 20

static const char *const formats[WP_COMPARE_FORMAT_COUNT] = {
  [WP_COMPARE_TEXT] = "text", [WP_COMPARE_JSON] = "json", [WP_COMPARE_MARKDOWN] = "markdown",
  [WP_COMPARE_TSV] = "tsv",   [WP_COMPARE_FOLDED] = "folded",
};

WpCompareFormat
wp_compare_format_from_id (const char *id)
{
  return WP_FIND_NAME (formats, id);
}

typedef struct
{
  GString *out;
  const WpComparison *c;
  double threshold;
} Report;

static const char *
string_of (const Report *self, WpId id)
{
  return wp_strings_get (self->c->strings, id);
}

/* "name [module]" */
static char *
frame_name (const Report *self, const WpComparedFrame *frame)
{
  const char *module = string_of (self, frame->module);

  return *module == '\0' ? g_strdup (string_of (self, frame->name))
                         : g_strdup_printf ("%s  %s", string_of (self, frame->name), module);
}

/* --- JSON ------------------------------------------------------------------------------------------------------------ */

/* Whole numbers stay whole: those of ns and bytes are. */
static void
json_number (GString *out, double v)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (v))
    g_string_append (out, "null");
  else if (v == floor (v) && fabs (v) < 9e15)
    g_string_append_printf (out, "%.0f", v);
  else
    g_string_append (out, g_ascii_dtostr (buffer, sizeof buffer, v));
}

static void
json_field (GString *out, const char *key, double v)
{
  g_string_append_printf (out, ", \"%s\": ", key);
  json_number (out, v);
}

static void
json_change (const Report *self, const WpChange *change)
{
  static const char *const evidence[] = { [WP_EVIDENCE_NONE] = "none", [WP_EVIDENCE_NOISE] = "noise",
                                          [WP_EVIDENCE_CHANGE] = "change" };

  g_string_append (self->out, "{ \"a\": ");
  json_number (self->out, change->mean[WP_SIDE_A]);
  json_field (self->out, "b", change->mean[WP_SIDE_B]);
  json_field (self->out, "change", wp_change_absolute (change));
  json_field (self->out, "relative", wp_change_relative (change));
  g_string_append_printf (self->out, ", \"evidence\": \"%s\"", evidence[change->evidence]);
  if (change->evidence != WP_EVIDENCE_NONE)
    {
      json_field (self->out, "p", change->p);
      json_field (self->out, "shift", change->shift);
      json_field (self->out, "low", change->low);
      json_field (self->out, "high", change->high);
    }
  g_string_append (self->out, " }");
}

static void
json_side (const Report *self, WpSide side)
{
  static const char *const keys[WP_N_FACTS] = {
    [WP_FACT_LABEL] = "label", [WP_FACT_COMMIT] = "commit", [WP_FACT_HOST] = "host", [WP_FACT_KERNEL] = "kernel",
    [WP_FACT_CPUS] = "cpus", [WP_FACT_COMMAND] = "command", [WP_FACT_TASK] = "task", [WP_FACT_STACKS] = "stacks",
    [WP_FACT_OPTIONS] = "options", [WP_FACT_DIRTY] = "dirty",
  };

  for (guint32 i = 0; i < self->c->profiles[side].len; i++)
    {
      const WpCompared *profile = &self->c->profiles[side].data[i];

      g_string_append (self->out, i > 0 ? ",\n    { \"file\": " : "\n    { \"file\": ");
      wp_quote_json (self->out, profile->path);
      for (guint f = 0; f < WP_N_FACTS; f++)
        if (profile->facts[f] != NULL && *profile->facts[f] != '\0')
          {
            g_string_append_printf (self->out, ", \"%s\": ", keys[f]);
            wp_quote_json (self->out, profile->facts[f]);
          }
      g_string_append (self->out, " }");
    }
}

static void
json_rows (const Report *self)
{
  static const char *const levels[] = { [WP_ROW_FIGURE] = "figure", [WP_ROW_CATEGORY] = "category",
                                        [WP_ROW_SUB] = "row" };

  for (guint32 r = 0; r < self->c->rows.len; r++)
    {
      const WpComparedRow *row = &self->c->rows.data[r];

      g_string_append_printf (self->out, "%s\n    { \"level\": \"%s\", \"id\": ", r > 0 ? "," : "", levels[row->level]);
      wp_quote_json (self->out, row->id);
      g_string_append (self->out, ", \"name\": ");
      wp_quote_json (self->out, row->name);
      g_string_append (self->out, ", \"values\": ");
      json_change (self, &row->change);
      g_string_append (self->out, " }");
    }
}

static void
json_frames (const Report *self)
{
  for (WpId f = 1; f < self->c->frames.len; f++)
    {
      const WpComparedFrame *frame = &self->c->frames.data[f];

      g_string_append (self->out, f > 1 ? ",\n    { \"name\": " : "\n    { \"name\": ");
      wp_quote_json (self->out, string_of (self, frame->name));
      g_string_append (self->out, ", \"module\": ");
      wp_quote_json (self->out, string_of (self, frame->module));
      g_string_append_printf (self->out, ", \"presence\": \"%s\", \"self\": ",
                              wp_presence_id (wp_frame_presence (frame)));
      json_change (self, &frame->self);
      g_string_append (self->out, ", \"total\": ");
      json_change (self, &frame->total);
      g_string_append (self->out, " }");
    }
}

static void
write_json (const Report *self)
{
  GString *out = self->out;
  g_autofree char *sentence = wp_comparison_verdict_text (self->c, self->threshold);

  g_string_append_printf (out, "{ \"verdict\": \"%s\", \"threshold\": ",
                          wp_verdict_id (wp_comparison_verdict (self->c, self->threshold)));
  json_number (out, self->threshold);
  g_string_append (out, ", \"text\": ");
  wp_quote_json (out, sentence);
  g_string_append (out, ",\n  \"test\": \"Mann-Whitney U, two-sided\", \"unit\": ");
  wp_quote_json (out, self->c->unit == WP_UNIT_TIME ? "ns" : self->c->unit == WP_UNIT_PLAIN ? self->c->unit_name : "B");
  g_string_append_printf (out, ", \"normalised\": %s, \"warnings\": [", self->c->normalised ? "true" : "false");
  for (guint i = 0; i < self->c->warnings->len; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      wp_quote_json (out, self->c->warnings->pdata[i]);
    }
  g_string_append (out, "],\n  \"a\": [");
  json_side (self, WP_SIDE_A);
  g_string_append (out, " ],\n  \"b\": [");
  json_side (self, WP_SIDE_B);
  g_string_append (out, " ],\n  \"rows\": [");
  json_rows (self);
  g_string_append (out, " ],\n  \"frames\": [");
  json_frames (self);
  g_string_append (out, " ]\n}\n");
}

/* --- TSV ------------------------------------------------------------------------------------------------------------- */

static void
tsv_change (const Report *self, const WpChange *change)
{
  const double values[] = { change->mean[WP_SIDE_A], change->mean[WP_SIDE_B], wp_change_absolute (change),
                            wp_change_relative (change), change->p, change->shift, change->low, change->high };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_string_append_c (self->out, '\t');
      if (isfinite (values[i]))
        json_number (self->out, values[i]);
    }
  g_string_append_c (self->out, '\n');
}

static void
tsv_line (const Report *self, const char *kind, const char *name, const char *of, const WpChange *change)
{
  g_string_append (self->out, kind);
  g_string_append_c (self->out, '\t');
  wp_quote_tsv (self->out, name);
  g_string_append_c (self->out, '\t');
  wp_quote_tsv (self->out, of);
  tsv_change (self, change);
}

static void
write_tsv (const Report *self)
{
  static const char *const levels[] = { [WP_ROW_FIGURE] = "figure", [WP_ROW_CATEGORY] = "category",
                                        [WP_ROW_SUB] = "row" };

  g_string_append (self->out, "kind\tname\tof\ta\tb\tchange\trelative\tp\tshift\tlow\thigh\n");
  for (guint32 r = 0; r < self->c->rows.len; r++)
    {
      const WpComparedRow *row = &self->c->rows.data[r];

      tsv_line (self, levels[row->level], row->name, row->id, &row->change);
    }
  for (WpId f = 1; f < self->c->frames.len; f++)
    {
      const WpComparedFrame *frame = &self->c->frames.data[f];

      tsv_line (self, "self", string_of (self, frame->name), string_of (self, frame->module), &frame->self);
      tsv_line (self, "total", string_of (self, frame->name), string_of (self, frame->module), &frame->total);
    }
}

/* --- folded ---------------------------------------------------------------------------------------------------------- */

static void
append_frame (const Report *self, const WpComparedNode *node)
{
  const char *name = string_of (self, self->c->frames.data[node->frame].name);

  for (; *name != '\0'; name++)
    g_string_append_c (self->out, *name == ';' ? ':' : *name == '\n' || *name == '\r' ? ' ' : *name);
}

static void
write_folded (const Report *self)
{
  WpIdArray path = { 0 };

  for (WpId n = 1; n < self->c->nodes.len; n++)
    {
      const WpComparedNode *node = &self->c->nodes.data[n];

      if (node->self[WP_SIDE_A] == 0 && node->self[WP_SIDE_B] == 0)
        continue;
      path.len = 0;
      for (WpId at = n; at != 0; at = self->c->nodes.data[at].parent)
        wp_array_push (&path, at);
      for (guint32 i = path.len; i-- > 0;)
        {
          append_frame (self, &self->c->nodes.data[path.data[i]]);
          g_string_append_c (self->out, i > 0 ? ';' : ' ');
        }
      json_number (self->out, node->self[WP_SIDE_A]);
      g_string_append_c (self->out, ' ');
      json_number (self->out, node->self[WP_SIDE_B]);
      g_string_append_c (self->out, '\n');
    }
  wp_array_clear (&path);
}

/* --- Markdown and text ----------------------------------------------------------------------------------------------- */

/* How a table looks: the same lines for people and for Markdown. */
typedef struct
{
  const Report *report;
  gboolean markdown;
} Table;

static void
pad (GString *out, const char *text, glong width)
{
  for (glong n = g_utf8_strlen (text, -1); n < width; n++)
    g_string_append_c (out, ' ');
}

static void
cell (const Table *table, const char *text, glong width, gboolean right)
{
  GString *out = table->report->out;

  if (table->markdown)
    {
      g_string_append (out, "| ");
      wp_quote_markdown (out, text);
      g_string_append_c (out, ' ');
      return;
    }
  if (right)
    pad (out, text, width);
  g_string_append (out, text);
  if (!right)
    pad (out, text, width);
}

static void
end_line (const Table *table)
{
  GString *out = table->report->out;

  if (table->markdown)
    g_string_append_c (out, '|');
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
heading (const Table *table, const char *name)
{
  static const char *const names[] = { "A", "B", "change", "" };
  static const glong widths[] = { 12, 12, 12, 12 };

  cell (table, name, TEXT_NAME_WIDTH, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    cell (table, names[i], widths[i], TRUE);
  cell (table, "", 0, FALSE);
  end_line (table);
  if (table->markdown)
    g_string_append (table->report->out, "|---|---:|---:|---:|---:|---|\n");
}

static void
line (const Table *table, const char *indent, const char *name, const WpChange *change)
{
  const WpComparison *c = table->report->c;
  const double amounts[] = { change->mean[WP_SIDE_A], change->mean[WP_SIDE_B], wp_change_absolute (change) };
  g_autofree char *indented = g_strconcat (indent, name, NULL);
  g_autofree char *evidence = wp_change_evidence_text (change);
  g_autofree char *spaced = g_strconcat (*evidence != '\0' ? "  " : "", evidence, NULL);
  char relative[32];

  cell (table, indented, TEXT_NAME_WIDTH, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    {
      g_autofree char *text = wp_comparison_amount (c, amounts[i], i == 2);

      cell (table, text, 12, TRUE);
    }
  wp_format_change (change, relative);
  cell (table, relative, 12, TRUE);
  cell (table, table->markdown ? evidence : spaced, 0, FALSE);
  end_line (table);
}

static gboolean
is_nothing (const WpChange *change)
{
  return change->mean[WP_SIDE_A] == 0 && change->mean[WP_SIDE_B] == 0;
}

static void
rows_table (const Table *table)
{
  static const char *const indents[] = { [WP_ROW_FIGURE] = "", [WP_ROW_CATEGORY] = "", [WP_ROW_SUB] = "  " };
  const WpComparison *c = table->report->c;
  guint shown = 0;

  heading (table, "");
  for (guint32 r = 0; r < c->rows.len; r++)
    {
      const WpComparedRow *row = &c->rows.data[r];

      shown = row->level == WP_ROW_SUB ? shown + 1 : 0;
      if (!is_nothing (&row->change) && (table->markdown || shown <= TEXT_SUB_ROWS))
        line (table, table->markdown && row->level == WP_ROW_SUB ? "— " : indents[row->level], row->name, &row->change);
    }
}

static void
frames_table (const Table *table)
{
  const WpComparison *c = table->report->c;
  guint shown = 0, left_out = 0;

  heading (table, "Frames, what is their own");
  for (WpId f = 1; f < c->frames.len; f++)
    {
      const WpComparedFrame *frame = &c->frames.data[f];
      g_autofree char *name = NULL;

      if (wp_change_absolute (&frame->self) == 0)
        continue;
      if (shown == TEXT_FRAMES)
        {
          left_out++;
          continue;
        }
      name = frame_name (table->report, frame);
      line (table, "", name, &frame->self);
      shown++;
    }
  if (left_out > 0)
    g_string_append_printf (table->report->out, "%sand %u more\n", table->markdown ? "\n" : "", left_out);
}

static void
write_people (const Report *self, gboolean markdown)
{
  const Table table = { .report = self, .markdown = markdown };
  g_autofree char *a = wp_comparison_side_name (self->c, WP_SIDE_A);
  g_autofree char *b = wp_comparison_side_name (self->c, WP_SIDE_B);
  g_autofree char *verdict = wp_comparison_verdict_text (self->c, self->threshold);
  const char *bold = markdown ? "**" : "";

  g_string_append_printf (self->out, "A: %s%s\nB: %s\n\n%s%s%s\n", a, markdown ? "  " : "", b, bold, verdict, bold);
  for (guint i = 0; i < self->c->warnings->len; i++)
    g_string_append_printf (self->out, "%sWarning: %s.\n", markdown ? "\n" : "", (char *) self->c->warnings->pdata[i]);
  if (self->c->rows.len > 0 && self->c->rows.data[0].change.evidence != WP_EVIDENCE_NONE)
    g_string_append_printf (self->out,
                            "%sEach line is tested for itself: of 100 without a change, about %.0f have p ≤ %g.\n",
                            markdown ? "\n" : "", WP_COMPARE_ALPHA * 100, WP_COMPARE_ALPHA);
  g_string_append_c (self->out, '\n');
  rows_table (&table);
  g_string_append_c (self->out, '\n');
  frames_table (&table);
}

static void
write_text (const Report *self)
{
  write_people (self, FALSE);
}

static void
write_markdown (const Report *self)
{
  write_people (self, TRUE);
}

void
wp_comparison_write (GString *out, const WpComparison *self, WpCompareFormat format, double threshold)
{
  static void (*const writers[WP_COMPARE_FORMAT_COUNT]) (const Report *self) = {
    [WP_COMPARE_TEXT] = write_text, [WP_COMPARE_JSON] = write_json, [WP_COMPARE_MARKDOWN] = write_markdown,
    [WP_COMPARE_TSV] = write_tsv,   [WP_COMPARE_FOLDED] = write_folded,
  };
  const Report report = { .out = out, .c = self, .threshold = threshold };

  writers[format](&report);
}
