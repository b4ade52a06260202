/* Changes of text by its lines and words: YAML, perf script text, a stream of commands. */
#include "fuzz.h"

#include <string.h>

#define GROWN_MAX (1 << 20)

typedef struct
{
  gsize at, n; /* with the newline */
} Line;

static GArray *
find_lines (const guint8 *data, gsize n)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  for (gsize at = 0; at < n;)
    {
      const guint8 *end = memchr (data + at, '\n', n - at);
      Line line = { at, end != NULL ? (gsize) (end - data) + 1 - at : n - at };

      g_array_append_val (lines, line);
      at += line.n;
    }
  return lines;
}

static Line
choose (const GArray *lines, FuzzRandom *random)
{
  return g_array_index (lines, Line, fuzz_below (random, lines->len));
}

/* A few that follow one another. */
static Line
choose_some (const GArray *lines, FuzzRandom *random)
{
  guint first = fuzz_below (random, lines->len), last = first + fuzz_below (random, 6);
  const Line *from = &g_array_index (lines, Line, first), *to = &g_array_index (lines, Line, MIN (last, lines->len - 1));

  return (Line) { from->at, to->at + to->n - from->at };
}

static gboolean
is_word (guint8 c)
{
  return c > ' ' && strchr (",:=[]{}()'\"", c) == NULL;
}

/* A word of a line, without what separates words. */
static Line
choose_word (const GByteArray *input, Line line, FuzzRandom *random)
{
  gsize at = line.at + fuzz_below (random, (guint) line.n), end = line.at + line.n, to;

  while (at < end && !is_word (input->data[at]))
    at++;
  while (at > line.at && at < end && is_word (input->data[at - 1]))
    at--;
  for (to = at; to < end && is_word (input->data[to]);)
    to++;
  return (Line) { at, to - at };
}

static void
drop (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  Line some = choose_some (lines, random);

  fuzz_replace (input, some.at, some.n, NULL, 0);
}

static void
double_some (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  Line some = choose_some (lines, random);

  if (input->len < GROWN_MAX)
    fuzz_replace (input, choose (lines, random).at, 0, input->data + some.at, some.n);
}

static void
change_word (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  Line word = choose_word (input, choose (lines, random), random);
  g_autofree char *number = g_strdup_printf (fuzz_one_in (random, 2) ? "%" G_GINT64_FORMAT : "%" G_GINT64_MODIFIER "x", fuzz_number (random));
  const char *text = fuzz_one_in (random, 2) ? number : fuzz_word (random);

  fuzz_replace (input, word.at, word.n, text, strlen (text));
}

static void
copy_word (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  Line word = choose_word (input, choose (lines, random), random), other = choose_word (input, choose (lines, random), random);

  fuzz_replace (input, word.at, word.n, input->data + other.at, other.n);
}

static void
indent (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  Line line = choose (lines, random);
  guint n = fuzz_below (random, 9);

  if (fuzz_one_in (random, 2))
    fuzz_replace (input, line.at, 0, "        ", n);
  else
    {
      gsize blanks = strspn ((const char *) input->data + line.at, " ");

      fuzz_replace (input, line.at, MIN (n, MIN (blanks, line.n)), NULL, 0);
    }
}

static void
change_character (GByteArray *input, const GArray *lines, FuzzRandom *random)
{
  static const char characters[] = ":-[]{}#&*!|>'\"%@`,?/\\;=()+<> \t\n\r~.0123456789abcdefPR";
  Line line = choose (lines, random);
  gsize at = line.at + fuzz_below (random, (guint) line.n);

  fuzz_replace (input, at, fuzz_below (random, 2), &characters[fuzz_below (random, sizeof characters - 1)], 1);
}

/* Ends with a zero byte, which is not a part of it. */
static void
terminate (GByteArray *input)
{
  g_byte_array_append (input, (const guint8 *) "", 1);
  g_byte_array_set_size (input, input->len - 1);
}

void
fuzz_change_lines (GByteArray *input, FuzzRandom *random)
{
  static void (*const changes[]) (GByteArray *input, const GArray *lines, FuzzRandom *random)
    = { drop, double_some, double_some, change_word, change_word, change_word, copy_word, copy_word, indent, change_character };
  g_autoptr (GArray) lines = NULL;

  terminate (input);
  lines = find_lines (input->data, input->len);
  if (lines->len > 0)
    changes[fuzz_below (random, G_N_ELEMENTS (changes))](input, lines, random);
  else
    fuzz_change_bytes (input, random);
}

void
fuzz_shorten_lines (GByteArray *input, FuzzRandom *random)
{
  g_autoptr (GArray) lines = find_lines (input->data, input->len);
  guint n = 4 + fuzz_below (random, 60), first = fuzz_below (random, lines->len);
  const Line *from = &g_array_index (lines, Line, first), *to = &g_array_index (lines, Line, MIN (first + n, lines->len) - 1);

  fuzz_replace (input, 0, input->len, input->data + from->at, to->at + to->n - from->at);
}

void
fuzz_splice_lines (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random)
{
  g_autoptr (GArray) lines = find_lines (input->data, input->len), from = find_lines (other, n);

  if (lines->len > 0 && from->len > 0)
    {
      Line some = choose_some (from, random);

      fuzz_replace (input, choose (lines, random).at, 0, other + some.at, some.n);
    }
  else
    fuzz_splice_bytes (input, other, n, random);
}
