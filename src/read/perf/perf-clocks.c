/* Sets right the lanes of CPUs whose clocks do not agree with the others'; see clocks.h. A record's place is where it stands in the file:
 * a CPU's records stand there as they came, whatever its clock said. */
#include "read/clocks.h"
#include "read/perf/perf-private.h"

#include <stdlib.h>

#define ROUNDS_MAX 16
#define SET_BACK_MAX 16 /* lanes whose time goes back that are looked at closely */
/* A lane whose time goes back by so much had its clock set; nothing else is so late. */
#define FAR_NS 100000000
#define TID_MAX (1 << 22) /* the kernel's own limit */

typedef struct
{
  WpPerf *perf;
  WpClockEvents events;
  WpPairMap tids; /* tid, 0 → its number among those seen, so that tables by them are no larger than need be */
} Clocks;

static void
add (Clocks *self, guint16 lane, const WpPerfEntry *entry, gint64 tid, WpClockKind kind)
{
  guint32 *number;

  if (tid <= 0 || tid >= TID_MAX)
    return;
  number = wp_pair_map_at (&self->tids, (guint32) tid, 0);
  if (*number == 0)
    *number = self->tids.n;
  wp_array_push (&self->events, ((WpClockEvent) { .time = entry->time, .place = entry->offset, .tid = (gint32) *number, .lane = lane,
                                                  .kind = kind }));
}

static void
add_record (Clocks *self, const WpPerfEntry *entry)
{
  const WpRecord *header = (const WpRecord *) (self->perf->reader->data + entry->offset);
  WpPerfSample sample;
  WpPerfWhere where;
  WpPerfAttr *attr;
  guint64 state;
  guint16 lane;

  if (header->type != PERF_RECORD_SAMPLE || !wp_perf_where (self->perf, header, &where, &attr)
      || (attr->kind != WP_EVENT_SWITCH && attr->kind != WP_EVENT_WAKING && attr->kind != WP_EVENT_WAKEUP_NEW)
      || where.cpu == G_MAXUINT32 || !wp_perf_sample (attr, header, &sample))
    return;
  lane = wp_perf_lane (where.cpu);
  if (attr->kind != WP_EVENT_SWITCH)
    {
      add (self, lane, entry, wp_perf_number (&attr->fields[0], &sample), WP_CLOCK_WAKING);
      return;
    }
  state = wp_perf_number (&attr->fields[2], &sample) & 0xff;
  add (self, lane, entry, wp_perf_number (&attr->fields[0], &sample), state != 0 && !(state & 0x30) ? WP_CLOCK_LEAVE : WP_CLOCK_YIELD);
  add (self, lane, entry, wp_perf_number (&attr->fields[1], &sample), WP_CLOCK_ENTER);
}

static int
compare_events (const void *a, const void *b)
{
  const WpClockEvent *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (int) x->kind - y->kind;
}

static int
compare_entries (const void *a, const void *b)
{
  const WpPerfEntry *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static int
compare_places (const void *a, const void *b)
{
  const WpPerfEntry *x = a, *y = b;

  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
sort_events (Clocks *self)
{
  if (self->events.len > 0)
    qsort (self->events.data, self->events.len, sizeof *self->events.data, compare_events);
}

/* Wakings tell of clocks, and only where there are several. */
static gboolean
collect (Clocks *self)
{
  gboolean wakings = FALSE;
  WpPerfEntry entry;
  guint used = 0;

  for (guint32 i = 0; i < self->perf->attrs.len; i++)
    wakings = wakings || self->perf->attrs.data[i].kind == WP_EVENT_WAKING;
  for (guint32 i = 1; i < self->perf->lanes.len; i++)
    used += self->perf->lanes.data[i].entries.len > 0;
  if (!wakings || used < 2)
    return FALSE;
  wp_perf_begin_merge (self->perf);
  while (wp_perf_next (self->perf, &entry))
    add_record (self, &entry);
  return TRUE;
}

/* The lane's records where the step must be, as they came. */
static WpPerfEntry *
records_about (const WpPerfLane *lane, const WpClockMoment *moment, guint32 *n)
{
  WpPerfEntry *found = g_new (WpPerfEntry, lane->entries.len);

  *n = 0;
  for (guint32 i = lane->next; i < lane->entries.len; i++)
    if (lane->entries.data[i].offset >= moment->after && lane->entries.data[i].offset <= moment->upto)
      found[(*n)++] = lane->entries.data[i];
  if (*n > 0)
    qsort (found, *n, sizeof *found, compare_places);
  return found;
}

/* The first record with another clock, which is where time goes back, or else leaps farthest. How well that fits: 2 where it is to be seen
 * that a clock was set, 1 where it may have been, 0 where it hardly was, −1 where it was not. */
static int
locate (const Clocks *self, guint16 row, const WpClockMoment *moment, gint64 ahead, guint64 *place)
{
  guint32 n, back = 0, on = 0;
  g_autofree WpPerfEntry *records = records_about (&self->perf->lanes.data[row], moment, &n);
  gint64 least = 0, most = G_MININT64;

  for (guint32 i = 1; i < n; i++)
    {
      gint64 by = records[i].time - records[i - 1].time;

      if (by < least)
        least = by, back = i;
      if (by > most)
        most = by, on = i;
    }
  *place = moment->upto;
  if (ahead < 0 && least < 0)
    *place = records[back].offset;
  else if (moment->after == 0)
    *place = 0;
  else if (on > 0)
    *place = records[on].offset;
  if (ahead < 0)
    return least <= ahead / 2 ? 2 : 0;
  return moment->after == 0 || most >= ahead - ahead / 10 ? 1 : -1;
}

/* A stretch of a lane whose clock is so far ahead. */
typedef struct
{
  guint64 from, to; /* places; up to, but without, `to` */
  gint64 ahead;
  guint16 lane;
} Stretch;

static gboolean
is_in (const Stretch *stretch, guint64 place)
{
  return place >= stretch->from && place < stretch->to;
}

static void
set_right (Clocks *self, const Stretch *stretch)
{
  WpPerfLane *lane = &self->perf->lanes.data[stretch->lane];

  for (guint32 i = lane->next; i < lane->entries.len; i++)
    if (is_in (stretch, lane->entries.data[i].offset))
      lane->entries.data[i].time = MAX (lane->entries.data[i].time - stretch->ahead, 0);
  qsort (lane->entries.data + lane->next, lane->entries.len - lane->next, sizeof (WpPerfEntry), compare_entries);
  for (guint32 i = 0; i < self->events.len; i++)
    if (self->events.data[i].lane == stretch->lane && is_in (stretch, self->events.data[i].place))
      self->events.data[i].time = MAX (self->events.data[i].time - stretch->ahead, 0);
  sort_events (self);
}

/* Of what explains the same, the step that is to be seen. */
static gboolean
choose (const Clocks *self, const WpClockSteps *steps, Stretch *chosen)
{
  int best = -1;

  for (guint32 i = 0; i < steps->len; i++)
    {
      const WpClockStep *step = &steps->data[i];
      Stretch stretch = { .lane = step->lane, .ahead = step->ahead };
      int fit = locate (self, step->lane, &step->begin, step->ahead, &stretch.from);
      int other = fit;

      stretch.to = G_MAXUINT64;
      if (step->end.upto != G_MAXUINT64)
        other = locate (self, step->lane, &step->end, -step->ahead, &stretch.to);
      if (MIN (fit, other) < 0 || MAX (fit, other) <= best)
        continue;
      best = MAX (fit, other);
      *chosen = stretch;
    }
  return best >= 0;
}

/* Whether any record stands behind one that is so much later. */
static gboolean
has_late_places (const WpPerfLane *lane)
{
  const WpPerfEntry *entries = lane->entries.data;
  guint64 last = 0;

  for (guint32 i = lane->next, far = i; i < lane->entries.len; i++)
    {
      for (; entries[i].time - entries[far].time >= FAR_NS; far++)
        last = MAX (last, entries[far].offset);
      if (entries[i].offset < last)
        return TRUE;
    }
  return FALSE;
}

/* From where on this lane's time is earlier than it can be; FALSE: nowhere, or so often that it means something else. */
static gboolean
goes_back (const Clocks *self, guint16 row, Stretch *stretch)
{
  guint32 n, found = 0;
  g_autofree WpPerfEntry *records = records_about (&self->perf->lanes.data[row], &(WpClockMoment) { .upto = G_MAXUINT64 }, &n);

  for (guint32 i = 1; i < n; i++)
    if (records[i].time - records[i - 1].time <= -FAR_NS)
      {
        found++;
        *stretch = (Stretch) { .from = records[i].offset, .to = G_MAXUINT64, .ahead = records[i].time - records[i - 1].time, .lane = row };
      }
  return found == 1;
}

/* What a lane that goes on where it was lacks: the time between the two records. 0: nothing tells. */
static gint64
rest_of (const WpClockSteps *steps, guint16 lane)
{
  for (guint32 i = 0; i < steps->len; i++)
    if (steps->data[i].lane == lane && steps->data[i].ahead < 0)
      return steps->data[i].ahead;
  return 0;
}

/* What goes back far goes on where it was, and then as far behind as is told by what is impossible; where as much is as before, it was
 * no clock that went back. Returns how many clocks were set. */
static guint
set_those_that_go_back (Clocks *self)
{
  WpClockSteps steps = { 0 };
  guint n = 0, tried = 0;
  Stretch stretch;

  for (guint32 i = 1; i < self->perf->lanes.len && tried < SET_BACK_MAX; i++)
    {
      Stretch rest;
      guint32 impossible, left;

      if (!has_late_places (&self->perf->lanes.data[i]) || !goes_back (self, i, &stretch))
        continue;
      tried++;
      impossible = wp_clocks_find (&self->events, &steps);
      set_right (self, &stretch);
      left = wp_clocks_find (&self->events, &steps);
      rest = stretch;
      rest.ahead = rest_of (&steps, i);
      if (rest.ahead != 0)
        set_right (self, &rest);
      else if (left >= impossible)
        {
          stretch.ahead = -stretch.ahead;
          set_right (self, &stretch);
          continue;
        }
      n++;
    }
  wp_array_clear (&steps);
  return n;
}

static guint
find_and_set (Clocks *self)
{
  WpClockSteps steps = { 0 };
  Stretch stretch;
  guint32 impossible = wp_clocks_find (&self->events, &steps);
  guint n = 0;

  for (guint round = 0; round < ROUNDS_MAX && steps.len > 0 && choose (self, &steps, &stretch); round++)
    {
      guint32 left;

      set_right (self, &stretch);
      left = wp_clocks_find (&self->events, &steps);
      if (left > impossible - impossible / 4)
        { /* that explained too little */
          stretch.ahead = -stretch.ahead;
          set_right (self, &stretch);
          break;
        }
      impossible = left;
      n += stretch.to == G_MAXUINT64 ? 1 : 2;
    }
  wp_array_clear (&steps);
  return n;
}

void
wp_perf_set_clocks (WpPerf *perf)
{
  Clocks self = { .perf = perf };

  if (collect (&self))
    {
      guint set = set_those_that_go_back (&self);

      perf->reader->trace->diagnostics.n[WP_DIAG_CLOCK_STEPS] = set + find_and_set (&self);
    }
  wp_array_clear (&self.events);
  wp_pair_map_clear (&self.tids);
}
