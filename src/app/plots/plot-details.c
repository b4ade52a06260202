#include "app/plots/plot-details.h"

#include <glib/gi18n.h>

#define MAX_HEIGHT 150

GtkWidget *
wp_plot_details_new (void)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *label = gtk_label_new (NULL);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  g_object_set (label, "margin-start", 12, "margin-end", 12, "margin-top", 8, "margin-bottom", 8, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Selection"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  g_object_set_data (G_OBJECT (scrolled), "label", label);
  gtk_widget_add_css_class (scrolled, "legend");
  gtk_widget_set_visible (scrolled, FALSE);
  return scrolled;
}

const char *
wp_plot_details_text (GtkWidget *details)
{
  return gtk_label_get_text (g_object_get_data (G_OBJECT (details), "label"));
}

void
wp_plot_details_show (GtkWidget *details, const char *text)
{
  gboolean any = text != NULL && *text != '\0';

  gtk_label_set_text (g_object_get_data (G_OBJECT (details), "label"), any ? text : "");
  gtk_widget_set_visible (details, any);
}
