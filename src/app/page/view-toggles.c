#include "app/page/view-toggles.h"

#include <adwaita.h>

GtkWidget *
wp_view_toggle (const char *label, const char *tooltip, const char *action)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

GtkWidget *
wp_view_squeezed_toggle (const char *label, const char *tooltip, const char *action)
{
  GtkWidget *squeezer = adw_squeezer_new ();

  adw_squeezer_set_allow_none (ADW_SQUEEZER (squeezer), TRUE);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), wp_view_toggle (label, tooltip, action));
  return squeezer;
}
