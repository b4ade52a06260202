/* What a drawing says to assistive technology: a line for each thing that it shows. */
#pragma once

#include <gtk/gtk.h>

/* Line `i` of n; the widget is the drawing. To be freed with g_free(). */
typedef char *(*WpDescribeLine) (gpointer widget, guint i);

void wp_describe_lines (GtkWidget *drawing, guint n, WpDescribeLine describe);
