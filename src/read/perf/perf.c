/* Reads a perf.data in file mode or stream mode. */
#include "read/perf/perf-feeder.h"

/* Whether all events can be read; an error that says what is missing where they cannot. */
static gboolean
check (const WpPerfFile *file, const WpPerfQueues *queues, GError **error)
{
  const char *path = file->reader->path;
  gboolean tracepoints = FALSE, timed = FALSE; /* some are; some event type says when and where */

  for (guint32 i = 0; i < file->attrs.len; i++)
    {
      const WpPerfAttr *attr = &file->attrs.data[i];

      tracepoints = tracepoints || attr->attr.type == PERF_TYPE_TRACEPOINT;
      timed = timed || (attr->time >= 0 && attr->cpu >= 0);
    }
  if (file->is_part)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s is one of several files that perf record --threads wrote for one recording, which are not put together here; "
                 "record without --threads", path);
  else if (file->reader->options->all_samples)
    return TRUE;
  else if (queues->n_entries > 0 && !wp_perf_formats_any (file->formats) && tracepoints)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                 "%s lacks the description of its events, which perf record writes behind them when it ends: "
                 "it was cut off at byte %" G_GSIZE_FORMAT "; record it again", path, file->reader->size);
  else if (queues->n_entries > 0 && !timed && !file->reader->no_switches)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s does not say when and on which CPU things happened; record with " WP_PERF_RECORD, path);
  else
    return TRUE;
  return FALSE;
}

gboolean
wp_perf_read (WpReader *reader, GError **error)
{
  WpPerfQueues queues = { 0 };
  WpPerfFile file;
  gboolean done;

  wp_perf_file_init (&file, reader);
  done = wp_perf_queues_open (&queues, &file, error) && wp_perf_feed (&file, &queues, error) && check (&file, &queues, error);
  wp_perf_queues_clear (&queues);
  wp_perf_file_clear (&file);
  return done;
}
