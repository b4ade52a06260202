#include "app/page/views.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/context-menu.h"
#include "workspace/file/details-text.h"
#include "workspace/file/strip-text.h"

#define ICON_FLAME "wakepath-flame-symbolic"
#define TOO_NARROW 12.0 /* pixels: a box that one goes to is zoomed to when it is narrower */

struct _WpViews
{
  AdwBin parent_instance;

  GtkStack *stack;
  WpView *view[WP_N_VIEWS];
  WpViewId current;
  WpWorkspace *workspace; /* its page's; NULL: not yet, or not any more */
  WpSources *sources;     /* source lines that tooltips have told */
  WpWorker *looking_up;
};

enum
{
  SIGNAL_SELECTED,
  SIGNAL_SWITCHED,
  SIGNAL_BOX_OPENED,
  SIGNAL_ROW_OPENED,
  SIGNAL_NOTE_OPENED,
  SIGNAL_MARKED,
  SIGNAL_MOVED,
  SIGNAL_KEPT,
  SIGNAL_CANCELLED,
  SIGNAL_CLEARED,
  SIGNAL_TOLD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpViews, wp_views, ADW_TYPE_BIN)

static const struct
{
  const char *id, *name;
} names[WP_N_VIEWS] = {
  [WP_VIEW_PROCESSES] = { "processes", N_("Processes") },
  [WP_VIEW_FLAME] = { "flame", N_("Flame View") },
  [WP_VIEW_CONSOLIDATED] = { "consolidated", N_("Consolidated Flame View") },
};

const char *
wp_views_id (WpViewId view)
{
  return names[view].id;
}

WpViewId
wp_views_current (WpViews *self)
{
  return self->current;
}

WpCanvas *
wp_views_canvas_of (WpViews *self, WpViewId view)
{
  return wp_view_canvas (self->view[view]);
}

WpCanvas *
wp_views_canvas (WpViews *self)
{
  return wp_views_canvas_of (self, self->current);
}

gboolean
wp_views_have_boxes (WpViews *self)
{
  return wp_view_has_boxes (self->view[self->current]);
}

GtkBox *
wp_views_toolbar (WpViews *self, WpViewId view)
{
  return wp_view_toolbar (self->view[view]);
}

void
wp_views_switch (WpViews *self, WpViewId view)
{
  self->current = view;
  gtk_stack_set_visible_child_name (self->stack, names[view].id);
  g_signal_emit (self, signals[SIGNAL_SWITCHED], 0);
  gtk_widget_grab_focus (GTK_WIDGET (wp_views_canvas (self)));
}

void
wp_views_set_workspace (WpViews *self, WpWorkspace *workspace)
{
  g_set_weak_pointer (&self->workspace, workspace);
}

/* --- what they show --- */

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
show_rows (WpViews *self, WpViewId view, WpShared *rows, gboolean keep_place)
{
  if (rows == NULL)
    {
      wp_view_show_empty (self->view[view], ICON_FLAME, _(refused[view].title), _(refused[view].text));
      wp_view_offer (self->view[view], _(refused[view].offer), refused[view].action);
    }
  wp_view_set_rows (self->view[view], rows, keep_place);
}

void
wp_views_show_processes (WpViews *self, gboolean keep_place)
{
  WpView *view = self->view[WP_VIEW_PROCESSES];
  WpShared *shared = wp_workspace_rows (self->workspace);
  const WpRows *rows = wp_shared_get (shared);

  wp_view_set_rows (view, shared, keep_place);
  if (rows->rows.len == 0 && keep_place)
    wp_view_show_empty (view, "edit-find-symbolic", _("No Such Task"), _("No task’s name contains what the filter says."));
}

static void
show_strip (WpViews *self, WpShared *strip)
{
  g_autofree char *text = strip != NULL ? wp_strip_text (wp_shared_get (strip)) : NULL;

  wp_view_set_strip (self->view[WP_VIEW_FLAME], strip, text);
}

void
wp_views_show_analysis (WpViews *self, gboolean keep_place)
{
  const WpAnalysis *analysis = wp_shared_get (wp_workspace_whole (self->workspace));

  wp_view_choose_row (self->view[WP_VIEW_PROCESSES], analysis != NULL ? wp_analysis_pid (analysis) : 0);
  show_rows (self, WP_VIEW_FLAME, analysis != NULL ? analysis->flame : NULL, keep_place);
  show_strip (self, analysis != NULL ? analysis->strip : NULL);
  show_rows (self, WP_VIEW_CONSOLIDATED, analysis != NULL ? analysis->consolidated : NULL, keep_place);
}

void
wp_views_show_consolidated (WpViews *self)
{
  show_rows (self, WP_VIEW_CONSOLIDATED, wp_workspace_analysis (self->workspace)->consolidated, FALSE);
}

void
wp_views_show_busy (WpViews *self, const char *phase, double fraction)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_busy (self->view[v], phase != NULL ? _(phase) : _("Explaining"), fraction);
}

static void
show_empty (WpViews *self, const char *title, const char *text)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    {
      wp_view_set_rows (self->view[v], NULL, FALSE);
      wp_view_show_empty (self->view[v], ICON_FLAME, title, text);
    }
}

void
wp_views_show_choose (WpViews *self)
{
  show_empty (self, _("Choose a Process"), _("Click the name of a process in the Processes view to see where its time went."));
}

void
wp_views_show_failure (WpViews *self, const char *message)
{
  show_empty (self, _("Nothing to Show Yet"), message);
}

void
wp_views_set_colors (WpViews *self, WpColors colors)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_view_set_colors (self->view[v], colors);
}

void
wp_views_set_origin (WpViews *self, gint64 origin)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_canvas_set_origin (wp_views_canvas_of (self, v), origin);
}

void
wp_views_set_legend (WpViews *self, gboolean shown)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_view_set_legend (self->view[v], shown);
}

void
wp_views_set_links (WpViews *self, gboolean shown)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_canvas_set_lines (wp_views_canvas_of (self, v), shown);
}

void
wp_views_set_wait_chain (WpViews *self, gboolean shown)
{
  wp_view_show_strip (self->view[WP_VIEW_FLAME], shown);
}

WpShared *
wp_views_shown_strip (WpViews *self)
{
  WpStrip *strip = wp_view_strip (self->view[wp_views_current (self)]);

  return gtk_widget_get_visible (GTK_WIDGET (strip)) ? wp_strip_shared_rows (strip) : NULL;
}

/* --- the marked range: the two views over time share it --- */

gboolean
wp_views_mark (WpViews *self, gint64 *from, gint64 *to)
{
  double start = 0, end = 0;
  gboolean marked = wp_canvas_mark (wp_views_canvas_of (self, WP_VIEW_FLAME), &start, &end)
                    || wp_canvas_mark (wp_views_canvas_of (self, WP_VIEW_PROCESSES), &start, &end);

  *from = marked ? (gint64) start : 0;
  *to = marked ? (gint64) end : 0;
  return marked;
}

void
wp_views_set_mark (WpViews *self, gint64 from, gint64 to)
{
  for (WpViewId v = WP_VIEW_PROCESSES; v <= WP_VIEW_FLAME; v++)
    wp_canvas_set_mark (wp_views_canvas_of (self, v), (double) from, (double) to);
}

void
wp_views_set_notes (WpViews *self, const GArray *notes)
{
  for (WpViewId v = WP_VIEW_PROCESSES; v <= WP_VIEW_FLAME; v++)
    wp_view_set_notes (self->view[v], notes);
}

void
wp_views_clear_mark (WpViews *self)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_canvas_set_mark (wp_views_canvas_of (self, v), 0, 0);
  g_signal_emit (self, signals[SIGNAL_MARKED], 0);
}

static void
on_range_marked (WpCanvas *canvas, WpViews *self)
{
  double start = 0, end = 0;

  if (wp_canvas_rows (canvas) == NULL || !wp_canvas_rows (canvas)->is_time)
    {
      wp_canvas_set_mark (canvas, 0, 0);
      return;
    }
  wp_canvas_mark (canvas, &start, &end);
  for (WpViewId v = WP_VIEW_PROCESSES; v <= WP_VIEW_FLAME; v++)
    if (wp_views_canvas_of (self, v) != canvas)
      wp_canvas_set_mark (wp_views_canvas_of (self, v), start, end);
  g_signal_emit (self, signals[SIGNAL_MARKED], 0);
}

/* --- going somewhere --- */

WpSelection
wp_views_select_box (WpViews *self, guint box)
{
  WpCanvas *canvas = wp_views_canvas (self);
  double from = wp_canvas_viewport (canvas)->start, to = wp_canvas_viewport (canvas)->end;

  if (box == wp_canvas_selected (canvas))
    wp_canvas_selected_range (canvas, &from, &to);
  return wp_select_box (wp_canvas_rows (canvas), box, wp_workspace_trace (self->workspace), wp_workspace_analysis (self->workspace), from,
                        to);
}

void
wp_views_go_to (WpViews *self, const WpStop *stop)
{
  WpCanvas *canvas = wp_views_canvas (self);
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  double length = stop->end - stop->start, middle = (stop->start + stop->end) / 2;

  if (length / (viewport->end - viewport->start) * viewport->width < TOO_NARROW)
    {
      double margin = MAX (length, 100) * 3;

      wp_canvas_show_range (canvas, stop->start - margin, stop->end + margin);
    }
  else if (stop->end <= viewport->start || stop->start >= viewport->end)
    wp_canvas_center (canvas, middle);
  wp_canvas_select_at (canvas, stop->box, middle, TRUE);
}

gboolean
wp_views_go_to_op (WpViews *self, WpId op)
{
  WpViewId const tries[] = { self->current, WP_VIEW_PROCESSES };

  for (guint i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      const WpRows *rows = wp_canvas_rows (wp_views_canvas_of (self, tries[i]));
      guint box = rows != NULL ? wp_box_of_op (rows, wp_workspace_analysis (self->workspace), op) : WP_NO_BOX;

      if (box == WP_NO_BOX)
        continue;
      if (self->current != tries[i])
        wp_views_switch (self, tries[i]);
      wp_views_go_to (self, &(WpStop) { box, (double) rows->boxes.data[box].start, (double) rows->boxes.data[box].end });
      return TRUE;
    }
  return FALSE;
}

/* --- what canvases tell --- */

static void
on_box_selected (WpCanvas *canvas, guint box, WpViews *self)
{
  if (self->workspace != NULL && canvas == wp_views_canvas (self))
    g_signal_emit (self, signals[SIGNAL_SELECTED], 0);
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpViews *self)
{
  g_signal_emit (self, signals[SIGNAL_BOX_OPENED], 0, box);
}

static void
on_place_changed (WpCanvas *canvas, WpViews *self)
{
  if (canvas == wp_views_canvas (self))
    g_signal_emit (self, signals[SIGNAL_MOVED], 0);
}

static void
on_place_kept (WpCanvas *canvas, WpViews *self)
{
  if (canvas == wp_views_canvas (self))
    g_signal_emit (self, signals[SIGNAL_KEPT], 0);
}

static void
on_cleared (WpCanvas *canvas, WpViews *self)
{
  g_signal_emit (self, signals[SIGNAL_CLEARED], 0);
}

/* From the selected box to another one: the time of both and all between is marked, and told. */
static void
on_measured (WpCanvas *canvas, guint box, WpViews *self)
{
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpBox *a = &rows->boxes.data[wp_canvas_selected (canvas)], *b = &rows->boxes.data[box];
  g_autofree char *text = NULL;

  if (!rows->is_time)
    return;
  wp_canvas_set_mark (canvas, MIN (a->start, b->start), MAX (a->end, b->end));
  on_range_marked (canvas, self);
  text = wp_boxes_distance_text (a, b);
  g_signal_emit (self, signals[SIGNAL_TOLD], 0, text);
}

/* What of a box can be hidden, by its names; they are the selected box's, as the menu's other items are. */
static GMenuModel *
new_hide_items (WpViews *self, WpCanvas *canvas, guint box)
{
  static const struct
  {
    const char *label, *action;
  } items[] = {
    [WP_HIDE_FUNCTION] = { N_("_Hide Function “%s”"), "win.hide-function" },
    [WP_HIDE_MODULE] = { N_("Hide Mod_ule “%s”"), "win.hide-module" },
  };
  GMenu *menu = g_menu_new ();

  for (WpHideKind kind = 0; kind < G_N_ELEMENTS (items) && box != WP_NO_BOX && self->workspace != NULL; kind++)
    {
      const char *name = wp_workspace_hideable (self->workspace, wp_canvas_rows (canvas), box, kind);

      if (name != NULL)
        wp_context_menu_add (menu, _(items[kind].label), name, items[kind].action);
    }
  return G_MENU_MODEL (menu);
}

static void
on_menu_wanted (WpCanvas *canvas, guint box, double x, double y, WpViews *self)
{
  g_autoptr (GMenuModel) hide = new_hide_items (self, canvas, box);

  wp_context_menu_open (GTK_WIDGET (canvas), box != WP_NO_BOX ? "box-menu" : "canvas-menu", hide, x, y);
}

static void
on_note_opened (WpView *view, guint note, WpViews *self)
{
  g_signal_emit (self, signals[SIGNAL_NOTE_OPENED], 0, note);
}

static void
on_row_opened (WpView *view, guint row, WpViews *self)
{
  g_signal_emit (self, signals[SIGNAL_ROW_OPENED], 0, row);
}

static void
on_cancelled (WpView *view, WpViews *self)
{
  g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
}

/* The tooltip that wanted to know it tells it now. */
static void
on_source_found (gpointer result, const GError *error, gpointer data)
{
  WpViews *self = data;

  self->looking_up = NULL;
  if (wp_sources_add (self->sources, result))
    gtk_widget_trigger_tooltip_query (GTK_WIDGET (wp_views_canvas (self)));
}

static void
look_up (WpViews *self, WpId frame)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (WpId));

  g_array_append_val (frames, frame);
  wp_worker_drop (&self->looking_up);
  self->looking_up = wp_sources_start (self->sources, wp_workspace_document (self->workspace), frames, on_source_found, self);
}

static char *
describe (WpViews *self, WpViewId view, guint box, double time)
{
  WpCanvas *canvas = wp_views_canvas_of (self, view);
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpViewport *seen = wp_canvas_viewport (canvas);
  gboolean pointed = !isnan (time);
  const WpTrace *trace = self->workspace != NULL ? wp_workspace_trace (self->workspace) : NULL;
  const WpAnalysis *analysis = self->workspace != NULL ? wp_workspace_analysis (self->workspace) : NULL;
  WpTooltipRequest request = { .rows = rows, .box = box, .trace = trace, .analysis = analysis, .from = seen->start, .to = seen->end,
                               .sources = self->sources };
  WpId frame = 0;
  char *text;

  request.part = wp_box_part (&rows->boxes.data[box], analysis, pointed ? time : seen->start, pointed ? time + 1 : seen->end, NULL);
  text = wp_box_tooltip (&request, &frame);
  if (frame != 0)
    look_up (self, frame);
  return text;
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

static char *
describe_fold (WpViews *self, WpViewId view, guint box)
{
  const WpTrace *trace = self->workspace != NULL ? wp_workspace_trace (self->workspace) : NULL;

  return trace != NULL ? wp_box_fold_text (wp_canvas_rows (wp_views_canvas_of (self, view)), box, trace) : NULL;
}

static char *
describe_flame_fold (guint box, double time, gpointer data)
{
  return describe_fold (data, WP_VIEW_FLAME, box);
}

static char *
describe_consolidated_fold (guint box, double time, gpointer data)
{
  return describe_fold (data, WP_VIEW_CONSOLIDATED, box);
}

/* --- the wait chain --- */

static char *
describe_strip (guint box, double time, gpointer data)
{
  WpViews *self = data;
  const WpAnalysis *analysis = self->workspace != NULL ? wp_workspace_analysis (self->workspace) : NULL;
  const WpRows *strip = wp_shared_get (wp_strip_shared_rows (wp_view_strip (self->view[WP_VIEW_FLAME])));
  const WpViewport *seen = wp_canvas_viewport (wp_views_canvas_of (self, WP_VIEW_FLAME));

  return analysis != NULL ? wp_strip_tooltip (strip, box, analysis, seen->start, seen->end) : NULL;
}

/* Its box is chosen; twice, and it fills the view. */
static void
on_strip_chosen (WpStrip *strip, guint box, int presses, WpViews *self)
{
  WpCanvas *canvas = wp_views_canvas_of (self, WP_VIEW_FLAME);
  const WpAnalysis *analysis = self->workspace != NULL ? wp_workspace_analysis (self->workspace) : NULL;
  const WpRows *rows = wp_shared_get (wp_strip_shared_rows (strip));
  const WpBox *b = &rows->boxes.data[box];
  guint chosen;

  if (analysis == NULL || wp_canvas_rows (canvas) == NULL)
    return;
  if (presses == 2)
    wp_canvas_show_range (canvas, b->start, b->end);
  chosen = wp_box_of_part (wp_canvas_rows (canvas), analysis, b->ref, b->start, b->end);
  if (chosen != WP_NO_BOX)
    wp_views_go_to (self, &(WpStop) { chosen, b->start, b->end });
}

/* --- the widget --- */

static void
build_view (WpViews *self, WpViewId view)
{
  static const WpDescribeFunc describers[WP_N_VIEWS] = { describe_processes, describe_flame, describe_consolidated };
  static const WpDescribeFunc fold_describers[WP_N_VIEWS] = { NULL, describe_flame_fold, describe_consolidated_fold };
  WpCanvas *canvas;

  self->view[view] = WP_VIEW (wp_view_new (_(names[view].name)));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->view[view]), names[view].id);
  g_signal_connect_object (self->view[view], "cancelled", G_CALLBACK (on_cancelled), self, 0);
  g_signal_connect_object (self->view[view], "note-opened", G_CALLBACK (on_note_opened), self, 0);
  g_signal_connect_object (self->view[view], "row-opened", G_CALLBACK (on_row_opened), self, 0);
  canvas = wp_view_canvas (self->view[view]);
  wp_canvas_set_describe (canvas, describers[view], self);
  wp_canvas_set_folds (canvas, fold_describers[view], "win.open-fold");
  g_signal_connect_object (canvas, "box-selected", G_CALLBACK (on_box_selected), self, 0);
  g_signal_connect_object (canvas, "box-opened", G_CALLBACK (on_box_opened), self, 0);
  g_signal_connect_object (canvas, "range-marked", G_CALLBACK (on_range_marked), self, 0);
  g_signal_connect_object (canvas, "measured", G_CALLBACK (on_measured), self, 0);
  g_signal_connect_object (canvas, "menu-wanted", G_CALLBACK (on_menu_wanted), self, 0);
  g_signal_connect_object (canvas, "place-changed", G_CALLBACK (on_place_changed), self, 0);
  g_signal_connect_object (canvas, "place-kept", G_CALLBACK (on_place_kept), self, 0);
  g_signal_connect_object (canvas, "cleared", G_CALLBACK (on_cleared), self, 0);
}

static void
wp_views_dispose (GObject *object)
{
  wp_worker_drop (&WP_VIEWS (object)->looking_up);
  wp_views_set_workspace (WP_VIEWS (object), NULL);
  G_OBJECT_CLASS (wp_views_parent_class)->dispose (object);
}

static void
wp_views_finalize (GObject *object)
{
  wp_sources_free (WP_VIEWS (object)->sources);
  G_OBJECT_CLASS (wp_views_parent_class)->finalize (object);
}

static void
wp_views_class_init (WpViewsClass *klass)
{
  static const struct
  {
    const char *name;
    guint n;
  } specs[N_SIGNALS] = {
    [SIGNAL_SELECTED] = { "selected", 0 },     [SIGNAL_SWITCHED] = { "switched", 0 }, [SIGNAL_BOX_OPENED] = { "box-opened", 1 },
    [SIGNAL_ROW_OPENED] = { "row-opened", 1 }, [SIGNAL_NOTE_OPENED] = { "note-opened", 1 }, [SIGNAL_MARKED] = { "marked", 0 },     [SIGNAL_MOVED] = { "moved", 0 },
    [SIGNAL_KEPT] = { "kept", 0 },             [SIGNAL_CANCELLED] = { "cancelled", 0 }, [SIGNAL_CLEARED] = { "cleared", 0 },
  };
  GType number[] = { G_TYPE_UINT };

  G_OBJECT_CLASS (klass)->dispose = wp_views_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_views_finalize;
  for (guint i = 0; i < SIGNAL_TOLD; i++)
    signals[i] = g_signal_newv (specs[i].name, WP_TYPE_VIEWS, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, specs[i].n, number);
  signals[SIGNAL_TOLD] = g_signal_new ("told", WP_TYPE_VIEWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
wp_views_init (WpViews *self)
{
  self->sources = wp_sources_new ();
  self->stack = GTK_STACK (gtk_stack_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    build_view (self, v);
  wp_strip_set_describe (wp_view_strip (self->view[WP_VIEW_FLAME]), describe_strip, self);
  g_signal_connect_object (wp_view_strip (self->view[WP_VIEW_FLAME]), "box-chosen", G_CALLBACK (on_strip_chosen), self, 0);
  wp_views_show_choose (self);
}
