/* What can be chosen in a view of a profile, as widgets in a bar: they hold the options and tell when those change. */
#pragma once

#include <gtk/gtk.h>

#include "plots/plots.h"

typedef struct WpPlotChoosers WpPlotChoosers;
typedef void (*WpPlotChosen) (WpPlot plot, gpointer user_data);

/* Reads what there is to choose from `plots`, and does not keep it. */
WpPlotChoosers *wp_plot_choosers_new (WpPlot plot, const WpPlots *plots, WpPlotChosen chosen, gpointer user_data);
void wp_plot_choosers_free (WpPlotChoosers *self); /* widgets that still live may not be used after this */
GtkWidget *wp_plot_choosers_widget (WpPlotChoosers *self); /* NULL: there is nothing to choose */
void wp_plot_choosers_step (WpPlotChoosers *self, int by); /* to another snapshot, where there are any */
void wp_plot_choosers_set_peak (WpPlotChoosers *self, guint snapshot); /* where a button leads, once it is known; 0: nowhere */
void wp_plot_choosers_play (WpPlotChoosers *self);         /* starts or stops going through the snapshots */
const WpPlotOptions *wp_plot_choosers_options (WpPlotChoosers *self); /* its texts live until the next change */
