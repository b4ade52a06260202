#include "workspace/file/fetched-files.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/remove-tree.h"
#include "read/symbols/debug-files.h"

char *
wp_fetched_folder (void)
{
  return wp_debuginfod_folder ();
}

/* Of one build: its files are beside each other. */
static void
add_build (const char *path, WpFetched *self)
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
  g_autofree WpFetched *self = g_new0 (WpFetched, 1);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!wp_progress_step (progress, 0, error))
        return NULL;
      add_build (path, self);
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
