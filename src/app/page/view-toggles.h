/* Toggle buttons above a view, for options that actions of the window hold. */
#pragma once

#include <gtk/gtk.h>

GtkWidget *wp_view_toggle (const char *label, const char *tooltip, const char *action);
/* One that the menu has, too, goes where there is no room. */
GtkWidget *wp_view_squeezed_toggle (const char *label, const char *tooltip, const char *action);
