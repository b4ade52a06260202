/* A menu of ui/menus.ui at a place of a widget; it goes when it is closed. */
#pragma once

#include <gtk/gtk.h>

void wp_context_menu_open (GtkWidget *over, const char *id, double x, double y); /* "box-menu" */

/* For a widget that has no other children: when it gets its size, and when it goes. */
void wp_context_menus_present (GtkWidget *over);
void wp_context_menus_remove (GtkWidget *over);
