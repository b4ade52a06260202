#include "app/widgets/chip.h"

#include <glib/gi18n.h>

GtkWidget *
wp_chip_new (const char *text, const char *whole, GtkWidget **remove)
{
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *label = gtk_label_new (text);
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *what = g_strdup_printf (_("Remove “%s”"), text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_widget_set_valign (chip, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (chip, "chip");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_set_tooltip_text (label, whole);
  gtk_widget_set_tooltip_text (button, what);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, what, -1);
  gtk_box_append (GTK_BOX (chip), label);
  gtk_box_append (GTK_BOX (chip), button);
  *remove = button;
  return chip;
}
