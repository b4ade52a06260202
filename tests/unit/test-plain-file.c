/* Files are opened only where they are plain ones of a bounded size, and what is none is not even touched. */
#include "base/plain-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->folder = g_dir_make_tmp ("wakepath-plain-XXXXXX", NULL);
}

static char *
place (const Fixture *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = place (self, name);

      g_remove (path);
    }
  g_rmdir (self->folder);
  g_free (self->folder);
}

static void
assert_refused (const char *path, guint64 limit, const char *word, int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = wp_plain_file_read (path, limit, NULL, &error);

  g_assert_null (text);
  g_assert_error (error, G_FILE_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, word));
}

/* Up to the limit, and not a byte more. */
static void
test_sizes (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = place (self, "file"), *empty = place (self, "empty"), *large = place (self, "large");
  g_autofree char *text = NULL, *nothing = NULL, *all = NULL;
  GError *error = NULL;
  gsize n;

  g_assert_true (g_file_set_contents (path, "abc\0e", 5, NULL));
  text = wp_plain_file_read (path, 5, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (text, n + 1, "abc\0e", 6);
  assert_refused (path, 4, "has 5 bytes", G_FILE_ERROR_INVAL);

  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  nothing = wp_plain_file_read (empty, 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpuint (n, ==, 0);

  all = wp_plain_file_read (path, WP_PLAIN_FILE_ANY_SIZE, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 5);

  g_assert_true (g_file_set_contents (large, "", 0, NULL));
  g_assert_no_errno (truncate (large, G_GUINT64_CONSTANT (1) << 40));
  assert_refused (large, 1024 * 1024, "more than 1048576 are not read", G_FILE_ERROR_INVAL);
}

/* Files of /proc say that they are empty. */
static void
test_no_size (Fixture *self G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  GError *error = NULL;
  gsize n;
  g_autofree char *text = wp_plain_file_read ("/proc/self/maps", WP_PLAIN_FILE_ANY_SIZE, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n, >, 200);
  g_assert_cmpuint (strlen (text), ==, n);
  assert_refused ("/proc/self/maps", 100, "more than 100 bytes", G_FILE_ERROR_INVAL);
}

static void
make_socket (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  g_assert_no_errno (bind (fd, (struct sockaddr *) &address, sizeof address));
  close (fd);
}

static void
test_kinds (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = place (self, "fifo"), *sock = place (self, "socket"), *zero = place (self, "zero"), *none = place (self, "none"),
                  *tty = place (self, "tty"), *loop = place (self, "loop");

  g_assert_no_errno (mkfifo (fifo, 0600));
  make_socket (sock);
  g_assert_no_errno (symlink ("/dev/zero", zero));
  g_assert_no_errno (symlink ("/dev/tty", tty));
  g_assert_no_errno (symlink ("loop", loop));
  assert_refused (fifo, 100, "not a file but a pipe", G_FILE_ERROR_INVAL);
  assert_refused (sock, 100, "not a file but a socket", G_FILE_ERROR_INVAL);
  assert_refused (zero, 100, "not a file but a device", G_FILE_ERROR_INVAL);
  assert_refused (tty, 100, "not a file but a device", G_FILE_ERROR_INVAL);
  assert_refused (self->folder, 100, "not a file but a folder", G_FILE_ERROR_ISDIR);
  assert_refused (none, 100, g_strerror (ENOENT), G_FILE_ERROR_NOENT);
  assert_refused (loop, 100, g_strerror (ELOOP), G_FILE_ERROR_LOOP);
}

/* Who watches a pipe sees no open. */
static void
test_untouched (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = place (self, "fifo");
  int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC), fd;
  char events[4096];

  g_assert_no_errno (mkfifo (fifo, 0600));
  g_assert_cmpint (inotify_add_watch (watch, fifo, IN_OPEN), >=, 0);
  assert_refused (fifo, 100, "a pipe", G_FILE_ERROR_INVAL);
  g_assert_cmpint (read (watch, events, sizeof events), ==, -1);
  g_assert_cmpint (errno, ==, EAGAIN);

  fd = open (fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  g_assert_cmpint (read (watch, events, sizeof events), >, 0); /* the watch does see one */
  close (fd);
  close (watch);
}

/* In a folder, by a link, and not by a link. */
static void
test_places (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = place (self, "file"), *link = place (self, "link");
  int folder = open (self->folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "abc", 3, NULL));
  g_assert_no_errno (symlink ("file", link));
  fd = wp_plain_file_open (folder, "link", 0, 3, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
  close (fd);
  g_assert_cmpint (wp_plain_file_open (folder, "link", O_NOFOLLOW, 3, &error), ==, -1);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  g_assert_cmpstr (error->message, ==, "link: not a file but a symbolic link");
  close (folder);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Fixture *self, gconstpointer data);
  } tests[] = { { "/plain-file/sizes", test_sizes },
                { "/plain-file/no-size", test_no_size },
                { "/plain-file/kinds", test_kinds },
                { "/plain-file/untouched", test_untouched },
                { "/plain-file/places", test_places } };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
