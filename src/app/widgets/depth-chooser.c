#include "app/widgets/depth-chooser.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"

static const struct
{
  WpDepth depth;
  const char *name, *tooltip;
} depths[] = {
  { WP_DEPTH_WAITS, N_("Waits"), N_("What each process waited for, in words (1)") },
  { WP_DEPTH_FUNCTIONS, N_("Functions"), N_("The programs’ own functions; what they ask of the kernel in words (2)") },
  { WP_DEPTH_ALL, N_("Everything"), N_("Every frame, as recorded (3)") },
};

GtkWidget *
wp_depth_chooser_new (const char *action)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (_(depths[i].name));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", wp_depth_id (depths[i].depth));
      gtk_widget_set_tooltip_text (button, _(depths[i].tooltip));
      gtk_box_append (GTK_BOX (box), button);
    }
  return box;
}

char *
wp_depth_folded_text (guint n)
{
  return g_strdup_printf (ngettext ("%u frame folded", "%u frames folded", n), n);
}

WpDepth
wp_depth_kept (void)
{
  g_autofree char *id = wp_settings_string ("depth");
  WpDepth depth = wp_depth_from_id (id);

  return depth != WP_DEPTH_COUNT ? depth : WP_DEPTH_FUNCTIONS;
}

void
wp_depth_keep (WpDepth depth)
{
  wp_settings_set_string ("depth", wp_depth_id (depth));
}
