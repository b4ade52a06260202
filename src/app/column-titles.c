#include "app/column-titles.h"

/* GTK has no word for it before 4.10 and none for the widget itself: the last one in the first row, with a label within. */
void
wp_column_title_at_end (GtkColumnView *table)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (table));
  GtkWidget *widget = header != NULL ? gtk_widget_get_last_child (header) : NULL;

  while (widget != NULL && !GTK_IS_LABEL (widget))
    widget = gtk_widget_get_first_child (widget);
  if (widget == NULL)
    return;
  gtk_label_set_xalign (GTK_LABEL (widget), 1);
  gtk_widget_set_hexpand (widget, TRUE);
}
