/* The process of interest: its control paths, explanation and flame views, made in a worker. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#include "workspace/boxes.h"

#define QUIET_US (400 * 1000) /* an analysis of what is shown already goes on so long without a word */

static void
show_flame_busy (WpPage *self, const char *phase, double fraction)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_busy (self->view[v], phase != NULL ? _(phase) : _("Explaining"), fraction);
}

void
wp_page_show_explanation (WpPage *self)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  WpViewId timed = self->current == WP_VIEW_PROCESSES ? WP_VIEW_PROCESSES : WP_VIEW_FLAME;
  const WpRows *rows = wp_canvas_rows (wp_view_canvas (self->view[timed]));

  wp_explanation_panel_show (self->panel, wp_page_explanation (self), analysis != NULL ? analysis->paths : NULL,
                             self->range != NULL, rows != NULL ? rows->start : 0);
}

/* What a view without rows says: it would be out of all proportion. */
static const struct
{
  const char *title, *text, *offer, *action;
} refused[WP_N_VIEWS] = {
  [WP_VIEW_FLAME] = { N_("Too Much to Draw"),
                      N_("In time order these stacks would be boxes out of all proportion to the recording. Gathered, they can be drawn, "
                         "and the explanation tells where the time went."),
                      N_("Consolidated Flame View"), "win.view::consolidated" },
  [WP_VIEW_CONSOLIDATED] = { N_("Too Much to Turn Over"),
                             N_("With the innermost functions first, these stacks are too many and too deep. As they were called, they can be "
                                "drawn."),
                             N_("Outermost Functions First"), "win.inverted" },
};

static void
show_rows (WpPage *self, WpViewId v, WpShared *rows, gboolean keep_place)
{
  if (rows == NULL)
    {
      wp_view_show_empty (self->view[v], WP_ICON_FLAME, _(refused[v].title), _(refused[v].text));
      wp_view_offer (self->view[v], _(refused[v].offer), refused[v].action);
    }
  wp_view_set_rows (self->view[v], rows, keep_place);
}

/* The views' rows are of the analysis that goes. */
static void
set_analysis (WpPage *self, WpShared *analysis, gboolean keep_place)
{
  const WpAnalysis *shown = wp_shared_get (analysis);

  wp_job_drop (&self->explaining);
  show_rows (self, WP_VIEW_FLAME, shown != NULL ? shown->flame : NULL, keep_place);
  show_rows (self, WP_VIEW_CONSOLIDATED, shown != NULL ? shown->consolidated : NULL, keep_place);
  g_clear_pointer (&self->range, wp_shared_unref);
  wp_shared_unref (self->analysis);
  self->analysis = analysis;
}

/* What takes but a moment does not make the picture flicker. */
static void
on_told (const char *phase, double fraction, gpointer data)
{
  WpPage *self = data;

  if (self->again && g_get_monotonic_time () - self->analysing_since < QUIET_US)
    return;
  show_flame_busy (self, phase, fraction);
}

/* The box of what was selected before; parts have other numbers now. */
static void
select_op (WpPage *self, WpId op)
{
  WpCanvas *canvas = wp_page_canvas (self);

  if (op != 0 && self->current == WP_VIEW_FLAME && wp_canvas_rows (canvas) != NULL)
    wp_canvas_select (canvas, wp_box_of_op (wp_canvas_rows (canvas), wp_page_analysis (self), op), FALSE);
}

static void
show_failure (WpPage *self, const GError *error)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_empty (self->view[v], WP_ICON_FLAME, _("Nothing to Show Yet"), error->message);
}

static void
on_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;
  WpId op = self->again ? wp_page_selected_op (self) : 0;

  self->analysing = NULL;
  set_analysis (self, result != NULL ? wp_shared_new (result, wp_analysis_free) : NULL, self->again);
  if (result == NULL)
    show_failure (self, error);
  else
    select_op (self, op);
  wp_page_update_toolbars (self);
  wp_page_show_problems (self);
  wp_page_explain_range (self);
  wp_page_mark_boxes (self);
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
start (WpPage *self, gboolean again)
{
  WpAnalysisRequest *request = wp_analysis_request_new (self->document, self->task);

  request->options.merge_threads = self->merge_threads;
  request->options.started_work = self->started_work;
  for (guint i = 0; i < self->cuts->len; i++)
    wp_array_push (&request->cuts, g_array_index (self->cuts, WpId, i));
  request->inverted = self->inverted;
  request->collapse_recursion = self->collapse_recursion;
  request->icicle = self->icicle;
  wp_job_drop (&self->analysing);
  self->again = again;
  self->analysing_since = g_get_monotonic_time ();
  if (!again)
    {
      show_flame_busy (self, NULL, 0);
      wp_explanation_panel_show_busy (self->panel);
    }
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
  if (is_shown (self, task))
    return;
  wp_page_forget_cuts (self);
  start (self, FALSE);
}

void
wp_page_explain_again (WpPage *self)
{
  if (self->analysis != NULL || self->analysing != NULL)
    start (self, self->analysis != NULL && (self->analysing == NULL || self->again));
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
  const WpBox *b = &rows->boxes.data[box];
  WpId op;

  if (self->current == WP_VIEW_PROCESSES)
    {
      wp_page_open_row (self, wp_rows_row_of (rows, box));
      return;
    }
  op = trace != NULL ? wp_box_op (b, wp_page_analysis (self), wp_page_part_of (self, box, NULL)) : 0;
  if (op != 0)
    open_task (self, trace->ops.data[op].task);
}

/* --- a time range --- */

/* The table and the consolidated view are of the range; the other views show where it is. */
static void
set_range (WpPage *self, WpShared *range)
{
  gboolean differs = range != NULL || self->range != NULL;

  wp_shared_unref (self->range);
  self->range = range;
  if (differs)
    show_rows (self, WP_VIEW_CONSOLIDATED, wp_page_analysis (self)->consolidated, FALSE);
  wp_page_update_toolbars (self);
  wp_page_show_explanation (self);
  if (differs)
    wp_page_mark_boxes (self);
  wp_page_changed (self);
}

static void
on_range_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;

  self->explaining = NULL;
  set_range (self, result != NULL ? wp_shared_new (result, wp_analysis_free) : NULL);
}

void
wp_page_explain_range (WpPage *self)
{
  double start_ns = 0, end_ns = 0;
  WpRangeRequest *request;

  wp_job_drop (&self->explaining);
  if (self->analysis == NULL)
    {
      wp_page_show_explanation (self);
      return;
    }
  if (!wp_canvas_mark (wp_view_canvas (self->view[WP_VIEW_FLAME]), &start_ns, &end_ns)
      && !wp_canvas_mark (wp_view_canvas (self->view[WP_VIEW_PROCESSES]), &start_ns, &end_ns))
    {
      set_range (self, NULL);
      return;
    }
  request = wp_range_request_new (self->analysis, (gint64) start_ns, (gint64) end_ns);
  request->inverted = self->inverted;
  request->collapse_recursion = self->collapse_recursion;
  request->icicle = self->icicle;
  self->explaining = wp_job_start (&(WpJobSpec) { .run = wp_range_run,
                                                  .done = on_range_done,
                                                  .data = request,
                                                  .free_data = wp_range_request_free,
                                                  .free_result = wp_analysis_free,
                                                  .user_data = self });
}
