/* Looking for the paths of inodes; see inode-paths.h. */
#include "record/inode-paths.h"

#include "base/device.h"
#include "base/hash.h"
#include "base/search.h"
#include "record/mounts.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_US (2 * G_USEC_PER_SEC)
#define LOOK_EVERY 256 /* entries: so often the clock is looked at */

struct WpFileNames
{
  const WpInode *inodes; /* sorted */
  char **paths;          /* one each, or NULL */
  gint64 *made;          /* … and when that file was made, by the recording's clock */
  gint64 clock;          /* 1970 by that clock */
  guint n, left;
  GCancellable *cancellable;
  gint64 deadline;
  guint steps;
  gboolean cut;

  GArray *mounts;
  GHashTable *points;   /* mount point: its device, of what was mounted there last */
  GHashTable *answered; /* devices of which the kernel told by handle: what it did not tell of is gone */
  GPtrArray *folders;   /* still to be looked through: a stack of paths */
  GHashTable *visited;  /* keys of folders */
};

typedef struct
{
  guint32 dev;
  guint64 inode;
} Folder;

static guint
hash_folder (gconstpointer key)
{
  const Folder *folder = key;

  return wp_hash_int64 (&folder->inode) ^ folder->dev;
}

static gboolean
same_folder (gconstpointer a, gconstpointer b)
{
  const Folder *left = a, *right = b;

  return left->dev == right->dev && left->inode == right->inode;
}

static gint64
now (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

/* Whoever is preempted between two looks sees too little: the most of several is right. */
gint64
wp_file_names_1970 (void)
{
  gint64 most = G_MININT64;

  for (guint i = 0; i < 5; i++)
    {
      gint64 monotonic = now (CLOCK_MONOTONIC);

      most = MAX (most, monotonic - now (CLOCK_REALTIME));
    }
  return most;
}

WpFileNames *
wp_file_names_new (const WpInode *inodes, guint n, GCancellable *cancellable)
{
  WpFileNames *self = g_new0 (WpFileNames, 1);

  self->inodes = inodes;
  self->paths = g_new0 (char *, n + 1);
  self->made = g_new0 (gint64, n + 1);
  self->clock = wp_file_names_1970 ();
  self->n = self->left = n;
  self->cancellable = cancellable;
  self->deadline = g_get_monotonic_time () + PATIENCE_US;
  self->mounts = wp_mounts_read ();
  self->points = g_hash_table_new (wp_hash_string, g_str_equal);
  for (guint i = 0; i < self->mounts->len; i++)
    {
      const WpMount *mount = &g_array_index (self->mounts, WpMount, i);

      g_hash_table_insert (self->points, mount->point, GUINT_TO_POINTER (mount->dev));
    }
  self->answered = g_hash_table_new (wp_hash_pointer, NULL);
  self->folders = g_ptr_array_new_with_free_func (g_free);
  self->visited = g_hash_table_new_full (hash_folder, same_folder, g_free, NULL);
  return self;
}

void
wp_file_names_free (WpFileNames *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->paths[i]);
  g_free (self->paths);
  g_free (self->made);
  g_hash_table_unref (self->points);
  g_hash_table_unref (self->answered);
  g_array_unref (self->mounts);
  g_ptr_array_unref (self->folders);
  g_hash_table_unref (self->visited);
  g_free (self);
}

static gboolean
go_on (WpFileNames *self)
{
  if (self->left == 0 || self->cut)
    return FALSE;
  if (self->steps++ % LOOK_EVERY == 0)
    self->cut = g_get_monotonic_time () > self->deadline || g_cancellable_is_cancelled (self->cancellable);
  return !self->cut;
}

/* The first row that is not below this inode. */
static guint
find (const WpFileNames *self, guint32 dev, guint64 inode)
{
  const WpInode *rows = self->inodes;

  return WP_SEARCH (0, self->n, i, rows[i].dev < dev || (rows[i].dev == dev && rows[i].inode < inode));
}

static gboolean
wanted (const WpFileNames *self, guint32 dev, guint64 inode, guint *row)
{
  *row = find (self, dev, inode);
  return *row < self->n && self->inodes[*row].dev == dev && self->inodes[*row].inode == inode && self->paths[*row] == NULL;
}

static gboolean
on_wanted_device (const WpFileNames *self, guint32 dev)
{
  guint row = find (self, dev, 0);

  return row < self->n && self->inodes[row].dev == dev;
}

void
wp_file_names_try (WpFileNames *self, guint32 dev, guint64 inode, const char *path)
{
  gint64 made;
  guint row;

  if (*path != '/' || !wanted (self, dev, inode, &row) || !wp_mounts_same_file (path, dev, inode, &made))
    return;
  self->paths[row] = g_strdup (path);
  self->made[row] = made + self->clock;
  self->left--;
}

/* --- by handle ---------------------------------------------------------------------------------------------------- */

/* FILEID_INO32_GEN with generation 0, which ext4 and others take for any: whatever has that number now. */
static int
open_inode (int mount, guint64 inode)
{
  union
  {
    struct file_handle handle;
    char bytes[sizeof (struct file_handle) + 2 * sizeof (guint32)];
  } file = { .handle = { .handle_bytes = 2 * sizeof (guint32), .handle_type = 1 } };
  const guint32 number[2] = { (guint32) inode, 0 };

  if (inode > G_MAXUINT32)
    return -1;
  memcpy (file.handle.f_handle, number, sizeof number);
  return open_by_handle_at (mount, &file.handle, O_PATH | O_CLOEXEC);
}

static void
ask_kernel (WpFileNames *self, int mount, guint row)
{
  char link[64], path[PATH_MAX];
  gssize length;
  int fd = open_inode (mount, self->inodes[row].inode);

  if (fd < 0)
    return;
  g_snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  if (length > 0)
    {
      path[length] = '\0';
      wp_file_names_try (self, self->inodes[row].dev, self->inodes[row].inode, path);
    }
  close (fd);
}

/* Whether the kernel knows files of that file system by such handles: then what it does not know is gone. */
static gboolean
knows_handles (int mount)
{
  struct stat found;
  int fd = fstat (mount, &found) == 0 ? open_inode (mount, found.st_ino) : -1;

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

/* The folder that is mounted there, unless it is of another device: something else was mounted over it. */
static int
open_mount (const WpMount *mount)
{
  int fd = TEMP_FAILURE_RETRY (open (mount->point, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  struct stat found;

  if (fd >= 0 && (fstat (fd, &found) < 0 || wp_device_of (found.st_dev) != mount->dev))
    {
      close (fd);
      return -1;
    }
  return fd;
}

static void
ask_at_mount (WpFileNames *self, const WpMount *mount)
{
  int fd = open_mount (mount);

  if (fd < 0)
    return;
  if (knows_handles (fd))
    {
      g_hash_table_add (self->answered, GUINT_TO_POINTER (mount->dev));
      for (guint row = find (self, mount->dev, 0); row < self->n && self->inodes[row].dev == mount->dev && go_on (self); row++)
        if (self->paths[row] == NULL)
          ask_kernel (self, fd, row);
    }
  close (fd);
}

void
wp_file_names_by_handle (WpFileNames *self)
{
  for (guint i = 0; i < self->mounts->len && go_on (self); i++)
    if (on_wanted_device (self, g_array_index (self->mounts, WpMount, i).dev))
      ask_at_mount (self, &g_array_index (self->mounts, WpMount, i));
}

/* --- by walking through folders ----------------------------------------------------------------------------------- */

static gboolean
worth_walking (const WpFileNames *self, guint32 dev)
{
  return on_wanted_device (self, dev) && !g_hash_table_contains (self->answered, GUINT_TO_POINTER (dev));
}

/* Not even opened: what is mounted from elsewhere, since its server may never answer. */
static gboolean
is_elsewhere (const WpFileNames *self, const char *path)
{
  gpointer dev;

  return g_hash_table_lookup_extended (self->points, path, NULL, &dev) && !worth_walking (self, GPOINTER_TO_UINT (dev));
}

static void
look_at_entry (WpFileNames *self, const char *folder, guint32 dev, const struct dirent *entry)
{
  gboolean may_be_folder = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
  g_autofree char *path = NULL;
  guint row;

  if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..") ||
      !(may_be_folder || wanted (self, dev, entry->d_ino, &row)))
    return;
  path = g_build_filename (folder, entry->d_name, NULL);
  wp_file_names_try (self, dev, entry->d_ino, path);
  if (may_be_folder && !is_elsewhere (self, path))
    g_ptr_array_add (self->folders, g_steal_pointer (&path));
}

/* Not what would be mounted by a look into it. */
static int
open_folder (const char *path)
{
  int place = TEMP_FAILURE_RETRY (open (path, O_PATH | O_NOFOLLOW | O_CLOEXEC)), fd = -1;
  struct statfs system;

  if (place >= 0 && fstatfs (place, &system) == 0 && system.f_type != AUTOFS_SUPER_MAGIC)
    fd = TEMP_FAILURE_RETRY (openat (place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (place >= 0)
    close (place);
  return fd;
}

static void
look_into (WpFileNames *self, const char *path)
{
  int fd = open_folder (path);
  DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;
  struct stat found;
  Folder key;

  if (folder == NULL)
    {
      if (fd >= 0)
        close (fd);
      return;
    }
  if (fstat (fd, &found) == 0)
    {
      key = (Folder) { wp_device_of (found.st_dev), found.st_ino };
      wp_file_names_try (self, key.dev, key.inode, path);
      if (worth_walking (self, key.dev) && g_hash_table_add (self->visited, g_memdup2 (&key, sizeof key)))
        while (go_on (self) && (entry = readdir (folder)) != NULL)
          look_at_entry (self, path, key.dev, entry);
    }
  closedir (folder);
}

/* Of the file system that the path belongs to, by its mount points. */
static guint32
device_of (const WpFileNames *self, const char *path)
{
  g_autofree char *above = g_strdup (path);
  gpointer dev = NULL;

  while (!g_hash_table_lookup_extended (self->points, above, NULL, &dev) && !g_str_equal (above, "/"))
    {
      char *parent = g_path_get_dirname (above);

      g_free (above);
      above = parent;
    }
  return GPOINTER_TO_UINT (dev);
}

static void
walk (WpFileNames *self, const char *path)
{
  if (*path != '/' || !worth_walking (self, device_of (self, path)))
    return;
  g_ptr_array_add (self->folders, g_strdup (path));
  while (self->folders->len > 0 && go_on (self))
    {
      g_autofree char *folder = g_ptr_array_steal_index (self->folders, self->folders->len - 1);

      look_into (self, folder);
    }
  g_ptr_array_set_size (self->folders, 0);
}

void
wp_file_names_by_walk (WpFileNames *self, const char *first_folder)
{
  static const char *const usual[] = { "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/etc", "/usr/share", "/var" };

  walk (self, first_folder);
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    walk (self, usual[i]);
  walk (self, g_get_home_dir ());
  for (guint i = 0; i < self->mounts->len; i++)
    walk (self, g_array_index (self->mounts, WpMount, i).point);
}

/* --- what was found ----------------------------------------------------------------------------------------------- */

guint
wp_file_names_left (const WpFileNames *self)
{
  return self->left;
}

gboolean
wp_file_names_cut (const WpFileNames *self)
{
  return self->cut;
}

const char *
wp_file_names_get (const WpFileNames *self, guint i)
{
  return self->paths[i];
}

gint64
wp_file_names_made (const WpFileNames *self, guint i)
{
  return self->made[i];
}
