/* Rule 3. Three things are put on top of what waited for them: the operations of devices and of the network on a sleep; the requests that a
 * device was busy with on a request in its queue; the requests for a file on a request to the device that this file is. */
#include "paths/paths-private.h"

#include "base/search.h"
#include "trace/files.h"

/* So many requests are looked at for one that waits: no device does more meanwhile. */
#define LOOKED_AT_MAX 16384
/* … and so many devices that may hold a file are looked through. */
#define DEVICES_MAX 64

/* Places what of the operation lies within the part; if that is placed already, the part waits on it. */
static WpId
place_within (WpMaker *self, WpId part, WpId op)
{
  const WpPart *p = &self->paths->parts.data[part];
  gint64 start = MAX (p->start, self->trace->ops.data[op].start), end = MIN (p->end, self->trace->ops.data[op].end);
  WpId placed, path = p->path;

  if (start >= end)
    return 0;
  if (wp_maker_cut_at_or_below (self, op) == op)
    {
      self->paths->parts.data[part].cut = self->trace->ops.data[p->op].kind == WP_OP_SLEEP;
      return 0;
    }
  placed = wp_maker_part_overlapping (self, op, start, end);
  if (placed == 0)
    return wp_maker_place (self, op, start, end, part, path);
  self->paths->parts.data[part].waits_path = self->paths->parts.data[placed].path;
  self->paths->parts.data[part].waits_part = placed;
  return 0;
}

static void
compute_latest_ends (WpMaker *self)
{
  const WpTrace *trace = self->trace;

  self->latest_end = g_new0 (gint64, trace->ops.len);
  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *task = &trace->tasks.data[t];
      gint64 latest = G_MININT64;

      if (task->kind != WP_TASK_DISK)
        continue;
      for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
        {
          if (trace->ops.data[o].kind == WP_OP_DISK)
            latest = MAX (latest, trace->ops.data[o].end);
          self->latest_end[o] = latest;
        }
    }
}

/* The first operation of the task that starts at or after `time`. */
static WpId
first_from (const WpTrace *trace, const WpTask *task, gint64 time)
{
  return WP_SEARCH (task->first_op, task->first_op + task->n_ops, i, trace->ops.data[i].start < time);
}

/* Requests to this device while the one of this part waited or was worked on: one after the other, latest first. `file` 0: for any
 * file. */
static void
place_requests (WpMaker *self, WpId part, const WpTask *task, WpId file)
{
  const WpTrace *trace = self->trace;
  WpPart below = self->paths->parts.data[part];
  gint64 until = below.end;
  WpIdArray busy = { 0 };
  guint n = 0;

  if (self->latest_end == NULL)
    compute_latest_ends (self);
  for (WpId o = first_from (trace, task, below.end); o-- > task->first_op && self->latest_end[o] > below.start && n++ < LOOKED_AT_MAX;)
    {
      const WpOp *op = &trace->ops.data[o];

      if (op->kind != WP_OP_DISK || op->end <= below.start || op->end > until
          || op->detail == trace->ops.data[below.op].detail || (file != 0 && trace->disks.data[op->detail].file != file))
        continue;
      wp_array_push (&busy, o);
      until = op->start;
      if (until <= below.start)
        break;
    }
  while (busy.len > 0)
    (void) place_within (self, part, busy.data[--busy.len]);
  wp_array_clear (&busy);
}

/* Devices with requests for files. */
static void
find_disks (WpMaker *self)
{
  const WpTrace *trace = self->trace;
  g_autofree guint8 *found = NULL;

  if (self->disks.len > 0)
    return;
  found = g_new0 (guint8, trace->tasks.len);
  for (WpId d = 1; d < trace->disks.len && self->disks.len < DEVICES_MAX; d++)
    {
      const WpDisk *disk = &trace->disks.data[d];
      WpId task = trace->ops.data[disk->active != 0 ? disk->active : disk->queue].task;

      if (disk->file != 0 && !found[task])
        wp_array_push (&self->disks, task);
      found[task] = found[task] || disk->file != 0;
    }
}

/* A request to a device that is a file becomes requests for that file. */
static void
place_backing (WpMaker *self, WpId part)
{
  const WpTrace *trace = self->trace;
  const WpOp *op = &trace->ops.data[self->paths->parts.data[part].op];
  WpId backing = op->kind == WP_OP_DISK ? wp_trace_backing (trace, trace->disks.data[op->detail].dev) : 0;

  if (backing == 0)
    return;
  find_disks (self);
  for (guint32 i = 0; i < self->disks.len; i++)
    if (self->disks.data[i] != op->task)
      place_requests (self, part, &trace->tasks.data[self->disks.data[i]], backing);
}

void
wp_maker_place_device (WpMaker *self, WpId part, WpId op)
{
  const WpOp *o = &self->trace->ops.data[op];
  WpId queue = o->kind == WP_OP_DISK ? self->trace->disks.data[o->detail].queue : 0, active;

  if (queue != 0)
    {
      WpId waiting = place_within (self, part, queue);

      if (waiting != 0)
        place_requests (self, waiting, &self->trace->tasks.data[o->task], 0);
    }
  active = place_within (self, part, op);
  if (active != 0)
    place_backing (self, active);
}
