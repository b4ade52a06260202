/* Opens a recording, has it read by the reader of its format, and hands over the assembled trace. */
#include "base/mapped.h"
#include "base/packed.h"
#include "read/read-private.h"
#include "trace/marks.h"

#include <sys/stat.h>
#include <unistd.h>

typedef gboolean (*ReadFunc) (WpReader *self, GError **error);

/* A row for each format; without a reader it is a profile's. */
static const struct
{
  const char *name;
  ReadFunc read;
} formats[] = {
  [WP_FORMAT_UNKNOWN] = { "unknown", NULL },
  [WP_FORMAT_PERF_FILE] = { "perf.data file", wp_perf_read },
  [WP_FORMAT_PERF_STREAM] = { "perf.data stream", wp_perf_read },
  [WP_FORMAT_PERF_SCRIPT] = { "perf script", wp_script_read },
  [WP_FORMAT_PERUN] = { "perun", NULL },
};

const char *
wp_format_name (WpFormat format)
{
  return formats[format < G_N_ELEMENTS (formats) ? format : WP_FORMAT_UNKNOWN].name;
}

/* perf refuses a file that is neither its user's nor root's. Of a colleague's there is nothing to fear but what any file may do, so that
 * opens; it is root who should know. */
static gboolean
open_file (WpReader *self, GError **error)
{
  if (!wp_reader_open (self, error))
    return FALSE;
  self->trace->diagnostics.n[WP_DIAG_STRANGERS_FILE] = geteuid () == 0 && self->owner != 0;
  return TRUE;
}

/* Of a packed file what can be unpacked is read. */
static gboolean
unpack (WpReader *self, GError **error)
{
  WpDiagnostics *diagnostics = &self->trace->diagnostics;
  WpUnpacked result;
  gboolean done;
  int fd;

  if (wp_packing (self->data, self->size) == NULL)
    return TRUE;
  wp_progress_phase (self->progress, "Unpacking");
  fd = wp_unpack (self->path, self->data, self->size, &result, self->progress, error);
  if (fd < 0)
    return FALSE;
  diagnostics->n[WP_DIAG_TRUNCATED] = result.cut;
  diagnostics->n[WP_DIAG_DAMAGED_RECORDS] = result.damaged;
  done = wp_reader_map (self, fd, error);
  close (fd);
  return done;
}

gboolean
wp_reader_begin (WpReader *self, GError **error)
{
  return open_file (self, error) && unpack (self, error);
}

static gboolean
has_event (const WpTrace *trace, const char *name)
{
  WpId id = wp_strings_find (trace->strings, name);

  for (guint32 i = 0; id != 0 && i < trace->events.len; i++)
    if (trace->events.data[i].name == id && trace->events.data[i].count > 0)
      return TRUE;
  return FALSE;
}

static gboolean
check_events (const WpReader *self, GError **error)
{
  gboolean all_samples = self->options->all_samples;

  if (self->trace->diagnostics.n[WP_DIAG_EVENTS] == 0 && (all_samples || !self->no_switches))
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                 "%s is a recording (%s), but there is no event in it that can be read; record it again", self->path,
                 self->trace->format);
  else if (!all_samples && !has_event (self->trace, "sched:sched_switch"))
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s has no task switches (sched:sched_switch): it says what ran, but not what was waited for. Open it as stacks "
                 "(wakepath-cli top); for an explanation record with Wakepath, or with " WP_PERF_RECORD, self->path);
  else
    return TRUE;
  return FALSE;
}

/* Pages that were missing may be another file's that is read at the same time. */
static gboolean
check_unchanged (const WpReader *self, GError **error)
{
  struct stat st;

  if (wp_mapped_gone () == self->gone
      || (stat (self->path, &st) == 0 && memcmp (&st.st_mtim, &self->changed, sizeof self->changed) == 0))
    return TRUE;
  g_clear_error (error);
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
               "%s was written over or cut off while it was read; open it again when it is done", self->path);
  return FALSE;
}

/* Closes the file; FALSE: what was read of it cannot be believed. */
static gboolean
let_go (WpReader *self, GError **error)
{
  gboolean unchanged = self->n_mapped == 0 || check_unchanged (self, error);

  wp_reader_close (self);
  return unchanged;
}

static gboolean
read_events (WpReader *self, ReadFunc func, GError **error)
{
  const WpAssemblerOptions options = { .idle_task = self->options->idle_task, .all_samples = self->options->all_samples };
  gboolean done;

  self->assembler = wp_assembler_new (self->trace, &options);
  done = func (self, error) && check_events (self, error);
  done = let_go (self, error) && done;
  if (done)
    {
      wp_assembler_finish (self->assembler);
      wp_trace_place_marks (self->trace);
      self->trace->diagnostics.n[WP_DIAG_OWN_CLOCKS] = !self->one_clock && self->trace->diagnostics.n[WP_DIAG_UNRELIABLE] > 0;
      wp_count_stacks (self->trace);
    }
  else
    wp_assembler_free (self->assembler);
  return done;
}

WpTrace *
wp_read (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { 0 };
  WpReader self = { .path = path, .options = options != NULL ? options : &defaults, .progress = progress };
  WpFormat format = wp_sniff (path, error);
  gboolean done;

  if (format == WP_FORMAT_UNKNOWN)
    return NULL;
  if (formats[format].read == NULL)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT, "%s is a saved profile, not a recording", path);
      return NULL;
    }
  self.trace = wp_trace_new ();
  self.trace->format = g_strdup (wp_format_name (format));
  done = wp_progress_step (progress, 0, error) && wp_reader_begin (&self, error);
  if (done)
    {
      wp_progress_phase (progress, "Reading");
      done = read_events (&self, formats[format].read, error);
    }
  done = let_go (&self, error) && done;
  wp_pair_map_clear (&self.event_rows);
  if (!done)
    g_clear_pointer (&self.trace, wp_trace_free);
  return self.trace;
}
