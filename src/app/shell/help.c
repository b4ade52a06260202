#include "app/shell/help.h"

#include <glib/gi18n.h>

#include "paths/explain.h"
#include "paths/terms.h"

/* "Took — From the first …", the word in bold */
static void
add_word (GtkBox *box, const char *word, const char *help)
{
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> — %s", word, help);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (box, label);
}

GtkWindow *
wp_help_new (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/org/wakepath/Wakepath/help-window.ui");
  GtkBox *terms = GTK_BOX (gtk_builder_get_object (builder, "terms"));
  GtkBox *picture = GTK_BOX (gtk_builder_get_object (builder, "picture"));
  GtkBox *categories = GTK_BOX (gtk_builder_get_object (builder, "categories"));

  for (WpTerm t = 0; t < WP_TERM_COUNT; t++)
    add_word (t < WP_TERM_PICTURE ? terms : picture, _(wp_term_name (t)), _(wp_term_help (t)));
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    add_word (categories, _(wp_category_name (c)), _(wp_category_help (c)));
  return GTK_WINDOW (gtk_builder_get_object (builder, "help"));
}
