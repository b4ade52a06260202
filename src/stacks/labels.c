#include "stacks/labels.h"

#include "base/hash.h"
#include "stacks/measure.h"

static const char *
usual_unit (const char *key)
{
  return g_str_equal (key, "request") || g_str_equal (key, "alignment") ? "bytes" : key;
}

GHashTable *
wp_label_units (const WpStacks *stacks)
{
  GHashTable *units = g_hash_table_new (wp_hash_pointer, g_direct_equal);
  const WpLabelSets *sets = stacks->labels;
  GHashTableIter iter;
  gpointer key, unit;

  for (guint32 i = 0; i < sets->labels.len; i++)
    {
      const WpLabel *label = &sets->labels.data[i];

      if (label->is_number && g_hash_table_lookup (units, GUINT_TO_POINTER (label->key)) == NULL)
        g_hash_table_insert (units, GUINT_TO_POINTER (label->key),
                             label->unit != 0 ? (gpointer) wp_stacks_text (stacks, label->unit) : NULL);
    }
  g_hash_table_iter_init (&iter, units);
  while (g_hash_table_iter_next (&iter, &key, &unit))
    if (unit == NULL)
      g_hash_table_iter_replace (&iter, (gpointer) usual_unit (wp_stacks_text (stacks, GPOINTER_TO_UINT (key))));
  return units;
}

WpId
wp_label_key (const WpStacks *stacks, const char *key)
{
  WpId id = wp_strings_find (stacks->strings, key);

  return id != 0 || *key == '\0' ? id : G_MAXUINT32;
}

static gboolean
has_unit (const WpStacks *stacks, const WpLabelSet *row, WpId key)
{
  for (guint32 i = row->first; i < row->first + row->n; i++)
    if (stacks->labels->labels.data[i].key == key && stacks->labels->labels.data[i].is_number && stacks->labels->labels.data[i].unit != 0)
      return TRUE;
  return FALSE;
}

guint
wp_label_append_values (const WpStacks *stacks, WpId set, WpId key, const char *unit, GString *out)
{
  const WpLabelSet *row = &stacks->labels->sets.data[set];
  const char *in = has_unit (stacks, row, key) ? unit : "";
  guint n = 0;

  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &stacks->labels->labels.data[i];
      gsize length = 0;

      if (label->key != key)
        continue;
      if (n++ > 0)
        g_string_append_c (out, ',');
      if (label->is_number)
        {
          g_autofree char *text = wp_measure_text (label->number, wp_stacks_text (stacks, label->unit), in);

          g_string_append (out, text);
        }
      else
        {
          const char *bytes = wp_strings_bytes (stacks->strings, label->text, &length);

          g_string_append_len (out, bytes, (gssize) length);
        }
    }
  return n;
}

guint8 *
wp_stacks_base_sets (const WpStacks *stacks)
{
  const WpLabelSets *sets = stacks->labels;
  WpId key = wp_strings_find (stacks->strings, WP_LABEL_BASE), yes = wp_strings_find (stacks->strings, "true");
  guint8 *marked;

  if (key == 0 || yes == 0)
    return NULL;
  marked = g_new0 (guint8, sets->sets.len);
  for (WpId set = 1; set < sets->sets.len; set++)
    for (guint32 i = 0; i < sets->sets.data[set].n; i++)
      {
        const WpLabel *label = &sets->labels.data[sets->sets.data[set].first + i];

        if (!label->is_number && label->key == key && label->text == yes)
          marked[set] = TRUE;
      }
  return marked;
}
