#include "read/perf/carry-names.h"

#include "read/perf/perf-queues.h"
#include "read/perf/perf-parts.h"
#include "trace/carried-names.h"

#define RECORDS_PER_STEP 8192

/* Of a chain the part that is the user's; the kernel's functions have their names. */
static void
on_sample (const WpPerfFile *file, WpSpaces *spaces, const WpPerfRecord *header)
{
  const WpPerfAttr *attr;
  WpPerfSample sample;
  WpPerfWhere where;
  gsize from = 0, to;

  if (!wp_perf_file_where (file, header, &where, &attr) || !wp_perf_sample (attr, header, &sample))
    return;
  while (from < sample.n_chain && wp_read_u64 (sample.chain + 8 * from) != PERF_CONTEXT_USER)
    from++;
  for (to = from + 1; to < sample.n_chain && wp_read_u64 (sample.chain + 8 * to) < PERF_CONTEXT_MAX; to++)
    ;
  if (from < sample.n_chain)
    wp_spaces_stack (spaces, where.pid, sample.chain + 8 * from, to - from, TRUE);
}

static void
on_record (const WpPerfFile *file, WpSpaces *spaces, const WpPerfRecord *header)
{
  WpPerfMapping mapping;
  WpPerfTask task;

  if (header->type == PERF_RECORD_SAMPLE)
    on_sample (file, spaces, header);
  else if ((header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2) && wp_perf_mapping (file, header, &mapping))
    wp_perf_map_space (file, spaces, &mapping);
  else if (wp_perf_task (header, &task))
    wp_perf_task_spaces (spaces, header, &task);
}

static gboolean
collect (WpPerfFile *file, WpPerfQueues *queues, WpSpaces *spaces, GError **error)
{
  WpPerfEntry entry;

  if (!wp_perf_queues_open (queues, file, error))
    return FALSE;
  for (guint32 i = 0; i < queues->early.len; i++)
    on_record (file, spaces, queues->early.data[i]);
  wp_perf_queues_begin (queues);
  for (guint64 count = 0; wp_perf_queues_next (queues, &entry); count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (file->reader->progress, 0.25 + 0.75 * count / queues->n_entries, error))
        return FALSE;
      on_record (file, spaces, wp_perf_file_record (file, entry.offset));
    }
  return TRUE;
}

static WpTrace *
read_frames (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  WpReader reader = { .path = path, .options = options, .progress = progress, .trace = wp_trace_new () };
  WpPerfQueues queues = { 0 };
  WpPerfFile file;
  WpSpaces *spaces;
  gboolean done;

  wp_perf_file_init (&file, &reader);
  spaces = wp_spaces_new (reader.trace, file.kernel);
  done = wp_reader_open (&reader, error) && collect (&file, &queues, spaces, error);
  wp_spaces_free (spaces);
  wp_perf_queues_clear (&queues);
  wp_perf_file_clear (&file);
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
