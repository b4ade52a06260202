#include "plots/plots-private.h"

#include "base/find.h"
#include "base/hash.h"

#include <glib/gi18n.h>

/* --- the table ------------------------------------------------------------------------------------------------------- */

static gboolean draw_raw (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);

static const struct
{
  const char *id, *name;
  WpPlotShows shows;
  guint choices;
  WpPlotDraw draw;
} kinds[WP_PLOT_COUNT] = {
  [WP_PLOT_FLAME] = { "flame", N_ ("Flame Graph"), WP_SHOWS_ROWS, WP_CHOOSE_ICICLE | WP_CHOOSE_INVERTED, wp_plot_flame },
  [WP_PLOT_HEAP_MAP] = { "heap-map", N_ ("Heap Map"), WP_SHOWS_ROWS, WP_CHOOSE_SNAPSHOT, wp_plot_heap_map },
  [WP_PLOT_HEAT_MAP] = { "heat-map", N_ ("Heat Map"), WP_SHOWS_CHART, 0, wp_plot_heat_map },
  [WP_PLOT_ALLOCATIONS] = { "allocations", N_ ("Allocations"), WP_SHOWS_GRID, WP_CHOOSE_MODE, wp_plot_allocations },
  [WP_PLOT_SCATTER] = { "scatter", N_ ("Scatter Plot"), WP_SHOWS_CHART, WP_CHOOSE_OF | WP_CHOOSE_PER, wp_plot_scatter },
  [WP_PLOT_BARS] = { "bars", N_ ("Bars"), WP_SHOWS_CHART,
                     WP_CHOOSE_FUNC | WP_CHOOSE_OF | WP_CHOOSE_PER | WP_CHOOSE_BY | WP_CHOOSE_STACKED, wp_plot_bars },
  [WP_PLOT_FLOW] = { "flow", N_ ("Flow"), WP_SHOWS_CHART,
                     WP_CHOOSE_FUNC | WP_CHOOSE_OF | WP_CHOOSE_PER | WP_CHOOSE_BY | WP_CHOOSE_STACKED | WP_CHOOSE_ACCUMULATE,
                     wp_plot_flow },
  [WP_PLOT_RESOURCES] = { "resources", N_ ("Resources"), WP_SHOWS_GRID, 0, wp_plot_resources },
  [WP_PLOT_MODELS] = { "models", N_ ("Models"), WP_SHOWS_GRID, 0, wp_plot_models },
  [WP_PLOT_RAW] = { "raw", N_ ("Raw"), WP_SHOWS_TEXT, 0, draw_raw },
};

const char *
wp_plot_id (WpPlot kind)
{
  return kinds[kind].id;
}

const char *
wp_plot_name (WpPlot kind)
{
  return _(kinds[kind].name);
}

WpPlotShows
wp_plot_shows (WpPlot kind)
{
  return kinds[kind].shows;
}

guint
wp_plot_choices (WpPlot kind)
{
  return kinds[kind].choices;
}

gboolean
wp_plot_find (const char *id, WpPlot *kind)
{
  guint row = WP_FIND_ROW (kinds, id, id);

  if (row < WP_PLOT_COUNT)
    *kind = (WpPlot) row;
  return row < WP_PLOT_COUNT;
}

/* --- what a profile has ---------------------------------------------------------------------------------------------- */

gboolean
wp_plot_frees (const WpPlots *self, guint32 i)
{
  return g_str_equal (wp_value_string (self->profile->values, wp_profile_field (self->profile, i, "subtype")), "free");
}

double
wp_plot_amount (const WpPlots *self, guint32 i)
{
  return wp_value_number (self->profile->values, wp_profile_field (self->profile, i, "amount")) * self->unit_factor;
}

const char *
wp_plot_text (WpPlots *self, WpValue value, GString *buffer)
{
  g_string_truncate (buffer, 0);
  if (value != 0 && wp_value_kind (self->profile->values, value) != WP_VALUE_NULL)
    wp_value_str (self->profile->values, value, buffer);
  return buffer->str;
}

/* Shares have no unit. */
static gboolean
is_normalized (const WpPlots *self)
{
  const WpProfile *p = self->profile;

  for (guint32 i = 0; i < p->postprocessors.len; i++)
    if (g_str_equal (wp_value_string (p->values, wp_value_get (p->values, p->postprocessors.data[i], "name")), "normalizer"))
      return TRUE;
  return FALSE;
}

char *
wp_plot_axis_name (const WpPlots *self, const char *field)
{
  const char *unit = wp_profile_unit (self->profile);

  if (!g_str_equal (field, "amount") || *unit == '\0' || self->unit != WP_UNIT_PLAIN || is_normalized (self))
    return g_strdup (field);
  return g_strdup_printf ("%s (%s)", field, unit);
}

typedef struct
{
  gboolean addresses, traces, sizes;
  guint32 allocations;
} Traits;

static Traits
find_traits (const WpPlots *self)
{
  const WpProfile *p = self->profile;
  Traits traits = { 0 };

  for (guint32 i = 0; i < p->resources.len; i++)
    {
      gboolean address = wp_value_number (p->values, wp_profile_field (p, i, "address")) > 0;

      traits.addresses |= address;
      traits.traces |= wp_value_count (p->values, wp_profile_trace (p, i)) > 0;
      traits.sizes |= wp_value_is_number (p->values, wp_profile_field (p, i, "structure-unit-size"));
      traits.allocations += address && p->resources.data[i].snapshot < self->n_snapshots && !wp_plot_frees (self, i);
    }
  return traits;
}

static guint
find_offered (const WpPlots *self)
{
  Traits traits = find_traits (self);
  gboolean any = self->profile->resources.len > 0, numbers = self->numeric[0] != NULL;
  const gboolean suits[WP_PLOT_COUNT] = {
    [WP_PLOT_FLAME] = traits.traces,
    [WP_PLOT_HEAP_MAP] = traits.allocations > 0,
    [WP_PLOT_HEAT_MAP] = traits.addresses,
    [WP_PLOT_ALLOCATIONS] = traits.addresses,
    [WP_PLOT_SCATTER] = traits.sizes || (self->profile->models.len > 0 && numbers),
    [WP_PLOT_BARS] = any,
    [WP_PLOT_FLOW] = any && numbers && wp_plot_flow_field (self) != NULL,
    [WP_PLOT_RESOURCES] = any,
    [WP_PLOT_MODELS] = self->profile->models.len > 0,
    [WP_PLOT_RAW] = TRUE,
  };
  guint offered = 0;

  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    offered |= suits[k] ? 1u << k : 0;
  return offered;
}

/* Memory: the heap map. What grows with a size: the scatter plot. Time: bars, unless there are stacks. */
WpPlot
wp_plots_first (const WpPlots *self)
{
  static const WpPlot order[] = { WP_PLOT_HEAP_MAP, WP_PLOT_SCATTER, WP_PLOT_FLAME, WP_PLOT_BARS, WP_PLOT_MODELS };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (self->offered & 1u << order[i])
      return order[i];
  return WP_PLOT_RAW;
}

/* What a flow goes along unless something else is chosen; NULL where nothing has more than one place to be at. */
const char *
wp_plot_flow_field (const WpPlots *self)
{
  static const char *const still[] = { "amount", "snapshots", "time", "address", NULL };

  if (self->n_snapshots > 1)
    return "snapshots";
  if (g_strv_contains ((const char *const *) self->numeric, "structure-unit-size"))
    return "structure-unit-size";
  for (guint i = 0; self->numeric[i] != NULL; i++)
    if (!g_strv_contains (still, self->numeric[i]))
      return self->numeric[i];
  return NULL;
}

static gboolean
has_numbers (const WpPlots *self, const WpValue *cells)
{
  for (guint32 i = 0; i < self->table->n_rows; i++)
    if (wp_value_is_number (self->profile->values, cells[i]))
      return TRUE;
  return FALSE;
}

static void
find_fields (WpPlots *self)
{
  g_autoptr (GStrvBuilder) fields = g_strv_builder_new (), numeric = g_strv_builder_new ();

  for (guint32 c = 0; c < self->table->columns.len; c++)
    {
      const char *name = wp_value_string (self->profile->values, self->table->columns.data[c]);

      g_strv_builder_add (fields, name);
      if (has_numbers (self, g_ptr_array_index (self->table->cells, c)))
        g_strv_builder_add (numeric, name);
    }
  self->fields = g_strv_builder_end (fields);
  self->numeric = g_strv_builder_end (numeric);
}

static void
find_functions (WpPlots *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const WpValue *cells = wp_resource_table_column (self->table, "uid:function");

  for (guint32 i = 0; cells != NULL && i < self->table->n_rows; i++)
    if (cells[i] != 0 && g_hash_table_add (seen, GUINT_TO_POINTER (cells[i])))
      g_strv_builder_add (builder, wp_value_string (self->profile->values, cells[i]));
  self->functions = g_strv_builder_end (builder);
}

/* What was made of the resources. */
static void
forget (WpPlots *self)
{
  wp_resource_table_free (g_steal_pointer (&self->table));
  g_clear_pointer (&self->fields, g_strfreev);
  g_clear_pointer (&self->numeric, g_strfreev);
  g_clear_pointer (&self->functions, g_strfreev);
  g_clear_pointer (&self->heap, wp_heap_map_free);
}

static gboolean
make_ready (WpPlots *self, WpProgress *progress, GError **error)
{
  WpResourceTable *table = wp_resource_table_new (self->profile, progress, error);

  if (table == NULL)
    return FALSE;
  forget (self);
  self->table = table;
  self->unit = WP_UNIT_PLAIN;
  self->unit_factor = 1;
  if (!is_normalized (self))
    self->unit = wp_unit_from_name (wp_profile_unit (self->profile), &self->unit_factor);
  find_fields (self);
  find_functions (self);
  self->offered = find_offered (self);
  return TRUE;
}

WpPlots *
wp_plots_new (WpProfile *profile, WpProgress *progress, GError **error)
{
  WpPlots *self = g_new0 (WpPlots, 1);

  g_mutex_init (&self->lock);
  self->profile = profile;
  self->n_snapshots = profile->snapshots.len;
  if (make_ready (self, progress, error))
    return self;
  wp_plots_free (self);
  return NULL;
}

gboolean
wp_plots_postprocess (WpPlots *self, const WpPostprocess *what, guint32 *skipped, WpProgress *progress, GError **error)
{
  guint32 before = self->profile->models.len;

  *skipped = wp_postprocess_run (what, self->profile);
  if (what->which == WP_POSTPROCESS_REGRESSION && self->profile->models.len == before)
    {
      self->profile->postprocessors.len--;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("%s: no uid has enough points of “%s” by “%s” for a model"),
                   self->profile->path, what->regression.of, what->regression.per);
      return FALSE;
    }
  return make_ready (self, progress, error);
}

WpPlots *
wp_plots_open (const char *path, WpProgress *progress, GError **error)
{
  WpProfile *profile = wp_profile_load (path, progress, error);

  return profile != NULL ? wp_plots_new (profile, progress, error) : NULL;
}

void
wp_plots_free (WpPlots *self)
{
  if (self == NULL)
    return;
  forget (self);
  wp_profile_free (self->profile);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
wp_plot_notes_free (WpPlotNotes *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->notes);
  g_free (self);
}

void
wp_plot_picture_free (WpPlotPicture *self)
{
  if (self == NULL)
    return;
  wp_rows_free (self->rows);
  wp_plot_notes_free (self->notes);
  wp_chart_free (self->chart);
  wp_grid_free (self->grid);
  g_free (self->text);
  g_free (self);
}

WpPlotPicture *
wp_plots_draw (WpPlots *self, WpPlot kind, const WpPlotOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpPlotPicture) picture = g_new0 (WpPlotPicture, 1);

  if (!(self->offered & 1u << kind))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("%s: nothing in this profile suits the view “%s”"),
                   self->profile->path, _(kinds[kind].name));
      return NULL;
    }
  return kinds[kind].draw (self, options, picture, progress, error) ? g_steal_pointer (&picture) : NULL;
}

/* --- raw ------------------------------------------------------------------------------------------------------------- */

static void
append_section (WpPlots *self, GString *out, const char *name, WpValue value)
{
  if (value == 0)
    return;
  g_string_append_printf (out, "%s\n", name);
  wp_value_write (self->profile->values, value, 2, out);
  g_string_append (out, "\n\n");
}

static gboolean
draw_raw (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  const WpProfile *p = self->profile;
  GString *out = g_string_new (NULL);

  (void) options, (void) progress, (void) error;
  append_section (self, out, "header", p->header);
  append_section (self, out, "machine", wp_value_get (p->values, p->root, "machine"));
  append_section (self, out, "collector_info", p->collector);
  if (p->postprocessors.len > 0)
    g_string_append (out, "postprocessors\n");
  for (guint32 i = 0; i < p->postprocessors.len; i++)
    {
      wp_value_write (p->values, p->postprocessors.data[i], 2, out);
      g_string_append_c (out, '\n');
    }
  if (p->postprocessors.len > 0)
    g_string_append_c (out, '\n');
  if (p->origin != NULL && *p->origin != '\0')
    g_string_append_printf (out, "origin\n%s\n\n", p->origin);
  g_string_append_printf (out, "%u resources, %u snapshots, %u models\n", p->resources.len, p->snapshots.len, p->models.len);
  picture->text = g_string_free (out, FALSE);
  return TRUE;
}
