/* Everything that can be done with a page: a row each, with its name, when it can be used and its state. */
#include "app/page/page-private.h"
#include "app/shell/settings.h"

#include <glib/gi18n.h>

#define ZOOM_STEP 1.5

static const char *const view_ids[WP_N_VIEWS] = { "processes", "flame", "consolidated" };

/* --- when --- */

static gboolean
has_rows (WpPage *self)
{
  return wp_canvas_rows (wp_page_canvas (self)) != NULL;
}

static gboolean
has_selection (WpPage *self)
{
  return has_rows (self) && wp_canvas_selected (wp_page_canvas (self)) != WP_NO_BOX;
}

static gboolean
has_selected_op (WpPage *self)
{
  return wp_page_selected_op (self) != 0;
}

static gboolean
has_analysis (WpPage *self)
{
  return self->analysis != NULL;
}

static gboolean
can_save (WpPage *self)
{
  return self->analysis != NULL && self->saving == NULL;
}

/* What is in a saved profile cannot be analysed anew. */
static gboolean
can_analyse (WpPage *self)
{
  return self->analysis != NULL && wp_page_has_recording (self);
}

static gboolean
has_cuts (WpPage *self)
{
  return self->cuts->len > 0;
}

static gboolean
can_undo_cut (WpPage *self)
{
  return self->cuts_before->len > 0;
}

static gboolean
has_choice (WpPage *self)
{
  return self->stops->len > 0;
}

static gboolean
has_matches (WpPage *self)
{
  return self->found->len > 0;
}

static gboolean
can_go_back (WpPage *self)
{
  return wp_canvas_can_go (wp_page_canvas (self), -1);
}

static gboolean
can_go_forward (WpPage *self)
{
  return wp_canvas_can_go (wp_page_canvas (self), 1);
}

static gboolean
has_mark (WpPage *self)
{
  double start, end;

  return wp_canvas_mark (wp_page_canvas (self), &start, &end);
}

/* --- a profile that explains no process --- */

static gboolean
kinds_zoom (WpPage *self)
{
  return wp_plot_page_rows (self->kinds) != NULL || wp_plot_page_chart (self->kinds, NULL) != NULL;
}

static gboolean
kinds_back (WpPage *self)
{
  WpCanvas *canvas = wp_plot_page_canvas (self->kinds);

  return canvas != NULL && wp_canvas_can_go (canvas, -1);
}

static gboolean
kinds_forward (WpPage *self)
{
  WpCanvas *canvas = wp_plot_page_canvas (self->kinds);

  return canvas != NULL && wp_canvas_can_go (canvas, 1);
}

static gboolean
kinds_picture (WpPage *self)
{
  return kinds_zoom (self) && self->saving == NULL;
}

static gboolean
kinds_table (WpPage *self)
{
  return !kinds_zoom (self) && self->saving == NULL;
}

static gboolean
kinds_save (WpPage *self)
{
  return self->saving == NULL;
}

/* `factor` 0: everything. */
static void
zoom (WpPage *self, double factor)
{
  if (self->kinds != NULL)
    wp_plot_page_zoom (self->kinds, factor);
  else if (factor > 0)
    wp_canvas_zoom (wp_page_canvas (self), factor);
  else
    wp_canvas_fit (wp_page_canvas (self));
}

static void
go (WpPage *self, int direction)
{
  wp_canvas_go (self->kinds != NULL ? wp_plot_page_canvas (self->kinds) : wp_page_canvas (self), direction);
}

/* --- views and places --- */

static void
set_view (WpPage *self, GVariant *value)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    if (g_str_equal (g_variant_get_string (value, NULL), view_ids[v]))
      wp_page_set_view (self, v);
}

static GVariant *
view_state (WpPage *self)
{
  return g_variant_new_string (view_ids[self->current]);
}

static void
zoom_in (WpPage *self, GVariant *value)
{
  zoom (self, ZOOM_STEP);
}

static void
zoom_out (WpPage *self, GVariant *value)
{
  zoom (self, 1 / ZOOM_STEP);
}

static void
zoom_fit (WpPage *self, GVariant *value)
{
  zoom (self, 0);
}

static void
fit_selection (WpPage *self, GVariant *value)
{
  wp_canvas_fit_selection (wp_page_canvas (self));
}

static void
back (WpPage *self, GVariant *value)
{
  go (self, -1);
}

static void
forward (WpPage *self, GVariant *value)
{
  go (self, 1);
}

/* --- options --- */

static void
lay_out (WpPage *self, GVariant *value)
{
  wp_page_layout_processes (self);
}

static void
explain_again (WpPage *self, GVariant *value)
{
  wp_page_explain_again (self);
}

static void
show_legend (WpPage *self, GVariant *value)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_view_set_legend (self->view[v], self->legend);
}

static void
show_links (WpPage *self, GVariant *value)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_canvas_set_lines (wp_view_canvas (self->view[v]), self->links);
}

static void
show_details (WpPage *self, GVariant *value)
{
  gtk_widget_set_visible (GTK_WIDGET (self->details), self->show_details);
}

/* --- the selection --- */

static void
open_flame (WpPage *self, GVariant *value)
{
  wp_page_open_box (self, wp_canvas_selected (wp_page_canvas (self)));
}

static void
copy_name (WpPage *self, GVariant *value)
{
  g_autofree char *name = wp_page_selected_name (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), name);
}

static void
copy_details (WpPage *self, GVariant *value)
{
  gtk_widget_activate_action (GTK_WIDGET (self->details), "details.copy", NULL);
}

static void
search_name (WpPage *self, GVariant *value)
{
  g_autofree char *name = wp_page_selected_name (self);

  wp_page_search (self, name);
}

static void
filter_task (WpPage *self, GVariant *value)
{
  const WpTrace *trace = wp_page_trace (self);
  WpId task = wp_page_selected_task (self);

  if (task == 0)
    return;
  wp_page_set_view (self, WP_VIEW_PROCESSES);
  gtk_editable_set_text (GTK_EDITABLE (self->filter), wp_trace_task_name (trace, task));
}

static void
mark_selection (WpPage *self, GVariant *value)
{
  gtk_widget_activate_action (GTK_WIDGET (wp_page_canvas (self)), "canvas.mark", NULL);
}

static void
clear_mark (WpPage *self, GVariant *value)
{
  wp_canvas_set_mark (wp_page_canvas (self), 0, 0);
  g_signal_emit_by_name (wp_page_canvas (self), "range-marked");
}

static void
cut_branch (WpPage *self, GVariant *value)
{
  wp_page_cut (self);
}

static void
restore_branches (WpPage *self, GVariant *value)
{
  wp_page_restore_cuts (self);
}

static void
undo_cut (WpPage *self, GVariant *value)
{
  wp_page_undo_cut (self);
}

static WpId
link_of (const WpTrace *trace, WpId op)
{
  WpId before = 0;

  if (trace->ops.data[op].link != 0 || trace->ops.data[op].kind == WP_OP_SLEEP)
    return trace->ops.data[op].link;
  before = wp_trace_prev_op (trace, op);
  return before != 0 ? trace->ops.data[before].link : 0;
}

static void
go_to_waker (WpPage *self, GVariant *value)
{
  const WpTrace *trace = wp_page_trace (self);
  WpId link = link_of (trace, wp_page_selected_op (self));

  if (link != 0 && trace->links.data[link].source != 0)
    wp_page_go_to_op (self, trace->links.data[link].source);
  else
    wp_page_toast (self, _("Nothing is known to have woken this"));
}

static void
go_to_woken (WpPage *self, GVariant *value)
{
  const WpTrace *trace = wp_page_trace (self);
  WpId op = wp_page_selected_op (self);

  for (WpId i = 1; i < trace->links.len; i++)
    if (trace->links.data[i].source == op && trace->links.data[i].target != 0)
      {
        wp_page_go_to_op (self, trace->links.data[i].target);
        return;
      }
  wp_page_toast (self, _("This woke nothing"));
}

/* --- search, steps, saving --- */

static void
search (WpPage *self, GVariant *value)
{
  wp_page_search (self, NULL);
}

static void
next_match (WpPage *self, GVariant *value)
{
  wp_page_next_match (self, 1);
}

static void
previous_match (WpPage *self, GVariant *value)
{
  wp_page_next_match (self, -1);
}

static void
step_next (WpPage *self, GVariant *value)
{
  wp_page_step (self, 1);
}

static void
step_previous (WpPage *self, GVariant *value)
{
  wp_page_step (self, -1);
}

static void
step_longest (WpPage *self, GVariant *value)
{
  wp_page_step (self, 0);
}

static void
save (WpPage *self, GVariant *value)
{
  wp_page_save (self);
}

static void
save_recording (WpPage *self, GVariant *value)
{
  wp_page_save_recording (self);
}

static void
export_picture (WpPage *self, GVariant *value)
{
  wp_page_export_picture (self, FALSE);
}

static void
export_visible (WpPage *self, GVariant *value)
{
  wp_page_export_picture (self, TRUE);
}

static void
export_table (WpPage *self, GVariant *value)
{
  wp_page_export_table (self);
}

static void
copy_table (WpPage *self, GVariant *value)
{
  wp_page_copy_table (self, g_variant_get_string (value, NULL));
}

#define OPTION(name, field, setting, changed, enabled) \
  { name, "b", changed, enabled, NULL, NULL, G_STRUCT_OFFSET (WpPage, field), setting }

const WpPageAction wp_page_actions[] = {
  { "view", "s", set_view, NULL, view_state },
  { "zoom-in", NULL, zoom_in, has_rows, NULL, kinds_zoom },
  { "zoom-out", NULL, zoom_out, has_rows, NULL, kinds_zoom },
  { "zoom-fit", NULL, zoom_fit, has_rows, NULL, kinds_zoom },
  { "fit-selection", NULL, fit_selection, has_rows, NULL },
  { "back", NULL, back, can_go_back, NULL, kinds_back },
  { "forward", NULL, forward, can_go_forward, NULL, kinds_forward },
  OPTION ("show-sleeps", show_sleeps, "show-sleeps", lay_out, NULL),
  OPTION ("summary", summary, "summary", lay_out, NULL),
  OPTION ("legend", legend, "show-legend", show_legend, NULL),
  OPTION ("links", links, NULL, show_links, NULL),
  OPTION ("details", show_details, "show-details", show_details, NULL),
  OPTION ("merge-threads", merge_threads, "merge-threads", explain_again, can_analyse),
  OPTION ("started-work", started_work, "started-work", explain_again, can_analyse),
  OPTION ("inverted", inverted, NULL, explain_again, has_analysis),
  OPTION ("collapse-recursion", collapse_recursion, NULL, explain_again, has_analysis),
  OPTION ("icicle", icicle, NULL, explain_again, has_analysis),
  { "open-flame", NULL, open_flame, has_selection, NULL },
  { "copy-name", NULL, copy_name, has_selection, NULL },
  { "copy-details", NULL, copy_details, has_selection, NULL },
  { "search-name", NULL, search_name, has_selection, NULL },
  { "filter-task", NULL, filter_task, has_selected_op, NULL },
  { "mark-selection", NULL, mark_selection, has_selection, NULL },
  { "clear-mark", NULL, clear_mark, has_mark, NULL },
  { "cut-branch", NULL, cut_branch, wp_page_can_cut, NULL },
  { "restore-branches", NULL, restore_branches, has_cuts, NULL },
  { "undo-cut", NULL, undo_cut, can_undo_cut, NULL },
  { "go-to-waker", NULL, go_to_waker, has_selected_op, NULL },
  { "go-to-woken", NULL, go_to_woken, has_selected_op, NULL },
  { "search", NULL, search, has_rows, NULL },
  { "next-match", NULL, next_match, has_matches, NULL },
  { "previous-match", NULL, previous_match, has_matches, NULL },
  { "step-next", NULL, step_next, has_choice, NULL },
  { "step-previous", NULL, step_previous, has_choice, NULL },
  { "step-longest", NULL, step_longest, has_choice, NULL },
  { "save", NULL, save, can_save, NULL, kinds_save },
  { "save-recording", NULL, save_recording, wp_page_has_recording, NULL },
  { "export-picture", NULL, export_picture, has_rows, NULL, kinds_picture },
  { "export-visible", NULL, export_visible, has_rows, NULL, kinds_picture },
  { "export-table", NULL, export_table, can_save, NULL, kinds_table },
  { "copy-table", "s", copy_table, has_analysis, NULL },
};

const guint wp_page_n_actions = G_N_ELEMENTS (wp_page_actions);

gboolean
wp_page_action_enabled (WpPage *self, const WpPageAction *action)
{
  if (!self->gone && self->kinds != NULL)
    return action->kinds != NULL && action->kinds (self);
  return !self->gone && wp_page_has_views (self) && (action->enabled == NULL || action->enabled (self));
}

static gboolean *
option_of (WpPage *self, const WpPageAction *action)
{
  return action->option != 0 ? (gboolean *) G_STRUCT_MEMBER_P (self, action->option) : NULL;
}

gboolean
wp_page_action_has_state (const WpPageAction *action)
{
  return action->option != 0 || action->state != NULL;
}

GVariant *
wp_page_action_state (WpPage *self, const WpPageAction *action)
{
  const gboolean *option = option_of (self, action);

  return option != NULL ? g_variant_new_boolean (*option) : action->state (self);
}

void
wp_page_action_activate (WpPage *self, const WpPageAction *action, GVariant *value)
{
  gboolean *option = option_of (self, action);

  if (option != NULL)
    *option = g_variant_get_boolean (value);
  if (option != NULL && action->setting != NULL)
    wp_settings_set_boolean (action->setting, *option);
  action->activate (self, value);
}
