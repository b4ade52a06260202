/* The process of interest: its control paths, explanation and flame views, made in a worker. */
#include "app/page-private.h"

#include <glib/gi18n.h>

static void
show_flame_busy (WpPage *self, const char *phase, double fraction)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_busy (self->view[v], phase != NULL ? phase : _("Explaining"), fraction);
}

void
wp_page_show_explanation (WpPage *self)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  WpViewId timed = self->current == WP_VIEW_PROCESSES ? WP_VIEW_PROCESSES : WP_VIEW_FLAME;
  const WpRows *rows = wp_canvas_rows (wp_view_canvas (self->view[timed]));

  wp_explanation_panel_show (self->panel, wp_page_explanation (self), analysis != NULL ? analysis->paths->name : NULL,
                             self->range != NULL, rows != NULL ? rows->start : 0);
}

static void
drop_analysis (WpPage *self)
{
  wp_job_drop (&self->explaining);
  wp_view_set_rows (self->view[WP_VIEW_FLAME], NULL, FALSE);
  wp_view_set_rows (self->view[WP_VIEW_CONSOLIDATED], NULL, FALSE);
  g_clear_pointer (&self->range, wp_explanation_free);
  g_clear_pointer (&self->analysis, wp_shared_unref);
}

static void
on_told (const char *phase, double fraction, gpointer data)
{
  show_flame_busy (data, phase, fraction);
}

static void
show_failure (WpPage *self, const GError *error)
{
  g_autofree char *text = g_markup_escape_text (error->message, -1);

  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_empty (self->view[v], WP_ICON_FLAME, _("Nothing to Show Yet"), text);
}

static void
on_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;

  self->analysing = NULL;
  drop_analysis (self);
  if (result == NULL)
    show_failure (self, error);
  else
    {
      self->analysis = wp_shared_new (result, wp_analysis_free);
      wp_view_set_rows (self->view[WP_VIEW_FLAME], wp_page_analysis (self)->flame, FALSE);
      wp_view_set_rows (self->view[WP_VIEW_CONSOLIDATED], wp_page_analysis (self)->consolidated, FALSE);
    }
  wp_page_update_toolbars (self);
  wp_page_show_explanation (self);
  wp_page_show_details (self);
  wp_page_changed (self);
}

static gboolean
is_shown (WpPage *self, WpId task)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  WpIdArray tasks = { 0 };
  gboolean shown = FALSE;

  if (analysis == NULL || task == 0 || wp_page_trace (self) == NULL)
    return FALSE;
  wp_paths_process_of (wp_page_trace (self), task, &tasks);
  for (guint32 i = 0; i < tasks.len && !shown; i++)
    for (guint32 k = 0; k < analysis->paths->base_tasks.len && !shown; k++)
      shown = tasks.data[i] == analysis->paths->base_tasks.data[k];
  wp_array_clear (&tasks);
  return shown;
}

static void
start (WpPage *self)
{
  WpAnalysisRequest *request = wp_analysis_request_new (self->document, self->task);

  request->options.merge_threads = self->merge_threads;
  request->inverted = self->inverted;
  request->icicle = self->icicle;
  wp_job_drop (&self->analysing);
  show_flame_busy (self, NULL, 0);
  wp_explanation_panel_show_busy (self->panel);
  self->analysing = wp_job_start (&(WpJobSpec) { .run = wp_analysis_run,
                                                 .told = on_told,
                                                 .done = on_done,
                                                 .data = request,
                                                 .free_data = wp_analysis_request_free,
                                                 .free_result = wp_analysis_free,
                                                 .user_data = self });
  wp_page_changed (self);
}

void
wp_page_explain_task (WpPage *self, WpId task)
{
  if (self->document == NULL)
    return;
  self->wanted = self->trace_busy;
  self->wanted_task = task;
  if (self->trace_busy)
    {
      show_flame_busy (self, _("Reading symbols"), -1);
      return;
    }
  self->task = task;
  if (!is_shown (self, task))
    start (self);
}

void
wp_page_explain_again (WpPage *self)
{
  if (self->analysis != NULL || self->analysing != NULL)
    start (self);
}

static void
open_task (WpPage *self, WpId task)
{
  const WpTrace *trace = wp_page_trace (self);

  if (trace != NULL && trace->tasks.data[task].kind != WP_TASK_THREAD)
    {
      wp_page_toast (self, _("Only processes have a flame view; this is a device"));
      return;
    }
  wp_page_set_view (self, WP_VIEW_FLAME);
  wp_page_explain_task (self, task);
}

/* A row of Processes is a task; one of the flame view a control path, which is named after a task. */
void
wp_page_open_row (WpPage *self, guint row)
{
  const WpRows *rows = wp_canvas_rows (wp_page_canvas (self));
  const WpAnalysis *analysis = wp_page_analysis (self);
  const WpRow *r = rows != NULL && row < rows->rows.len ? &rows->rows.data[row] : NULL;

  if (r != NULL && r->ref_kind == WP_REF_TASK)
    open_task (self, r->ref);
  else if (r != NULL && r->ref_kind == WP_REF_PATH && analysis != NULL && r->ref < analysis->paths->paths.len)
    open_task (self, analysis->paths->paths.data[r->ref].task);
}

/* The task behind a box of the current view: in Processes that of its row, so that this works while symbols are read. */
void
wp_page_open_box (WpPage *self, guint box)
{
  const WpRows *rows = wp_canvas_rows (wp_page_canvas (self));
  const WpTrace *trace = wp_page_trace (self);
  WpId op;

  if (self->current == WP_VIEW_PROCESSES)
    {
      wp_page_open_row (self, wp_rows_row_of (rows, box));
      return;
    }
  op = trace != NULL ? wp_box_op (&rows->boxes.data[box], wp_page_analysis (self)) : 0;
  if (op != 0)
    open_task (self, trace->ops.data[op].task);
}

/* --- a time range --- */

static void
on_range_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;

  self->explaining = NULL;
  g_clear_pointer (&self->range, wp_explanation_free);
  self->range = result;
  wp_page_show_explanation (self);
  wp_page_changed (self);
}

void
wp_page_explain_range (WpPage *self)
{
  double start_ns = 0, end_ns = 0;

  wp_job_drop (&self->explaining);
  if (self->analysis == NULL)
    return;
  if (!wp_canvas_mark (wp_view_canvas (self->view[WP_VIEW_FLAME]), &start_ns, &end_ns)
      && !wp_canvas_mark (wp_view_canvas (self->view[WP_VIEW_PROCESSES]), &start_ns, &end_ns))
    {
      g_clear_pointer (&self->range, wp_explanation_free);
      wp_page_show_explanation (self);
      wp_page_changed (self);
      return;
    }
  self->explaining = wp_job_start (
    &(WpJobSpec) { .run = wp_range_run,
                   .done = on_range_done,
                   .data = wp_range_request_new (self->analysis, (gint64) start_ns, (gint64) end_ns),
                   .free_data = wp_range_request_free,
                   .free_result = (GDestroyNotify) wp_explanation_free,
                   .user_data = self });
}
