#include "read/perf/carry-names.h"

#include "read/perf/perf-private.h"
#include "trace/carried-names.h"

#define RECORDS_PER_STEP 8192

static void
on_early (WpPerf *perf, const WpRecord *header)
{
  wp_array_push (&perf->early, header);
}

static void
on_mapping (WpPerf *self, const WpRecord *header)
{
  WpPerfMapping mapping;

  if (wp_perf_mapping (self, header, &mapping) && !mapping.is_kernel && !mapping.is_data)
    wp_spaces_map (self->spaces, mapping.pid, mapping.start, mapping.size, mapping.offset,
                   wp_trace_module (self->reader->trace, mapping.module, mapping.build_id));
}

static void
on_task (WpPerf *self, const WpRecord *header)
{
  WpPerfTask task;

  if (wp_perf_task (header, &task))
    wp_perf_task_spaces (self, header, &task);
}

/* Of a chain the part that is the user's; the kernel's functions have their names. */
static void
on_sample (WpPerf *self, const WpRecord *header)
{
  WpPerfSample sample;
  WpPerfWhere where;
  WpPerfAttr *attr;
  gsize from = 0, to;

  if (!wp_perf_where (self, header, &where, &attr) || !wp_perf_sample (attr, header, &sample))
    return;
  while (from < sample.n_chain && wp_read_u64 (sample.chain + 8 * from) != PERF_CONTEXT_USER)
    from++;
  for (to = from + 1; to < sample.n_chain && wp_read_u64 (sample.chain + 8 * to) < PERF_CONTEXT_MAX; to++)
    ;
  if (from < sample.n_chain)
    wp_spaces_stack (self->spaces, where.pid, sample.chain + 8 * from, to - from, TRUE);
}

static void
on_record (WpPerf *self, const WpRecord *header)
{
  if (header->type == PERF_RECORD_SAMPLE)
    on_sample (self, header);
  else if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    on_mapping (self, header);
  else
    on_task (self, header);
}

static gboolean
collect (WpPerf *self, GError **error)
{
  WpPerfEntry entry;

  if (!wp_perf_open (self, error) || !wp_perf_expand (self, error) || !wp_perf_index (self, on_early, error))
    return FALSE;
  for (guint32 i = 0; i < self->early.len; i++)
    on_record (self, self->early.data[i]);
  wp_perf_begin_merge (self);
  for (guint64 count = 0; wp_perf_next (self, &entry); count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (self->reader->progress, 0.25 + 0.75 * count / self->n_entries, error))
        return FALSE;
      on_record (self, (const WpRecord *) (self->reader->data + entry.offset));
    }
  return TRUE;
}

static WpTrace *
read_frames (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  WpReader reader = { .path = path, .options = options, .progress = progress, .trace = wp_trace_new () };
  WpPerf perf;
  gboolean done;

  wp_perf_init (&perf, &reader);
  done = wp_reader_open (&reader, error) && collect (&perf, error);
  wp_perf_clear (&perf);
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
