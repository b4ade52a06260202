#include "record/output.h"

#include "base/hidden-file.h"
#include "base/save-file.h"
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define TRIES 100

gboolean
wp_record_form_parse (const char *name, WpRecordForm *form)
{
  static const char *const names[] = { [WP_RECORD_PACKED] = "packed", [WP_RECORD_PLAIN] = "plain", [WP_RECORD_STREAM] = "stream" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *form = i;
        return TRUE;
      }
  return FALSE;
}

int
wp_output_stem (const char *path)
{
  const char *dot = strrchr (path, '.'), *slash = strrchr (path, '/');

  return dot != NULL && dot > (slash != NULL ? slash + 1 : path) ? (int) (dot - path) : (int) strlen (path);
}

gboolean
wp_output_open (WpOutput *self, const char *wanted, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (wanted);

  *self = WP_OUTPUT_NONE;
  if (wp_hidden_file_check (wanted) != 0)
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s is %s", wanted,
                   g_file_test (wanted, G_FILE_TEST_IS_DIR) ? "a folder; name a file in it" : "a device or a pipe; name a file");
      return FALSE;
    }
  wp_hidden_file_remove_left (wanted);
  self->fd = TEMP_FAILURE_RETRY (open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (self->fd >= 0)
    {
      self->path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
      wp_hidden_file_lock (self->fd);
      return TRUE;
    }
  self->fd = wp_hidden_file_open (wanted, 0600, &self->path);
  self->hidden = self->fd >= 0;
  if (self->hidden)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s cannot be written: %s; choose another place", wanted,
               g_strerror (errno));
  wp_output_drop (self);
  return FALSE;
}

void
wp_output_drop (WpOutput *self)
{
  int code = errno;

  if (self->hidden)
    g_unlink (self->path);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  *self = WP_OUTPUT_NONE;
  errno = code;
}

/* A name can only be given where there is none yet: a hidden one first. */
static gboolean
make_hidden (WpOutput *self, const char *wanted)
{
  for (guint i = 0; i < TRIES && !self->hidden; i++)
    {
      g_autofree char *path = wp_hidden_file_path (wanted);

      if (linkat (AT_FDCWD, self->path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
        {
          g_free (self->path);
          self->path = g_steal_pointer (&path);
          self->hidden = TRUE;
        }
      else if (errno != EEXIST)
        return FALSE;
    }
  return self->hidden;
}

gboolean
wp_output_keep (WpOutput *self, const char *wanted, GError **error)
{
  if (TEMP_FAILURE_RETRY (fsync (self->fd)) < 0 || fchmod (self->fd, 0600) < 0 || !make_hidden (self, wanted)
      || g_rename (self->path, wanted) < 0)
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s cannot be written: %s; make room, or choose another place",
                   wanted, g_strerror (errno));
      return FALSE;
    }
  self->hidden = FALSE;
  g_clear_pointer (&self->path, g_free);
  return wp_save_sync_folder (wanted, error);
}
