#include "profile/model/profile.h"
#include "base/save-file.h"

gboolean
wp_profile_save (WpProfile *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WpValue document = wp_profile_document (self);

  if (self->origin != NULL)
    document = wp_values_set (self->values, document, "origin", wp_values_string (self->values, self->origin));
  wp_value_write (self->values, document, 2, text);
  return wp_save_text (path, text->str, text->len, error);
}
