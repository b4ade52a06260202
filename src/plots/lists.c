/* Resources, allocations and models as grids. */
#include "plots/plots-private.h"

#include "base/hash.h"
#include "base/sort.h"

#include <glib/gi18n.h>
#include <math.h>

/* --- resources ------------------------------------------------------------------------------------------------------- */

/* Each distinct value is written once, however many resources have it. */
typedef struct
{
  WpPlots *kinds;
  WpGrid *grid;
  GHashTable *known; /* WpValue -> string of the grid + 1 */
  GString *buffer;
} Writer;

static void
writer_init (Writer *self, WpPlots *kinds, WpGrid *grid)
{
  *self = (Writer) { kinds, grid, g_hash_table_new (wp_hash_pointer, NULL), g_string_new (NULL) };
}

static void
writer_clear (Writer *self)
{
  g_hash_table_unref (self->known);
  g_string_free (self->buffer, TRUE);
}

static WpId
text_of (Writer *self, WpValue value)
{
  gpointer known = g_hash_table_lookup (self->known, GUINT_TO_POINTER (value));
  WpId id;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  id = wp_strings_intern (self->grid->strings, wp_plot_text (self->kinds, value, self->buffer));
  g_hash_table_insert (self->known, GUINT_TO_POINTER (value), GUINT_TO_POINTER (id + 1));
  return id;
}

static void
set_value (Writer *self, guint32 column, guint32 row, WpValue value)
{
  const WpValues *values = self->kinds->profile->values;
  WpGridColumn *c = &self->grid->columns.data[column];

  if (value == 0)
    return;
  c->texts[row] = text_of (self, value);
  if (c->numbers == NULL)
    return;
  if (wp_value_is_number (values, value))
    c->numbers[row] = wp_value_number (values, value);
  else if (c->texts[row] != 0)
    g_clear_pointer (&c->numbers, g_free);
}

static guint32
add_shown (WpGrid *grid, const char *name, WpGridShown shown)
{
  guint32 column = wp_grid_add (grid, name);

  grid->columns.data[column].shown = (guint8) shown;
  return column;
}

/* Numbers in a table have the unit of the profile. */
static char *
column_name (const WpPlots *self, const char *field)
{
  const char *unit = wp_profile_unit (self->profile);

  if (!g_str_equal (field, "amount") || *unit == '\0' || self->unit == WP_UNIT_PLAIN)
    return wp_plot_axis_name (self, field);
  return g_strdup_printf ("%s (%s)", field, unit);
}

gboolean
wp_plot_resources (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  const WpResourceTable *table = self->table;
  gboolean going_on = TRUE;
  Writer writer;

  (void) options;
  picture->grid = wp_grid_new (table->n_rows);
  writer_init (&writer, self, picture->grid);
  for (guint32 c = 0; c < table->columns.len && going_on; c++)
    {
      const WpValue *cells = g_ptr_array_index (table->cells, c);
      g_autofree char *name = column_name (self, wp_value_string (self->profile->values, table->columns.data[c]));
      guint32 column = add_shown (picture->grid, name, WP_GRID_ROUNDED);

      for (guint32 i = 0; i < table->n_rows; i++)
        set_value (&writer, column, i, cells[i]);
      going_on = wp_progress_step (progress, (double) c / table->columns.len, error);
    }
  writer_clear (&writer);
  return going_on;
}

/* --- allocations ------------------------------------------------------------------------------------------------------ */

static void
find_allocations (WpPlots *self, WpIdArray *found)
{
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    if (!wp_plot_frees (self, i) && wp_value_is_number (self->profile->values, wp_profile_field (self->profile, i, "address")))
      wp_array_push (found, i);
}

/* Resources of the newer shape stand by kind, not by time. */
static int
compare_times (const void *a, const void *b, gpointer data)
{
  const WpPlots *self = data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  guint32 x = self->profile->resources.data[i].snapshot, y = self->profile->resources.data[j].snapshot;

  return x != y ? (x < y ? -1 : 1) : i < j ? -1 : i > j;
}

static WpValue
snapshot_time (const WpPlots *self, guint32 i)
{
  guint32 snapshot = self->profile->resources.data[i].snapshot;

  return snapshot < self->profile->snapshots.len ? self->profile->snapshots.data[snapshot] : 0;
}

static const struct
{
  const char *title, *field; /* of a resource or of its uid */
} allocation_columns[] = {
  { N_ ("Time (s)"), NULL },      { N_ ("Kind"), "subtype" },    { N_ ("Address"), "address" }, { N_ ("Amount"), "amount" },
  { N_ ("Function"), "function" }, { N_ ("Source"), "source" }, { N_ ("Line"), "line" },
};

static WpValue
allocation_field (const WpPlots *self, guint32 i, const char *field)
{
  WpValue value, uid;

  if (field == NULL)
    return snapshot_time (self, i);
  value = wp_profile_field (self->profile, i, field);
  uid = wp_profile_field (self->profile, i, "uid");
  if (value != 0)
    return value;
  value = wp_value_get (self->profile->values, uid, field);
  return value == 0 && g_str_equal (field, "function") && wp_value_kind (self->profile->values, uid) == WP_VALUE_STRING ? uid : value;
}

/* Times are texts in the profile. */
static void
set_time (Writer *writer, guint32 row, WpValue time)
{
  const char *text = wp_value_string (writer->kinds->profile->values, time);
  char *end;
  double seconds = g_ascii_strtod (text, &end);

  if (end != text && *end == '\0')
    wp_grid_set_number (writer->grid, 0, row, seconds, text);
  else
    set_value (writer, 0, row, time);
}

static void
set_address (Writer *writer, guint32 column, guint32 row, WpValue value)
{
  double number = wp_value_number (writer->kinds->profile->values, value);
  char text[WP_FORMAT_MAX];

  if (isfinite (number))
    wp_grid_set_number (writer->grid, column, row, number, wp_unit_format (WP_UNIT_ADDRESS, number, text));
}

/* The trace of each; those that are equal are written once. */
static void
add_traces (WpPlots *self, const WpIdArray *found, WpGrid *grid)
{
  g_autoptr (GHashTable) known = g_hash_table_new (wp_hash_pointer, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  grid->details = g_new0 (WpId, (gsize) found->len + 1);
  for (guint32 i = 0; i < found->len; i++)
    {
      WpValue trace = wp_profile_trace (self->profile, found->data[i]);
      gpointer at = g_hash_table_lookup (known, GUINT_TO_POINTER (trace));

      if (at == NULL && trace != 0)
        {
          g_string_truncate (text, 0);
          wp_plot_append_trace (self, trace, text);
          at = GUINT_TO_POINTER (wp_strings_intern (grid->strings, text->str));
          g_hash_table_insert (known, GUINT_TO_POINTER (trace), at);
        }
      grid->details[i] = GPOINTER_TO_UINT (at);
    }
}

/* Amounts are as they are in the profile, in its unit. */
static void
add_column (WpPlots *self, WpGrid *grid, const char *title, gboolean amounts)
{
  const char *unit = amounts && self->unit != WP_UNIT_PLAIN ? wp_profile_unit (self->profile) : "";
  g_autofree char *name = *unit != '\0' ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);

  wp_grid_add (grid, name);
}

static WpGrid *
list_allocations (WpPlots *self, const WpIdArray *found)
{
  WpGrid *grid = wp_grid_new (found->len);
  Writer writer;

  writer_init (&writer, self, grid);
  for (guint32 c = 0; c < G_N_ELEMENTS (allocation_columns); c++)
    {
      const char *field = allocation_columns[c].field;

      add_column (self, grid, _(allocation_columns[c].title), field != NULL && g_str_equal (field, "amount"));
      for (guint32 i = 0; i < found->len; i++)
        {
          WpValue value = allocation_field (self, found->data[i], field);

          if (field == NULL)
            set_time (&writer, i, value);
          else if (g_str_equal (field, "address"))
            set_address (&writer, c, i, value);
          else
            set_value (&writer, c, i, value);
        }
    }
  writer_clear (&writer);
  add_traces (self, found, grid);
  return grid;
}

typedef struct
{
  guint32 resource; /* the first of the group */
  guint32 count;
  double sum;
} Allocator;

typedef WP_ARRAY (Allocator) AllocatorArray;

/* By source and function, whatever the line. */
static void
group_allocations (WpPlots *self, const WpIdArray *found, AllocatorArray *groups)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);

  for (guint32 i = 0; i < found->len; i++)
    {
      guint64 key = (guint64) allocation_field (self, found->data[i], "source") << 32 | allocation_field (self, found->data[i], "function");
      guint32 at = GPOINTER_TO_UINT (g_hash_table_lookup (known, &key));
      double amount = wp_value_number (self->profile->values, wp_profile_field (self->profile, found->data[i], "amount"));

      if (at == 0)
        {
          wp_array_push (groups, ((Allocator) { .resource = found->data[i] }));
          at = groups->len;
          g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (at));
        }
      groups->data[at - 1].count++;
      groups->data[at - 1].sum += isfinite (amount) ? amount : 0;
    }
}

static int
compare_counts (const void *a, const void *b)
{
  const Allocator *x = a, *y = b;

  return x->count != y->count ? (x->count > y->count ? -1 : 1) : x->resource < y->resource ? -1 : x->resource > y->resource;
}

static int
compare_sums (const void *a, const void *b)
{
  const Allocator *x = a, *y = b;

  return x->sum != y->sum ? (x->sum > y->sum ? -1 : 1) : x->resource < y->resource ? -1 : x->resource > y->resource;
}

static WpGrid *
list_allocators (WpPlots *self, const AllocatorArray *groups)
{
  static const char *const titles[] = { N_ ("Function"), N_ ("Source"), N_ ("Allocations"), N_ ("Amount") };
  WpGrid *grid = wp_grid_new (groups->len);
  Writer writer;

  writer_init (&writer, self, grid);
  for (guint32 c = 0; c < G_N_ELEMENTS (titles); c++)
    add_column (self, grid, _(titles[c]), c == G_N_ELEMENTS (titles) - 1);
  for (guint32 i = 0; i < groups->len; i++)
    {
      const Allocator *a = &groups->data[i];
      char text[WP_FORMAT_MAX];

      set_value (&writer, 0, i, allocation_field (self, a->resource, "function"));
      set_value (&writer, 1, i, allocation_field (self, a->resource, "source"));
      g_snprintf (text, sizeof text, "%u", a->count);
      wp_grid_set_number (grid, 2, i, a->count, text);
      wp_grid_set_number (grid, 3, i, a->sum, wp_unit_format_tick (WP_UNIT_PLAIN, a->sum, a->sum == floor (a->sum) ? 1 : 0, text));
    }
  writer_clear (&writer);
  return grid;
}

/* Whether the function allocates itself, or is on the stack of what does. */
static gboolean
is_called_by (const WpPlots *self, guint32 i, WpValue function)
{
  const WpValues *values = self->profile->values;
  WpValue trace = wp_profile_trace (self->profile, i);

  if (allocation_field (self, i, "function") == function)
    return TRUE;
  for (guint32 k = 0; k < wp_value_count (values, trace); k++)
    if (wp_value_get (values, wp_value_item (values, trace, k), "function") == function)
      return TRUE;
  return FALSE;
}

static void
keep_called_by (const WpPlots *self, const char *function, WpIdArray *found)
{
  WpValue wanted = function != NULL ? wp_values_find_string (self->profile->values, function) : 0;
  guint32 n = 0;

  for (guint32 i = 0; i < found->len && function != NULL; i++)
    if (wanted != 0 && is_called_by (self, found->data[i], wanted))
      found->data[n++] = found->data[i];
  if (function != NULL)
    found->len = n;
}

static int
compare_amounts (const void *a, const void *b, gpointer data)
{
  const WpPlots *self = data;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  double x = wp_plot_amount (self, i), y = wp_plot_amount (self, j);

  x = isnan (x) ? -INFINITY : x;
  y = isnan (y) ? -INFINITY : y;
  return x != y ? (x > y ? -1 : 1) : i < j ? -1 : i > j;
}

gboolean
wp_plot_allocations (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  AllocatorArray groups = { 0 };
  WpIdArray found = { 0 };

  (void) progress, (void) error;
  find_allocations (self, &found);
  if (found.len > 0)
    g_qsort_with_data (found.data, (int) found.len, sizeof *found.data, compare_times, self);
  if (options->mode == WP_ALLOCATIONS_MOST || options->mode == WP_ALLOCATIONS_SUM)
    {
      group_allocations (self, &found, &groups);
      wp_array_sort (&groups, options->mode == WP_ALLOCATIONS_MOST ? compare_counts : compare_sums);
      picture->grid = list_allocators (self, &groups);
    }
  else
    {
      if (options->mode == WP_ALLOCATIONS_FUNC)
        keep_called_by (self, options->of, &found);
      if (options->mode == WP_ALLOCATIONS_TOP && found.len > 0)
        g_qsort_with_data (found.data, (int) found.len, sizeof *found.data, compare_amounts, self);
      picture->grid = list_allocations (self, &found);
    }
  wp_array_clear (&groups);
  wp_array_clear (&found);
  return TRUE;
}

/* --- models ----------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *title, *key, *older; /* the key up to 0.17 */
  WpGridShown shown;
} model_columns[] = {
  { N_ ("Of"), "uid", NULL, WP_GRID_TEXT },
  { N_ ("Model"), "model", NULL, WP_GRID_TEXT },
  { N_ ("r²"), "r_square", NULL, WP_GRID_DECIMALS },
  { N_ ("From"), "x_start", "x_interval_start", WP_GRID_ROUNDED },
  { N_ ("To"), "x_end", "x_interval_end", WP_GRID_ROUNDED },
  { N_ ("Method"), "method", NULL, WP_GRID_TEXT },
};

static WpValue
coefficient (const WpValues *values, WpValue model, const char *name)
{
  WpValue coeffs = wp_value_get (values, model, "coeffs");

  for (guint32 i = 0; i < wp_value_count (values, coeffs); i++)
    {
      WpValue coeff = wp_value_item (values, coeffs, i);

      if (g_str_equal (wp_value_string (values, wp_value_get (values, coeff, "name")), name))
        return wp_value_get (values, coeff, "value");
    }
  return 0;
}

gboolean
wp_plot_models (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  static const char *const coefficients[] = { "b0", "b1", "b2" };
  const WpProfile *p = self->profile;
  WpGrid *grid = wp_grid_new (p->models.len);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (p->values);
  Writer writer;

  (void) options, (void) progress, (void) error;
  writer_init (&writer, self, grid);
  for (guint32 c = 0; c < G_N_ELEMENTS (model_columns); c++)
    add_shown (grid, _(model_columns[c].title), model_columns[c].shown);
  for (guint32 c = 0; c < G_N_ELEMENTS (coefficients); c++)
    add_shown (grid, coefficients[c], WP_GRID_ROUNDED);
  for (guint32 i = 0; i < p->models.len; i++)
    {
      for (guint32 c = 0; c < G_N_ELEMENTS (model_columns); c++)
        {
          WpValue value = wp_value_get (p->values, p->models.data[i], model_columns[c].key);

          if (value == 0 && model_columns[c].older != NULL)
            value = wp_value_get (p->values, p->models.data[i], model_columns[c].older);
          set_value (&writer, c, i, wp_flatten_joined (flattener, value));
        }
      for (guint32 c = 0; c < G_N_ELEMENTS (coefficients); c++)
        set_value (&writer, G_N_ELEMENTS (model_columns) + c, i, coefficient (p->values, p->models.data[i], coefficients[c]));
    }
  writer_clear (&writer);
  picture->grid = grid;
  return TRUE;
}
