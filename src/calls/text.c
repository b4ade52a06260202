/* The table of profile/render-text, byte by byte. */
#include "calls/renderers.h"

#include <math.h>

#define CELLS 12

/* Which cells of a line there are, and what they are filled with. */
typedef enum
{
  RULE,   /* `text[0]` all along */
  CELLS_, /* texts */
  NODE,   /* the same, of which the last one may be wider than its column */
} LineKind;

typedef struct
{
  LineKind kind;
  guint n;
  char *text[CELLS]; /* NULL: "" */
} Line;

typedef struct
{
  const WpCalls *calls;
  const WpCallsShowOptions *options;
  WpCallsShown shown;
  GArray *lines;
} Table;

static const gboolean to_the_right[CELLS] = { TRUE, FALSE, TRUE, FALSE, FALSE, TRUE, FALSE, FALSE, FALSE, TRUE, FALSE, FALSE };

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static char *
text_of_time (const WpCalls *calls, WpExact time)
{
  GString *text = g_string_new (NULL);

  wp_exact_append (text, wp_exact_round (time, calls->one));
  return g_string_free (text, FALSE);
}

/* "12.5%"; of nothing every part is none. */
static char *
share (WpExact part, WpExact whole)
{
  WpExact tenths = whole == 0 ? 0 : wp_exact_round (whole < 0 ? -1000 * part : 1000 * part, whole < 0 ? -whole : whole);
  GString *text = g_string_new (tenths < 0 ? "-" : NULL);

  tenths = tenths < 0 ? -tenths : tenths;
  wp_exact_append (text, tenths / 10);
  g_string_append_printf (text, ".%d%%", (int) (tenths % 10));
  return g_string_free (text, FALSE);
}

static char *
share_of_all (const WpCalls *calls, WpExact part)
{
  g_autofree char *text = share (part, calls->total);

  return g_strdup_printf ("(%s)", text);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static Line *
add_line (Table *self, LineKind kind, guint n)
{
  Line line = { .kind = kind, .n = n };

  g_array_append_val (self->lines, line);
  return &g_array_index (self->lines, Line, self->lines->len - 1);
}

static void
clear_line (gpointer line)
{
  for (guint i = 0; i < CELLS; i++)
    g_free (((Line *) line)->text[i]);
}

static void
add_rule (Table *self, const char *with)
{
  add_line (self, RULE, 10)->text[0] = g_strdup (with);
}

static void
add_heading (Table *self)
{
  const char *unit = wp_calls_text (self->calls, self->calls->unit);
  const char *const texts[3][10] = {
    { "   ", " ", "   ", "     ", " ", "  ", "     ", " ", "  Caller", NULL },
    { "Idx", " ", "To", "tal   ", " ", "Se", "lf   ", " ", "Name+src", "Local%" },
    { "   ", " ", NULL, "(pct)", " ", unit, "(pct)", " ", "  Callee", NULL },
  };

  add_rule (self, "=");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      Line *line = add_line (self, CELLS_, i == 1 ? 10 : 9);

      for (guint c = 0; c < line->n; c++)
        line->text[c] = texts[i][c] != NULL ? g_strdup (texts[i][c]) : g_strconcat (" ", unit, NULL);
    }
  add_rule (self, "=");
}

static const char *
name_of (const WpCalls *calls, guint32 node)
{
  WpId name = calls->nodes.data[node].name;

  return name != 0 ? wp_calls_text (calls, name) : "???";
}

/* A source that is too long is cut at its beginning, a name never. */
static char *
name_and_source (const Table *self, guint32 node)
{
  const char *name = name_of (self->calls, node), *source;
  g_autoptr (GString) text = g_string_new (NULL);
  glong length, cut;

  wp_calls_append_source (self->calls, node, text);
  source = text->str;
  length = g_utf8_strlen (source, -1);
  cut = self->options->truncate != 0 ? length + g_utf8_strlen (name, -1) + 1 - (glong) self->options->truncate : 0;
  if (cut <= 0)
    return g_strdup_printf ("%s %s", name, source);
  return g_strdup_printf ("%s ...%s", name, cut + 3 < length ? g_utf8_offset_to_pointer (source, cut + 3) : "");
}

static void
add_end (Table *self, guint32 node, guint32 other, WpExact time)
{
  Line *line;

  if (other == 0 || self->shown.numbers[other] == 0)
    return;
  line = add_line (self, CELLS_, CELLS);
  line->text[8] = g_strdup_printf ("  %s [%u]", name_of (self->calls, other), self->shown.numbers[other]);
  line->text[9] = share (time, self->calls->nodes.data[node].total);
}

static void
add_node (Table *self, guint32 node)
{
  const WpCalls *calls = self->calls;
  const WpCallsNode *row = &calls->nodes.data[node];
  Line *line;

  for (guint32 i = row->first_caller + row->n_callers; i-- > row->first_caller;)
    {
      const WpCallsEdge *edge = &calls->edges.data[calls->callers.data[i]];

      add_end (self, node, edge->caller, edge->caller_time);
    }
  line = add_line (self, NODE, 9);
  line->text[0] = g_strdup_printf ("[%u]", self->shown.numbers[node]);
  line->text[1] = g_strdup (" ");
  line->text[2] = text_of_time (calls, row->total);
  line->text[3] = share_of_all (calls, row->total);
  line->text[4] = g_strdup (" ");
  line->text[5] = text_of_time (calls, row->self);
  line->text[6] = share_of_all (calls, row->self);
  line->text[7] = g_strdup (" ");
  line->text[8] = name_and_source (self, node);
  for (guint32 i = row->first_callee; i < row->first_callee + row->n_callees; i++)
    {
      const WpCallsEdge *edge = &calls->edges.data[calls->callees.data[i]];

      add_end (self, node, edge->callee, edge->callee_time);
    }
  add_rule (self, "-");
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Whole units from sample to sample. A file may say any number of samples. */
static WpExact
time_of_sample (const WpCalls *calls)
{
  WpExact all;

  if (calls->n_samples == 0 || __builtin_mul_overflow (calls->one, (WpExact) calls->n_samples, &all) || all > 2 * WP_EXACT_LIMIT)
    return 0;
  return wp_exact_round (calls->total, all);
}

static void
append_heading (const Table *self, GString *out)
{
  const WpCalls *calls = self->calls;
  const WpCallsShowOptions *options = self->options;
  const char *unit = wp_calls_text (calls, calls->unit);
  guint32 hidden = wp_calls_n_hidden (calls, &self->shown);

  g_string_append_printf (out, "Profiling results\n-----------------\n  Total %s observed: ",
                          wp_calls_are_times (calls) ? "cpu time" : wp_calls_text (calls, calls->type));
  wp_exact_append (out, wp_exact_round (calls->total, calls->one));
  g_string_append_printf (out, "%s (out of %.0f%s)\n", unit, rint (calls->cpu_time), unit);
  g_string_append_printf (out, "  Number of samples taken: %" G_GUINT64_FORMAT " (once every ", calls->n_samples);
  wp_exact_append (out, time_of_sample (calls));
  g_string_append_printf (out, "%s)\n", unit);
  if (calls->threads.len > 1)
    g_string_append_printf (out, "  Threads observed:        %u\n", calls->threads.len);
  if (hidden > 0)
    {
      g_autofree char *by_self = share (options->hide_self.part, options->hide_self.whole);
      g_autofree char *by_subs = share (options->hide_subs.part, options->hide_subs.whole);

      g_string_append (out, "  (Hiding functions with ");
      if (options->hide_self.whole != 0)
        g_string_append_printf (out, "self<%s%s", by_self, options->hide_subs.whole != 0 ? " and " : "");
      if (options->hide_subs.whole != 0)
        g_string_append_printf (out, "local<%s", by_subs);
      g_string_append_printf (out, ": %u of %u hidden)\n", hidden, calls->nodes.len - 1);
    }
  g_string_append_c (out, '\n');
}

static void
append_blanks (GString *out, glong n, char c)
{
  for (glong i = 0; i < n; i++)
    g_string_append_c (out, c);
}

static void
append_line (const Line *line, const glong *widths, GString *out)
{
  for (guint c = 0; c < line->n; c++)
    {
      const char *text = line->kind == RULE || line->text[c] == NULL ? "" : line->text[c];
      glong rest = widths[c] - g_utf8_strlen (text, -1);

      if (line->kind == RULE || to_the_right[c])
        append_blanks (out, rest, line->kind == RULE ? line->text[0][0] : ' ');
      g_string_append (out, text);
      if (line->kind != RULE && !to_the_right[c])
        append_blanks (out, rest, ' ');
    }
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

/* As wide as the widest cell: rules and what nodes are called count for nothing. */
static void
find_widths (const Table *self, glong widths[CELLS])
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);

      for (guint c = 0; line->kind != RULE && c < line->n - (line->kind == NODE); c++)
        if (line->text[c] != NULL)
          widths[c] = MAX (widths[c], g_utf8_strlen (line->text[c], -1));
    }
}

void
wp_calls_append_text (const WpCalls *calls, const WpCallsShowOptions *options, GString *out)
{
  Table self = { .calls = calls, .options = options, .lines = g_array_new (FALSE, FALSE, sizeof (Line)) };
  glong widths[CELLS] = { 0 };

  g_array_set_clear_func (self.lines, clear_line);
  wp_calls_show (calls, options, &self.shown);
  append_heading (&self, out);
  add_heading (&self);
  for (guint32 i = 0; i < self.shown.nodes.len; i++)
    add_node (&self, self.shown.nodes.data[i]);
  find_widths (&self, widths);
  for (guint i = 0; i < self.lines->len; i++)
    append_line (&g_array_index (self.lines, Line, i), widths, out);
  g_array_unref (self.lines);
  wp_calls_shown_clear (&self.shown);
}
