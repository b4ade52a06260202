/* convert: what views draw, as JSON. */
#include "cli/convert.h"
#include "cli/output.h"
#include "profile/model/groups.h"
#include "profile/model/heap-map.h"
#include "profile/model/scatter.h"

#define HEAP_LINES_MAX 4000000 /* of a heap map any profile may have, … */
#define HEAP_LINES_EACH 64     /* … and so many for each allocation */

/* --- memory ----------------------------------------------------------------------------------------------------------- */

static void
write_value (WpConversion *self, const char *key, WpValue value)
{
  wp_cli_write_value (self->json, key, self->profile, value);
}

static void
write_allocation (WpConversion *self, const WpAllocation *allocation)
{
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_int (self->json, "address", allocation->address);
  write_value (self, "subtype", allocation->subtype);
  wp_json_writer_int (self->json, "amount", allocation->amount);
  wp_json_writer_uint (self->json, "uid", allocation->uid);
  wp_json_writer_end (self->json);
}

static void
write_allocations (WpConversion *self, const WpHeapMap *map, guint32 i)
{
  WpIdArray rows = { 0 };

  wp_json_writer_array (self->json, "map", WP_JSON_TIGHT);
  wp_heap_map_at (map, i, &rows);
  for (guint32 k = 0; k < rows.len; k++)
    {
      write_allocation (self, &map->allocations.data[rows.data[k]]);
      wp_cli_flush_full (self->out);
    }
  wp_array_clear (&rows);
  wp_json_writer_end (self->json);
}

static void
write_snapshot (WpConversion *self, const WpHeapMap *map, guint32 i)
{
  const WpHeapSnapshot *snapshot = &map->snapshots.data[i];

  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  write_value (self, "time", snapshot->time);
  write_allocations (self, map, i);
  if (snapshot->n > 0)
    {
      wp_json_writer_int (self->json, "max_address", snapshot->max_address);
      wp_json_writer_int (self->json, "min_address", snapshot->min_address);
      wp_json_writer_int (self->json, "sum_amount", snapshot->sum_amount);
      wp_json_writer_int (self->json, "max_amount", snapshot->max_amount);
      wp_json_writer_int (self->json, "min_amount", snapshot->min_amount);
    }
  wp_json_writer_end (self->json);
}

/* Each snapshot lists all that is alive: what is never freed is written as often as there are snapshots. */
static gboolean
can_be_listed (const WpHeapMap *map, const char *path, GError **error)
{
  guint64 n = 0;

  for (guint32 i = 0; i < map->snapshots.len; i++)
    n += map->snapshots.data[i].n;
  if (n <= HEAP_LINES_MAX + HEAP_LINES_EACH * (guint64) map->allocations.len)
    return TRUE;
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE,
               "%s: a heap map of %" G_GUINT64_FORMAT " lines is too large to be written; “view heap-map” draws it", path, n);
  return FALSE;
}

gboolean
wp_convert_heap_map (WpConversion *self, GError **error)
{
  g_autoptr (WpHeapMap) map = wp_heap_map_new (self->profile, error);

  if (map == NULL || !can_be_listed (map, self->profile->path, error))
    return FALSE;
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "type", "heap");
  wp_json_writer_string (self->json, "unit", map->unit);
  wp_json_writer_object (self->json, "stats", WP_JSON_TIGHT);
  wp_json_writer_int (self->json, "max_address", map->max_address);
  wp_json_writer_int (self->json, "min_address", map->min_address);
  wp_json_writer_int (self->json, "max_sum_amount", map->max_sum_amount);
  wp_json_writer_int (self->json, "max_amount", map->max_amount);
  wp_json_writer_int (self->json, "min_amount", map->min_amount);
  wp_json_writer_end (self->json);
  wp_cli_write_values (self->json, "info", self->profile, &(WpIdArray) { .data = map->info.data, .len = map->info.len });
  wp_json_writer_array (self->json, "snapshots", WP_JSON_LINES);
  for (guint32 i = 0; i < map->snapshots.len; i++)
    write_snapshot (self, map, i);
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  return TRUE;
}

gboolean
wp_convert_heat_map (WpConversion *self, GError **error)
{
  g_autoptr (WpHeatMap) map = wp_heat_map_new (self->profile, error);

  if (map == NULL)
    return FALSE;
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "type", "heat");
  wp_json_writer_string (self->json, "unit", map->unit);
  wp_json_writer_object (self->json, "stats", WP_JSON_TIGHT);
  wp_json_writer_int (self->json, "max_address", map->max_address);
  wp_json_writer_int (self->json, "min_address", map->min_address);
  wp_json_writer_end (self->json);
  wp_json_writer_array (self->json, "map", WP_JSON_TIGHT);
  for (guint32 i = 0; i < map->map.len; i++)
    {
      wp_json_writer_uint (self->json, NULL, map->map.data[i]);
      wp_cli_flush_full (self->out);
    }
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  return TRUE;
}

/* --- models ----------------------------------------------------------------------------------------------------------- */

static void
write_numbers (WpConversion *self, const char *key, const double *numbers, guint n)
{
  wp_json_writer_array (self->json, key, WP_JSON_TIGHT);
  for (guint i = 0; i < n; i++)
    wp_cli_write_number (self->json, NULL, numbers[i]);
  wp_json_writer_end (self->json);
}

/* A model with plot_x and plot_y; one that is no curve has an error in their place. */
static void
write_plot (WpConversion *self, guint32 i)
{
  const WpValues *values = self->profile->values;
  WpValue members = self->profile->models.data[i];
  double x[WP_MODEL_PLOT_POINTS], y[WP_MODEL_PLOT_POINTS];
  g_autoptr (GError) error = NULL;
  WpModel model;

  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  for (guint32 m = 0; m < wp_value_count (values, members); m++)
    write_value (self, wp_value_string (values, wp_value_key (values, members, m)), wp_value_item (values, members, m));
  if (!wp_model_read (self->profile, i, &model, &error))
    wp_json_writer_string (self->json, "error", error->message);
  else
    {
      wp_model_plot (&model, values, WP_MODEL_PLOT_POINTS, x, y);
      write_numbers (self, "plot_x", x, WP_MODEL_PLOT_POINTS);
      write_numbers (self, "plot_y", y, WP_MODEL_PLOT_POINTS);
    }
  wp_json_writer_end (self->json);
}

gboolean
wp_convert_plot (WpConversion *self, GError **error G_GNUC_UNUSED)
{
  wp_json_writer_array (self->json, NULL, WP_JSON_LINES);
  for (guint32 i = 0; i < self->profile->models.len; i++)
    {
      write_plot (self, i);
      wp_cli_flush_full (self->out);
    }
  wp_json_writer_end (self->json);
  return TRUE;
}

static void
write_scatter (WpConversion *self, const WpScatter *scatter)
{
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  write_value (self, "uid", scatter->series.uid);
  wp_json_writer_array (self->json, "points", WP_JSON_TIGHT);
  for (guint32 i = 0; i < scatter->series.points.len; i++)
    {
      wp_json_writer_array (self->json, NULL, WP_JSON_TIGHT);
      wp_cli_write_number (self->json, NULL, scatter->series.points.data[i].x);
      wp_cli_write_number (self->json, NULL, scatter->series.points.data[i].y);
      wp_json_writer_end (self->json);
      wp_cli_flush_full (self->out);
    }
  wp_json_writer_end (self->json);
  wp_json_writer_array (self->json, "models", WP_JSON_TIGHT);
  for (guint32 i = 0; i < scatter->models.len; i++)
    write_value (self, NULL, wp_model_value (&scatter->models.data[i], self->profile->values));
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
}

static gboolean
has_numbers (WpConversion *self, const char *key, GError **error)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (self->profile, NULL, error);

  return table != NULL && wp_resource_table_need (table, key, TRUE, error) != NULL;
}

gboolean
wp_convert_scatter (WpConversion *self, GError **error)
{
  const char *per = self->per != NULL ? self->per : "structure-unit-size";
  g_autoptr (GArray) scatters = NULL;

  if (!has_numbers (self, self->of, error) || (self->per != NULL && !has_numbers (self, per, error)))
    return FALSE;
  scatters = wp_scatter_new (self->profile, self->of, per);
  wp_json_writer_array (self->json, NULL, WP_JSON_LINES);
  for (guint i = 0; i < scatters->len; i++)
    write_scatter (self, &g_array_index (scatters, WpScatter, i));
  wp_json_writer_end (self->json);
  return TRUE;
}

/* --- groups ----------------------------------------------------------------------------------------------------------- */

static WpGroupFunc
group_func (const WpConversion *self)
{
  WpGroupFunc func = WP_GROUP_SUM;

  wp_group_func_find (self->function, &func);
  return func;
}

gboolean
wp_convert_bars (WpConversion *self, GError **error)
{
  const char *per = self->per != NULL ? self->per : "snapshots";
  g_autoptr (WpResourceTable) table = wp_resource_table_new (self->profile, NULL, error);
  WpBarArray bars = { 0 };
  gboolean good = table != NULL && wp_bars (table, group_func (self), self->of, per, self->by, &bars, error);

  wp_json_writer_array (self->json, NULL, WP_JSON_LINES);
  for (guint32 i = 0; good && i < bars.len; i++)
    {
      wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
      write_value (self, "per", bars.data[i].per);
      write_value (self, "by", bars.data[i].by);
      wp_cli_write_number (self->json, "value", bars.data[i].value);
      wp_json_writer_end (self->json);
      wp_cli_flush_full (self->out);
    }
  wp_json_writer_end (self->json);
  wp_array_clear (&bars);
  return good; /* if not, what was written is not printed */
}

gboolean
wp_convert_flow (WpConversion *self, GError **error)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (self->profile, NULL, error);
  g_autoptr (WpFlow) flow
    = table != NULL ? wp_flow_new (table, group_func (self), self->of, self->through, self->by, self->accumulate, error) : NULL;

  if (flow == NULL)
    return FALSE;
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_int (self->json, "first", flow->first);
  wp_json_writer_int (self->json, "last", flow->last);
  wp_json_writer_array (self->json, "lines", WP_JSON_LINES);
  for (guint i = 0; i < flow->lines->len; i++)
    {
      const WpFlowLine *line = &g_array_index (flow->lines, WpFlowLine, i);

      wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
      write_value (self, "by", line->by);
      write_numbers (self, "values", line->at.data, line->at.len);
      wp_json_writer_end (self->json);
      wp_cli_flush_full (self->out);
    }
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  return TRUE;
}
