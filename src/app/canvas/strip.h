/* The wait chain above a canvas: bands over the stretch of time that the canvas shows, wherever that goes. The wheel
 * does here what it does there.
 *
 * Signal: box-chosen (uint box, int presses): clicked, 2: twice. Where nothing is lit in a band, what is lit at that
 * moment in another. */
#pragma once

#include "app/canvas/canvas.h"

#define WP_TYPE_STRIP (wp_strip_get_type ())
G_DECLARE_FINAL_TYPE (WpStrip, wp_strip, WP, STRIP, GtkDrawingArea)

GtkWidget *wp_strip_new (WpCanvas *canvas);
GtkWidget *wp_strip_names (WpStrip *self); /* for the column at its left */

/* A shared WpRows, or NULL; what assistive technology says of it. */
void wp_strip_set_rows (WpStrip *self, WpShared *rows, const char *description);
WpShared *wp_strip_shared_rows (WpStrip *self);
void wp_strip_set_describe (WpStrip *self, WpDescribeFunc func, gpointer user_data);
