/* A grid as a table with sorting columns and a filter. Rows are made as they come into sight, sorting and filtering are a
 * worker's: a million rows are no different from ten. */
#pragma once

#include <adwaita.h>

#include "app/shared.h"
#include "view/grid.h"

#define WP_TYPE_GRID_TABLE (wp_grid_table_get_type ())
G_DECLARE_FINAL_TYPE (WpGridTable, wp_grid_table, WP, GRID_TABLE, AdwBin)

GtkWidget *wp_grid_table_new (const char *name);
void wp_grid_table_set_grid (WpGridTable *self, WpShared *grid); /* WpGrid, or NULL */
char *wp_grid_table_text (WpGridTable *self);                    /* what is shown, as TSV; NULL: nothing. Free with g_free() */
guint wp_grid_table_n_rows (WpGridTable *self);
void wp_grid_table_filter (WpGridTable *self, const char *text);
