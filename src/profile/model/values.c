/* The values of a document: kept once each, looked at, made. Text is in values-text.c, reading in values-read.c. */
#include "profile/model/values-private.h"

#include <math.h>

/* An id is a kind in the upper four bits and a payload of 28: what is small stands in the payload itself, all else is a row of
 * the kind's column. */
#define PAYLOAD_BITS 28
#define PAYLOAD_MASK ((1u << PAYLOAD_BITS) - 1)
#define SMALL_MAX (1 << (PAYLOAD_BITS - 2)) /* whole numbers below this, and above its negative, stand in the payload */
#define MANY_KEYS WP_VALUES_FEW_KEYS         /* an object with as many has a table of its keys */
#define WIDE_INT 10                         /* the kind of those that do not */

static inline WpValue
make (guint kind, guint32 payload)
{
  g_assert (payload <= PAYLOAD_MASK);
  return kind << PAYLOAD_BITS | payload;
}

static inline guint32
payload_of (WpValue value)
{
  return value & PAYLOAD_MASK;
}

WpValueKind
wp_value_kind (const WpValues *self G_GNUC_UNUSED, WpValue value)
{
  guint kind = value >> PAYLOAD_BITS;

  return kind == WIDE_INT ? WP_VALUE_INT : kind;
}

/* --- keeping each once ------------------------------------------------------------------------------------------------ */

/* The slot of an equal row, or the free one where it belongs. `equal` compares a row with `data`. */
static WpValueSlot *
table_find (WpValueTable *table, guint32 hash, gboolean (*equal) (const WpValues *, guint32, const void *, guint32),
            const WpValues *self, const void *data, guint32 n)
{
  WpValueSlot *found;

  WP_TABLE_RESERVE (table, 1024, 3, slot, slot->row != 0, slot->hash);
  found = WP_TABLE_FIND (table, hash, slot, slot->row == 0 || (slot->hash == hash && equal (self, slot->row, data, n)));
  found->hash = hash;
  return found;
}

static gboolean
wide_equal (const WpValues *self, guint32 row, const void *data, guint32 n G_GNUC_UNUSED)
{
  return memcmp (&self->wide.data[row], data, 8) == 0;
}

/* 64 bits, a whole number's or a float's. */
static guint32
keep_wide (WpValues *self, WpValueTable *table, guint64 bits)
{
  guint32 hash = (guint32) wp_hash_number (bits);
  WpValueSlot *slot = table_find (table, hash, wide_equal, self, &bits, 1);

  if (slot->row == 0)
    {
      slot->row = self->wide.len;
      table->n++;
      wp_array_push (&self->wide, bits);
    }
  return slot->row;
}

static gboolean
words_equal (const WpValues *self, guint32 row, const void *data, guint32 n)
{
  const guint32 *words = self->words.data + row;

  return words[0] == n && (n == 0 || memcmp (words + 1, data, (gsize) n * 4) == 0);
}

static guint32
hash_words (const guint32 *words, guint32 n)
{
  return (guint32) wp_hash_bytes (words, n * sizeof *words);
}

/* The items of an array, or the keys and values of an object. Row: where the number of words stands, the words behind it. */
static guint32
keep_words (WpValues *self, WpValueTable *table, guint32 hash, const guint32 *words, guint32 n)
{
  WpValueSlot *slot = table_find (table, hash, words_equal, self, words, n);
  if (slot->row == 0)
    {
      guint32 row = self->words.len;

      slot->row = row;
      table->n++;
      wp_array_reserve (&self->words, (guint64) row + 1 + n);
      self->words.data[row] = n;
      if (n > 0)
        memcpy (self->words.data + row + 1, words, (gsize) n * 4);
      self->words.len = row + 1 + n;
    }
  return slot->row;
}

/* --- keys of large objects -------------------------------------------------------------------------------------------- */

/* Once for each, when it is made. */
static void
note_members (WpValues *self, WpValue object)
{
  guint32 n = wp_value_count (self, object);

  if (n < MANY_KEYS || wp_pair_map_get (&self->members, object, wp_value_key (self, object, 0)) != 0)
    return;
  for (guint32 i = n; i-- > 0;)
    *wp_pair_map_at (&self->members, object, wp_value_key (self, object, i)) = i + 1;
}

/* --- making ----------------------------------------------------------------------------------------------------------- */

WpValues *
wp_values_new (void)
{
  WpValues *self = g_new0 (WpValues, 1);

  self->strings = wp_strings_new ();
  wp_array_add (&self->wide);
  wp_array_add (&self->words);
  return self;
}

void
wp_values_free (WpValues *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  g_clear_pointer (&self->readable, g_hash_table_unref);
  wp_array_clear (&self->wide);
  wp_array_clear (&self->words);
  wp_pair_map_clear (&self->members);
  WP_TABLE_CLEAR (&self->ints);
  WP_TABLE_CLEAR (&self->reals);
  WP_TABLE_CLEAR (&self->arrays);
  WP_TABLE_CLEAR (&self->objects);
  g_free (self);
}

WpValue
wp_values_null (WpValues *self G_GNUC_UNUSED)
{
  return make (WP_VALUE_NULL, 0);
}

WpValue
wp_values_bool (WpValues *self G_GNUC_UNUSED, gboolean b)
{
  return make (b ? WP_VALUE_TRUE : WP_VALUE_FALSE, 0);
}

WpValue
wp_values_int (WpValues *self, gint64 i)
{
  if (i > -SMALL_MAX && i < SMALL_MAX)
    return make (WP_VALUE_INT, (guint32) (i + SMALL_MAX));
  return make (WIDE_INT, keep_wide (self, &self->ints, (guint64) i));
}

WpValue
wp_values_real (WpValues *self, double d)
{
  guint64 bits;

  memcpy (&bits, &d, 8);
  return make (WP_VALUE_REAL, keep_wide (self, &self->reals, bits));
}

static void
note_readable (WpValues *self, WpId id, const char *s)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->readable == NULL)
    self->readable = g_hash_table_new (wp_hash_pointer, NULL);
  wp_json_append_readable (text, s);
  g_hash_table_insert (self->readable, GUINT_TO_POINTER (id), GUINT_TO_POINTER (wp_strings_intern (self->strings, text->str)));
}

WpValue
wp_values_string (WpValues *self, const char *s)
{
  WpId id = wp_strings_intern (self->strings, s);

  if (wp_json_is_odd (s))
    note_readable (self, id, s);
  return make (WP_VALUE_STRING, id);
}

WpValue
wp_values_plain_string (WpValues *self, const char *s, gsize n)
{
  return make (WP_VALUE_STRING, wp_strings_intern_n (self->strings, s, n));
}

WpValue
wp_values_digits (WpValues *self, const char *digits)
{
  return make (WP_VALUE_NUMBER, wp_strings_intern (self->strings, digits));
}

WpValue
wp_values_find_string (const WpValues *self, const char *s)
{
  WpId id = wp_strings_find (self->strings, s);

  return id != 0 || *s == '\0' ? make (WP_VALUE_STRING, id) : 0;
}

WpValue
wp_values_array (WpValues *self, const WpValue *items, guint32 n)
{
  return make (WP_VALUE_ARRAY, keep_words (self, &self->arrays, hash_words (items, n), items, n));
}

WpValue
wp_values_object (WpValues *self, const WpValue *keys_and_values, guint32 n_keys)
{
  WpValue object = wp_values_expected_object (self, hash_words (keys_and_values, n_keys * 2), keys_and_values, n_keys);

  note_members (self, object);
  return object;
}

guint32
wp_values_expect_object (const WpValues *self, const WpValue *keys_and_values, guint32 n_keys)
{
  guint32 hash = hash_words (keys_and_values, n_keys * 2);

  if (self->objects.slots != NULL)
    __builtin_prefetch (&self->objects.slots[hash & self->objects.mask], 1);
  return hash;
}

WpValue
wp_values_expected_object (WpValues *self, guint32 expected, const WpValue *keys_and_values, guint32 n_keys)
{
  return make (WP_VALUE_OBJECT, keep_words (self, &self->objects, expected, keys_and_values, n_keys * 2));
}

WpValue
wp_values_set (WpValues *self, WpValue object, const char *key, WpValue value)
{
  WpValue key_value = wp_values_string (self, key);
  guint32 n = wp_value_count (self, object), kept = 0;
  g_autofree WpValue *words = g_new (WpValue, 2 * ((gsize) n + 1));
  gboolean done = value == 0;

  for (guint32 i = 0; i < n; i++)
    {
      WpValue k = wp_value_key (self, object, i);

      if (k == key_value && value == 0)
        continue;
      words[2 * kept] = k;
      words[2 * kept++ + 1] = k == key_value ? value : wp_value_item (self, object, i);
      done = done || k == key_value;
    }
  if (!done)
    {
      words[2 * kept] = key_value;
      words[2 * kept++ + 1] = value;
    }
  return wp_values_object (self, words, kept);
}

gboolean
wp_values_are_full (const WpValues *self, guint32 more)
{
  return (guint64) self->words.len + more >= PAYLOAD_MASK || self->wide.len >= PAYLOAD_MASK || wp_strings_count (self->strings) >= PAYLOAD_MASK;
}

/* --- looking ---------------------------------------------------------------------------------------------------------- */

gint64
wp_value_int (const WpValues *self, WpValue value)
{
  switch (value >> PAYLOAD_BITS)
    {
    case WP_VALUE_INT:
      return (gint64) payload_of (value) - SMALL_MAX;
    case WIDE_INT:
      return (gint64) self->wide.data[payload_of (value)];
    default:
      return value >> PAYLOAD_BITS == WP_VALUE_TRUE;
    }
}

double
wp_value_number (const WpValues *self, WpValue value)
{
  double d;

  switch (wp_value_kind (self, value))
    {
    case WP_VALUE_FALSE:
    case WP_VALUE_TRUE:
    case WP_VALUE_INT:
      return (double) wp_value_int (self, value);
    case WP_VALUE_REAL:
      memcpy (&d, &self->wide.data[payload_of (value)], 8);
      return d;
    case WP_VALUE_NUMBER:
      return g_ascii_strtod (wp_value_string (self, value), NULL);
    default:
      return NAN;
    }
}

gboolean
wp_value_is_number (const WpValues *self, WpValue value)
{
  WpValueKind kind = wp_value_kind (self, value);

  return kind == WP_VALUE_INT || kind == WP_VALUE_REAL || kind == WP_VALUE_NUMBER;
}

const char *
wp_value_string (const WpValues *self, WpValue value)
{
  WpId readable = 0;

  if (self->readable != NULL && wp_value_kind (self, value) == WP_VALUE_STRING)
    readable = GPOINTER_TO_UINT (g_hash_table_lookup (self->readable, GUINT_TO_POINTER (payload_of (value))));
  return readable != 0 ? wp_strings_get (self->strings, readable) : wp_value_exact_string (self, value);
}

const char *
wp_value_exact_string (const WpValues *self, WpValue value)
{
  WpValueKind kind = wp_value_kind (self, value);

  return kind == WP_VALUE_STRING || kind == WP_VALUE_NUMBER ? wp_strings_get (self->strings, payload_of (value)) : "";
}

gboolean
wp_value_is_true (const WpValues *self, WpValue value)
{
  switch (wp_value_kind (self, value))
    {
    case WP_VALUE_TRUE:
    case WP_VALUE_NUMBER:
      return TRUE;
    case WP_VALUE_INT:
    case WP_VALUE_REAL:
      return wp_value_number (self, value) != 0;
    case WP_VALUE_STRING:
      return payload_of (value) != 0;
    case WP_VALUE_ARRAY:
    case WP_VALUE_OBJECT:
      return wp_value_count (self, value) > 0;
    default:
      return FALSE;
    }
}

guint32
wp_value_count (const WpValues *self, WpValue value)
{
  WpValueKind kind = wp_value_kind (self, value);

  if (kind != WP_VALUE_ARRAY && kind != WP_VALUE_OBJECT)
    return 0;
  return self->words.data[payload_of (value)] >> (kind == WP_VALUE_OBJECT);
}

WpValue
wp_value_item (const WpValues *self, WpValue value, guint32 i)
{
  const guint32 *words = self->words.data + payload_of (value) + 1;

  return wp_value_kind (self, value) == WP_VALUE_OBJECT ? words[2 * i + 1] : words[i];
}

WpValue
wp_value_key (const WpValues *self, WpValue value, guint32 i)
{
  return self->words.data[payload_of (value) + 1 + 2 * i];
}

const WpValue *
wp_value_words (const WpValues *self, WpValue value, guint32 *n)
{
  const WpValueKind kind = value >> PAYLOAD_BITS;
  const guint32 *words = self->words.data + payload_of (value);

  if (kind != WP_VALUE_ARRAY && kind != WP_VALUE_OBJECT)
    {
      *n = 0;
      return NULL;
    }
  *n = words[0];
  return words + 1;
}

WpValue
wp_value_find (const WpValues *self, WpValue object, WpValue key)
{
  if (key == 0 || wp_value_kind (self, object) != WP_VALUE_OBJECT)
    return 0;
  if (wp_value_count (self, object) >= MANY_KEYS)
    {
      guint32 at = wp_pair_map_get (&self->members, object, key);

      return at != 0 ? wp_value_item (self, object, at - 1) : 0;
    }
  for (guint32 i = 0, n = wp_value_count (self, object); i < n; i++)
    if (wp_value_key (self, object, i) == key)
      return wp_value_item (self, object, i);
  return 0;
}

WpValue
wp_value_get (const WpValues *self, WpValue object, const char *key)
{
  return wp_value_find (self, object, wp_values_find_string (self, key));
}
