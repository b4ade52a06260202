#include "stacks/tags.h"

#include "base/hash.h"
#include "base/sort.h"
#include "stacks/labels.h"
#include "stacks/measure.h"
#include "stacks/sums.h"

static const char *
text_of (WpTags *self, const WpStacks *stacks, const WpLabel *label, GHashTable *units, const char *unit)
{
  g_autofree char *changed = NULL;

  if (!label->is_number)
    return g_string_chunk_insert_const (self->texts, wp_stacks_shown (stacks, label->text, &changed));
  changed = wp_measure_text (label->number, g_hash_table_lookup (units, GUINT_TO_POINTER (label->key)), unit);
  return g_string_chunk_insert_const (self->texts, changed);
}

/* A row of a table by its text, which is one of the chunk's. */
static guint32
row_of (GHashTable *rows, gconstpointer text, guint32 next, gboolean *is_new)
{
  gpointer found = g_hash_table_lookup (rows, text);

  *is_new = found == NULL;
  if (*is_new)
    g_hash_table_insert (rows, (gpointer) text, GUINT_TO_POINTER (next + 1));
  return *is_new ? next : GPOINTER_TO_UINT (found) - 1;
}

typedef struct
{
  WpTags *tags;
  GHashTable *keys;    /* text → row */
  GPtrArray *values;   /* tag → GHashTable of text → row */
} Maker;

static WpTag *
find_tag (Maker *self, const char *key, guint32 *row)
{
  gboolean is_new;

  *row = row_of (self->keys, key, self->tags->tags.len, &is_new);
  if (is_new)
    {
      wp_array_push (&self->tags->tags, ((WpTag) { .key = key }));
      g_ptr_array_add (self->values, g_hash_table_new (wp_hash_pointer, g_direct_equal));
    }
  return &self->tags->tags.data[*row];
}

/* Exactly that text. Commas stand between patterns of a filter. */
static const char *
pattern_of_text (WpTags *self, const WpStacks *stacks, const WpLabel *label)
{
  g_autofree char *escaped = g_regex_escape_string (wp_stacks_text (stacks, label->text), -1);
  g_autoptr (GString) pattern = g_string_new (NULL);

  g_string_printf (pattern, "^%s$", escaped);
  g_string_replace (pattern, ",", "\\x2c", 0);
  return g_string_chunk_insert (self->texts, pattern->str);
}

/* All numbers that are shown as this one: none between them is shown otherwise. Ranges have units of a kind only. */
static const char *
pattern_of_numbers (WpTags *self, const WpTagValue *value, const char *unit)
{
  const char *behind = wp_measure_is_alike (unit, unit) ? unit : "";
  g_autoptr (GString) pattern = g_string_new (NULL);

  g_string_printf (pattern, "%" G_GINT64_FORMAT "%s", value->least, behind);
  if (value->most != value->least)
    g_string_append_printf (pattern, ":%" G_GINT64_FORMAT "%s", value->most, behind);
  return g_string_chunk_insert (self->texts, pattern->str);
}

static void
find_patterns_of_numbers (WpTags *self, WpTag *tag)
{
  for (guint32 v = 0; v < tag->values.len; v++)
    if (tag->values.data[v].pattern == NULL)
      tag->values.data[v].pattern = pattern_of_numbers (self, &tag->values.data[v], tag->unit);
}

static WpTagValue *
find_value (Maker *self, WpTag *tag, guint32 row, const char *text)
{
  gboolean is_new;
  guint32 at = row_of (self->values->pdata[row], text, tag->values.len, &is_new);

  if (is_new)
    wp_array_push (&tag->values, ((WpTagValue) { .text = text, .least = G_MAXINT64, .most = G_MININT64 }));
  return &tag->values.data[at];
}

/* The values of all samples with each set. */
static gint64 *
sums_of_sets (const WpStacks *stacks, guint32 type)
{
  gint64 *sums = g_new0 (gint64, stacks->labels->sets.len);

  for (guint32 i = 0; i < stacks->n_samples; i++)
    sums[stacks->sample_labels.data[i]] = wp_sum (sums[stacks->sample_labels.data[i]], stacks->values[type].data[i]);
  return sums;
}

static guint8 *
find_used (const WpStacks *stacks)
{
  guint8 *used = g_new0 (guint8, stacks->labels->sets.len);

  for (guint32 i = 0; i < stacks->n_samples; i++)
    used[stacks->sample_labels.data[i]] = TRUE;
  return used;
}

static void
add_set (Maker *self, const WpStacks *stacks, const WpLabelSet *set, gint64 value, GHashTable *units, const char *unit)
{
  for (guint32 i = set->first; i < set->first + set->n; i++)
    {
      const WpLabel *label = &stacks->labels->labels.data[i];
      g_autofree char *changed = NULL;
      const char *key = g_string_chunk_insert_const (self->tags->texts, wp_stacks_shown (stacks, label->key, &changed));
      guint32 row;
      WpTag *tag = find_tag (self, key, &row);
      WpTagValue *found = find_value (self, tag, row, text_of (self->tags, stacks, label, units, unit));

      tag->sum = wp_sum (tag->sum, value);
      found->sum = wp_sum (found->sum, value);
      if (label->is_number)
        {
          tag->unit = g_hash_table_lookup (units, GUINT_TO_POINTER (label->key));
          found->least = MIN (found->least, label->number);
          found->most = MAX (found->most, label->number);
        }
      else if (found->pattern == NULL)
        found->pattern = pattern_of_text (self->tags, stacks, label);
    }
}

static int
compare_tags (const void *a, const void *b)
{
  return strcmp (((const WpTag *) a)->key, ((const WpTag *) b)->key);
}

static int
compare_values (const void *a, const void *b)
{
  const WpTagValue *x = a, *y = b;

  return x->sum != y->sum ? WP_COMPARE (y->sum, x->sum) : strcmp (x->text, y->text);
}

WpTags *
wp_tags_new (const WpStacks *stacks, guint32 type, const char *unit)
{
  WpTags *tags = g_new0 (WpTags, 1);
  Maker self = { .tags = tags, .keys = g_hash_table_new (wp_hash_pointer, g_direct_equal),
                 .values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref) };
  g_autoptr (GHashTable) units = wp_label_units (stacks);
  g_autofree gint64 *sums = sums_of_sets (stacks, type);
  g_autofree guint8 *used = find_used (stacks);

  tags->texts = g_string_chunk_new (4096);
  for (WpId set = 1; set < stacks->labels->sets.len; set++)
    if (used[set])
      add_set (&self, stacks, &stacks->labels->sets.data[set], sums[set], units, unit);
  for (guint32 i = 0; i < tags->tags.len; i++)
    {
      find_patterns_of_numbers (tags, &tags->tags.data[i]);
      wp_array_sort (&tags->tags.data[i].values, compare_values);
    }
  wp_array_sort (&tags->tags, compare_tags);
  g_hash_table_unref (self.keys);
  g_ptr_array_unref (self.values);
  return tags;
}

void
wp_tags_free (WpTags *self)
{
  for (guint32 i = 0; i < self->tags.len; i++)
    wp_array_clear (&self->tags.data[i].values);
  wp_array_clear (&self->tags);
  g_string_chunk_free (self->texts);
  g_free (self);
}
