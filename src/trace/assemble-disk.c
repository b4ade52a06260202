/* Disk operations: a request's time in the queue and with the device, and which waking it explains. */
#include "trace/assembler-private.h"

/* A waking follows its completion on the same CPU within microseconds; this is a generous bound. */
#define COMPLETION_WINDOW_NS 1000000

static WpDevice *
device_row (WpAssembler *self, guint32 dev)
{
  char name[32];
  WpTask task = { .kind = WP_TASK_DISK };
  WpDevice *device;

  for (guint32 i = 0; i < self->devices.len; i++)
    if (self->devices.data[i].dev == dev)
      return &self->devices.data[i];
  task.name = wp_strings_intern (self->trace->strings, wp_trace_device_name (dev, name));
  device = wp_array_add (&self->devices);
  device->dev = dev;
  device->task = wp_assembler_add_task (self, task);
  return device;
}

static gpointer
place_key (guint32 device, guint64 sector)
{
  return GSIZE_TO_POINTER (((guint64) device + 1) << 48 | (sector & G_GUINT64_CONSTANT (0xffffffffffff)));
}

static gpointer
key_of (WpAssembler *self, const WpEvent *event)
{
  return place_key (device_row (self, event->block.dev) - self->devices.data, event->block.sector);
}

/* A bio is remembered until its request turns up: it knows who asked, and when. */
static void
remember_bio (WpAssembler *self, const WpEvent *event, const WpThread *actor)
{
  gpointer key = key_of (self, event);
  guint32 row = GPOINTER_TO_UINT (g_hash_table_lookup (self->bios, key));

  if (row == 0)
    {
      (void) wp_array_add (&self->bio_rows);
      row = self->bio_rows.len - 1;
      g_hash_table_insert (self->bios, key, GUINT_TO_POINTER (row));
    }
  self->bio_rows.data[row].time = event->time;
  self->bio_rows.data[row].task = actor != NULL ? actor->task : 0;
  self->bio_rows.data[row].tid = actor != NULL ? actor->tid : 0;
}

/* The request at this place; made, with its time in the queue begun, when it is new. */
static WpId
request_at (WpAssembler *self, const WpEvent *event, const WpThread *actor)
{
  gpointer key = key_of (self, event);
  WpId id = GPOINTER_TO_UINT (g_hash_table_lookup (self->requests, key));
  guint32 bio = GPOINTER_TO_UINT (g_hash_table_lookup (self->bios, key));
  WpDevice *device = device_row (self, event->block.dev);
  gint64 since = event->time;
  WpThread *asker = wp_assembler_thread (self, event->tid);
  WpDisk *disk;

  if (id != 0)
    return id;
  disk = wp_array_add (&self->trace->disks);
  id = self->trace->disks.len - 1;
  disk->dev = event->block.dev;
  disk->sector = event->block.sector;
  disk->sectors = event->block.sectors;
  disk->rwbs = event->block.rwbs;
  disk->task = actor != NULL ? actor->task : 0;
  if (bio != 0)
    {
      since = self->bio_rows.data[bio].time;
      disk->task = self->bio_rows.data[bio].task;
      asker = wp_assembler_thread (self, self->bio_rows.data[bio].tid);
      g_hash_table_remove (self->bios, key);
    }
  disk->queue = wp_assembler_open_op (self, device->task, WP_OP_DISK_QUEUE, since);
  wp_assembler_op (self, disk->queue)->detail = id;
  g_hash_table_insert (self->requests, key, GUINT_TO_POINTER (id));
  if (asker != NULL)
    asker->last_disk = id;
  return id;
}

static void
begin_active (WpAssembler *self, WpDisk *disk, WpId id, gint64 time)
{
  WpId task = disk->queue != 0 ? wp_assembler_op (self, disk->queue)->task : device_row (self, disk->dev)->task;

  if (disk->queue != 0)
    wp_assembler_op (self, disk->queue)->end = time;
  disk->active = wp_assembler_open_op (self, task, WP_OP_DISK, time);
  wp_assembler_op (self, disk->active)->detail = id;
}

static void
issue_flush (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpDisk *disk = wp_array_add (&self->trace->disks);
  WpId id = self->trace->disks.len - 1;
  WpDevice *device = device_row (self, event->block.dev);

  disk->dev = event->block.dev;
  disk->rwbs = event->block.rwbs;
  disk->task = actor != NULL ? actor->task : 0;
  wp_array_push (&device->flushes, id);
  begin_active (self, disk, id, event->time);
  if (actor != NULL)
    actor->last_disk = id;
}

static void
issue (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpId id;
  WpDisk *disk;

  if (event->block.flush)
    {
      issue_flush (self, event, actor);
      return;
    }
  id = request_at (self, event, actor);
  disk = &self->trace->disks.data[id];
  disk->sectors = MAX (disk->sectors, event->block.sectors);
  if (disk->active == 0)
    begin_active (self, disk, id, event->time);
}

/* Takes the request that this completion ends out of those in flight; 0 when it ends only a part of one. */
static WpId
take_completed (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpDevice *device = device_row (self, event->block.dev);
  gpointer key = key_of (self, event);
  WpId id;
  WpDisk *disk;

  if (event->block.flush)
    {
      if (device->flushes.len == 0)
        return 0;
      id = device->flushes.data[0];
      memmove (device->flushes.data, device->flushes.data + 1, --device->flushes.len * sizeof (WpId));
      return id;
    }
  id = GPOINTER_TO_UINT (g_hash_table_lookup (self->requests, key));
  if (id == 0)
    { /* in flight since before the recording: nobody of ours asked for it */
      id = request_at (self, event, NULL);
      disk = &self->trace->disks.data[id];
      wp_assembler_op (self, disk->queue)->start = 0;
      wp_assembler_op (self, disk->queue)->flags |= WP_OP_OPEN_START;
      disk->task = 0;
    }
  g_hash_table_remove (self->requests, key);
  disk = &self->trace->disks.data[id];
  if (event->block.sectors > 0 && event->block.sectors < disk->sectors
      && event->block.sector + event->block.sectors < disk->sector + disk->sectors)
    {
      g_hash_table_insert (self->requests,
                           place_key (device - self->devices.data, event->block.sector + event->block.sectors),
                           GUINT_TO_POINTER (id));
      return 0;
    }
  return id;
}

/* A completion without an issue counts as issued right after it was queued. */
static void
end_request (WpAssembler *self, WpId id, gint64 time)
{
  WpDisk *disk = &self->trace->disks.data[id];

  if (disk->active == 0)
    {
      begin_active (self, disk, id, wp_assembler_op (self, disk->queue)->start);
      wp_assembler_op (self, disk->active)->flags |= WP_OP_INFERRED;
    }
  wp_assembler_op (self, disk->active)->end = MAX (time, wp_assembler_op (self, disk->active)->start);
}

static void
complete (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpId id = take_completed (self, event, actor);
  WpCpu *cpu = &self->cpus.data[event->cpu];
  WpThread *asker;

  if (id == 0)
    return;
  end_request (self, id, event->time);
  cpu->disk = id;
  cpu->disk_tid = event->tid;
  cpu->disk_time = event->time;
  asker = wp_assembler_thread (self, self->trace->tasks.data[self->trace->disks.data[id].task].tid);
  if (asker != NULL)
    asker->last_completed = id;
}

void
wp_assemble_block (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_BIO_QUEUE:
      if (!event->block.flush)
        remember_bio (self, event, actor);
      break;
    case WP_EVENT_RQ_MERGE:
      g_hash_table_remove (self->bios, key_of (self, event));
      break;
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
      if (!event->block.flush)
        (void) request_at (self, event, actor);
      break;
    case WP_EVENT_RQ_ISSUE:
      issue (self, event, actor);
      break;
    case WP_EVENT_RQ_COMPLETE:
      complete (self, event, actor);
      break;
    default: /* a requeued request goes on being the device's */
      break;
    }
}

WpId
wp_assemble_disk_of_waking (WpAssembler *self, const WpEvent *event, const WpThread *woken)
{
  const WpCpu *cpu = &self->cpus.data[event->cpu];
  WpId disk = 0;

  if (cpu->disk != 0 && cpu->disk_tid == event->tid && event->time - cpu->disk_time <= COMPLETION_WINDOW_NS)
    disk = cpu->disk;
  else
    disk = woken->last_completed;
  return disk != 0 ? self->trace->disks.data[disk].active : 0;
}

WpId
wp_assemble_disk_of_sleep (WpAssembler *self, WpThread *sleeper, gint64 end)
{
  WpId id = sleeper->last_disk;
  WpDisk *disk;
  gpointer key;

  if (id == 0)
    return 0;
  disk = &self->trace->disks.data[id];
  if (disk->active == 0 || wp_assembler_op (self, disk->active)->end == G_MAXINT64)
    {
      end_request (self, id, end);
      disk = &self->trace->disks.data[id];
      wp_assembler_op (self, disk->active)->flags |= WP_OP_INFERRED;
      key = place_key (device_row (self, disk->dev) - self->devices.data, disk->sector);
      if (GPOINTER_TO_UINT (g_hash_table_lookup (self->requests, key)) == id)
        g_hash_table_remove (self->requests, key);
    }
  return wp_assembler_op (self, disk->active)->end > wp_assembler_op (self, sleeper->op)->start ? disk->active : 0;
}
