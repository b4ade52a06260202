/* Changes of a JSON document by its values, so that what comes out is still JSON: values become others, of other types too; members and
 * elements are doubled, dropped, renamed, moved, nested and taken from another document. */
#include "fuzz.h"

#include <string.h>

#define GROWN_MAX (1 << 20)
#define VALUES_MAX 100000
#define DROPPED 8 /* values, where an input is shortened; each is looked for as often */

typedef struct
{
  guint32 at, n;    /* of the value */
  guint32 member;   /* where its key begins, or the value itself where it is an element */
  guint32 key, n_key; /* of the key's text within its quotes; 0, 0: an element */
} Value;

/* Finds values without recursion, and does not mind what is wrong between them. */
typedef struct
{
  const guint8 *data;
  gsize n, at;
  GArray *values;
  GArray *open; /* rows of values: objects and arrays around */
  Value next;   /* its key, once that was read */
} Reader;

static void
skip_string (Reader *self)
{
  for (self->at++; self->at < self->n && self->data[self->at] != '"'; self->at++)
    if (self->data[self->at] == '\\')
      self->at++;
  self->at = MIN (self->at + 1, self->n);
}

static void
skip_word (Reader *self)
{
  while (self->at < self->n && strchr (",:]}[{\" \t\r\n", self->data[self->at]) == NULL)
    self->at++;
}

static void
add_value (Reader *self, gsize at)
{
  Value value = self->next;

  value.at = (guint32) at;
  value.n = (guint32) (self->at - at);
  if (value.key == 0)
    value.member = value.at;
  g_array_append_val (self->values, value);
  self->next = (Value) { 0 };
}

/* A text is a key when a colon follows it. */
static void
read_string (Reader *self)
{
  gsize at = self->at, behind;

  skip_string (self);
  for (behind = self->at; behind < self->n && strchr (" \t\r\n", self->data[behind]) != NULL && self->data[behind] != 0;)
    behind++;
  if (behind >= self->n || self->data[behind] != ':' || self->at < at + 2)
    {
      add_value (self, at);
      return;
    }
  self->next = (Value) { .member = (guint32) at, .key = (guint32) at + 1, .n_key = (guint32) (self->at - at - 2) };
  self->at = behind + 1;
}

static void
read_values (Reader *self)
{
  while (self->at < self->n && self->values->len < VALUES_MAX)
    {
      guint8 c = self->data[self->at];
      gsize at = self->at;

      if (c == '"')
        read_string (self);
      else if (c == '{' || c == '[')
        {
          self->at++;
          g_array_append_val (self->open, self->values->len);
          add_value (self, at);
        }
      else if (c == '}' || c == ']')
        {
          self->at++;
          if (self->open->len == 0)
            continue;
          Value *outer = &g_array_index (self->values, Value, g_array_index (self->open, guint, self->open->len - 1));
          outer->n = (guint32) self->at - outer->at;
          g_array_set_size (self->open, self->open->len - 1);
        }
      else if (c == 0 || strchr (",: \t\r\n", c) != NULL)
        self->at++;
      else
        {
          skip_word (self);
          add_value (self, at);
        }
    }
}

static GArray *
find_values (const guint8 *data, gsize n)
{
  Reader reader = { data, n, 0, g_array_new (FALSE, FALSE, sizeof (Value)), g_array_new (FALSE, FALSE, sizeof (guint)), { 0 } };

  read_values (&reader);
  g_array_unref (reader.open);
  return reader.values;
}

static const Value *
choose (const GArray *values, FuzzRandom *random)
{
  return &g_array_index (values, Value, fuzz_below (random, values->len));
}

/* --- changes ---------------------------------------------------------------------------------------------------------- */

static void
append_quoted (GString *out, const char *word)
{
  g_string_append_c (out, '"');
  for (; *word != '\0'; word++)
    if (*word == '"' || *word == '\\')
      g_string_append_printf (out, "\\%c", *word);
    else if (g_ascii_iscntrl (*word))
      g_string_append_printf (out, "\\u%04x", (guint) (guint8) *word);
    else
      g_string_append_c (out, *word);
  g_string_append_c (out, '"');
}

static void
append_value (GString *out, FuzzRandom *random)
{
  static const char *const values[] = { "null", "true", "false", "0", "-1", "1.5", "-0.0", "1e308", "1e400", "NaN", "Infinity", "-Infinity",
                                        "1e-320", "123456789012345678901234567890", "\"\"", "\"7\"", "\"\\u0000\"", "\"\\ud800\"", "[]", "{}",
                                        "[[]]", "[null]", "{\"\": 0}", "[1, 2, 3]", "{\"chunk\": \"0\"}", "{\"function\": \"f\"}" };

  switch (fuzz_below (random, 4))
    {
    case 0:
      append_quoted (out, fuzz_word (random));
      break;
    case 1:
      g_string_append_printf (out, fuzz_one_in (random, 2) ? "%" G_GINT64_FORMAT : "%" G_GUINT64_FORMAT, fuzz_number (random));
      break;
    default:
      g_string_append (out, values[fuzz_below (random, G_N_ELEMENTS (values))]);
    }
}

typedef void (*ValueChange) (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random);

static void
change_value (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  g_autoptr (GString) text = g_string_new (NULL);

  (void) values;
  append_value (text, random);
  fuzz_replace (input, value->at, value->n, text->str, text->len);
}

/* A number that is nearly the same, or another's. */
static void
copy_value (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  const Value *other = choose (values, random);

  if (input->len < GROWN_MAX)
    fuzz_replace (input, value->at, value->n, input->data + other->at, other->n);
}

static void
double_value (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  const Value *where = fuzz_one_in (random, 2) ? value : choose (values, random);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_len (text, (const char *) input->data + value->member, value->at + value->n - value->member);
  g_string_append_c (text, ',');
  if (input->len < GROWN_MAX)
    fuzz_replace (input, where->member, 0, text->str, text->len);
}

/* With the comma in front of it or behind. */
static void
drop (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  gsize at = value->member, end = value->at + value->n, behind = end, before = at;

  (void) values, (void) random;
  while (behind < input->len && g_ascii_isspace (input->data[behind]))
    behind++;
  while (before > 0 && g_ascii_isspace (input->data[before - 1]))
    before--;
  if (behind < input->len && input->data[behind] == ',')
    end = behind + 1;
  else if (before > 0 && input->data[before - 1] == ',')
    at = before - 1;
  fuzz_replace (input, at, end - at, NULL, 0);
}

static void
rename_key (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  const Value *other = choose (values, random);

  if (value->key == 0)
    return;
  if (other->key != 0 && fuzz_below (random, 3) > 0)
    fuzz_replace (input, value->key, value->n_key, input->data + other->key, other->n_key);
  else
    {
      g_autoptr (GString) text = g_string_new (NULL);

      append_quoted (text, fuzz_word (random));
      fuzz_replace (input, value->key - 1, value->n_key + 2, text->str, text->len);
    }
}

static void
nest (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  guint depth = 1u << fuzz_below (random, fuzz_one_in (random, 20) ? 12 : 4);
  gboolean object = fuzz_one_in (random, 2);
  g_autoptr (GString) text = g_string_new (NULL);

  (void) values;
  for (guint i = 0; i < depth; i++)
    g_string_append (text, object ? "{\"a\":" : "[");
  g_string_append_len (text, (const char *) input->data + value->at, value->n);
  for (guint i = 0; i < depth; i++)
    g_string_append_c (text, object ? '}' : ']');
  if (input->len < GROWN_MAX)
    fuzz_replace (input, value->at, value->n, text->str, text->len);
}

static void
change_inside (GByteArray *input, const GArray *values, const Value *value, FuzzRandom *random)
{
  guint8 *c = &input->data[value->at + fuzz_below (random, value->n)];

  (void) values;
  *c = fuzz_one_in (random, 2) ? (guint8) ("0123456789.-+eE\"\\ ,:"[fuzz_below (random, 20)]) : (guint8) fuzz_next (random);
}

void
fuzz_change_json (GByteArray *input, FuzzRandom *random)
{
  static const ValueChange changes[] = { change_value, change_value, change_value, copy_value, copy_value, double_value, double_value,
                                         drop, drop, rename_key, nest, change_inside };
  g_autoptr (GArray) values = find_values (input->data, input->len);

  if (values->len > 0)
    changes[fuzz_below (random, G_N_ELEMENTS (changes))](input, values, choose (values, random), random);
  else
    fuzz_change_bytes (input, random);
}

/* Drops values that are a part of it only. */
void
fuzz_shorten_json (GByteArray *input, FuzzRandom *random)
{
  for (guint i = 0; i < DROPPED; i++)
    {
      g_autoptr (GArray) values = find_values (input->data, input->len);

      for (guint k = 0; k < DROPPED && values->len > 0; k++)
        {
          const Value *value = choose (values, random);

          if (value->n > input->len / 64 && value->n < input->len / 2)
            {
              drop (input, values, value, random);
              break;
            }
        }
    }
}

void
fuzz_splice_json (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random)
{
  g_autoptr (GArray) values = find_values (input->data, input->len), from = find_values (other, n);

  if (values->len > 0 && from->len > 0)
    {
      const Value *to = choose (values, random), *with = choose (from, random);

      fuzz_replace (input, to->at, to->n, other + with->at, with->n);
    }
  else
    fuzz_splice_bytes (input, other, n, random);
}
