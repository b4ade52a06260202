#include "stacks/merge-parts.h"

#include <gio/gio.h>

#include "stacks/measure.h"
#include "stacks/sums.h"

/* "cpu" and "cpus" are one. */
static gboolean
is_same_type (const char *a, const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b);

  n_a -= n_a > 0 && a[n_a - 1] == 's';
  n_b -= n_b > 0 && b[n_b - 1] == 's';
  return n_a == n_b && memcmp (a, b, n_a) == 0;
}

int
wp_merge_type_named (const WpStacks *stacks, const char *name)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    if (g_str_equal (wp_stacks_text (stacks, stacks->types.data[t].type), name))
      return (int) t;
  return -1;
}

const char *
wp_merge_unit_of (const WpStacks *stacks, const char *type)
{
  return wp_stacks_text (stacks, stacks->types.data[wp_merge_type_named (stacks, type)].unit);
}

/* The finest unit of one type in all profiles; NULL and an error where two do not fit. */
static const char *
finest_unit (WpStacks *const *profiles, guint n, const char *type, GError **error)
{
  const char *finest = NULL;

  for (guint i = 0; i < n; i++)
    {
      const char *unit = wp_merge_unit_of (profiles[i], type);

      if (finest != NULL && !g_str_equal (unit, finest) && !wp_measure_is_alike (unit, finest))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles cannot be put together: %s is counted in “%s” and in “%s”", type,
                       finest, unit);
          return NULL;
        }
      if (finest == NULL || wp_measure_ratio (unit, finest) < 1)
        finest = unit;
    }
  return finest;
}

gboolean
wp_merge_types (WpStacksMaker *maker, WpStacks *const *profiles, guint n, GError **error)
{
  const WpStacks *first = profiles[0];
  WpStrings *strings = maker->stacks->strings;

  for (guint32 t = 0; t < first->types.len; t++)
    {
      const char *type = wp_stacks_text (first, first->types.data[t].type), *unit;
      gboolean common = wp_merge_type_named (first, type) == (int) t;

      for (guint i = 1; i < n && common; i++)
        common = wp_merge_type_named (profiles[i], type) >= 0;
      if (!common)
        continue;
      unit = finest_unit (profiles, n, type, error);
      if (unit == NULL)
        return FALSE;
      wp_stacks_maker_type (maker, wp_strings_intern (strings, type), wp_strings_intern (strings, unit));
    }
  if (maker->stacks->types.len == 0)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles have no value type in common, and cannot be put together");
  return maker->stacks->types.len > 0;
}

/* Periods: in the finest unit, the longest one. */
static gboolean
merge_period (WpStacks *stacks, const WpStacks *from, WpStrings *strings, GError **error)
{
  WpStacksHeader *header = &stacks->header;
  const char *type = wp_stacks_text (from, from->header.period_type.type), *unit = wp_stacks_text (from, from->header.period_type.unit);
  const char *before = wp_stacks_text (stacks, header->period_type.type), *unit_before = wp_stacks_text (stacks, header->period_type.unit);
  double ratio = wp_measure_ratio (unit, unit_before);
  gint64 period = from->header.period;

  if (!is_same_type (type, before) || (!g_str_equal (unit, unit_before) && !wp_measure_is_alike (unit, unit_before)))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles cannot be put together: their periods are of “%s %s” and “%s %s”",
                   before, unit_before, type, unit);
      return FALSE;
    }
  if (ratio < 1)
    {
      header->period = wp_whole ((double) header->period / ratio);
      header->period_type.unit = wp_strings_intern (strings, unit);
    }
  else
    period = wp_whole ((double) period * ratio);
  header->period = MAX (header->period, period);
  return TRUE;
}

gboolean
wp_merge_header (WpMergeRows *self, gboolean is_first, GError **error)
{
  WpStacks *stacks = self->to;
  WpStacksHeader *header = &stacks->header;
  const WpStacksHeader *from = &self->from->header;

  if (is_first)
    {
      header->period_type = (WpValueType) { wp_merge_text (self, from->period_type.type), wp_merge_text (self, from->period_type.unit) };
      header->period = from->period;
      header->drop = wp_merge_text (self, from->drop);
      header->keep = wp_merge_text (self, from->keep);
    }
  else if (!merge_period (stacks, self->from, stacks->strings, error))
    return FALSE;
  if (header->time == 0 || from->time < header->time)
    header->time = from->time;
  header->duration = wp_sum (header->duration, from->duration);
  if (header->default_type == 0)
    header->default_type = wp_merge_text (self, from->default_type);
  if (header->doc_url == 0)
    header->doc_url = wp_merge_text (self, from->doc_url);
  for (guint32 i = 0; i < self->from->comments.len; i++)
    {
      WpId comment = wp_merge_text (self, self->from->comments.data[i]);

      if (g_hash_table_add (self->comments, GUINT_TO_POINTER (comment)))
        wp_array_push (&stacks->comments, comment);
    }
  return TRUE;
}

