/* What the charts of a profile share. */
#include "plots/charts.h"

#include <glib/gi18n.h>

#define SIZE "structure-unit-size"

const char *
wp_plot_field_or (const char *chosen, const char *otherwise)
{
  return chosen != NULL && *chosen != '\0' ? chosen : otherwise;
}

gboolean
wp_plot_has_number (const WpPlots *self, const char *field)
{
  return g_strv_contains ((const char *const *) self->numeric, field);
}

void
wp_plot_set_unit (WpPlots *self, WpChartAxis *axis, const char *field)
{
  if (g_str_equal (field, "amount"))
    axis->unit = self->unit;
}

double
wp_plot_factor (const WpPlots *self, const char *field)
{
  return g_str_equal (field, "amount") ? self->unit_factor : 1;
}

const char *
wp_plot_along (const WpPlots *self, WpPlot kind)
{
  const char *flow = kind == WP_PLOT_FLOW ? wp_plot_flow_field (self) : NULL;

  if (flow != NULL)
    return flow;
  if (kind == WP_PLOT_SCATTER)
    return wp_plot_has_number (self, SIZE) ? SIZE : "snapshots";
  return self->n_snapshots > 1 ? "snapshots" : "uid";
}

gboolean
wp_plot_keeps_unit (WpGroupFunc func)
{
  return func != WP_GROUP_COUNT && func != WP_GROUP_NUNIQUE;
}

WpChart *
wp_plot_grouped_chart (WpPlots *self, WpGroupFunc func, const char *of, const char *per)
{
  g_autofree char *name = wp_plot_keeps_unit (func) ? wp_plot_axis_name (self, of) : g_strdup (of);
  g_autofree char *y_name = g_strdup_printf (_ ("%s of %s"), wp_group_func_id (func), name);
  g_autofree char *title = g_strdup_printf (_ ("%s per %s"), y_name, per);
  WpChart *chart = wp_chart_new (title, per, y_name);

  if (wp_plot_keeps_unit (func))
    wp_plot_set_unit (self, &chart->y, of);
  return chart;
}
