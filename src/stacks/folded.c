#include "stacks/folded.h"

#include <math.h>

#include "base/pair-map.h"
#include "base/sort.h"
#include "base/text-writer.h"
#include "stacks/maker.h"
#include "stacks/sniff.h"
#include "stacks/sums.h"

#define LINES_PER_STEP 4096
#define LINES_LOOKED_AT 20
#define KERNEL "[kernel.kallsyms]"
#define COMPILED "[jit]"
#define FINE 1e6 /* values with decimals are no whole numbers: this many to one */

/* --- a line ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 whole; /* rounded */
  double real;
} Number;

typedef struct
{
  const char *names, *end; /* of the stack */
  Number values[2];
  guint n_values;
} Line;

static gboolean
is_of_number (char c)
{
  return g_ascii_isdigit (c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static const char *
skip_digits (const char *p, const char *end)
{
  while (p < end && g_ascii_isdigit (*p))
    p++;
  return p;
}

/* Decimals and an exponent; FALSE: something else. */
static gboolean
read_decimals (const char *start, const char *p, const char *end, Number *number)
{
  g_autofree char *text = g_strndup (start, end - start);
  const char *digits;

  if (*p == '.')
    p = skip_digits (p + 1, end);
  if (p < end && (*p == 'e' || *p == 'E'))
    {
      digits = p + 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
      p = skip_digits (digits, end);
      if (p == digits)
        return FALSE;
    }
  number->real = g_ascii_strtod (text, NULL);
  number->whole = wp_whole (round (number->real));
  return p == end;
}

/* "12", "-3", "12.5" or "1e-05". */
static gboolean
read_number (const char *start, const char *end, Number *number)
{
  const char *digits = start + (*start == '-'), *p = skip_digits (digits, end);
  guint64 sum = 0;

  if (p == digits)
    return FALSE;
  if (p < end)
    return read_decimals (start, p, end, number);
  for (const char *d = digits; d < end; d++)
    sum = sum > G_MAXINT64 / 10 ? G_MAXINT64 : MIN (sum * 10 + (guint64) (*d - '0'), (guint64) G_MAXINT64);
  number->whole = digits > start ? -(gint64) sum : (gint64) sum;
  number->real = (double) number->whole;
  return TRUE;
}

/* Takes a number off the end of a text, with the blanks before it; FALSE: there is none, or it is all there is. */
static gboolean
take_number (const char *start, const char **end, Number *number)
{
  const char *p = *end;

  while (p > start && is_of_number (p[-1]))
    p--;
  if (p == *end || p == start || (p[-1] != ' ' && p[-1] != '\t') || !read_number (p, *end, number))
    return FALSE;
  while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  *end = p;
  return p > start;
}

/* With at most so many values. */
static void
read_line (const char *start, const char *end, guint most, Line *line)
{
  Number last, before;

  while (end > start && g_ascii_isspace (end[-1]))
    end--;
  *line = (Line) { .names = start, .end = end };
  if (!take_number (start, &line->end, &last))
    return;
  line->values[0] = last;
  line->n_values = 1;
  if (most < 2 || !take_number (start, &line->end, &before))
    return;
  line->values[0] = before;
  line->values[1] = last;
  line->n_values = 2;
}

/* The next line, without its end; FALSE at the end of the text. */
static gboolean
next_line (const char **at, const char *end, const char **start, const char **stop)
{
  const char *found;

  if (*at >= end)
    return FALSE;
  found = memchr (*at, '\n', end - *at);
  *start = *at;
  *stop = found != NULL ? found : end;
  *at = *stop + 1;
  return TRUE;
}

/* Its first lines are stacks: with a number behind each, or, without, with “;” in each. */
gboolean
wp_folded_is (const guint8 *data, gsize n)
{
  const char *at = (const char *) data, *end = at + n, *start, *stop;
  guint lines = 0, deep = 0;

  if (!wp_sniff_is_text (data, n) || strchr ("{[<#", data[0]) != NULL)
    return FALSE;
  while (lines < LINES_LOOKED_AT && next_line (&at, end, &start, &stop))
    {
      Line line;

      read_line (start, stop, 2, &line);
      if (line.end == line.names)
        continue;
      lines++;
      deep += memchr (line.names, ';', line.end - line.names) != NULL;
      if ((line.n_values == 0 && memchr (line.names, ';', line.end - line.names) == NULL) || g_ascii_isspace (line.names[0]))
        return FALSE;
    }
  return deep > 0;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  WpStacksMaker maker;
  WpPairMap locations; /* name and module → location of one function */
  WpId kernel, compiled; /* modules; 0: not met yet */
  WpIdArray stack;
  guint64 lines[3]; /* with no number, one, two or more */
  gboolean two;     /* values in each line; else a number before the last one is part of a name */
  gboolean decimals_of_first, decimals_of_last; /* some number that may be the first value of two has any; some last one */
  double factor;    /* of values */
} Reader;

static WpId
find_module (Reader *self, WpId *module, const char *file)
{
  WpStacks *stacks = self->maker.stacks;

  if (*module == 0)
    {
      wp_array_push (&stacks->frames->modules, ((WpStackModule) { .file = wp_strings_intern (stacks->strings, file) }));
      *module = stacks->frames->modules.len - 1;
    }
  return *module;
}

/* "_[k]" at the end of a name is taken off. */
static char
take_mark (const char *name, gsize *n)
{
  if (*n <= 4 || name[*n - 1] != ']' || name[*n - 3] != '[' || name[*n - 4] != '_' || strchr ("kji", name[*n - 2]) == NULL)
    return 0;
  *n -= 4;
  return name[*n + 2];
}

static WpId
add_function (WpStacks *stacks, WpId name)
{
  wp_array_push (&stacks->frames->functions, ((WpStackFunction) { .name = name, .system_name = name }));
  return stacks->frames->functions.len - 1;
}

/* So many inlined functions stand in one location: each has the lines of those around it, too. */
#define INLINED_MOST 64

/* An inlined function is a line of the location that it stands in: a location for both. */
static WpId
inlined_in (Reader *self, WpId outer, WpId name)
{
  WpFrames *frames = self->maker.stacks->frames;
  guint32 *known = wp_pair_map_at (&self->locations, name, outer | 1u << 31);
  WpLocation location;

  if (*known != 0)
    return *known;
  location = frames->locations.data[outer];
  wp_array_push (&frames->lines, ((WpStackLine) { .function = add_function (self->maker.stacks, name) }));
  for (guint32 i = 0; i < location.n_lines; i++)
    {
      const WpStackLine line = frames->lines.data[location.first_line + i];

      wp_array_push (&frames->lines, line);
    }
  location.n_lines++;
  location.first_line = frames->lines.len - location.n_lines;
  wp_array_push (&frames->locations, location);
  return *wp_pair_map_at (&self->locations, name, outer | 1u << 31) = frames->locations.len - 1;
}

static void
push_frame (Reader *self, const char *name, gsize n)
{
  WpStacks *stacks = self->maker.stacks;
  WpFrames *frames = stacks->frames;
  char mark = take_mark (name, &n);
  const WpLocation *outer = self->stack.len > 0 ? &frames->locations.data[self->stack.data[self->stack.len - 1]] : NULL;
  WpId text = wp_strings_intern_bytes (stacks->strings, name, n), module = 0;
  guint32 *known;

  if (mark == 'i' && outer != NULL && outer->n_lines <= INLINED_MOST)
    {
      self->stack.data[self->stack.len - 1] = inlined_in (self, self->stack.data[self->stack.len - 1], text);
      return;
    }
  if (mark == 'k')
    module = find_module (self, &self->kernel, KERNEL);
  else if (mark == 'j')
    module = find_module (self, &self->compiled, COMPILED);
  known = wp_pair_map_at (&self->locations, text, module);
  if (*known == 0)
    {
      wp_array_push (&frames->lines, ((WpStackLine) { .function = add_function (stacks, text) }));
      wp_array_push (&frames->locations, ((WpLocation) { .module = module, .first_line = frames->lines.len - 1, .n_lines = 1 }));
      *known = frames->locations.len - 1;
    }
  wp_array_push (&self->stack, *known);
}

static gint64
value_of (const Reader *self, const Number *number)
{
  return self->factor == 1 ? number->whole : wp_whole (round (number->real * self->factor));
}

static void
add_line (Reader *self, const Line *line)
{
  const Number once = { 1, 1 };
  const gint64 values[2] = { value_of (self, line->n_values > 0 ? &line->values[0] : &once), value_of (self, &line->values[1]) };
  const char *at = line->names;

  self->stack.len = 0;
  while (at <= line->end)
    {
      const char *stop = memchr (at, ';', line->end - at);

      stop = stop != NULL ? stop : line->end;
      push_frame (self, at, stop - at);
      at = stop + 1;
    }
  wp_stacks_maker_whole_sample (&self->maker, self->stack.data, self->stack.len, values);
}

/* Goes through all lines: first with two numbers at most, to see which of them are values, then as many as are. */
static gboolean
each_line (Reader *self, const WpInput *input, void (*take) (Reader *self, const Line *line), guint most, WpProgress *progress, GError **error)
{
  const char *text = (const char *) input->data, *at = text, *end = text + input->n, *start, *stop;

  for (guint n = 0; next_line (&at, end, &start, &stop); n++)
    {
      Line line;

      if (n % LINES_PER_STEP == 0)
        {
          if (!wp_progress_step (progress, take == add_line ? (double) (start - text) / input->n : 0, error))
            return FALSE;
          wp_input_passed (input, start - text);
        }
      read_line (start, stop, most, &line);
      if (line.end > line.names && *line.names != '#')
        take (self, &line);
    }
  return TRUE;
}

static gboolean
has_decimals (const Number *number)
{
  return number->real != floor (number->real);
}

static void
look_at_line (Reader *self, const Line *line)
{
  self->lines[line->n_values]++;
  if (line->n_values > 1)
    self->decimals_of_first |= has_decimals (&line->values[0]);
  if (line->n_values > 0)
    self->decimals_of_last |= has_decimals (&line->values[line->n_values - 1]);
}

/* One line that has a single number is enough: “Thread 3” is a name then. */
static gboolean
has_two_values (const Reader *self)
{
  return self->lines[2] > 0 && self->lines[1] == 0;
}

static void
add_types (Reader *self)
{
  WpStrings *strings = self->maker.stacks->strings;
  WpId unit = wp_strings_intern (strings, self->factor == 1 ? "count" : "millionths");

  wp_stacks_maker_type (&self->maker, wp_strings_intern (strings, self->two ? "before" : "samples"), unit);
  if (self->two)
    wp_stacks_maker_type (&self->maker, wp_strings_intern (strings, "after"), unit);
}

static gboolean
read_lines (Reader *self, const WpInput *input, WpProgress *progress, GError **error)
{
  if (!each_line (self, input, look_at_line, 2, progress, error))
    return FALSE;
  self->two = has_two_values (self);
  self->factor = self->decimals_of_last || (self->two && self->decimals_of_first) ? FINE : 1;
  add_types (self);
  return each_line (self, input, add_line, self->two ? 2 : 1, progress, error);
}

WpStacks *
wp_folded_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { 0 };
  WpStacks *stacks = NULL;

  if (!wp_input_check_whole (input, path, error))
    return NULL;
  wp_progress_phase (progress, "Reading");
  wp_stacks_maker_init (&self.maker);
  if (read_lines (&self, input, progress, error))
    stacks = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  wp_pair_map_clear (&self.locations);
  wp_array_clear (&self.stack);
  return stacks;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static char
mark_of (const WpStacks *stacks, const WpLocation *location)
{
  const char *file = wp_stacks_text (stacks, stacks->frames->modules.data[location->module].file);

  return g_str_has_prefix (file, KERNEL) || g_str_equal (file, "[kernel]") ? 'k' : g_str_equal (file, COMPILED) ? 'j' : 0;
}

static void
append_name (GString *out, const WpStacks *stacks, WpId name)
{
  g_autofree char *changed = NULL;

  for (const char *p = wp_stacks_shown (stacks, name, &changed); *p != '\0'; p++)
    g_string_append_c (out, *p == ';' ? ':' : *p == '\n' || *p == '\r' ? ' ' : *p);
}

static void
append_location (GString *out, const WpStacks *stacks, const WpLocation *location)
{
  const WpFrames *frames = stacks->frames;
  char mark = mark_of (stacks, location);

  if (location->n_lines == 0)
    {
      g_autofree char *base = g_path_get_basename (wp_stacks_text (stacks, frames->modules.data[location->module].file));

      g_string_append_printf (out, "%s[%s]", out->len > 0 ? ";" : "", location->module != 0 ? base : "unknown");
    }
  for (guint32 l = location->n_lines; l-- > 0;)
    {
      if (out->len > 0)
        g_string_append_c (out, ';');
      append_name (out, stacks, frames->functions.data[frames->lines.data[location->first_line + l].function].name);
      if (l + 1 < location->n_lines)
        g_string_append (out, "_[i]");
      else if (mark != 0)
        g_string_append_printf (out, "_[%c]", mark);
    }
}

static void
put_sums (GHashTable *sums, WpTextWriter *out)
{
  guint n;
  g_autofree gpointer *lines = g_hash_table_get_keys_as_array (sums, &n);

  if (n > 1)
    qsort (lines, n, sizeof *lines, wp_compare_texts);
  for (guint i = 0; i < n; i++)
    {
      const gint64 *sum = g_hash_table_lookup (sums, lines[i]);

      if (*sum != 0)
        wp_text_writer_printf (out, "%s %" G_GINT64_FORMAT "\n", (const char *) lines[i], *sum);
    }
}

static gboolean
gather (const WpStacks *stacks, GHashTable *sums, WpProgress *progress, GError **error)
{
  const gint64 *values = stacks->values[wp_stacks_default_type (stacks)].data;
  g_autoptr (GString) text = g_string_new (NULL);
  WpIdArray stack = { 0 };
  gboolean done = TRUE;

  for (guint32 i = 0; i < stacks->n_samples && done; i++)
    {
      gint64 *sum;

      g_string_truncate (text, 0);
      wp_frames_stack (stacks->frames, stacks->sample_stacks.data[i], &stack);
      for (guint32 l = stack.len; l-- > 0;)
        append_location (text, stacks, &stacks->frames->locations.data[stack.data[l]]);
      if (text->len == 0)
        continue;
      sum = g_hash_table_lookup (sums, text->str);
      if (sum == NULL)
        g_hash_table_insert (sums, g_strndup (text->str, text->len), sum = g_new0 (gint64, 1));
      *sum = wp_sum (*sum, values[i]);
      done = i % LINES_PER_STEP != 0 || wp_progress_step (progress, (double) i / stacks->n_samples, error);
    }
  wp_array_clear (&stack);
  return done;
}

gboolean
wp_folded_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  g_auto (WpTextWriter) out = { .fd = fd };
  g_autoptr (GHashTable) sums = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);

  if (!gather (stacks, sums, progress, error))
    return FALSE;
  put_sums (sums, &out);
  return wp_text_writer_finish (&out, error);
}
