/* What the charts of a profile share: fields and units. */
#pragma once

#include "plots/shared-series.h"
#include "plots/plots-private.h"

#define WP_PLOT_ALL (G_MAXUINT32 - 1)     /* as many as there are */

const char *wp_plot_field_or (const char *chosen, const char *otherwise);
gboolean wp_plot_has_number (const WpPlots *self, const char *field); /* whether it is one of the fields that hold numbers */

/* Amounts have the unit of the profile, after they have been multiplied by their factor; other fields have none, and 1. */
void wp_plot_set_unit (WpPlots *self, WpChartAxis *axis, const char *field);
double wp_plot_factor (const WpPlots *self, const char *field);
gboolean wp_plot_keeps_unit (WpGroupFunc func); /* counts have no unit */

WpChart *wp_plot_grouped_chart (WpPlots *self, WpGroupFunc func, const char *of, const char *per); /* with title and axes */
