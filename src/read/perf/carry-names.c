#include "read/perf/carry-names.h"

#include "read/perf/perf-queues.h"
#include "read/perf/perf-parts.h"
#include "trace/carried-names.h"

#define RECORDS_PER_STEP 8192

typedef struct
{
  WpPerfFile file;
  WpPerfQueues queues;
  WpSpaces *spaces;
  WpChainMemory *memory;
} Collection;

/* Of a chain the part that is the user's; the kernel's functions have their names. */
static void
on_sample (Collection *self, const WpPerfRecord *header)
{
  const WpPerfAttr *attr;
  WpPerfSample sample;
  WpPerfWhere where;
  WpCallChain chain;

  if (!wp_perf_file_where (&self->file, header, &where, &attr) || !wp_perf_sample (attr, header, &sample))
    return;
  wp_call_chain_split (sample.chain, sample.n_chain, &chain);
  chain.kernel.n = 0;
  wp_chain_memory_recognize (self->memory, wp_spaces_number (self->spaces, where.pid), &chain);
  wp_spaces_stack (self->spaces, where.pid, &chain);
}

static void
on_record (Collection *self, const WpPerfRecord *header)
{
  WpPerfMapping mapping;
  WpPerfTask task;

  if (header->type == PERF_RECORD_SAMPLE)
    on_sample (self, header);
  else if ((header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2) && wp_perf_mapping (&self->file, header, &mapping))
    wp_perf_map_space (&self->file, self->spaces, &mapping);
  else if (wp_perf_task (header, &task))
    wp_perf_task_spaces (self->spaces, header, &task);
}

static gboolean
collect (Collection *self, GError **error)
{
  WpPerfQueues *queues = &self->queues;
  WpPerfEntry entry;

  if (!wp_perf_queues_open (queues, &self->file, error))
    return FALSE;
  for (guint32 i = 0; i < queues->early.len; i++)
    on_record (self, queues->early.data[i]);
  wp_perf_queues_begin (queues);
  for (guint64 count = 0; wp_perf_queues_next (queues, &entry, NULL); count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (self->file.reader->progress, 0.25 + 0.75 * count / queues->n_entries, error))
        return FALSE;
      on_record (self, wp_perf_file_record (&self->file, entry.offset));
    }
  return TRUE;
}

static WpTrace *
read_frames (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  WpReader reader = { .path = path, .options = options, .progress = progress, .trace = wp_trace_new () };
  Collection self = { 0 };
  gboolean done;

  wp_perf_file_init (&self.file, &reader);
  self.spaces = wp_spaces_new (reader.trace, self.file.kernel);
  self.memory = wp_chain_memory_new ();
  done = wp_reader_open (&reader, error) && collect (&self, error);
  wp_chain_memory_free (self.memory);
  wp_spaces_free (self.spaces);
  wp_perf_queues_clear (&self.queues);
  wp_perf_file_clear (&self.file);
  wp_reader_close (&reader);
  if (!done)
    g_clear_pointer (&reader.trace, wp_trace_free);
  return reader.trace;
}

/* --- names within some time --------------------------------------------------------------------------------------- */

typedef struct
{
  WpProgress *outer;
  WpProgress inner;
  gint64 deadline;
} Patience;

static void
on_progress (const char *phase, double fraction, gpointer data)
{
  Patience *self = data;

  if (g_get_monotonic_time () > self->deadline || !wp_progress_step (self->outer, fraction, NULL))
    g_cancellable_cancel (self->inner.cancellable);
}

GPtrArray *
wp_recording_carry_names (const char *path, WpBuilds *builds, gint64 patience_us, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .builds = builds, .no_fetching = TRUE };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WpTrace) trace = read_frames (path, &options, progress, error);
  Patience patience = { .outer = progress, .deadline = g_get_monotonic_time () + patience_us };

  if (trace == NULL)
    return NULL;
  patience.inner = (WpProgress){ .cancellable = cancellable, .func = on_progress, .user_data = &patience };
  wp_read_symbols (trace, &options, &patience.inner, NULL);
  return wp_carried_names_write (trace);
}
