/* Shows a chart: wheel and drag zoom and pan, what is under the pointer is told, the keyboard does all of it, too (W, S, A, D, F and the
 * arrows from point to point). */
#pragma once

#include <gtk/gtk.h>

#include "app/shared.h"
#include "paint/paint.h"

#define WP_TYPE_CHART_AREA (wp_chart_area_get_type ())
G_DECLARE_FINAL_TYPE (WpChartArea, wp_chart_area, WP, CHART_AREA, GtkDrawingArea)

GtkWidget *wp_chart_area_new (const char *name);
void wp_chart_area_set_chart (WpChartArea *self, WpShared *chart); /* WpChart, or NULL */
WpShared *wp_chart_area_chart (WpChartArea *self);
const WpChartView *wp_chart_area_view (WpChartArea *self);
void wp_chart_area_zoom (WpChartArea *self, double factor);
void wp_chart_area_fit (WpChartArea *self);
