/* The values of a document as they come out of a JSON reader. */
#include "base/json-spans.h"
#include "profile/model/values-private.h"
#include "profile/model/values-seen.h"

/* An object or array that is not over. All keep what they have so far on one stack. */
typedef struct
{
  guint32 first; /* of the stack */
  gboolean array;
  guint32 key;    /* the one read last, row of `keys`; 0: none, or one that is not there */
  guint32 n_span; /* of a span that will be kept; 0: it will not */
  guint64 hash, from;
} Open;

/* A key that was read somewhere, and the one that followed it there. */
typedef struct
{
  WpJsonKeyText text;
  WpValue value;
  guint32 next; /* row; 0: none yet */
} Key;

#define MANY_KEY_TEXTS 4096

/* An object in an array that is kept when the next one ends: until then its place in the table is on the way from memory. */
typedef struct
{
  guint32 n_keys; /* 0: there is none */
  guint32 at;     /* of the stack */
  guint32 expected;
  WpValue words[2 * WP_VALUES_FEW_KEYS];
} Late;

/* Looking for spans costs something, and where nothing comes again brings nothing: each level of a document tries it for a while. Where it
 * did not find enough it tries a few again after a pause, which becomes longer. */
#define TRIES 2048
#define PER_FOUND 8
#define TRIES_AGAIN 64
#define FIRST_PAUSE 8192

typedef struct
{
  guint32 left, pause, waits;
} Tries;

typedef struct
{
  WpValues *values;
  WpJsonReader *reader;
  WpIdArray stack;
  guint n;
  Open open[WP_JSON_MAX_DEPTH + 1];
  Tries tries[WP_JSON_MAX_DEPTH + 1][2];
  Late late;
  WpSeen seen;
  WP_ARRAY (Key) keys; /* row 0 is empty */
  WpSeen key_rows;     /* of them, by their text */
  guint32 first_keys[WP_JSON_MAX_DEPTH + 1]; /* of the last object of each level */
} Reading;

/* --- keys that come twice --------------------------------------------------------------------------------------------- */

/* A key that is there already: its value is replaced. */
static gboolean
replace_key (WpIdArray *stack, guint32 first, WpValue key, WpValue value)
{
  for (guint32 i = first; i + 2 < stack->len; i += 2)
    if (stack->data[i] == key)
      {
        stack->data[i + 1] = value;
        return TRUE;
      }
  return FALSE;
}

static void
close_key (WpIdArray *stack, const Open *open)
{
  WpValue key = stack->data[stack->len - 2], value = stack->data[stack->len - 1];

  if (stack->len - open->first <= 2 * 64 && replace_key (stack, open->first, key, value))
    stack->len -= 2;
}

/* Objects with many keys: their double keys are found with a set, not by comparing each with all. */
static void
drop_double_keys (WpIdArray *stack, guint32 first)
{
  g_autoptr (GHashTable) seen = NULL;
  guint32 kept = first;

  if (stack->len - first <= 2 * 64)
    return;
  seen = g_hash_table_new (wp_hash_pointer, NULL);
  for (guint32 i = first; i < stack->len; i += 2)
    {
      gpointer at = g_hash_table_lookup (seen, GUINT_TO_POINTER (stack->data[i]));

      if (at != NULL)
        stack->data[GPOINTER_TO_UINT (at) - 1] = stack->data[i + 1];
      else
        {
          stack->data[kept] = stack->data[i];
          stack->data[kept + 1] = stack->data[i + 1];
          g_hash_table_insert (seen, GUINT_TO_POINTER (stack->data[i]), GUINT_TO_POINTER (kept + 2));
          kept += 2;
        }
    }
  stack->len = kept;
}

/* --- other values ----------------------------------------------------------------------------------------------------- */

static WpValue
read_string (Reading *self)
{
  gsize n;
  const char *plain = wp_json_reader_plain_string (self->reader, &n);

  return plain != NULL ? wp_values_plain_string (self->values, plain, n) : wp_values_string (self->values, wp_json_reader_exact_string (self->reader));
}

static WpValue
read_plain (Reading *self, WpJsonKind kind)
{
  WpValues *values = self->values;
  gint64 whole;
  double real;

  switch (kind)
    {
    case WP_JSON_STRING:
      return read_string (self);
    case WP_JSON_BOOL:
      return wp_values_bool (values, wp_json_reader_bool (self->reader));
    case WP_JSON_NUMBER:
      switch (wp_json_reader_number (self->reader, &whole, &real))
        {
        case WP_JSON_WHOLE:
          return wp_values_int (values, whole);
        case WP_JSON_REAL:
          return wp_values_real (values, real);
        default:
          return wp_values_digits (values, wp_json_reader_digits (self->reader));
        }
    default:
      wp_json_reader_skip (self->reader);
      return wp_values_null (values);
    }
}

/* --- objects and arrays ----------------------------------------------------------------------------------------------- */

static gboolean
is_worth_trying (Tries *tries)
{
  if (tries->left == 0 && tries->waits++ == tries->pause)
    {
      tries->left = TRIES_AGAIN;
      tries->pause *= 2;
      tries->waits = 0;
    }
  return tries->left > 0;
}

/* Enters the object or array that comes next; or passes it, and returns its value, where the same bytes were read before. */
static WpValue
open_level (Reading *self, gboolean array)
{
  Tries *tries = &self->tries[self->n][array];
  Open open = { .first = self->stack.len, .array = array };
  const guint8 *span = NULL;
  WpValue value;
  gsize n = 0;

  if (is_worth_trying (tries))
    span = wp_json_reader_span (self->reader, &n);
  if (span != NULL)
    {
      value = wp_seen_find (&self->seen, span, n, &open.hash);
      if (value != 0)
        {
          tries->left = MIN (tries->left + PER_FOUND, TRIES);
          wp_json_reader_pass (self->reader, n);
          return value;
        }
      tries->left--;
      open.from = wp_json_reader_offset (self->reader);
      open.n_span = (guint32) n;
    }
  if (array ? wp_json_reader_array (self->reader) : wp_json_reader_object (self->reader))
    self->open[self->n++] = open;
  return 0;
}

static void
keep_late (Reading *self)
{
  Late *late = &self->late;

  if (late->n_keys > 0)
    self->stack.data[late->at] = wp_values_expected_object (self->values, late->expected, late->words, late->n_keys);
  late->n_keys = 0;
}

/* Of an object whose span is not asked for, in an array: its value is not known yet; another one holds its place. */
static gboolean
may_be_late (const Reading *self, const Open *open)
{
  const guint32 n = self->stack.len - open->first;

  return !open->array && open->n_span == 0 && n > 0 && n < 2 * WP_VALUES_FEW_KEYS && self->n > 0 && self->open[self->n - 1].array;
}

static WpValue
make_late (Reading *self, const Open *open)
{
  Late *late = &self->late;

  late->n_keys = (self->stack.len - open->first) / 2;
  late->at = open->first;
  memcpy (late->words, self->stack.data + open->first, late->n_keys * 2 * sizeof *late->words);
  late->expected = wp_values_expect_object (self->values, late->words, late->n_keys);
  self->stack.len = open->first;
  return wp_values_null (self->values);
}

static WpValue
close_level (Reading *self)
{
  const Open *open = &self->open[--self->n];
  WpIdArray *stack = &self->stack;
  const guint8 *span;
  WpValue value;
  gsize n;

  keep_late (self);
  if (may_be_late (self, open))
    return make_late (self, open);
  if (!open->array)
    drop_double_keys (stack, open->first);
  value = open->array ? wp_values_array (self->values, stack->data + open->first, stack->len - open->first)
                      : wp_values_object (self->values, stack->data + open->first, (stack->len - open->first) / 2);
  stack->len = open->first;
  span = open->n_span > 0 ? wp_json_reader_since (self->reader, open->from, &n) : NULL;
  if (span != NULL && n == open->n_span)
    wp_seen_add (&self->seen, span, n, open->hash, value);
  return value;
}

/* The row of the key that was taken; 0: it is not kept. */
static guint32
keep_key (Reading *self, const char *key)
{
  Key new = { .value = wp_values_string (self->values, key) };
  guint64 hash;
  guint32 row;

  wp_array_push (&self->stack, new.value);
  wp_json_reader_key_text (self->reader, &new.text);
  if (new.text.n == 0)
    return 0;
  row = wp_seen_find (&self->key_rows, new.text.text, new.text.n, &hash);
  if (row != 0 || self->keys.len == MANY_KEY_TEXTS)
    return row;
  wp_array_push (&self->keys, new);
  wp_seen_add (&self->key_rows, new.text.text, new.text.n, hash, self->keys.len - 1);
  return self->keys.len - 1;
}

/* Where a key follows that followed last time, too, it is known by its bytes. FALSE: the object is over. */
static gboolean
next_key (Reading *self, Open *open)
{
  guint32 *next = open->key != 0 ? &self->keys.data[open->key].next : &self->first_keys[self->n], row;
  const Key *guess = &self->keys.data[*next];
  const char *key;

  if (*next != 0 && wp_json_reader_key_as (self->reader, &guess->text))
    {
      wp_array_push (&self->stack, guess->value);
      open->key = *next;
      return TRUE;
    }
  key = wp_json_reader_key (self->reader);
  if (key == NULL)
    return FALSE;
  row = keep_key (self, key);
  *(open->key != 0 ? &self->keys.data[open->key].next : &self->first_keys[self->n]) = row;
  open->key = row;
  return TRUE;
}

/* Steps to the next value of the innermost level. FALSE: that level is over. */
static gboolean
next_value (Reading *self)
{
  Open *open = &self->open[self->n - 1];

  return open->array ? wp_json_reader_item (self->reader) : next_key (self, open);
}

static WpValue
read_all (Reading *self)
{
  WpValue value = 0;

  do
    {
      WpJsonKind kind = wp_json_reader_kind (self->reader);

      value = 0;
      if (wp_values_are_full (self->values, self->stack.len + 2 * WP_VALUES_FEW_KEYS))
        wp_json_reader_fail (self->reader, NULL, "more than there is room for: too many different values");
      else if (kind == WP_JSON_OBJECT || kind == WP_JSON_ARRAY)
        value = open_level (self, kind == WP_JSON_ARRAY);
      else
        value = read_plain (self, kind);
      /* Puts the value where it belongs and goes on to the next one, closing what is over. */
      while (self->n > 0 && !wp_json_reader_failed (self->reader))
        {
          if (value != 0)
            wp_array_push (&self->stack, value);
          if (value != 0 && !self->open[self->n - 1].array)
            close_key (&self->stack, &self->open[self->n - 1]);
          if (next_value (self) || wp_json_reader_failed (self->reader))
            break;
          value = close_level (self);
        }
    }
  while (self->n > 0 && !wp_json_reader_failed (self->reader));
  return wp_json_reader_failed (self->reader) ? 0 : value;
}

WpValue
wp_values_read (WpValues *self, WpJsonReader *reader)
{
  g_autofree Reading *reading = g_new0 (Reading, 1);
  WpValue value;

  reading->values = self;
  reading->reader = reader;
  for (guint i = 0; i < G_N_ELEMENTS (reading->tries); i++)
    reading->tries[i][FALSE] = reading->tries[i][TRUE] = (Tries) { .left = TRIES, .pause = FIRST_PAUSE };
  wp_array_add (&reading->keys);
  value = read_all (reading);
  wp_array_clear (&reading->stack);
  wp_array_clear (&reading->keys);
  wp_seen_clear (&reading->seen);
  wp_seen_clear (&reading->key_rows);
  return value;
}
