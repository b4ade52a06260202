/* Flushes: requests without data or place. One serves all whose bios wait for it; they are over in the order of their issue. */
#include "trace/disk-private.h"
#include "trace/thresholds.h"

static WpId
take_first (WpIdArray *flushes)
{
  WpId id = flushes->len > 0 ? flushes->data[0] : 0;

  if (id != 0)
    memmove (flushes->data, flushes->data + 1, --flushes->len * sizeof (WpId));
  return id;
}

/* One for all that wait; without any, for `otherwise`. */
static WpId
wanted_flush (WpDiskTracker *self, const WpEvent *event, guint32 device, WpBio otherwise)
{
  WpIdArray *waiting = &self->devices.data[device].flushing;
  WpBio bio = waiting->len > 0 ? self->bios.data[waiting->data[0]] : otherwise;
  WpId id;

  bio.file = 0;
  id = wp_disk_request (self, event, device, &bio);
  for (guint32 i = 1; i < waiting->len; i++)
    wp_disk_join (self, id, self->bios.data[waiting->data[i]].tid);
  for (guint32 i = 0; i < waiting->len; i++)
    wp_array_push (&self->free_bios, waiting->data[i]);
  waiting->len = 0;
  return id;
}

void
wp_disk_issue_flush (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device)
{
  WpBio bio = { .time = event->time, .task = actor != NULL ? actor->task : 0, .tid = actor != NULL ? actor->tid : 0 };
  WpId id = take_first (&self->devices.data[device].returned);

  if (id == 0)
    id = wanted_flush (self, event, device, bio);
  if (self->devices.data[device].flushes.len == WP_FLUSHES_MAX)
    wp_disk_give_up (self, self->devices.data[device].flushes.data[0], event->time);
  wp_array_push (&self->devices.data[device].flushes, id);
  wp_disk_begin_active (self, id, event->tid, event->time);
}

/* What comes back comes back at once: it is the last that was issued. */
void
wp_disk_requeue_flush (WpDiskTracker *self, const WpEvent *event, guint32 device)
{
  WpDevice *row = &self->devices.data[device];
  WpId id;

  if (row->flushes.len == 0)
    return;
  id = row->flushes.data[--row->flushes.len];
  wp_disk_come_back (self, id, event);
  if (row->returned.len < WP_FLUSHES_MAX)
    wp_array_push (&row->returned, id);
}

/* The flush that is over now. One of which nothing is known was under way since before the recording if that is `old` enough. */
WpId
wp_disk_take_flush (WpDiskTracker *self, const WpEvent *event, guint32 device, gboolean old)
{
  WpId id = take_first (&self->devices.data[device].flushes);

  if (id == 0)
    id = take_first (&self->devices.data[device].returned);
  return id != 0 ? id : wanted_flush (self, event, device, (WpBio) { .time = old ? 0 : event->time });
}

static void
forget (WpIdArray *flushes, WpId id)
{
  for (guint32 i = 0; i < flushes->len; i++)
    if (flushes->data[i] == id)
      {
        memmove (flushes->data + i, flushes->data + i + 1, (--flushes->len - i) * sizeof (WpId));
        return;
      }
}

void
wp_disk_forget_flush (WpDiskTracker *self, guint32 device, WpId id)
{
  forget (&self->devices.data[device].flushes, id);
  forget (&self->devices.data[device].returned, id);
}

static gboolean
was_asked_by (const WpDiskTracker *self, WpId id, gint32 tid)
{
  WpId j = self->requests.data[id].joined;

  for (guint n = 0; j != 0 && n < WP_ASKING_MAX; j = self->joined.data[j].next, n++)
    if (self->joined.data[j].tid == tid)
      return TRUE;
  return FALSE;
}

/* Who asks for another flush has the one before behind him, seen or not: else one unseen end would move all that follow. */
void
wp_disk_want_flush (WpDiskTracker *self, guint32 device, gint32 tid, gint64 time)
{
  const WpIdArray *flushes = &self->devices.data[device].flushes;

  for (guint32 i = flushes->len; i-- > 0 && tid > 0;)
    if (was_asked_by (self, flushes->data[i], tid))
      wp_disk_give_up (self, flushes->data[i], time);
}
