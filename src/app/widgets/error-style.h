/* Shows whether what a widget says, or was told, is wrong. */
#pragma once

#include <gtk/gtk.h>

static inline void
wp_set_wrong (GtkWidget *widget, gboolean wrong)
{
  (wrong ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (widget, "error");
}
