/* A menu of ui/menus.ui at a place of a widget; it goes when it is closed. */
#pragma once

#include <gtk/gtk.h>

/* "box-menu". `more`: items of their own behind its first section, or NULL. */
void wp_context_menu_open (GtkWidget *over, const char *id, GMenuModel *more, double x, double y);

/* An item of such a menu that has a name in it ("Hide Function “%s”"), which may be long. */
void wp_context_menu_add (GMenu *menu, const char *format, const char *name, const char *action);

/* For a widget that has no other children: when it gets its size, and when it goes. */
void wp_context_menus_present (GtkWidget *over);
void wp_context_menus_remove (GtkWidget *over);
