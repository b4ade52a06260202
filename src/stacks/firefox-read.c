#include "stacks/firefox.h"

#include <math.h>

#include "stacks/firefox-samples.h"
#include "stacks/sniff.h"
#include "stacks/sums.h"

typedef struct
{
  WpJsonReader *json;
  WpFirefoxDocument document;
  WpPairMap modules; /* path, build id → module */
} Reader;

static WpStrings *
strings_of (Reader *self)
{
  return self->document.maker.stacks->strings;
}

static void
process_free (gpointer data)
{
  WpFirefoxProcess *self = data;

  wp_firefox_code_clear (&self->code);
  g_free (self->place);
  wp_array_clear (&self->memory.ranges);
  wp_pair_map_clear (&self->memory.modules);
  wp_pair_map_clear (&self->memory.functions);
  g_free (self);
}

static void
thread_free (gpointer data)
{
  WpFirefoxThread *self = data;

  wp_firefox_code_clear (&self->code);
  g_free (self);
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* NaN of null. */
static double
read_real (Reader *self)
{
  if (wp_json_reader_kind (self->json) != WP_JSON_NULL)
    return wp_json_reader_real (self->json);
  wp_json_reader_skip (self->json);
  return NAN;
}

static WpId
read_text (Reader *self)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_STRING)
    return wp_strings_intern (strings_of (self), wp_json_reader_string (self->json));
  wp_json_reader_skip (self->json);
  return 0;
}

/* Numbers of processes and threads are numbers in some versions and texts in others, like "12" and "12.1". */
static gint64
read_number_or_text (Reader *self)
{
  switch (wp_json_reader_kind (self->json))
    {
    case WP_JSON_STRING:
      return g_ascii_strtoll (wp_json_reader_string (self->json), NULL, 10);
    case WP_JSON_NUMBER:
      return wp_whole (wp_json_reader_real (self->json));
    default:
      wp_json_reader_skip (self->json);
      return 0;
    }
}

static void
read_sample_units (Reader *self, WpFirefoxProcess *process)
{
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "threadCPUDelta"))
      process->cpu_unit = wp_strings_intern (strings_of (self), wp_json_reader_string (self->json));
    else
      wp_json_reader_skip (self->json);
}

static void
read_meta (Reader *self, WpFirefoxProcess *process)
{
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "startTime"))
      process->start = read_real (self);
    else if (g_str_equal (key, "interval"))
      process->interval = read_real (self);
    else if (g_str_equal (key, "profilingStartTime"))
      process->profiling_start = read_real (self);
    else if (g_str_equal (key, "profilingEndTime"))
      process->profiling_end = read_real (self);
    else if (g_str_equal (key, "preprocessedProfileVersion"))
      {
        process->processed = TRUE;
        wp_json_reader_skip (self->json);
      }
    else if (g_str_equal (key, "symbolicated") && wp_json_reader_kind (self->json) == WP_JSON_BOOL)
      process->symbolicated = wp_json_reader_bool (self->json);
    else if (g_str_equal (key, "sampleUnits") && wp_json_reader_kind (self->json) == WP_JSON_OBJECT)
      read_sample_units (self, process);
    else
      wp_json_reader_skip (self->json);
}

/* Before version 41 each thread has a list of its own, mostly of the same files. */
static WpId
find_module (Reader *self, const WpStackModule *row)
{
  WpFrames *frames = self->document.maker.stacks->frames;
  WpId *known = wp_pair_map_at (&self->modules, row->file, (guint32) wp_hash_pair (row->build_id, wp_hash_pair (row->start, row->limit)));

  if (*known == 0 || memcmp (&frames->modules.data[*known], row, sizeof *row) != 0)
    {
      wp_array_push (&frames->modules, *row);
      *known = frames->modules.len - 1;
    }
  return *known;
}

static void
read_lib (Reader *self, WpFirefoxProcess *process, WpFirefoxTables *tables)
{
  WpId name = 0, path = 0, debug_path = 0, code_id = 0, breakpad_id = 0, module;
  WpStackModule row;
  const char *key;

  memset (&row, 0, sizeof row);
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "name"))
      name = read_text (self);
    else if (g_str_equal (key, "path"))
      path = read_text (self);
    else if (g_str_equal (key, "debugPath"))
      debug_path = read_text (self);
    else if (g_str_equal (key, "codeId"))
      code_id = read_text (self);
    else if (g_str_equal (key, "breakpadId"))
      breakpad_id = read_text (self);
    else if (g_str_equal (key, "start"))
      row.start = wp_json_reader_uint (self->json, G_MAXUINT64);
    else if (g_str_equal (key, "end"))
      row.limit = wp_json_reader_uint (self->json, G_MAXUINT64);
    else if (g_str_equal (key, "offset"))
      row.offset = wp_json_reader_uint (self->json, G_MAXUINT64);
    else
      wp_json_reader_skip (self->json);
  row.file = path != 0 ? path : debug_path != 0 ? debug_path : name;
  row.build_id = code_id != 0 ? code_id : breakpad_id;
  module = find_module (self, &row);
  wp_array_push (&tables->libs, module);
  *wp_pair_map_at (&process->memory.modules, name, 0) = module;
  if (row.limit > row.start)
    wp_array_push (&process->memory.ranges, ((WpFirefoxRange) { row.start, row.limit, module }));
}

/* The oldest profiles of all have a text there, which is left out. */
static void
read_libs (Reader *self, WpFirefoxProcess *process, WpFirefoxTables *tables)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_STRING)
    {
      wp_json_reader_skip (self->json);
      return;
    }
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    read_lib (self, process, tables);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void
read_thread (Reader *self, WpFirefoxProcess *process)
{
  WpFirefoxThread *thread = g_new0 (WpFirefoxThread, 1);
  WpFirefoxTables *tables = &thread->code.tables;
  const char *key;

  thread->process = process;
  thread->code.memory = &process->memory;
  thread->code.outer = &process->code;
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "name"))
      thread->row.name = read_text (self);
    else if (g_str_equal (key, "processName"))
      thread->row.process = read_text (self);
    else if (g_str_equal (key, "pid"))
      thread->row.pid = read_number_or_text (self);
    else if (g_str_equal (key, "tid"))
      thread->row.tid = read_number_or_text (self);
    else if (g_str_equal (key, "libs"))
      read_libs (self, process, tables);
    else if (!wp_firefox_tables_read (tables, key, self->json, strings_of (self)))
      wp_json_reader_skip (self->json);
  thread->code.place = g_strdup_printf ("%sthreads[%u].", process->place, process->n_threads++);
  if (tables->columns[WP_FIREFOX_SAMPLE_STACK].len > 0)
    g_ptr_array_add (self->document.threads, thread);
  else
    thread_free (thread);
}

static void
read_threads (Reader *self, WpFirefoxProcess *process)
{
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    read_thread (self, process);
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static void
read_shared (Reader *self, WpFirefoxProcess *process)
{
  const char *key;

  g_free (process->code.place);
  process->code.place = g_strconcat (process->place, "shared.", NULL);
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (!wp_firefox_tables_read (&process->code.tables, key, self->json, strings_of (self)))
      wp_json_reader_skip (self->json);
}

static void
read_member (Reader *self, WpFirefoxProcess *process, const char *key)
{
  if (g_str_equal (key, "meta"))
    read_meta (self, process);
  else if (g_str_equal (key, "libs"))
    read_libs (self, process, &process->code.tables);
  else if (g_str_equal (key, "shared"))
    read_shared (self, process);
  else if (g_str_equal (key, "threads"))
    read_threads (self, process);
  else if (!wp_firefox_tables_read (&process->code.tables, key, self->json, strings_of (self)))
    wp_json_reader_skip (self->json);
}

static WpFirefoxProcess *
add_process (Reader *self)
{
  WpFirefoxProcess *process = g_new0 (WpFirefoxProcess, 1);

  process->start = process->interval = process->profiling_start = process->profiling_end = NAN;
  process->code.memory = &process->memory;
  process->place = self->document.processes->len == 0 ? g_strdup ("") : g_strdup_printf ("(process %u).", self->document.processes->len);
  process->code.place = g_strdup (process->place);
  g_ptr_array_add (self->document.processes, process);
  return process;
}

/* Gecko's processes stand in each other: they are walked with a list of those that are open. */
static void
read_document (Reader *self)
{
  GPtrArray *open = g_ptr_array_new ();

  if (wp_json_reader_object (self->json))
    g_ptr_array_add (open, add_process (self));
  while (open->len > 0)
    {
      const char *key = wp_json_reader_key (self->json);
      gboolean has_inner = FALSE;

      if (key == NULL)
        g_ptr_array_set_size (open, (int) open->len - 1);
      else if (!g_str_equal (key, "processes"))
        read_member (self, open->pdata[open->len - 1], key);
      else
        has_inner = wp_json_reader_array (self->json);
      if ((has_inner || (key == NULL && open->len > 0)) && wp_json_reader_item (self->json) && wp_json_reader_object (self->json))
        g_ptr_array_add (open, add_process (self));
    }
  g_ptr_array_unref (open);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

gboolean
wp_firefox_is (const guint8 *data, gsize n)
{
  return wp_sniff_is_text (data, n) && wp_sniff_first (data, n) == '{'
         && (wp_sniff_has (data, n, "\"preprocessedProfileVersion\"")
             || (wp_sniff_has (data, n, "\"stackwalk\"") && wp_sniff_has (data, n, "\"processType\"")));
}

WpStacks *
wp_firefox_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { .document = { .processes = g_ptr_array_new_with_free_func (process_free),
                                .threads = g_ptr_array_new_with_free_func (thread_free) } };
  WpStacks *stacks = NULL;

  if (wp_input_check_whole (input, path, error))
    {
      wp_progress_phase (progress, "Reading");
      self.json = wp_json_reader_new_input (path, input, progress);
      wp_stacks_maker_init (&self.document.maker);
      read_document (&self);
      if (!wp_json_reader_failed (self.json))
        wp_firefox_make_samples (&self.document, self.json);
      if (wp_json_reader_finish (self.json, error))
        stacks = wp_stacks_maker_take (&self.document.maker);
      wp_stacks_maker_clear (&self.document.maker);
      wp_json_reader_free (self.json);
    }
  g_ptr_array_unref (self.document.threads);
  g_ptr_array_unref (self.document.processes);
  wp_pair_map_clear (&self.modules);
  return stacks;
}
