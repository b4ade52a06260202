#include "store/lock-holder.h"

#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* Names are chosen by who runs the program: nothing of them may steer a terminal. */
static char *
printable (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  GString *text = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    g_string_append_unichar (text, g_unichar_isprint (g_utf8_get_char (c)) ? g_utf8_get_char (c) : '?');
  return g_string_free (text, FALSE);
}

static char *
program_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", pid), *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) ? printable (g_strchomp (name)) : NULL;
}

static char *
user_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d", pid);
  const struct passwd *user = NULL;
  struct stat st;

  if (stat (path, &st) != 0)
    return NULL;
  user = getpwuid (st.st_uid);
  return user != NULL ? printable (user->pw_name) : g_strdup_printf ("user %u", st.st_uid);
}

/* The process of a line of /proc/locks that is a lock held on this file; 0: it is another one. Some file systems have another device there
 * than stat() says: `exact` tells. */
static int
pid_of (const char *line, const struct stat *st, gboolean *exact)
{
  unsigned major, minor;
  unsigned long inode;
  int pid;

  if (sscanf (line, "%*u: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major, &minor, &inode) != 4 || inode != st->st_ino)
    return 0;
  *exact = major == major (st->st_dev) && minor == minor (st->st_dev);
  return pid;
}

static int
find_pid (int fd)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  struct stat st;
  int found = 0;

  if (fstat (fd, &st) != 0 || !g_file_get_contents ("/proc/locks", &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      gboolean exact = FALSE;
      int pid = pid_of (*line, &st, &exact);

      if (pid > 0 && exact)
        return pid;
      found = pid > 0 ? pid : found;
    }
  return found;
}

char *
wp_lock_holder (int fd)
{
  int pid = find_pid (fd);
  g_autofree char *program = pid > 0 ? program_of (pid) : NULL, *user = pid > 0 ? user_of (pid) : NULL;

  if (pid <= 0)
    return g_strdup ("another program");
  if (program == NULL || user == NULL)
    return g_strdup_printf ("a program that process %d has started", pid);
  return g_strdup_printf ("“%s” (process %d of %s)", program, pid, user);
}
