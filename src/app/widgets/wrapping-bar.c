#include "app/widgets/wrapping-bar.h"

#define LINE_MOST 12 /* widgets */

GtkWidget *
wp_wrapping_bar_new (void)
{
  return g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE, "max-children-per-line", LINE_MOST, NULL);
}

/* The place of a widget that is not shown takes no room either; and it is no stop of the Tab key beside the widget. */
void
wp_wrapping_bar_insert (GtkWidget *bar, GtkWidget *widget, int at)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  gtk_widget_set_halign (widget, GTK_ALIGN_START);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), widget);
  gtk_widget_set_focusable (child, FALSE);
  g_object_bind_property (widget, "visible", child, "visible", G_BINDING_SYNC_CREATE);
  gtk_flow_box_insert (GTK_FLOW_BOX (bar), child, at);
}
