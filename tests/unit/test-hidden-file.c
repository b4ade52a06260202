/* Hidden files: those that nobody writes any more go, and nothing else does. */
#include "base/hidden-file.h"
#include "base/remove-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder, *wanted;

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static gboolean
is_there (const char *name)
{
  g_autofree char *path = place (name);
  struct stat st;

  return lstat (path, &st) == 0;
}

static void
make (const char *name, mode_t mode)
{
  g_autofree char *path = place (name);

  g_assert_true (g_file_set_contents (path, "half", -1, NULL));
  g_assert_cmpint (chmod (path, mode), ==, 0);
}

/* Another one is made; of these two, each is somebody's. */
static void
test_live (void)
{
  g_autofree char *one = NULL, *two = NULL;
  int first = wp_hidden_file_open (wanted, 0600, &one), second = wp_hidden_file_open (wanted, 0666, &two);

  g_assert_cmpint (first, >=, 0);
  g_assert_cmpint (second, >=, 0);
  wp_hidden_file_remove_left (wanted);
  g_assert_true (g_file_test (one, G_FILE_TEST_IS_REGULAR) && g_file_test (two, G_FILE_TEST_IS_REGULAR));
  close (first);
  wp_hidden_file_remove_left (wanted);
  g_assert_false (g_file_test (one, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (two, G_FILE_TEST_IS_REGULAR));
  close (second);
  wp_hidden_file_remove_left (wanted);
  g_assert_false (g_file_test (two, G_FILE_TEST_EXISTS));
}

/* One without a name, that gets one, is somebody's, too. */
static void
test_linked (void)
{
  g_autofree char *path = wp_hidden_file_path (wanted), *from = NULL;
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd < 0)
    {
      g_test_skip ("this file system has no files without a name");
      return;
    }
  wp_hidden_file_lock (fd);
  from = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_assert_cmpint (linkat (AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW), ==, 0);
  wp_hidden_file_remove_left (wanted);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  close (fd);
  wp_hidden_file_remove_left (wanted);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_left (void)
{
  static const char *const kept[] = { ".wakepath-0123ab", ".notes.backup", ".a.wakepath-0123aB", ".a.wakepath-0123ab0", "a.wakepath-0123ab", "a" };
  g_autofree char *link = place (".link.wakepath-000001"), *pipe = place (".pipe.wakepath-000002"), *below = place (".folder.wakepath-000003");

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    make (kept[i], 0600);
  make (".out.perf.wakepath-0123ab", 0644);
  make (".another.wakepath-ffffff", 0400);
  g_assert_cmpint (symlink ("a", link), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (mkdir (below, 0700), ==, 0);
  wp_hidden_file_remove_left (wanted);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (is_there (kept[i]));
  g_assert_false (is_there (".out.perf.wakepath-0123ab") || is_there (".another.wakepath-ffffff"));
  g_assert_true (is_there (".link.wakepath-000001") && is_there (".pipe.wakepath-000002") && is_there (".folder.wakepath-000003"));
}

/* What must not be replaced. */
static void
test_kinds (void)
{
  g_autofree char *pipe = place ("pipe"), *link = place ("link"), *none = place ("none"), *file = place ("file");

  make ("file", 0600);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("pipe", link), ==, 0);
  g_assert_cmpint (wp_hidden_file_check (folder), ==, EISDIR);
  g_assert_cmpint (wp_hidden_file_check (pipe), ==, EINVAL);
  g_assert_cmpint (wp_hidden_file_check (link), ==, EINVAL);
  g_assert_cmpint (wp_hidden_file_check ("/dev/null"), ==, EINVAL);
  g_assert_cmpint (wp_hidden_file_check (file), ==, 0);
  g_assert_cmpint (wp_hidden_file_check (none), ==, 0);
}

/* The longest name there can be. */
static void
test_long (void)
{
  g_autofree char *name = g_strnfill (255, 'x'), *long_one = place (name), *path = NULL;
  int fd = wp_hidden_file_open (long_one, 0600, &path);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  wp_hidden_file_remove_left (long_one);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("wakepath-hidden-XXXXXX", NULL);
  wanted = place ("out.perf");
  g_test_add_func ("/hidden-file/live", test_live);
  g_test_add_func ("/hidden-file/linked", test_linked);
  g_test_add_func ("/hidden-file/left", test_left);
  g_test_add_func ("/hidden-file/kinds", test_kinds);
  g_test_add_func ("/hidden-file/long", test_long);
  status = g_test_run ();
  wp_remove_made_folder (folder);
  g_free (folder);
  g_free (wanted);
  return status;
}
