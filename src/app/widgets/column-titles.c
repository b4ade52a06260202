#include "app/widgets/column-titles.h"

/* GTK 4.8 has no word for it: of the last one in the first row, the sort indicator is put before the label. */
void
wp_column_title_at_end (GtkColumnView *table)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (table));
  GtkWidget *label = header != NULL ? gtk_widget_get_last_child (header) : NULL, *box, *indicator;

  while (label != NULL && !GTK_IS_LABEL (label))
    label = gtk_widget_get_first_child (label);
  box = label != NULL ? gtk_widget_get_parent (label) : NULL;
  indicator = label != NULL ? gtk_widget_get_next_sibling (label) : NULL;
  if (indicator == NULL || !GTK_IS_BOX (box))
    return;
  gtk_widget_set_halign (box, GTK_ALIGN_END); /* the indicator is there only in tables that can be sorted */
  gtk_box_reorder_child_after (GTK_BOX (box), label, indicator);
}
