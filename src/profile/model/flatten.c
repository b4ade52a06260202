#include "profile/model/flatten.h"

#include "base/hash.h"
#include "profile/model/values-private.h"

#define TEXT_MAX (1024 * 1024)

/* What an array or object flattens to. */
typedef struct
{
  guint32 first, n; /* of `items`; none for an array */
  WpValue joined;
} Flat;

struct WpFlattener
{
  WpValues *values;
  GHashTable *flats;    /* array or object -> row of `rows` + 1 */
  WP_ARRAY (Flat) rows;
  WpItemArray items;
  GHashTable *prefixed; /* key << 32 | inner key -> "key:inner key" */
  GHashTable *ranks;    /* key -> its digits */
};

WpFlattener *
wp_flattener_new (WpValues *values)
{
  WpFlattener *self = g_new0 (WpFlattener, 1);

  self->values = values;
  self->flats = g_hash_table_new (wp_hash_pointer, NULL);
  self->prefixed = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);
  self->ranks = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  return self;
}

void
wp_flattener_free (WpFlattener *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->flats);
  g_hash_table_unref (self->prefixed);
  g_hash_table_unref (self->ranks);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->items);
  g_free (self);
}

static gboolean
is_nested (const WpFlattener *self, WpValue value)
{
  WpValueKind kind = wp_value_kind (self->values, value);

  return kind == WP_VALUE_OBJECT || kind == WP_VALUE_ARRAY;
}

static const Flat *
flat_of (const WpFlattener *self, WpValue value)
{
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (self->flats, GUINT_TO_POINTER (value)));

  return row != 0 ? &self->rows.data[row - 1] : NULL;
}

static WpValue
prefixed_key (WpFlattener *self, WpValue key, WpValue inner)
{
  gint64 pair = (gint64) ((guint64) key << 32 | inner);
  gpointer known = g_hash_table_lookup (self->prefixed, &pair);
  g_autofree char *text = NULL;
  WpValue both;

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  text = g_strconcat (wp_value_exact_string (self->values, key), ":", wp_value_exact_string (self->values, inner), NULL);
  both = wp_values_string (self->values, text);
  g_hash_table_insert (self->prefixed, g_memdup2 (&pair, sizeof pair), GUINT_TO_POINTER (both));
  return both;
}

/* The flat items of an object all of whose nested values are known. */
static void
append_items (WpFlattener *self, WpValue object, WpItemArray *items)
{
  for (guint32 i = 0, n = wp_value_count (self->values, object); i < n; i++)
    {
      WpValue key = wp_value_key (self->values, object, i), value = wp_value_item (self->values, object, i);
      Flat flat;

      if (!is_nested (self, value))
        {
          wp_array_push (items, ((WpItem) { key, value }));
          continue;
        }
      flat = *flat_of (self, value);
      for (guint32 k = 0; k < flat.n; k++)
        {
          WpItem inner = self->items.data[flat.first + k];

          wp_array_push (items, ((WpItem) { prefixed_key (self, key, inner.key), inner.value }));
        }
      wp_array_push (items, ((WpItem) { key, flat.joined }));
    }
}

/* --- joining ---------------------------------------------------------------------------------------------------------- */

/* Where a key stands among the others of an object: a number without limit, as its digits. Those of unknown keys are made of
 * their characters, as Perun does it, which is as good as any order. */
static const char *
rank_of (WpFlattener *self, WpValue key)
{
  static const struct
  {
    const char *keys, *rank;
  } known[] = { { " bin ", "0" }, { " file source package ", "1" }, { " module ", "2" }, { " class struct structure ", "3" },
                { " function func method procedure ", "4" }, { " line ", "5" }, { " instruction ", "6" } };
  const char *name = wp_value_string (self->values, key), *found = g_hash_table_lookup (self->ranks, GUINT_TO_POINTER (key));
  g_autofree char *word = g_strdup_printf (" %s ", name);
  GString *digits;

  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (known); i++)
    if (*name != '\0' && strchr (name, ' ') == NULL && strstr (known[i].keys, word) != NULL)
      return known[i].rank;
  if (found != NULL)
    return found;
  digits = g_string_new (NULL);
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_printf (digits, "%u", g_utf8_get_char (p) + 6);
  found = g_string_free (digits, FALSE);
  g_hash_table_insert (self->ranks, GUINT_TO_POINTER (key), (gpointer) found);
  return found;
}

typedef struct
{
  const char *rank;
  gsize len;
  guint32 item;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  int by_rank = x->len != y->len ? (x->len < y->len ? -1 : 1) : strcmp (x->rank, y->rank);

  return by_rank != 0 ? by_rank : x->item < y->item ? -1 : 1;
}

static void
append_text (const WpFlattener *self, GString *text, const char *separator, WpValue value)
{
  if (text->len >= TEXT_MAX)
    return;
  g_string_append (text, separator);
  wp_value_exact_str (self->values, value, text);
}

/* Cuts before a character that would reach over the end. */
static WpValue
take_text (WpFlattener *self, GString *text)
{
  gsize end = TEXT_MAX;

  if (text->len > TEXT_MAX)
    {
      while (((guchar) text->str[end] & 0xc0) == 0x80)
        end--;
      g_string_truncate (text, end);
    }
  return wp_values_string (self->values, text->str);
}

static WpValue
join_items (WpFlattener *self, const WpItem *items, guint32 n)
{
  g_autofree Ranked *ranked = g_new (Ranked, (gsize) n + 1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < n; i++)
    {
      ranked[i].rank = rank_of (self, items[i].key);
      ranked[i].len = strlen (ranked[i].rank);
      ranked[i].item = i;
    }
  qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint32 i = 0; i < n; i++)
    append_text (self, text, i > 0 ? ":" : "", items[ranked[i].item].value);
  return take_text (self, text);
}

static WpValue
join_array (WpFlattener *self, WpValue array)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0, n = wp_value_count (self->values, array); i < n; i++)
    {
      WpValue item = wp_value_item (self->values, array, i);
      const Flat *flat = is_nested (self, item) ? flat_of (self, item) : NULL;
      const char *separator = i > 0 ? "," : "";

      if (flat == NULL)
        append_text (self, text, separator, item);
      else if (wp_value_kind (self->values, item) == WP_VALUE_ARRAY)
        append_text (self, text, separator, flat->joined);
      else if (flat->n == 0)
        g_string_append (text, separator);
      else
        for (guint32 k = 0; k < flat->n; k++)
          append_text (self, text, k > 0 ? ":" : separator, self->items.data[flat->first + k].value);
    }
  return take_text (self, text);
}

/* --- each value once -------------------------------------------------------------------------------------------------- */

static void
work_out (WpFlattener *self, WpValue value)
{
  Flat flat = { 0 };

  if (wp_value_kind (self->values, value) == WP_VALUE_ARRAY)
    flat.joined = join_array (self, value);
  else
    {
      WpItemArray items = { 0 };

      append_items (self, value, &items);
      flat.joined = join_items (self, items.data, items.len);
      flat.first = self->items.len;
      flat.n = items.len;
      for (guint32 i = 0; i < items.len; i++)
        wp_array_push (&self->items, items.data[i]);
      wp_array_clear (&items);
    }
  wp_array_push (&self->rows, flat);
  g_hash_table_insert (self->flats, GUINT_TO_POINTER (value), GUINT_TO_POINTER (self->rows.len));
}

/* Works out all that is nested in a value, what is innermost first, and with `itself` the value, too. */
static void
prepare (WpFlattener *self, WpValue value, gboolean itself)
{
  struct
  {
    WpValue value;
    guint32 next;
  } open[WP_JSON_MAX_DEPTH + 2];
  guint n = 0;

  open[n].value = value;
  open[n++].next = 0;
  while (n > 0)
    {
      WpValue top = open[n - 1].value, child = 0;

      if (open[n - 1].next < wp_value_count (self->values, top))
        {
          child = wp_value_item (self->values, top, open[n - 1].next++);
          if (is_nested (self, child) && flat_of (self, child) == NULL && n < G_N_ELEMENTS (open))
            {
              open[n].value = child;
              open[n++].next = 0;
            }
          continue;
        }
      n--;
      if ((n > 0 || itself) && flat_of (self, top) == NULL)
        work_out (self, top);
    }
}

void
wp_flatten (WpFlattener *self, WpValue object, WpItemArray *items)
{
  if (wp_value_kind (self->values, object) != WP_VALUE_OBJECT)
    return;
  prepare (self, object, FALSE);
  append_items (self, object, items);
}

WpValue
wp_flatten_joined (WpFlattener *self, WpValue value)
{
  if (!is_nested (self, value))
    return value;
  if (flat_of (self, value) == NULL)
    prepare (self, value, TRUE);
  return flat_of (self, value)->joined;
}
