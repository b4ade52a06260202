/* The document: the tables, the resources, the chunks. */
#include "profile/perun/perun-loader.h"
#include "trace/notes.h"

#include "base/find.h"
#include "base/hash.h"

/* Whether our tables will come: a look over the whole document, from its beginning. */
static gboolean
find_tables (const WpPerunLoader *self)
{
  g_autoptr (WpJsonReader) reader = self->text != NULL ? wp_json_reader_new (self->path, self->text, self->text_len, NULL)
                                                       : wp_json_reader_open (self->path, NULL, NULL);
  const char *key;

  if (reader == NULL || !wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "wakepath"))
      return TRUE;
    else
      wp_json_reader_skip (reader);
  return FALSE;
}

/* The tables come first in what we write, but other tools may change the order. Before anything that every profile has
 * is taken for ours, a look over the whole file tells whether the tables will come. */
static gboolean
tables_come (WpPerunLoader *self)
{
  if (!self->ours && !self->looked)
    self->ours = find_tables (self);
  self->looked = TRUE;
  return self->ours;
}

/* What stands there twice makes no sense of tables that refer to each other; of any other profile the last one counts, as in Python. */
void
wp_perun_read_sections (WpPerunLoader *self, const WpPerunSection *sections, guint n)
{
  guint32 seen = 0;
  const char *key;

  if (!wp_json_reader_object (self->reader))
    return;
  while ((key = wp_json_reader_key (self->reader)) != NULL)
    {
      guint i = wp_find_name (&sections->key, sizeof *sections, n, key);

      if (i == n)
        wp_json_reader_skip (self->reader);
      else if (seen & 1u << i && tables_come (self))
        wp_json_reader_fail (self->reader, NULL, "stands there twice");
      else
        {
          seen |= 1u << i;
          sections[i].read (self);
        }
    }
}

void
wp_perun_read_rows (WpPerunLoader *self, const WpTable *table, gpointer row,
                    void (*add) (WpPerunLoader *self, gconstpointer row))
{
  if (!wp_json_reader_array (self->reader))
    return;
  while (wp_json_reader_item (self->reader))
    if (wp_table_read (table, self->reader, self->trace, row))
      add (self, row);
}

static gint64
read_time (WpPerunLoader *self)
{
  return wp_json_reader_int (self->reader, WP_SAVED_TIME_MIN, WP_SAVED_TIME_MAX);
}

void
wp_perun_read_text (WpPerunLoader *self, char **text)
{
  g_free (*text);
  *text = g_strdup (wp_json_reader_string (self->reader));
}

/* --- the tables ---------------------------------------------------------------------------------------------------- */

static void
read_version (WpPerunLoader *self)
{
  guint64 version = wp_json_reader_uint (self->reader, G_MAXUINT32);

  if (version > WP_PERUN_VERSION)
    wp_json_reader_fail (self->reader, NULL, "written by a newer Wakepath (version %" G_GUINT64_FORMAT " of the tables, "
                         "%d is the newest known here)", version, WP_PERUN_VERSION);
}

static void
read_name (WpPerunLoader *self)
{
  wp_perun_read_text (self, &self->paths->name);
}

static void
read_wall_start (WpPerunLoader *self)
{
  self->paths->wall_start = read_time (self);
}

static void
read_wall_end (WpPerunLoader *self)
{
  self->paths->wall_end = read_time (self);
}

static void
read_end (WpPerunLoader *self)
{
  self->trace->end = read_time (self);
}

static void
read_clock_start (WpPerunLoader *self)
{
  self->trace->clock_start = wp_json_reader_int (self->reader, G_MININT64, G_MAXINT64);
}

static void
read_command_pid (WpPerunLoader *self)
{
  self->trace->command_pid = (gint32) wp_json_reader_int (self->reader, G_MININT32, G_MAXINT32);
}

static void
read_base_tasks (WpPerunLoader *self)
{
  if (wp_json_reader_array (self->reader))
    while (wp_json_reader_item (self->reader))
      wp_array_push (&self->paths->base_tasks, (WpId) wp_json_reader_uint (self->reader, G_MAXUINT32 - 1));
}

static void
add_task (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->tasks, *(const WpTask *) row);
}

static void
read_tasks (WpPerunLoader *self)
{
  WpTask row;

  wp_perun_read_rows (self, &wp_table_tasks, &row, add_task);
}

static void
add_operation (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->ops, *(const WpSavedOp *) row);
}

static void
read_operations (WpPerunLoader *self)
{
  WpSavedOp row;

  wp_perun_read_rows (self, &wp_table_operations, &row, add_operation);
}

static void
add_disk (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->disks, *(const WpDisk *) row);
}

static void
read_disks (WpPerunLoader *self)
{
  WpDisk row;

  wp_perun_read_rows (self, &wp_table_disks, &row, add_disk);
}

static void
add_net (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->nets, *(const WpNet *) row);
}

static void
read_nets (WpPerunLoader *self)
{
  WpNet row;

  wp_perun_read_rows (self, &wp_table_nets, &row, add_net);
}

static void
add_lost (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->lost, *(const WpLost *) row);
}

static void
read_lost (WpPerunLoader *self)
{
  WpLost row;

  wp_perun_read_rows (self, &wp_table_lost, &row, add_lost);
}

static void
add_interrupt (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->trace->interrupts, *(const WpInterrupt *) row);
}

static void
read_interrupts (WpPerunLoader *self)
{
  WpInterrupt row;

  wp_perun_read_rows (self, &wp_table_interrupts, &row, add_interrupt);
}

static void
add_note (WpPerunLoader *self, gconstpointer row)
{
  const WpSavedNote *note = row;

  if (!wp_notes_set (self->trace->notes, note->time, wp_trace_string (self->trace, note->text)))
    wp_json_reader_fail (self->reader, NULL, "more notes than there can be");
}

static void
read_notes (WpPerunLoader *self)
{
  WpSavedNote row;

  wp_perun_read_rows (self, &wp_table_notes, &row, add_note);
}

static void
add_path (WpPerunLoader *self, gconstpointer row)
{
  const WpSavedPath *saved = row;

  wp_array_push (&self->paths->paths, ((WpPath) { .task = saved->task, .start = saved->start, .end = saved->end,
                                                  .lane = saved->lane, .base = saved->base,
                                                  .started = saved->started }));
}

static void
read_paths (WpPerunLoader *self)
{
  WpSavedPath row;

  wp_perun_read_rows (self, &wp_table_paths, &row, add_path);
}

static void
read_tables (WpPerunLoader *self)
{
  static const WpPerunSection sections[] = {
    { "version", read_version },         { "name", read_name },         { "wall_start", read_wall_start },
    { "wall_end", read_wall_end },       { "end", read_end },           { "clock_start", read_clock_start },
    { "command_pid", read_command_pid }, { "tasks", read_tasks },       { "base_tasks", read_base_tasks },
    { "operations", read_operations },   { "disks", read_disks },       { "nets", read_nets },
    { "lost", read_lost },               { "paths", read_paths },       { "notes", read_notes },
    { "interrupts", read_interrupts },
  };

  self->ours = TRUE;
  wp_perun_read_sections (self, sections, G_N_ELEMENTS (sections));
}

/* --- resources ----------------------------------------------------------------------------------------------------- */

static void
add_part (WpPerunLoader *self, const WpResource *row)
{
  if (row->amount < 0)
    wp_json_reader_fail (self->reader, NULL, "the amount is negative");
  wp_array_push (&self->paths->parts,
                 ((WpPart) { .start = row->timestamp, .end = row->timestamp + row->amount, .op = row->operation,
                             .parent = row->parent, .path = row->path, .waits_path = row->waits_path,
                             .waits_part = row->waits_part, .cut = row->cut, .next = row->kind }));
}

static void
add_sample (WpPerunLoader *self, const WpResource *row)
{
  wp_array_push (&self->trace->samples,
                 ((WpSample) { .time = row->timestamp, .stack = row->trace, .run = row->operation }));
}

static guint16
device_row (WpPerunLoader *self, WpId name)
{
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (self->devices, GUINT_TO_POINTER (name)));

  if (row != 0 || name == 0)
    return (guint16) row;
  if (self->trace->devices.len == 0)
    wp_array_push (&self->trace->devices, 0);
  row = self->trace->devices.len;
  if (row > G_MAXUINT16)
    wp_json_reader_fail (self->reader, NULL, "more devices than there can be");
  wp_array_push (&self->trace->devices, name);
  g_hash_table_insert (self->devices, GUINT_TO_POINTER (name), GUINT_TO_POINTER (row));
  return (guint16) row;
}

static void
add_link (WpPerunLoader *self, const WpResource *row)
{
  wp_array_push (&self->trace->links,
                 ((WpLink) { .start = row->timestamp, .source = row->source, .target = row->target, .stack = row->trace,
                             .cause = row->cause, .horizontal = row->horizontal,
                             .device = device_row (self, row->device) }));
}

static void
add_resource (WpPerunLoader *self, gconstpointer data)
{
  static void (*const adders[WP_RESOURCE_COUNT]) (WpPerunLoader *self, const WpResource *row) = {
    [WP_RESOURCE_RUN] = add_part,        [WP_RESOURCE_SLEEP] = add_part,   [WP_RESOURCE_DISK] = add_part,
    [WP_RESOURCE_DISK_QUEUE] = add_part, [WP_RESOURCE_NETWORK] = add_part, [WP_RESOURCE_SAMPLE] = add_sample,
    [WP_RESOURCE_LINK] = add_link,
  };
  const WpResource *row = data;

  if (adders[row->kind] != NULL)
    adders[row->kind](self, row);
  else
    wp_json_reader_fail (self->reader, NULL, "a resource of no kind");
}

static void
read_resources (WpPerunLoader *self)
{
  WpResource row;

  wp_perun_read_rows (self, &wp_table_resources, &row, add_resource);
}

static void
read_global (WpPerunLoader *self)
{
  static const WpPerunSection sections[] = { { "resources", read_resources } };

  if (tables_come (self))
    wp_perun_read_sections (self, sections, G_N_ELEMENTS (sections));
  else
    wp_json_reader_skip (self->reader);
}

/* --- chunks -------------------------------------------------------------------------------------------------------- */

static WpId
add_frame (WpPerunLoader *self, const WpSavedFrame *frame, WpId parent)
{
  WpTrace *trace = self->trace;
  WpId module = wp_trace_module (trace, wp_trace_string (trace, frame->module), NULL), id;
  const char *name = wp_trace_string (trace, frame->function);

  if (frame->kernel)
    id = wp_trace_kernel_frame (trace, module, name);
  else
    {
      wp_trace_function (trace, module, name, frame->no_symbol ? WP_FUNCTION_NO_SYMBOL : 0);
      id = wp_trace_named_frame (trace, module, name);
    }
  return wp_trace_stack (trace, parent, id);
}

static void
collect_frame (WpPerunLoader *self, gconstpointer row)
{
  wp_array_push (&self->frames, *(const WpSavedFrame *) row);
}

static void
read_chunk (WpPerunLoader *self, WpId chunk)
{
  WpSavedFrame row;
  WpId stack = 0;

  self->frames.len = 0;
  wp_perun_read_rows (self, &wp_table_frames, &row, collect_frame);
  for (guint32 i = self->frames.len; i > 0; i--)
    stack = add_frame (self, &self->frames.data[i - 1], stack);
  wp_array_push (&self->chunks, ((WpChunk) { chunk, stack }));
}

static void
read_chunks (WpPerunLoader *self)
{
  const char *key;

  if (!tables_come (self))
    {
      wp_json_reader_skip (self->reader);
      return;
    }
  if (!wp_json_reader_object (self->reader))
    return;
  while ((key = wp_json_reader_key (self->reader)) != NULL)
    {
      WpId chunk = wp_chunk_from_name (key);

      if (chunk == 0)
        wp_json_reader_fail (self->reader, NULL, "not the name of a chunk");
      else
        read_chunk (self, chunk);
    }
}

/* --- all of it ----------------------------------------------------------------------------------------------------- */

static void
fail_foreign (WpPerunLoader *self)
{
  if (g_strcmp0 (self->collector, "wakepath") == 0)
    wp_json_reader_fail (self->reader, "",
                         "a recording whose amounts were changed (normalized), so that it explains no process any more; the window and "
                         "“wakepath-cli view” show it");
  else if (self->collector != NULL)
    wp_json_reader_fail (self->reader, "",
                         "a Perun profile of another collector (%s), which explains no process; the window and "
                         "“wakepath-cli view” show it",
                         self->collector);
  else
    wp_json_reader_fail (self->reader, "", "JSON, but not a profile saved by Wakepath");
}

static void
read_document (WpPerunLoader *self)
{
  static const WpPerunSection sections[] = {
    { "collector_info", wp_perun_read_collector }, { "postprocessors", wp_perun_read_postprocessors },
    { "wakepath", read_tables },                   { "global", read_global },
    { "chunks", read_chunks },
  };

  wp_perun_read_sections (self, sections, G_N_ELEMENTS (sections));
  if (!self->ours)
    fail_foreign (self);
}

static void
loader_init (WpPerunLoader *self, const char *path, WpJsonReader *reader)
{
  *self = (WpPerunLoader) { .path = path, .reader = reader, .trace = wp_trace_new (), .paths = g_new0 (WpPaths, 1) };
  self->paths->trace = self->trace;
  self->paths->options = WP_PATH_OPTIONS_DEFAULT;
  self->paths->name = g_strdup ("");
  self->trace->format = g_strdup ("perun");
  self->trace->partial = TRUE;
  self->devices = g_hash_table_new (wp_hash_pointer, NULL);
  wp_array_resize (&self->paths->parts, 1);
  wp_array_resize (&self->paths->paths, 1);
}

static void
loader_clear (WpPerunLoader *self)
{
  wp_json_reader_free (self->reader);
  wp_paths_free (self->paths);
  wp_trace_free (self->trace);
  wp_array_clear (&self->chunks);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->ops);
  g_hash_table_unref (self->devices);
  g_free (self->collector);
}

/* Takes over `reader`; `text` is what it reads, or NULL where that is a file. */
static gboolean
load (const char *path, WpJsonReader *reader, const char *text, gsize n, WpTrace **trace, WpPaths **paths, WpProgress *progress,
      GError **error)
{
  WpPerunLoader self;
  gboolean done;

  wp_progress_phase (progress, "Reading");
  loader_init (&self, path, reader);
  self.text = text;
  self.text_len = n;
  read_document (&self);
  if (!wp_json_reader_failed (reader))
    wp_perun_join (&self);
  done = wp_json_reader_finish (reader, error);
  if (!done && !self.ours && error != NULL && g_error_matches (*error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE))
    (*error)->code = WP_JSON_ERROR_FOREIGN;
  if (done)
    {
      wp_trace_devices_of_tasks (self.trace);
      *trace = g_steal_pointer (&self.trace);
      *paths = g_steal_pointer (&self.paths);
    }
  loader_clear (&self);
  return done;
}

gboolean
wp_perun_load (const char *path, WpTrace **trace, WpPaths **paths, WpProgress *progress, GError **error)
{
  WpJsonReader *reader = wp_json_reader_open (path, progress, error);

  return reader != NULL && load (path, reader, NULL, 0, trace, paths, progress, error);
}

gboolean
wp_perun_load_text (const char *name, const char *text, gsize n, WpTrace **trace, WpPaths **paths, WpProgress *progress,
                    GError **error)
{
  return load (name, wp_json_reader_new (name, text, n, progress), text, n, trace, paths, progress, error);
}
