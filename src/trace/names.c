/* Names of block devices and files: what the recording says of their numbers. */
#include "trace/trace.h"


typedef struct
{
  guint32 dev;
  guint64 inode;
  WpId row;
} File;

static guint
hash_file (gconstpointer key)
{
  const File *file = key;

  return g_int64_hash (&file->inode) * 31 + file->dev;
}

static gboolean
same_file (gconstpointer a, gconstpointer b)
{
  const File *x = a, *y = b;

  return x->dev == y->dev && x->inode == y->inode;
}

void
wp_trace_set_device_name (WpTrace *self, guint32 dev, const char *name)
{
  if (self->block_devices == NULL)
    self->block_devices = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->block_devices, GUINT_TO_POINTER (dev),
                       GUINT_TO_POINTER (wp_strings_intern (self->strings, name)));
}

const char *
wp_trace_device_name (const WpTrace *self, guint32 dev, char buffer[32])
{
  gpointer name = self->block_devices != NULL ? g_hash_table_lookup (self->block_devices, GUINT_TO_POINTER (dev)) : NULL;

  if (name != NULL)
    return wp_trace_string (self, GPOINTER_TO_UINT (name));
  g_snprintf (buffer, 32, "%u:%u", dev >> 20, dev & 0xfffff);
  return buffer;
}

void
wp_trace_use_local_devices (WpTrace *self)
{
  g_autoptr (GDir) folder = g_dir_open ("/sys/dev/block", 0, NULL);
  const char *number;

  while (folder != NULL && (number = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/sys/dev/block", number, NULL);
      g_autofree char *target = g_file_read_link (path, NULL), *name = NULL;
      guint32 dev;

      if (target == NULL || !wp_trace_parse_device (number, &dev))
        continue;
      name = g_path_get_basename (target);
      if (self->block_devices == NULL || !g_hash_table_contains (self->block_devices, GUINT_TO_POINTER (dev)))
        wp_trace_set_device_name (self, dev, name);
    }
}

/* A saved profile names its devices by their tasks. */
void
wp_trace_devices_of_tasks (WpTrace *self)
{
  for (WpId d = 1; d < self->disks.len; d++)
    {
      const WpDisk *disk = &self->disks.data[d];
      WpId op = disk->active != 0 ? disk->active : disk->queue;

      if (op != 0 && (self->block_devices == NULL
                      || !g_hash_table_contains (self->block_devices, GUINT_TO_POINTER (disk->dev))))
        wp_trace_set_device_name (self, disk->dev, wp_trace_task_name (self, self->ops.data[op].task));
    }
}

gboolean
wp_trace_parse_device (const char *text, guint32 *dev)
{
  char *end;
  guint64 major = g_ascii_strtoull (text, &end, 10), minor;

  if (end == text || *end != ':' || major > 0xfff)
    return FALSE;
  text = end + 1;
  minor = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != '\0' || minor > 0xfffff)
    return FALSE;
  *dev = major << 20 | minor;
  return TRUE;
}

WpId
wp_trace_file (WpTrace *self, guint32 dev, guint64 inode)
{
  const File key = { .dev = dev, .inode = inode };
  File *file;

  if (self->files == NULL)
    self->files = g_hash_table_new_full (hash_file, same_file, g_free, NULL);
  file = g_hash_table_lookup (self->files, &key);
  if (file == NULL)
    {
      file = g_memdup2 (&key, sizeof key);
      g_hash_table_add (self->files, file);
      wp_array_push (&self->file_names, 0);
      file->row = self->file_names.len;
    }
  return file->row;
}

void
wp_trace_set_file_name (WpTrace *self, guint32 dev, guint64 inode, const char *path)
{
  WpId row = wp_trace_file (self, dev, inode);

  if (self->file_names.data[row - 1] == 0)
    self->file_names.data[row - 1] = wp_strings_intern (self->strings, path);
}

/* Where only its number is known, that. */
static WpId
name_of (WpTrace *self, const File *file)
{
  WpId *name = &self->file_names.data[file->row - 1];
  char text[96], device[32];

  if (*name == 0)
    {
      g_snprintf (text, sizeof text, "file %" G_GUINT64_FORMAT " of %s", file->inode,
                  wp_trace_device_name (self, file->dev, device));
      *name = wp_strings_intern (self->strings, text);
    }
  return *name;
}

void
wp_trace_name_files (WpTrace *self)
{
  g_autofree const File **rows = g_new0 (const File *, (gsize) self->file_names.len + 1);
  GHashTableIter iter;
  gpointer key;

  if (self->files == NULL)
    return;
  for (g_hash_table_iter_init (&iter, self->files); g_hash_table_iter_next (&iter, &key, NULL);)
    rows[((const File *) key)->row] = key;
  for (WpId d = 1; d < self->disks.len; d++)
    {
      WpDisk *disk = &self->disks.data[d];
      const File *file = rows[disk->file];

      if (file == NULL)
        continue;
      disk->file = name_of (self, file);
    }
}
