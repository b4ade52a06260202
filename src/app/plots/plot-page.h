/* The page of a profile that explains no process: the views that suit it, chosen at the side, each with its choices above it, what is
 * selected below it. Views are drawn by a worker when they are looked at for the first time; an analysis changes the profile, and its views
 * are made anew. */
#pragma once

#include <adwaita.h>

#include "app/page/content.h"
#include "app/page/saver.h"

#define WP_TYPE_PLOT_PAGE (wp_plot_page_get_type ())
G_DECLARE_FINAL_TYPE (WpPlotPage, wp_plot_page, WP, PLOT_PAGE, AdwBin)

/* `plots`: a WpPlots, which from now on is only used by this page's worker, and by who holds its lock. `title`: of the tab. */
GtkWidget *wp_plot_page_new (WpShared *plots, const char *title, WpSaver *saver);
WpShared *wp_plot_page_plots (WpPlotPage *self); /* not owned */
