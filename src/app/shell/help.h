/* The window that says what is to be seen and done: pages (help-pages.h), listed beside them. */
#pragma once

#include <gtk/gtk.h>

GtkWindow *wp_help_new (void);
void wp_help_show (GtkWindow *help, const char *page); /* of this id; none of that id: the page stays */
