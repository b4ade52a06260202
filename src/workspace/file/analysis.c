#include "workspace/file/analysis.h"

#include <glib/gi18n.h>

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
  g_clear_pointer (&self->answer, wp_answer_free);
  g_clear_pointer (&self->explanation, wp_explanation_free);
  if (self->owns_paths)
    g_clear_pointer (&self->paths, wp_paths_free);
  wp_array_clear (&self->process_stacks);
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
use_saved (WpAnalysis *self, WpDocument *document, const WpIdArray *tasks, GError **error)
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
find_paths (WpAnalysis *self, const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  WpDocument *document = wp_shared_get (request->document);
  WpIdArray tasks = { 0 };
  gboolean found = TRUE;

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
count_stacks (WpAnalysis *self)
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

static gboolean
gather (WpAnalysis *self, WpTreeOptions options, gboolean icicle, WpProgress *progress, GError **error)
{
  WpRows *rows;

  options.explanation = self->explanation;
  wp_progress_phase (progress, "Gathering the call tree");
  self->tree = wp_tree_new (self->paths, &options, progress, error);
  if (self->tree == NULL)
    return is_refused (error);
  rows = lay_out_tree (self, icicle, options.depth.by_module);
  self->n_folded[1] = wp_depth_count_folded (self->paths->trace, &rows->hidden);
  self->consolidated = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  return TRUE;
}

static gboolean
explain (WpAnalysis *self, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  wp_progress_phase (progress, "Explaining");
  self->explanation = wp_explain (self->paths, from, to, progress, error);
  if (self->explanation != NULL)
    self->answer = wp_answer_new (self->paths, self->explanation, progress, error);
  return self->answer != NULL;
}

static gboolean
lay_out (WpAnalysis *self, const WpAnalysisRequest *request, WpProgress *progress, GError **error)
{
  WpRows *rows;

  count_stacks (self);
  if (!explain (self, 0, G_MAXINT64, progress, error))
    return FALSE;
  wp_progress_phase (progress, "Drawing the flame view");
  rows = wp_layout_flame (self->paths, self->explanation, request->tree.depth, progress, error);
  if (rows == NULL && !is_refused (error))
    return FALSE;
  if (rows != NULL)
    {
      self->n_folded[0] = wp_depth_count_folded (self->paths->trace, &rows->hidden);
      self->flame = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
      self->strip = wp_shared_new (wp_layout_strip (self->paths, self->explanation), (GDestroyNotify) wp_rows_free);
    }
  return gather (self, request->tree, request->icicle, progress, error);
}

gpointer
wp_analysis_run (gpointer data, WpProgress *progress, GError **error)
{
  const WpAnalysisRequest *request = data;
  WpAnalysis *self = g_new0 (WpAnalysis, 1);

  self->document = wp_shared_ref (request->document);
  wp_progress_phase (progress, "Following what it waited for");
  if (find_paths (self, request, progress, error) && lay_out (self, request, progress, error))
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

gpointer
wp_range_run (gpointer data, WpProgress *progress, GError **error)
{
  const WpRangeRequest *request = data;
  const WpAnalysis *whole = wp_shared_get (request->analysis);
  WpAnalysis *self = g_new0 (WpAnalysis, 1);

  self->document = wp_shared_ref (whole->document);
  self->whole = wp_shared_ref (request->analysis);
  self->paths = whole->paths;
  self->stacks = whole->stacks;
  self->flame = wp_shared_ref (whole->flame);
  self->strip = wp_shared_ref (whole->strip);
  self->n_folded[0] = whole->n_folded[0];
  if (explain (self, request->tree.from, request->tree.to, progress, error)
      && gather (self, request->tree, request->icicle, progress, error))
    return self;
  wp_analysis_free (self);
  return NULL;
}
