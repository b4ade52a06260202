/* The names of the rows, left of a canvas: one flat button for each visible row, so that names can be clicked, are
 * cut with an ellipsis when they are long, and are known to assistive technology.
 *
 * Beside those of processes an arrow folds what stands under them, and a pin puts them at the top: win.turn-row, win.pin-row.
 *
 * Signal: row-opened (uint row). */
#pragma once

#include "app/canvas/canvas.h"

#define WP_TYPE_ROW_NAMES (wp_row_names_get_type ())
G_DECLARE_FINAL_TYPE (WpRowNames, wp_row_names, WP, ROW_NAMES, GtkWidget)

/* The row of this key is marked as the one that the other views are about; 0: none is. */
void wp_row_names_choose (WpRowNames *self, gint32 key);

GtkWidget *wp_row_names_new (WpCanvas *canvas);
