/* One thread unwinds in the order of time, which the address spaces need; the other writes in the order of the file and
 * waits where the first has not come so far. */
#include "read/perf/condense.h"

#include "base/search.h"
#include "base/sort.h"
#include "read/perf/perf-expand.h"
#include "read/perf/perf-parts.h"
#include "read/perf/perf-unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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
  WpCondenseStats stats;
  WP_ARRAY (ChainSlot) slots; /* one for each sample with stack bytes, in the order of the file */
  guint32 next_slot;     /* of the writer */
  Chunk *chunks;         /* of the unwinder */
  GMutex lock;
  GCond unwound;
  gint stop;
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
  while (!g_atomic_int_get (&self->stop) && wp_perf_queues_next (&self->queues, &entry))
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
  if (!(attr.sample_type & PERF_SAMPLE_STACK_USER))
    return;
  attr.sample_type = (attr.sample_type & ~USER_STATE) | PERF_SAMPLE_CALLCHAIN;
  attr.exclude_callchain_user = 0;
  attr.sample_regs_user = 0;
  attr.sample_stack_user = 0;
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

  if (attr != NULL && !wp_perf_has_stacks (attr))
    return write_bytes (self, header, header->size, error);
  if (!understood || !wp_perf_sample (attr, header, &sample))
    return TRUE;
  chain = wait_for_chain (self, offset, error);
  if (chain == NULL)
    return FALSE;
  if (chain[0] > 0)
    return write_parts (self, header, &sample, chain + 1, chain[0], error);
  as_recorded = g_memdup2 (sample.chain, 8 * sample.n_chain);
  return write_parts (self, header, &sample, as_recorded, sample.n_chain, error);
}

static gboolean
write_record (Condenser *self, const WpPerfRecord *header, guint64 offset, guint64 trailing, GError **error)
{
  switch (header->type)
    {
    case PERF_RECORD_SAMPLE:
      return write_sample (self, header, offset, error);
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
  gboolean done = write_bytes (self, "PERFILE2\x10\0\0\0\0\0\0", 16, error);

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
condense_open (Condenser *self, GError **error)
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
  return close_output (self, unwind_and_write (self, error), error);
}

static gboolean
is_stream (const WpReader *reader)
{
  return reader->size >= 16 && memcmp (reader->data, "PERFILE2", 8) == 0 && wp_read_u64 (reader->data + 8) == 16;
}

static gboolean
read_and_condense (Condenser *self, GError **error)
{
  gboolean done;

  if (!is_stream (&self->reader))
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
  wp_perf_queues_clear (&self->queues);
  wp_perf_file_clear (&self->file);
  wp_trace_free (self->reader.trace);
  return done;
}

static void
clear (Condenser *self)
{
  wp_array_clear (&self->slots);
  while (self->chunks != NULL)
    {
      Chunk *chunk = self->chunks;

      self->chunks = chunk->before;
      g_free (chunk);
    }
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
