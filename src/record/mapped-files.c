#include "record/mapped-files.h"

#include "base/device.h"
#include "base/hash.h"
#include "read/symbols/elf-file.h"
#include "read/symbols/jit-map.h"
#include "record/inode-paths.h"
#include "record/marks.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#define RECORD_TRACING_DATA 66
#define TIME_FROM_END 24 /* of records that are no samples, in our own streams */
#define PATIENCE_US G_USEC_PER_SEC
#define ROOTS_MAX 64
#define KEPT_MAX 128
#define PAGE 4096

/* --- what was mapped ---------------------------------------------------------------------------------------------- */

/* PERF_RECORD_MMAP2, the part that is always there. */
typedef struct
{
  guint32 pid, tid;
  guint64 start, length, offset;
  guint32 major, minor;
  guint64 inode, generation;
  guint32 protection, flags;
} Mapped;

static guint
hash_row (gconstpointer key)
{
  const WpMappedFile *row = key;

  return wp_hash_string (row->path) ^ wp_hash_int64 (&row->file.inode) ^ wp_hash_int64 (&row->file.generation) * 31;
}

static gboolean
same_row (gconstpointer a, gconstpointer b)
{
  const WpMappedFile *x = a, *y = b;

  return x->file.inode == y->file.inode && x->file.dev == y->file.dev && x->file.generation == y->file.generation
         && g_str_equal (x->path, y->path);
}

static void
clear_row (gpointer data)
{
  g_free (((WpMappedFile *) data)->path);
  g_free (((WpMappedFile *) data)->build);
}

static void
free_row (gpointer data)
{
  clear_row (data);
  g_free (data);
}

static gint64
time_of (const struct perf_event_header *header, const char *body)
{
  gint64 time = 0;

  if (header->size >= sizeof *header + sizeof (Mapped) + TIME_FROM_END)
    memcpy (&time, body + header->size - sizeof *header - TIME_FROM_END, sizeof time);
  return time;
}

static void
take (GHashTable *seen, const struct perf_event_header *header, const char *body)
{
  gsize size = header->size - sizeof *header;
  const char *path = body + sizeof (Mapped);
  Mapped mapped;
  WpMappedFile key, *row;
  gint32 pid, tid;

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || size <= sizeof mapped
      || memchr (path, '\0', size - sizeof mapped) == NULL || path[0] != '/' || wp_jit_is_anonymous (path))
    return;
  memcpy (&mapped, body, sizeof mapped);
  if (mapped.inode == 0 || mapped.major > 0xfff || mapped.minor > 0xfffff)
    return;
  key = (WpMappedFile) { .path = (char *) path, .first = time_of (header, body),
                         .file = { wp_device_number (mapped.major, mapped.minor), mapped.inode, mapped.generation } };
  row = g_hash_table_lookup (seen, &key);
  if (row != NULL)
    row->first = MIN (row->first, key.first);
  else
    {
      row = g_memdup2 (&key, sizeof key);
      row->path = g_strdup (path);
      g_hash_table_add (seen, row);
    }
  row->marker = row->marker || (wp_marker_file_of (path, &pid, &tid) && pid == (gint32) mapped.pid);
}

/* A head of 16 bytes, then records. The size of the tracing data stands behind their header. */
static void
walk (GHashTable *seen, const char *data, gsize size)
{
  struct perf_event_header header;
  gsize at = 16;
  guint32 extra;

  while (size >= sizeof header && at <= size - sizeof header)
    {
      memcpy (&header, data + at, sizeof header);
      if (header.size < sizeof header || header.size > size - at)
        return;
      take (seen, &header, data + at + sizeof header);
      at += header.size;
      if (header.type == RECORD_TRACING_DATA && header.size >= sizeof header + sizeof extra)
        {
          memcpy (&extra, data + at - sizeof extra, sizeof extra);
          at += extra;
        }
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const WpMappedFile *x = a, *y = b;
  int order = strcmp (x->path, y->path);

  if (order == 0)
    order = (x->file.inode > y->file.inode) - (x->file.inode < y->file.inode);
  return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

void
wp_mapped_files_read (WpMappedFiles *self, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (hash_row, same_row, free_row, NULL);
  GHashTableIter iter;
  gpointer row;

  self->files = g_array_new (FALSE, FALSE, sizeof (WpMappedFile));
  self->kept = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (self->files, clear_row);
  if (file != NULL)
    walk (seen, g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_array_append_vals (self->files, row, 1);
      g_free (row);
    }
  g_array_sort (self->files, compare_rows);
}

void
wp_mapped_files_clear (WpMappedFiles *self)
{
  for (guint i = 0; i < self->kept->len; i++)
    close (g_array_index (self->kept, int, i));
  g_clear_pointer (&self->kept, g_array_unref);
  g_clear_pointer (&self->files, g_array_unref);
}

/* --- whether it is that file -------------------------------------------------------------------------------------- */

typedef struct
{
  WpMappedFiles *mapped;
  WpBuilds *builds;
  gint64 since;
  gint64 clock; /* 1970 by the recording's clock */
  gint64 deadline;
  GCancellable *cancellable;
  guint left; /* files still looked for */
} Search;

/* The numbers that the kernel has for mappings of this file. */
static gboolean
numbers_when_mapped (int fd, guint32 *dev, guint64 *inode)
{
  void *page = mmap (NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
  g_autofree char *line_start = g_strdup_printf ("%" G_GINTPTR_MODIFIER "x-", (guintptr) page), *text = NULL, *key = NULL;
  guint major, minor;
  const char *line;
  gboolean found;

  if (page == MAP_FAILED)
    return FALSE;
  found = g_file_get_contents ("/proc/self/maps", &text, NULL, NULL);
  munmap (page, PAGE);
  if (!found)
    return FALSE;
  key = g_strconcat ("\n", line_start, NULL);
  line = g_str_has_prefix (text, line_start) ? text : strstr (text, key);
  found = line != NULL && sscanf (line, "%*[^ ] %*s %*x %x:%x %" G_GUINT64_FORMAT, &major, &minor, inode) == 3;
  if (found)
    *dev = wp_device_number (major, minor);
  return found;
}

/* For reading, once it is known to be a regular file: of anything else opening may wait or do something. */
static int
reopen (int fd)
{
  char path[64];

  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  return TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

/* Some kernels name the file below the overlay in their events, and the one in it everywhere else. */
static gboolean
is_of_overlay (int fd)
{
  struct statfs system;

  return fstatfs (fd, &system) == 0 && system.f_type == OVERLAYFS_SUPER_MAGIC;
}

static gboolean
is_that (const WpMappedFile *row, const struct stat *found, int there, int fd)
{
  guint32 dev = wp_device_of (found->st_dev);
  guint64 inode = found->st_ino;

  if (dev == row->file.dev)
    return inode == row->file.inode;
  if (inode == row->file.inode && is_of_overlay (there))
    return TRUE;
  return fd >= 0 && numbers_when_mapped (fd, &dev, &inode) && dev == row->file.dev && inode == row->file.inode;
}

int
wp_mapped_file_open (const WpMappedFile *file, struct stat *found)
{
  int there = TEMP_FAILURE_RETRY (open (file->path, O_PATH | O_NOFOLLOW | O_CLOEXEC)), fd = -1;

  *found = (struct stat) { 0 };
  if (there >= 0 && fstat (there, found) == 0 && S_ISREG (found->st_mode) && found->st_uid == geteuid ())
    fd = reopen (there);
  if (fd >= 0 && !is_that (file, found, there, fd))
    {
      close (fd);
      fd = -1;
    }
  if (there >= 0)
    close (there);
  return fd;
}

static gint64
changed (const Search *self, const struct stat *found)
{
  return found->st_ctim.tv_sec * G_GINT64_CONSTANT (1000000000) + found->st_ctim.tv_nsec + self->clock;
}

/* What of it is read, is: written to since, or another one that got the number. */
static char *
build_of (const Search *self, const WpMappedFile *row, const struct stat *found, int fd)
{
  gint64 mapped = row->first != 0 ? row->first : self->since;
  char *id;

  if (changed (self, found) > mapped)
    return g_strdup (WP_BUILD_GONE);
  id = fd >= 0 ? wp_elf_build_id (fd) : NULL;
  return id != NULL ? id : wp_build_stamp (found);
}

/* Takes `fd` if it is to be kept. */
static gboolean
keep_place (Search *self, const char *build, int fd)
{
  char path[64];

  if (!wp_is_build_id (build) || self->mapped->kept->len >= KEPT_MAX || wp_builds_place (self->builds, build) != NULL)
    return FALSE;
  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  wp_builds_set_place (self->builds, build, path);
  g_array_append_val (self->mapped->kept, fd);
  return TRUE;
}

static void
look_for (Search *self, WpMappedFile *row, int root, gboolean own_root)
{
  int there = TEMP_FAILURE_RETRY (openat (root, row->path + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC)), fd;
  struct stat found;

  if (there < 0)
    return;
  if (fstat (there, &found) == 0 && S_ISREG (found.st_mode))
    {
      fd = reopen (there);
      if (is_that (row, &found, there, fd))
        {
          row->build = build_of (self, row, &found, fd);
          self->left--;
        }
      if (fd >= 0 && (row->build == NULL || own_root || !keep_place (self, row->build, fd)))
        close (fd);
    }
  close (there);
}

/* Returns whether there was time for all. */
static gboolean
look_below (Search *self, int root, gboolean own_root)
{
  for (guint i = 0; i < self->mapped->files->len && self->left > 0; i++)
    {
      WpMappedFile *row = &g_array_index (self->mapped->files, WpMappedFile, i);

      if (g_get_monotonic_time () > self->deadline || g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      if (row->build == NULL)
        look_for (self, row, root, own_root);
    }
  return TRUE;
}

/* --- other roots -------------------------------------------------------------------------------------------------- */

/* What a path means depends on both. */
typedef struct
{
  dev_t dev;
  ino_t inode, space;
} Root;

/* A process that is not ours to look into has none. */
static int
open_root (const char *process, Root *root)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%s/root", process), *space = g_strdup_printf ("/proc/%s/ns/mnt", process);
  struct stat at, of;
  int fd;

  if (stat (space, &of) != 0)
    return -1;
  fd = TEMP_FAILURE_RETRY (open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (fd >= 0 && fstat (fd, &at) == 0)
    *root = (Root) { at.st_dev, at.st_ino, of.st_ino };
  return fd;
}

static gboolean
is_new (GArray *seen, const Root *root)
{
  for (guint i = 0; i < seen->len; i++)
    {
      const Root *other = &g_array_index (seen, Root, i);

      if (other->dev == root->dev && other->inode == root->inode && other->space == root->space)
        return FALSE;
    }
  g_array_append_vals (seen, root, 1);
  return TRUE;
}

static void
look_below_others (Search *self, GArray *seen)
{
  DIR *processes = opendir ("/proc");
  const struct dirent *entry;
  gboolean in_time = TRUE;
  Root root = { 0 };
  int fd;

  while (processes != NULL && in_time && self->left > 0 && seen->len < ROOTS_MAX && (entry = readdir (processes)) != NULL)
    {
      fd = g_ascii_isdigit (entry->d_name[0]) ? open_root (entry->d_name, &root) : -1;
      if (fd >= 0 && is_new (seen, &root))
        in_time = look_below (self, fd, FALSE);
      if (fd >= 0)
        close (fd);
    }
  if (processes != NULL)
    closedir (processes);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Rows of one path: whether its build id says all there is to say of it. */
static void
tell_path (Search *self, WpMappedFile *rows, guint n)
{
  gboolean same = wp_is_build_id (rows[0].build);

  for (guint i = 0; i < n; i++)
    {
      wp_builds_note (self->builds, rows[i].path, &rows[i].file);
      if (rows[i].build != NULL)
        wp_builds_add_file (self->builds, &rows[i].file, rows[i].build);
      same = same && g_strcmp0 (rows[0].build, rows[i].build) == 0;
    }
  for (guint i = 0; i < n; i++)
    rows[i].by_path = same && wp_builds_is_one (self->builds, rows[0].path);
}

/* Whatever is not to be found is gone, if it was looked for. */
static void
tell (Search *self, gboolean looked)
{
  WpMappedFile *rows = (WpMappedFile *) self->mapped->files->data;
  guint n = self->mapped->files->len, first = 0;

  for (guint i = 0; i < n; i++)
    {
      if (rows[i].build == NULL && looked)
        rows[i].build = g_strdup (WP_BUILD_GONE);
      if (i + 1 == n || !g_str_equal (rows[i + 1].path, rows[first].path))
        {
          tell_path (self, rows + first, i + 1 - first);
          first = i + 1;
        }
    }
}

void
wp_mapped_files_find (WpMappedFiles *self, WpBuilds *builds, gint64 since, GCancellable *cancellable)
{
  Search search = { .mapped = self, .builds = builds, .since = since, .clock = wp_file_names_1970 (), .cancellable = cancellable,
                    .deadline = g_get_monotonic_time () + PATIENCE_US, .left = self->files->len };
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (Root));
  gboolean looked = FALSE;
  Root own;
  int root = open_root ("self", &own);

  if (root >= 0)
    {
      is_new (seen, &own);
      looked = look_below (&search, root, TRUE);
      close (root);
    }
  if (looked)
    look_below_others (&search, seen);
  tell (&search, looked);
}
