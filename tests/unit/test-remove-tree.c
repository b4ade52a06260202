/* Removing a folder with all that is in it: deep, broad, locked against its owner; never through a link nor what is not ours. */
#include "base/remove-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *path;
  int fd;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->path = g_dir_make_tmp ("wakepath-remove-XXXXXX", NULL);
  self->fd = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (self->fd, >=, 0);
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  close (self->fd);
  g_rmdir (self->path);
  g_free (self->path);
}

static void
put (int fd, const char *name)
{
  int file = openat (fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (file, >=, 0);
  close (file);
}

static void
assert_gone (const Fixture *self, const char *name)
{
  g_assert_cmpint (faccessat (self->fd, name, F_OK, AT_SYMLINK_NOFOLLOW), !=, 0);
}

/* Deeper than paths and descriptors go. */
static void
test_deep (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  int at = self->fd;

  for (guint i = 0; i < 1200; i++)
    {
      int next;

      g_assert_cmpint (mkdirat (at, "folder", 0700), ==, 0);
      next = openat (at, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (at != self->fd)
        close (at);
      put (next, "file");
      at = next;
    }
  close (at);
  g_assert_true (wp_remove_tree (self->fd, "folder", &error));
  g_assert_no_error (error);
  assert_gone (self, "folder");
  g_assert_true (wp_remove_tree (self->fd, "folder", &error)); /* there is none */
}

static void
test_broad (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkdirat (self->fd, "folder", 0700), ==, 0);
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *folder = g_strdup_printf ("folder/%u", i), *file = g_strdup_printf ("folder/%u/file", i);

      g_assert_cmpint (mkdirat (self->fd, folder, 0700), ==, 0);
      put (self->fd, file);
      g_assert_cmpint (fchmodat (self->fd, folder, i % 2 ? 0500 : 0700, 0), ==, 0);
    }
  g_assert_true (wp_remove_tree (self->fd, "folder", &error));
  g_assert_no_error (error);
  assert_gone (self, "folder");
}

static void
test_links (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkdirat (self->fd, "kept", 0700), ==, 0);
  put (self->fd, "kept/file");
  g_assert_cmpint (mkdirat (self->fd, "folder", 0700), ==, 0);
  g_assert_cmpint (symlinkat ("../kept", self->fd, "folder/link"), ==, 0);
  g_assert_cmpint (linkat (self->fd, "kept/file", self->fd, "folder/second", 0), ==, 0);
  g_assert_cmpint (symlinkat ("kept", self->fd, "link"), ==, 0);
  g_assert_true (wp_remove_tree (self->fd, "folder", &error));
  assert_gone (self, "folder");
  g_assert_false (wp_remove_tree (self->fd, "link", &error));
  g_assert_nonnull (strstr (error->message, "link"));
  g_assert_cmpint (faccessat (self->fd, "kept/file", F_OK, 0), ==, 0);
  g_assert_cmpint (unlinkat (self->fd, "link", 0), ==, 0);
  g_assert_true (wp_remove_tree (self->fd, "kept", NULL));
}

/* Only root can make these. */
static void
test_of_others (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *mounted = g_build_filename (self->path, "folder", "deep", NULL);

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give folders away, and mount");
      return;
    }
  g_assert_cmpint (mkdirat (self->fd, "folder", 0700), ==, 0);
  put (self->fd, "folder/file");
  g_assert_cmpint (fchownat (self->fd, "folder", 65534, 65534, 0), ==, 0);
  g_assert_false (wp_remove_tree (self->fd, "folder", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_clear_error (&error);
  g_assert_cmpint (faccessat (self->fd, "folder/file", F_OK, 0), ==, 0);
  g_assert_cmpint (fchownat (self->fd, "folder", 0, 0, 0), ==, 0);
  g_assert_cmpint (mkdirat (self->fd, "kept", 0700), ==, 0);
  put (self->fd, "kept/precious");
  g_assert_cmpint (mkdirat (self->fd, "folder/deep", 0700), ==, 0);
  {
    g_autofree char *kept = g_build_filename (self->path, "kept", NULL);

    if (mount (kept, mounted, NULL, MS_BIND, NULL) != 0)
      g_test_message ("not allowed to mount here: %s", g_strerror (errno));
    else
      {
        g_assert_false (wp_remove_tree (self->fd, "folder", &error));
        g_assert_nonnull (strstr (error->message, "folder/deep"));
        g_assert_cmpint (umount2 (mounted, MNT_DETACH), ==, 0);
        g_assert_cmpint (faccessat (self->fd, "kept/precious", F_OK, 0), ==, 0);
      }
  }
  g_assert_true (wp_remove_tree (self->fd, "folder", NULL));
  g_assert_true (wp_remove_tree (self->fd, "kept", NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/remove-tree/deep", Fixture, NULL, set_up, test_deep, tear_down);
  g_test_add ("/remove-tree/broad", Fixture, NULL, set_up, test_broad, tear_down);
  g_test_add ("/remove-tree/links", Fixture, NULL, set_up, test_links, tear_down);
  g_test_add ("/remove-tree/of-others", Fixture, NULL, set_up, test_of_others, tear_down);
  return g_test_run ();
}
