/* What the charts of a profile share. */
#include "view/kind-charts.h"

#include <glib/gi18n.h>

#define SIZE "structure-unit-size"

const char *
wp_kind_field_or (const char *chosen, const char *otherwise)
{
  return chosen != NULL && *chosen != '\0' ? chosen : otherwise;
}

gboolean
wp_kind_has_number (const WpKinds *self, const char *field)
{
  return g_strv_contains ((const char *const *) self->numeric, field);
}

void
wp_kind_set_unit (WpKinds *self, WpChartAxis *axis, const char *field)
{
  if (g_str_equal (field, "amount"))
    axis->unit = self->unit;
}

double
wp_kind_factor (const WpKinds *self, const char *field)
{
  return g_str_equal (field, "amount") ? self->unit_factor : 1;
}

const char *
wp_kind_along (const WpKinds *self, WpKind kind)
{
  const char *flow = kind == WP_KIND_FLOW ? wp_kind_flow_field (self) : NULL;

  if (flow != NULL)
    return flow;
  if (kind == WP_KIND_SCATTER)
    return wp_kind_has_number (self, SIZE) ? SIZE : "snapshots";
  return self->n_snapshots > 1 ? "snapshots" : "uid";
}

gboolean
wp_kind_keeps_unit (WpGroupFunc func)
{
  return func != WP_GROUP_COUNT && func != WP_GROUP_NUNIQUE;
}

WpChart *
wp_kind_grouped_chart (WpKinds *self, WpGroupFunc func, const char *of, const char *per)
{
  g_autofree char *name = wp_kind_keeps_unit (func) ? wp_kind_axis_name (self, of) : g_strdup (of);
  g_autofree char *y_name = g_strdup_printf (_ ("%s of %s"), wp_group_func_id (func), name);
  g_autofree char *title = g_strdup_printf (_ ("%s per %s"), y_name, per);
  WpChart *chart = wp_chart_new (title, per, y_name);

  if (wp_kind_keeps_unit (func))
    wp_kind_set_unit (self, &chart->y, of);
  return chart;
}
