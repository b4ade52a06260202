/* Commands that were started to be recorded and go on when the program ends: that is said before, and they can be ended with it. */
#pragma once

#include <adwaita.h>

typedef void (*WpLeftCommandsFunc) (gpointer data);

/* Returns FALSE where there are none. Else `func` is called later, unless it is cancelled, or `data` is gone by then. */
gboolean wp_left_commands_ask (GtkWindow *parent, WpLeftCommandsFunc func, GObject *data);
