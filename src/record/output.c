#include "record/output.h"

#include "profile/save-file.h"
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100

/* ".NAME.wakepath-XXXXXX", in the folder of what it becomes. Who makes one holds a lock on it: one without is nobody's. */
static char *
hidden_stem (const char *wanted)
{
  g_autofree char *name = g_path_get_basename (wanted);

  return g_strdup_printf (".%s.wakepath-", name);
}

static char *
hidden_beside (const char *wanted)
{
  g_autofree char *folder = g_path_get_dirname (wanted), *stem = hidden_stem (wanted);

  return g_strdup_printf ("%s/%s%06x", folder, stem, g_random_int () & 0xffffff);
}

static gboolean
lock (int fd)
{
  return TEMP_FAILURE_RETRY (flock (fd, LOCK_EX | LOCK_NB)) == 0;
}

static void
remove_nobodys (const char *path)
{
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat st;

  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid () && lock (fd))
    unlink (path);
  close (fd);
}

/* What was left of this one by programs that were killed. */
static void
remove_leftovers (const char *wanted)
{
  g_autofree char *folder = g_path_get_dirname (wanted), *stem = hidden_stem (wanted);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_str_has_prefix (name, stem) && strlen (name) == strlen (stem) + 6 ? g_build_filename (folder, name, NULL) : NULL;

      if (path != NULL)
        remove_nobodys (path);
    }
}

/* FALSE, and errno: there is none. Between its making and its locking it may be taken for nobody's: then another one. */
static gboolean
open_hidden (WpOutput *self, const char *wanted)
{
  struct stat st;

  for (guint i = 0; i < TRIES; i++)
    {
      self->path = hidden_beside (wanted);
      self->fd = TEMP_FAILURE_RETRY (open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      self->hidden = self->fd >= 0;
      if (self->hidden && (!lock (self->fd) || fstat (self->fd, &st) != 0 || st.st_nlink > 0))
        return TRUE;
      if (!self->hidden && errno != EEXIST)
        return FALSE;
      wp_output_drop (self);
    }
  return FALSE;
}

gboolean
wp_output_open (WpOutput *self, const char *wanted, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (wanted);

  *self = WP_OUTPUT_NONE;
  if (g_file_test (wanted, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s is a folder; name a file in it", wanted);
      return FALSE;
    }
  remove_leftovers (wanted);
  self->fd = TEMP_FAILURE_RETRY (open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (self->fd >= 0)
    {
      self->path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
      lock (self->fd);
      return TRUE;
    }
  if (open_hidden (self, wanted))
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
      g_autofree char *path = hidden_beside (wanted);

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
