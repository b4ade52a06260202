#include "app/widgets/describe-lines.h"

void
wp_describe_lines (GtkWidget *drawing, guint n, WpDescribeLine describe)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = describe (drawing, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (drawing), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}
