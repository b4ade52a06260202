#include "read/sidecar/room.h"

#include "base/plain-file.h"
#include "read/sidecar/columns.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct
{
  char *name;
  struct timespec used;
  guint64 size;
} Kept;

static void
clear_kept (gpointer kept)
{
  g_free (((Kept *) kept)->name);
}

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  const struct timespec *x = &((const Kept *) a)->used, *y = &((const Kept *) b)->used;

  return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec) : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* All but what is to be replaced, those first that were not used for the longest time. */
static GArray *
list_kept (const WpOwnFolder *folder, const char *but)
{
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  GArray *files = g_array_new (FALSE, FALSE, sizeof (Kept));
  const char *name;

  g_array_set_clear_func (files, clear_kept);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      struct stat st;

      if (*name != '.' && !g_str_equal (name, but) && fstatat (folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (st.st_mode))
        g_array_append_val (files, ((Kept) { g_strdup (name), st.st_mtim, (guint64) st.st_blocks * 512 }));
    }
  g_array_sort (files, compare_uses);
  return files;
}

/* One of another program may be used by that one again. */
static gboolean
is_gone (const WpOwnFolder *folder, const char *name)
{
  int fd = wp_plain_file_open (folder->fd, name, O_NOFOLLOW, WP_PLAIN_FILE_ANY_SIZE, NULL);
  gboolean gone = FALSE;
  WpSidecarBlocks blocks;
  void *map;
  gsize size;

  if (fd < 0)
    return FALSE;
  wp_sidecar_blocks_empty (&blocks);
  if (wp_blocks_map (fd, NULL, blocks.blocks, WP_SIDECAR_BLOCKS, &map, &size))
    {
      gone = !wp_sidecar_has_recording (&blocks);
      munmap (map, size);
    }
  close (fd);
  return gone;
}

void
wp_sidecars_forget_gone (const WpOwnFolder *folder, const char *name)
{
  g_autoptr (GArray) files = list_kept (folder, name);

  for (guint i = 0; i < files->len; i++)
    if (is_gone (folder, g_array_index (files, Kept, i).name))
      unlinkat (folder->fd, g_array_index (files, Kept, i).name, 0);
}

static guint64
bytes_of (const GArray *files)
{
  guint64 n = 0;

  for (guint i = 0; i < files->len; i++)
    n += g_array_index (files, Kept, i).size;
  return n;
}

guint64
wp_sidecars_limit (const WpOwnFolder *folder)
{
  g_autoptr (GArray) files = list_kept (folder, "");
  struct statvfs st;
  const guint64 left = fstatvfs (folder->fd, &st) == 0 ? (guint64) st.f_bavail * st.f_frsize : 0;

  return MIN (WP_SIDECARS_LARGEST, (left + bytes_of (files)) / 10);
}

gboolean
wp_sidecars_make_room (const WpOwnFolder *folder, const char *name, guint64 size, guint64 limit)
{
  g_autoptr (GArray) files = list_kept (folder, name);
  guint64 kept = bytes_of (files);

  if (size > limit)
    return FALSE;
  for (guint i = 0; i < files->len && kept + size > limit; i++)
    {
      const Kept *file = &g_array_index (files, Kept, i);

      unlinkat (folder->fd, file->name, 0);
      kept -= file->size;
    }
  return TRUE;
}
