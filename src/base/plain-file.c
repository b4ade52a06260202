#include "base/plain-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_PIECE 4096 /* of a file that does not say its size, as those of /proc */

static int
fail (const char *name, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", name, g_strerror (code));
  return -1;
}

static const char *
kind_of (mode_t mode)
{
  return S_ISDIR (mode)                     ? "a folder"
         : S_ISCHR (mode) || S_ISBLK (mode) ? "a device"
         : S_ISFIFO (mode)                  ? "a pipe"
         : S_ISSOCK (mode)                  ? "a socket"
         : S_ISLNK (mode)                   ? "a symbolic link"
                                            : "something else";
}

static gboolean
is_wanted (const char *name, const struct stat *st, guint64 limit, GError **error)
{
  if (!S_ISREG (st->st_mode))
    g_set_error (error, G_FILE_ERROR, S_ISDIR (st->st_mode) ? G_FILE_ERROR_ISDIR : G_FILE_ERROR_INVAL, "%s: not a file but %s", name,
                 kind_of (st->st_mode));
  else if ((guint64) st->st_size > limit)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 "%s: has %" G_GUINT64_FORMAT " bytes; more than %" G_GUINT64_FORMAT " are not read here", name, (guint64) st->st_size, limit);
  else
    return TRUE;
  return FALSE;
}

/* Of a descriptor that only stands for the file: nothing has been opened so far. */
static int
reopen (int place, const char *name, GError **error)
{
  char path[64];
  int fd;

  g_snprintf (path, sizeof path, "/proc/self/fd/%d", place);
  fd = TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return fd >= 0 ? fd : fail (name, errno, error);
}

int
wp_plain_file_open (int folder, const char *name, int flags, guint64 limit, GError **error)
{
  int place = TEMP_FAILURE_RETRY (openat (folder, name, O_PATH | O_CLOEXEC | flags)), fd = -1;
  struct stat st;

  if (place < 0 || fstat (place, &st) != 0)
    fail (name, errno, error);
  else if (is_wanted (name, &st, limit, error))
    fd = reopen (place, name, error);
  if (place >= 0)
    close (place);
  return fd;
}

/* What is read so far. */
typedef struct
{
  char *data;
  gsize n, room; /* a byte more for the NUL */
} Text;

/* The next piece, but no more than `most` in all. What read() returns. */
static gssize
read_piece (int fd, Text *text, gsize most)
{
  gssize got;

  if (text->n == text->room)
    {
      text->room = MIN (MAX (text->room * 2, FIRST_PIECE), most);
      text->data = g_realloc (text->data, text->room + 1);
    }
  do
    got = read (fd, text->data + text->n, text->room - text->n);
  while (got < 0 && errno == EINTR);
  text->n += (gsize) MAX (got, 0);
  return got;
}

/* A byte more than the limit tells that there is too much: a file may grow, and some do not say their size. */
static gboolean
read_all (int fd, const char *name, guint64 limit, Text *text, GError **error)
{
  gsize most = (gsize) MIN (limit, G_MAXSSIZE - 1) + 1;
  struct stat st;
  gssize got = 1;

  if (fstat (fd, &st) == 0)
    text->room = MIN ((gsize) st.st_size + 1, most);
  text->data = g_malloc (text->room + 1);
  while (got > 0 && text->n < most)
    got = read_piece (fd, text, most);
  if (got < 0)
    fail (name, errno, error);
  else if (text->n > limit)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: more than %" G_GUINT64_FORMAT " bytes are not read here", name, limit);
  else
    return TRUE;
  return FALSE;
}

char *
wp_plain_file_read (const char *path, guint64 limit, gsize *n, GError **error)
{
  int fd = wp_plain_file_open (AT_FDCWD, path, 0, limit, error);
  Text text = { 0 };
  gboolean read;

  if (fd < 0)
    return NULL;
  read = read_all (fd, path, limit, &text, error);
  close (fd);
  if (!read)
    {
      g_free (text.data);
      return NULL;
    }
  text.data[text.n] = '\0';
  if (n != NULL)
    *n = text.n;
  return text.data;
}
