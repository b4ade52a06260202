#include "app/page/trace-page-private.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "app/widgets/tab-stop.h"
#include "workspace/file/details-text.h"
#include "workspace/file/highlight.h"
#include "workspace/file/search.h"

#define DETAILS_HEIGHT 280 /* as much as most boxes have to say */

static void wp_trace_page_content_init (WpContentInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WpTracePage, wp_trace_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (WP_TYPE_CONTENT, wp_trace_page_content_init))

/* --- the selected box --- */

/* Nobody is asked to click what is not there. */
static void
show_hints (WpTracePage *self)
{
  gboolean boxes = wp_views_have_boxes (self->views);

  wp_details_set_hint (self->details, boxes);
  wp_explanation_panel_set_hint (self->panel, boxes && wp_views_current (self->views) == WP_VIEW_PROCESSES);
}

static void
show_details (WpTracePage *self)
{
  WpCanvas *canvas = wp_views_canvas (self->views);
  guint box = wp_canvas_rows (canvas) != NULL ? wp_canvas_selected (canvas) : WP_NO_BOX;

  show_hints (self);
  self->selection = (WpSelection) { 0 };
  for (WpHideKind kind = 0; kind < WP_HIDE_MATCHING; kind++)
    self->hideable[kind] = box != WP_NO_BOX ? wp_workspace_hideable (self->workspace, wp_canvas_rows (canvas), box, kind) : NULL;
  if (box == WP_NO_BOX)
    {
      wp_details_show (self->details, NULL);
      return;
    }
  self->selection = wp_views_select_box (self->views, box);
  wp_details_show (self->details, &(WpDetailsSubject) { .rows = wp_canvas_shared_rows (canvas),
                                                        .box = box,
                                                        .selection = self->selection,
                                                        .document = wp_workspace_trace (self->workspace) != NULL
                                                                      ? wp_workspace_document (self->workspace) : NULL,
                                                        .analysis = wp_workspace_shared_analysis (self->workspace),
                                                        .origin = wp_trace_page_origin (self) });
}

/* The box of what was selected before: in another analysis parts have other numbers. */
static void
select_op (WpTracePage *self, WpId op)
{
  WpCanvas *canvas = wp_views_canvas (self->views);
  const WpRows *rows = wp_canvas_rows (canvas);

  if (op != 0 && wp_views_current (self->views) == WP_VIEW_FLAME && rows != NULL)
    wp_canvas_select (canvas, wp_box_of_op (rows, wp_workspace_analysis (self->workspace), op), FALSE);
}

static void
on_selected (WpViews *views, WpTracePage *self)
{
  show_details (self);
  wp_trace_page_note_selection (self);
  wp_content_changed (WP_CONTENT (self));
}

/* --- which boxes keep their colours: what is searched for, else what the panel's chosen row or sentence is about --- */

/* What the panel's chosen row is about, in the rows of the current view; FALSE: no row is chosen. */
static gboolean
find_stops (WpTracePage *self, WpChoice *choice)
{
  const WpRows *rows = wp_canvas_rows (wp_views_canvas (self->views));
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);

  wp_stepper_clear (self->stepper);
  if (rows == NULL || analysis == NULL || !wp_explanation_panel_choice (self->panel, choice))
    return FALSE;
  wp_stepper_choose (self->stepper, rows, analysis, choice);
  wp_explanation_panel_set_position (self->panel, 0, wp_stepper_count (self->stepper));
  return TRUE;
}

/* Nothing here is about what was chosen. */
static void
have_no_stops (WpTracePage *self)
{
  wp_stepper_clear (self->stepper);
  wp_explanation_panel_set_position (self->panel, 0, 0);
}

static void
mark_chosen (WpTracePage *self)
{
  WpCanvas *canvas = wp_views_canvas (self->views);
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);
  guint clause, mention;
  WpChoice choice;
  guint8 *boxes = NULL;

  if (find_stops (self, &choice))
    {
      boxes = wp_highlight_boxes (rows, analysis, &choice);
      if (boxes == NULL)
        have_no_stops (self);
    }
  else if (rows != NULL && analysis != NULL && wp_explanation_panel_sentence (self->panel, &clause, &mention))
    boxes = wp_highlight_said (rows, analysis, clause, mention);
  wp_canvas_set_highlight (canvas, boxes);
}

/* Of other rows. One can step through what is chosen while something else is searched for. */
static void
mark_boxes (WpTracePage *self)
{
  WpChoice choice;

  if (!wp_search_bar_is_open (self->search))
    {
      mark_chosen (self);
      return;
    }
  find_stops (self, &choice);
  wp_search_bar_update (self->search);
}

static void
on_search_changed (WpSearchBar *search, WpTracePage *self)
{
  if (self->workspace == NULL)
    return;
  if (!wp_search_bar_marks (search))
    mark_chosen (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
on_search_closed (WpSearchBar *search, WpTracePage *self)
{
  if (self->workspace == NULL)
    return;
  mark_chosen (self);
  gtk_widget_grab_focus (GTK_WIDGET (wp_views_canvas (self->views)));
  wp_content_changed (WP_CONTENT (self));
}

static void
on_chosen (WpExplanationPanel *panel, WpTracePage *self)
{
  if (self->workspace == NULL)
    return;
  mark_chosen (self);
  wp_content_changed (WP_CONTENT (self));
}

void
wp_trace_page_step (WpTracePage *self, WpStep step)
{
  WpStop stop;
  guint at = wp_stepper_step (self->stepper, step, &stop);

  if (at == 0)
    return;
  wp_trace_page_set_out (self);
  wp_views_go_to (self->views, &stop);
  wp_trace_page_arrive (self);
  wp_explanation_panel_set_position (self->panel, at, wp_stepper_count (self->stepper));
}

static void
on_step (WpExplanationPanel *panel, int how, WpTracePage *self)
{
  wp_trace_page_step (self, (WpStep) how);
}

/* --- going somewhere --- */

void
wp_trace_page_go_to_op (WpTracePage *self, WpId op)
{
  gboolean found;

  wp_trace_page_set_out (self);
  found = wp_views_go_to_op (self->views, op);
  wp_trace_page_arrive (self);
  if (!found)
    wp_content_tell (WP_CONTENT (self), _("This is not drawn; Show Sleeps, no filter and no summary show everything"));
}

static void
explain_task (WpTracePage *self, WpId task)
{
  wp_trace_page_set_out (self);
  wp_views_switch (self->views, WP_VIEW_FLAME);
  wp_workspace_explain (self->workspace, task);
  if (!wp_workspace_busy (self->workspace))
    wp_trace_page_arrive (self);
}

static void
open_task (WpTracePage *self, WpId task)
{
  const WpTrace *trace = wp_workspace_trace (self->workspace);

  if (trace != NULL && trace->tasks.data[task].kind != WP_TASK_THREAD)
    wp_content_tell (WP_CONTENT (self), _("Only processes have a flame view; this is a device"));
  else
    explain_task (self, task);
}

/* A row of Processes is a task, or stands for others, which it shows; one of the flame view a control path, which is named after a task. */
static void
on_row_opened (WpViews *views, guint row, WpTracePage *self)
{
  const WpRows *rows = wp_canvas_rows (wp_views_canvas (views));
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);
  const WpRow *r = rows != NULL && row < rows->rows.len ? &rows->rows.data[row] : NULL;

  if (r != NULL && r->ref_kind == WP_REF_NONE && r->fold != WP_FOLD_NONE)
    wp_workspace_turn_row (self->workspace, r->key);
  else if (r != NULL && r->ref_kind == WP_REF_TASK)
    open_task (self, r->ref);
  else if (r != NULL && r->ref_kind == WP_REF_PATH && analysis != NULL && r->ref < analysis->paths->paths.len)
    open_task (self, analysis->paths->paths.data[r->ref].task);
}

/* In Processes the task is that of the row, so that this works while symbols are being read. */
void
wp_trace_page_open_box (WpTracePage *self, guint box)
{
  const WpRows *rows = wp_canvas_rows (wp_views_canvas (self->views));
  WpId op;

  if (wp_views_current (self->views) == WP_VIEW_PROCESSES && rows->rows.data[wp_rows_row_of (rows, box)].ref_kind == WP_REF_TASK)
    {
      on_row_opened (self->views, wp_rows_row_of (wp_canvas_rows (wp_views_canvas (self->views)), box), self);
      return;
    }
  op = wp_views_select_box (self->views, box).op;
  if (op != 0)
    open_task (self, wp_workspace_trace (self->workspace)->ops.data[op].task);
}

static void
on_box_opened (WpViews *views, guint box, WpTracePage *self)
{
  wp_trace_page_open_box (self, box);
}

static void
on_link (WpDetails *details, const char *uri, WpTracePage *self)
{
  WpId id = 0;
  WpLinkTarget target = wp_details_link (uri, wp_workspace_trace (self->workspace), &id);

  if (wp_details_link_name (uri) != NULL)
    wp_search_bar_open (self->search, wp_details_link_name (uri));
  else if (target == WP_LINK_TO_OP)
    wp_trace_page_go_to_op (self, id);
  else if (target == WP_LINK_TO_TASK)
    explain_task (self, id);
}

/* --- what the views tell --- */

static void
show_explanation (WpTracePage *self)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);

  wp_explanation_panel_show_answer (self->panel, analysis != NULL ? analysis->answer : NULL);
  wp_explanation_panel_show (self->panel, analysis != NULL ? analysis->explanation : NULL, analysis != NULL ? analysis->paths : NULL,
                             wp_workspace_has_range (self->workspace), wp_trace_page_origin (self));
  show_hints (self);
}

/* A sentence of the answer, or a wait: the longest stretch of it. */
static void
on_go_to_op (WpExplanationPanel *panel, guint op, WpTracePage *self)
{
  wp_trace_page_go_to_op (self, op);
}

static void
on_switched (WpViews *views, WpTracePage *self)
{
  gboolean flame = wp_views_current (views) != WP_VIEW_PROCESSES;

  if (!self->undoing)
    wp_workspace_set_view (self->workspace, (int) wp_views_current (views));
  wp_hidden_bar_set_wanted (self->hidden_bar, flame);
  gtk_widget_set_visible (self->hide_matches, flame);
  wp_search_bar_look_at (self->search, wp_views_canvas (views));
  show_details (self);
  mark_boxes (self);
  wp_trace_page_note_place (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
on_kept (WpViews *views, WpTracePage *self)
{
  wp_trace_page_note_place (self);
}

static void
on_marked (WpViews *views, WpTracePage *self)
{
  gint64 from, to;

  wp_views_mark (views, &from, &to);
  wp_workspace_mark (self->workspace, from, to);
  wp_content_changed (WP_CONTENT (self));
}

/* Its dialog, to read, change or remove it. */
static void
on_note_opened (WpViews *views, guint which, WpTracePage *self)
{
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (self->workspace));

  if (which < notes->len)
    wp_note_ask (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->workspace, g_array_index (notes, WpNote, which).time,
                 wp_trace_page_origin (self));
}

static void
on_told (WpViews *views, const char *text, WpTracePage *self)
{
  wp_content_tell (WP_CONTENT (self), text);
}

static void
on_cleared (WpViews *views, WpTracePage *self)
{
  wp_explanation_panel_leave_sentence (self->panel);
}

static void
on_moved (WpViews *views, WpTracePage *self)
{
  if (self->workspace != NULL)
    wp_content_changed (WP_CONTENT (self));
}

static void
on_cancelled (WpViews *views, WpTracePage *self)
{
  if (wp_workspace_cancel (self->workspace))
    {
      wp_views_show_analysis (views, TRUE);
      if (wp_workspace_has_range (self->workspace))
        wp_views_show_consolidated (views);
    }
  else
    wp_views_show_choose (views);
  show_explanation (self);
  wp_trace_page_explained_anew (self);
}

static void
on_whole (WpExplanationPanel *panel, WpTracePage *self)
{
  wp_views_clear_mark (self->views);
}

static void
on_rule_removed (WpHiddenBar *bar, guint rule, WpTracePage *self)
{
  wp_workspace_unhide (self->workspace, rule);
}

static void
on_rules_cleared (WpHiddenBar *bar, WpTracePage *self)
{
  wp_workspace_unhide_all (self->workspace);
}

static void
on_hidden_bar_left (WpHiddenBar *bar, WpTracePage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (wp_views_canvas (self->views)));
}

static void
on_processes_bar_left (WpProcessesBar *bar, WpTracePage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (wp_views_canvas (self->views)));
}

/* --- what the workspace tells --- */

static void
on_symbols_read (WpWorkspace *workspace, const char *problem, WpTracePage *self)
{
  if (problem != NULL)
    wp_content_tell (WP_CONTENT (self), problem);
  wp_content_problems_changed (WP_CONTENT (self));
  show_details (self);
}

static void
on_processes_changed (WpWorkspace *workspace, WpTracePage *self)
{
  wp_views_show_processes (self->views, TRUE);
  if (wp_views_current (self->views) == WP_VIEW_PROCESSES)
    mark_boxes (self);
  show_hints (self);
}

static void
on_explaining (WpWorkspace *workspace, const char *phase, double fraction, gboolean anew, WpTracePage *self)
{
  wp_views_show_busy (self->views, phase, fraction);
  if (anew)
    wp_explanation_panel_show_busy (self->panel);
  show_hints (self);
}

/* What was selected is known by its operation, which has the same number in every analysis. The table follows with the range. */
static void
on_explained (WpWorkspace *workspace, gboolean again, WpTracePage *self)
{
  WpId op = again ? self->selection.op : 0;
  gint64 from, to;

  self->selection = (WpSelection) { 0 }; /* its part is of the analysis that is gone, as the stops are */
  wp_stepper_clear (self->stepper);
  wp_views_show_analysis (self->views, again);
  wp_views_set_origin (self->views, wp_trace_page_origin (self));
  wp_workspace_range (workspace, &from, &to);
  wp_views_set_mark (self->views, from, to);
  if (wp_workspace_failure (workspace) != NULL)
    wp_views_show_failure (self->views, wp_workspace_failure (workspace));
  else
    select_op (self, op);
  wp_content_problems_changed (WP_CONTENT (self));
  show_details (self);
  if (!again)
    wp_trace_page_explained_anew (self);
}

static void
on_range_explained (WpWorkspace *workspace, gboolean differs, WpTracePage *self)
{
  wp_stepper_clear (self->stepper);
  if (differs)
    wp_views_show_consolidated (self->views);
  wp_flame_bars_show (&self->flame_bars, wp_workspace_analysis (workspace), wp_workspace_has_range (workspace));
  show_explanation (self);
  mark_boxes (self);
}

static void
on_hide_changed (WpWorkspace *workspace, WpTracePage *self)
{
  wp_hidden_bar_show (self->hidden_bar, wp_workspace_hide_rules (workspace));
  wp_content_changed (WP_CONTENT (self));
}

/* What the workspace went back to is what is seen: one step, as a link is. */
static void
on_undone (WpWorkspace *workspace, WpTracePage *self)
{
  gint64 from, to;

  wp_workspace_range (workspace, &from, &to);
  self->undoing = TRUE;
  if (wp_views_current (self->views) != (WpViewId) wp_workspace_view (workspace))
    wp_views_switch (self->views, (WpViewId) wp_workspace_view (workspace));
  wp_views_set_mark (self->views, from, to);
  wp_views_set_colors (self->views, wp_workspace_colors (workspace));
  wp_trace_page_show_beside (self);
  self->undoing = FALSE;
}

static void
on_notes_changed (WpWorkspace *workspace, WpTracePage *self)
{
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (workspace));

  wp_views_set_notes (self->views, notes);
}

/* Other notes than those in the file, or in the one that is being written. */
static gboolean
has_changed (WpTracePage *self)
{
  g_autofree char *notes = self->workspace != NULL ? wp_workspace_notes_text (self->workspace, 0) : NULL;

  return notes != NULL && !g_str_equal (notes, self->saving_notes != NULL ? self->saving_notes : self->saved_notes);
}

void
wp_trace_page_saving (gpointer page, WpSaving saving)
{
  WpTracePage *self = page;
  g_autofree char *was = g_steal_pointer (&self->saving_notes);

  if (saving == WP_SAVING_BEGUN)
    self->saving_notes = wp_workspace_notes_text (self->workspace, 0);
  else if (saving == WP_SAVING_DONE)
    {
      g_free (self->saved_notes);
      self->saved_notes = g_steal_pointer (&was);
    }
  else if (saving == WP_SAVING_OTHERWISE && has_changed (self))
    wp_content_tell (WP_CONTENT (self), _("The notes are not in it: a profile keeps them whose name ends in .perf"));
}

static void
on_workspace_changed (WpWorkspace *workspace, WpTracePage *self)
{
  wp_content_changed (WP_CONTENT (self));
}

/* --- what is shown beside the views --- */

void
wp_trace_page_set_colors (WpTracePage *self, WpColors colors)
{
  wp_workspace_set_colors (self->workspace, colors);
  wp_views_set_colors (self->views, colors);
}

gint64
wp_trace_page_origin (WpTracePage *self)
{
  WpShared *whole = self->since_process && self->workspace != NULL ? wp_workspace_whole (self->workspace) : NULL;
  const WpAnalysis *analysis = wp_shared_get (whole);

  return analysis != NULL ? analysis->paths->wall_start : 0;
}

void
wp_trace_page_show_beside (WpTracePage *self)
{
  gboolean since = wp_workspace_option (self->workspace, WP_OPTION_SINCE_PROCESS);

  wp_views_set_legend (self->views, wp_workspace_option (self->workspace, WP_OPTION_LEGEND));
  wp_views_set_links (self->views, wp_workspace_option (self->workspace, WP_OPTION_LINKS));
  wp_views_set_wait_chain (self->views, wp_workspace_option (self->workspace, WP_OPTION_WAIT_CHAIN));
  gtk_widget_set_visible (GTK_WIDGET (self->details), wp_workspace_option (self->workspace, WP_OPTION_DETAILS));
  if (since == self->since_process)
    return;
  self->since_process = since;
  wp_views_set_origin (self->views, wp_trace_page_origin (self));
  show_details (self);
  show_explanation (self);
}

/* The details keep the height they had last, with the handle above them: what a pane gives away is known once it has a size. In a small
 * window they leave most of it to the picture, and some of it where their user chose the height. */
static void
place_details (GtkPaned *paned, GParamSpec *pspec, WpTracePage *self)
{
  int wanted = wp_settings_int ("details-height", DETAILS_HEIGHT), whole = gtk_widget_get_height (GTK_WIDGET (paned));
  int most = wanted == DETAILS_HEIGHT ? whole * 3 / 10 : whole * 2 / 3;

  if (whole <= 0)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_details, self);
  self->details_wanted = wanted;
  self->details_placed = MIN (wanted, most);
  gtk_paned_set_position (paned, whole - self->details_placed);
}

/* One that was only given less room than it wanted wants as much the next time. */
static void
keep_details (GtkWidget *widget, WpTracePage *self)
{
  int height = self->details != NULL && gtk_widget_get_visible (GTK_WIDGET (self->details))
                 ? gtk_widget_get_height (GTK_WIDGET (self->down)) - gtk_paned_get_position (self->down) : 0;

  if (height > 0)
    wp_settings_set_int ("details-height", height == self->details_placed ? self->details_wanted : height);
}

/* --- the content of a page --- */

static gboolean
content_busy (WpContent *content)
{
  return wp_workspace_busy (WP_TRACE_PAGE (content)->workspace);
}

static gboolean
content_unsaved (WpContent *content)
{
  return has_changed (WP_TRACE_PAGE (content));
}

static WpProblems *
content_problems (WpContent *content)
{
  return wp_workspace_problems (WP_TRACE_PAGE (content)->workspace);
}

static WpWorkspace *
content_workspace (WpContent *content)
{
  return WP_TRACE_PAGE (content)->workspace;
}

static const WpContentView view_names[] = {
  [WP_VIEW_PROCESSES] = { "processes", N_("Processes"), N_("What ran when, and who woke whom") },
  [WP_VIEW_FLAME] = { "flame", N_("Flame"), N_("The process of interest and what it waited for, in time order") },
  [WP_VIEW_CONSOLIDATED] = { "consolidated", N_("Consolidated"), N_("The same, gathered and sorted by duration") },
  { WP_VIEW_CALLS, N_("Calls"), N_("Who called whom in the process of interest and what it waited for, as a graph") },
  { WP_VIEW_SYSTEM, N_("System"), N_("All tasks: functions, and what they took on and off the CPU") },
  { NULL },
};

static const WpContentView *
content_views (WpContent *content)
{
  return view_names;
}

static void
wp_trace_page_content_init (WpContentInterface *iface)
{
  iface->actions = wp_trace_page_actions;
  iface->views = content_views;
  iface->busy = content_busy;
  iface->unsaved = content_unsaved;
  iface->problems = content_problems;
  iface->workspace = content_workspace;
}

/* --- the widget --- */

/* Its workers end, and what still lives of the widgets finds nobody who listens. */
static void
wp_trace_page_dispose (GObject *object)
{
  WpTracePage *self = WP_TRACE_PAGE (object);

  wp_callouts_close (self);
  if (self->workspace != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->workspace, self);
      g_signal_handlers_disconnect_by_data (self->panel, self);
      g_signal_handlers_disconnect_by_data (self->views, self);
      wp_views_set_workspace (self->views, NULL);
      g_object_run_dispose (G_OBJECT (self->workspace));
    }
  g_clear_object (&self->workspace);
  g_clear_object (&self->panel);
  g_clear_object (&self->saver);
  G_OBJECT_CLASS (wp_trace_page_parent_class)->dispose (object);
}

static void
wp_trace_page_finalize (GObject *object)
{
  WpTracePage *self = WP_TRACE_PAGE (object);

  wp_stepper_free (self->stepper);
  wp_visits_free (self->visits);
  g_free (self->saved_notes);
  g_free (self->saving_notes);
  g_free (self->title);
  G_OBJECT_CLASS (wp_trace_page_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/trace-page.ui");
  gtk_widget_class_bind_template_child (klass, WpTracePage, cuts_bar);
  gtk_widget_class_bind_template_child (klass, WpTracePage, symbols_bar);
  gtk_widget_class_bind_template_child (klass, WpTracePage, search);
  gtk_widget_class_bind_template_child (klass, WpTracePage, hidden_bar);
  gtk_widget_class_bind_template_child (klass, WpTracePage, down);
  gtk_widget_class_bind_template_child (klass, WpTracePage, views);
  gtk_widget_class_bind_template_child (klass, WpTracePage, details);
  gtk_widget_class_bind_template_callback (klass, on_search_changed);
  gtk_widget_class_bind_template_callback (klass, on_search_closed);
  gtk_widget_class_bind_template_callback (klass, on_rule_removed);
  gtk_widget_class_bind_template_callback (klass, on_rules_cleared);
  gtk_widget_class_bind_template_callback (klass, on_hidden_bar_left);
  gtk_widget_class_bind_template_callback (klass, on_selected);
  gtk_widget_class_bind_template_callback (klass, on_switched);
  gtk_widget_class_bind_template_callback (klass, on_box_opened);
  gtk_widget_class_bind_template_callback (klass, on_row_opened);
  gtk_widget_class_bind_template_callback (klass, on_marked);
  gtk_widget_class_bind_template_callback (klass, on_moved);
  gtk_widget_class_bind_template_callback (klass, on_kept);
  gtk_widget_class_bind_template_callback (klass, on_told);
  gtk_widget_class_bind_template_callback (klass, on_note_opened);
  gtk_widget_class_bind_template_callback (klass, on_cleared);
  gtk_widget_class_bind_template_callback (klass, on_cancelled);
  gtk_widget_class_bind_template_callback (klass, on_link);
}

/* The keyboard begins in the picture. */
static gboolean
wp_trace_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (wp_views_canvas (WP_TRACE_PAGE (widget)->views)));
}

static void
wp_trace_page_class_init (WpTracePageClass *klass)
{
  GTK_WIDGET_CLASS (klass)->grab_focus = wp_trace_page_grab_focus;
  G_OBJECT_CLASS (klass)->dispose = wp_trace_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_trace_page_finalize;
  g_type_ensure (WP_TYPE_CUTS_BAR);
  g_type_ensure (WP_TYPE_SYMBOLS_BAR);
  g_type_ensure (WP_TYPE_SEARCH_BAR);
  g_type_ensure (WP_TYPE_HIDDEN_BAR);
  g_type_ensure (WP_TYPE_VIEWS);
  g_type_ensure (WP_TYPE_DETAILS);
  g_type_ensure (WP_TYPE_TAB_STOP);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static GtkWidget *
new_hide_matches (void)
{
  GtkWidget *button = gtk_button_new_with_label (_("Hide Matches"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.hide-matches");
  gtk_widget_set_tooltip_text (button, _("Hide functions whose names match: their time is charged to their callers"));
  gtk_widget_set_focus_on_click (button, FALSE); /* one goes on typing */
  gtk_widget_set_visible (button, FALSE);
  return button;
}

/* As the preferences, or another tab, say. */
static void
show_kept_colors (WpTracePage *self)
{
  if (self->workspace != NULL)
    wp_trace_page_set_colors (self, wp_trace_page_kept_colors ());
}

static void
wp_trace_page_init (WpTracePage *self)
{
  self->stepper = wp_stepper_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  wp_search_bar_look_at (self->search, wp_views_canvas (self->views));
  self->flame_bars = wp_flame_bars_build (self->views);
  self->hide_matches = new_hide_matches ();
  wp_search_bar_append (self->search, self->hide_matches);
  if (wp_settings () != NULL)
    g_signal_connect_object (wp_settings (), "changed::" WP_COLORS_KEY, G_CALLBACK (show_kept_colors), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->down, "notify::max-position", G_CALLBACK (place_details), self, 0);
  g_signal_connect_object (self, "unmap", G_CALLBACK (keep_details), self, 0);
}

static void
connect_workspace (WpTracePage *self)
{
  g_signal_connect_object (self->workspace, "symbols-read", G_CALLBACK (on_symbols_read), self, 0);
  g_signal_connect_object (self->workspace, "processes-changed", G_CALLBACK (on_processes_changed), self, 0);
  g_signal_connect_object (self->workspace, "explaining", G_CALLBACK (on_explaining), self, 0);
  g_signal_connect_object (self->workspace, "explained", G_CALLBACK (on_explained), self, 0);
  g_signal_connect_object (self->workspace, "range-explained", G_CALLBACK (on_range_explained), self, 0);
  g_signal_connect_object (self->workspace, "cuts-changed", G_CALLBACK (on_workspace_changed), self, 0);
  g_signal_connect_object (self->workspace, "hide-changed", G_CALLBACK (on_hide_changed), self, 0);
  g_signal_connect_object (self->workspace, "notes-changed", G_CALLBACK (on_notes_changed), self, 0);
  g_signal_connect_object (self->workspace, "undone", G_CALLBACK (on_undone), self, 0);
  g_signal_connect_object (self->workspace, "changed", G_CALLBACK (on_workspace_changed), self, 0);
  g_signal_connect_object (self->panel, "chosen", G_CALLBACK (on_chosen), self, 0);
  g_signal_connect_object (self->panel, "step", G_CALLBACK (on_step), self, 0);
  g_signal_connect_object (self->panel, "go-to", G_CALLBACK (on_go_to_op), self, 0);
  g_signal_connect_object (self->panel, "whole", G_CALLBACK (on_whole), self, 0);
  g_signal_connect_object (self->panel, "reordered", G_CALLBACK (show_explanation), self, G_CONNECT_SWAPPED);
}

/* What the search bar asks of the workspace. */

static guint32 *
matching_stacks (gpointer workspace, const char *text)
{
  const WpTrace *trace = wp_workspace_trace (workspace);

  return trace != NULL ? wp_search_matching_stacks (trace, text) : NULL;
}

static gboolean
open_matching (gpointer workspace, const char *text)
{
  return wp_workspace_open_matching (workspace, text);
}

static void
close_found (gpointer workspace)
{
  wp_workspace_close_found (workspace);
}

static gboolean
is_busy (gpointer workspace)
{
  return wp_workspace_busy (workspace);
}

GtkWidget *
wp_trace_page_new (WpWorkspace *workspace, const char *title, WpExplanationPanel *panel, WpSaver *saver)
{
  static const WpSearchFolds folds = { matching_stacks, open_matching, close_found, is_busy };
  WpTracePage *self = g_object_new (WP_TYPE_TRACE_PAGE, NULL);

  self->workspace = g_object_ref (workspace);
  self->title = g_strdup (title);
  self->panel = g_object_ref (panel);
  self->saver = g_object_ref (saver);
  connect_workspace (self);
  wp_views_set_workspace (self->views, workspace);
  wp_views_set_colors (self->views, wp_workspace_colors (workspace));
  wp_trace_page_show_beside (self);
  wp_search_bar_look_behind (self->search, &folds, workspace);
  wp_cuts_bar_watch (self->cuts_bar, workspace);
  wp_symbols_bar_watch (self->symbols_bar, workspace);
  self->processes_bar = WP_PROCESSES_BAR (wp_processes_bar_new (workspace));
  g_signal_connect_object (self->processes_bar, "left", G_CALLBACK (on_processes_bar_left), self, 0);
  gtk_box_append (wp_views_toolbar (self->views, WP_VIEW_PROCESSES), GTK_WIDGET (self->processes_bar));
  wp_views_show_processes (self->views, FALSE);
  on_notes_changed (workspace, self);
  self->saved_notes = wp_workspace_notes_text (workspace, 0); /* these are of the file */
  wp_workspace_start (workspace);
  self->visits = wp_visits_new ();
  /* where one process is explained at once, as a profile's or the recorded command, what matters is its flame view */
  wp_views_switch (self->views, wp_workspace_starts_explained (workspace) ? WP_VIEW_FLAME : WP_VIEW_PROCESSES);
  return GTK_WIDGET (self);
}
