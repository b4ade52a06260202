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
append_allocation (WpConversion *self, const WpAllocation *allocation)
{
  g_string_append_printf (self->out, "{\"address\": %" G_GINT64_FORMAT ", \"subtype\": ", allocation->address);
  wp_cli_append_value (self->out, self->profile, allocation->subtype);
  g_string_append_printf (self->out, ", \"amount\": %" G_GINT64_FORMAT ", \"uid\": %u}", allocation->amount, allocation->uid);
}

static void
append_snapshot (WpConversion *self, const WpHeapMap *map, guint32 i)
{
  const WpHeapSnapshot *snapshot = &map->snapshots.data[i];
  WpIdArray rows = { 0 };

  g_string_append (self->out, "{\"time\": ");
  wp_cli_append_value (self->out, self->profile, snapshot->time);
  g_string_append (self->out, ", \"map\": [");
  wp_heap_map_at (map, i, &rows);
  for (guint32 k = 0; k < rows.len; k++)
    {
      g_string_append (self->out, k > 0 ? ", " : "");
      append_allocation (self, &map->allocations.data[rows.data[k]]);
      wp_cli_flush_full (self->out);
    }
  wp_array_clear (&rows);
  g_string_append_c (self->out, ']');
  if (snapshot->n > 0)
    g_string_append_printf (self->out,
                            ", \"max_address\": %" G_GINT64_FORMAT ", \"min_address\": %" G_GINT64_FORMAT
                            ", \"sum_amount\": %" G_GINT64_FORMAT ", \"max_amount\": %" G_GINT64_FORMAT
                            ", \"min_amount\": %" G_GINT64_FORMAT,
                            snapshot->max_address, snapshot->min_address, snapshot->sum_amount, snapshot->max_amount,
                            snapshot->min_amount);
  g_string_append_c (self->out, '}');
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
  g_string_append (self->out, "{\"type\": \"heap\", \"unit\": ");
  wp_cli_append_text (self->out, map->unit);
  g_string_append_printf (self->out,
                          ", \"stats\": {\"max_address\": %" G_GINT64_FORMAT ", \"min_address\": %" G_GINT64_FORMAT
                          ", \"max_sum_amount\": %" G_GINT64_FORMAT ", \"max_amount\": %" G_GINT64_FORMAT
                          ", \"min_amount\": %" G_GINT64_FORMAT "}, \"info\": ",
                          map->max_address, map->min_address, map->max_sum_amount, map->max_amount, map->min_amount);
  wp_cli_append_values (self->out, self->profile, &(WpIdArray) { .data = map->info.data, .len = map->info.len });
  g_string_append (self->out, ", \"snapshots\": [");
  for (guint32 i = 0; i < map->snapshots.len; i++)
    {
      g_string_append (self->out, i > 0 ? ",\n" : "\n");
      append_snapshot (self, map, i);
    }
  g_string_append (self->out, "\n]}\n");
  return TRUE;
}

gboolean
wp_convert_heat_map (WpConversion *self, GError **error)
{
  g_autoptr (WpHeatMap) map = wp_heat_map_new (self->profile, error);

  if (map == NULL)
    return FALSE;
  g_string_append (self->out, "{\"type\": \"heat\", \"unit\": ");
  wp_cli_append_text (self->out, map->unit);
  g_string_append_printf (self->out,
                          ", \"stats\": {\"max_address\": %" G_GINT64_FORMAT ", \"min_address\": %" G_GINT64_FORMAT "}, \"map\": [",
                          map->max_address, map->min_address);
  for (guint32 i = 0; i < map->map.len; i++)
    {
      g_string_append_printf (self->out, i > 0 ? ", %u" : "%u", map->map.data[i]);
      wp_cli_flush_full (self->out);
    }
  g_string_append (self->out, "]}\n");
  return TRUE;
}

/* --- models ----------------------------------------------------------------------------------------------------------- */

static void
append_numbers (WpConversion *self, const char *key, const double *numbers, guint n)
{
  g_string_append_printf (self->out, "\"%s\": [", key);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      wp_cli_append_number (self->out, numbers[i]);
    }
  g_string_append_c (self->out, ']');
}

/* A model with plot_x and plot_y; one that is no curve has an error in their place. */
static void
append_plot (WpConversion *self, guint32 i)
{
  double x[WP_MODEL_PLOT_POINTS], y[WP_MODEL_PLOT_POINTS];
  g_autoptr (GError) error = NULL;
  WpModel model;

  wp_cli_append_value (self->out, self->profile, self->profile->models.data[i]);
  g_string_truncate (self->out, self->out->len - 1);
  if (wp_value_count (self->profile->values, self->profile->models.data[i]) > 0)
    g_string_append (self->out, ", ");
  if (!wp_model_read (self->profile, i, &model, &error))
    {
      g_string_append (self->out, "\"error\": ");
      wp_cli_append_text (self->out, error->message);
    }
  else
    {
      wp_model_plot (&model, self->profile->values, WP_MODEL_PLOT_POINTS, x, y);
      append_numbers (self, "plot_x", x, WP_MODEL_PLOT_POINTS);
      g_string_append (self->out, ", ");
      append_numbers (self, "plot_y", y, WP_MODEL_PLOT_POINTS);
    }
  g_string_append_c (self->out, '}');
}

gboolean
wp_convert_plot (WpConversion *self, GError **error G_GNUC_UNUSED)
{
  g_string_append_c (self->out, '[');
  for (guint32 i = 0; i < self->profile->models.len; i++)
    {
      g_string_append (self->out, i > 0 ? ",\n" : "\n");
      append_plot (self, i);
      wp_cli_flush_full (self->out);
    }
  g_string_append (self->out, "\n]\n");
  return TRUE;
}

static void
append_scatter (WpConversion *self, const WpScatter *scatter)
{
  g_string_append (self->out, "{\"uid\": ");
  wp_cli_append_value (self->out, self->profile, scatter->series.uid);
  g_string_append (self->out, ", \"points\": [");
  for (guint32 i = 0; i < scatter->series.points.len; i++)
    {
      g_string_append (self->out, i > 0 ? ", [" : "[");
      wp_cli_append_number (self->out, scatter->series.points.data[i].x);
      g_string_append (self->out, ", ");
      wp_cli_append_number (self->out, scatter->series.points.data[i].y);
      g_string_append_c (self->out, ']');
      wp_cli_flush_full (self->out);
    }
  g_string_append (self->out, "], \"models\": [");
  for (guint32 i = 0; i < scatter->models.len; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      wp_cli_append_value (self->out, self->profile, wp_model_value (&scatter->models.data[i], self->profile->values));
    }
  g_string_append (self->out, "]}");
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
  g_string_append_c (self->out, '[');
  for (guint i = 0; i < scatters->len; i++)
    {
      g_string_append (self->out, i > 0 ? ",\n" : "\n");
      append_scatter (self, &g_array_index (scatters, WpScatter, i));
    }
  g_string_append (self->out, "\n]\n");
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

  g_string_append (self->out, good ? "[" : "");
  for (guint32 i = 0; good && i < bars.len; i++)
    {
      g_string_append (self->out, i > 0 ? ",\n{\"per\": " : "\n{\"per\": ");
      wp_cli_append_value (self->out, self->profile, bars.data[i].per);
      g_string_append (self->out, ", \"by\": ");
      wp_cli_append_value (self->out, self->profile, bars.data[i].by);
      g_string_append (self->out, ", \"value\": ");
      wp_cli_append_number (self->out, bars.data[i].value);
      g_string_append_c (self->out, '}');
      wp_cli_flush_full (self->out);
    }
  g_string_append (self->out, good ? "\n]\n" : "");
  wp_array_clear (&bars);
  return good;
}

gboolean
wp_convert_flow (WpConversion *self, GError **error)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (self->profile, NULL, error);
  g_autoptr (WpFlow) flow
    = table != NULL ? wp_flow_new (table, group_func (self), self->of, self->through, self->by, self->accumulate, error) : NULL;

  if (flow == NULL)
    return FALSE;
  g_string_append_printf (self->out, "{\"first\": %" G_GINT64_FORMAT ", \"last\": %" G_GINT64_FORMAT ", \"lines\": [", flow->first,
                          flow->last);
  for (guint i = 0; i < flow->lines->len; i++)
    {
      const WpFlowLine *line = &g_array_index (flow->lines, WpFlowLine, i);

      g_string_append (self->out, i > 0 ? ",\n{\"by\": " : "\n{\"by\": ");
      wp_cli_append_value (self->out, self->profile, line->by);
      g_string_append (self->out, ", ");
      append_numbers (self, "values", line->at.data, line->at.len);
      g_string_append_c (self->out, '}');
      wp_cli_flush_full (self->out);
    }
  g_string_append (self->out, "\n]}\n");
  return TRUE;
}
