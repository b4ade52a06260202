#include "store/index-sum.h"

#include "base/plain-file.h"
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST 64 /* bytes of such a file */

static char *
text_of (const guint8 *data, gsize n)
{
  g_autofree char *sha1 = g_compute_checksum_for_data (G_CHECKSUM_SHA1, data, n);

  return g_strdup_printf ("%s %" G_GSIZE_FORMAT "\n", sha1, n);
}

/* In a folder that is one: through a link a stranger would choose where we write. */
static int
open_anew (const char *path)
{
  g_autofree char *name = g_path_get_dirname (path), *file = g_path_get_basename (path);
  int made = mkdir (name, 0777), folder = TEMP_FAILURE_RETRY (open (name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), fd = -1, code;

  (void) made; /* where it is not there it cannot be opened either */
  if (folder >= 0)
    fd = TEMP_FAILURE_RETRY (openat (folder, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
  code = errno;
  if (folder >= 0)
    close (folder);
  errno = code;
  return fd;
}

gboolean
wp_index_sum_write (const char *path, const GByteArray *bytes, GError **error)
{
  g_autofree char *text = text_of (bytes->data, bytes->len);
  int fd = open_anew (path), code = fd < 0 ? errno : wp_write_all (fd, text, strlen (text));

  if (fd >= 0 && close (fd) != 0 && code == 0)
    code = errno;
  if (code != 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return code == 0;
}

static gboolean
is_older (const char *path, const char *other)
{
  struct stat a, b;

  return stat (path, &a) != 0 || stat (other, &b) != 0 || a.st_mtim.tv_sec < b.st_mtim.tv_sec
         || (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec < b.st_mtim.tv_nsec);
}

/* Whether the text is one of these files, for an index of this size. */
static gboolean
is_of_size (const char *text, gsize n)
{
  g_autofree char *end = g_strdup_printf (" %" G_GSIZE_FORMAT "\n", n);

  return strspn (text, "0123456789abcdef") == 40 && g_str_equal (text + 40, end);
}

/* Who adds or removes changes the size, too, and copying a store may bring the times into disorder. */
WpIndexSum
wp_index_sum_check (const char *path, const char *index, const guint8 *data, gsize n)
{
  g_autofree char *wanted = wp_plain_file_read (path, LONGEST, NULL, NULL), *text = NULL;

  if (wanted == NULL || !is_of_size (wanted, n))
    return WP_INDEX_SUM_UNKNOWN;
  text = text_of (data, n);
  if (g_str_equal (text, wanted))
    return WP_INDEX_SUM_SAME;
  return is_older (path, index) ? WP_INDEX_SUM_UNKNOWN : WP_INDEX_SUM_DAMAGED;
}
