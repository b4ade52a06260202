/* A row of the explanation table: a category, one of its sub-rows, or the one that those without time are folded
 * into (WP_CATEGORY_COUNT). */
#pragma once

#include <gtk/gtk.h>

#include "workspace/file/highlight.h"

#define WP_TYPE_TABLE_ROW (wp_table_row_get_type ())
G_DECLARE_FINAL_TYPE (WpTableRow, wp_table_row, WP, TABLE_ROW, GtkListBoxRow)

typedef struct
{
  WpChoice choice;
  const char *name, *help; /* help is static, and may be NULL */
  gint64 ns, total;
  gint64 latency;     /* … and where that is shown the wall time; else 0 */
  gint64 wall;
  gint64 before;      /* what the rows above sum to; of a category */
  gboolean expandable;
} WpTableRowSpec;

GtkWidget *wp_table_row_new (const WpTableRowSpec *spec); /* its list shows it */
void wp_table_row_set (WpTableRow *self, const WpTableRowSpec *spec); /* the same row with other figures; it stays expanded */
const WpChoice *wp_table_row_choice (WpTableRow *self);
gboolean wp_table_row_is_category (WpTableRow *self);
gboolean wp_table_row_is_fold (WpTableRow *self);
gboolean wp_table_row_is_empty (WpTableRow *self); /* a category without time */
const char *wp_table_row_name (WpTableRow *self);

/* A category's sub-rows are shown or hidden by its list. Emits toggled () when the arrow or the arrow keys change it. */
gboolean wp_table_row_expanded (WpTableRow *self);
void wp_table_row_set_expanded (WpTableRow *self, gboolean expanded);
