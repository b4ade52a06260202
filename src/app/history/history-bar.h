/* The bar over the history plot: which figure is shown, of which command, and what can be done with the picked points.
 *
 * Signals: chosen (): another figure or command; open (), compare (), export (): of the picked points, of the plot. */
#pragma once

#include <adwaita.h>

#include "store/history.h"

#define WP_TYPE_HISTORY_BAR (wp_history_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpHistoryBar, wp_history_bar, WP, HISTORY_BAR, AdwBin)

GtkWidget *wp_history_bar_new (void);
void wp_history_bar_fill (WpHistoryBar *self, const WpHistory *history); /* with what was run */

WpFigure wp_history_bar_figure (WpHistoryBar *self); /* its text is the entry's */
guint32 wp_history_bar_line (WpHistoryBar *self);    /* or WP_HISTORY_ALL */

void wp_history_bar_allow (WpHistoryBar *self, gboolean open, gboolean compare, gboolean export);
