#include "app/widgets/unseen-pages.h"

#include <adwaita.h>

static gboolean
is_stack (GtkWidget *widget)
{
  return GTK_IS_STACK (widget) || ADW_IS_VIEW_STACK (widget);
}

static void
hide_unseen (GtkWidget *stack)
{
  for (GtkWidget *page = gtk_widget_get_first_child (stack); page != NULL; page = gtk_widget_get_next_sibling (page))
    gtk_accessible_update_state (GTK_ACCESSIBLE (page), GTK_ACCESSIBLE_STATE_HIDDEN,
                                 !gtk_widget_get_child_visible (page) || !gtk_widget_get_visible (page), -1);
}

/* A page is mapped when it comes to be seen and unmapped when another one does; all of them with their stack. */
static gboolean
on_map_changed (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (&values[0]), *parent = gtk_widget_get_parent (widget);

  if (is_stack (widget))
    hide_unseen (widget);
  if (parent != NULL && is_stack (parent) && gtk_widget_get_mapped (parent))
    hide_unseen (parent);
  return TRUE;
}

void
wp_hide_unseen_pages (void)
{
  g_autoptr (GTypeClass) class = g_type_class_ref (GTK_TYPE_WIDGET); /* has the signals made */

  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map_changed, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, on_map_changed, NULL, NULL);
}
