/* A button with a popover that asks what is to be done to the resources of a profile: models fitted to them, amounts normalized,
 * clusters found. */
#pragma once

#include <gtk/gtk.h>

#include "plots/plots.h"

typedef void (*WpPlotAnalyseFunc) (const WpPostprocess *what, gpointer user_data);

/* Reads what there is to choose from `plots`, and does not keep it. What `analysed` is given lives only as long as that call. */
GtkWidget *wp_plot_analysis_new (const WpPlots *plots, WpPlotAnalyseFunc analysed, gpointer user_data);
