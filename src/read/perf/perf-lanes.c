/* Finds the records of a perf.data and puts them in the order of time. Each CPU's records are in order already, but
 * those of several CPUs stand in the file in turns: they are indexed by CPU, and the CPUs' lanes are merged. */
#include "base/sort.h"
#include "read/perf/perf-private.h"

#define RECORDS_PER_STEP 4096
#define REPAIR_MAX 64 /* a record that comes late by more is left to sorting its lane */
#define CPU_MAX 65535
#define TIME_MAX (G_MAXINT64 / 4)
/* No recording is longer than this (13 days): times farther from its middle are damaged. */
#define REACH_NS (G_GINT64_CONSTANT (1) << 50)

/* --- who, when, where --------------------------------------------------------------------------------------------- */

static void
where_of_sample (const WpPerfAttr *attr, const guint8 *body, WpPerfWhere *where)
{
  if (attr->tid >= 0)
    {
      where->pid = (gint32) wp_read_u32 (body + attr->tid);
      where->tid = (gint32) wp_read_u32 (body + attr->tid + 4);
    }
  if (attr->time >= 0)
    where->time = (gint64) wp_read_u64 (body + attr->time);
  if (attr->cpu >= 0)
    where->cpu = wp_read_u32 (body + attr->cpu);
}

static void
where_of_other (const WpPerfAttr *attr, const guint8 *end, WpPerfWhere *where)
{
  if (attr->tail_tid > 0)
    {
      where->pid = (gint32) wp_read_u32 (end - attr->tail_tid);
      where->tid = (gint32) wp_read_u32 (end - attr->tail_tid + 4);
    }
  if (attr->tail_time > 0)
    where->time = (gint64) wp_read_u64 (end - attr->tail_time);
  if (attr->tail_cpu > 0)
    where->cpu = wp_read_u32 (end - attr->tail_cpu);
}

/* The event type of a record: by its id, whose place all types agree on. */
static WpPerfAttr *
attr_of (WpPerf *self, const WpRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1), *end = (const guint8 *) header + header->size;
  WpPerfAttr *first = self->attrs.data;
  gboolean sample = header->type == PERF_RECORD_SAMPLE;
  gint16 at = sample ? first->id : first->tail_id;
  WpPerfAttr *found;

  if (at < 0 || (self->attrs.len == 1 && self->ids.n == 0))
    return first;
  if (sample ? at + 8 > end - body : at > end - body)
    return NULL;
  found = wp_perf_attr_of_id (self, wp_read_u64 (sample ? body + at : end - at));
  return found != NULL || sample ? found : first; /* what the recorder made up has no id */
}

gboolean
wp_perf_where (WpPerf *self, const WpRecord *header, WpPerfWhere *where, WpPerfAttr **attr)
{
  gsize size = header->size - sizeof *header;

  *where = (WpPerfWhere){ .pid = -1, .tid = -1, .cpu = G_MAXUINT32 };
  *attr = self->attrs.len > 0 ? attr_of (self, header) : NULL;
  if (*attr == NULL)
    return FALSE;
  if (header->type == PERF_RECORD_SAMPLE)
    {
      if (size < (gsize) (*attr)->chain)
        return FALSE;
      where_of_sample (*attr, (const guint8 *) (header + 1), where);
    }
  else
    {
      gint16 tail = MAX (MAX ((*attr)->tail_tid, (*attr)->tail_time), MAX ((*attr)->tail_cpu, (*attr)->tail_id));

      if (tail > 0 && size < (gsize) tail)
        return FALSE;
      where_of_other (*attr, (const guint8 *) header + header->size, where);
    }
  if (where->cpu > CPU_MAX)
    where->cpu = G_MAXUINT32;
  return where->time >= 0 && where->time < TIME_MAX;
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static WpPerfLane *
lane_of (WpPerf *self, guint32 cpu)
{
  guint32 row = wp_perf_lane (cpu);

  while (self->lanes.len <= row)
    {
      WpPerfLane *lane = wp_array_add (&self->lanes);

      lane->cpu = self->lanes.len == 1 ? G_MAXUINT32 : self->lanes.len - 2;
    }
  return &self->lanes.data[row];
}

static void
add_entry (WpPerf *self, guint32 cpu, gint64 time, guint64 offset)
{
  WpPerfLane *lane = lane_of (self, cpu);
  WpPerfEntry entry = { .time = time, .offset = offset };
  guint32 at;

  wp_array_push (&lane->entries, entry);
  self->n_entries++;
  at = lane->entries.len - 1;
  if (at == 0 || lane->entries.data[at - 1].time <= time)
    return;
  for (guint moved = 0; at > 0 && lane->entries.data[at - 1].time > time; at--, moved++)
    {
      if (moved == REPAIR_MAX)
        {
          lane->unsorted = TRUE;
          break;
        }
      lane->entries.data[at] = lane->entries.data[at - 1];
    }
  lane->entries.data[at] = entry;
}

WP_DEFINE_COMPARE_2 (compare_entries, WpPerfEntry, time, offset)

/* --- walking the file --------------------------------------------------------------------------------------------- */

/* Whether a record may begin here. */
gboolean
wp_perf_plausible (const WpPerf *self, guint64 offset)
{
  const WpRecord *header = (const WpRecord *) (self->reader->data + offset);

  return self->data_end - offset >= sizeof *header && header->type != 0 && header->type <= WP_PERF_RECORD_LAST
         && header->size >= sizeof *header && header->size <= self->data_end - offset;
}

/* The next place after a damaged record where three records follow one another. */
guint64
wp_perf_resynchronize (const WpPerf *self, guint64 offset)
{
  for (offset++; self->data_end - offset >= sizeof (WpRecord); offset++)
    {
      guint64 at = offset;
      guint chain = 0;

      while (chain < 3 && at < self->data_end && wp_perf_plausible (self, at))
        {
          at += ((const WpRecord *) (self->reader->data + at))->size;
          chain++;
        }
      if (chain == 3 || (chain > 0 && at == self->data_end))
        return offset;
    }
  return self->data_end;
}

static void
read_attr_record (WpPerf *self, const guint8 *record, gsize size)
{
  guint32 attr_size = size >= 16 ? wp_read_u32 (record + 12) : 0;

  attr_size = attr_size == 0 ? PERF_ATTR_SIZE_VER0 : attr_size;
  if (size < 8 + (gsize) attr_size)
    {
      wp_perf_damaged (self);
      return;
    }
  wp_perf_add_attr (self, record + 8, attr_size, record + 8 + attr_size, (size - 8 - attr_size) / 8);
}

/* Takes in a record that perf added; returns how many bytes behind it belong to it, G_MAXUINT64 when they are cut
 * off. */
static guint64
on_user_record (WpPerf *self, const WpRecord *header)
{
  const guint8 *record = (const guint8 *) header;
  guint64 left = self->reader->data + self->data_end - record - header->size, more = wp_perf_trailing (header);

  switch (header->type)
    {
    case WP_PERF_RECORD_ATTR:
      read_attr_record (self, record, header->size);
      break;
    case WP_PERF_RECORD_TRACING_DATA:
      if (more > 0)
        wp_perf_tracing_data (self, record + header->size, MIN (wp_read_u32 (record + 8), left));
      break;
    case WP_PERF_RECORD_BUILD_ID:
      wp_perf_build_id (self, record, header->size);
      break;
    case WP_PERF_RECORD_EVENT_UPDATE:
      wp_perf_event_update (self, record, header->size);
      break;
    case WP_PERF_RECORD_FEATURE:
      if (header->size >= 16)
        wp_perf_feature (self, wp_read_u64 (record + 8), record + 16, header->size - 16);
      break;
    case WP_PERF_RECORD_EVENT_TYPE:
      if (header->size >= 16 && wp_read_u64 (record + 8) >= WP_PERF_FEATURES_OWN)
        wp_perf_feature (self, wp_read_u64 (record + 8) - WP_PERF_FEATURES_OWN, record + 16, header->size - 16);
      break;
    case WP_PERF_RECORD_COMPRESSED:
    case WP_PERF_RECORD_COMPRESSED2:
      wp_perf_damaged (self); /* none is left: see wp_perf_expand() */
      break;
    default:
      break;
    }
  return more <= left ? more : G_MAXUINT64;
}

static void
on_kernel_record (WpPerf *self, const WpRecord *header, guint64 offset, WpPerfEarlyFunc early)
{
  WpPerfWhere where;
  WpPerfAttr *attr;

  if (!wp_perf_where (self, header, &where, &attr))
    {
      /* What the recorder makes up may come without a tail. */
      if (header->type == PERF_RECORD_SAMPLE || attr == NULL)
        wp_perf_damaged (self);
      else
        early (self, header);
    }
  else if (where.time == 0 && header->type != PERF_RECORD_SAMPLE)
    early (self, header);
  else
    add_entry (self, where.cpu, where.time, offset);
  if (header->type == PERF_RECORD_MMAP2)
    wp_perf_note_mapped (self, header);
}

/* Returns where the next record begins, or G_MAXUINT64 when the file ends within this one. */
static guint64
on_record (WpPerf *self, guint64 offset, WpPerfEarlyFunc early)
{
  const WpRecord *header = (const WpRecord *) (self->reader->data + offset);
  guint64 more = 0;

  if (self->data_end - offset < sizeof *header)
    return G_MAXUINT64;
  if (header->size < sizeof *header || header->type == 0 || header->type > WP_PERF_RECORD_LAST)
    {
      wp_perf_damaged (self);
      return wp_perf_resynchronize (self, offset);
    }
  if (header->size > self->data_end - offset)
    {
      guint64 next = wp_perf_resynchronize (self, offset);

      if (next >= self->data_end)
        return G_MAXUINT64;
      wp_perf_damaged (self);
      return next;
    }
  if (header->type >= WP_PERF_RECORD_USER_FIRST)
    more = on_user_record (self, header);
  else
    on_kernel_record (self, header, offset, early);
  return more == G_MAXUINT64 ? more : offset + header->size + more;
}

/* The time in the middle of the longest lane, which a few damaged ones cannot move far. */
static gint64
middle_time (const WpPerf *self)
{
  const WpPerfLane *longest = NULL;

  for (guint32 i = 0; i < self->lanes.len; i++)
    if (longest == NULL || self->lanes.data[i].entries.len > longest->entries.len)
      longest = &self->lanes.data[i];
  return longest != NULL && longest->entries.len > 0 ? longest->entries.data[longest->entries.len / 2].time : 0;
}

static void
drop_impossible_times (WpPerf *self)
{
  gint64 middle = middle_time (self);

  for (guint32 i = 0; i < self->lanes.len; i++)
    {
      WpPerfLane *lane = &self->lanes.data[i];
      guint32 n = lane->entries.len;

      while (lane->entries.len > 0 && lane->entries.data[lane->entries.len - 1].time - middle > REACH_NS)
        lane->entries.len--;
      while (lane->next < lane->entries.len && middle - lane->entries.data[lane->next].time > REACH_NS)
        lane->next++;
      for (guint32 dropped = n - lane->entries.len + lane->next; dropped > 0; dropped--)
        wp_perf_damaged (self);
      if (lane->next == lane->entries.len)
        lane->entries.len = lane->next = 0;
    }
}

gboolean
wp_perf_index (WpPerf *self, WpPerfEarlyFunc early, GError **error)
{
  guint64 offset = self->data_start, length = MAX (self->data_end - self->data_start, 1);

  for (guint count = 0; offset < self->data_end; count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (self->reader->progress, 0.25 * (offset - self->data_start) / length, error))
        return FALSE;
      offset = on_record (self, offset, early);
    }
  if (offset == G_MAXUINT64)
    self->reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
  for (guint32 i = 0; i < self->lanes.len; i++)
    if (self->lanes.data[i].unsorted)
      wp_array_sort (&self->lanes.data[i].entries, compare_entries);
  drop_impossible_times (self);
  return TRUE;
}

/* --- merging ------------------------------------------------------------------------------------------------------ */

static inline const WpPerfEntry *
lane_top (const WpPerfLane *lane)
{
  return &lane->entries.data[lane->next];
}

static void
sift_down (WpPerfMerge *merge, guint32 at)
{
  WpPerfLane *lanes = merge->data;
  guint32 n = merge->len;

  for (;;)
    {
      guint32 child = 2 * at + 1;
      WpPerfLane lane;

      if (child >= n)
        return;
      if (child + 1 < n && compare_entries (lane_top (&lanes[child + 1]), lane_top (&lanes[child])) < 0)
        child++;
      if (compare_entries (lane_top (&lanes[at]), lane_top (&lanes[child])) <= 0)
        return;
      lane = lanes[at];
      lanes[at] = lanes[child];
      lanes[child] = lane;
      at = child;
    }
}

void
wp_perf_begin_merge (WpPerf *self)
{
  WpPerfMerge *merge = &self->merge;

  wp_array_resize (merge, 0);
  for (guint32 i = 0; i < self->lanes.len; i++)
    if (self->lanes.data[i].next < self->lanes.data[i].entries.len)
      wp_array_push (merge, self->lanes.data[i]);
  for (guint32 i = merge->len / 2; i-- > 0;)
    sift_down (merge, i);
}

gboolean
wp_perf_next (WpPerf *self, WpPerfEntry *entry)
{
  WpPerfMerge *merge = &self->merge;
  WpPerfLane *first = merge->data;

  if (merge->len == 0)
    return FALSE;
  *entry = *lane_top (first);
  if (++first->next == first->entries.len)
    *first = merge->data[--merge->len];
  sift_down (merge, 0);
  return TRUE;
}
