/* /proc/self/mountinfo; see mounts.h. */
#include "record/mounts.h"

#include "base/device.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static void
clear_mount (gpointer data)
{
  g_free (((WpMount *) data)->point);
}

/* "36 35 98:0 /root /mount/point options… - type source options": blanks in paths are octal. */
static gboolean
parse_line (const char *line, WpMount *mount)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 6);
  guint major, minor;

  if (g_strv_length (words) < 6 || sscanf (words[2], "%u:%u", &major, &minor) != 2 || minor >= 1u << 20)
    return FALSE;
  mount->dev = wp_device_number (major, minor);
  mount->point = g_strcompress (words[4]);
  return TRUE;
}

GArray *
wp_mounts_read (void)
{
  GArray *mounts = g_array_new (FALSE, FALSE, sizeof (WpMount));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  WpMount mount;

  g_array_set_clear_func (mounts, clear_mount);
  if (!g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    return mounts;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (parse_line (lines[i], &mount))
      g_array_append_val (mounts, mount);
  return mounts;
}

gboolean
wp_mounts_same_file (const char *path, guint32 dev, guint64 inode, gint64 *made)
{
  struct statx found;
  const struct statx_timestamp *time = &found.stx_ctime;

  if (statx (AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME | STATX_CTIME, &found) < 0)
    return FALSE;
  if (found.stx_mask & STATX_BTIME)
    time = &found.stx_btime;
  *made = time->tv_sec * G_GINT64_CONSTANT (1000000000) + time->tv_nsec;
  return found.stx_ino == inode && wp_device_number (found.stx_dev_major, found.stx_dev_minor) == dev;
}
