#include "workspace/file/workspace.h"

#include <glib/gi18n.h>

#include "base/format.h"
#include "base/sort.h"
#include "workspace/worker.h"
#include "workspace/file/boxes.h"
#include "workspace/file/search.h"
#include "workspace/file/open-file.h"
#include "workspace/file/seen.h"

#define QUIET_US (400 * 1000) /* so long an analysis of what is shown already goes on without a word */
#define SEEN_MAX 200

struct _WpWorkspace
{
  GObject parent_instance;

  WpShared *document, *rows;
  WpSeen seen;
  WP_ARRAY (WpSeen) past;  /* before each change; the latest is the last */
  gboolean filtering;      /* that was kept before the filter began to be typed */
  GPtrArray *chosen;       /* GArray of WpId: what wp_workspace_chosen_number() has numbered, the first one 0 */
  gboolean viewed;         /* somebody has told which view is looked at */
  WpShared *whole, *range; /* WpAnalysis, or NULL */
  char *failure;
  gboolean again;          /* the analysis going on is of the process that is shown already */
  gint64 since;            /* when it began: monotonic time, µs */
  gboolean task_wanted;    /* asked for while symbols are being read: `wanted` */
  gboolean rows_wanted;    /* the same of Processes with other options */
  WpId wanted;
  WpWorker *reading_symbols, *laying_out, *analysing, *explaining_range;
};

enum
{
  SIGNAL_SYMBOLS_PROGRESS,
  SIGNAL_SYMBOLS_READ,
  SIGNAL_PROCESSES_CHANGED,
  SIGNAL_EXPLAINING,
  SIGNAL_EXPLAINED,
  SIGNAL_RANGE_EXPLAINED,
  SIGNAL_CUTS_CHANGED,
  SIGNAL_HIDE_CHANGED,
  SIGNAL_NOTES_CHANGED,
  SIGNAL_UNDONE,
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpWorkspace, wp_workspace, G_TYPE_OBJECT)

static void
changed (WpWorkspace *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
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
  return self->seen.task;
}

char *
wp_workspace_chosen (WpWorkspace *self)
{
  const WpTrace *trace = wp_workspace_trace (self);

  if (self->whole != NULL && self->seen.also->len > 0)
    return g_strdup (((const WpAnalysis *) wp_shared_get (self->whole))->paths->name);
  if (self->seen.task == 0 || self->whole == NULL || trace == NULL || self->seen.task >= trace->tasks.len)
    return NULL;
  return g_strdup_printf ("%s (%d)", wp_trace_task_name (trace, self->seen.task), trace->tasks.data[self->seen.task].tid);
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

/* --- what can be undone --- */

/* Before anything is changed by hand. */
static void
keep (WpWorkspace *self)
{
  if (self->past.len == SEEN_MAX)
    {
      wp_seen_clear (&self->past.data[0]);
      memmove (self->past.data, self->past.data + 1, --self->past.len * sizeof *self->past.data);
    }
  wp_array_push (&self->past, wp_seen_copy (&self->seen));
  self->filtering = FALSE;
}

/* --- a time range --- */

static void
set_range (WpWorkspace *self, WpShared *range)
{
  gboolean differs = range != NULL || self->range != NULL;

  wp_shared_unref (self->range);
  self->range = range;
  g_signal_emit (self, signals[SIGNAL_RANGE_EXPLAINED], 0, differs);
  changed (self);
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
  return (WpTreeOptions) { .inverted = self->seen.options.on[WP_OPTION_INVERTED],
                           .collapse_recursion = self->seen.options.on[WP_OPTION_COLLAPSE_RECURSION],
                           .depth = { self->seen.options.depth, wp_shared_get (self->seen.opened), wp_shared_get (self->seen.hide), wp_shared_get (self->seen.ghosts) } };
}

static void
explain_range (WpWorkspace *self)
{
  WpTreeOptions tree = tree_options (self);

  wp_worker_drop (&self->explaining_range);
  if (self->whole == NULL || self->seen.from >= self->seen.to)
    {
      set_range (self, NULL);
      return;
    }
  tree.depth.ghosts = NULL; /* the flame view is that of the whole */
  tree.from = self->seen.from;
  tree.to = self->seen.to;
  self->explaining_range = wp_worker_start (&(WpWorkerSpec) { .run = wp_range_run,
                                                              .done = on_range_done,
                                                              .data = wp_range_request_new (self->whole, tree, self->seen.opened, self->seen.hide,
                                                                                            self->seen.options.on[WP_OPTION_ICICLE]),
                                                              .free_data = wp_range_request_free,
                                                              .free_result = wp_analysis_free,
                                                              .user_data = self });
}

void
wp_workspace_mark (WpWorkspace *self, gint64 from, gint64 to)
{
  if (from == self->seen.from && to == self->seen.to)
    return;
  keep (self);
  self->seen.from = from;
  self->seen.to = to;
  explain_range (self);
}

/* --- the process of interest --- */

/* What takes but a moment does not make the picture flicker. */
static void
on_analysis_told (const char *phase, double fraction, gpointer data)
{
  WpWorkspace *self = data;

  if (!self->again || g_get_monotonic_time () - self->since >= QUIET_US)
    g_signal_emit (self, signals[SIGNAL_EXPLAINING], 0, phase, fraction, !self->again);
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
    self->whole = wp_shared_new (result, wp_analysis_free);
  else
    self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[SIGNAL_EXPLAINED], 0, self->again);
  explain_range (self);
  changed (self);
}

static WpAnalysisRequest *
new_request (WpWorkspace *self)
{
  WpAnalysisRequest *request = wp_analysis_request_new (self->document, self->seen.task);
  const GArray *cuts = wp_cuts_ops (self->seen.cuts);

  for (guint i = 0; i < self->seen.also->len; i++)
    wp_array_push (&request->also, g_array_index (self->seen.also, WpId, i));
  request->options.merge_threads = self->seen.options.on[WP_OPTION_MERGE_THREADS];
  request->options.started_work = self->seen.options.on[WP_OPTION_STARTED_WORK];
  request->tree = tree_options (self);
  request->opened = wp_shared_ref (self->seen.opened);
  request->hide = wp_shared_ref (self->seen.hide);
  request->ghosts = wp_shared_ref (self->seen.ghosts);
  request->icicle = self->seen.options.on[WP_OPTION_ICICLE];
  for (guint i = 0; i < cuts->len; i++)
    wp_array_push (&request->cuts, g_array_index (cuts, WpId, i));
  return request;
}

static void
analyse (WpWorkspace *self, gboolean again)
{
  wp_worker_drop (&self->analysing);
  self->again = again;
  self->since = g_get_monotonic_time ();
  if (!again)
    g_signal_emit (self, signals[SIGNAL_EXPLAINING], 0, NULL, 0.0, TRUE);
  self->analysing = wp_worker_start (&(WpWorkerSpec) { .run = wp_analysis_run,
                                                       .told = on_analysis_told,
                                                       .done = on_analysis_done,
                                                       .data = new_request (self),
                                                       .free_data = wp_analysis_request_free,
                                                       .free_result = wp_analysis_free,
                                                       .user_data = self });
  changed (self);
}

static void
analyse_again (WpWorkspace *self)
{
  if (self->whole != NULL || self->analysing != NULL)
    analyse (self, self->whole != NULL && (self->analysing == NULL || self->again));
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
    keep (self);
  self->seen.task = task;
  g_array_set_size (self->seen.also, 0);
  g_array_append_vals (self->seen.also, also, n);
  wp_cuts_clear (self->seen.cuts);
  g_clear_pointer (&self->seen.opened, wp_shared_unref);
  g_clear_pointer (&self->seen.ghosts, wp_shared_unref);
  g_signal_emit (self, signals[SIGNAL_CUTS_CHANGED], 0);
  analyse (self, FALSE);
}

void
wp_workspace_explain (WpWorkspace *self, WpId task)
{
  self->task_wanted = self->reading_symbols != NULL;
  self->wanted = task;
  if (self->reading_symbols != NULL)
    {
      g_signal_emit (self, signals[SIGNAL_EXPLAINING], 0, N_("Reading symbols"), -1.0, FALSE);
      return;
    }
  if (is_explained (self, task) && self->seen.also->len == 0 && (self->analysing == NULL || self->again))
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
  keep (self);
  g_array_append_val (self->seen.also, task);
  analyse (self, FALSE);
}

/* The task that was asked for first, and those that are explained together with it. */
static GArray *
copy_chosen (WpWorkspace *self)
{
  GArray *chosen = g_array_copy (self->seen.also);

  return g_array_prepend_val (chosen, self->seen.task);
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
  wp_worker_drop (&self->analysing);
  changed (self);
  return self->again && self->whole != NULL;
}

/* --- cuts --- */

const WpCuts *
wp_workspace_cuts (WpWorkspace *self)
{
  return self->seen.cuts;
}

gboolean
wp_workspace_can_cut (WpWorkspace *self, WpId part)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);
  const WpPart *p;

  if (analysis == NULL || part == 0 || part >= analysis->paths->parts.len || !wp_workspace_is_recording (self))
    return FALSE;
  p = &analysis->paths->parts.data[part];
  return p->parent != 0 || !analysis->paths->paths.data[p->path].base;
}

static void
tell_cuts (WpWorkspace *self)
{
  g_signal_emit (self, signals[SIGNAL_CUTS_CHANGED], 0);
  analyse_again (self);
}

void
wp_workspace_cut (WpWorkspace *self, WpId op)
{
  if (op == 0 || g_array_binary_search ((GArray *) wp_cuts_ops (self->seen.cuts), &op, wp_compare_ids, NULL))
    return;
  keep (self);
  wp_cuts_add (self->seen.cuts, op);
  tell_cuts (self);
}

void
wp_workspace_restore_cuts (WpWorkspace *self)
{
  if (wp_cuts_ops (self->seen.cuts)->len == 0)
    return;
  keep (self);
  wp_cuts_clear (self->seen.cuts);
  tell_cuts (self);
}

/* --- what is hidden --- */

const WpHideRules *
wp_workspace_hide_rules (WpWorkspace *self)
{
  return wp_shared_get (self->seen.hide);
}

/* Takes rules, of which there may be none. */
static void
set_rules (WpWorkspace *self, WpShared *rules)
{
  wp_shared_unref (self->seen.hide);
  self->seen.hide = rules;
  g_signal_emit (self, signals[SIGNAL_HIDE_CHANGED], 0);
  analyse_again (self);
}

static void
change_rules (WpWorkspace *self, WpHideRules *rules)
{
  gboolean none = rules->len == 0;

  keep (self);
  if (none)
    wp_hide_rules_free (rules);
  set_rules (self, none ? NULL : wp_shared_new (rules, (GDestroyNotify) wp_hide_rules_free));
}

/* Everything that the depth hides is hidden. */
static void
close_folds (WpWorkspace *self)
{
  if (self->seen.opened == NULL)
    return;
  g_clear_pointer (&self->seen.opened, wp_shared_unref);
  analyse_again (self);
}

gboolean
wp_workspace_hide (WpWorkspace *self, WpHideKind kind, const char *text, GError **error)
{
  const WpHideRules *before = wp_workspace_hide_rules (self);
  WpHideRules *rules = wp_hide_rules_copy (before);
  gboolean added = wp_hide_rules_add (rules, kind, text, error);

  if (added && (before == NULL || rules->len > before->len))
    {
      wp_workspace_close_found (self);
      change_rules (self, rules);
      return TRUE;
    }
  wp_hide_rules_free (rules);
  if (added)
    close_folds (self);
  return added;
}

/* At depth Waits a box of words is of no module. */
const char *
wp_workspace_hideable (WpWorkspace *self, const WpRows *rows, guint32 box, WpHideKind kind)
{
  const WpTrace *trace = wp_workspace_trace (self);
  WpId function = wp_box_function (rows, box, trace, wp_workspace_analysis (self)), module;

  if (kind == WP_HIDE_FUNCTION)
    return function != 0 ? wp_trace_function_name (trace, function) : NULL;
  if (function == 0 && self->seen.options.depth == WP_DEPTH_WAITS)
    return NULL;
  module = wp_box_module (rows, box, trace, wp_workspace_analysis (self));
  return module != 0 ? wp_trace_module_name (trace, module) : NULL;
}

void
wp_workspace_unhide (WpWorkspace *self, guint32 rule)
{
  WpHideRules *rules = wp_hide_rules_copy (wp_workspace_hide_rules (self));

  wp_hide_rules_remove (rules, rule);
  change_rules (self, rules);
}

void
wp_workspace_unhide_all (WpWorkspace *self)
{
  if (self->seen.hide != NULL)
    change_rules (self, wp_hide_rules_copy (NULL));
}


/* --- depth --- */

WpDepth
wp_workspace_depth (WpWorkspace *self)
{
  return self->seen.options.depth;
}

void
wp_workspace_set_depth (WpWorkspace *self, WpDepth depth)
{
  if (depth == self->seen.options.depth && self->seen.opened == NULL)
    return;
  keep (self);
  self->seen.options.depth = depth;
  g_clear_pointer (&self->seen.opened, wp_shared_unref);
  analyse_again (self);
}

/* Who opened a fold, as bits; it is shown as long as one of them stands. */
enum
{
  OPENED_BY_HAND = 1,
  OPENED_BY_SEARCH = 2,
};

/* A copy of what is open, to be changed; set_opened() takes it. NULL: there is nothing to open. */
static guint8 *
copy_opened (WpWorkspace *self)
{
  const WpTrace *trace = wp_workspace_trace (self);
  guint8 *opened;

  if (trace == NULL || self->whole == NULL || (self->seen.options.depth == WP_DEPTH_ALL && self->seen.hide == NULL))
    return NULL;
  opened = g_new0 (guint8, MAX (trace->stacks.len, 1));
  if (self->seen.opened != NULL)
    memcpy (opened, wp_shared_get (self->seen.opened), trace->stacks.len);
  return opened;
}

/* FALSE: that is what was open before, and nothing is analysed again. */
static gboolean
set_opened (WpWorkspace *self, guint8 *opened)
{
  guint32 n = wp_workspace_trace (self)->stacks.len;
  const guint8 *before = wp_shared_get (self->seen.opened);
  gboolean any = FALSE, differs = FALSE;

  for (guint32 s = 0; s < n; s++)
    {
      any |= opened[s] != 0;
      differs |= opened[s] != (before != NULL ? before[s] : 0);
    }
  if (!differs)
    {
      g_free (opened);
      return FALSE;
    }
  wp_shared_unref (self->seen.opened);
  self->seen.opened = wp_shared_new (opened, g_free);
  if (!any)
    g_clear_pointer (&self->seen.opened, wp_shared_unref);
  analyse_again (self);
  return TRUE;
}

void
wp_workspace_open_folds (WpWorkspace *self, const WpRows *rows, guint32 hidden)
{
  guint8 *opened = hidden != 0 ? copy_opened (self) : NULL;

  if (opened == NULL)
    return;
  for (guint32 h = hidden; h != 0; h = rows->hidden.data[h].next)
    opened[rows->hidden.data[h].inner] |= OPENED_BY_HAND;
  keep (self);
  set_opened (self, opened);
}

/* What was opened for another text, and has nothing of this one, is closed again. */
gboolean
wp_workspace_open_matching (WpWorkspace *self, const char *text)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);
  guint8 *opened = copy_opened (self);
  g_autofree guint32 *matching = NULL;

  if (opened == NULL)
    return FALSE;
  matching = wp_search_matching_stacks (wp_workspace_trace (self), text);
  for (WpId s = 1; s < wp_workspace_trace (self)->stacks.len; s++)
    if (matching[s] == 0)
      opened[s] &= OPENED_BY_HAND;
  for (guint i = 0; i < 2; i++)
    {
      const WpRows *rows = wp_shared_get (i == 0 ? analysis->flame : analysis->consolidated);

      for (guint32 h = 1; rows != NULL && h < rows->hidden.len; h++)
        if (wp_search_is_hidden (matching, &rows->hidden.data[h]))
          opened[rows->hidden.data[h].inner] |= OPENED_BY_SEARCH;
    }
  return set_opened (self, opened);
}

void
wp_workspace_close_found (WpWorkspace *self)
{
  guint8 *opened = self->seen.opened != NULL ? copy_opened (self) : NULL;

  if (opened == NULL)
    return;
  for (WpId s = 0; s < wp_workspace_trace (self)->stacks.len; s++)
    opened[s] &= OPENED_BY_HAND;
  set_opened (self, opened);
}

/* --- what is waited for in other lanes --- */

gboolean
wp_workspace_can_turn_ghost (WpWorkspace *self, WpId part)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);

  return analysis != NULL && part != 0 && part < analysis->paths->parts.len && wp_part_waits_elsewhere (&analysis->paths->parts.data[part]);
}

void
wp_workspace_turn_ghost (WpWorkspace *self, WpId part)
{
  const GArray *before = wp_shared_get (self->seen.ghosts);
  GArray *ghosts = before != NULL ? g_array_copy ((GArray *) before) : g_array_new (FALSE, FALSE, sizeof (WpId));
  WpId op = wp_workspace_analysis (self)->paths->parts.data[part].op;
  guint at;

  keep (self);
  if (g_array_binary_search (ghosts, &op, wp_compare_ids, &at))
    g_array_remove_index (ghosts, at);
  else
    {
      g_array_append_val (ghosts, op);
      g_array_sort (ghosts, wp_compare_ids);
    }
  wp_shared_unref (self->seen.ghosts);
  self->seen.ghosts = wp_shared_new (ghosts, (GDestroyNotify) g_array_unref);
  analyse_again (self);
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
  g_signal_emit (self, signals[SIGNAL_PROCESSES_CHANGED], 0);
}

static void
lay_out (WpWorkspace *self)
{
  self->rows_wanted = self->reading_symbols != NULL;
  if (self->rows_wanted)
    return;
  wp_worker_drop (&self->laying_out);
  self->laying_out = wp_worker_start (&(WpWorkerSpec) { .run = wp_rows_request_run,
                                                        .done = on_layout_done,
                                                        .data = wp_rows_request_new (self->document, &self->seen.options),
                                                        .free_data = wp_rows_request_free,
                                                        .free_result = (GDestroyNotify) wp_shared_unref,
                                                        .user_data = self });
}

gboolean
wp_workspace_option (WpWorkspace *self, WpOption option)
{
  return self->seen.options.on[option];
}

void
wp_workspace_set_option (WpWorkspace *self, WpOption option, gboolean on)
{
  if (self->seen.options.on[option] == on)
    return;
  keep (self);
  self->seen.options.on[option] = on;
  if (wp_option_of (option) == WP_OPTION_OF_PROCESSES)
    lay_out (self);
  else
    analyse_again (self);
}

void
wp_workspace_set_sort (WpWorkspace *self, WpSort sort)
{
  if (sort == self->seen.options.sort)
    return;
  keep (self);
  self->seen.options.sort = sort;
  lay_out (self);
}

WpSort
wp_workspace_sort (WpWorkspace *self)
{
  return self->seen.options.sort;
}

/* What goes on being typed is one change. */
void
wp_workspace_set_filter (WpWorkspace *self, const char *filter)
{
  const char *before = wp_workspace_filter (self);

  if (g_str_equal (filter, before))
    return;
  if (!self->filtering || *before == '\0' || !g_str_has_prefix (filter, before))
    keep (self);
  self->filtering = TRUE;
  g_free (self->seen.options.filter);
  self->seen.options.filter = *filter != '\0' ? g_strdup (filter) : NULL;
  lay_out (self);
}

const char *
wp_workspace_filter (WpWorkspace *self)
{
  return self->seen.options.filter != NULL ? self->seen.options.filter : "";
}

/* --- colours --- */

WpColors
wp_workspace_colors (WpWorkspace *self)
{
  return self->seen.options.colors;
}

void
wp_workspace_set_colors (WpWorkspace *self, WpColors colors)
{
  if (colors == self->seen.options.colors)
    return;
  keep (self);
  self->seen.options.colors = colors;
  changed (self);
}

/* Puts a key behind the others, or takes it away. */
static void
turn (WpKeys *keys, gint32 key)
{
  for (guint32 i = 0; i < keys->len; i++)
    if (keys->data[i] == key)
      {
        memmove (keys->data + i, keys->data + i + 1, (--keys->len - i) * sizeof *keys->data);
        return;
      }
  wp_array_push (keys, key);
}

void
wp_workspace_turn_row (WpWorkspace *self, gint32 key)
{
  keep (self);
  turn (&self->seen.options.turned, key);
  lay_out (self);
}

void
wp_workspace_pin_row (WpWorkspace *self, gint32 key)
{
  keep (self);
  turn (&self->seen.options.pinned, key);
  lay_out (self);
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

  g_signal_emit (self, signals[SIGNAL_NOTES_CHANGED], 0);
  changed (self);
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

/* --- undo --- */

int
wp_workspace_view (WpWorkspace *self)
{
  return self->seen.view;
}

void
wp_workspace_set_view (WpWorkspace *self, int view)
{
  gboolean first = !self->viewed;

  self->viewed = TRUE;
  if (view == self->seen.view)
    return;
  if (!first)
    keep (self);
  self->seen.view = view;
}

void
wp_workspace_range (WpWorkspace *self, gint64 *from, gint64 *to)
{
  *from = self->seen.from;
  *to = self->seen.to;
}

gboolean
wp_workspace_can_undo (WpWorkspace *self)
{
  return self->past.len > 0;
}

/* What goes back to what is there already, as after another way back, is passed over. */
void
wp_workspace_undo (WpWorkspace *self)
{
  self->filtering = FALSE;
  while (self->past.len > 0)
    {
      WpSeen before = self->past.data[--self->past.len];
      WpSeenChange change = wp_seen_compare (&before, &self->seen);

      wp_seen_clear (&self->seen);
      self->seen = before;
      if (!change.any)
        continue;
      g_signal_emit (self, signals[SIGNAL_UNDONE], 0);
      if (change.hide)
        g_signal_emit (self, signals[SIGNAL_HIDE_CHANGED], 0);
      if (change.cuts || change.task)
        g_signal_emit (self, signals[SIGNAL_CUTS_CHANGED], 0);
      if (change.processes)
        lay_out (self);
      if (change.task)
        analyse (self, FALSE);
      else if (change.analysis)
        analyse_again (self);
      else if (change.range)
        explain_range (self);
      break;
    }
  changed (self);
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

  g_signal_emit (self, signals[SIGNAL_SYMBOLS_PROGRESS], 0, fraction);
}

/* Sleeps are labelled by functions, so Processes may say more now. */
static void
on_symbols_done (gpointer result, const GError *error, gpointer data)
{
  WpWorkspace *self = data;
  gboolean failed = error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  self->reading_symbols = NULL;
  wp_shared_unref (result);
  g_signal_emit (self, signals[SIGNAL_SYMBOLS_READ], 0, failed ? error->message : NULL);
  if (self->seen.options.on[WP_OPTION_SHOW_SLEEPS] || self->rows_wanted)
    lay_out (self);
  explain_first (self);
  changed (self);
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
  changed (self);
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
  wp_seen_clear (&self->seen);
  for (guint32 i = 0; i < self->past.len; i++)
    wp_seen_clear (&self->past.data[i]);
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
  } specs[N_SIGNALS] = {
    [SIGNAL_SYMBOLS_PROGRESS] = { "symbols-progress", 1, { G_TYPE_DOUBLE } },
    [SIGNAL_SYMBOLS_READ] = { "symbols-read", 1, { G_TYPE_STRING } },
    [SIGNAL_PROCESSES_CHANGED] = { "processes-changed", 0, { 0 } },
    [SIGNAL_EXPLAINING] = { "explaining", 3, { G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_BOOLEAN } },
    [SIGNAL_EXPLAINED] = { "explained", 1, { G_TYPE_BOOLEAN } },
    [SIGNAL_RANGE_EXPLAINED] = { "range-explained", 1, { G_TYPE_BOOLEAN } },
    [SIGNAL_CUTS_CHANGED] = { "cuts-changed", 0, { 0 } },
    [SIGNAL_HIDE_CHANGED] = { "hide-changed", 0, { 0 } },
    [SIGNAL_NOTES_CHANGED] = { "notes-changed", 0, { 0 } },
    [SIGNAL_UNDONE] = { "undone", 0, { 0 } },
    [SIGNAL_CHANGED] = { "changed", 0, { 0 } },
  };

  G_OBJECT_CLASS (klass)->dispose = wp_workspace_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_workspace_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_newv (specs[i].name, WP_TYPE_WORKSPACE, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, specs[i].n,
                                (GType *) specs[i].types);
}

static void
wp_workspace_init (WpWorkspace *self)
{
  wp_seen_init (&self->seen);
  self->chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_ptr_array_add (self->chosen, copy_chosen (self));
}

WpWorkspace *
wp_workspace_new (WpShared *document, WpShared *rows, const WpViewOptions *options)
{
  WpWorkspace *self = g_object_new (WP_TYPE_WORKSPACE, NULL);

  self->document = wp_shared_ref (document);
  self->rows = wp_shared_ref (rows);
  wp_view_options_copy (&self->seen.options, options);
  return self;
}
