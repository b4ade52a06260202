#include "app/widgets/reveal.h"

void
wp_reveal (GtkRevealer *bar, gboolean shown)
{
  if (shown)
    gtk_widget_set_visible (GTK_WIDGET (bar), TRUE);
  gtk_revealer_set_reveal_child (bar, shown);
}

static void
on_revealed (GtkRevealer *bar, GParamSpec *pspec, gpointer data)
{
  if (!gtk_revealer_get_child_revealed (bar) && !gtk_revealer_get_reveal_child (bar))
    gtk_widget_set_visible (GTK_WIDGET (bar), FALSE);
}

void
wp_reveal_bind (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_callback (klass, on_revealed);
}
