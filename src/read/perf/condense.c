/* One thread unwinds in the order of time, which the address spaces need; the other writes in the order of the file and
 * waits where the first has not come so far. */
#include "read/perf/condense.h"

#include "base/hash.h"
#include "base/mapped.h"
#include "base/search.h"
#include "base/sort.h"
#include "read/perf/perf-decode.h"
#include "read/perf/perf-deferred.h"
#include "read/perf/perf-expand.h"
#include "read/perf/perf-parts.h"
#include "read/perf/perf-unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define STREAM_HEADER 16
#define RECORDS_PER_STEP 256
#define CHUNK_WORDS 65536
#define OUTPUT_BUFFER (1 << 20)
#define WAIT_US 20000
#define ENTRIES_PER_SIGNAL 64
#define USER_STATE ((guint64) (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER))

/* Call chains, each behind its length; they stay where they are. */
typedef struct Chunk Chunk;
struct Chunk
{
  Chunk *before;
  gsize used;
  guint64 words[CHUNK_WORDS];
};

typedef struct
{
  guint64 offset;       /* of the sample's record */
  const guint64 *chain; /* NULL: not unwound yet */
} ChainSlot;

typedef struct
{
  WpReader reader;
  WpPerfFile file;
  WpPerfQueues queues;
  WpPerfUnwind *unwind; /* NULL: no stacks are to be unwound */
  WpPerfDeferred *deferred; /* NULL: no stacks come in two parts */
  WpCondenseStats stats;
  WP_ARRAY (ChainSlot) slots; /* one for each sample with stack bytes, in the order of the file */
  guint32 next_slot;     /* of the writer */
  Chunk *chunks;         /* of the unwinder */
  GMutex lock;
  GCond unwound;
  gint stop;
  WP_ARRAY (guint64) left_out; /* offsets of samples, in order */
  guint32 next_left_out;       /* of the writer */
  FILE *out;
  const char *to;
  int fd; /* of it */
} Condenser;

/* --- unwinding ---------------------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE (compare_slots, ChainSlot, offset)

static const guint64 *
keep_chain (Condenser *self, const guint64 *chain, gsize n)
{
  guint64 *words;

  if (self->chunks == NULL || CHUNK_WORDS - self->chunks->used < n + 1)
    {
      Chunk *chunk = g_malloc (sizeof *chunk);

      chunk->before = self->chunks;
      chunk->used = 0;
      self->chunks = chunk;
    }
  words = self->chunks->words + self->chunks->used;
  self->chunks->used += n + 1;
  words[0] = n;
  if (n > 0)
    memcpy (words + 1, chain, n * sizeof *chain);
  return words;
}

static void
hand_over (Condenser *self, guint64 offset, const guint64 *chain, gsize n)
{
  const guint32 row = WP_SEARCH (0, self->slots.len, i, self->slots.data[i].offset < offset);

  if (row < self->slots.len && self->slots.data[row].offset == offset)
    g_atomic_pointer_set (&self->slots.data[row].chain, keep_chain (self, chain, n));
}

static void
tell_writer (Condenser *self)
{
  g_mutex_lock (&self->lock);
  g_cond_signal (&self->unwound);
  g_mutex_unlock (&self->lock);
}

static void
count (WpCondenseStats *stats, WpUnwindEnd end)
{
  stats->stacks += end != WP_UNWIND_NONE;
  stats->whole += end == WP_UNWIND_WHOLE;
  stats->completed += end == WP_UNWIND_COMPLETED;
}

static gpointer
unwind_all (gpointer data)
{
  Condenser *self = data;
  g_autofree guint64 *chain = g_new (guint64, WP_PERF_CHAIN_MAX);
  WpPerfEntry entry;
  guint since = 0;

  wp_perf_queues_begin (&self->queues);
  while (!g_atomic_int_get (&self->stop) && wp_perf_queues_next (&self->queues, &entry, NULL))
    {
      const WpPerfRecord *header = wp_perf_file_record (&self->file, entry.offset);
      WpUnwindEnd end;
      gsize n = wp_perf_unwind_record (self->unwind, &entry, chain, &end);

      if (header->type != PERF_RECORD_SAMPLE)
        continue;
      count (&self->stats, end);
      hand_over (self, entry.offset, chain, n);
      if (++since % ENTRIES_PER_SIGNAL == 0)
        tell_writer (self);
    }
  for (guint32 i = 0; i < self->slots.len; i++) /* whatever has none by now keeps the chain it has */
    if (g_atomic_pointer_get (&self->slots.data[i].chain) == NULL)
      g_atomic_pointer_set (&self->slots.data[i].chain, keep_chain (self, NULL, 0));
  tell_writer (self);
  return NULL;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static gboolean
write_bytes (Condenser *self, const void *data, gsize n, GError **error)
{
  int code;

  if (n == 0 || fwrite (data, n, 1, self->out) == 1)
    {
      self->stats.bytes_out += n;
      return TRUE;
    }
  code = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be written: %s", self->to,
               g_strerror (code));
  return FALSE;
}

static void
rewrite_attr (guint8 *data, gsize size)
{
  struct perf_event_attr attr = { 0 };
  gsize n = MIN (size, sizeof attr);

  memcpy (&attr, data, n);
  wp_perf_attr_whole (&attr);
  if (attr.sample_type & PERF_SAMPLE_STACK_USER)
    {
      attr.sample_type = (attr.sample_type & ~USER_STATE) | PERF_SAMPLE_CALLCHAIN;
      attr.exclude_callchain_user = 0;
      attr.sample_regs_user = 0;
      attr.sample_stack_user = 0;
    }
  memcpy (data, &attr, n);
}

static gboolean
write_attr (Condenser *self, const WpPerfRecord *header, GError **error)
{
  g_autofree guint8 *copy = g_memdup2 (header, header->size);
  guint32 size = header->size >= 16 ? wp_read_u32 (copy + 12) : 0;

  if (size >= PERF_ATTR_SIZE_VER0 && size <= header->size - sizeof *header)
    rewrite_attr (copy + sizeof *header, size);
  return write_bytes (self, copy, header->size, error);
}

/* The attributes stand once more where the events get their names: their number and size, then each with its ids and its
 * name. */
static void
rewrite_descriptions (guint8 *data, gsize size)
{
  guint32 n = wp_read_u32 (data), attr_size = wp_read_u32 (data + 4);

  data += 8;
  size -= 8;
  for (guint32 i = 0; i < n && attr_size >= PERF_ATTR_SIZE_VER0 && size >= 8 && attr_size <= size - 8; i++)
    {
      guint64 ids = 8 * (guint64) wp_read_u32 (data + attr_size), name = wp_read_u32 (data + attr_size + 4);

      rewrite_attr (data, attr_size);
      data += attr_size + 8;
      size -= attr_size + 8;
      if (ids + name > size)
        return;
      data += ids + name;
      size -= ids + name;
    }
}

static gboolean
write_feature (Condenser *self, const WpPerfRecord *header, GError **error)
{
  g_autofree guint8 *copy = g_memdup2 (header, header->size);

  if (header->size >= 24 && wp_read_u64 (copy + 8) == WP_PERF_FEATURE_EVENT_DESC)
    rewrite_descriptions (copy + 16, header->size - 16);
  return write_bytes (self, copy, header->size, error);
}

/* What the unwinder has made of this sample; NULL and an error when the user does not want to know any more. */
static const guint64 *
wait_for_chain (Condenser *self, guint64 offset, GError **error)
{
  static const guint64 nothing = 0;
  gboolean wanted = TRUE;
  ChainSlot *slot;

  while (self->next_slot < self->slots.len && self->slots.data[self->next_slot].offset < offset)
    self->next_slot++;
  slot = self->next_slot < self->slots.len ? &self->slots.data[self->next_slot] : NULL;
  if (slot == NULL || slot->offset != offset)
    return &nothing;
  g_mutex_lock (&self->lock);
  while (wanted && g_atomic_pointer_get (&slot->chain) == NULL)
    {
      g_cond_wait_until (&self->unwound, &self->lock, g_get_monotonic_time () + WAIT_US);
      wanted = wp_progress_step (self->reader.progress, 0.25, error);
    }
  g_mutex_unlock (&self->lock);
  return wanted ? slot->chain : NULL;
}

/* Head, call chain, raw data, and what comes behind registers and stack bytes. */
static gboolean
write_parts (Condenser *self, const WpPerfRecord *header, const WpPerfSample *sample, const guint64 *chain, guint64 n,
             GError **error)
{
  const guint8 *record = (const guint8 *) header, *end = record + header->size;
  gsize others = (sample->chain_part - record) + (sample->user_part - sample->behind_chain)
                 + (end - sample->behind_user);
  WpPerfRecord head = *header;

  n = MIN (n, (G_MAXUINT16 - others) / 8 - 1);
  head.size = (guint16) (others + 8 + 8 * n);
  return write_bytes (self, &head, sizeof head, error)
         && write_bytes (self, header + 1, sample->chain_part - (const guint8 *) (header + 1), error)
         && write_bytes (self, &n, sizeof n, error) && write_bytes (self, chain, 8 * n, error)
         && write_bytes (self, sample->behind_chain, sample->user_part - sample->behind_chain, error)
         && write_bytes (self, sample->behind_user, end - sample->behind_user, error);
}

/* What nothing can be made of is left out where it may hold stack bytes. */
static gboolean
write_sample (Condenser *self, const WpPerfRecord *header, guint64 offset, GError **error)
{
  g_autofree guint64 *as_recorded = NULL;
  const guint64 *chain;
  WpPerfSample sample;
  WpPerfWhere where;
  const WpPerfAttr *attr;
  gboolean understood = wp_perf_file_where (&self->file, header, &where, &attr);

  if (attr != NULL && !wp_perf_has_stacks (attr) && !wp_perf_is_deferred (&attr->attr))
    return write_bytes (self, header, header->size, error);
  if (!understood || !wp_perf_sample (attr, header, &sample))
    return TRUE;
  wp_perf_deferred_join (self->deferred, attr, where.tid, where.time, &sample);
  chain = wait_for_chain (self, offset, error);
  if (chain == NULL)
    return FALSE;
  if (chain[0] > 0)
    return write_parts (self, header, &sample, chain + 1, chain[0], error);
  as_recorded = g_memdup2 (sample.chain, 8 * sample.n_chain);
  return write_parts (self, header, &sample, as_recorded, sample.n_chain, error);
}

/* The writer asks in the order of the file. */
static gboolean
is_left_out (Condenser *self, guint64 offset)
{
  while (self->next_left_out < self->left_out.len && self->left_out.data[self->next_left_out] < offset)
    self->next_left_out++;
  return self->next_left_out < self->left_out.len && self->left_out.data[self->next_left_out] == offset;
}

static gboolean
write_record (Condenser *self, const WpPerfRecord *header, guint64 offset, guint64 trailing, GError **error)
{
  switch (header->type)
    {
    case PERF_RECORD_SAMPLE:
      return write_sample (self, header, offset, error);
    case WP_PERF_RECORD_CALLCHAIN_DEFERRED:
      return TRUE; /* it is in the samples */
    case WP_PERF_RECORD_ATTR:
      return write_attr (self, header, error);
    case WP_PERF_RECORD_FEATURE:
      return write_feature (self, header, error);
    default:
      return write_bytes (self, header, header->size + trailing, error);
    }
}

static gboolean
write_all (Condenser *self, GError **error)
{
  const WpPerfFile *file = &self->file;
  guint64 offset = file->data_start;
  gboolean done = self->stats.bytes_out > 0 || write_bytes (self, "PERFILE2\x10\0\0\0\0\0\0", STREAM_HEADER, error);

  for (guint n = 0; done && offset < file->data_end; n++)
    {
      const WpPerfRecord *header = wp_perf_file_record (&self->file, offset);
      guint64 size, trailing;

      if (n % RECORDS_PER_STEP == 0
          && !wp_progress_step (self->reader.progress, 0.25 + 0.75 * offset / file->data_end, error))
        return FALSE;
      if (!wp_perf_file_plausible (file, offset))
        {
          offset = wp_perf_file_resynchronize (file, offset);
          continue;
        }
      trailing = wp_perf_trailing (header);
      size = header->size + trailing;
      if (size > file->data_end - offset)
        break;
      if (!is_left_out (self, offset))
        done = write_record (self, header, offset, trailing, error);
      offset += size;
    }
  return done;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void
collect_slots (Condenser *self)
{
  WpPerfWhere where;
  const WpPerfAttr *attr;

  for (guint32 i = 0; i < self->queues.queues.len; i++)
    for (guint32 k = 0; k < self->queues.queues.data[i].entries.len; k++)
      {
        guint64 offset = self->queues.queues.data[i].entries.data[k].offset;
        const WpPerfRecord *header = wp_perf_file_record (&self->file, offset);

        if (header->type == PERF_RECORD_SAMPLE && wp_perf_file_where (&self->file, header, &where, &attr)
            && wp_perf_has_stacks (attr))
          wp_array_push (&self->slots, ((ChainSlot){ .offset = offset }));
      }
  wp_array_sort (&self->slots, compare_slots);
}

static gboolean
unwind_and_write (Condenser *self, GError **error)
{
  GThread *thread;
  gboolean done;

  wp_progress_phase (self->reader.progress, "Unwinding stacks");
  if (!wp_perf_queues_index (&self->queues, &self->file, error))
    return FALSE;
  self->unwind = wp_perf_unwind_new (&self->file, &self->queues);
  self->deferred = wp_perf_deferred_new (&self->file, &self->queues);
  if (self->unwind == NULL)
    return write_all (self, error);
  collect_slots (self);
  thread = g_thread_new ("unwind", unwind_all, self);
  done = write_all (self, error);
  g_atomic_int_set (&self->stop, !done);
  g_thread_join (thread);
  return done;
}

static gboolean
close_output (Condenser *self, gboolean done, GError **error)
{
  if (fclose (self->out) != 0 && done)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be written: %s", self->to,
                   g_strerror (code));
      done = FALSE;
    }
  return done;
}

static gboolean
open_output (Condenser *self, GError **error)
{
  int fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);

  self->out = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (self->out == NULL)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be written: %s", self->to,
                   g_strerror (code));
      if (fd >= 0)
        close (fd);
      return FALSE;
    }
  setvbuf (self->out, NULL, _IOFBF, OUTPUT_BUFFER);
  return TRUE;
}

static gboolean
condense_open (Condenser *self, GError **error)
{
  return open_output (self, error) && close_output (self, unwind_and_write (self, error), error);
}

static gboolean
read_and_condense (Condenser *self, GError **error)
{
  gboolean done;

  if (!wp_perf_is_stream (&self->reader))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT,
                   "%s is no perf.data stream (its first 16 bytes say so); only streams can be condensed",
                   self->reader.path);
      return FALSE;
    }
  self->reader.trace = wp_trace_new ();
  wp_perf_file_init (&self->file, &self->reader);
  done = wp_perf_file_open (&self->file, error) && wp_perf_expand (&self->file, error) && condense_open (self, error);
  wp_perf_unwind_free (self->unwind);
  wp_perf_deferred_free (self->deferred);
  wp_perf_queues_clear (&self->queues);
  wp_perf_file_clear (&self->file);
  wp_trace_free (self->reader.trace);
  return done;
}

static void
clear_chains (Condenser *self)
{
  while (self->chunks != NULL)
    {
      Chunk *chunk = self->chunks;

      self->chunks = chunk->before;
      g_free (chunk);
    }
}

static void
clear (Condenser *self)
{
  wp_array_clear (&self->slots);
  wp_array_clear (&self->left_out);
  clear_chains (self);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->unwound);
}

gboolean
wp_condense_into (const char *from, int fd, const char *to, WpBuilds *builds, WpCondenseStats *stats, WpProgress *progress,
                  GError **error)
{
  const WpReadOptions options = { .builds = builds };
  Condenser self = { .reader = { .path = from, .options = &options, .progress = progress }, .to = to, .fd = fd };
  gboolean done;

  g_mutex_init (&self.lock);
  g_cond_init (&self.unwound);
  done = wp_reader_open (&self.reader, error);
  self.stats.bytes_in = self.reader.size;
  done = done && read_and_condense (&self, error);
  wp_reader_close (&self.reader);
  clear (&self);
  if (done && stats != NULL)
    *stats = self.stats;
  return done;
}

/* Attributes stand in front. */
gboolean
wp_condense_joins (const char *path)
{
  const WpReadOptions options = { 0 };
  WpReader reader = { .path = path, .options = &options };
  WpPerfFile file;
  gboolean joins = FALSE;

  if (!wp_reader_open (&reader, NULL))
    return FALSE;
  reader.trace = wp_trace_new ();
  wp_perf_file_init (&file, &reader);
  if (wp_perf_is_stream (&reader) && wp_perf_file_open (&file, NULL))
    for (guint64 at = file.data_start; at < file.data_end && wp_perf_file_plausible (&file, at)
                                       && wp_perf_file_record (&file, at)->type == WP_PERF_RECORD_ATTR; at += wp_perf_file_record (&file, at)->size)
      wp_perf_file_describe (&file, wp_perf_file_record (&file, at));
  for (guint32 i = 0; i < file.attrs.len; i++)
    joins = joins || wp_perf_is_deferred (&file.attrs.data[i].attr);
  wp_perf_file_clear (&file);
  wp_trace_free (reader.trace);
  wp_reader_close (&reader);
  return joins;
}

/* --- piece by piece ----------------------------------------------------------------------------------------------- */

/* Of one task. */
typedef struct
{
  gint64 time;
  guint64 offset;
} LastSwitch;

struct WpCondensing
{
  const WpReadOptions options;
  Condenser core;
  int from;
  gsize room;    /* bytes of addresses for the stream, so that it stays where it is; 0: it is not mapped yet */
  guint64 at;    /* so far it is condensed */
  gint64 apart;
  WP_ARRAY (gint64) taken; /* by CPU: the last CPU sample that was not left out */
  WpCondensingChoice choice;
  gint64 since; /* samples before are left out */
  WpPerfEventTypes *types; /* once records have come */
  GHashTable *last_switches; /* tid → LastSwitch, of those before `since` */
};

#if GLIB_SIZEOF_VOID_P == 8
#define STREAM_ROOM ((gsize) 1 << 37) /* twice the largest recording; a flight recorder writes on */
#else
#define STREAM_ROOM ((gsize) 1 << 30)
#endif

WpCondensing *
wp_condensing_new (int from, int to, gint64 apart)
{
  WpCondensing *self = g_new0 (WpCondensing, 1);

  self->from = from;
  self->apart = apart;
  self->core.reader.options = &self->options;
  self->core.reader.trace = wp_trace_new ();
  self->core.to = "the condensed recording";
  self->last_switches = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  self->core.fd = to;
  wp_perf_file_init (&self->core.file, &self->core.reader);
  g_mutex_init (&self->core.lock);
  g_cond_init (&self->core.unwound);
  return self;
}

void
wp_condensing_free (WpCondensing *self)
{
  if (self == NULL)
    return;
  wp_perf_unwind_free (self->core.unwind);
  wp_perf_deferred_free (self->core.deferred);
  wp_perf_queues_clear (&self->core.queues);
  g_clear_pointer (&self->types, wp_perf_event_types_free);
  g_hash_table_unref (self->last_switches);
  wp_perf_file_clear (&self->core.file);
  wp_trace_free (self->core.reader.trace);
  if (self->room > 0)
    munmap ((void *) self->core.reader.data, self->room);
  wp_array_clear (&self->taken);
  clear (&self->core);
  g_free (self);
}

/* Where it is mapped does not change, since what was learnt may point there. */
static gboolean
map_stream (WpCondensing *self, guint64 whole, GError **error)
{
  void *data;

  if (whole > STREAM_ROOM)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "what is recorded has grown beyond %u GiB, more than is looked at",
                   (guint) (STREAM_ROOM >> 30));
      return FALSE;
    }
  if (self->room > 0)
    return TRUE;
  data = mmap (NULL, STREAM_ROOM, PROT_READ, MAP_SHARED | MAP_NORESERVE, self->from, 0);
  if (data == MAP_FAILED)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "what is recorded cannot be read: %s", g_strerror (code));
      return FALSE;
    }
  wp_mapped_guard ();
  self->core.reader.data = data;
  self->room = STREAM_ROOM;
  return TRUE;
}

/* Where a record is to begin there are zeros: whoever keeps only the last part has given it back to the file system. */
static gboolean
check_kept (const WpCondensing *self, guint64 whole, GError **error)
{
  if (self->at == 0 || whole - self->at < sizeof (WpPerfRecord) || wp_read_u64 (self->core.reader.data + self->at) != 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "what is recorded was looked at too late: its next part is not kept any more");
  return FALSE;
}

/* Whether it is one of too many CPU samples. */
static gboolean
is_too_much (WpCondensing *self, guint64 offset)
{
  const WpPerfFile *file = &self->core.file;
  const WpPerfRecord *header = wp_perf_file_record (file, offset);
  const WpPerfAttr *attr;
  WpPerfWhere where;

  if (self->apart == 0 || header->type != PERF_RECORD_SAMPLE || !wp_perf_file_where (file, header, &where, &attr)
      || attr->attr.type == PERF_TYPE_TRACEPOINT || where.cpu == G_MAXUINT32)
    return FALSE;
  if (where.cpu >= self->taken.len)
    wp_array_resize (&self->taken, where.cpu + 1);
  if (where.time - self->taken.data[where.cpu] < self->apart)
    return TRUE;
  self->taken.data[where.cpu] = where.time;
  return FALSE;
}

static int
compare_offsets (const void *a, const void *b)
{
  const guint64 *x = a, *y = b;

  return WP_COMPARE (*x, *y);
}

static void
tell_forks (WpCondensing *self, const WpPerfQueue *queue)
{
  WpPerfTask task;

  for (guint32 i = 0; i < queue->entries.len; i++)
    {
      const WpPerfRecord *header = wp_perf_file_record (&self->core.file, queue->entries.data[i].offset);

      if (header->type == PERF_RECORD_FORK && wp_perf_task (header, &task) && task.pid != task.parent)
        self->choice.forked (task.parent, task.pid, self->choice.user_data);
    }
}

static gboolean
is_unwanted (WpCondensing *self, guint64 offset)
{
  const WpPerfRecord *header = wp_perf_file_record (&self->core.file, offset);
  const WpPerfAttr *attr;
  WpPerfWhere where;

  return self->choice.wanted != NULL && header->type == PERF_RECORD_SAMPLE
         && wp_perf_file_where (&self->core.file, header, &where, &attr) && wp_perf_has_stacks (attr)
         && !self->choice.wanted (where.pid, self->choice.user_data);
}

static gboolean
is_old (const WpCondensing *self, const WpPerfEntry *entry)
{
  return entry->time < self->since && wp_perf_file_record (&self->core.file, entry->offset)->type == PERF_RECORD_SAMPLE;
}

/* Whose switch it is; FALSE: it is none. */
static gboolean
is_switch (const WpCondensing *self, guint64 offset, WpEvent *event)
{
  const WpPerfRecord *header = wp_perf_file_record (&self->core.file, offset);
  const WpPerfEventType *type;
  const WpPerfAttr *attr;
  WpPerfSample sample;
  WpPerfWhere where;

  if (!wp_perf_file_where (&self->core.file, header, &where, &attr))
    return FALSE;
  type = wp_perf_switch_type (self->types, attr);
  return type != NULL && wp_perf_sample (attr, header, &sample) && wp_perf_decode_switch (type, sample.raw, sample.n_raw, event);
}

static void
note_last_switch (WpCondensing *self, gint32 tid, const WpPerfEntry *entry)
{
  LastSwitch *last = g_hash_table_lookup (self->last_switches, GINT_TO_POINTER (tid));

  if (last == NULL)
    g_hash_table_insert (self->last_switches, GINT_TO_POINTER (tid), last = g_new0 (LastSwitch, 1));
  if (entry->time >= last->time)
    *last = (LastSwitch) { entry->time, entry->offset };
}

static void
find_last_switches (WpCondensing *self)
{
  const WpPerfQueues *queues = &self->core.queues;
  WpEvent event;

  if (self->types == NULL)
    self->types = wp_perf_event_types_new (&self->core.file);
  g_hash_table_remove_all (self->last_switches);
  for (guint32 i = 0; i < queues->queues.len; i++)
    for (guint32 k = 0; k < queues->queues.data[i].entries.len; k++)
      {
        const WpPerfEntry *entry = &queues->queues.data[i].entries.data[k];

        if (!is_old (self, entry) || !is_switch (self, entry->offset, &event))
          continue;
        note_last_switch (self, event.sw.prev_tid, entry);
        note_last_switch (self, event.sw.next_tid, entry);
      }
}

static gboolean
is_last_switch_of (const WpCondensing *self, gint32 tid, guint64 offset)
{
  const LastSwitch *last = g_hash_table_lookup (self->last_switches, GINT_TO_POINTER (tid));

  return last != NULL && last->offset == offset;
}

static gboolean
is_last_switch (const WpCondensing *self, guint64 offset)
{
  WpEvent event;

  return is_switch (self, offset, &event)
         && (is_last_switch_of (self, event.sw.prev_tid, offset) || is_last_switch_of (self, event.sw.next_tid, offset));
}

static gboolean
is_too_old (const WpCondensing *self, const WpPerfEntry *entry)
{
  return is_old (self, entry) && !is_last_switch (self, entry->offset);
}

static gint64
last_time (const WpPerfQueues *queues)
{
  gint64 last = 0;

  for (guint32 i = 0; i < queues->queues.len; i++)
    if (queues->queues.data[i].entries.len > 0)
      last = MAX (last, queues->queues.data[i].entries.data[queues->queues.data[i].entries.len - 1].time);
  return last;
}

/* What is left out, or keeps the stack that it has, is not unwound. */
static void
choose_entries (WpCondensing *self, WpPerfQueue *queue)
{
  guint32 n = 0;

  for (guint32 i = 0; i < queue->entries.len; i++)
    if (is_too_old (self, &queue->entries.data[i]) || is_too_much (self, queue->entries.data[i].offset))
      wp_array_push (&self->core.left_out, queue->entries.data[i].offset);
    else if (!is_old (self, &queue->entries.data[i]) && !is_unwanted (self, queue->entries.data[i].offset))
      queue->entries.data[n++] = queue->entries.data[i];
  queue->entries.len = n;
}

static void
begin_piece (WpCondensing *self, guint64 whole)
{
  Condenser *core = &self->core;

  g_clear_pointer (&core->deferred, wp_perf_deferred_free);
  wp_perf_queues_clear (&core->queues);
  core->queues = (WpPerfQueues) { 0 };
  core->slots.len = core->next_slot = 0;
  core->left_out.len = core->next_left_out = 0;
  clear_chains (core);
  core->reader.size = whole;
  core->file.data_start = MAX (self->at, STREAM_HEADER);
  core->file.data_end = whole;
  core->file.pauses.len = 0;
}

static gboolean
condense_piece (WpCondensing *self, gint64 ns, GError **error)
{
  Condenser *core = &self->core;

  if (!wp_perf_queues_index (&core->queues, &core->file, error))
    return FALSE;
  self->since = last_time (&core->queues) - ns;
  for (guint32 i = 0; self->choice.forked != NULL && i < core->queues.queues.len; i++)
    tell_forks (self, &core->queues.queues.data[i]);
  find_last_switches (self);
  core->deferred = wp_perf_deferred_new (&core->file, &core->queues); /* those that come with the next piece are missed */
  for (guint32 i = 0; i < core->queues.queues.len; i++)
    choose_entries (self, &core->queues.queues.data[i]);
  wp_array_sort (&core->left_out, compare_offsets);
  if (core->unwind == NULL)
    core->unwind = wp_perf_unwind_new (&core->file, &core->queues);
  if (core->unwind != NULL)
    {
      collect_slots (core);
      unwind_all (core);
    }
  return write_all (core, error);
}

void
wp_condensing_choose (WpCondensing *self, const WpCondensingChoice *choice)
{
  self->choice = *choice;
}

gboolean
wp_condensing_go_on (WpCondensing *self, guint64 whole, gint64 ns, guint64 *written, WpProgress *progress, GError **error)
{
  Condenser *core = &self->core;
  gboolean done;

  *written = core->stats.bytes_out;
  if (whole <= self->at)
    return TRUE;
  if (!map_stream (self, whole, error) || !check_kept (self, whole, error) || !open_output (core, error))
    return FALSE;
  core->reader.progress = progress;
  begin_piece (self, whole);
  done = close_output (core, condense_piece (self, ns, error), error);
  madvise ((void *) core->reader.data, whole, MADV_DONTNEED); /* what was looked at is not counted as ours */
  self->at = whole;
  *written = core->stats.bytes_out;
  return done;
}
