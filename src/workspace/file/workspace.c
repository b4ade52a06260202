/* What is made of a recording, on threads: its symbols, the explanation of a process and of a marked range, the rows of Processes. */
#include "workspace/file/workspace-private.h"

#include <glib/gi18n.h>

#include "base/format.h"
#include "workspace/file/open-file.h"

#define QUIET_US (400 * 1000) /* so long an analysis of what is shown already goes on without a word */

static guint signals[WP_WORKSPACE_N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpWorkspace, wp_workspace, G_TYPE_OBJECT)

void
wp_workspace_tell (WpWorkspace *self, WpWorkspaceSignal signal)
{
  g_signal_emit (self, signals[signal], 0);
}

/* --- what there is --- */

WpShared *
wp_workspace_document (WpWorkspace *self)
{
  return self->document;
}

WpShared *
wp_workspace_rows (WpWorkspace *self)
{
  return self->rows;
}

const WpTrace *
wp_workspace_trace (WpWorkspace *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return self->reading_symbols == NULL ? document->trace : NULL;
}

gboolean
wp_workspace_is_recording (WpWorkspace *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return document->saved == NULL;
}

gboolean
wp_workspace_starts_explained (WpWorkspace *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return document->saved != NULL || document->trace->command_pid != 0;
}

gboolean
wp_workspace_busy (WpWorkspace *self)
{
  return self->reading_symbols != NULL || self->analysing != NULL;
}

WpShared *
wp_workspace_whole (WpWorkspace *self)
{
  return self->whole;
}

WpShared *
wp_workspace_shared_analysis (WpWorkspace *self)
{
  return self->range != NULL ? self->range : self->whole;
}

const WpAnalysis *
wp_workspace_analysis (WpWorkspace *self)
{
  return wp_shared_get (wp_workspace_shared_analysis (self));
}

gboolean
wp_workspace_has_range (WpWorkspace *self)
{
  return self->range != NULL;
}

WpId
wp_workspace_task (WpWorkspace *self)
{
  return self->state.task;
}

char *
wp_workspace_chosen (WpWorkspace *self)
{
  const WpTrace *trace = wp_workspace_trace (self);

  if (self->whole != NULL && self->state.also->len > 0)
    return g_strdup (((const WpAnalysis *) wp_shared_get (self->whole))->paths->name);
  if (self->state.task == 0 || self->whole == NULL || trace == NULL || self->state.task >= trace->tasks.len)
    return NULL;
  return g_strdup_printf ("%s (%d)", wp_trace_task_name (trace, self->state.task), trace->tasks.data[self->state.task].tid);
}

const char *
wp_workspace_failure (WpWorkspace *self)
{
  return self->failure;
}

WpProblems *
wp_workspace_problems (WpWorkspace *self)
{
  const WpTrace *trace = wp_workspace_trace (self);

  return trace != NULL ? wp_problems_of_recording (trace, wp_workspace_analysis (self)) : NULL;
}

/* Symbols that are being read change nothing of this. */
const char *
wp_workspace_recorder_text (WpWorkspace *self, const char *key)
{
  const WpDocument *document = wp_shared_get (self->document);
  GHashTable *extra = document->trace != NULL ? document->trace->extra : NULL;

  return extra != NULL ? g_hash_table_lookup (extra, key) : NULL;
}

/* --- a time range --- */

static void
set_range (WpWorkspace *self, WpShared *range)
{
  gboolean differs = range != NULL || self->range != NULL;

  wp_shared_unref (self->range);
  self->range = range;
  g_signal_emit (self, signals[WP_WORKSPACE_RANGE_EXPLAINED], 0, differs);
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

static void
on_range_done (gpointer result, const GError *error, gpointer data)
{
  WpWorkspace *self = data;

  self->explaining_range = NULL;
  set_range (self, result != NULL ? wp_shared_new (result, wp_analysis_free) : NULL);
}

static WpTreeOptions
tree_options (const WpWorkspace *self)
{
  return (WpTreeOptions) { .inverted = self->state.options.on[WP_OPTION_INVERTED],
                           .collapse_recursion = self->state.options.on[WP_OPTION_COLLAPSE_RECURSION],
                           .depth = { .depth = self->state.options.depth, .opened = wp_shared_get (self->state.opened), .hide = wp_shared_get (self->state.hide),
                                      .by_module = self->state.options.colors == WP_COLORS_MODULE, .ghosts = wp_shared_get (self->state.ghosts) } };
}

void
wp_workspace_explain_range (WpWorkspace *self)
{
  WpTreeOptions tree = tree_options (self);

  wp_worker_drop (&self->explaining_range);
  if (self->whole == NULL || self->state.from >= self->state.to)
    {
      set_range (self, NULL);
      return;
    }
  tree.depth.ghosts = NULL; /* the flame view is that of the whole */
  tree.from = self->state.from;
  tree.to = self->state.to;
  self->explaining_range = wp_worker_start (&(WpWorkerSpec) { .run = wp_range_run,
                                                              .done = on_range_done,
                                                              .data = wp_range_request_new (self->whole, tree, self->state.opened, self->state.hide,
                                                                                            self->state.options.on[WP_OPTION_ICICLE]),
                                                              .free_data = wp_range_request_free,
                                                              .free_result = wp_analysis_free,
                                                              .user_data = self });
}

void
wp_workspace_mark (WpWorkspace *self, gint64 from, gint64 to)
{
  if (from == self->state.from && to == self->state.to)
    return;
  wp_workspace_keep (self);
  self->state.from = from;
  self->state.to = to;
  wp_workspace_explain_range (self);
}

/* --- the process of interest --- */

/* What takes but a moment does not make the picture flicker. */
static void
on_analysis_told (const char *phase, double fraction, gpointer data)
{
  WpWorkspace *self = data;

  if (!self->again || g_get_monotonic_time () - self->since >= QUIET_US)
    g_signal_emit (self, signals[WP_WORKSPACE_EXPLAINING], 0, phase, fraction, !self->again);
}

static void
on_analysis_done (gpointer result, const GError *error, gpointer data)
{
  WpWorkspace *self = data;

  self->analysing = NULL;
  wp_worker_drop (&self->explaining_range);
  g_clear_pointer (&self->range, wp_shared_unref);
  g_clear_pointer (&self->whole, wp_shared_unref);
  g_clear_pointer (&self->failure, g_free);
  if (result != NULL)
    {
      self->whole = wp_shared_new (result, wp_analysis_free);
      wp_view_state_clear (&self->explained);
      self->explained = wp_view_state_copy (&self->state);
    }
  else
    self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[WP_WORKSPACE_EXPLAINED], 0, self->again);
  wp_workspace_explain_range (self);
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

static WpAnalysisRequest *
new_request (WpWorkspace *self)
{
  WpAnalysisRequest *request = wp_analysis_request_new (self->document, self->state.task);
  const GArray *cuts = wp_cuts_ops (self->state.cuts);

  for (guint i = 0; i < self->state.also->len; i++)
    wp_array_push (&request->also, g_array_index (self->state.also, WpId, i));
  request->options.merge_threads = self->state.options.on[WP_OPTION_MERGE_THREADS];
  request->options.started_work = self->state.options.on[WP_OPTION_STARTED_WORK];
  request->tree = tree_options (self);
  request->opened = wp_shared_ref (self->state.opened);
  request->hide = wp_shared_ref (self->state.hide);
  request->ghosts = wp_shared_ref (self->state.ghosts);
  request->icicle = self->state.options.on[WP_OPTION_ICICLE];
  request->before = wp_shared_ref (self->whole);
  for (guint i = 0; i < cuts->len; i++)
    wp_array_push (&request->cuts, g_array_index (cuts, WpId, i));
  return request;
}

void
wp_workspace_analyse (WpWorkspace *self, gboolean again)
{
  wp_worker_drop (&self->analysing);
  self->again = again;
  self->since = g_get_monotonic_time ();
  if (!again)
    g_signal_emit (self, signals[WP_WORKSPACE_EXPLAINING], 0, NULL, 0.0, TRUE);
  self->analysing = wp_worker_start (&(WpWorkerSpec) { .run = wp_analysis_run,
                                                       .told = on_analysis_told,
                                                       .done = on_analysis_done,
                                                       .data = new_request (self),
                                                       .free_data = wp_analysis_request_free,
                                                       .free_result = wp_analysis_free,
                                                       .user_data = self });
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

void
wp_workspace_analyse_again (WpWorkspace *self)
{
  if (self->whole != NULL || self->analysing != NULL)
    wp_workspace_analyse (self, self->whole != NULL && (self->analysing == NULL || self->again));
}

static gboolean
is_explained (WpWorkspace *self, WpId task)
{
  const WpAnalysis *analysis = wp_shared_get (self->whole);

  return analysis != NULL && task != 0 && wp_analysis_is_of (analysis, task);
}

/* Cuts and what is opened or drawn again are of what was explained before. */
static void
explain_anew (WpWorkspace *self, WpId task, const WpId *also, guint n)
{
  if (self->whole != NULL)
    wp_workspace_keep (self);
  self->state.task = task;
  g_array_set_size (self->state.also, 0);
  g_array_append_vals (self->state.also, also, n);
  wp_cuts_clear (self->state.cuts);
  g_clear_pointer (&self->state.opened, wp_shared_unref);
  g_clear_pointer (&self->state.ghosts, wp_shared_unref);
  wp_workspace_tell (self, WP_WORKSPACE_CUTS_CHANGED);
  wp_workspace_analyse (self, FALSE);
}

void
wp_workspace_explain (WpWorkspace *self, WpId task)
{
  self->task_wanted = self->reading_symbols != NULL;
  self->wanted = task;
  if (self->reading_symbols != NULL)
    {
      g_signal_emit (self, signals[WP_WORKSPACE_EXPLAINING], 0, N_("Reading symbols"), -1.0, FALSE);
      return;
    }
  if (is_explained (self, task) && self->state.also->len == 0 && (self->analysing == NULL || self->again))
    return;
  explain_anew (self, task, NULL, 0);
}

gboolean
wp_workspace_can_explain_also (WpWorkspace *self, WpId task)
{
  const WpTrace *trace = wp_workspace_trace (self);

  return trace != NULL && self->whole != NULL && wp_workspace_is_recording (self) && task != 0
         && trace->tasks.data[task].kind == WP_TASK_THREAD && !is_explained (self, task);
}

void
wp_workspace_explain_also (WpWorkspace *self, WpId task)
{
  if (!wp_workspace_can_explain_also (self, task))
    return;
  wp_workspace_keep (self);
  g_array_append_val (self->state.also, task);
  wp_workspace_analyse (self, FALSE);
}

/* The task that was asked for first, and those that are explained together with it. */
static GArray *
copy_chosen (WpWorkspace *self)
{
  GArray *chosen = g_array_copy (self->state.also);

  return g_array_prepend_val (chosen, self->state.task);
}

guint
wp_workspace_chosen_number (WpWorkspace *self)
{
  g_autoptr (GArray) chosen = copy_chosen (self);

  for (guint i = 0; i < self->chosen->len; i++)
    if (wp_same_ids (self->chosen->pdata[i], chosen))
      return i;
  g_ptr_array_add (self->chosen, g_steal_pointer (&chosen));
  return self->chosen->len - 1;
}

void
wp_workspace_choose_number (WpWorkspace *self, guint number)
{
  const GArray *chosen = self->chosen->pdata[number];

  if (number == wp_workspace_chosen_number (self))
    return;
  if (chosen->len == 1)
    wp_workspace_explain (self, g_array_index (chosen, WpId, 0));
  else
    explain_anew (self, g_array_index (chosen, WpId, 0), &g_array_index (chosen, WpId, 1), chosen->len - 1);
}

gboolean
wp_workspace_cancel (WpWorkspace *self)
{
  gboolean back = self->analysing != NULL && self->whole != NULL;

  wp_worker_drop (&self->analysing);
  if (back)
    {
      wp_view_state_analyse_as (&self->state, &self->explained);
      wp_workspace_tell (self, WP_WORKSPACE_CUTS_CHANGED);
      wp_workspace_tell (self, WP_WORKSPACE_HIDE_CHANGED);
      wp_workspace_tell (self, WP_WORKSPACE_UNDONE);
    }
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
  return self->whole != NULL;
}

/* --- Processes with other options --- */

static void
on_layout_done (gpointer result, const GError *error, gpointer data)
{
  WpWorkspace *self = data;

  self->laying_out = NULL;
  if (result == NULL)
    return;
  wp_shared_unref (self->rows);
  self->rows = result;
  wp_workspace_tell (self, WP_WORKSPACE_PROCESSES_CHANGED);
}

void
wp_workspace_lay_out (WpWorkspace *self)
{
  self->rows_wanted = self->reading_symbols != NULL;
  if (self->rows_wanted)
    return;
  wp_worker_drop (&self->laying_out);
  self->laying_out = wp_worker_start (&(WpWorkerSpec) { .run = wp_rows_request_run,
                                                        .done = on_layout_done,
                                                        .data = wp_rows_request_new (self->document, &self->state.options),
                                                        .free_data = wp_rows_request_free,
                                                        .free_result = (GDestroyNotify) wp_shared_unref,
                                                        .user_data = self });
}

/* --- notes --- */

WpNotes *
wp_workspace_notes (WpWorkspace *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return document->trace->notes;
}

gboolean
wp_workspace_note (WpWorkspace *self, gint64 time, const char *text)
{
  gboolean done = wp_notes_set (wp_workspace_notes (self), time, text);

  wp_workspace_tell (self, WP_WORKSPACE_NOTES_CHANGED);
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
  return done;
}

/* A line break would end the item. */
char *
wp_workspace_notes_text (WpWorkspace *self, gint64 origin)
{
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (self));
  GString *text = g_string_new (NULL);
  char time[WP_FORMAT_MAX];

  for (guint i = 0; i < notes->len; i++)
    {
      const WpNote *note = &g_array_index (notes, WpNote, i);
      g_autofree char *line = g_strdelimit (g_strdup (note->text), "\r\n", ' ');

      g_string_append_printf (text, "- **%s** %s\n", wp_format_time (note->time - origin, WP_NS_PER_US, time), line);
    }
  return g_string_free (text, FALSE);
}

/* --- symbols --- */

/* What can be explained without being asked. */
static void
explain_first (WpWorkspace *self)
{
  if (self->task_wanted)
    wp_workspace_explain (self, self->wanted);
  else if (wp_workspace_starts_explained (self))
    wp_workspace_explain (self, 0);
}

static void
on_symbols_told (const char *phase, double fraction, gpointer data)
{
  WpWorkspace *self = data;

  g_signal_emit (self, signals[WP_WORKSPACE_SYMBOLS_PROGRESS], 0, fraction);
}

/* Sleeps are labelled by functions, so Processes may say more now. */
static void
on_symbols_done (gpointer result, const GError *error, gpointer data)
{
  WpWorkspace *self = data;
  gboolean failed = error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  self->reading_symbols = NULL;
  wp_shared_unref (result);
  g_signal_emit (self, signals[WP_WORKSPACE_SYMBOLS_READ], 0, failed ? error->message : NULL);
  if (self->state.options.on[WP_OPTION_SHOW_SLEEPS] || self->rows_wanted)
    wp_workspace_lay_out (self);
  explain_first (self);
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

void
wp_workspace_skip_symbols (WpWorkspace *self)
{
  wp_worker_cancel (self->reading_symbols);
}

/* Text has its names already, but its stacks are to be completed, too. */
void
wp_workspace_start (WpWorkspace *self)
{
  if (!wp_workspace_is_recording (self))
    {
      explain_first (self);
      return;
    }
  self->reading_symbols = wp_worker_start (&(WpWorkerSpec) { .run = wp_symbols_run,
                                                             .told = on_symbols_told,
                                                             .done = on_symbols_done,
                                                             .data = wp_shared_ref (self->document),
                                                             .free_data = (GDestroyNotify) wp_shared_unref,
                                                             .free_result = (GDestroyNotify) wp_shared_unref,
                                                             .user_data = self });
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

/* --- the object --- */

static void
wp_workspace_dispose (GObject *object)
{
  WpWorkspace *self = WP_WORKSPACE (object);
  WpWorker **const workers[] = { &self->reading_symbols, &self->laying_out, &self->analysing, &self->explaining_range };

  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    wp_worker_drop (workers[i]);
  G_OBJECT_CLASS (wp_workspace_parent_class)->dispose (object);
}

static void
wp_workspace_finalize (GObject *object)
{
  WpWorkspace *self = WP_WORKSPACE (object);

  g_clear_pointer (&self->range, wp_shared_unref);
  g_clear_pointer (&self->whole, wp_shared_unref);
  g_clear_pointer (&self->rows, wp_shared_unref);
  g_clear_pointer (&self->document, wp_shared_unref);
  wp_view_state_clear (&self->state);
  wp_view_state_clear (&self->explained);
  for (guint32 i = 0; i < self->past.len; i++)
    wp_view_state_clear (&self->past.data[i]);
  wp_array_clear (&self->past);
  g_ptr_array_unref (self->chosen);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_workspace_parent_class)->finalize (object);
}

static void
wp_workspace_class_init (WpWorkspaceClass *klass)
{
  static const struct
  {
    const char *name;
    guint n;
    GType types[3];
  } specs[WP_WORKSPACE_N_SIGNALS] = {
    [WP_WORKSPACE_SYMBOLS_PROGRESS] = { "symbols-progress", 1, { G_TYPE_DOUBLE } },
    [WP_WORKSPACE_SYMBOLS_READ] = { "symbols-read", 1, { G_TYPE_STRING } },
    [WP_WORKSPACE_PROCESSES_CHANGED] = { "processes-changed", 0, { 0 } },
    [WP_WORKSPACE_EXPLAINING] = { "explaining", 3, { G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_BOOLEAN } },
    [WP_WORKSPACE_EXPLAINED] = { "explained", 1, { G_TYPE_BOOLEAN } },
    [WP_WORKSPACE_RANGE_EXPLAINED] = { "range-explained", 1, { G_TYPE_BOOLEAN } },
    [WP_WORKSPACE_CUTS_CHANGED] = { "cuts-changed", 0, { 0 } },
    [WP_WORKSPACE_HIDE_CHANGED] = { "hide-changed", 0, { 0 } },
    [WP_WORKSPACE_NOTES_CHANGED] = { "notes-changed", 0, { 0 } },
    [WP_WORKSPACE_UNDONE] = { "undone", 0, { 0 } },
    [WP_WORKSPACE_CHANGED] = { "changed", 0, { 0 } },
  };

  G_OBJECT_CLASS (klass)->dispose = wp_workspace_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_workspace_finalize;
  for (guint i = 0; i < WP_WORKSPACE_N_SIGNALS; i++)
    signals[i] = g_signal_newv (specs[i].name, WP_TYPE_WORKSPACE, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, specs[i].n,
                                (GType *) specs[i].types);
}

static void
wp_workspace_init (WpWorkspace *self)
{
  wp_view_state_init (&self->state);
  self->chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_ptr_array_add (self->chosen, copy_chosen (self));
}

WpWorkspace *
wp_workspace_new (WpShared *document, WpShared *rows, const WpViewOptions *options)
{
  WpWorkspace *self = g_object_new (WP_TYPE_WORKSPACE, NULL);

  self->document = wp_shared_ref (document);
  self->rows = wp_shared_ref (rows);
  wp_view_options_copy (&self->state.options, options);
  return self;
}
