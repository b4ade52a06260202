#include "base/own-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
refuse (const char *path, const char *why, const char *variable, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "%s: %s; let %s name a folder of your own", path, why, variable);
  return FALSE;
}

/* --- where the user's folder is ------------------------------------------------------------------------------------------ */

/* Who owns "/" counts as root: within a user namespace root may have any number. */
static gboolean
is_trusted (const struct stat *st)
{
  struct stat root;

  return st->st_uid == 0 || st->st_uid == geteuid () || (stat ("/", &root) == 0 && st->st_uid == root.st_uid);
}

/* Neither this folder nor one above it can be exchanged by another user. */
static gboolean
check_place (const char *real, const char *variable, GError **error)
{
  g_autofree char *at = g_strdup (real);

  for (;;)
    {
      char *above = g_path_get_dirname (at);
      gboolean top = g_str_equal (above, at);
      struct stat st;

      if (lstat (at, &st) == 0 && (!is_trusted (&st) || ((st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX))))
        {
          refuse (at, "another user can change what is in it", variable, error);
          g_free (above);
          return FALSE;
        }
      g_free (at);
      at = above;
      if (top)
        return TRUE;
    }
}

/* The last folder on the way to `path` that is there already. */
static char *
find_existing (const char *path)
{
  char *at = g_canonicalize_filename (path, NULL);

  while (g_access (at, F_OK) != 0 && !g_str_equal (at, "/"))
    {
      char *above = g_path_get_dirname (at);

      g_free (at);
      at = above;
    }
  return at;
}

static gboolean
check_real_place (const char *path, const char *variable, GError **error)
{
  char *real = realpath (path, NULL);
  gboolean done = real != NULL ? check_place (real, variable, error) : refuse (path, g_strerror (errno), variable, error);

  free (real);
  return done;
}

/* --- what is below ------------------------------------------------------------------------------------------------------- */

gboolean
wp_own_folder_below (WpOwnFolder *self, const WpOwnFolder *above, const char *name)
{
  struct stat st;

  *self = WP_OWN_FOLDER_NONE;
  self->fd = TEMP_FAILURE_RETRY (openat (above->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (self->fd < 0)
    return FALSE;
  if (fstat (self->fd, &st) == 0 && st.st_uid == geteuid ())
    {
      self->path = g_build_filename (above->path, name, NULL);
      return TRUE;
    }
  close (self->fd);
  self->fd = -1;
  errno = EPERM;
  return FALSE;
}

/* The same, made where it is missing, and for nobody else's eyes. Moves on to it. */
static gboolean
descend (WpOwnFolder *self, const char *name, const char *variable, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  WpOwnFolder below;

  if ((mkdirat (self->fd, name, 0700) != 0 && errno != EEXIST) || !wp_own_folder_below (&below, self, name))
    return refuse (path, errno == EPERM                      ? "it belongs to another user"
                         : errno == ENOTDIR || errno == ELOOP ? "not a folder, and perhaps a link that somebody has put there"
                                                              : g_strerror (errno), variable, error);
  wp_own_folder_clear (self);
  *self = below;
  return fchmod (self->fd, 0700) == 0 || refuse (path, g_strerror (errno), variable, error);
}

static gboolean
open_below (WpOwnFolder *self, const char *user, const char *name, const char *variable, GError **error)
{
  g_autofree char *existing = find_existing (user);

  *self = WP_OWN_FOLDER_NONE;
  if (!check_real_place (existing, variable, error))
    return FALSE;
  if (g_mkdir_with_parents (user, 0700) != 0 || (self->fd = TEMP_FAILURE_RETRY (open (user, O_RDONLY | O_DIRECTORY | O_CLOEXEC))) < 0)
    return refuse (user, g_strerror (errno), variable, error);
  self->path = g_strdup (user);
  if (check_real_place (user, variable, error) && descend (self, "wakepath", variable, error) && descend (self, name, variable, error))
    return TRUE;
  wp_own_folder_clear (self);
  return FALSE;
}

gboolean
wp_own_folder_open (WpOwnFolder *self, WpOwnPlace place, const char *name, GError **error)
{
  const char *runtime = place == WP_OWN_CACHE ? g_getenv ("XDG_RUNTIME_DIR") : NULL;

  if (place == WP_OWN_STATE)
    return open_below (self, g_get_user_state_dir (), name, "XDG_STATE_HOME", error);
  if (open_below (self, g_get_user_cache_dir (), name, "XDG_CACHE_HOME", error))
    return TRUE;
  if (runtime == NULL || *runtime != '/' || !open_below (self, runtime, name, "XDG_RUNTIME_DIR", NULL))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

static gboolean
exists_below (const char *user, const char *name)
{
  g_autofree char *path = user != NULL && *user == '/' ? g_build_filename (user, "wakepath", name, NULL) : NULL;

  return path != NULL && g_access (path, F_OK) == 0;
}

gboolean
wp_own_folder_exists (WpOwnPlace place, const char *name)
{
  if (place == WP_OWN_STATE)
    return exists_below (g_get_user_state_dir (), name);
  return exists_below (g_get_user_cache_dir (), name) || exists_below (g_getenv ("XDG_RUNTIME_DIR"), name);
}

void
wp_own_folder_clear (WpOwnFolder *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  *self = WP_OWN_FOLDER_NONE;
}
