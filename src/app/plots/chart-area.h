/* Shows a chart: wheel and drag zoom and pan, what is under the pointer is told, the keyboard does all of it, too (W, S, A, D, F and the
 * arrows from point to point, Return and Shift+Return).
 *
 * Signals:
 *   point-picked (guint point, gboolean too)   clicked, or Return; `too`: beside what was picked before (with Shift or Ctrl)
 *   point-opened (guint point)                 clicked twice */
#pragma once

#include <gtk/gtk.h>

#include "paint/paint.h"
#include "workspace/shared.h"

#define WP_TYPE_CHART_AREA (wp_chart_area_get_type ())
G_DECLARE_FINAL_TYPE (WpChartArea, wp_chart_area, WP, CHART_AREA, GtkDrawingArea)

GtkWidget *wp_chart_area_new (const char *name);
void wp_chart_area_set_chart (WpChartArea *self, WpShared *chart); /* WpChart, or NULL */
/* The same picture with something changed: what is seen and pointed at stays. */
void wp_chart_area_replace_chart (WpChartArea *self, WpShared *chart);
WpShared *wp_chart_area_chart (WpChartArea *self);
const WpChartView *wp_chart_area_view (WpChartArea *self);
void wp_chart_area_zoom (WpChartArea *self, double factor);
void wp_chart_area_fit (WpChartArea *self);
