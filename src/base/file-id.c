#include "base/file-id.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

gboolean
wp_file_id (int fd, WpFileId *id)
{
  struct statx found = { 0 };

  if (statx (fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID, &found) != 0)
    return FALSE;
  *id = (WpFileId) { .device = makedev (found.stx_dev_major, found.stx_dev_minor), .inode = found.stx_ino,
                     .owner = found.stx_uid, .mode = found.stx_mode };
  if (found.stx_mask & STATX_BTIME)
    id->born = (gint64) found.stx_btime.tv_sec * G_GINT64_CONSTANT (1000000000) + found.stx_btime.tv_nsec;
  if (found.stx_mask & STATX_MNT_ID)
    id->mount = found.stx_mnt_id;
  return TRUE;
}

gboolean
wp_file_id_equal (const WpFileId *a, const WpFileId *b)
{
  return a->inode == b->inode && a->born == b->born && (a->born != 0 || a->device == b->device);
}

void
wp_file_id_append (const WpFileId *self, GString *text)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT "\n", self->inode, self->born,
                          self->born == 0 ? self->device : 0);
}
