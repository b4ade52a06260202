#include "read/raw-private.h"

typedef gboolean (*RawFunc) (WpReader *reader, const WpRawWindow *window, WpRawEvents *out, GError **error);

static const RawFunc readers[] = {
  [WP_FORMAT_PERF_FILE] = wp_perf_raw,
  [WP_FORMAT_PERF_STREAM] = wp_perf_raw,
  [WP_FORMAT_PERF_SCRIPT] = wp_script_raw,
};

void
wp_raw_events_free (WpRawEvents *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->rows);
  wp_strings_free (self->strings);
  g_free (self);
}

WpRawEvents *
wp_raw_events_read (const char *path, gint64 from, gint64 to, guint32 most, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { .all_samples = TRUE };
  const WpRawWindow window = { from, to, most };
  WpReader reader = { .path = path, .options = &defaults, .progress = progress };
  WpFormat format = wp_sniff (path, error);
  g_autoptr (WpRawEvents) self = g_new0 (WpRawEvents, 1);
  gboolean done;

  self->strings = wp_strings_new ();
  if (format == WP_FORMAT_UNKNOWN)
    return NULL;
  if (format >= G_N_ELEMENTS (readers) || readers[format] == NULL)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT, "%s is a saved profile: its events are in the recording that it was made from", path);
      return NULL;
    }
  reader.trace = wp_trace_new ();
  done = wp_reader_begin (&reader, error) && readers[format](&reader, &window, self, error);
  wp_trace_free (reader.trace);
  wp_reader_close (&reader);
  return done ? g_steal_pointer (&self) : NULL;
}
