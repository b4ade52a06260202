/* Reads a perf.data in file mode or stream mode. */
#include "read/perf/perf-private.h"

#include "base/hash.h"

void
wp_perf_init (WpPerf *self, WpReader *reader)
{
  *self = (WpPerf){ .reader = reader, .arch = wp_cfi_arch (NULL) };
  self->builds = reader->options->builds != NULL ? reader->options->builds : wp_builds_new ();
  self->parents = g_hash_table_new (wp_hash_pointer, NULL);
  self->kernel = wp_kernel_symbols_new (reader->trace, reader->options->symbol_root);
  self->spaces = wp_spaces_new (reader->trace, self->kernel);
}

void
wp_perf_clear (WpPerf *self)
{
  wp_perf_unwind_free (self->unwind);
  for (guint32 i = 0; i < self->lanes.len; i++)
    wp_array_clear (&self->lanes.data[i].entries);
  wp_array_clear (&self->lanes);
  wp_array_clear (&self->merge);
  wp_array_clear (&self->attrs);
  wp_array_clear (&self->known);
  wp_array_clear (&self->early);
  wp_array_clear (&self->told);
  wp_pair_map_clear (&self->told_rows);
  wp_pair_map_clear (&self->resolved);
  wp_pair_map_clear (&self->ids);
  if (self->builds != self->reader->options->builds)
    wp_builds_free (self->builds);
  g_hash_table_unref (self->parents);
  wp_spaces_free (self->spaces);
  wp_kernel_symbols_free (self->kernel);
  g_clear_pointer (&self->tep, tep_free);
}

/* What keeps all events from being read, where there is such a thing. */
static gboolean
check (const WpPerf *self, GError **error)
{
  const char *path = self->reader->path;

  if (self->is_part)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s is one of several files that perf record --threads wrote for one recording, which are not put together here; "
                 "record without --threads", path);
  else if (self->n_entries > 0 && !self->has_tracing_data && self->tracepoints)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                 "%s lacks the description of its events, which perf record writes behind them when it ends: "
                 "it was cut off at byte %" G_GSIZE_FORMAT "; record it again", path, self->reader->size);
  else if (self->n_entries > 0 && !self->timed)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s does not say when and on which CPU things happened; record with perf record -a, or with -T --sample-cpu",
                 path);
  else
    return TRUE;
  return FALSE;
}

gboolean
wp_perf_read (WpReader *reader, GError **error)
{
  WpPerf self;
  gboolean done;

  wp_perf_init (&self, reader);
  done = wp_perf_open (&self, error) && wp_perf_expand (&self, error)
         && wp_perf_index (&self, wp_perf_early_record, error) && wp_perf_assemble (&self, error) && check (&self, error);
  wp_perf_clear (&self);
  return done;
}
