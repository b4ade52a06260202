/* What a page shows of a profile that explains no process: the views that suit it, chosen at the side, each with its choices
 * above it, what is selected below it. Views are drawn by a worker when they are looked at for the first time.
 *
 * Signals: changed () — what can be done with it, or which view is shown; told (char *) — what became of an analysis. */
#pragma once

#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "plots/plots.h"

#define WP_TYPE_PLOT_PAGE (wp_plot_page_get_type ())
G_DECLARE_FINAL_TYPE (WpPlotPage, wp_plot_page, WP, PLOT_PAGE, AdwBin)

GtkWidget *wp_plot_page_new (WpShared *kinds); /* a WpPlots, which from now on is only used by this page's worker */

gboolean wp_plot_page_busy (WpPlotPage *self);
gboolean wp_plot_page_unsaved (WpPlotPage *self); /* an analysis changed the profile since it was read or saved */
void wp_plot_page_set_unsaved (WpPlotPage *self, gboolean unsaved);
WpPlot wp_plot_page_current (WpPlotPage *self);

/* What the current view shows; NULL where it is something else, or nothing yet. */
WpCanvas *wp_plot_page_canvas (WpPlotPage *self);
WpShared *wp_plot_page_rows (WpPlotPage *self);
WpShared *wp_plot_page_chart (WpPlotPage *self, WpChartView *view);
WpShared *wp_plot_page_grid (WpPlotPage *self, guint32 **order, guint32 *n); /* with the rows that are shown; free `order` */
char *wp_plot_page_text (WpPlotPage *self); /* the raw text. Free with g_free() */
WpShared *wp_plot_page_kinds (WpPlotPage *self); /* to be asked by workers that hold its lock */

void wp_plot_page_zoom (WpPlotPage *self, double factor); /* 0: everything */
