/* A thin bar that shows a share and where it begins: rows of such bars make a cumulative graph. */
#pragma once

#include <gtk/gtk.h>

#include "paths/explain.h"

#define WP_TYPE_SHARE_BAR (wp_share_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpShareBar, wp_share_bar, WP, SHARE_BAR, GtkWidget)

/* `before` and `share` are in 0..1: what the rows above have gathered, and what this one adds. */
GtkWidget *wp_share_bar_new (double before, double share);
void wp_share_bar_set (WpShareBar *self, double before, double share);
void wp_share_bar_set_ranks (WpShareBar *self, const double *shares, guint n); /* several instead, one behind the other, the largest first */
void wp_share_bar_set_category (WpShareBar *self, WpCategory category); /* its share has the category's colour in the picture */
