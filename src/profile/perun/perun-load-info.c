/* How a saved profile was recorded and analysed: collector_info and postprocessors. */
#include "base/hash.h"
#include "profile/perun/perun-loader.h"

static void
set_extra (WpPerunLoader *self, const char *key, const char *value)
{
  if (self->trace->extra == NULL)
    self->trace->extra = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->trace->extra, g_strdup (key), g_strdup (value));
}

static void
read_format (WpPerunLoader *self)
{
  set_extra (self, WP_EXTRA_FORMAT, wp_json_reader_string (self->reader));
}

static void
read_command (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->trace->command);
}

static void
read_host (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->trace->host);
}

static void
read_kernel (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->trace->kernel);
}

static void
read_missing (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->trace->missing);
}

static void
read_cpus (WpPerunLoader *self)
{
  self->trace->n_cpus = (guint32) wp_json_reader_uint (self->reader, 1 << 20);
}

static void
read_recorder (WpPerunLoader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->reader))
    return;
  while ((key = wp_json_reader_key (self->reader)) != NULL)
    {
      g_autofree char *name = g_strdup (key);
      const char *value = wp_json_reader_string (self->reader);

      if (!g_str_equal (name, WP_EXTRA_FORMAT))
        set_extra (self, name, value);
    }
}

static void
read_diagnostics (WpPerunLoader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->reader))
    return;
  while ((key = wp_json_reader_key (self->reader)) != NULL)
    {
      guint i = 0;

      while (i < WP_DIAG_COUNT && !g_str_equal (key, wp_diag_id (i)))
        i++;
      if (i == WP_DIAG_COUNT)
        wp_json_reader_skip (self->reader);
      else
        self->trace->diagnostics.n[i] = wp_json_reader_uint (self->reader, G_MAXUINT64);
    }
}

static void
add_event (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->events, *(const WpEventCount *) row);
}

static void
read_events (WpPerunLoader *self)
{
  WpEventCount row;

  wp_perun_read_rows (self, &wp_table_events, &row, add_event);
}

static const WpPerunSection params_sections[] = {
  { "format", read_format },     { "command", read_command }, { "host", read_host },
  { "kernel", read_kernel },     { "cpus", read_cpus },       { "missing", read_missing },
  { "recorder", read_recorder }, { "events", read_events },   { "diagnostics", read_diagnostics },
};

/* What another collector's parameters are is not for us to say. */
static void
read_params (WpPerunLoader *self)
{
  if (self->collector != NULL && g_str_equal (self->collector, "wakepath"))
    wp_perun_read_sections (self, params_sections, G_N_ELEMENTS (params_sections));
  else
    wp_json_reader_skip (self->reader);
}

static void
read_collector_name (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->collector);
}

void
wp_perun_read_collector (WpPerunLoader *self)
{
  static const WpPerunSection sections[] = { { "name", read_collector_name }, { "params", read_params } };

  wp_perun_read_sections (self, sections, G_N_ELEMENTS (sections));
}

static void
read_cuts (WpPerunLoader *self)
{
  if (wp_json_reader_array (self->reader))
    while (wp_json_reader_item (self->reader))
      wp_array_push (&self->paths->cuts, (WpId) wp_json_reader_uint (self->reader, G_MAXUINT32 - 1));
}

static void
read_postprocessor_params (WpPerunLoader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->reader))
    return;
  while ((key = wp_json_reader_key (self->reader)) != NULL)
    if (g_str_equal (key, "grace"))
      self->paths->options.grace = wp_json_reader_int (self->reader, 0, WP_SAVED_TIME_MAX);
    else if (g_str_equal (key, "merge_threads"))
      self->paths->options.merge_threads = wp_json_reader_bool (self->reader);
    else if (g_str_equal (key, "started_work"))
      self->paths->options.started_work = wp_json_reader_bool (self->reader);
    else if (g_str_equal (key, "cuts"))
      read_cuts (self);
    else
      wp_json_reader_skip (self->reader);
}

/* Others may have been added to ours: only ours has parameters that we read. */
void
wp_perun_read_postprocessors (WpPerunLoader *self)
{
  const char *key;

  if (!wp_json_reader_array (self->reader))
    return;
  while (wp_json_reader_item (self->reader))
    {
      gboolean ours = FALSE;

      if (!wp_json_reader_object (self->reader))
        return;
      while ((key = wp_json_reader_key (self->reader)) != NULL)
        if (g_str_equal (key, "name"))
          ours = g_str_equal (wp_json_reader_string (self->reader), WP_PERUN_POSTPROCESSOR);
        else if (ours && g_str_equal (key, "params"))
          read_postprocessor_params (self);
        else
          wp_json_reader_skip (self->reader);
    }
}
