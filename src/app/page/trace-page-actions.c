/* Everything that can be done with a recording: a row for each action, what it does and when it can be done. */
#include "app/page/trace-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/page/copying.h"
#include "app/page/events-window.h"
#include "app/shell/settings.h"
#include "app/widgets/depth-chooser.h"
#include "workspace/file/raw-request.h"

static WpCanvas *
canvas_of (WpTracePage *self)
{
  return wp_views_canvas (self->views);
}

static guint
selected_box (WpTracePage *self)
{
  return wp_canvas_rows (canvas_of (self)) != NULL ? wp_canvas_selected (canvas_of (self)) : WP_NO_BOX;
}

/* --- when --- */

static gboolean
has_rows (gpointer content, int which)
{
  return wp_canvas_rows (canvas_of (content)) != NULL;
}

static gboolean
has_selection (gpointer content, int which)
{
  return selected_box (content) != WP_NO_BOX;
}

static gboolean
has_selected_op (gpointer content, int which)
{
  const WpTracePage *self = content;

  return self->selection.op != 0;
}

static gboolean
has_analysis (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_workspace_whole (self->workspace) != NULL;
}

static gboolean
is_recording (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_workspace_is_recording (self->workspace);
}

static gboolean
can_set_option (gpointer content, int which)
{
  switch (wp_option_of ((WpOption) which))
    {
    case WP_OPTION_OF_PROCESSES:
    case WP_OPTION_BESIDE:
      return TRUE;
    case WP_OPTION_OF_PATHS:
      return has_analysis (content, which) && is_recording (content, which);
    default:
      return has_analysis (content, which);
    }
}

static gboolean
can_go (gpointer content, int direction)
{
  return wp_trace_page_can_go (content, direction);
}

static gboolean
has_mark (gpointer content, int which)
{
  double start, end;

  return wp_canvas_mark (canvas_of (content), &start, &end);
}

static gboolean
can_cut (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_views_current (self->views) == WP_VIEW_FLAME && wp_workspace_can_cut (self->workspace, self->selection.part);
}

static gboolean
has_cuts (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_cuts_ops (wp_workspace_cuts (self->workspace))->len > 0;
}

static gboolean
can_undo (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_workspace_can_undo (self->workspace);
}

static gboolean
can_hide (gpointer content, int kind)
{
  const WpTracePage *self = content;

  return self->hideable[kind] != NULL;
}

static gboolean
has_stops (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_stepper_count (self->stepper) > 0;
}

static gboolean
has_matches (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_search_bar_has_matches (self->search);
}

static gboolean
can_hide_matches (gpointer content, int which)
{
  const WpTracePage *self = content;

  return has_analysis (content, which) && has_matches (content, which) && *wp_search_bar_text (self->search) != '\0';
}

static guint32
selected_hidden (WpTracePage *self)
{
  guint box = selected_box (self);

  return box != WP_NO_BOX ? wp_canvas_rows (canvas_of (self))->boxes.data[box].hidden : 0;
}

static gboolean
has_fold (gpointer content, int which)
{
  return selected_hidden (content) != 0;
}

static gboolean
can_turn_ghost (gpointer content, int which)
{
  const WpTracePage *self = content;

  return wp_views_current (self->views) == WP_VIEW_FLAME && wp_workspace_can_turn_ghost (self->workspace, self->selection.part);
}

static gboolean
can_show_raw_events (gpointer content, int which)
{
  const WpTracePage *self = content;

  return has_selection (content, which) && is_recording (content, which) && wp_workspace_trace (self->workspace) != NULL;
}

/* --- views and places --- */

static void
set_view (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    if (g_str_equal (g_variant_get_string (value, NULL), wp_views_id (v)))
      wp_views_switch (self->views, v);
}

static GVariant *
view_state (gpointer content, int which)
{
  const WpTracePage *self = content;

  return g_variant_new_string (wp_views_id (wp_views_current (self->views)));
}

static void
zoom (gpointer content, GVariant *value, int direction)
{
  wp_canvas_step (canvas_of (content), direction);
}

static void
set_fits_height (gpointer content, GVariant *value, int which)
{
  wp_canvas_set_fits_height (canvas_of (content), g_variant_get_boolean (value));
}

static GVariant *
fits_height (gpointer content, int which)
{
  return g_variant_new_boolean (wp_canvas_fits_height (canvas_of (content)));
}

static void
fit_selection (gpointer content, GVariant *value, int which)
{
  wp_canvas_fit_selection (canvas_of (content));
}

static void
go (gpointer content, GVariant *value, int direction)
{
  wp_trace_page_go (content, direction);
}

/* --- options --- */

static const WpAction option_actions[WP_N_OPTIONS] = {
  [WP_OPTION_SHOW_SLEEPS] = WP_ACTION_SHOW_SLEEPS,
  [WP_OPTION_SUMMARY] = WP_ACTION_SUMMARY,
  [WP_OPTION_MERGE_THREADS] = WP_ACTION_MERGE_THREADS,
  [WP_OPTION_STARTED_WORK] = WP_ACTION_STARTED_WORK,
  [WP_OPTION_INVERTED] = WP_ACTION_INVERTED,
  [WP_OPTION_BY_CPU] = WP_ACTION_BY_CPU,
  [WP_OPTION_COLLAPSE_RECURSION] = WP_ACTION_COLLAPSE_RECURSION,
  [WP_OPTION_ICICLE] = WP_ACTION_ICICLE,
  [WP_OPTION_LEGEND] = WP_ACTION_LEGEND,
  [WP_OPTION_LINKS] = WP_ACTION_LINKS,
  [WP_OPTION_WAIT_CHAIN] = WP_ACTION_WAIT_CHAIN,
  [WP_OPTION_DETAILS] = WP_ACTION_DETAILS,
  [WP_OPTION_SINCE_PROCESS] = WP_ACTION_SINCE_PROCESS,
};

WpColors
wp_trace_page_kept_colors (void)
{
  g_autofree char *id = wp_settings_string (WP_COLORS_KEY);
  WpColors colors = wp_colors_from_id (id);

  return colors != WP_COLORS_COUNT ? colors : WP_COLORS_PROCESS;
}

WpViewOptions
wp_trace_page_kept_options (void)
{
  WpViewOptions options = { .depth = wp_depth_kept (), .colors = wp_trace_page_kept_colors () };

  for (WpOption o = 0; o < WP_N_OPTIONS; o++)
    options.on[o] = wp_action_kept (option_actions[o]);
  return options;
}

static void
set_option (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_action_keep (option_actions[which], g_variant_get_boolean (value));
  wp_workspace_set_option (self->workspace, (WpOption) which, g_variant_get_boolean (value));
  if (wp_option_of ((WpOption) which) == WP_OPTION_BESIDE)
    wp_trace_page_show_beside (self);
}

static GVariant *
option_state (gpointer content, int which)
{
  const WpTracePage *self = content;

  return g_variant_new_boolean (wp_workspace_option (self->workspace, (WpOption) which));
}

static void
set_depth (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpDepth depth = wp_depth_from_id (g_variant_get_string (value, NULL));

  if (depth == WP_DEPTH_COUNT)
    return;
  wp_depth_keep (depth);
  wp_workspace_set_depth (self->workspace, depth);
}

static GVariant *
depth_state (gpointer content, int which)
{
  const WpTracePage *self = content;

  return g_variant_new_string (wp_depth_id (wp_workspace_depth (self->workspace)));
}

static void
set_colors (gpointer content, GVariant *value, int which)
{
  WpColors colors = wp_colors_from_id (g_variant_get_string (value, NULL));

  if (colors == WP_COLORS_COUNT)
    return;
  wp_settings_set_string (WP_COLORS_KEY, wp_colors_id (colors));
  wp_trace_page_set_colors (content, colors);
}

static GVariant *
colors_state (gpointer content, int which)
{
  const WpTracePage *self = content;

  return g_variant_new_string (wp_colors_id (wp_workspace_colors (self->workspace)));
}

/* --- the selection --- */

static char *
selected_name (WpTracePage *self)
{
  const WpRows *rows = wp_canvas_rows (canvas_of (self));

  return g_strdup (wp_rows_string (rows, rows->boxes.data[selected_box (self)].label));
}

static void
open_flame (gpointer content, GVariant *value, int which)
{
  wp_trace_page_open_box (content, selected_box (content));
}

static WpId
selected_task (WpTracePage *self)
{
  const WpTrace *trace = wp_workspace_trace (self->workspace);

  return trace != NULL && self->selection.op != 0 ? trace->ops.data[self->selection.op].task : 0;
}

static gboolean
can_explain_also (gpointer content, int which)
{
  WpTracePage *self = content;

  return wp_workspace_can_explain_also (self->workspace, selected_task (self));
}

/* What several processes spent their time on is seen gathered. */
static void
explain_also (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpId task = selected_task (self);

  wp_trace_page_set_out (self);
  wp_views_switch (self->views, WP_VIEW_CONSOLIDATED);
  wp_workspace_explain_also (self->workspace, task);
}

static void
open_fold (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_workspace_open_folds (self->workspace, wp_canvas_rows (canvas_of (self)), selected_hidden (self));
}

static void
turn_ghost (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_workspace_turn_ghost (self->workspace, self->selection.part);
}

static void
copy_name (gpointer content, GVariant *value, int which)
{
  g_autofree char *name = selected_name (content);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (content), name);
}

static void
copy_details (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  gtk_widget_activate_action (GTK_WIDGET (self->details), "details.copy", NULL);
}

static void
copy_markdown (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  gtk_widget_activate_action (GTK_WIDGET (self->details), "details.copy-markdown", NULL);
}

static void
search_name (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  g_autofree char *name = selected_name (self);

  wp_search_bar_open (self->search, name);
}

static void
filter_task (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  const WpTrace *trace = wp_workspace_trace (self->workspace);
  WpId task = trace->ops.data[self->selection.op].task;

  wp_views_switch (self->views, WP_VIEW_PROCESSES);
  wp_processes_bar_filter (self->processes_bar, wp_trace_task_name (trace, task));
}

static void
mark_selection (gpointer content, GVariant *value, int which)
{
  gtk_widget_activate_action (GTK_WIDGET (canvas_of (content)), "canvas.mark", NULL);
}

static void
clear_mark (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_views_clear_mark (self->views);
}

/* In the times of the view that it was asked for in. */
static void
show_raw_events (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  const WpRows *rows = wp_canvas_rows (canvas_of (self));
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);
  gint64 from, to;

  wp_raw_stretch (&rows->boxes.data[selected_box (self)], rows, &self->selection, wp_workspace_trace (self->workspace), analysis, &from, &to);
  gtk_window_present (GTK_WINDOW (wp_events_window_new (GTK_WINDOW (gtk_widget_get_root (content)), wp_workspace_document (self->workspace), from, to,
                                                        wp_trace_page_origin (self))));
}

/* --- notes --- */

/* The moment that was pointed at of the selected box, or where it begins; without a selection the middle of what is seen. */
static void
add_note (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpCanvas *canvas = canvas_of (self);
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  guint box = selected_box (self);
  double time = (viewport->start + viewport->end) / 2;

  if (box != WP_NO_BOX)
    time = isnan (wp_canvas_selected_moment (canvas)) ? (double) rows->boxes.data[box].start : wp_canvas_selected_moment (canvas);
  wp_note_ask (GTK_WINDOW (gtk_widget_get_root (content)), self->workspace, (gint64) time, wp_trace_page_origin (self));
}

static gboolean
can_add_note (gpointer content, int which)
{
  const WpRows *rows = wp_canvas_rows (canvas_of (content));

  return rows != NULL && rows->is_time;
}

/* In a view over time: the flame view, where the one that is seen is none. */
static void
go_to_moment (gint64 time, gpointer data)
{
  WpTracePage *self = data;

  if (self->workspace == NULL)
    return;
  wp_trace_page_set_out (self);
  if (wp_views_current (self->views) == WP_VIEW_CONSOLIDATED)
    wp_views_switch (self->views, WP_VIEW_FLAME);
  wp_canvas_center (canvas_of (self), (double) time);
  wp_trace_page_arrive (self);
}

static void
show_notes (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  gtk_window_present (GTK_WINDOW (wp_notes_window_new (GTK_WINDOW (gtk_widget_get_root (content)), self->workspace, wp_trace_page_origin (self),
                                                       go_to_moment, content)));
}

static gboolean
has_notes (gpointer content, int which)
{
  const WpTracePage *self = content;
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (self->workspace));

  return notes->len > 0;
}

static void
go_to_waker (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpId op = wp_op_waker (wp_workspace_trace (self->workspace), self->selection.op);

  if (op != 0)
    wp_trace_page_go_to_op (self, op);
  else
    wp_content_tell (WP_CONTENT (self), _("Nothing is known to have woken this"));
}

static void
go_to_woken (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpId op = wp_op_first_woken (wp_workspace_trace (self->workspace), self->selection.op);

  if (op != 0)
    wp_trace_page_go_to_op (self, op);
  else
    wp_content_tell (WP_CONTENT (self), _("This woke nothing"));
}

/* --- help --- */

static void
show_around (gpointer content, GVariant *value, int which)
{
  wp_callouts_start (content);
}

/* --- cuts --- */

/* What led to the selected box hangs on the last operation that it goes over. */
static void
cut_branch (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);
  WpId part = wp_box_last_part (&wp_canvas_rows (canvas_of (self))->boxes.data[selected_box (self)], analysis);

  if (part != 0)
    wp_workspace_cut (self->workspace, analysis->paths->parts.data[part].op);
}

static void
restore_branches (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_workspace_restore_cuts (self->workspace);
}

static void
undo (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_workspace_undo (self->workspace);
}

/* --- what is hidden --- */

static void
hide_selected (gpointer content, GVariant *value, int kind)
{
  WpTracePage *self = content;

  wp_workspace_hide (self->workspace, (WpHideKind) kind, self->hideable[kind], NULL);
}

static void
hide_matches (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  g_autofree char *pattern = wp_hide_found (wp_search_bar_text (self->search));

  wp_search_bar_close_folds (self->search); /* else the search for them would show them still */
  wp_workspace_hide (self->workspace, WP_HIDE_MATCHING, pattern, NULL);
}

/* --- search and steps --- */

static void
search (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;

  wp_search_bar_open (self->search, NULL);
}

static void
next_match (gpointer content, GVariant *value, int direction)
{
  WpTracePage *self = content;

  wp_search_bar_next (self->search, direction);
}

/* By a key: arrows go on from the box that it leads to. */
static void
step (gpointer content, GVariant *value, int how)
{
  wp_trace_page_step (content, (WpStep) how);
  gtk_widget_grab_focus (GTK_WIDGET (canvas_of (content)));
}

/* --- saving --- */

/* A file is called after the process that is explained, or after the file that is open. */
static char *
suggest (WpTracePage *self, const char *suffix)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);

  return analysis != NULL ? wp_export_suggest (analysis->paths->name, FALSE, suffix) : wp_export_suggest (self->title, TRUE, suffix);
}

static void
save (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  g_autofree char *name = suggest (self, ".perf");

  wp_saver_save (self->saver, content, wp_export_explanation (wp_workspace_whole (self->workspace), name), wp_trace_page_saving);
}

static void
save_recording (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  const WpDocument *document = wp_shared_get (wp_workspace_document (self->workspace));
  g_autofree char *name = suggest (self, ".recording.perf");

  wp_saver_save (self->saver, content, wp_export_recording (document->path, name), NULL);
}

static const char *
picture_title (WpTracePage *self)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);

  return wp_views_current (self->views) != WP_VIEW_PROCESSES && analysis != NULL ? analysis->paths->name : self->title;
}

/* What is seen, or all of the rows, with axis and legend. */
static WpExport *
picture_of (WpTracePage *self, gboolean visible)
{
  WpCanvas *canvas = canvas_of (self);
  g_autofree char *name = suggest (self, ".png");
  const WpExportPicture picture = { .title = picture_title (self),
                                    .theme = wp_current_theme (),
                                    .colors = wp_workspace_colors (self->workspace),
                                    .origin = wp_trace_page_origin (self),
                                    .strip = wp_views_shown_strip (self->views),
                                    .visible = visible,
                                    .viewport = wp_canvas_viewport (canvas),
                                    .state = wp_canvas_state (canvas) };

  return wp_export_rows (wp_canvas_shared_rows (canvas), name, &picture);
}

static void
export_picture (gpointer content, GVariant *value, int visible)
{
  WpTracePage *self = content;

  wp_saver_save (self->saver, content, picture_of (self, visible), NULL);
}

static void
copy_picture (gpointer content, GVariant *value, int which)
{
  wp_copy_picture (content, picture_of (content, TRUE), (void (*) (gpointer, const char *)) wp_content_tell);
}

static void
export_notes (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  g_autofree char *name = suggest (self, ".notes.md");

  wp_saver_save (self->saver, content, wp_export_text (_("Export Notes"), wp_workspace_notes_text (self->workspace, wp_trace_page_origin (self)), name),
                 wp_trace_page_saving);
}

static void
export_table (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  g_autofree char *name = suggest (self, ".tsv");

  wp_saver_save (self->saver, content, wp_export_table (wp_workspace_shared_analysis (self->workspace), name), NULL);
}

static void
copy_table (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  WpReportFormat format = wp_report_format_from_id (g_variant_get_string (value, NULL));
  g_autoptr (GString) text = NULL;

  if (format == WP_REPORT_FORMAT_COUNT)
    return;
  text = wp_export_table_text (wp_workspace_analysis (self->workspace), format);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (content), text->str);
  wp_content_tell (WP_CONTENT (self), _("The table has been copied"));
}

/* Of the process that a row, or the one of the selected box, is of; 0: of none. */
static gint32
row_key (WpTracePage *self, const char *told)
{
  const WpRows *rows = wp_canvas_rows (canvas_of (self));
  guint box = selected_box (self);
  guint32 row = *told == '\0' && rows != NULL && box != WP_NO_BOX ? wp_rows_row_of (rows, box) : G_MAXUINT32;

  if (*told != '\0')
    return (gint32) g_ascii_strtoll (told, NULL, 10);
  while (row != G_MAXUINT32 && row > 0 && rows->rows.data[row].key == 0)
    row--;
  return row != G_MAXUINT32 ? rows->rows.data[row].key : 0;
}

static gboolean
is_of_tasks (gpointer content, int which)
{
  return has_rows (content, which) && wp_views_current (((WpTracePage *) content)->views) == WP_VIEW_PROCESSES;
}

static void
turn_row (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  gint32 key = row_key (self, g_variant_get_string (value, NULL));

  if (key != 0)
    wp_workspace_turn_row (self->workspace, key);
}

static void
pin_row (gpointer content, GVariant *value, int which)
{
  WpTracePage *self = content;
  gint32 key = row_key (self, g_variant_get_string (value, NULL));

  if (key > 0)
    wp_workspace_pin_row (self->workspace, key);
}

#define OPTION(option) { set_option, can_set_option, option_state, option }

const WpContentAction wp_trace_page_actions[WP_N_ACTIONS] = {
  [WP_ACTION_VIEW] = { set_view, NULL, view_state, 0 },
  [WP_ACTION_ZOOM_IN] = { zoom, has_rows, NULL, 1 },
  [WP_ACTION_ZOOM_OUT] = { zoom, has_rows, NULL, -1 },
  [WP_ACTION_ZOOM_FIT] = { zoom, has_rows, NULL, 0 },
  [WP_ACTION_FIT_HEIGHT] = { set_fits_height, has_rows, fits_height, 0 },
  [WP_ACTION_FIT_SELECTION] = { fit_selection, has_rows, NULL, 0 },
  [WP_ACTION_BACK] = { go, can_go, NULL, -1 },
  [WP_ACTION_FORWARD] = { go, can_go, NULL, 1 },
  [WP_ACTION_SHOW_SLEEPS] = OPTION (WP_OPTION_SHOW_SLEEPS),
  [WP_ACTION_SUMMARY] = OPTION (WP_OPTION_SUMMARY),
  [WP_ACTION_BY_CPU] = OPTION (WP_OPTION_BY_CPU),
  [WP_ACTION_MERGE_THREADS] = OPTION (WP_OPTION_MERGE_THREADS),
  [WP_ACTION_STARTED_WORK] = OPTION (WP_OPTION_STARTED_WORK),
  [WP_ACTION_INVERTED] = OPTION (WP_OPTION_INVERTED),
  [WP_ACTION_COLLAPSE_RECURSION] = OPTION (WP_OPTION_COLLAPSE_RECURSION),
  [WP_ACTION_ICICLE] = OPTION (WP_OPTION_ICICLE),
  [WP_ACTION_DEPTH] = { set_depth, has_analysis, depth_state, 0 },
  [WP_ACTION_COLORS] = { set_colors, NULL, colors_state, 0 },
  [WP_ACTION_SINCE_PROCESS] = OPTION (WP_OPTION_SINCE_PROCESS),
  [WP_ACTION_TURN_ROW] = { turn_row, is_of_tasks, NULL, 0 },
  [WP_ACTION_PIN_ROW] = { pin_row, is_of_tasks, NULL, 0 },
  [WP_ACTION_LEGEND] = OPTION (WP_OPTION_LEGEND),
  [WP_ACTION_LINKS] = OPTION (WP_OPTION_LINKS),
  [WP_ACTION_WAIT_CHAIN] = OPTION (WP_OPTION_WAIT_CHAIN),
  [WP_ACTION_DETAILS] = OPTION (WP_OPTION_DETAILS),
  [WP_ACTION_EXPLAIN_ALSO] = { explain_also, can_explain_also, NULL, 0 },
  [WP_ACTION_OPEN_FLAME] = { open_flame, has_selection, NULL, 0 },
  [WP_ACTION_OPEN_FOLD] = { open_fold, has_fold, NULL, 0 },
  [WP_ACTION_TURN_GHOST] = { turn_ghost, can_turn_ghost, NULL, 0 },
  [WP_ACTION_COPY_NAME] = { copy_name, has_selection, NULL, 0 },
  [WP_ACTION_COPY_DETAILS] = { copy_details, has_selection, NULL, 0 },
  [WP_ACTION_SEARCH_NAME] = { search_name, has_selection, NULL, 0 },
  [WP_ACTION_FILTER_TASK] = { filter_task, has_selected_op, NULL, 0 },
  [WP_ACTION_MARK_SELECTION] = { mark_selection, has_selection, NULL, 0 },
  [WP_ACTION_CLEAR_MARK] = { clear_mark, has_mark, NULL, 0 },
  [WP_ACTION_CUT_BRANCH] = { cut_branch, can_cut, NULL, 0 },
  [WP_ACTION_RESTORE_BRANCHES] = { restore_branches, has_cuts, NULL, 0 },
  [WP_ACTION_HIDE_FUNCTION] = { hide_selected, can_hide, NULL, WP_HIDE_FUNCTION },
  [WP_ACTION_HIDE_MODULE] = { hide_selected, can_hide, NULL, WP_HIDE_MODULE },
  [WP_ACTION_HIDE_MATCHES] = { hide_matches, can_hide_matches, NULL, 0 },
  [WP_ACTION_UNDO] = { undo, can_undo, NULL, 0 },
  [WP_ACTION_ADD_NOTE] = { add_note, can_add_note, NULL, 0 },
  [WP_ACTION_NOTES] = { show_notes, NULL, NULL, 0 },
  [WP_ACTION_EXPORT_NOTES] = { export_notes, has_notes, NULL, 0 },
  [WP_ACTION_COPY_MARKDOWN] = { copy_markdown, has_selection, NULL, 0 },
  [WP_ACTION_COPY_PICTURE] = { copy_picture, has_rows, NULL, 0 },
  [WP_ACTION_RAW_EVENTS] = { show_raw_events, can_show_raw_events, NULL, 0 },
  [WP_ACTION_GO_TO_WAKER] = { go_to_waker, has_selected_op, NULL, 0 },
  [WP_ACTION_GO_TO_WOKEN] = { go_to_woken, has_selected_op, NULL, 0 },
  [WP_ACTION_SEARCH] = { search, has_rows, NULL, 0 },
  [WP_ACTION_NEXT_MATCH] = { next_match, has_matches, NULL, 1 },
  [WP_ACTION_PREVIOUS_MATCH] = { next_match, has_matches, NULL, -1 },
  [WP_ACTION_STEP_NEXT] = { step, has_stops, NULL, WP_STEP_NEXT },
  [WP_ACTION_STEP_PREVIOUS] = { step, has_stops, NULL, WP_STEP_PREVIOUS },
  [WP_ACTION_STEP_LONGEST] = { step, has_stops, NULL, WP_STEP_LONGEST },
  [WP_ACTION_SAVE] = { save, has_analysis, NULL, 0 },
  [WP_ACTION_SAVE_RECORDING] = { save_recording, is_recording, NULL, 0 },
  [WP_ACTION_EXPORT_PICTURE] = { export_picture, has_rows, NULL, FALSE },
  [WP_ACTION_EXPORT_VISIBLE] = { export_picture, has_rows, NULL, TRUE },
  [WP_ACTION_EXPORT_TABLE] = { export_table, has_analysis, NULL, 0 },
  [WP_ACTION_COPY_TABLE] = { copy_table, has_analysis, NULL, 0 },
  [WP_ACTION_SHOW_AROUND] = { show_around, has_analysis, NULL, 0 },
};
