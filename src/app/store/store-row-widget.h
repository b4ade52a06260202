/* One row of the Store page on the screen: a heading, a commit or a profile, all of one height. A list makes as many of them as are
 * seen and shows one row after the other in each. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/store/store-model.h"

#define WP_TYPE_STORE_ROW_WIDGET (wp_store_row_widget_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreRowWidget, wp_store_row_widget, WP, STORE_ROW_WIDGET, GtkWidget)

GtkWidget *wp_store_row_widget_new (WpStoreModel *model);
void wp_store_row_widget_show (WpStoreRowWidget *self, WpStoreRow *row, guint position); /* NULL: none */
guint wp_store_row_widget_position (WpStoreRowWidget *self);
WpStoreRow *wp_store_row_widget_row (WpStoreRowWidget *self);
