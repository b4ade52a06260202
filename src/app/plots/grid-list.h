/* Rows of a table as a list model: an item is nothing but its number, so that a million of them cost what is in sight. */
#pragma once

#include <gio/gio.h>

#define WP_TYPE_GRID_ROW (wp_grid_row_get_type ())
G_DECLARE_FINAL_TYPE (WpGridRow, wp_grid_row, WP, GRID_ROW, GObject)

WpGridRow *wp_grid_row_new (guint32 row);
guint32 wp_grid_row_number (gpointer row); /* a WpGridRow */

#define WP_TYPE_GRID_LIST (wp_grid_list_get_type ())
G_DECLARE_FINAL_TYPE (WpGridList, wp_grid_list, WP, GRID_LIST, GObject)

WpGridList *wp_grid_list_new (void);
void wp_grid_list_set (WpGridList *self, guint32 *order, guint32 n); /* takes the numbers of rows, in their order */
void wp_grid_list_change (WpGridList *self, guint32 *order, guint32 n, guint32 same); /* the first `same` of them are as they were */
const guint32 *wp_grid_list_order (WpGridList *self, guint32 *n);
