#include "read/perf/perf-lanes.h"

#include "base/sort.h"
#include "read/perf/perf-parts.h"

#define RECORDS_PER_STEP 4096
#define REPAIR_MAX 64 /* a record that comes late by more is left to sorting its lane */
/* No recording is longer than this (13 days): times farther from its middle are damaged. */
#define REACH_NS (G_GINT64_CONSTANT (1) << 50)

/* --- lanes -------------------------------------------------------------------------------------------------------- */

/* What does not say its CPU comes first. */
static WpPerfLane *
lane_of (WpPerfLanes *self, guint32 cpu)
{
  guint32 row = cpu == G_MAXUINT32 ? 0 : cpu + 1;

  if (self->lanes.len <= row)
    wp_array_resize (&self->lanes, row + 1);
  return &self->lanes.data[row];
}

static void
add_entry (WpPerfLanes *self, guint32 cpu, gint64 time, guint64 offset)
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

static void
on_kernel_record (WpPerfLanes *self, WpPerfFile *file, const WpPerfRecord *header, guint64 offset)
{
  const WpPerfAttr *attr;
  WpPerfWhere where;
  gboolean known = wp_perf_file_where (file, header, &where, &attr);

  if (header->type == PERF_RECORD_MMAP2)
    wp_perf_note_mapped (file, header);
  if (!known && (header->type == PERF_RECORD_SAMPLE || attr == NULL))
    wp_perf_file_damaged (file);
  else if (!known || (where.time == 0 && header->type != PERF_RECORD_SAMPLE)) /* what the recorder makes up may come without a tail */
    wp_array_push (&self->early, header);
  else
    add_entry (self, where.cpu, where.time, offset);
}

/* Returns where the next record begins, or G_MAXUINT64 when the file ends within this one. */
static guint64
on_record (WpPerfLanes *self, WpPerfFile *file, guint64 offset)
{
  const WpPerfRecord *header = wp_perf_file_record (file, offset);
  guint64 left = file->data_end - offset, more = 0, next;

  if (left < sizeof *header)
    return G_MAXUINT64;
  if (!wp_perf_file_plausible (file, offset))
    {
      next = wp_perf_file_resynchronize (file, offset);
      if (wp_perf_file_cut_off (file, offset) && next >= file->data_end)
        return G_MAXUINT64;
      wp_perf_file_damaged (file);
      return next;
    }
  if (header->type >= WP_PERF_RECORD_USER_FIRST)
    more = wp_perf_file_describe (file, header);
  else
    on_kernel_record (self, file, header, offset);
  return more == G_MAXUINT64 ? more : offset + header->size + more;
}

/* The time in the middle of the longest lane, which a few damaged ones cannot move far. */
static gint64
middle_time (const WpPerfLanes *self)
{
  const WpPerfLane *longest = NULL;

  for (guint32 i = 0; i < self->lanes.len; i++)
    if (longest == NULL || self->lanes.data[i].entries.len > longest->entries.len)
      longest = &self->lanes.data[i];
  return longest != NULL && longest->entries.len > 0 ? longest->entries.data[longest->entries.len / 2].time : 0;
}

static void
drop_impossible_times (WpPerfLanes *self, const WpPerfFile *file)
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
        wp_perf_file_damaged (file);
      if (lane->next == lane->entries.len)
        lane->entries.len = lane->next = 0;
    }
}

gboolean
wp_perf_lanes_index (WpPerfLanes *self, WpPerfFile *file, GError **error)
{
  const WpReader *reader = file->reader;
  guint64 offset = file->data_start, length = MAX (file->data_end - file->data_start, 1);

  for (guint count = 0; offset < file->data_end; count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (reader->progress, 0.25 * (offset - file->data_start) / length, error))
        return FALSE;
      offset = on_record (self, file, offset);
    }
  if (offset == G_MAXUINT64)
    reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
  for (guint32 i = 0; i < self->lanes.len; i++)
    if (self->lanes.data[i].unsorted)
      wp_array_sort (&self->lanes.data[i].entries, compare_entries);
  drop_impossible_times (self, file);
  return TRUE;
}

void
wp_perf_lanes_clear (WpPerfLanes *self)
{
  for (guint32 i = 0; i < self->lanes.len; i++)
    wp_array_clear (&self->lanes.data[i].entries);
  wp_array_clear (&self->lanes);
  wp_array_clear (&self->merge);
  wp_array_clear (&self->early);
}

/* --- merging ------------------------------------------------------------------------------------------------------ */

static inline const WpPerfEntry *
lane_top (const WpPerfLane *lane)
{
  return &lane->entries.data[lane->next];
}

static void
sift_down (WpPerfLane *lanes, guint32 n, guint32 at)
{
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
wp_perf_lanes_begin (WpPerfLanes *self)
{
  wp_array_resize (&self->merge, 0);
  for (guint32 i = 0; i < self->lanes.len; i++)
    if (self->lanes.data[i].next < self->lanes.data[i].entries.len)
      wp_array_push (&self->merge, self->lanes.data[i]);
  for (guint32 i = self->merge.len / 2; i-- > 0;)
    sift_down (self->merge.data, self->merge.len, i);
}

gboolean
wp_perf_lanes_next (WpPerfLanes *self, WpPerfEntry *entry)
{
  WpPerfLane *first = self->merge.data;

  if (self->merge.len == 0)
    return FALSE;
  *entry = *lane_top (first);
  if (++first->next == first->entries.len)
    *first = self->merge.data[--self->merge.len];
  sift_down (first, self->merge.len, 0);
  return TRUE;
}
