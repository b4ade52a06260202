/* A comparison as text, for people and for programs. */
#include "profile/compare/compare.h"

#include "base/find.h"
#include "base/json-writer.h"
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

static const char *
json_unit (WpUnit unit, const char *name)
{
  return unit == WP_UNIT_TIME ? "ns" : unit == WP_UNIT_PLAIN ? name : "B";
}

static void
json_change (WpJsonWriter *json, const char *key, const WpChange *change)
{
  static const char *const evidence[] = { [WP_EVIDENCE_NONE] = "none", [WP_EVIDENCE_NOISE] = "noise",
                                          [WP_EVIDENCE_CHANGE] = "change" };

  wp_json_writer_object (json, key, WP_JSON_SPACED);
  wp_json_writer_real (json, "a", change->mean[WP_SIDE_A]);
  wp_json_writer_real (json, "b", change->mean[WP_SIDE_B]);
  wp_json_writer_real (json, "change", wp_change_absolute (change));
  wp_json_writer_real (json, "relative", wp_change_relative (change));
  wp_json_writer_string (json, "evidence", evidence[change->evidence]);
  if (change->evidence != WP_EVIDENCE_NONE)
    {
      wp_json_writer_real (json, "p", change->p);
      wp_json_writer_real (json, "p_adjusted", change->adjusted);
      wp_json_writer_real (json, "shift", change->shift);
      wp_json_writer_real (json, "low", change->low);
      wp_json_writer_real (json, "high", change->high);
    }
  wp_json_writer_end (json);
}

/* An array with an item a line; its items are begun by json_item(). */
static void
json_list (WpJsonWriter *json, const char *key)
{
  wp_json_writer_line (json);
  wp_json_writer_array (json, key, WP_JSON_SPACED);
}

static void
json_item (WpJsonWriter *json)
{
  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
}

static void
json_side (const Report *self, WpJsonWriter *json, const char *name, WpSide side)
{
  static const char *const keys[WP_N_FACTS] = {
    [WP_FACT_LABEL] = "label", [WP_FACT_COMMIT] = "commit", [WP_FACT_HOST] = "host", [WP_FACT_KERNEL] = "kernel",
    [WP_FACT_CPUS] = "cpus", [WP_FACT_COMMAND] = "command", [WP_FACT_TASK] = "task", [WP_FACT_STACKS] = "stacks",
    [WP_FACT_OPTIONS] = "options", [WP_FACT_DIRTY] = "dirty",
  };

  json_list (json, name);
  for (guint32 i = 0; i < self->c->profiles[side].len; i++)
    {
      const WpCompared *profile = &self->c->profiles[side].data[i];

      json_item (json);
      wp_json_writer_string (json, "file", profile->path);
      for (guint f = 0; f < WP_N_FACTS; f++)
        if (profile->facts[f] != NULL && *profile->facts[f] != '\0')
          wp_json_writer_string (json, keys[f], profile->facts[f]);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_rows (const Report *self, WpJsonWriter *json)
{
  static const char *const levels[] = { [WP_ROW_FIGURE] = "figure", [WP_ROW_CATEGORY] = "category",
                                        [WP_ROW_SUB] = "row" };

  json_list (json, "rows");
  for (guint32 r = 0; r < self->c->rows.len; r++)
    {
      const WpComparedRow *row = &self->c->rows.data[r];

      json_item (json);
      wp_json_writer_string (json, "level", levels[row->level]);
      wp_json_writer_string (json, "id", row->id);
      wp_json_writer_string (json, "name", row->name);
      wp_json_writer_string (json, "unit", json_unit (row->unit, row->unit_name));
      json_change (json, "values", &row->change);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_frames (const Report *self, WpJsonWriter *json)
{
  json_list (json, "frames");
  for (WpId f = 1; f < self->c->frames.len; f++)
    {
      const WpComparedFrame *frame = &self->c->frames.data[f];

      json_item (json);
      wp_json_writer_string (json, "name", string_of (self, frame->name));
      wp_json_writer_string (json, "module", string_of (self, frame->module));
      wp_json_writer_string (json, "presence", wp_presence_id (wp_frame_presence (frame)));
      json_change (json, "self", &frame->self);
      json_change (json, "total", &frame->total);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_answer (const Report *self, WpJsonWriter *json)
{
  json_list (json, "answer");
  for (guint32 i = 0; i < self->c->answer.len; i++)
    {
      json_item (json);
      wp_json_writer_string (json, "text", self->c->answer.data[i].text);
      wp_json_writer_real (json, "ns", self->c->answer.data[i].ns);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_waits (const Report *self, WpJsonWriter *json)
{
  json_list (json, "waits");
  for (guint32 i = 0; i < self->c->waits.len; i++)
    {
      const WpComparedWait *wait = &self->c->waits.data[i];

      json_item (json);
      wp_json_writer_string (json, "text", wait->row.name);
      json_change (json, "ns", &wait->row.change);
      wp_json_writer_object (json, "times", WP_JSON_SPACED);
      wp_json_writer_real (json, "a", wait->count[WP_SIDE_A]);
      wp_json_writer_real (json, "b", wait->count[WP_SIDE_B]);
      wp_json_writer_end (json);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
json_verdict (const Report *self, WpJsonWriter *json)
{
  const WpComparison *c = self->c;
  g_autofree char *sentence = wp_comparison_verdict_text (c, self->threshold), *headline = wp_comparison_headline (c, self->threshold);

  wp_json_writer_string (json, "verdict", wp_verdict_id (wp_comparison_verdict (c, self->threshold)));
  wp_json_writer_real (json, "threshold", self->threshold);
  wp_json_writer_string (json, "headline", headline);
  wp_json_writer_string (json, "text", sentence);
  json_answer (self, json);
  json_waits (self, json);
  wp_json_writer_line (json);
  wp_json_writer_string (json, "test", "Mann-Whitney U, two-sided");
  wp_json_writer_string (json, "adjustment", "Benjamini-Hochberg");
  wp_json_writer_string (json, "unit", json_unit (c->unit, c->unit_name));
  wp_json_writer_bool (json, "normalised", c->normalised);
  wp_json_writer_array (json, "warnings", WP_JSON_TIGHT);
  for (guint i = 0; i < c->warnings->len; i++)
    wp_json_writer_string (json, NULL, c->warnings->pdata[i]);
  wp_json_writer_end (json);
}

static void
write_json (const Report *self)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  json_verdict (self, json);
  json_side (self, json, "a", WP_SIDE_A);
  json_side (self, json, "b", WP_SIDE_B);
  json_rows (self, json);
  json_frames (self, json);
  wp_json_writer_line (json);
  wp_json_writer_end (json);
}

/* --- TSV ------------------------------------------------------------------------------------------------------------- */

static void
tsv_change (const Report *self, const WpChange *change)
{
  const double values[] = { change->mean[WP_SIDE_A], change->mean[WP_SIDE_B], wp_change_absolute (change),
                            wp_change_relative (change), change->p, change->shift, change->low, change->high, change->adjusted };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_string_append_c (self->out, '\t');
      if (isfinite (values[i]))
        wp_json_append_real (self->out, values[i]);
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

  g_string_append (self->out, "kind\tname\tof\ta\tb\tchange\trelative\tp\tshift\tlow\thigh\tp_adjusted\n");
  for (guint32 r = 0; r < self->c->rows.len; r++)
    {
      const WpComparedRow *row = &self->c->rows.data[r];

      tsv_line (self, levels[row->level], row->name, row->id, &row->change);
    }
  for (guint32 i = 0; i < self->c->waits.len; i++)
    {
      const WpComparedWait *wait = &self->c->waits.data[i];
      g_autofree char *count = wp_compared_wait_count (wait);

      tsv_line (self, "wait", wait->row.name, count, &wait->row.change);
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
      wp_json_append_real (self->out, node->self[WP_SIDE_A]);
      g_string_append_c (self->out, ' ');
      wp_json_append_real (self->out, node->self[WP_SIDE_B]);
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
line (const Table *table, const char *indent, const char *name, const WpChange *change, WpUnit unit, const char *unit_name)
{
  const double amounts[] = { change->mean[WP_SIDE_A], change->mean[WP_SIDE_B], wp_change_absolute (change) };
  g_autofree char *indented = g_strconcat (indent, name, NULL);
  g_autofree char *evidence = wp_change_evidence_text (change);
  g_autofree char *spaced = g_strconcat (*evidence != '\0' ? "  " : "", evidence, NULL);
  char relative[32];

  cell (table, indented, TEXT_NAME_WIDTH, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    {
      g_autofree char *text = wp_compared_amount (unit, unit_name, amounts[i], i == 2);

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
        line (table, table->markdown && row->level == WP_ROW_SUB ? "— " : indents[row->level], row->name, &row->change,
              row->unit, row->unit_name);
    }
}

static void
waits_table (const Table *table)
{
  const WpComparison *c = table->report->c;

  if (c->waits.len == 0)
    return;
  heading (table, "Longest waits, and how often");
  for (guint32 i = 0; i < c->waits.len; i++)
    {
      const WpComparedRow *row = &c->waits.data[i].row;
      g_autofree char *count = wp_compared_wait_count (&c->waits.data[i]), *name = g_strdup_printf ("%s (%s)", row->name, count);

      line (table, "", name, &row->change, row->unit, row->unit_name);
    }
  g_string_append_c (table->report->out, '\n');
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
      line (table, "", name, &frame->self, c->unit, c->unit_name);
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
  g_autofree char *answer = wp_comparison_answer_text (self->c, 0), *tests = wp_comparison_tests_text (self->c);
  g_autofree char *headline = wp_comparison_headline (self->c, self->threshold);
  const char *bold = markdown ? "**" : "";

  g_string_append_printf (self->out, "A: %s%s\nB: %s\n\n", a, markdown ? "  " : "", b);
  if (*headline != '\0')
    g_string_append_printf (self->out, "%s%s%s\n%s", bold, headline, bold, markdown || *answer != '\0' ? "\n" : "");
  (markdown ? wp_quote_markdown : wp_quote_tsv) (self->out, answer);
  g_string_append_printf (self->out, "%s%s\n", *answer != '\0' ? "\n\n" : "", verdict);
  for (guint i = 0; i < self->c->warnings->len; i++)
    g_string_append_printf (self->out, "%sWarning: %s.\n", markdown ? "\n" : "", (char *) self->c->warnings->pdata[i]);
  if (*tests != '\0')
    g_string_append_printf (self->out, "%s%s\n", markdown ? "\n" : "", tests);
  g_string_append_c (self->out, '\n');
  rows_table (&table);
  g_string_append_c (self->out, '\n');
  waits_table (&table);
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
