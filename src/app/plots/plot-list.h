/* The names of a profile's views, beside them: one stop of the Tab key, the arrows go through it and choose at once.
 *
 * Signals:
 *   chosen (guint plot)   by the user, or because another one was chosen from outside */
#pragma once

#include <adwaita.h>

#include "plots/plots.h"

#define WP_TYPE_PLOT_LIST (wp_plot_list_get_type ())
G_DECLARE_FINAL_TYPE (WpPlotList, wp_plot_list, WP, PLOT_LIST, AdwBin)

GtkWidget *wp_plot_list_new (const char *name); /* for assistive technology */

/* Bit k of `offered`: WpPlot k is in the list. `current` is chosen; nothing is told of it. */
void wp_plot_list_set (WpPlotList *self, guint offered, WpPlot current);
void wp_plot_list_choose (WpPlotList *self, WpPlot plot);
