#include "read/symbols/jit-map.h"

#include "base/asked-files.h"
#include "base/plain-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP_MAX (128 * 1024 * 1024)
#define LINES_MAX (2 * 1024 * 1024)
#define LINES_PER_LOOK 8192

gboolean
wp_jit_is_anonymous (const char *path)
{
  static const char *const names[] = { "//", "/anon_hugepage", "/dev/zero", "/memfd:", "/SYSV", "[heap]", "[stack" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (path, names[i]))
      return TRUE;
  return FALSE;
}

gint32
wp_jit_module_pid (const char *module)
{
  static const char *const formats[] = { WP_JIT_MODULE "%n", "/tmp/perf-%d.map%n" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      int pid, end = 0;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      if (sscanf (module, formats[i], &pid, &end) == 1 && end > 0 && module[end] == '\0' && pid > 0)
        return pid;
#pragma GCC diagnostic pop
    }
  return -1;
}

/* Anybody may make files in /tmp: only ours and root's are believed. */
static int
open_map (gint32 pid, gsize *size)
{
  g_autofree char *path = g_strdup_printf ("/tmp/perf-%d.map", pid);
  struct stat st;
  int fd;

  wp_asked_files_note (path);
  fd = wp_plain_file_open (AT_FDCWD, path, O_NOFOLLOW, MAP_MAX, NULL);
  if (fd < 0)
    return -1;
  if (fstat (fd, &st) == 0 && (st.st_uid == 0 || st.st_uid == geteuid ()) && st.st_size > 0)
    {
      *size = st.st_size;
      return fd;
    }
  close (fd);
  return -1;
}

/* A hexadecimal number and the blank behind it; NULL when there is none. */
static const char *
take_number (const char *p, const char *end, guint64 *value)
{
  const char *start = p;

  *value = 0;
  if (end - p > 2 && p[0] == '0' && p[1] == 'x')
    start = p += 2;
  for (; p < end && g_ascii_isxdigit (*p) && p - start < 16; p++)
    *value = *value << 4 | g_ascii_xdigit_value (*p);
  return p > start && p < end && *p == ' ' ? p + 1 : NULL;
}

static void
take_line (WpFunctions *functions, const char *line, const char *end, guint32 number)
{
  guint64 start, size;
  const char *name = take_number (line, end, &start);

  name = name != NULL ? take_number (name, end, &size) : NULL;
  if (name != NULL && name < end && size > 0)
    wp_functions_add (functions, start, size, G_MAXUINT32 - number, name, end - name, "");
}

static void
take_lines (WpFunctions *functions, const char *p, const char *end, GCancellable *cancellable)
{
  for (guint32 number = 0; p < end && number < LINES_MAX; number++)
    {
      const char *newline = memchr (p, '\n', end - p);

      if (newline == NULL || (number % LINES_PER_LOOK == 0 && g_cancellable_is_cancelled (cancellable)))
        return; /* a last line without an end is still being written */
      take_line (functions, p, newline, number);
      p = newline + 1;
    }
}

WpFunctions *
wp_jit_map_read (gint32 pid, GCancellable *cancellable)
{
  WpFunctions *functions;
  g_autofree char *text = NULL;
  gsize size, n = 0;
  gssize got;
  int fd = open_map (pid, &size);

  if (fd < 0)
    return NULL;
  text = g_try_malloc (size); /* not mapped: the program may cut it at any time */
  while (text != NULL && n < size && (got = TEMP_FAILURE_RETRY (read (fd, text + n, size - n))) > 0)
    n += got;
  close (fd);
  functions = wp_functions_new ();
  if (text != NULL)
    take_lines (functions, text, text + n, cancellable);
  wp_functions_sort (functions);
  return functions;
}
