/* The window that says what is to be seen and done. */
#pragma once

#include <gtk/gtk.h>

GtkWindow *wp_help_new (void);
