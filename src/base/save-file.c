#include "base/save-file.h"

#include "base/hidden-file.h"
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
  const char *what = wp_hidden_file_check (self->path) == EINVAL ? "it is a device or a pipe" : g_strerror (code);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: could not be saved: %s; %s", self->path, what,
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
  int kind;

  self->path = g_strdup (real != NULL ? real : path);
  free (real);
  self->temporary = NULL;
  self->fd = -1;
  kind = wp_hidden_file_check (self->path);
  if (kind == 0)
    self->fd = wp_hidden_file_open (self->path, first_mode (self->path), &self->temporary);
  if (self->fd < 0)
    {
      set_error (self, kind != 0 ? kind : errno, error);
      clear (self);
      return FALSE;
    }
  return TRUE;
}

/* A rename outlives a crash only when the folder is synced too. Not every file system can do that, and a folder may be writable without
 * being readable: then what can be done is done. -1 and no error. */
static int
open_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = TEMP_FAILURE_RETRY (open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));

  if (fd < 0 && errno == EACCES)
    errno = 0;
  return fd;
}

static int
sync_file (int fd)
{
  int done;

  do
    done = fsync (fd);
  while (done != 0 && errno == EINTR);
  return done == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

static gboolean
fail_unsynced (const char *path, int code, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: could not be synced: %s; it is there, but may be gone after a power failure",
               path, g_strerror (code));
  return FALSE;
}

gboolean
wp_save_sync_folder (const char *path, GError **error)
{
  int fd = open_folder (path), code = fd >= 0 ? sync_file (fd) : errno;

  if (fd >= 0)
    close (fd);
  return code == 0 || fail_unsynced (path, code, error);
}

gboolean
wp_save_sync (const char *path, GError **error)
{
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_CLOEXEC)), code = fd >= 0 ? sync_file (fd) : errno;

  if (fd >= 0)
    close (fd);
  return code == 0 ? wp_save_sync_folder (path, error) : fail_unsynced (path, code, error);
}

gboolean
wp_save_folder (const char *path, GError **error)
{
  int code = mkdir (path, 0777) == 0 || errno == EEXIST ? 0 : errno;

  if (code == ENOENT)
    code = g_mkdir_with_parents (path, 0777) == 0 ? 0 : errno;
  if (code == 0) /* one that is there may be of somebody who was stopped before this */
    return wp_save_sync_folder (path, error);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

/* Closing may tell of a write that failed, too; ours stays open, for its lock. */
static int
close_other (int fd)
{
  int other = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  return other < 0 || close (other) != 0 ? errno : 0;
}

/* From the temporary name to the right one. 0, or an errno. */
static int
put_in_place (WpSaveFile *self, int write_error)
{
  int code = write_error;

  if (code == 0 && !take_mode (self))
    code = errno;
  if (code == 0)
    code = sync_file (self->fd);
  if (code == 0)
    code = close_other (self->fd);
  if (code == 0 && rename (self->temporary, self->path) != 0)
    code = errno;
  return code;
}

gboolean
wp_save_file_commit (WpSaveFile *self, int write_error, GError **error)
{
  int folder = open_folder (self->path), code = folder < 0 && write_error == 0 ? errno : write_error;
  gboolean done;

  code = put_in_place (self, code);
  done = code == 0;
  if (!done)
    {
      set_error (self, code, error);
      unlink (self->temporary);
    }
  else if (folder >= 0 && (code = sync_file (folder)) != 0)
    done = fail_unsynced (self->path, code, error);
  if (folder >= 0)
    close (folder);
  close (self->fd);
  clear (self);
  return done;
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
  unlink (self->temporary);
  close (self->fd);
  clear (self);
}
