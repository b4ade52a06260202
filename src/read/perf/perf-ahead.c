/* Batches of records go round between who fills and who empties them, so that both have work. */
#include "read/perf/perf-ahead.h"

#include "base/pair-map.h"
#include "read/perf/perf-deferred.h"

#include <sys/mman.h>
#include <unistd.h>

#define BATCH_RECORDS 1024
#define BATCHES 4
#define NEAR 2 /* records */
#define FAR 6
#define LINES 4 /* of the cache: most records are not longer */
#define PASSED_STEP ((guint64) 4 << 20) /* bytes */

typedef struct
{
  WpPerfReady ready[BATCH_RECORDS];
  guint n; /* 0: there are no more */
  WP_ARRAY (guint64) addresses; /* of what was unwound */
} Batch;

struct WpPerfAhead
{
  const WpPerfFile *file;
  WpPerfQueues *queues;
  WpPerfUnwind *unwind;     /* NULL: no event has stack bytes */
  WpPerfDeferred *deferred; /* NULL: no event's chain comes in two parts */
  WpChainMemory *memory;
  WpPairMap spaces;   /* pid, 0 → the number of its address space + 1; 1: it has none */
  guint32 last_space; /* given out */
  guint64 passed;  /* up to here the file's pages were given back */
  guint64 *chain;  /* room for one that is unwound */
  GThread *thread; /* NULL: batches are filled when they are wanted */
  GAsyncQueue *empty, *full;
  gint stop; /* atomic */
  Batch *batches[BATCHES];
  Batch *current;
  guint taken; /* of the current batch */
  gboolean ended;
};

/* --- address spaces ----------------------------------------------------------------------------------------------- */

static guint32
space_of (const WpPerfAhead *self, gint32 pid)
{
  guint32 known = wp_pair_map_get (&self->spaces, (guint32) pid, 0);

  return known != 0 ? known - 1 : 0;
}

static void
set_space (WpPerfAhead *self, gint32 pid, guint32 space)
{
  *wp_pair_map_at (&self->spaces, (guint32) pid, 0) = space + 1;
}

/* Mappings of data count, too, and damaged ones: that only makes more numbers than there are spaces. */
static void
on_mapping (WpPerfAhead *self, const WpPerfRecord *header)
{
  guint32 pid;

  if (header->size < sizeof *header + sizeof pid)
    return;
  memcpy (&pid, header + 1, sizeof pid);
  set_space (self, (gint32) pid, ++self->last_space);
}

static void
on_task (WpPerfAhead *self, const WpPerfRecord *header)
{
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    return;
  if (header->type == PERF_RECORD_FORK)
    set_space (self, task.pid, space_of (self, task.parent)); /* of a thread it is its own */
  else if (task.exec || (header->type == PERF_RECORD_EXIT && task.pid == task.tid))
    set_space (self, task.pid, 0);
}

static void
on_other (WpPerfAhead *self, const WpPerfRecord *header)
{
  if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    on_mapping (self, header);
  else
    on_task (self, header);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* Whose an address is, the record says. The address itself does on machines of 64 bits alone: on others the kernel's have no highest bit. */
static void
take_place (const WpPerfRecord *header, const guint8 *address, WpCallChain *chain)
{
  const WpChainPart place = { .addresses = address, .n = 1 };

  switch (header->misc & PERF_RECORD_MISC_CPUMODE_MASK)
    {
    case PERF_RECORD_MISC_KERNEL:
      chain->kernel = place;
      break;
    case PERF_RECORD_MISC_USER:
      chain->user = place;
      break;
    default:
      wp_call_chain_split (address, 1, chain);
      break;
    }
}

/* An event without a call chain still has the address where it happened. */
static void
find_chain (const WpPerfAhead *self, const WpPerfAttr *attr, const WpPerfRecord *header, const WpPerfSample *sample, WpPerfReady *ready)
{
  const guint64 type = attr->attr.sample_type;

  if (wp_perf_deferred_split (self->deferred, attr, ready->tid, ready->entry.time, sample, &ready->chain))
    return;
  if (sample->n_chain > 0)
    wp_call_chain_split (sample->chain, sample->n_chain, &ready->chain);
  else if ((type & PERF_SAMPLE_IP) && !(type & PERF_SAMPLE_CALLCHAIN))
    {
      take_place (header, (const guint8 *) (header + 1) + (type & PERF_SAMPLE_IDENTIFIER ? 8 : 0), &ready->chain);
      ready->only_place = TRUE;
    }
}

static void
on_sample (WpPerfAhead *self, const WpPerfRecord *header, WpPerfReady *ready)
{
  const WpPerfAttr *attr = &self->file->attrs.data[ready->entry.attr];
  WpPerfSample sample;

  ready->whole = wp_perf_sample (attr, header, &sample);
  if (!ready->whole)
    return;
  ready->raw = sample.raw;
  ready->n_raw = sample.n_raw;
  if (ready->n_unwound > 0)
    return;
  find_chain (self, attr, header, &sample, ready);
  wp_chain_memory_recognize (self->memory, ready->chain.user.n > 0 ? space_of (self, ready->pid) : 0, &ready->chain);
}

static void
unwind (WpPerfAhead *self, Batch *batch, WpPerfReady *ready)
{
  WpUnwindEnd end;
  gsize n = wp_perf_unwind_record (self->unwind, &ready->entry, self->chain, &end);

  ready->end = end;
  ready->n_unwound = (guint32) n;
  if (n == 0)
    return;
  wp_array_reserve (&batch->addresses, batch->addresses.len + n);
  memcpy (batch->addresses.data + batch->addresses.len, self->chain, n * sizeof *self->chain);
  batch->addresses.len += n;
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

/* Most of the file is behind: its pages are read again if somebody wants them. So what is made of it takes their place. */
static void
give_back (WpPerfAhead *self)
{
  guint64 lowest = wp_perf_queues_lowest (self->queues);

  if (lowest == G_MAXUINT64 || lowest < self->passed + 2 * PASSED_STEP)
    return;
  madvise ((void *) (self->file->reader->data + self->passed), PASSED_STEP, MADV_DONTNEED);
  self->passed += PASSED_STEP;
}

static void
look_at (WpPerfAhead *self, Batch *batch, guint i)
{
  WpPerfReady *ready = &batch->ready[i];
  const WpPerfRecord *header = wp_perf_file_record (self->file, ready->entry.offset);

  wp_perf_who (&self->file->attrs.data[ready->entry.attr], header, &ready->pid, &ready->tid);
  if (self->unwind != NULL)
    unwind (self, batch, ready);
  if (header->type == PERF_RECORD_SAMPLE)
    on_sample (self, header, ready);
  else
    on_other (self, header);
}

/* What comes a little later is on its way from memory meanwhile. */
static void
prefetch (const WpPerfAhead *self, const Batch *batch, guint i)
{
  const guint8 *record = self->file->reader->data + batch->ready[MIN (i + FAR, batch->n - 1)].entry.offset;

  if (self->unwind != NULL)
    wp_perf_unwind_ahead (self->unwind, &batch->ready[MIN (i + NEAR, batch->n - 1)].entry, &batch->ready[MIN (i + FAR, batch->n - 1)].entry);
  else
    for (guint line = 0; line < LINES; line++)
      __builtin_prefetch (record + 64 * line);
}

static void
fill (WpPerfAhead *self, Batch *batch)
{
  WpPerfEntry entry;
  guint32 cpu;

  batch->addresses.len = 0;
  for (batch->n = 0; batch->n < BATCH_RECORDS && wp_perf_queues_next (self->queues, &entry, &cpu); batch->n++)
    batch->ready[batch->n] = (WpPerfReady){ .entry = entry, .cpu = cpu };
  for (guint i = 0; i < batch->n; i++)
    {
      prefetch (self, batch, i);
      look_at (self, batch, i);
    }
  for (guint i = 0, at = 0; i < batch->n && self->unwind != NULL; at += batch->ready[i++].n_unwound)
    batch->ready[i].unwound = batch->addresses.data + at;
  give_back (self);
}

static gpointer
run (gpointer data)
{
  WpPerfAhead *self = data;
  guint n = 1;

  while (n > 0)
    {
      Batch *batch = g_async_queue_pop (self->empty);

      if (g_atomic_int_get (&self->stop))
        break;
      fill (self, batch);
      n = batch->n;
      g_async_queue_push (self->full, batch);
    }
  return NULL;
}

static gboolean
next_batch (WpPerfAhead *self)
{
  if (self->thread == NULL)
    fill (self, self->current);
  else
    {
      if (self->current != NULL)
        g_async_queue_push (self->empty, self->current);
      self->current = g_async_queue_pop (self->full);
    }
  self->taken = 0;
  self->ended = self->current->n == 0;
  return !self->ended;
}

const WpPerfReady *
wp_perf_ahead_next (WpPerfAhead *self)
{
  if (self->ended || ((self->current == NULL || self->taken == self->current->n) && !next_batch (self)))
    return NULL;
  return &self->current->ready[self->taken++];
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

/* What is short is over before a thread has begun. */
static gboolean
wants_thread (const WpPerfQueues *queues, guint threads)
{
  return threads > 0 ? threads > 1 : g_get_num_processors () > 1 && queues->n_entries > BATCHES * BATCH_RECORDS;
}

WpPerfAhead *
wp_perf_ahead_new (const WpPerfFile *file, WpPerfQueues *queues, guint threads)
{
  WpPerfAhead *self = g_new0 (WpPerfAhead, 1);
  gboolean apart = wants_thread (queues, threads);

  self->file = file;
  self->queues = queues;
  self->unwind = wp_perf_unwind_new (file, queues);
  self->deferred = wp_perf_deferred_new (file, queues);
  self->memory = wp_chain_memory_new ();
  if (self->unwind != NULL)
    self->chain = g_new (guint64, WP_PERF_CHAIN_MAX);
  self->passed = (file->data_start + sysconf (_SC_PAGESIZE) - 1) / sysconf (_SC_PAGESIZE) * sysconf (_SC_PAGESIZE);
  for (guint32 i = 0; i < queues->early.len; i++)
    if (queues->early.data[i]->type == PERF_RECORD_MMAP || queues->early.data[i]->type == PERF_RECORD_MMAP2)
      on_mapping (self, queues->early.data[i]);
  wp_perf_queues_begin (queues);
  for (guint i = 0; i < (apart ? BATCHES : 1); i++)
    self->batches[i] = g_new0 (Batch, 1);
  if (!apart)
    {
      self->current = self->batches[0];
      return self;
    }
  self->empty = g_async_queue_new ();
  self->full = g_async_queue_new ();
  for (guint i = 0; i < BATCHES; i++)
    g_async_queue_push (self->empty, self->batches[i]);
  self->thread = g_thread_new ("ahead", run, self);
  return self;
}

/* It may be in the middle of a batch, or wait for an empty one. */
static void
end_thread (WpPerfAhead *self)
{
  g_atomic_int_set (&self->stop, 1);
  for (guint i = 0; i < BATCHES; i++)
    g_async_queue_push (self->empty, self->batches[i]);
  g_thread_join (self->thread);
  g_async_queue_unref (self->empty);
  g_async_queue_unref (self->full);
}

void
wp_perf_ahead_free (WpPerfAhead *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    end_thread (self);
  for (guint i = 0; i < BATCHES && self->batches[i] != NULL; i++)
    {
      wp_array_clear (&self->batches[i]->addresses);
      g_free (self->batches[i]);
    }
  g_free (self->chain);
  wp_pair_map_clear (&self->spaces);
  wp_chain_memory_free (self->memory);
  wp_perf_unwind_free (self->unwind);
  wp_perf_deferred_free (self->deferred);
  g_free (self);
}
