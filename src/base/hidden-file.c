/* Hidden names of files that are being written. */
#include "base/hidden-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".wakepath-"
#define DIGITS 6
#define NAME_MOST 200 /* bytes of the name that it is to have: a name has 255 at most */
#define TRIES 100

char *
wp_hidden_file_path (const char *wanted)
{
  g_autofree char *folder = g_path_get_dirname (wanted), *name = g_path_get_basename (wanted);

  return g_strdup_printf ("%s/.%.*s" MARK "%06x", folder, NAME_MOST, name, g_random_int () & 0xffffff);
}

int
wp_hidden_file_check (const char *wanted)
{
  struct stat st;

  if (stat (wanted, &st) != 0 || S_ISREG (st.st_mode))
    return 0;
  return S_ISDIR (st.st_mode) ? EISDIR : EINVAL;
}

static gboolean
is_hidden (const char *name)
{
  gsize n = strlen (name), end = strlen (MARK) + DIGITS;

  return name[0] == '.' && n > end && g_str_has_prefix (name + n - end, MARK) && strspn (name + n - DIGITS, "0123456789abcdef") == DIGITS;
}

/* 0, or an errno: EWOULDBLOCK when somebody else has it. */
static int
lock (int fd)
{
  return TEMP_FAILURE_RETRY (flock (fd, LOCK_EX | LOCK_NB)) == 0 ? 0 : errno;
}

void
wp_hidden_file_lock (int fd)
{
  lock (fd);
}

/* --- what was left ------------------------------------------------------------------------------------------------------ */

static int
open_left (const char *path)
{
  const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDWR | flags)); /* some file systems lock only what can be written */

  return fd < 0 && errno == EACCES ? TEMP_FAILURE_RETRY (open (path, O_RDONLY | flags)) : fd;
}

static void
remove_nobodys (const char *path)
{
  int fd = open_left (path);
  struct stat st;

  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid () && lock (fd) == 0)
    unlink (path);
  close (fd);
}

void
wp_hidden_file_remove_left (const char *wanted)
{
  g_autofree char *folder = g_path_get_dirname (wanted);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = is_hidden (name) ? g_build_filename (folder, name, NULL) : NULL;

      if (path != NULL)
        remove_nobodys (path);
    }
}

/* --- a new one ---------------------------------------------------------------------------------------------------------- */

/* Between its making and its locking it may have been taken for nobody's. A file system without locks has nobody who removes. */
static gboolean
is_kept (int fd)
{
  struct stat st;

  return lock (fd) != EWOULDBLOCK && (fstat (fd, &st) != 0 || st.st_nlink > 0);
}

int
wp_hidden_file_open (const char *wanted, mode_t mode, char **path)
{
  wp_hidden_file_remove_left (wanted);
  for (guint i = 0; i < TRIES; i++)
    {
      g_autofree char *name = wp_hidden_file_path (wanted);
      int fd = TEMP_FAILURE_RETRY (open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));

      if (fd >= 0 && is_kept (fd))
        {
          *path = g_steal_pointer (&name);
          return fd;
        }
      if (fd >= 0)
        close (fd);
      else if (errno != EEXIST)
        return -1;
    }
  errno = EEXIST;
  return -1;
}
