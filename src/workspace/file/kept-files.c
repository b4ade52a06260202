#include "workspace/file/kept-files.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/own-folder.h"
#include "base/remove-tree.h"
#include "read/sidecar/sidecar.h"
#include "read/symbols/debug-files.h"

/* --- what was fetched --- */

char *
wp_fetched_folder (void)
{
  return wp_debuginfod_folder ();
}

/* Those right in a folder; of what was fetched it is that of one build. */
static void
add_files (const char *path, WpKeptFiles *self)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      GStatBuf st;

      if (g_lstat (file, &st) == 0 && S_ISREG (st.st_mode))
        {
          self->n++;
          self->bytes += (guint64) st.st_size;
        }
    }
}

/* A folder for each build, and files that say how long things are kept, which do not count. */
gpointer
wp_fetched_measure (gpointer folder, WpProgress *progress, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree WpKeptFiles *self = g_new0 (WpKeptFiles, 1);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!wp_progress_step (progress, 0, error))
        return NULL;
      add_files (path, self);
    }
  return g_steal_pointer (&self);
}

gpointer
wp_fetched_clear (gpointer folder, WpProgress *progress, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean going_on = TRUE;
  const char *name;

  while (going_on && dir != NULL && fd >= 0 && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        going_on = wp_progress_step (progress, 0, error) && wp_remove_tree (fd, name, error);
    }
  if (fd >= 0)
    close (fd);
  return going_on ? wp_fetched_measure (folder, progress, error) : NULL;
}

/* --- what was read of recordings --- */

/* Where there is none, it has no files. */
char *
wp_opened_folder (void)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;

  if (wp_own_folder_exists (WP_OWN_CACHE, WP_SIDECAR_FOLDER) && wp_own_folder_open (&folder, WP_OWN_CACHE, WP_SIDECAR_FOLDER, NULL))
    return g_strdup (folder.path);
  return g_build_filename (g_get_user_cache_dir (), "wakepath", WP_SIDECAR_FOLDER, NULL);
}

gpointer
wp_opened_measure (gpointer folder, WpProgress *progress, GError **error)
{
  WpKeptFiles *self = g_new0 (WpKeptFiles, 1);

  add_files (folder, self);
  return self;
}

/* What is just being written has a hidden name, and stays. */
gpointer
wp_opened_clear (gpointer folder, WpProgress *progress, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (*name != '.')
        unlink (path);
    }
  return wp_opened_measure (folder, progress, error);
}
