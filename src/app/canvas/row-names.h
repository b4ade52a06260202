/* The names of the rows, left of a canvas: one flat button for each visible row, so that names can be clicked, are
 * cut with an ellipsis when they are long, and are known to assistive technology.
 *
 * Signal: row-opened (uint row). */
#pragma once

#include "app/canvas/canvas.h"

#define WP_TYPE_ROW_NAMES (wp_row_names_get_type ())
G_DECLARE_FINAL_TYPE (WpRowNames, wp_row_names, WP, ROW_NAMES, GtkWidget)

GtkWidget *wp_row_names_new (WpCanvas *canvas);
