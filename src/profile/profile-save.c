#include "profile/profile.h"
#include "profile/save-file.h"

#include <errno.h>
#include <unistd.h>

static int
write_all (int fd, const char *text, gsize n)
{
  while (n > 0)
    {
      gssize written = write (fd, text, n);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return errno;
      text += written;
      n -= (gsize) written;
    }
  return 0;
}

gboolean
wp_profile_save (WpProfile *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WpValue document = wp_profile_document (self);
  WpSaveFile file;

  if (self->origin != NULL)
    document = wp_values_set (self->values, document, "origin", wp_values_string (self->values, self->origin));
  wp_value_write (self->values, document, 2, text);
  return wp_save_file_open (&file, path, error) && wp_save_file_commit (&file, write_all (file.fd, text->str, text->len), error);
}
