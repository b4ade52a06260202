#include "plots/shared-series.h"

#include "base/hash.h"
#include "base/sort.h"

#include <glib/gi18n.h>
#include <math.h>

typedef struct
{
  WpValue value;
  guint32 first; /* its first resource: what comes first stays where the weights are the same */
  double weight;
} Weighed;

WP_DEFINE_COMPARE (compare_first, Weighed, first)

static int
compare_weights (const void *a, const void *b)
{
  const Weighed *x = a, *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return compare_first (a, b);
}

/* The different values of a column with what they weigh. */
static GArray *
weigh (const WpResourceTable *table, const WpValue *cells, const WpValue *of)
{
  g_autoptr (GHashTable) known = g_hash_table_new (wp_hash_pointer, NULL);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Weighed));

  for (guint32 i = 0; i < table->n_rows; i++)
    {
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, GUINT_TO_POINTER (cells[i])));
      double weight = of != NULL ? fabs (wp_value_number (table->values, of[i])) : 1;

      if (cells[i] == 0)
        continue;
      if (at == 0)
        {
          g_array_append_val (found, ((Weighed) { cells[i], i, 0 }));
          g_hash_table_insert (known, GUINT_TO_POINTER (cells[i]), GUINT_TO_POINTER (at = found->len));
        }
      if (isfinite (weight))
        g_array_index (found, Weighed, at - 1).weight += weight;
    }
  return found;
}

/* The profile's table, whose columns it shares. */
static void
share_table (WpPlotOthers *self, const WpPlots *kinds)
{
  *self = (WpPlotOthers) { .table = *kinds->table };
  self->table.cells = g_ptr_array_new ();
  for (guint c = 0; c < kinds->table->cells->len; c++)
    g_ptr_array_add (self->table.cells, g_ptr_array_index (kinds->table->cells, c));
}

static void
replace (WpPlotOthers *self, const WpValue *cells)
{
  self->cells = g_memdup2 (cells, (gsize) self->table.n_rows * sizeof *cells);
  for (guint32 i = 0; i < self->table.n_rows; i++)
    if (cells[i] != 0 && !g_hash_table_contains (self->ranks, GUINT_TO_POINTER (cells[i])))
      self->cells[i] = self->others;
  for (guint c = 0; c < self->table.cells->len; c++)
    if (g_ptr_array_index (self->table.cells, c) == cells)
      g_ptr_array_index (self->table.cells, c) = self->cells;
}

static void
rank (WpPlotOthers *self, GArray *kept)
{
  g_array_sort (kept, compare_first);
  for (guint i = 0; i < kept->len; i++)
    g_hash_table_insert (self->ranks, GUINT_TO_POINTER (g_array_index (kept, Weighed, i).value), GUINT_TO_POINTER (i + 1));
}

void
wp_plot_others_gather (WpPlotOthers *self, WpPlots *kinds, const char *field, const char *of, guint32 most)
{
  const WpValue *cells = wp_resource_table_column (kinds->table, field);
  g_autoptr (GArray) found = NULL;
  g_autofree char *name = NULL;
  guint32 n_others;

  share_table (self, kinds);
  self->ranks = g_hash_table_new (wp_hash_pointer, NULL);
  if (cells == NULL)
    return;
  found = weigh (kinds->table, cells, of != NULL ? wp_resource_table_column (kinds->table, of) : NULL);
  n_others = found->len > most + 1 ? found->len - most : 0;
  if (n_others > 0)
    {
      g_array_sort (found, compare_weights);
      g_array_set_size (found, most);
    }
  rank (self, found);
  if (n_others == 0)
    return;
  name = g_strdup_printf (ngettext ("%u other", "%u others", n_others), n_others);
  self->others = wp_values_string (kinds->profile->values, name);
  replace (self, cells);
}

void
wp_plot_others_clear (WpPlotOthers *self)
{
  g_clear_pointer (&self->table.cells, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_free);
  g_clear_pointer (&self->ranks, g_hash_table_unref);
}

guint
wp_plot_series_color (const WpPlotOthers *self, WpValue value)
{
  guint rank_of = GPOINTER_TO_UINT (g_hash_table_lookup (self->ranks, GUINT_TO_POINTER (value)));

  return self->others != 0 && value == self->others ? WP_PLOT_SERIES_MOST : MAX (rank_of, 1) - 1;
}

guint32
wp_plot_count_texts (const WpPlots *kinds, const char *field)
{
  const WpValue *cells = wp_resource_table_column (kinds->table, field);
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);

  for (guint32 i = 0; cells != NULL && i < kinds->table->n_rows; i++)
    if (cells[i] != 0)
      {
        if (wp_value_is_number (kinds->profile->values, cells[i]))
          return 0;
        g_hash_table_add (seen, GUINT_TO_POINTER (cells[i]));
      }
  return g_hash_table_size (seen);
}
