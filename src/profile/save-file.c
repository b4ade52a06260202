#include "profile/save-file.h"

#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
set_error (const WpSaveFile *self, int code, GError **error)
{
  gboolean exists = g_file_test (self->path, G_FILE_TEST_IS_REGULAR);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: could not be saved: %s; %s", self->path, g_strerror (code),
               exists ? "the file is as it was before" : code == ENOSPC ? "make room first" : "choose another place");
  return FALSE;
}

static void
clear (WpSaveFile *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->temporary, g_free);
  self->fd = -1;
}

/* A new file gets the permissions that the kernel gives new files here. */
static mode_t
first_mode (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 ? 0600 : 0666;
}

/* One that is replaced hands on its own. */
static gboolean
take_mode (const WpSaveFile *self)
{
  struct stat st;

  return stat (self->path, &st) != 0 || fchmod (self->fd, st.st_mode & 0777) == 0;
}

gboolean
wp_save_file_open (WpSaveFile *self, const char *path, GError **error)
{
  char *real = realpath (path, NULL);
  g_autofree char *folder = NULL, *name = NULL;

  self->path = g_strdup (real != NULL ? real : path);
  free (real);
  self->temporary = NULL;
  self->fd = -1;
  if (g_file_test (self->path, G_FILE_TEST_IS_DIR))
    {
      set_error (self, EISDIR, error);
      clear (self);
      return FALSE;
    }
  folder = g_path_get_dirname (self->path);
  name = g_path_get_basename (self->path);
  self->temporary = g_strdup_printf ("%s/.%.200s.XXXXXX", folder, name);
  self->fd = g_mkstemp_full (self->temporary, O_RDWR | O_CLOEXEC, first_mode (self->path));
  if (self->fd < 0)
    {
      set_error (self, errno, error);
      clear (self);
      return FALSE;
    }
  return TRUE;
}

/* The rename itself outlives a crash only when the folder is synced too. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd >= 0)
    {
      fsync (fd);
      close (fd);
    }
}

gboolean
wp_save_file_commit (WpSaveFile *self, int write_error, GError **error)
{
  int code = write_error;

  if (code == 0 && (!take_mode (self) || fsync (self->fd) != 0))
    code = errno;
  if (close (self->fd) != 0 && code == 0)
    code = errno;
  if (code == 0 && rename (self->temporary, self->path) != 0)
    code = errno;
  if (code != 0)
    {
      set_error (self, code, error);
      unlink (self->temporary);
    }
  else
    sync_folder (self->path);
  clear (self);
  return code == 0;
}

gboolean
wp_save_text (const char *path, const char *text, gsize n, GError **error)
{
  WpSaveFile file;

  return wp_save_file_open (&file, path, error) && wp_save_file_commit (&file, wp_write_all (file.fd, text, n), error);
}

void
wp_save_file_abort (WpSaveFile *self)
{
  close (self->fd);
  unlink (self->temporary);
  clear (self);
}
