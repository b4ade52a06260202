#include "profile/model/query.h"

#include "base/hash.h"

#include <math.h>

/* --- keys of several levels ------------------------------------------------------------------------------------------ */

void
wp_key_path_init (WpKeyPath *self, const WpProfile *profile, const char *key)
{
  g_auto (GStrv) levels = g_strsplit (key, ":", -1);

  *self = (WpKeyPath) { 0 };
  for (guint i = 0; levels[i] != NULL; i++)
    wp_array_push (&self->levels, wp_values_find_string (profile->values, levels[i]));
  if (levels[0] == NULL)
    wp_array_push (&self->levels, wp_values_find_string (profile->values, ""));
}

void
wp_key_path_clear (WpKeyPath *self)
{
  wp_array_clear (&self->levels);
}

typedef struct
{
  WpValue value;
  guint32 level; /* that is to be taken next */
} Step;

typedef WP_ARRAY (Step) StepArray;

static gboolean
is_empty_level (const WpValues *values, WpValue level)
{
  return level != 0 && *wp_value_string (values, level) == '\0';
}

static void
descend (const WpValues *values, const WpKeyPath *key, Step step, StepArray *todo)
{
  WpValue level = key->levels.data[step.level], found;

  if (is_empty_level (values, level) && wp_value_kind (values, step.value) == WP_VALUE_ARRAY)
    {
      for (guint32 i = wp_value_count (values, step.value); i-- > 0;)
        wp_array_push (todo, ((Step) { wp_value_item (values, step.value, i), step.level + 1 }));
      return;
    }
  found = wp_value_find (values, step.value, level);
  if (found != 0)
    wp_array_push (todo, ((Step) { found, step.level + 1 }));
}

void
wp_query_key_values (const WpValues *values, WpValue object, const WpKeyPath *key, WpIdArray *found)
{
  StepArray todo = { 0 };

  wp_array_push (&todo, ((Step) { object, 0 }));
  while (todo.len > 0)
    {
      Step step = todo.data[--todo.len];

      if (step.level == key->levels.len)
        wp_array_push (found, step.value);
      else
        descend (values, key, step, &todo);
    }
  wp_array_clear (&todo);
}

/* --- fields ----------------------------------------------------------------------------------------------------------- */

/* Truth values are numbers here, as they are in Python. */
static gboolean
is_numerical (const WpValues *values, WpValue value)
{
  WpValueKind kind = wp_value_kind (values, value);

  return wp_value_is_number (values, value) || kind == WP_VALUE_FALSE || kind == WP_VALUE_TRUE;
}

void
wp_query_fields (WpProfile *profile, gboolean numerical, WpIdArray *fields)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);
  WpItemArray items = { 0 };

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      items.len = 0;
      wp_flatten (flattener, profile->resources.data[i].value, &items);
      for (guint32 k = 0; k < items.len; k++)
        if ((!numerical || is_numerical (profile->values, items.data[k].value))
            && g_hash_table_add (seen, GUINT_TO_POINTER (items.data[k].key)))
          wp_array_push (fields, items.data[k].key);
    }
  wp_array_clear (&items);
}

/* --- equal values ----------------------------------------------------------------------------------------------------- */

struct WpCanonical
{
  WpValues *values;
  GHashTable *known; /* array or object -> its canonical value + 1, which is 1 for 0 */
};

WpCanonical *
wp_canonical_new (WpValues *values)
{
  WpCanonical *self = g_new0 (WpCanonical, 1);

  self->values = values;
  self->known = g_hash_table_new (wp_hash_pointer, NULL);
  return self;
}

void
wp_canonical_free (WpCanonical *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->known);
  g_free (self);
}

static WpValue
canonical_real (WpCanonical *self, WpValue value)
{
  double d = wp_value_number (self->values, value);

  if (isnan (d))
    return 0;
  return d == floor (d) && fabs (d) < 9e18 ? wp_values_int (self->values, (gint64) d) : value;
}

static WpValue
canonical_plain (WpCanonical *self, WpValue value)
{
  switch (wp_value_kind (self->values, value))
    {
    case WP_VALUE_FALSE:
    case WP_VALUE_TRUE:
      return wp_values_int (self->values, wp_value_int (self->values, value));
    case WP_VALUE_REAL:
      return canonical_real (self, value);
    case WP_VALUE_ARRAY:
    case WP_VALUE_OBJECT:
      return GPOINTER_TO_UINT (g_hash_table_lookup (self->known, GUINT_TO_POINTER (value))) - 1;
    default:
      return value;
    }
}

static int
compare_keys (const void *a, const void *b)
{
  const WpValue *x = a, *y = b;

  return x[0] < y[0] ? -1 : x[0] > y[0];
}

static void
make_canonical (WpCanonical *self, WpValue value)
{
  gboolean array = wp_value_kind (self->values, value) == WP_VALUE_ARRAY, good = TRUE;
  guint32 n = wp_value_count (self->values, value);
  g_autofree WpValue *words = g_new (WpValue, 2 * (gsize) n + 1);
  WpValue made = 0;

  for (guint32 i = 0; i < n; i++)
    {
      WpValue item = canonical_plain (self, wp_value_item (self->values, value, i));

      good = good && item != 0;
      if (!array)
        words[2 * i] = wp_value_key (self->values, value, i);
      words[array ? i : 2 * i + 1] = item;
    }
  if (!array)
    qsort (words, n, 2 * sizeof *words, compare_keys);
  if (good)
    made = array ? wp_values_array (self->values, words, n) : wp_values_object (self->values, words, n);
  g_hash_table_insert (self->known, GUINT_TO_POINTER (value), GUINT_TO_POINTER (made + 1));
}

static gboolean
is_open (const WpCanonical *self, WpValue value)
{
  WpValueKind kind = wp_value_kind (self->values, value);

  return (kind == WP_VALUE_ARRAY || kind == WP_VALUE_OBJECT)
         && !g_hash_table_contains (self->known, GUINT_TO_POINTER (value));
}

WpValue
wp_canonical (WpCanonical *self, WpValue value)
{
  StepArray open = { 0 };

  if (is_open (self, value))
    wp_array_push (&open, ((Step) { value, 0 }));
  while (open.len > 0)
    {
      Step *top = &open.data[open.len - 1];

      if (top->level < wp_value_count (self->values, top->value))
        {
          WpValue child = wp_value_item (self->values, top->value, top->level++);

          if (is_open (self, child))
            wp_array_push (&open, ((Step) { child, 0 }));
        }
      else
        make_canonical (self, open.data[--open.len].value);
    }
  wp_array_clear (&open);
  return canonical_plain (self, value);
}

/* --- unique values ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpValues *values;
  WpCanonical *canonical;
  GHashTable *asked, *seen; /* values as they are, canonical ones */
  WpKeyPath key;
  WpIdArray here, *found;
} Unique;

static void
take_unique (Unique *self, WpValue object)
{
  self->here.len = 0;
  wp_query_key_values (self->values, object, &self->key, &self->here);
  for (guint32 i = 0; i < self->here.len; i++)
    {
      WpValue value = self->here.data[i], same;

      if (g_hash_table_contains (self->asked, GUINT_TO_POINTER (value)))
        continue;
      same = wp_canonical (self->canonical, value);
      if (same != 0)
        g_hash_table_add (self->asked, GUINT_TO_POINTER (value));
      if (same == 0 || g_hash_table_add (self->seen, GUINT_TO_POINTER (same)))
        wp_array_push (self->found, value);
    }
}

static void
unique_init (Unique *self, WpProfile *profile, const char *key, WpIdArray *found)
{
  *self = (Unique) { .values = profile->values, .found = found };
  self->canonical = wp_canonical_new (profile->values);
  self->asked = g_hash_table_new (wp_hash_pointer, NULL);
  self->seen = g_hash_table_new (wp_hash_pointer, NULL);
  wp_key_path_init (&self->key, profile, key);
}

static void
unique_clear (Unique *self)
{
  wp_canonical_free (self->canonical);
  g_hash_table_unref (self->asked);
  g_hash_table_unref (self->seen);
  wp_key_path_clear (&self->key);
  wp_array_clear (&self->here);
}

void
wp_query_unique_resource_values (WpProfile *profile, const char *key, WpIdArray *found)
{
  Unique unique;

  unique_init (&unique, profile, key, found);
  for (guint32 i = 0; i < profile->resources.len; i++)
    take_unique (&unique, profile->resources.data[i].value);
  unique_clear (&unique);
}

void
wp_query_unique_model_values (WpProfile *profile, const char *key, WpIdArray *found)
{
  Unique unique;

  unique_init (&unique, profile, key, found);
  for (guint32 i = 0; i < profile->models.len; i++)
    take_unique (&unique, profile->models.data[i]);
  unique_clear (&unique);
}
