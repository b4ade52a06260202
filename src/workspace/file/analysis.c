#include "workspace/file/analysis.h"

#include "base/beside.h"

#include <glib/gi18n.h>

/* Of a process, or of a time range of it: what does not hang on how it is shown. */
typedef struct
{
  WpId task; /* as in the request; of a range: nothing */
  WpIdArray also, cuts;
  WpPathOptions options;
  WpPaths *paths;
  gboolean owns_paths;
  WpExplanation *explanation;
  WpAnswer *answer;
  WpStackCountArray process_stacks;
  WpStackCount stacks;
  GMutex lock;
  WpAtLeast *at_least; /* with the lock; NULL: nobody has asked yet */
} WpExplained;

static void
explained_free (gpointer data)
{
  WpExplained *self = data;

  if (self->at_least != NULL)
    wp_at_least_clear (self->at_least);
  g_free (self->at_least);
  g_mutex_clear (&self->lock);
  g_clear_pointer (&self->answer, wp_answer_free);
  g_clear_pointer (&self->explanation, wp_explanation_free);
  if (self->owns_paths)
    g_clear_pointer (&self->paths, wp_paths_free);
  wp_array_clear (&self->process_stacks);
  wp_array_clear (&self->also);
  wp_array_clear (&self->cuts);
  g_free (self);
}

WpAnalysisRequest *
wp_analysis_request_new (WpShared *document, WpId task)
{
  WpAnalysisRequest *self = g_new0 (WpAnalysisRequest, 1);

  self->document = wp_shared_ref (document);
  self->task = task;
  self->options = WP_PATH_OPTIONS_DEFAULT;
  return self;
}

void
wp_analysis_request_free (gpointer request)
{
  WpAnalysisRequest *self = request;

  wp_shared_unref (self->document);
  wp_shared_unref (self->opened);
  wp_shared_unref (self->hide);
  wp_shared_unref (self->ghosts);
  wp_shared_unref (self->before);
  wp_array_clear (&self->cuts);
  wp_array_clear (&self->also);
  g_free (self);
}

void
wp_analysis_free (gpointer analysis)
{
  WpAnalysis *self = analysis;

  wp_shared_unref (self->flame);
  wp_shared_unref (self->strip);
  wp_shared_unref (self->consolidated);
  g_clear_pointer (&self->tree, wp_tree_free);
  wp_shared_unref (self->basis);
  wp_shared_unref (self->opened);
  wp_shared_unref (self->hide);
  wp_shared_unref (self->ghosts);
  wp_shared_unref (self->explained);
  wp_shared_unref (self->whole);
  wp_shared_unref (self->document);
  g_free (self);
}

static gboolean
is_base (const WpPaths *paths, const WpIdArray *tasks)
{
  for (guint32 i = 0; i < paths->base_tasks.len; i++)
    for (guint32 k = 0; k < tasks->len; k++)
      if (paths->base_tasks.data[i] == tasks->data[k])
        return TRUE;
  return FALSE;
}

gboolean
wp_analysis_is_of (const WpAnalysis *self, WpId task)
{
  WpIdArray tasks = { 0 };
  gboolean is;

  wp_paths_process_of (self->paths->trace, task, &tasks);
  is = is_base (self->paths, &tasks);
  wp_array_clear (&tasks);
  return is;
}

/* A saved profile explains one process only. */
static gboolean
use_saved (WpExplained *self, WpDocument *document, const WpIdArray *tasks, GError **error)
{
  if (tasks->len > 0 && !is_base (document->saved, tasks))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                   _("This profile explains “%s” only. To see another process, open the recording that it was made from."),
                   document->saved->name);
      return FALSE;
    }
  self->paths = document->saved;
  return TRUE;
}

static WpPaths *
make_paths (const WpTrace *trace, const WpIdArray *tasks, const WpAnalysisRequest *request, WpProgress *progress,
            GError **error)
{
  WpPathOptions options = request->options;

  options.cuts = request->cuts.len > 0 ? &request->cuts : NULL;
  return wp_paths_new (trace, tasks->data, tasks->len, &options, progress, error);
}

/* "make, cc1": each process once. */
static void
name_together (WpPaths *paths, const WpIdArray *also)
{
  g_autoptr (GString) name = g_string_new (paths->name);

  for (guint32 i = 0; i < also->len; i++)
    g_string_append_printf (name, ", %s", wp_trace_task_name (paths->trace, also->data[i]));
  g_free (paths->name);
  paths->name = g_strdup (name->str);
}

static gboolean
find_paths (WpExplained *self, const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  WpDocument *document = wp_shared_get (request->document);
  WpIdArray tasks = { 0 };
  gboolean found = TRUE;

  wp_progress_phase (progress, "Following what it waited for");
  if (request->task != 0)
    wp_paths_process_of (document->trace, request->task, &tasks);
  if (document->saved != NULL)
    found = use_saved (self, document, &tasks, error);
  else
    {
      if (request->task == 0)
        found = wp_paths_find_tasks (document->trace, NULL, &tasks, error);
      for (guint32 i = 0; i < request->also.len; i++)
        wp_paths_process_of (document->trace, request->also.data[i], &tasks);
      if (found)
        self->paths = make_paths (document->trace, &tasks, request, progress, error);
      if (self->paths != NULL)
        name_together (self->paths, &request->also);
      self->owns_paths = TRUE;
    }
  wp_array_clear (&tasks);
  return self->paths != NULL;
}

/* The process of interest is several where it goes on in other programs. */
static void
count_stacks (WpExplained *self)
{
  const WpTrace *trace = self->paths->trace;
  g_autofree guint8 *seen = g_new0 (guint8, trace->tasks.len);

  wp_count_process_stacks (trace, &self->process_stacks);
  for (guint32 i = 0; i < self->paths->base_tasks.len; i++)
    for (WpId t = self->paths->base_tasks.data[i]; t != 0; t = trace->tasks.data[t].after)
      {
        WpId leader = trace->tasks.data[t].leader;

        if (seen[leader])
          continue;
        seen[leader] = 1;
        self->stacks.stacks += self->process_stacks.data[leader].stacks;
        self->stacks.whole += self->process_stacks.data[leader].whole;
      }
}

/* What is refused for being out of proportion leaves what else there is. */
static gboolean
is_refused (GError **error)
{
  if (error == NULL || !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

static WpRows *
lay_out_tree (const WpAnalysis *self, gboolean icicle, gboolean by_module)
{
  WpModuleHues modules = { 0 };
  WpBodies bodies = { 0 };
  WpRows *rows;

  if (by_module)
    wp_module_hues_init (&modules, self->paths);
  else
    wp_bodies_of_paths (&bodies, self->paths);
  rows = by_module ? wp_layout_tree_by_module (self->tree, icicle, &modules) : wp_layout_tree (self->tree, icicle, &bodies);
  wp_module_hues_clear (&modules);
  wp_bodies_clear (&bodies);
  return rows;
}

/* What the depth wants to know of the paths is found once for all that is made of them. FALSE when cancelled. */
static gboolean
find_at_least (const WpAnalysis *self, WpDepthChoice *depth, WpProgress *progress, GError **error)
{
  WpExplained *explained = wp_shared_get (wp_analysis_whole (self)->explained);
  g_autoptr (GMutexLocker) locker = NULL;
  WpAtLeast *made;

  if (!wp_depth_asks_at_least (depth))
    return TRUE;
  locker = g_mutex_locker_new (&explained->lock);
  if (explained->at_least == NULL)
    {
      made = g_new0 (WpAtLeast, 1);
      if (!wp_at_least_init (made, self->paths, progress, error))
        {
          wp_at_least_clear (made);
          g_free (made);
          return FALSE;
        }
      explained->at_least = made;
    }
  depth->at_least = explained->at_least;
  return TRUE;
}

static gboolean
has_same_basis (const WpAnalysis *self, const WpAnalysis *other)
{
  return other != NULL && other->basis != NULL && self->explained == other->explained && self->depth.depth == other->depth.depth
         && self->opened == other->opened && self->hide == other->hide && self->collapse_recursion == other->collapse_recursion;
}

static gboolean
find_basis (WpAnalysis *self, const WpAnalysis *before, const WpTreeOptions *given, WpProgress *progress, GError **error)
{
  WpTreeOptions options = *given;
  WpTreeBasis *basis = NULL;

  if (has_same_basis (self, before))
    {
      self->basis = wp_shared_ref (before->basis);
      return TRUE;
    }
  if (find_at_least (self, &options.depth, progress, error))
    basis = wp_tree_basis_new (self->paths, &options, progress, error);
  if (basis != NULL)
    self->basis = wp_shared_new (basis, (GDestroyNotify) wp_tree_basis_free);
  return basis != NULL;
}

static gboolean
gather (WpAnalysis *self, const WpAnalysis *before, WpTreeOptions options, gboolean icicle, WpProgress *progress, GError **error)
{
  WpRows *rows;

  options.explanation = self->explanation;
  self->collapse_recursion = options.collapse_recursion;
  wp_progress_phase (progress, "Gathering the call tree");
  if (!find_basis (self, before, &options, progress, error))
    return FALSE;
  self->tree = wp_tree_of_basis (wp_shared_get (self->basis), options.inverted, progress, error);
  if (self->tree == NULL)
    return is_refused (error);
  rows = lay_out_tree (self, icicle, options.depth.by_module);
  self->n_folded[1] = wp_depth_count_folded (self->paths->trace, &rows->hidden);
  self->consolidated = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  return TRUE;
}

/* Unless that was done for an analysis before. */
static gboolean
find_answer (gpointer data, WpProgress *progress, GError **error)
{
  WpAnalysis *self = data;
  WpExplained *explained = wp_shared_get (self->explained);

  if (explained->answer == NULL)
    explained->answer = wp_answer_new (self->paths, self->explanation, progress, error);
  self->answer = explained->answer;
  return self->answer != NULL;
}

static gboolean
same_ids (const WpIdArray *a, const WpIdArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof *a->data) == 0);
}

static gboolean
is_explained (const WpExplained *self, const WpAnalysisRequest *request)
{
  return self->task == request->task && same_ids (&self->also, &request->also) && same_ids (&self->cuts, &request->cuts)
         && self->options.grace == request->options.grace && self->options.merge_threads == request->options.merge_threads
         && self->options.started_work == request->options.started_work;
}

static WpExplained *
explained_new (void)
{
  WpExplained *self = g_new0 (WpExplained, 1);

  g_mutex_init (&self->lock);
  return self;
}

static WpExplained *
explain_process (const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  WpExplained *self = explained_new ();

  self->task = request->task;
  self->options = request->options;
  wp_array_copy (&self->also, &request->also);
  wp_array_copy (&self->cuts, &request->cuts);
  if (find_paths (self, request, progress, error))
    self->explanation = wp_explain (self->paths, 0, G_MAXINT64, progress, error);
  if (self->explanation == NULL)
    {
      explained_free (self);
      return NULL;
    }
  count_stacks (self);
  return self;
}

/* Takes it; NULL: there is none. */
static gboolean
take_explained (WpAnalysis *self, WpShared *shared)
{
  const WpExplained *explained = wp_shared_get (shared);

  if (explained == NULL)
    return FALSE;
  self->explained = shared;
  self->paths = explained->paths;
  self->explanation = explained->explanation;
  return TRUE;
}

static gboolean
find_explained (WpAnalysis *self, const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  const WpAnalysis *before = wp_shared_get (request->before);
  gboolean same = before != NULL && is_explained (wp_shared_get (before->explained), request);
  WpExplained *explained = same ? NULL : explain_process (request, progress, error);

  if (!take_explained (self, same ? wp_shared_ref (before->explained) : explained != NULL ? wp_shared_new (explained, explained_free) : NULL))
    return FALSE;
  explained = wp_shared_get (self->explained);
  self->stacks = explained->stacks;
  self->process_stacks = &explained->process_stacks;
  return TRUE;
}

static gboolean
has_same_flame (const WpAnalysis *self, const WpAnalysis *other)
{
  return other != NULL && self->explained == other->explained && self->depth.depth == other->depth.depth
         && self->depth.by_module == other->depth.by_module && self->opened == other->opened && self->hide == other->hide
         && self->ghosts == other->ghosts;
}

/* It hangs on no depth. */
static WpShared *
share_strip (const WpAnalysis *self, const WpAnalysis *other)
{
  if (other != NULL && self->explained == other->explained && other->strip != NULL)
    return wp_shared_ref (other->strip);
  return wp_shared_new (wp_layout_strip (self->paths, self->explanation), (GDestroyNotify) wp_rows_free);
}

static gboolean
lay_out_flame (WpAnalysis *self, const WpAnalysis *before, WpProgress *progress, GError **error)
{
  WpDepthChoice depth = self->depth;
  WpRows *rows = NULL;

  wp_progress_phase (progress, "Drawing the flame view");
  if (find_at_least (self, &depth, progress, error))
    rows = wp_layout_flame (self->paths, self->explanation, depth, progress, error);
  if (rows == NULL)
    return is_refused (error);
  self->n_folded[0] = wp_depth_count_folded (self->paths->trace, &rows->hidden);
  self->flame = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  self->strip = share_strip (self, before);
  return TRUE;
}

static void
share_flame (WpAnalysis *self, const WpAnalysis *other)
{
  self->flame = wp_shared_ref (other->flame);
  self->strip = wp_shared_ref (other->strip);
  self->n_folded[0] = other->n_folded[0];
}

/* The flame view, which a thread makes beside the rest. */
typedef struct
{
  WpAnalysis *analysis;
  const WpAnalysis *before;
} FlameWork;

static gboolean
find_flame (gpointer data, WpProgress *progress, GError **error)
{
  const FlameWork *work = data;

  if (!has_same_flame (work->analysis, work->before))
    return lay_out_flame (work->analysis, work->before, progress, error);
  share_flame (work->analysis, work->before);
  return TRUE;
}

static gboolean
lay_out (WpAnalysis *self, const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  FlameWork flame = { self, wp_shared_get (request->before) };
  WpBeside beside;
  gboolean done;

  self->depth = request->tree.depth;
  self->opened = wp_shared_ref (request->opened);
  self->hide = wp_shared_ref (request->hide);
  self->ghosts = wp_shared_ref (request->ghosts);
  wp_beside_start (&beside, find_flame, &flame, progress);
  done = gather (self, flame.before, request->tree, request->icicle, progress, error) && find_answer (self, progress, error);
  return wp_beside_join (&beside, error) && done;
}

gpointer
wp_analysis_run (gpointer data, WpProgress *progress, GError **error)
{
  const WpAnalysisRequest *request = data;
  WpAnalysis *self = g_new0 (WpAnalysis, 1);

  self->document = wp_shared_ref (request->document);
  if (find_explained (self, request, progress, error) && lay_out (self, request, progress, error))
    return self;
  wp_analysis_free (self);
  return NULL;
}

WpRangeRequest *
wp_range_request_new (WpShared *analysis, WpTreeOptions tree, WpShared *opened, WpShared *hide, gboolean icicle)
{
  WpRangeRequest *self = g_new0 (WpRangeRequest, 1);

  self->analysis = wp_shared_ref (analysis);
  self->tree = tree;
  self->opened = wp_shared_ref (opened);
  self->hide = wp_shared_ref (hide);
  self->icicle = icicle;
  return self;
}

void
wp_range_request_free (gpointer request)
{
  WpRangeRequest *self = request;

  wp_shared_unref (self->analysis);
  wp_shared_unref (self->opened);
  wp_shared_unref (self->hide);
  g_free (self);
}

static WpShared *
explain_range (const WpAnalysis *whole, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  WpExplained *self = explained_new ();

  self->paths = whole->paths;
  self->explanation = wp_explain_range (self->paths, whole->explanation, from, to, progress, error);
  if (self->explanation != NULL)
    return wp_shared_new (self, explained_free);
  explained_free (self);
  return NULL;
}

static gboolean
lay_out_range (WpAnalysis *self, const WpRangeRequest *request, WpProgress *progress, GError **error)
{
  WpBeside beside;
  gboolean done;

  wp_beside_start (&beside, find_answer, self, progress);
  done = gather (self, NULL, request->tree, request->icicle, progress, error);
  return wp_beside_join (&beside, error) && done;
}

gpointer
wp_range_run (gpointer data, WpProgress *progress, GError **error)
{
  const WpRangeRequest *request = data;
  const WpAnalysis *whole = wp_shared_get (request->analysis);
  WpAnalysis *self = g_new0 (WpAnalysis, 1);

  self->document = wp_shared_ref (whole->document);
  self->whole = wp_shared_ref (request->analysis);
  self->stacks = whole->stacks;
  share_flame (self, whole);
  if (take_explained (self, explain_range (whole, request->tree.from, request->tree.to, progress, error))
      && lay_out_range (self, request, progress, error))
    return self;
  wp_analysis_free (self);
  return NULL;
}
