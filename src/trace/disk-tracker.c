/* Disk operations: a request's time in the queue and with the device, and which wakeup it explains. */
#include "trace/disk-private.h"

#include "base/hash.h"
#include "trace/thresholds.h"

void
wp_disk_init (WpDiskTracker *self, WpScheduling *core)
{
  self->core = core;
  wp_array_resize (&self->bios, 1);
  wp_array_resize (&self->joined, 1);
  self->by_dev = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_start = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_end = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_sector = g_hash_table_new (wp_hash_pointer, NULL);
}

void
wp_disk_clear (WpDiskTracker *self)
{
  for (guint32 i = 0; i < self->devices.len; i++)
    {
      wp_array_clear (&self->devices.data[i].flushes);
      wp_array_clear (&self->devices.data[i].returned);
      wp_array_clear (&self->devices.data[i].flushing);
    }
  wp_array_clear (&self->threads);
  wp_array_clear (&self->cpus);
  wp_array_clear (&self->devices);
  wp_array_clear (&self->bios);
  wp_array_clear (&self->free_bios);
  wp_array_clear (&self->requests);
  wp_array_clear (&self->joined);
  g_hash_table_unref (self->by_dev);
  g_hash_table_unref (self->by_start);
  g_hash_table_unref (self->by_end);
  g_hash_table_unref (self->by_sector);
}

static WpDisk *
disk_row (WpDiskTracker *self, WpId id)
{
  return &self->core->trace->disks.data[id];
}

/* --- where requests are --------------------------------------------------------------------------------------------- */

static void
forget_place (GHashTable *table, gpointer place, WpId id)
{
  if (GPOINTER_TO_UINT (g_hash_table_lookup (table, place)) == id)
    g_hash_table_remove (table, place);
}

static void
forget_end (WpDiskTracker *self, guint32 device, WpId id)
{
  const WpDisk *disk = disk_row (self, id);

  forget_place (self->by_end, wp_disk_place (device, disk->sector + disk->sectors), id);
}

static void
forget_request (WpDiskTracker *self, guint32 device, WpId id)
{
  forget_place (self->by_start, wp_disk_place (device, self->requests.data[id].next), id);
  forget_end (self, device, id);
}

static void
remember_request (WpDiskTracker *self, guint32 device, WpId id)
{
  const WpDisk *disk = disk_row (self, id);
  const WpRequest *request = &self->requests.data[id];

  g_hash_table_insert (self->by_start, wp_disk_place (device, request->next), GUINT_TO_POINTER (id));
  if (!request->active)
    g_hash_table_insert (self->by_end, wp_disk_place (device, disk->sector + disk->sectors), GUINT_TO_POINTER (id));
}

static WpId
find_request (const WpDiskTracker *self, GHashTable *table, guint32 device, guint64 sector)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, wp_disk_place (device, sector)));
}

/* It now reaches from `sector` over `sectors`. */
static void
resize_request (WpDiskTracker *self, guint32 device, WpId id, guint64 sector, guint32 sectors)
{
  WpDisk *disk = disk_row (self, id);

  forget_request (self, device, id);
  disk->sector = self->requests.data[id].next = sector;
  disk->sectors = sectors;
  remember_request (self, device, id);
}

/* --- who waits for them --------------------------------------------------------------------------------------------- */

void
wp_disk_join (WpDiskTracker *self, WpId id, gint32 tid)
{
  const WpThread *asker = wp_scheduling_thread (self->core, tid);
  WpDiskThread *thread = asker != NULL ? wp_disk_thread (self, asker) : NULL;
  WpId *last = &self->requests.data[id].joined;

  if (thread == NULL || (*last != 0 && thread->last_asked == *last))
    return;
  wp_array_push (&self->joined, ((WpJoined) { .tid = tid, .next = *last, .request = id, .before = thread->last_asked }));
  *last = thread->last_asked = self->joined.len - 1;
  if (self->requests.data[id].first_joined == 0)
    self->requests.data[id].first_joined = *last;
}

/* What a request has become a part of, or it itself; each step halves the way for the next who asks. */
static WpId
whole_request (WpDiskTracker *self, WpId id)
{
  WpRequest *requests = self->requests.data;

  while (requests[id].into != 0)
    {
      WpId next = requests[requests[id].into].into;

      if (next == 0)
        return requests[id].into;
      id = requests[id].into = next;
    }
  return id;
}

/* Who waited for the other one waits for this one from now on. */
static void
join_all (WpDiskTracker *self, WpId id, WpId other)
{
  WpRequest *request = &self->requests.data[whole_request (self, id)], *gone = &self->requests.data[whole_request (self, other)];

  if (gone == request)
    return;
  gone->into = request - self->requests.data;
  if (gone->joined == 0)
    return;
  self->joined.data[gone->first_joined].next = request->joined;
  request->joined = gone->joined;
  if (request->first_joined == 0)
    request->first_joined = gone->first_joined;
  gone->joined = gone->first_joined = 0;
}

static void
absorb (WpDiskTracker *self, guint32 device, WpId id, WpId gone, gint64 time)
{
  forget_request (self, device, gone);
  wp_scheduling_op (self->core, disk_row (self, gone)->queue)->end = time;
  if (id != 0)
    join_all (self, id, gone);
}

/* The request reaches further than what was seen to join it: what was asked for there joined it unseen, bios and whole requests, one behind
 * the other. From `known` on it was so long before. */
static void
join_unseen (WpDiskTracker *self, guint32 device, WpId id, guint64 known, guint32 known_sectors, gint64 time)
{
  guint64 at = disk_row (self, id)->sector, end = at + disk_row (self, id)->sectors;
  guint32 sectors = 1;

  for (; at < end && sectors > 0; at += sectors)
    {
      WpId other = find_request (self, self->by_start, device, at);
      WpBio bio = { 0 };

      if (at == known && known_sectors > 0)
        sectors = known_sectors;
      else if (other != 0 && other != id && !self->requests.data[other].active)
        {
          sectors = disk_row (self, other)->sectors;
          absorb (self, device, id, other, time);
        }
      else
        {
          wp_disk_take_bio (self, device, at, &bio);
          sectors = bio.sectors;
          wp_disk_join (self, id, bio.tid);
        }
    }
}

/* --- queue and device ----------------------------------------------------------------------------------------------- */

WpId
wp_disk_request (WpDiskTracker *self, const WpEvent *event, guint32 device, const WpBio *bio)
{
  WpDisk *disk = wp_array_add (&self->core->trace->disks);
  WpId id = self->core->trace->disks.len - 1;

  disk->dev = event->block.dev;
  disk->sector = event->block.flush ? 0 : event->block.sector;
  disk->sectors = event->block.sectors;
  disk->rwbs = event->block.rwbs;
  disk->task = bio->task;
  disk->file = bio->file;
  wp_array_resize (&self->requests, self->core->trace->disks.len);
  self->requests.data[id] = (WpRequest) { .next = disk->sector };
  disk->queue = wp_scheduling_open_op (self->core, self->devices.data[device].task, WP_OP_DISK_QUEUE, bio->time);
  wp_scheduling_op (self->core, disk->queue)->detail = id;
  wp_disk_join (self, id, bio->tid);
  return id;
}

/* The request at this place; made, with its time in the queue begun, when it is new. */
static WpId
request_at (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  WpId id = find_request (self, self->by_start, device, event->block.sector);
  WpBio bio = { .time = event->time, .task = actor != NULL ? actor->task : 0, .tid = actor != NULL ? actor->tid : 0 };

  if (id != 0)
    return id;
  wp_disk_take_bio (self, device, event->block.sector, &bio);
  id = wp_disk_request (self, event, device, &bio);
  remember_request (self, device, id);
  if (bio.sectors < event->block.sectors)
    join_unseen (self, device, id, event->block.sector, bio.sectors, event->time);
  return id;
}

void
wp_disk_begin_active (WpDiskTracker *self, WpId id, gint32 issuer, gint64 time)
{
  WpDisk *disk = disk_row (self, id);

  wp_scheduling_op (self->core, disk->queue)->end = time;
  self->requests.data[id].active = TRUE;
  self->requests.data[id].issuer = issuer;
  if (disk->active == 0)
    {
      WpId op = wp_scheduling_open_op (self->core, wp_scheduling_op (self->core, disk->queue)->task, WP_OP_DISK, time);

      disk->active = op;
      wp_scheduling_op (self->core, op)->detail = id;
      return;
    }
  wp_scheduling_op (self->core, disk->active)->start = time; /* tried before, and refused */
  wp_scheduling_op (self->core, disk->active)->end = G_MAXINT64;
}

/* A completion without an issue counts as issued right after it was queued. */
static void
end_request (WpDiskTracker *self, WpId id, gint64 time)
{
  const WpDisk *disk = disk_row (self, id);
  WpOp *active;

  if (!self->requests.data[id].active)
    {
      wp_disk_begin_active (self, id, 0, wp_scheduling_op (self->core, disk->queue)->start);
      wp_scheduling_op (self->core, disk->active)->flags |= WP_OP_INFERRED;
    }
  active = wp_scheduling_op (self->core, disk->active);
  active->end = MAX (time, active->start);
  for (WpId j = self->requests.data[id].joined; j != 0; j = self->joined.data[j].next)
    {
      const WpThread *asker = wp_scheduling_thread (self->core, self->joined.data[j].tid);

      if (asker != NULL)
        wp_disk_thread (self, asker)->last_completed = id;
    }
}

/* It is over at the latest by now, though nobody saw its end. */
void
wp_disk_give_up (WpDiskTracker *self, WpId id, gint64 time)
{
  const WpDisk *disk = disk_row (self, id);
  guint32 device = wp_disk_device (self, disk->dev);

  end_request (self, id, time);
  wp_scheduling_op (self->core, disk->active)->flags |= WP_OP_INFERRED;
  forget_request (self, device, id);
  wp_disk_forget_flush (self, device, id);
}

/* Queued where another is still with the device: nobody saw that one's end. */
static void
enqueue (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  WpId old = find_request (self, self->by_start, device, event->block.sector);

  if (old != 0 && self->requests.data[old].active)
    wp_disk_give_up (self, old, event->time);
  request_at (self, event, actor, device);
}

static void
grow_request (WpDiskTracker *self, const WpEvent *event, guint32 device, WpId id)
{
  const WpDisk before = *disk_row (self, id);

  resize_request (self, device, id, event->block.sector, event->block.sectors);
  join_unseen (self, device, id, before.sector, before.sectors, event->time);
}

/* The request whose first sector this is; else one in the queue with the same end, if what joined it at its front was not seen. */
static WpId
request_from (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpId id = find_request (self, self->by_start, device, event->block.sector);

  if (id != 0)
    return id;
  id = find_request (self, self->by_end, device, event->block.sector + event->block.sectors);
  if (id != 0)
    grow_request (self, event, device, id);
  return id;
}

static void
issue (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  WpId id = request_from (self, event, device);

  if (id == 0)
    id = request_at (self, event, actor, device);
  if (disk_row (self, id)->sectors < event->block.sectors)
    grow_request (self, event, device, id);
  if (self->requests.data[id].active)
    return;
  forget_end (self, device, id);
  wp_disk_begin_active (self, id, event->tid, event->time);
}

/* Back to the queue. A driver that has no room sends a request back within the call that issued it: it never was with the device.
 * Otherwise what it has been there stays as it was. */
void
wp_disk_come_back (WpDiskTracker *self, WpId id, const WpEvent *event)
{
  WpDisk *disk = disk_row (self, id);
  WpOp *active = wp_scheduling_op (self->core, disk->active);

  active->end = event->time;
  self->requests.data[id].active = FALSE;
  if (self->requests.data[id].issuer == event->tid && event->irq_flags == 0)
    {
      active->start = event->time;
      wp_scheduling_op (self->core, disk->queue)->end = G_MAXINT64;
      return;
    }
  disk->active = 0;
  disk->queue = wp_scheduling_open_op (self->core, active->task, WP_OP_DISK_QUEUE, event->time);
  wp_scheduling_op (self->core, disk->queue)->detail = id;
}

static void
requeue (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpId id = find_request (self, self->by_start, device, event->block.sector);

  if (id == 0 || !self->requests.data[id].active)
    return;
  wp_disk_come_back (self, id, event);
  remember_request (self, device, id);
}

/* --- merging -------------------------------------------------------------------------------------------------------- */

/* A bio joins a request that is still in the queue, at its end or at its front. */
static void
merge_bio (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  guint64 start = event->block.sector, end = start + event->block.sectors;
  WpBio bio = { .tid = actor != NULL ? actor->tid : 0 };
  WpId id = find_request (self, self->by_end, device, start);
  WpDisk *disk;

  wp_disk_take_bio (self, device, start, &bio);
  if (id == 0)
    id = find_request (self, self->by_start, device, end);
  if (id == 0 || self->requests.data[id].active)
    return;
  disk = disk_row (self, id);
  resize_request (self, device, id, MIN (disk->sector, start), disk->sectors + event->block.sectors);
  if (disk->file == 0)
    disk->file = bio.file;
  wp_disk_join (self, id, bio.tid);
}

/* The event tells of the request that is no more: its time in the queue is over, and who waits for it waits for the other. */
static void
merge_requests (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpId gone = find_request (self, self->by_start, device, event->block.sector);
  WpId id = find_request (self, self->by_end, device, event->block.sector);
  const WpDisk *disk;

  if (gone == 0 || gone == id || self->requests.data[gone].active)
    return;
  absorb (self, device, id, gone, event->time);
  if (id == 0)
    return;
  disk = disk_row (self, id);
  resize_request (self, device, id, disk->sector, disk->sectors + disk_row (self, gone)->sectors);
}

/* --- completion ----------------------------------------------------------------------------------------------------- */

/* Whether a request of which nothing was seen but its end is one of before the recording. Where events were lost, it may as well have begun
 * among those. */
static gboolean
may_be_old (const WpDiskTracker *self, gint64 time)
{
  return time <= WP_OLD_REQUEST_NS && !self->core->incomplete;
}

/* In flight since before the recording, so that nobody of ours asked for it; else its beginning is not known at all. */
static WpId
old_request (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpBio bio = { .time = event->time };
  gboolean asked = wp_disk_take_bio (self, device, event->block.sector, &bio);
  WpId id;

  if (!asked && may_be_old (self, event->time))
    bio.time = 0;
  id = wp_disk_request (self, event, device, &bio);
  if (!asked)
    wp_scheduling_op (self->core, disk_row (self, id)->queue)->flags |= WP_OP_OPEN_START;
  remember_request (self, device, id);
  return id;
}

/* Takes the request that this completion ends out of those in flight; 0 when it ends only a part of one. */
static WpId
take_completed (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  guint64 end = event->block.sector + event->block.sectors;
  WpId id = request_from (self, event, device);
  const WpDisk *disk;

  if (id == 0)
    id = old_request (self, event, device);
  forget_request (self, device, id);
  disk = disk_row (self, id);
  if (end >= disk->sector + disk->sectors)
    return id;
  self->requests.data[id].next = end;
  g_hash_table_insert (self->by_start, wp_disk_place (device, end), GUINT_TO_POINTER (id));
  return 0;
}

/* The last one on this CPU. */
static WpCompletion *
completion_on (WpDiskTracker *self, guint32 cpu)
{
  if (cpu >= self->cpus.len)
    wp_array_resize (&self->cpus, cpu + 1);
  return &self->cpus.data[cpu];
}

static void
complete (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpId id = event->block.flush ? wp_disk_take_flush (self, event, device, may_be_old (self, event->time))
                               : take_completed (self, event, device);

  if (id == 0)
    return;
  end_request (self, id, event->time);
  *completion_on (self, event->cpu) = (WpCompletion) { .time = event->time, .request = id, .tid = event->tid };
}

void
wp_disk_block (WpDiskTracker *self, const WpEvent *event, const WpThread *actor)
{
  guint32 device;

  if (event->block.sectors == 0 && !event->block.flush) /* no data: a command to the device, or a flush's bio, whose flush is over */
    return;
  device = wp_disk_device (self, event->block.dev);
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
      if (!event->block.flush)
        enqueue (self, event, actor, device);
      break;
    case WP_EVENT_RQ_MERGE:
      merge_bio (self, event, actor, device);
      break;
    case WP_EVENT_RQ_ABSORBED:
      merge_requests (self, event, device);
      break;
    case WP_EVENT_RQ_ISSUE:
      if (event->block.flush)
        wp_disk_issue_flush (self, event, actor, device);
      else
        issue (self, event, actor, device);
      break;
    case WP_EVENT_RQ_REQUEUE:
      if (event->block.flush)
        wp_disk_requeue_flush (self, event, device);
      else
        requeue (self, event, device);
      break;
    case WP_EVENT_RQ_COMPLETE:
      complete (self, event, device);
      break;
    default:
      break;
    }
}

WpId
wp_disk_of_wakeup (WpDiskTracker *self, const WpEvent *event, const WpThread *woken)
{
  const WpCompletion *last = completion_on (self, event->cpu);
  WpId disk = wp_disk_thread (self, woken)->last_completed;

  if (last->request != 0 && last->tid == event->tid && event->time - last->time <= WP_COMPLETION_WINDOW_NS)
    disk = last->request;
  return disk != 0 ? disk_row (self, disk)->active : 0;
}

/* It is in the queue or with the device, and has not become a part of another one. */
static gboolean
under_way (WpDiskTracker *self, const WpDisk *disk)
{
  return wp_scheduling_op (self->core, disk->queue)->end == G_MAXINT64
         || (disk->active != 0 && wp_scheduling_op (self->core, disk->active)->end == G_MAXINT64);
}

/* For a wakeup nobody saw: the last request of the sleeper's that was under way, which ends at the latest when the sleep does. */
WpId
wp_disk_of_sleep (WpDiskTracker *self, WpThread *sleeper, gint64 end)
{
  gint64 since = wp_scheduling_op (self->core, sleeper->op)->start;

  WpId j = wp_disk_thread (self, sleeper)->last_asked;

  for (guint n = 0; j != 0 && n < WP_ASKED_MAX; j = self->joined.data[j].before, n++)
    {
      WpId id = whole_request (self, self->joined.data[j].request);
      const WpDisk *disk = disk_row (self, id);
      const WpOp *queue = wp_scheduling_op (self->core, disk->queue);

      if (queue->start + WP_OLD_REQUEST_NS < since)
        return 0;
      if (under_way (self, disk))
        wp_disk_give_up (self, id, end);
      if (disk->active != 0 && wp_scheduling_op (self->core, disk->active)->end > since)
        return disk->active;
    }
  return 0;
}
