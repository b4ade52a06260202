#include "read/symbols/builds.h"

#include "base/asked-files.h"
#include "base/device.h"
#include "base/hash.h"

#include <string.h>

#define STAMP "stamp "

/* What is known of a path. */
typedef struct
{
  char *build; /* NULL: nothing was said */
  WpFileNumbers mapped; /* inode 0: none yet */
  gboolean several;
  gboolean looked; /* `now` is known */
  struct stat now; /* st_ino 0: there is no such file */
} Path;

struct WpBuilds
{
  GHashTable *paths;  /* → Path */
  GHashTable *files;  /* WpFileNumbers → build */
  GHashTable *places; /* build id → path */
  GMutex lock;        /* of finding */
};

static guint
hash_file (gconstpointer key)
{
  const WpFileNumbers *file = key;

  return (guint) wp_hash_pair (wp_hash_pair (file->inode, file->generation), file->dev);
}

static gboolean
same_file (gconstpointer a, gconstpointer b)
{
  const WpFileNumbers *x = a, *y = b;

  return x->dev == y->dev && x->inode == y->inode && x->generation == y->generation;
}

static void
free_path (gpointer data)
{
  g_free (((Path *) data)->build);
  g_free (data);
}

WpBuilds *
wp_builds_new (void)
{
  WpBuilds *self = g_new0 (WpBuilds, 1);

  self->paths = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, free_path);
  self->files = g_hash_table_new_full (hash_file, same_file, g_free, g_free);
  self->places = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_mutex_init (&self->lock);
  return self;
}

void
wp_builds_free (WpBuilds *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->paths);
  g_hash_table_unref (self->files);
  g_hash_table_unref (self->places);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
wp_is_build_id (const char *text)
{
  gsize n = text != NULL ? strlen (text) : 0;

  return n > 2 && n <= 40 && strspn (text, "0123456789abcdef") == n;
}

static Path *
path_of (WpBuilds *self, const char *path)
{
  Path *row = g_hash_table_lookup (self->paths, path);

  if (row == NULL)
    {
      row = g_new0 (Path, 1);
      g_hash_table_insert (self->paths, g_strdup (path), row);
    }
  return row;
}

void
wp_builds_add_path (WpBuilds *self, const char *path, const char *build)
{
  Path *row = path_of (self, path);

  g_free (row->build);
  row->build = g_strdup (build);
}

void
wp_builds_add_file (WpBuilds *self, const WpFileNumbers *file, const char *build)
{
  if (wp_is_build_id (build) || g_str_has_prefix (build, STAMP) || g_str_equal (build, WP_BUILD_GONE))
    g_hash_table_replace (self->files, g_memdup2 (file, sizeof *file), g_strdup (build));
}

void
wp_builds_note (WpBuilds *self, const char *path, const WpFileNumbers *file)
{
  Path *row;

  if (file->inode == 0)
    return;
  row = path_of (self, path);
  if (row->mapped.inode == 0)
    row->mapped = *file;
  if (row->mapped.generation == 0)
    row->mapped.generation = file->generation;
  row->several = row->several || row->mapped.inode != file->inode || row->mapped.dev != file->dev
                 || (file->generation != 0 && row->mapped.generation != file->generation);
}

gboolean
wp_builds_is_one (const WpBuilds *self, const char *path)
{
  const Path *row = g_hash_table_lookup (self->paths, path);

  return row == NULL || !row->several;
}

/* --- what is there now -------------------------------------------------------------------------------------------- */

static const struct stat *
file_now (Path *row, const char *path)
{
  if (!row->looked)
    wp_asked_files_note (path);
  if (!row->looked && stat (path, &row->now) != 0)
    row->now.st_ino = 0;
  row->looked = TRUE;
  return row->now.st_ino != 0 ? &row->now : NULL;
}

/* Another file of the same device has this name now: what is in it says nothing about the one that was mapped. Of another device, nobody
 * knows: some file systems have a number for their mappings and one for stat(). */
static gboolean
is_another (const struct stat *now, const WpFileNumbers *file)
{
  return now != NULL && file->inode != 0 && now->st_ino != file->inode
         && wp_device_of (now->st_dev) == file->dev;
}

char *
wp_build_stamp (const struct stat *found)
{
  return g_strdup_printf (STAMP "%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, (guint64) found->st_size,
                          found->st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + found->st_mtim.tv_nsec);
}

static const char *
check_stamp (Path *row, const char *path, const char *build)
{
  const struct stat *now = file_now (row, path);
  g_autofree char *stamp = now != NULL ? wp_build_stamp (now) : NULL;

  return stamp == NULL || g_str_equal (stamp, build) ? NULL : WP_BUILD_GONE;
}

static const char *
find (WpBuilds *self, const char *path, const WpFileNumbers *file, gboolean look)
{
  const char *build = file->inode != 0 ? g_hash_table_lookup (self->files, file) : NULL;
  Path *row = path_of (self, path);

  if (build == NULL && !row->several)
    build = row->build;
  if (build != NULL && !g_str_has_prefix (build, STAMP))
    return build;
  if (!look || path[0] != '/')
    return NULL;
  if (build != NULL)
    return check_stamp (row, path, build);
  return is_another (file_now (row, path), file) ? WP_BUILD_GONE : NULL;
}

const char *
wp_builds_find (WpBuilds *self, const char *path, const WpFileNumbers *file, gboolean look)
{
  const char *build;

  g_mutex_lock (&self->lock);
  build = find (self, path, file, look);
  g_mutex_unlock (&self->lock);
  return build;
}

/* --- elsewhere ---------------------------------------------------------------------------------------------------- */

void
wp_builds_set_place (WpBuilds *self, const char *build_id, const char *path)
{
  g_hash_table_replace (self->places, g_strdup (build_id), g_strdup (path));
}

const char *
wp_builds_place (const WpBuilds *self, const char *build_id)
{
  return g_hash_table_lookup (self->places, build_id);
}
