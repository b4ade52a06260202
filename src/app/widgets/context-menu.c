#include "app/widgets/context-menu.h"

#define NAME_MOST 40 /* characters of a name */

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

/* The middle of a long name gives way; an underscore is no mnemonic. */
static char *
shown_name (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  glong n = g_utf8_strlen (valid, -1);
  GString *text = g_string_new (valid);

  if (n > NAME_MOST)
    {
      const char *cut = g_utf8_offset_to_pointer (valid, NAME_MOST / 2);
      const char *end = g_utf8_offset_to_pointer (valid, n - NAME_MOST / 2);

      g_string_printf (text, "%.*s…%s", (int) (cut - valid), valid, end);
    }
  g_string_replace (text, "_", "__", 0);
  return g_string_free (text, FALSE);
}

void
wp_context_menu_add (GMenu *menu, const char *format, const char *name, const char *action)
{
  g_auto (GStrv) around = g_strsplit (format, "%s", 2);
  g_autofree char *shown = shown_name (name), *label = g_strjoinv (shown, around);

  g_menu_append (menu, label, action);
}

void
wp_context_menu_open (GtkWidget *over, const char *id, GMenuModel *more, double x, double y)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/org/wakepath/Wakepath/menus.ui");
  GMenu *menu = G_MENU (gtk_builder_get_object (builder, id));
  GtkWidget *popover;

  if (more != NULL)
    g_menu_insert_section (menu, 1, NULL, more);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
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
