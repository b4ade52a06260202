/* A bar of choosers that go to the next line where there is no room for them. */
#pragma once

#include <gtk/gtk.h>

GtkWidget *wp_wrapping_bar_new (void);
void wp_wrapping_bar_insert (GtkWidget *bar, GtkWidget *widget, int at); /* at: 0: in front; -1: at the end */
