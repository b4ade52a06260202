/* A grid as a table with sorting columns and a filter. Rows are made as they come into sight, sorting and filtering are a
 * worker's: a million rows are no different from ten.
 *
 * Signals:
 *   row-selected (uint row)   a row of the grid; G_MAXUINT32: none
 *   row-activated (uint row)  double click or Return */
#pragma once

#include <adwaita.h>

#include "plots/grid.h"
#include "workspace/shared.h"

#define WP_TYPE_GRID_TABLE (wp_grid_table_get_type ())
G_DECLARE_FINAL_TYPE (WpGridTable, wp_grid_table, WP, GRID_TABLE, AdwBin)

GtkWidget *wp_grid_table_new (const char *name);
void wp_grid_table_set_grid (WpGridTable *self, WpShared *grid); /* WpGrid, or NULL; what it is sorted by stays if the columns do */
/* The same table with other figures: its rows stay where they are, new ones come behind them. Selection and place stay. */
void wp_grid_table_update (WpGridTable *self, WpShared *grid);
void wp_grid_table_sort (WpGridTable *self, guint32 column);     /* largest first; when there is a grid */
#define WP_GRID_TABLE_LEAST 130 /* pixels of such a column where nothing speaks for more */

/* The column takes what room is left, and never less than so many pixels; before there is a grid. */
void wp_grid_table_widen (WpGridTable *self, guint32 column, int least);
void wp_grid_table_select (WpGridTable *self, guint row);        /* a row of the grid, and scrolls to it; what is not shown: none */
/* The grid with the rows of it that are shown, in their order: free `order`. NULL: nothing yet. */
WpShared *wp_grid_table_shown (WpGridTable *self, guint32 **order, guint32 *n);
char *wp_grid_table_describe (WpGridTable *self, guint row); /* what more there is to say of a row of the grid, or NULL. Free with g_free() */
void wp_grid_table_hide_bar (WpGridTable *self);                 /* no filter, no count */
gboolean wp_grid_table_is_empty (WpGridTable *self);             /* it has no grid */
void wp_grid_table_add (WpGridTable *self, GtkWidget *widget);   /* beside the filter */
