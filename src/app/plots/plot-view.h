/* One of the views of a profile that explains no process: what is chosen in it, the picture or a message in its place, and what of the picture
 * was clicked. */
#pragma once

#include "app/plots/chart-area.h"
#include "app/plots/grid-table.h"
#include "app/plots/plot-choosers.h"
#include "app/plots/plot-details.h"
#include "app/canvas/view.h"

typedef struct
{
  GtkStack *stack; /* "shown", "message" */
  AdwStatusPage *message;
  WpView *view;    /* one of these */
  WpChartArea *chart;
  WpGridTable *table;
  GtkTextView *text;
  WpPlotChoosers *choosers;
  WpPlotNotes *notes; /* of the rows, or NULL */
  GtkWidget *details;
  gboolean drawn, wanted;
} WpPlotView;

/* Its widget; `chosen` is called when something else is chosen. It stays where it is in memory for as long as the widget lives. */
GtkWidget *wp_plot_view_build (WpPlotView *self, WpPlot plot, WpPlots *plots, WpPlotChosen chosen, gpointer data);
void wp_plot_view_clear (WpPlotView *self);
void wp_plot_view_show (WpPlotView *self, WpPlotPicture *picture); /* takes what is in the picture */
void wp_plot_view_show_message (WpPlotView *self, const char *message);
char *wp_plot_view_text (const WpPlotView *self); /* NULL: it shows none; free with g_free() */
