/* A chip: what is in force, in few words, and a button that takes it away. */
#pragma once

#include <gtk/gtk.h>

/* `whole`: its tooltip. `remove` gets the button, which says what it removes. */
GtkWidget *wp_chip_new (const char *text, const char *whole, GtkWidget **remove);
