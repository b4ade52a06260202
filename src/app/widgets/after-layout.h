/* What can only be done once a widget has the size that a change gives it: scrolling to what has just come, for example. */
#pragma once

#include <gtk/gtk.h>

/* Calls once the widget's next frame has been laid out; never, where it goes away before that. */
void wp_after_layout (GtkWidget *widget, void (*call) (GtkWidget *widget));
