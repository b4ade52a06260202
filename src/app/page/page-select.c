/* The selected box: its details, where its links lead, and the boxes of the explanation's chosen row. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "workspace/boxes.h"

#define TOO_NARROW 12.0 /* pixels: a box that is stepped to is zoomed to when it is narrower */

static const WpBox *
selected_box (WpPage *self)
{
  const WpRows *rows = wp_canvas_rows (wp_page_canvas (self));
  guint box = wp_canvas_selected (wp_page_canvas (self));

  return rows != NULL && box != WP_NO_BOX ? &rows->boxes.data[box] : NULL;
}

/* What is meant of a box of the current view: of the selected one what was pointed at, of others what is visible. */
WpId
wp_page_part_of (WpPage *self, guint box, guint *n_parts)
{
  WpCanvas *canvas = wp_page_canvas (self);
  double from = wp_canvas_viewport (canvas)->start, to = wp_canvas_viewport (canvas)->end;

  if (box == wp_canvas_selected (canvas))
    wp_canvas_selected_range (canvas, &from, &to);
  return wp_box_part (&wp_canvas_rows (canvas)->boxes.data[box], wp_page_analysis (self), from, to, n_parts);
}

WpId
wp_page_selected_op (WpPage *self)
{
  const WpBox *box = selected_box (self);

  return box != NULL && wp_page_trace (self) != NULL ? wp_box_op (box, wp_page_analysis (self), self->part) : 0;
}

WpId
wp_page_selected_task (WpPage *self)
{
  WpId op = wp_page_selected_op (self);

  return op != 0 ? wp_page_trace (self)->ops.data[op].task : 0;
}

char *
wp_page_selected_name (WpPage *self)
{
  const WpBox *box = selected_box (self);

  return box != NULL ? g_strdup (wp_strings_get (wp_canvas_rows (wp_page_canvas (self))->strings, box->label)) : NULL;
}

static WpDetailsText *
describe_selection (WpPage *self)
{
  WpCanvas *canvas = wp_page_canvas (self);

  return wp_details_text_new (&(WpDetailsRequest) { .rows = wp_canvas_rows (canvas),
                                                    .box = wp_canvas_selected (canvas),
                                                    .part = self->part,
                                                    .n_parts = self->n_parts,
                                                    .trace = wp_page_trace (self),
                                                    .analysis = wp_page_analysis (self),
                                                    .sources = self->sources });
}

static void
on_sources_found (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;

  self->looking_up = NULL;
  if (wp_sources_add (self->sources, result) && selected_box (self) != NULL)
    wp_details_update (self->details, describe_selection (self));
}

/* The lines come when they are found; the pane does not wait for them. */
static void
look_up_sources (WpPage *self, const GArray *frames)
{
  wp_job_drop (&self->looking_up);
  if (frames->len > 0 && wp_page_trace (self) != NULL)
    self->looking_up = wp_sources_start (self->sources, self->document, frames, on_sources_found, self);
}

void
wp_page_show_details (WpPage *self)
{
  const WpBox *box = selected_box (self);
  WpDetailsText *text;

  self->part = 0;
  self->n_parts = 0;
  if (box == NULL)
    {
      wp_job_drop (&self->looking_up);
      wp_details_show (self->details, NULL);
      return;
    }
  self->part = wp_page_part_of (self, wp_canvas_selected (wp_page_canvas (self)), &self->n_parts);
  gtk_widget_set_visible (GTK_WIDGET (self->details), self->show_details);
  text = describe_selection (self);
  look_up_sources (self, text->frames);
  wp_details_show (self->details, text);
}

/* --- going somewhere --- */

/* Of the box, the stretch from start to end is what one wants to see. */
static void
select_and_show (WpCanvas *canvas, guint box, double start, double end)
{
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  double width = (end - start) / (viewport->end - viewport->start) * viewport->width;

  if (width < TOO_NARROW)
    {
      double margin = MAX (end - start, 100) * 3;

      wp_canvas_show_range (canvas, start - margin, end + margin);
    }
  else if (end <= viewport->start || start >= viewport->end)
    wp_canvas_center (canvas, (start + end) / 2);
  wp_canvas_select_at (canvas, box, (start + end) / 2, TRUE);
}

/* In the current view where it is there, else in Processes. */
void
wp_page_go_to_op (WpPage *self, WpId op)
{
  WpViewId const tries[] = { self->current, WP_VIEW_PROCESSES };

  for (guint i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      WpCanvas *canvas = wp_view_canvas (self->view[tries[i]]);
      const WpRows *rows = wp_canvas_rows (canvas);
      guint box = rows != NULL ? wp_box_of_op (rows, wp_page_analysis (self), op) : WP_NO_BOX;

      if (box == WP_NO_BOX)
        continue;
      if (self->current != tries[i])
        wp_page_set_view (self, tries[i]);
      select_and_show (canvas, box, (double) rows->boxes.data[box].start, (double) rows->boxes.data[box].end);
      return;
    }
  wp_page_toast (self, _("This is not drawn; Show Sleeps, no filter and no summary show everything"));
}

void
wp_page_follow (WpPage *self, const char *uri)
{
  const WpTrace *trace = wp_page_trace (self);
  guint64 id;

  if (g_str_has_prefix (uri, "find:"))
    wp_page_search (self, uri + strlen ("find:"));
  else if (g_str_has_prefix (uri, "op:") && g_ascii_string_to_unsigned (uri + 3, 10, 1, G_MAXUINT32, &id, NULL))
    wp_page_go_to_op (self, (WpId) id);
  else if (trace != NULL && g_str_has_prefix (uri, "task:")
           && g_ascii_string_to_unsigned (uri + 5, 10, 1, trace->tasks.len - 1, &id, NULL))
    {
      wp_page_set_view (self, WP_VIEW_FLAME);
      wp_page_explain_task (self, (WpId) id);
    }
}

/* --- the chosen row of the explanation --- */

/* In a consolidated view one steps through boxes, since a node gathers many pieces. Waiting on another path has a box of
 * its own on that of the node. */
static void
collect_boxes (WpPage *self, const WpRows *rows, const WpChoice *choice)
{
  gboolean waiting = choice->category == WP_CATEGORY_OTHER_PATH;
  g_autofree gint64 *ns = wp_choice_nodes (wp_page_analysis (self), choice);

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (ns[rows->boxes.data[i].ref] > 0 && waiting == (rows->boxes.data[i].kind == WP_BOX_OTHER_PATH))
      {
        g_array_append_val (self->stops, i);
        g_array_append_val (self->stop_ns, ns[rows->boxes.data[i].ref]);
      }
}

static void
collect_pieces (WpPage *self, const WpExplanation *explanation, const WpChoice *choice)
{
  g_array_unref (self->stops);
  self->stops = wp_choice_pieces (explanation, choice);
  for (guint i = 0; i < self->stops->len; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[g_array_index (self->stops, guint32, i)];
      gint64 ns = piece->end - piece->start;

      g_array_append_val (self->stop_ns, ns);
    }
}

static void
highlight_choice (WpPage *self)
{
  const WpExplanation *explanation = wp_page_explanation (self);
  WpCanvas *canvas = wp_page_canvas (self);
  const WpRows *rows = wp_canvas_rows (canvas);
  WpChoice choice;

  self->stop = G_MAXUINT;
  g_array_set_size (self->stops, 0);
  g_array_set_size (self->stop_ns, 0);
  if (rows == NULL || explanation == NULL || !wp_explanation_panel_choice (self->panel, &choice))
    {
      wp_canvas_set_highlight (canvas, NULL);
      return;
    }
  if (rows->is_time)
    collect_pieces (self, explanation, &choice);
  else
    collect_boxes (self, rows, &choice);
  wp_canvas_set_highlight (canvas, wp_highlight_boxes (rows, wp_page_analysis (self), &choice));
  wp_explanation_panel_set_position (self->panel, 0, self->stops->len);
}

void
wp_page_choose (WpPage *self)
{
  if (!self->gone)
    highlight_choice (self);
}

static guint
longest_stop (WpPage *self)
{
  const gint64 *ns = (const gint64 *) self->stop_ns->data;
  guint best = 0;

  for (guint i = 1; i < self->stop_ns->len; i++)
    if (ns[i] > ns[best])
      best = i;
  return best;
}

/* The box of a stop, and which stretch of it. */
static guint
stop_box (WpPage *self, const WpRows *rows, guint i, double *start, double *end)
{
  guint32 stop = g_array_index (self->stops, guint32, i);
  const WpPiece *piece;

  if (!rows->is_time)
    {
      *start = (double) rows->boxes.data[stop].start;
      *end = (double) rows->boxes.data[stop].end;
      return stop;
    }
  piece = &wp_page_explanation (self)->pieces.data[stop];
  *start = (double) piece->start;
  *end = (double) piece->end;
  return wp_box_of_part (rows, wp_page_analysis (self), piece->part, piece->start, piece->end);
}

/* Pieces that this view does not draw are stepped over. */
void
wp_page_step (WpPage *self, int how)
{
  WpCanvas *canvas = wp_page_canvas (self);
  const WpRows *rows = wp_canvas_rows (canvas);
  guint n = self->stops->len, at = self->stop, box = WP_NO_BOX;
  double start = 0, end = 0;

  if (rows == NULL || n == 0)
    return;
  for (guint tried = 0; tried < n && box == WP_NO_BOX; tried++)
    {
      if (how == 0 && tried == 0)
        at = longest_stop (self);
      else if (at == G_MAXUINT)
        at = how < 0 ? n - 1 : 0;
      else
        at = (at + (how < 0 ? n - 1 : 1)) % n;
      box = stop_box (self, rows, at, &start, &end);
    }
  if (box == WP_NO_BOX)
    return;
  self->stop = at;
  select_and_show (canvas, box, start, end);
  wp_explanation_panel_set_position (self->panel, at + 1, n);
}

/* --- the canvases --- */

static void
on_box_selected (WpCanvas *canvas, guint box, WpPage *self)
{
  if (self->gone || canvas != wp_page_canvas (self))
    return;
  wp_page_show_details (self);
  wp_page_changed (self);
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpPage *self)
{
  wp_page_open_box (self, box);
}

/* The two views over time share the marked range. */
static void
on_range_marked (WpCanvas *canvas, WpPage *self)
{
  double start = 0, end = 0;

  if (wp_canvas_rows (canvas) == NULL || !wp_canvas_rows (canvas)->is_time)
    {
      wp_canvas_set_mark (canvas, 0, 0);
      return;
    }
  wp_canvas_mark (canvas, &start, &end);
  for (WpViewId v = WP_VIEW_PROCESSES; v <= WP_VIEW_FLAME; v++)
    if (wp_view_canvas (self->view[v]) != canvas)
      wp_canvas_set_mark (wp_view_canvas (self->view[v]), start, end);
  wp_page_explain_range (self);
  wp_page_changed (self);
}

static gboolean
remove_menu (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Not at once: the chosen item's action is still to be activated. */
static void
on_menu_closed (GtkPopover *popover, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, remove_menu, g_object_ref (popover), g_object_unref);
}

static void
on_menu_wanted (WpCanvas *canvas, guint box, double x, double y, WpPage *self)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/org/wakepath/Wakepath/menus.ui");
  GMenuModel *model = G_MENU_MODEL (gtk_builder_get_object (builder, box != WP_NO_BOX ? "box-menu" : "canvas-menu"));
  GtkWidget *popover = gtk_popover_menu_new_from_model (model);

  gtk_widget_set_parent (popover, GTK_WIDGET (canvas));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (on_menu_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (canvas));
}

static void
on_place_changed (WpCanvas *canvas, WpPage *self)
{
  if (canvas == wp_page_canvas (self))
    wp_page_changed (self);
}

static char *
describe (WpPage *self, WpViewId view, guint box, double time)
{
  WpCanvas *canvas = wp_view_canvas (self->view[view]);
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpViewport *seen = wp_canvas_viewport (canvas);
  gboolean pointed = !isnan (time);
  WpId part = wp_box_part (&rows->boxes.data[box], wp_page_analysis (self), pointed ? time : seen->start,
                           pointed ? time + 1 : seen->end, NULL);

  return wp_box_tooltip (rows, box, part, wp_page_trace (self), wp_page_analysis (self));
}

static char *
describe_processes (guint box, double time, gpointer data)
{
  return describe (data, WP_VIEW_PROCESSES, box, time);
}

static char *
describe_flame (guint box, double time, gpointer data)
{
  return describe (data, WP_VIEW_FLAME, box, time);
}

static char *
describe_consolidated (guint box, double time, gpointer data)
{
  return describe (data, WP_VIEW_CONSOLIDATED, box, time);
}

void
wp_page_connect_canvas (WpPage *self, WpViewId view)
{
  static const WpDescribeFunc describers[WP_N_VIEWS] = { describe_processes, describe_flame, describe_consolidated };
  WpCanvas *canvas = wp_view_canvas (self->view[view]);

  wp_canvas_set_describe (canvas, describers[view], self);
  g_signal_connect_object (canvas, "box-selected", G_CALLBACK (on_box_selected), self, 0);
  g_signal_connect_object (canvas, "box-opened", G_CALLBACK (on_box_opened), self, 0);
  g_signal_connect_object (canvas, "range-marked", G_CALLBACK (on_range_marked), self, 0);
  g_signal_connect_object (canvas, "menu-wanted", G_CALLBACK (on_menu_wanted), self, 0);
  g_signal_connect_object (canvas, "place-changed", G_CALLBACK (on_place_changed), self, 0);
}
