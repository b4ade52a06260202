/* Gives user frames their functions. Each module is a job of a pool, which only reads files; what the jobs found is
 * written into the trace here, module by module in one order, so that ids do not depend on who was faster. */
#include "base/asked-files.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/thread-time.h"
#include "read/symbols/debug-files.h"
#include "read/symbols/debuginfod.h"
#include "read/symbols/demangle.h"
#include "read/symbols/elf-symbols.h"
#include "read/symbols/jit-map.h"
#include "read/symbols/kernel-symbols.h"
#include "read/read-private.h"
#include "trace/carried-names.h"


#define WORKERS_MAX 4
#define TABLES_MAX 256 /* files whose tables are kept */
#define WAIT (20 * G_TIME_SPAN_MILLISECOND)

/* The frames of one module that still want a name, and what was found for them. */
typedef struct
{
  WpId module;
  guint32 first, n; /* in the list of frames */
  char *path;       /* with the root */
  char *build_id;   /* the recording's, else the file's; NULL: neither has one */
  gint32 jit;       /* the process whose map it is; -1: a file */
  gboolean vdso;
  WpSymbolsKind kind;
  guint32 *names;   /* by frame: row of `texts` + 1, 0: none */
  GPtrArray *texts; /* demangled */
  guint32 named;
  gboolean absent; /* there is no file of this build */
  gboolean done;
} ModuleJob;

/* What was read of one file. */
typedef struct
{
  WpFunctions *functions;
  WpElfFile *layout; /* NULL: there is no file */
  char *build_id;    /* the file's, or NULL */
  WpSymbolsKind kind;
  gboolean absent;
  char **texts; /* by function: its readable name, NULL: not asked for yet */
} SymbolTable;

struct WpSymbolTables
{
  GMutex lock;
  GHashTable *tables; /* path and build id → SymbolTable */
  double seconds;
};

typedef struct
{
  WpTrace *trace;
  const WpReadOptions *options;
  GCancellable *cancellable; /* may be NULL */
  WpDemangler *demangler;
  WpIdArray frames;          /* by module */
  guint64 *offsets;          /* of these frames */
  WP_ARRAY (ModuleJob) modules; /* those with the most frames first */
  GMutex lock;
  GCond finished; /* some module is done */
} Job;

/* --- which frames ------------------------------------------------------------------------------------------------- */

static gboolean
wants_name (const WpTrace *trace, const WpFrame *frame)
{
  return !(frame->flags & WP_FRAME_KERNEL) && frame->offset != 0 && frame->function != 0
         && (trace->functions.data[frame->function].flags & WP_FUNCTION_NO_SYMBOL);
}

/* Those that the recording brings along. Returns how many frames got a name. */
static guint64
take_own_names (WpTrace *trace)
{
  guint64 named = 0;

  for (WpId i = 1; trace->own_names != NULL && i < trace->frames.len; i++)
    {
      const WpFrame *frame = &trace->frames.data[i];
      const WpModule *module = &trace->modules.data[frame->module];
      const char *path = wp_trace_string (trace, module->path), *build_id = wp_trace_string (trace, module->build_id);
      const char *name = wants_name (trace, frame) ? wp_carried_names_find (trace->own_names, path, build_id, frame->offset) : NULL;

      if (name == NULL)
        continue;
      wp_trace_name_frame (trace, i, wp_trace_function (trace, frame->module, name, 0));
      named++;
    }
  return named;
}

static int
compare_modules (const void *a, const void *b)
{
  const ModuleJob *x = a, *y = b;

  return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->module > y->module) - (x->module < y->module);
}

static gboolean
same_host (const WpTrace *trace)
{
  return trace->host == NULL || g_str_equal (trace->host, g_get_host_name ());
}

/* The pool reads no strings of the trace: they may move while names are added. */
static void
describe_module (const Job *self, ModuleJob *module)
{
  const WpModule *row = &self->trace->modules.data[module->module];
  const char *path = wp_trace_string (self->trace, row->path), *build_id = wp_trace_string (self->trace, row->build_id), *place;

  module->jit = same_host (self->trace) ? wp_jit_module_pid (path) : -1;
  module->vdso = g_str_equal (path, "[vdso]") && wp_kernel_runs_here (self->trace);
  place = self->options->builds != NULL ? wp_builds_place (self->options->builds, build_id) : NULL;
  if (place != NULL)
    module->path = g_strdup (place);
  else
    module->path = g_strconcat (self->options->symbol_root != NULL && path[0] == '/' ? self->options->symbol_root : "", path, NULL);
  module->build_id = build_id[0] != '\0' ? g_strdup (build_id) : NULL;
}

/* Sorts the frames by their module, the modules by the number of their frames. */
static void
collect (Job *self)
{
  WpTrace *trace = self->trace;
  guint32 at = 0;

  wp_array_resize (&self->modules, trace->modules.len);
  for (WpId i = 1; i < trace->frames.len; i++)
    self->modules.data[trace->frames.data[i].module].n += wants_name (trace, &trace->frames.data[i]);
  for (WpId i = 0; i < trace->modules.len; i++)
    {
      self->modules.data[i].module = i;
      self->modules.data[i].first = at;
      at += self->modules.data[i].n;
      self->modules.data[i].n = 0;
    }
  wp_array_resize (&self->frames, at);
  self->offsets = g_new (guint64, at);
  for (WpId i = 1; i < trace->frames.len; i++)
    if (wants_name (trace, &trace->frames.data[i]))
      {
        ModuleJob *module = &self->modules.data[trace->frames.data[i].module];

        self->offsets[module->first + module->n] = trace->frames.data[i].offset;
        self->frames.data[module->first + module->n++] = i;
      }
  wp_array_sort (&self->modules, compare_modules);
  while (self->modules.len > 0 && self->modules.data[self->modules.len - 1].n == 0)
    self->modules.len--;
  for (guint32 i = 0; i < self->modules.len; i++)
    describe_module (self, &self->modules.data[i]);
}

/* --- tables that are kept ----------------------------------------------------------------------------------------- */

static void
table_free (gpointer data)
{
  SymbolTable *self = data;

  for (guint32 i = 0; i < wp_functions_count (self->functions); i++)
    g_free (self->texts[i]);
  g_free (self->texts);
  wp_functions_free (self->functions);
  g_clear_pointer (&self->layout, wp_elf_file_free);
  g_free (self->build_id);
  g_free (self);
}

WpSymbolTables *
wp_symbol_tables_new (void)
{
  WpSymbolTables *self = g_new0 (WpSymbolTables, 1);

  self->tables = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, table_free);
  g_mutex_init (&self->lock);
  return self;
}

void
wp_symbol_tables_free (WpSymbolTables *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->tables);
  g_mutex_clear (&self->lock);
  g_free (self);
}

double
wp_symbol_tables_seconds (WpSymbolTables *self)
{
  double seconds;

  g_mutex_lock (&self->lock);
  seconds = self->seconds;
  g_mutex_unlock (&self->lock);
  return seconds;
}

static char *
key_of (const ModuleJob *module)
{
  return g_strconcat (module->path, "\n", module->build_id, NULL);
}

/* Those that are kept stay until the reading ends, since modules are done at the same time. */
static void
forget_tables (WpSymbolTables *self)
{
  if (self != NULL && g_hash_table_size (self->tables) > TABLES_MAX)
    g_hash_table_remove_all (self->tables);
}

/* --- one module --------------------------------------------------------------------------------------------------- */

static void
take_name (const Job *self, ModuleJob *module, guint32 *text_of_row, const WpFunctions *functions, guint32 frame, guint32 row)
{
  if (text_of_row[row] == 0)
    {
      const char *name = wp_functions_name (functions, row);
      char *plain = wp_demangle (self->demangler, name);

      g_ptr_array_add (module->texts, plain != NULL ? plain : g_strdup (name));
      text_of_row[row] = module->texts->len;
    }
  module->named += module->names[frame] == 0;
  module->names[frame] = text_of_row[row];
}

/* `layout` has the addresses by offsets; NULL: they are the same. */
static void
look_up_frames (const Job *self, ModuleJob *module, const WpFunctions *functions, const WpElfFile *layout)
{
  g_autofree guint32 *text_of_row = g_new0 (guint32, wp_functions_count (functions));

  for (guint32 i = 0; i < module->n; i++)
    {
      guint64 offset = self->offsets[module->first + i];
      gint64 row = wp_functions_find (functions, layout != NULL ? wp_elf_file_address (layout, offset) : offset);

      if (g_cancellable_is_cancelled (self->cancellable))
        return;
      if (row >= 0)
        take_name (self, module, text_of_row, functions, i, row);
    }
}

static void
read_jit (const Job *self, ModuleJob *module)
{
  g_autoptr (WpFunctions) functions = wp_jit_map_read (module->jit, self->cancellable);

  if (functions != NULL)
    look_up_frames (self, module, functions, NULL);
}

static void
read_files (const Job *self, ModuleJob *module, const WpElfFile *file, const WpElfFile *debug)
{
  g_autoptr (WpFunctions) functions = wp_functions_new ();

  module->kind = wp_elf_symbols_read (functions, file, debug, self->cancellable);
  wp_functions_sort (functions);
  if (module->kind != WP_SYMBOLS_NONE)
    look_up_frames (self, module, functions, file != NULL ? file : debug);
}

static void
take_from_table (const Job *self, ModuleJob *module, SymbolTable *table)
{
  g_autofree guint32 *text_of_row = g_new0 (guint32, wp_functions_count (table->functions));

  module->kind = table->kind;
  module->absent = table->absent;
  if (module->build_id == NULL)
    module->build_id = g_strdup (table->build_id);
  for (guint32 i = 0; i < module->n && table->kind != WP_SYMBOLS_NONE; i++)
    {
      guint64 offset = self->offsets[module->first + i];
      gint64 row = wp_functions_find (table->functions, wp_elf_file_address (table->layout, offset));

      if (row < 0)
        continue;
      if (text_of_row[row] == 0)
        {
          const char *name = wp_functions_name (table->functions, (guint32) row);

          if (table->texts[row] == NULL && (table->texts[row] = wp_demangle (self->demangler, name)) == NULL)
            table->texts[row] = g_strdup (name);
          g_ptr_array_add (module->texts, g_strdup (table->texts[row]));
          text_of_row[row] = module->texts->len;
        }
      module->named += module->names[i] == 0;
      module->names[i] = text_of_row[row];
    }
}

/* Cancelled, it may lack some; then it is not kept. */
static SymbolTable *
read_table (const Job *self, ModuleJob *module)
{
  SymbolTable *table = g_new0 (SymbolTable, 1);
  g_autoptr (WpElfFile) debug = NULL;

  table->layout = module->vdso ? wp_elf_file_vdso () : wp_main_file_open (module->path, module->build_id, self->options->symbol_root);
  if (module->path[0] == '/')
    debug = wp_debug_file_open (table->layout, module->build_id, self->options->symbol_root);
  table->absent = table->layout == NULL && debug == NULL && module->build_id != NULL && module->path[0] == '/';
  table->build_id = table->layout != NULL ? g_strdup (table->layout->build_id) : NULL;
  table->functions = wp_functions_new ();
  table->kind = wp_elf_symbols_read (table->functions, table->layout, debug, self->cancellable);
  wp_functions_sort (table->functions);
  table->texts = g_new0 (char *, wp_functions_count (table->functions));
  if (table->layout == NULL)
    table->layout = g_steal_pointer (&debug);
  return table;
}

static void
read_kept (const Job *self, ModuleJob *module)
{
  WpSymbolTables *tables = self->options->tables;
  g_autofree char *key = key_of (module);
  SymbolTable *table;

  g_mutex_lock (&tables->lock);
  table = g_hash_table_lookup (tables->tables, key);
  g_mutex_unlock (&tables->lock);
  if (table == NULL)
    {
      table = read_table (self, module);
      if (g_cancellable_is_cancelled (self->cancellable))
        {
          table_free (table);
          return;
        }
      g_mutex_lock (&tables->lock);
      g_hash_table_insert (tables->tables, g_steal_pointer (&key), table);
      g_mutex_unlock (&tables->lock);
    }
  take_from_table (self, module, table);
}

static void
read_module (const Job *self, ModuleJob *module)
{
  g_autoptr (WpElfFile) file = NULL, debug = NULL;

  if (module->jit >= 0)
    {
      read_jit (self, module);
      return;
    }
  if (self->options->tables != NULL)
    {
      read_kept (self, module);
      return;
    }
  file = module->vdso ? wp_elf_file_vdso () : wp_main_file_open (module->path, module->build_id, self->options->symbol_root);
  if (module->path[0] == '/')
    debug = wp_debug_file_open (file, module->build_id, self->options->symbol_root);
  module->absent = file == NULL && debug == NULL && module->build_id != NULL && module->path[0] == '/';
  if (module->build_id == NULL && file != NULL)
    module->build_id = g_strdup (file->build_id);
  read_files (self, module, file, debug);
}

static void
note_seconds (WpSymbolTables *self, double seconds)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->seconds += seconds;
  g_mutex_unlock (&self->lock);
}

static void
run_job (gpointer data, gpointer user_data)
{
  ModuleJob *module = data;
  Job *self = user_data;
  double since = wp_thread_seconds ();

  if (!g_cancellable_is_cancelled (self->cancellable))
    read_module (self, module);
  note_seconds (self->options->tables, wp_thread_seconds () - since);
  g_mutex_lock (&self->lock);
  module->done = TRUE;
  g_cond_signal (&self->finished);
  g_mutex_unlock (&self->lock);
}

/* --- into the trace ----------------------------------------------------------------------------------------------- */

static void
write_names (Job *self, ModuleJob *module)
{
  g_autofree WpId *functions = g_new0 (WpId, module->texts->len + 1);

  for (guint32 i = 0; i < module->n; i++)
    {
      guint32 text = module->names[i];

      if (text == 0)
        continue;
      if (functions[text] == 0)
        functions[text] = wp_trace_function (self->trace, module->module, module->texts->pdata[text - 1], 0);
      wp_trace_name_frame (self->trace, self->frames.data[module->first + i], functions[text]);
    }
}

static void
begin_module (ModuleJob *module)
{
  module->names = g_new0 (guint32, module->n);
  module->texts = g_ptr_array_new_with_free_func (g_free);
  module->named = 0;
}

static void
end_module (ModuleJob *module)
{
  g_clear_pointer (&module->names, g_free);
  g_clear_pointer (&module->texts, g_ptr_array_unref);
}

static gboolean
wait_for (Job *self, const ModuleJob *module, WpProgress *progress, GError **error)
{
  double fraction = (double) module->first / MAX (self->frames.len, 1);
  gboolean go_on = TRUE;

  g_mutex_lock (&self->lock);
  while ((go_on = wp_progress_step (progress, fraction, error)) && !module->done)
    g_cond_wait_until (&self->finished, &self->lock, g_get_monotonic_time () + WAIT);
  g_mutex_unlock (&self->lock);
  return go_on;
}

static gboolean
read_all (Job *self, WpProgress *progress, GError **error)
{
  GThreadPool *pool = g_thread_pool_new (run_job, self, MIN (g_get_num_processors (), WORKERS_MAX), FALSE, NULL);
  gboolean go_on = TRUE;

  for (guint32 i = 0; i < self->modules.len; i++)
    {
      begin_module (&self->modules.data[i]);
      g_thread_pool_push (pool, &self->modules.data[i], NULL);
    }
  for (guint32 i = 0; go_on && i < self->modules.len; i++)
    {
      go_on = wait_for (self, &self->modules.data[i], progress, error);
      if (go_on)
        write_names (self, &self->modules.data[i]);
      if (go_on)
        end_module (&self->modules.data[i]);
    }
  g_thread_pool_free (pool, TRUE, TRUE);
  for (guint32 i = 0; i < self->modules.len; i++)
    end_module (&self->modules.data[i]);
  return go_on;
}

/* --- from elsewhere ----------------------------------------------------------------------------------------------- */

/* What is no file on a disk, or has all its names, is not asked for. */
static gboolean
is_askable (const ModuleJob *module)
{
  static const char *const nameless[] = { "//", "/memfd:", "/dev/", "/SYSV", "/tmp/perf-" };

  for (guint i = 0; i < G_N_ELEMENTS (nameless); i++)
    if (g_str_has_prefix (module->path, nameless[i]))
      return FALSE;
  return module->path[0] == '/' && wp_is_build_id (module->build_id) && module->kind != WP_SYMBOLS_ALL && module->named < module->n;
}

static void
read_fetched (Job *self, ModuleJob *module, const char *path)
{
  g_autoptr (WpElfFile) file = wp_main_file_open (module->path, module->build_id, self->options->symbol_root);
  g_autoptr (WpElfFile) debug = wp_elf_file_open (path, module->build_id);

  if (debug == NULL)
    return;
  begin_module (module);
  read_files (self, module, file, debug);
  write_names (self, module);
  end_module (module);
}

/* `error` is not NULL. */
static gboolean
fetch_all (Job *self, WpProgress *progress, GError **error)
{
  WpDebuginfod *debuginfod = self->options->no_fetching ? NULL : wp_debuginfod_new (WP_FETCH_SECONDS);
  gboolean go_on = TRUE;

  if (debuginfod != NULL)
    wp_progress_phase (progress, "Fetching debugging information");
  for (guint32 i = 0; debuginfod != NULL && go_on && i < self->modules.len; i++)
    {
      ModuleJob *module = &self->modules.data[i];
      g_autofree char *path = NULL;

      if (!is_askable (module))
        continue;
      path = wp_debuginfod_fetch (debuginfod, module->build_id, NULL, progress, error);
      go_on = *error == NULL;
      if (path != NULL)
        read_fetched (self, module, path);
      else if (!wp_debuginfod_has_answered (module->build_id))
        wp_asked_files_note_passing ();
    }
  wp_debuginfod_free (debuginfod);
  return go_on;
}

static void
tell_absent (const Job *self)
{
  WpTrace *trace = self->trace;

  trace->diagnostics.n[WP_DIAG_ABSENT_FILES] = 0;
  for (guint32 i = 0; i < self->modules.len; i++)
    {
      const ModuleJob *module = &self->modules.data[i];
      WpModule *row = &trace->modules.data[module->module];

      row->absent = module->absent && module->named < module->n;
      trace->diagnostics.n[WP_DIAG_ABSENT_FILES] += row->absent;
    }
}

static guint64
clear (Job *self)
{
  guint64 named = 0;

  for (guint32 i = 0; i < self->modules.len; i++)
    {
      named += self->modules.data[i].named;
      g_free (self->modules.data[i].path);
      g_free (self->modules.data[i].build_id);
    }
  wp_array_clear (&self->modules);
  wp_array_clear (&self->frames);
  g_free (self->offsets);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->finished);
  return named;
}

guint64
wp_read_symbols (WpTrace *trace, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { 0 };
  Job self = { .trace = trace, .options = options != NULL ? options : &defaults,
               .cancellable = progress != NULL ? progress->cancellable : NULL };
  g_autoptr (GError) problem = NULL;
  guint64 own;

  if (self.options->no_symbols || trace->named)
    return 0;
  forget_tables (self.options->tables);
  own = take_own_names (trace);
  wp_progress_phase (progress, "Looking up function names");
  g_mutex_init (&self.lock);
  g_cond_init (&self.finished);
  self.demangler = wp_demangler_new (self.cancellable);
  collect (&self);
  if (!read_all (&self, progress, &problem) || !fetch_all (&self, progress, &problem))
    g_propagate_error (error, g_steal_pointer (&problem));
  tell_absent (&self);
  wp_demangler_tell (self.demangler, &trace->diagnostics);
  wp_demangler_free (self.demangler);
  wp_complete_stacks (trace);
  wp_count_stacks (trace);
  return own + clear (&self);
}
