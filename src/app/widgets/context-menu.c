#include "app/widgets/context-menu.h"

static gboolean
remove_menu (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Not at once: the chosen item's action is still to be activated. */
static void
on_closed (GtkPopover *popover, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, remove_menu, g_object_ref (popover), g_object_unref);
}

void
wp_context_menu_open (GtkWidget *over, const char *id, double x, double y)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/org/wakepath/Wakepath/menus.ui");
  GtkWidget *popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (gtk_builder_get_object (builder, id)));

  gtk_widget_set_parent (popover, over);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_trigger_tooltip_query (over);
}

void
wp_context_menus_present (GtkWidget *over)
{
  for (GtkWidget *menu = gtk_widget_get_first_child (over); menu != NULL; menu = gtk_widget_get_next_sibling (menu))
    gtk_popover_present (GTK_POPOVER (menu));
}

void
wp_context_menus_remove (GtkWidget *over)
{
  GtkWidget *menu;

  while ((menu = gtk_widget_get_first_child (over)) != NULL)
    gtk_widget_unparent (menu);
}
