#include "read/perf/perf-queues.h"

#include "base/sort.h"
#include "read/perf/perf-expand.h"
#include "read/perf/perf-parts.h"

#define RECORDS_PER_STEP 4096
#define LOOSE_MAX 256
#define CACHE_LINE 64
#define PREFETCH_AHEAD 2048 /* bytes */
#define PREFETCH_MOST 512   /* of a record: of one with stack bytes only the beginning is looked at */
#define REPAIR_MAX 64 /* a record that comes late by more is left to sorting its queue */
/* No recording is longer than this (13 days): times farther from its middle are damaged. */
#define REACH_NS (G_GINT64_CONSTANT (1) << 50)

/* --- queues -------------------------------------------------------------------------------------------------------- */

static guint32
add_queue (WpPerfQueues *self, guint32 cpu)
{
  wp_array_push (&self->queues, ((WpPerfQueue) { .cpu = cpu }));
  return self->queues.len - 1;
}

static WpPerfQueue *
queue_of_cpu (WpPerfQueues *self, guint32 cpu)
{
  if (self->of_cpu.len <= cpu)
    wp_array_resize (&self->of_cpu, cpu + 1);
  if (self->of_cpu.data[cpu] == 0)
    self->of_cpu.data[cpu] = add_queue (self, cpu) + 1;
  return &self->queues.data[self->of_cpu.data[cpu] - 1];
}

static gboolean
may_follow (const WpPerfQueues *self, guint32 at, gint64 time)
{
  const WpPerfQueue *queue = &self->queues.data[self->loose.data[at]];

  return queue->entries.len == 0 || queue->entries.data[queue->entries.len - 1].time <= time;
}

/* The queue used last, as long as it stays in order; then another one that does. Several CPUs stand in the file in turns, so that there are
 * about as many queues as CPUs. */
static WpPerfQueue *
loose_queue (WpPerfQueues *self, gint64 time)
{
  guint32 n = self->loose.len, at = n;
  WpId row;

  while (at > 0 && !may_follow (self, at - 1, time))
    at--;
  if (at == 0 && n < LOOSE_MAX)
    {
      wp_array_push (&self->loose, add_queue (self, G_MAXUINT32));
      at = ++n;
    }
  at = MAX (at, 1);
  row = self->loose.data[at - 1];
  if (at < n)
    memmove (&self->loose.data[at - 1], &self->loose.data[at], (n - at) * sizeof row);
  self->loose.data[n - 1] = row;
  return &self->queues.data[row];
}

static void
add_entry (WpPerfQueues *self, guint32 cpu, WpPerfEntry entry)
{
  WpPerfQueue *queue = cpu != G_MAXUINT32 ? queue_of_cpu (self, cpu) : loose_queue (self, entry.time);
  guint32 at;

  wp_array_push (&queue->entries, entry);
  self->n_entries++;
  at = queue->entries.len - 1;
  if (at == 0 || queue->entries.data[at - 1].time <= entry.time)
    return;
  for (guint moved = 0; at > 0 && queue->entries.data[at - 1].time > entry.time; at--, moved++)
    {
      if (moved == REPAIR_MAX)
        {
          queue->unsorted = TRUE;
          break;
        }
      queue->entries.data[at] = queue->entries.data[at - 1];
    }
  queue->entries.data[at] = entry;
}

WP_DEFINE_COMPARE_2 (compare_entries, WpPerfEntry, time, offset)
WP_DEFINE_COMPARE_2 (compare_pauses, WpPerfPause, start, end)
WP_DEFINE_COMPARE_2 (compare_rates, WpPerfRate, time, rate)

/* --- walking the file --------------------------------------------------------------------------------------------- */

static void
on_kernel_record (WpPerfQueues *self, WpPerfFile *file, const WpPerfRecord *header, guint64 offset)
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
    add_entry (self, where.cpu, (WpPerfEntry){ .time = where.time, .offset = offset, .attr = attr - file->attrs.data });
}

/* The walk looks at the beginning of each record, faster than what comes next is brought from memory by itself. */
static inline void
prefetch (const WpPerfRecord *header)
{
  for (guint at = 0; at < MIN (header->size, PREFETCH_MOST); at += CACHE_LINE)
    __builtin_prefetch ((const guint8 *) header + PREFETCH_AHEAD + at);
}

/* Returns where the next record begins, or G_MAXUINT64 when the file ends within this one. */
static guint64
on_record (WpPerfQueues *self, WpPerfFile *file, guint64 offset)
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
  prefetch (header);
  if (header->type >= WP_PERF_RECORD_USER_FIRST)
    more = wp_perf_file_describe (file, header);
  else
    on_kernel_record (self, file, header, offset);
  return more == G_MAXUINT64 ? more : offset + header->size + more;
}

/* The time in the middle of the longest queue, which a few damaged ones cannot move far. */
static gint64
middle_time (const WpPerfQueues *self)
{
  const WpPerfQueue *longest = NULL;

  for (guint32 i = 0; i < self->queues.len; i++)
    if (longest == NULL || self->queues.data[i].entries.len > longest->entries.len)
      longest = &self->queues.data[i];
  return longest != NULL && longest->entries.len > 0 ? longest->entries.data[longest->entries.len / 2].time : 0;
}

/* A pause may be told in pieces, and again in a longer one. */
static void
join_pauses (WpPerfFile *file)
{
  guint32 n = 0;

  wp_array_sort (&file->pauses, compare_pauses);
  for (guint32 i = 0; i < file->pauses.len; i++)
    {
      const WpPerfPause pause = file->pauses.data[i];
      WpPerfPause *last = n > 0 ? &file->pauses.data[n - 1] : NULL;

      if (last != NULL && pause.start <= last->end)
        last->end = MAX (last->end, pause.end);
      else
        file->pauses.data[n++] = pause;
    }
  file->pauses.len = n;
}

static void
drop_impossible_pauses (WpPerfFile *file, gint64 middle)
{
  guint32 n = 0;

  for (guint32 i = 0; i < file->pauses.len; i++)
    if (ABS (file->pauses.data[i].end - middle) > REACH_NS)
      wp_perf_file_damaged (file);
    else
      file->pauses.data[n++] = file->pauses.data[i];
  file->pauses.len = n;
}

static void
drop_impossible_times (WpPerfQueues *self, WpPerfFile *file)
{
  gint64 middle = middle_time (self);

  if (self->n_entries > 0)
    drop_impossible_pauses (file, middle);

  for (guint32 i = 0; i < self->queues.len; i++)
    {
      WpPerfQueue *queue = &self->queues.data[i];
      guint32 n = queue->entries.len;

      while (queue->entries.len > 0 && queue->entries.data[queue->entries.len - 1].time - middle > REACH_NS)
        queue->entries.len--;
      while (queue->next < queue->entries.len && middle - queue->entries.data[queue->next].time > REACH_NS)
        queue->next++;
      for (guint32 dropped = n - queue->entries.len + queue->next; dropped > 0; dropped--)
        wp_perf_file_damaged (file);
      if (queue->next == queue->entries.len)
        queue->entries.len = queue->next = 0;
    }
}

gboolean
wp_perf_queues_index (WpPerfQueues *self, WpPerfFile *file, GError **error)
{
  const WpReader *reader = file->reader;
  guint64 offset = file->data_start, length = MAX (file->data_end - file->data_start, 1);
  const guint64 end = MIN (file->data_end, G_GUINT64_CONSTANT (1) << WP_PERF_OFFSET_BITS);

  for (guint count = 0; offset < end; count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (reader->progress, 0.25 * (offset - file->data_start) / length, error))
        return FALSE;
      offset = on_record (self, file, offset);
    }
  if (offset == G_MAXUINT64 || offset < file->data_end)
    reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
  for (guint32 i = 0; i < self->queues.len; i++)
    if (self->queues.data[i].unsorted)
      wp_array_sort (&self->queues.data[i].entries, compare_entries);
  wp_perf_file_take_kernel_symbols (file);
  wp_array_sort (&file->rates, compare_rates);
  drop_impossible_times (self, file);
  join_pauses (file);
  return TRUE;
}

gboolean
wp_perf_queues_open (WpPerfQueues *self, WpPerfFile *file, GError **error)
{
  return wp_perf_file_open (file, error) && wp_perf_expand (file, error) && wp_perf_queues_index (self, file, error);
}

void
wp_perf_queues_clear (WpPerfQueues *self)
{
  for (guint32 i = 0; i < self->queues.len; i++)
    wp_array_clear (&self->queues.data[i].entries);
  wp_array_clear (&self->queues);
  wp_array_clear (&self->of_cpu);
  wp_array_clear (&self->loose);
  wp_array_clear (&self->merge);
  wp_array_clear (&self->early);
}

/* --- merging ------------------------------------------------------------------------------------------------------ */

static inline const WpPerfEntry *
lane_top (const WpPerfQueue *queue)
{
  return &queue->entries.data[queue->next];
}

static void
sift_down (WpPerfQueue *queues, guint32 n, guint32 at)
{
  for (;;)
    {
      guint32 child = 2 * at + 1;
      WpPerfQueue queue;

      if (child >= n)
        return;
      if (child + 1 < n && compare_entries (lane_top (&queues[child + 1]), lane_top (&queues[child])) < 0)
        child++;
      if (compare_entries (lane_top (&queues[at]), lane_top (&queues[child])) <= 0)
        return;
      queue = queues[at];
      queues[at] = queues[child];
      queues[child] = queue;
      at = child;
    }
}

/* How far the first queue goes before it is another one's turn. */
static void
find_limit (WpPerfQueues *self)
{
  static const WpPerfEntry none = { .time = G_MAXINT64 };
  const WpPerfQueue *queues = self->merge.data;

  self->limit = self->merge.len > 1 ? *lane_top (&queues[1]) : none;
  if (self->merge.len > 2 && compare_entries (lane_top (&queues[2]), &self->limit) < 0)
    self->limit = *lane_top (&queues[2]);
}

void
wp_perf_queues_begin (WpPerfQueues *self)
{
  wp_array_resize (&self->merge, 0);
  for (guint32 i = 0; i < self->queues.len; i++)
    if (self->queues.data[i].next < self->queues.data[i].entries.len)
      wp_array_push (&self->merge, self->queues.data[i]);
  for (guint32 i = self->merge.len / 2; i-- > 0;)
    sift_down (self->merge.data, self->merge.len, i);
  find_limit (self);
}

static void
change_queue (WpPerfQueues *self)
{
  WpPerfQueue *first = self->merge.data;

  if (first->next == first->entries.len)
    *first = self->merge.data[--self->merge.len];
  sift_down (first, self->merge.len, 0);
  find_limit (self);
}

gboolean
wp_perf_queues_next (WpPerfQueues *self, WpPerfEntry *entry, guint32 *cpu)
{
  WpPerfQueue *first = self->merge.data;

  if (self->merge.len == 0)
    return FALSE;
  *entry = *lane_top (first);
  if (cpu != NULL)
    *cpu = first->cpu;
  if (++first->next == first->entries.len || compare_entries (lane_top (first), &self->limit) > 0)
    change_queue (self);
  return TRUE;
}

/* Of each queue the next one: a CPU's records stand in the file in their order, but for the few that were moved. */
guint64
wp_perf_queues_lowest (const WpPerfQueues *self)
{
  guint64 lowest = G_MAXUINT64;

  for (guint32 i = 0; i < self->merge.len; i++)
    lowest = MIN (lowest, (guint64) lane_top (&self->merge.data[i])->offset);
  return lowest;
}
