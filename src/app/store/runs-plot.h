/* A small plot of repeats: a bar for each, in their order, all from zero. */
#pragma once

#include <gtk/gtk.h>

#define WP_TYPE_RUNS_PLOT (wp_runs_plot_get_type ())
G_DECLARE_FINAL_TYPE (WpRunsPlot, wp_runs_plot, WP, RUNS_PLOT, GtkWidget)

void wp_runs_plot_set (WpRunsPlot *self, const double *values, guint n); /* copied; none above 0: nothing is drawn */
