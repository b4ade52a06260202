/* Before there is a request: who asks a device for what, and for which file. */
#include "trace/disk-private.h"

#include "trace/files.h"
#include "trace/thresholds.h"

WpDiskThread *
wp_disk_thread (WpDiskTracker *self, const WpThread *thread)
{
  guint32 row = wp_scheduling_row (self->core, thread);

  if (row >= self->threads.len)
    wp_array_resize (&self->threads, row + 1);
  return &self->threads.data[row];
}

guint32
wp_disk_device (WpDiskTracker *self, guint32 dev)
{
  guint32 row = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_dev, GUINT_TO_POINTER (dev)));
  WpTask task = { .kind = WP_TASK_DISK };
  char name[32];
  WpDevice *device;

  if (row != 0)
    return row - 1;
  task.name = wp_strings_intern (self->core->trace->strings, wp_trace_device_name (self->core->trace, dev, name));
  device = wp_array_add (&self->devices);
  device->task = wp_scheduling_add_task (self->core, task);
  g_hash_table_insert (self->by_dev, GUINT_TO_POINTER (dev), GUINT_TO_POINTER (self->devices.len));
  return self->devices.len - 1;
}

gpointer
wp_disk_place (guint32 device, guint64 sector)
{
  return GSIZE_TO_POINTER (((guint64) device + 1) << 48 | (sector & G_GUINT64_CONSTANT (0xffffffffffff)));
}

static WpId
new_row (WpDiskTracker *self, const WpBio *bio)
{
  if (self->free_bios.len > 0)
    {
      WpId row = self->free_bios.data[--self->free_bios.len];

      self->bios.data[row] = *bio;
      return row;
    }
  wp_array_push (&self->bios, *bio);
  return self->bios.len - 1;
}

static void
keep_bio (WpDiskTracker *self, gpointer place, const WpBio *bio)
{
  WpId row = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_sector, place));

  if (row != 0)
    self->bios.data[row] = *bio;
  else
    g_hash_table_insert (self->by_sector, place, GUINT_TO_POINTER (new_row (self, bio)));
}

gboolean
wp_disk_take_bio (WpDiskTracker *self, guint32 device, guint64 sector, WpBio *bio)
{
  gpointer place = wp_disk_place (device, sector);
  WpId row = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_sector, place));

  if (row == 0)
    return FALSE;
  *bio = self->bios.data[row];
  g_hash_table_remove (self->by_sector, place);
  wp_array_push (&self->free_bios, row);
  return TRUE;
}

/* The file of a request that the thread makes now. */
static WpId
file_of (WpDiskTracker *self, const WpThread *actor, const WpEvent *event)
{
  const char *letters = wp_trace_string (self->core->trace, event->block.rwbs);
  gboolean reads = strchr (letters, 'R') != NULL;
  const WpDiskThread *thread = wp_disk_thread (self, actor);
  WpId file = reads ? thread->reads : thread->writes;

  if (file == 0 || strchr (letters, 'M') != NULL /* the file system's own */
      || (reads && event->time - thread->reads_since > WP_READ_WINDOW_NS))
    return 0;
  return wp_trace_is_for_file (self->core->trace, file, event->block.dev) ? file : 0;
}

static void
queue_bio (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  const char *letters = wp_trace_string (self->core->trace, event->block.rwbs);
  WpBio bio = { .time = event->time };

  if (actor != NULL)
    bio = (WpBio) { .time = event->time, .task = actor->task, .tid = actor->tid,
                    .file = file_of (self, actor, event) };
  bio.sectors = event->block.sectors;
  if (letters[0] == 'F') /* what the device holds in its cache has to be written first */
    {
      wp_disk_want_flush (self, device, bio.tid, event->time);
      wp_array_push (&self->devices.data[device].flushing, new_row (self, &bio));
    }
  if (!event->block.flush)
    keep_bio (self, wp_disk_place (device, event->block.sector), &bio);
}

/* What comes behind the first part was asked for by the same, at the same time. */
static void
split_bio (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  gpointer place = wp_disk_place (device, event->block.sector);
  WpId row = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_sector, place));
  WpBio rest;

  if (row == 0 || event->block.sectors == 0)
    return;
  rest = self->bios.data[row];
  rest.sectors -= MIN (event->block.sectors, rest.sectors);
  self->bios.data[row].sectors -= rest.sectors;
  keep_bio (self, wp_disk_place (device, event->block.sector + event->block.sectors), &rest);
}

void
wp_disk_bio (WpDiskTracker *self, const WpEvent *event, const WpThread *actor)
{
  guint32 device = wp_disk_device (self, event->block.dev);

  if (event->kind == WP_EVENT_BIO_SPLIT)
    split_bio (self, event, device);
  else if (event->kind == WP_EVENT_BIO_QUEUE
           || !g_hash_table_contains (self->by_sector, wp_disk_place (device, event->block.sector)))
    queue_bio (self, event, actor, device);
}

void
wp_disk_file (WpDiskTracker *self, const WpEvent *event, const WpThread *actor)
{
  WpDiskThread *thread;
  WpId file;

  if (event->file.created)
    wp_trace_new_file (self->core->trace, event->file.dev, event->file.inode, self->core->trace->clock_start + event->time);
  if (actor == NULL)
    return;
  thread = wp_disk_thread (self, actor);
  file = event->file.metadata ? 0 : wp_trace_file (self->core->trace, event->file.dev, event->file.inode);
  if (event->file.reads)
    {
      thread->reads = file;
      thread->reads_since = event->time;
    }
  if (event->file.writes)
    thread->writes = file;
}
