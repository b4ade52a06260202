#include "app/stacks/stacks-page-private.h"

#include <glib/gi18n.h>

#include "app/page/view-toggles.h"
#include "app/stacks/filter-bar.h"
#include "app/widgets/context-menu.h"
#include "stacks/labels.h"

static void wp_stacks_page_content_init (WpContentInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WpStacksPage, wp_stacks_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (WP_TYPE_CONTENT, wp_stacks_page_content_init))

#define FLAME { "flame", N_("Flame"), N_("All stacks, gathered: as wide as what was spent in them") }
#define FUNCTIONS { "functions", N_("Functions"), N_("What each function took, who calls it and whom it calls") }
#define CALLS { "calls", N_("Calls"), N_("Functions as nodes, callers above the functions that they call") }
#define SOURCE { "source", N_("Source"), N_("What each line and each instruction of the selected function took") }

const WpContentView wp_stacks_page_views[] = {
  [WP_STACKS_FLAME] = FLAME,
  [WP_STACKS_FUNCTIONS] = FUNCTIONS,
  [WP_STACKS_CALLS] = CALLS,
  [WP_STACKS_SOURCE] = SOURCE,
  [WP_STACKS_TIMELINE] = { "timeline", N_("Timeline"), N_("Samples in the order of time, thread by thread") },
  { NULL },
};

/* Without moments there is no timeline. */
static const WpContentView timeless_views[] = { FLAME, FUNCTIONS, CALLS, SOURCE, { NULL } };

static const WpStacksViews *
views_of (WpStacksPage *self)
{
  return wp_shared_get (wp_stacks_model_views (self->model));
}

WpView *
wp_stacks_page_rows (WpStacksPage *self)
{
  return self->current == WP_STACKS_FLAME ? self->flame : self->current == WP_STACKS_TIMELINE ? self->timeline : NULL;
}

static guint32
frame_of_box (WpStacksPage *self, WpCanvas *canvas, guint box)
{
  const WpRows *rows = wp_canvas_rows (canvas);

  if (box == WP_NO_BOX || rows == NULL)
    return G_MAXUINT32;
  if (rows->boxes.data[box].ref_kind == WP_REF_FRAME)
    return rows->boxes.data[box].ref;
  return wp_stacks_views_frame (views_of (self), &rows->boxes.data[box]);
}

static void
show_source (WpStacksPage *self)
{
  const WpStacksViews *views = views_of (self);
  guint32 frame = wp_stacks_model_selected (self->model);
  g_autoptr (WpShared) stacks = NULL;
  g_autofree char *function = NULL;

  if (self->current != WP_STACKS_SOURCE)
    return;
  if (views != NULL && frame != G_MAXUINT32)
    function = wp_stacks_views_function (views, frame);
  if (function == NULL)
    {
      wp_source_view_clear (self->source);
      return;
    }
  stacks = wp_stacks_views_share (views);
  wp_source_view_show (self->source, stacks,
                       &(WpSourceRequest) { .function = function, .type = views->choice.type, .mean = views->choice.mean,
                                            .without_inlined = views->choice.without_inlined, .total = views->total,
                                            .folder = self->folder });
}

static const WpContentView *
views_offered (WpStacksPage *self)
{
  return self->timeline != NULL ? wp_stacks_page_views : timeless_views;
}

/* The timeline is made when it is looked at for the first time. */
static void
want_timeline (WpStacksPage *self)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  choice.timeline = TRUE;
  wp_stacks_model_choose (self->model, &choice);
}

/* Where the menu of a frame leads, the buttons show. */
static void
show_name (WpStacksPage *self)
{
  GtkWidget *button = self->names != NULL ? gtk_widget_get_first_child (GTK_WIDGET (self->names)) : NULL;

  for (guint v = 0; button != NULL && v < (guint) self->current; v++)
    button = gtk_widget_get_next_sibling (button);
  if (button != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
}

void
wp_stacks_page_switch (WpStacksPage *self, WpStacksViewId view)
{
  self->current = view;
  if (view == WP_STACKS_TIMELINE)
    want_timeline (self);
  if (view == WP_STACKS_SOURCE)
    show_source (self);
  if (view == WP_STACKS_FUNCTIONS)
    wp_functions_view_select (self->functions, wp_stacks_model_selected (self->model));
  wp_calls_view_look (self->calls, view == WP_STACKS_CALLS, wp_stacks_model_selected (self->model));
  if (wp_stacks_page_rows (self) != NULL)
    {
      wp_search_bar_look_at (self->search, wp_view_canvas (wp_stacks_page_rows (self)));
      if (wp_search_bar_is_open (self->search))
        wp_search_bar_update (self->search);
    }
  gtk_stack_set_visible_child_name (self->stack, wp_stacks_page_views[view].id);
  show_name (self);
  wp_content_changed (WP_CONTENT (self));
}

/* --- the menu of a frame ------------------------------------------------------------------------------------------ */

static void
add_step (WpStacksPage *self, WpFilterKind kind)
{
  g_autofree char *pattern = self->menu_frame != G_MAXUINT32 ? wp_stacks_views_pattern (views_of (self), self->menu_frame) : NULL;

  if (pattern != NULL)
    wp_stacks_model_add_step (self->model, kind, pattern);
}

static void
on_step (GtkWidget *widget, const char *name, GVariant *kind)
{
  add_step (WP_STACKS_PAGE (widget), (WpFilterKind) g_variant_get_int32 (kind));
}

static void
on_callers (GtkWidget *widget, const char *name, GVariant *unused)
{
  WpStacksPage *self = WP_STACKS_PAGE (widget);

  wp_stacks_page_switch (self, WP_STACKS_FUNCTIONS);
  wp_functions_view_select (self->functions, self->menu_frame);
}

static void
on_source (GtkWidget *widget, const char *name, GVariant *unused)
{
  WpStacksPage *self = WP_STACKS_PAGE (widget);

  wp_stacks_model_select (self->model, self->menu_frame);
  wp_stacks_page_switch (self, WP_STACKS_SOURCE);
}

static void
on_copy_name (GtkWidget *widget, const char *name, GVariant *unused)
{
  WpStacksPage *self = WP_STACKS_PAGE (widget);

  if (self->menu_frame != G_MAXUINT32)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), views_of (self)->graph->names->names.data[self->menu_frame].name);
}

static void
open_menu (WpStacksPage *self, guint32 frame, GtkWidget *over, double x, double y)
{
  self->menu_frame = frame;
  wp_context_menu_open (over, frame != G_MAXUINT32 ? "frame-menu" : "canvas-menu", NULL, x, y);
}

static void
on_menu_wanted (WpCanvas *canvas, guint box, double x, double y, WpStacksPage *self)
{
  open_menu (self, frame_of_box (self, canvas, box), GTK_WIDGET (canvas), x, y);
}

static void
on_frame_menu_wanted (GtkWidget *view, guint frame, GtkWidget *over, double x, double y, WpStacksPage *self)
{
  open_menu (self, frame, over, x, y);
}

static void
on_node_menu_wanted (WpCallsView *calls, guint node, guint frame, GtkWidget *over, double x, double y, WpStacksPage *self)
{
  open_menu (self, frame, over, x, y);
}

static void
on_frame_selected (WpCallsView *calls, guint frame, WpStacksPage *self)
{
  wp_stacks_model_select (self->model, frame);
}

static void
on_frame_opened (WpCallsView *calls, guint frame, WpStacksPage *self)
{
  self->menu_frame = frame;
  add_step (self, WP_FILTER_FOCUS);
}

/* --- the views of boxes ------------------------------------------------------------------------------------------- */

static char *
describe (guint box, double time, gpointer data)
{
  WpStacksPage *self = data;

  return wp_stacks_views_describe (views_of (self), &wp_canvas_rows (wp_view_canvas (self->flame))->boxes.data[box]);
}

static char *
describe_moment (guint box, double time, gpointer data)
{
  WpStacksPage *self = data;
  WpCanvas *canvas = wp_view_canvas (self->timeline);
  const WpViewport *seen = wp_canvas_viewport (canvas);

  return wp_stacks_views_describe_moment (views_of (self), wp_canvas_rows (canvas), box, seen->start, seen->end, self->origin);
}

/* What the other views are of. */
static void
on_range_marked (WpCanvas *canvas, WpStacksPage *self)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);
  double from = 0, to = 0;

  wp_canvas_mark (canvas, &from, &to);
  choice.from = (gint64) from;
  choice.to = (gint64) to;
  wp_stacks_model_choose (self->model, &choice);
}

static void
on_box_selected (WpCanvas *canvas, guint box, WpStacksPage *self)
{
  wp_stacks_model_select (self->model, frame_of_box (self, canvas, box));
  wp_content_changed (WP_CONTENT (self));
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpStacksPage *self)
{
  self->menu_frame = frame_of_box (self, canvas, box);
  if (self->menu_frame != G_MAXUINT32)
    gtk_widget_activate_action (GTK_WIDGET (self), "stacks.callers", NULL);
}

static void
on_search_closed (WpSearchBar *search, WpStacksPage *self)
{
  wp_canvas_set_highlight (wp_view_canvas (self->flame), NULL);
  if (self->timeline != NULL)
    wp_canvas_set_highlight (wp_view_canvas (self->timeline), NULL);
  wp_content_changed (WP_CONTENT (self));
}

/* --- what the model has ------------------------------------------------------------------------------------------- */

static void
show_failure (WpStacksPage *self)
{
  wp_view_show_empty (self->flame, "dialog-warning-symbolic", _("This Cannot Be Shown"), wp_stacks_model_failure (self->model));
  wp_view_set_rows (self->flame, NULL, FALSE);
}

static void
show_timeline (WpStacksPage *self, const WpStacksViews *views)
{
  if (views->timeline == NULL && views->no_timeline != NULL)
    wp_view_show_empty (self->timeline, "dialog-warning-symbolic", _("This Cannot Be Shown"), views->no_timeline);
  if (views->timeline != wp_canvas_shared_rows (wp_view_canvas (self->timeline)))
    wp_view_set_rows (self->timeline, views->timeline, TRUE);
}

/* The keyboard begins in the picture, once. */
static void
focus_picture (WpStacksPage *self)
{
  if (self->focused || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->focused = TRUE;
  gtk_widget_grab_focus (GTK_WIDGET (wp_view_canvas (self->flame)));
}

static void
on_made (WpStacksModel *model, WpStacksPage *self)
{
  const WpStacksViews *views = views_of (self);

  self->menu_frame = G_MAXUINT32;
  if (wp_stacks_model_failure (model) != NULL)
    show_failure (self);
  else if (views->tree->nodes.data[0].total == 0)
    {
      wp_view_show_empty (self->flame, "wakepath-filter-symbolic", _("Nothing Is Left"),
                          wp_stacks_model_filter (model)->len > 0 ? _("No sample matches the filter.") : _("All values of this type are zero."));
      wp_view_set_rows (self->flame, NULL, FALSE);
    }
  else
    wp_view_set_rows (self->flame, views->rows, FALSE);
  if (views != NULL && self->timeline != NULL)
    show_timeline (self, views);
  if (wp_search_bar_is_open (self->search))
    wp_search_bar_update (self->search);
  focus_picture (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
on_callers_made (WpStacksModel *model, WpStacksPage *self)
{
  show_source (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
on_progress (WpStacksModel *model, const char *phase, double fraction, WpStacksPage *self)
{
  if (views_of (self) == NULL)
    wp_view_show_busy (self->flame, phase != NULL ? _(phase) : _("Gathering stacks"), fraction);
}

/* --- the content of a page ---------------------------------------------------------------------------------------- */

static const WpContentView *
content_views (WpContent *content)
{
  WpStacksPage *self = WP_STACKS_PAGE (content);

  return self->place == WP_STACKS_WITHIN ? NULL : views_offered (self);
}

static gboolean
content_busy (WpContent *content)
{
  return wp_stacks_model_busy (WP_STACKS_PAGE (content)->model);
}

static WpProblems *
content_problems (WpContent *content)
{
  return WP_STACKS_PAGE (content)->plain ? wp_problems_of_plain () : NULL;
}

void
wp_stacks_page_set_plain (GtkWidget *self)
{
  WP_STACKS_PAGE (self)->plain = TRUE;
  wp_content_problems_changed (WP_CONTENT (self));
}

static void
wp_stacks_page_content_init (WpContentInterface *iface)
{
  iface->actions = wp_stacks_page_actions;
  iface->views = content_views;
  iface->busy = content_busy;
  iface->problems = content_problems;
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static void
wp_stacks_page_finalize (GObject *object)
{
  WpStacksPage *self = WP_STACKS_PAGE (object);

  g_clear_object (&self->model);
  g_clear_object (&self->saver);
  g_free (self->title);
  g_free (self->folder);
  G_OBJECT_CLASS (wp_stacks_page_parent_class)->finalize (object);
}

static void
wp_stacks_page_class_init (WpStacksPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_stacks_page_finalize;
  gtk_widget_class_install_action (widget_class, "stacks.step", "i", on_step);
  gtk_widget_class_install_action (widget_class, "stacks.callers", NULL, on_callers);
  gtk_widget_class_install_action (widget_class, "stacks.source", NULL, on_source);
  gtk_widget_class_install_action (widget_class, "stacks.copy-name", NULL, on_copy_name);
}

static void
wp_stacks_page_init (WpStacksPage *self)
{
  self->menu_frame = G_MAXUINT32;
}

static WpView *
build_rows (WpStacksPage *self, const char *name, WpDescribeFunc describe_func)
{
  WpView *view = WP_VIEW (wp_view_new (name));
  WpCanvas *canvas = wp_view_canvas (view);

  wp_canvas_set_describe (canvas, describe_func, self);
  g_signal_connect (canvas, "box-selected", G_CALLBACK (on_box_selected), self);
  g_signal_connect (canvas, "box-opened", G_CALLBACK (on_box_opened), self);
  g_signal_connect (canvas, "menu-wanted", G_CALLBACK (on_menu_wanted), self);
  g_signal_connect_swapped (canvas, "place-changed", G_CALLBACK (wp_content_changed), self);
  return view;
}

static void
build_flame (WpStacksPage *self)
{
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkBox *bar;

  self->flame = build_rows (self, _("Flame View"), describe);
  bar = wp_view_toolbar (self->flame);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (bar, space);
  gtk_box_append (bar, wp_view_squeezed_toggle (_("Collapse Recursion"), _("Draw a function that calls itself once"), "win.collapse-recursion"));
  gtk_box_append (bar, wp_view_toggle (_("Inverted"), _("Innermost functions first"), "win.inverted"));
  gtk_box_append (bar, wp_view_toggle (_("Icicle"), _("Roots at the top"), "win.icicle"));
}

static void
build_calls (WpStacksPage *self)
{
  g_autoptr (WpCallsModel) model = wp_calls_model_new (self->model);

  self->calls = WP_CALLS_VIEW (wp_calls_view_new (model));
  g_signal_connect (self->calls, "menu-wanted", G_CALLBACK (on_node_menu_wanted), self);
  g_signal_connect (self->calls, "frame-selected", G_CALLBACK (on_frame_selected), self);
  g_signal_connect (self->calls, "frame-opened", G_CALLBACK (on_frame_opened), self);
  g_signal_connect_swapped (self->calls, "changed", G_CALLBACK (wp_content_changed), self);
}

static void
build_timeline (WpStacksPage *self)
{
  self->timeline = build_rows (self, _("Timeline"), describe_moment);
  gtk_widget_set_visible (GTK_WIDGET (wp_view_toolbar (self->timeline)), FALSE);
  g_signal_connect (wp_view_canvas (self->timeline), "range-marked", G_CALLBACK (on_range_marked), self);
}

static void
on_name_toggled (GtkToggleButton *button, WpStacksPage *self)
{
  WpStacksViewId view = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "view"));

  if (gtk_toggle_button_get_active (button) && view != self->current)
    wp_stacks_page_switch (self, view);
}

static GtkWidget *
build_names (WpStacksPage *self)
{
  GtkToggleButton *first = NULL;

  self->names = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_widget_add_css_class (GTK_WIDGET (self->names), "linked");
  gtk_widget_set_valign (GTK_WIDGET (self->names), GTK_ALIGN_CENTER);
  for (guint v = 0; views_offered (self)[v].id != NULL; v++)
    {
      const WpContentView *view = &views_offered (self)[v];
      GtkToggleButton *button = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_label (_(view->name)));

      gtk_widget_set_tooltip_text (GTK_WIDGET (button), _(view->tooltip));
      g_object_set_data (G_OBJECT (button), "view", GUINT_TO_POINTER (v));
      gtk_toggle_button_set_group (button, first);
      first = first != NULL ? first : button;
      gtk_toggle_button_set_active (button, v == (guint) self->current);
      g_signal_connect (button, "toggled", G_CALLBACK (on_name_toggled), self);
      gtk_box_append (self->names, GTK_WIDGET (button));
    }
  return GTK_WIDGET (self->names);
}

static void
add_view (WpStacksPage *self, gpointer view, WpStacksViewId id)
{
  gtk_stack_add_named (self->stack, view, wp_stacks_page_views[id].id);
}

static void
build (WpStacksPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *bar;

  self->search = g_object_new (WP_TYPE_SEARCH_BAR, NULL);
  g_signal_connect_swapped (self->search, "changed", G_CALLBACK (wp_content_changed), self);
  g_signal_connect (self->search, "closed", G_CALLBACK (on_search_closed), self);
  self->functions = WP_FUNCTIONS_VIEW (wp_functions_view_new (self->model));
  g_signal_connect (self->functions, "menu-wanted", G_CALLBACK (on_frame_menu_wanted), self);
  self->stack = GTK_STACK (gtk_stack_new ());
  build_flame (self);
  add_view (self, self->flame, WP_STACKS_FLAME);
  add_view (self, self->functions, WP_STACKS_FUNCTIONS);
  build_calls (self);
  add_view (self, self->calls, WP_STACKS_CALLS);
  self->source = WP_SOURCE_VIEW (wp_source_view_new ());
  add_view (self, self->source, WP_STACKS_SOURCE);
  if (wp_stacks_model_stacks (self->model)->moments.len > 0)
    {
      build_timeline (self);
      add_view (self, self->timeline, WP_STACKS_TIMELINE);
    }
  wp_search_bar_look_at (self->search, wp_view_canvas (self->flame));
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  bar = wp_filter_bar_new (self->model);
  if (self->place == WP_STACKS_WITHIN)
    wp_filter_bar_prepend (WP_FILTER_BAR (bar), build_names (self));
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  adw_bin_set_child (ADW_BIN (self), box);
}

void
wp_stacks_page_set_origin (WpStacksPage *self, gint64 origin)
{
  self->origin = origin;
  if (self->timeline != NULL)
    wp_canvas_set_origin (wp_view_canvas (self->timeline), origin);
}

static gboolean
has_marks (const WpStacks *stacks)
{
  return wp_label_key (stacks, WP_LABEL_MARK) != G_MAXUINT32;
}

GtkWidget *
wp_stacks_page_new (WpShared *stacks, const char *title, const char *folder, WpStacksPlace place, WpSaver *saver)
{
  WpStacksPage *self = g_object_new (WP_TYPE_STACKS_PAGE, NULL);

  self->title = g_strdup (title);
  self->folder = g_strdup (folder);
  self->place = place;
  self->saver = g_object_ref (saver);
  self->model = wp_stacks_model_new (stacks);
  if (place == WP_STACKS_WITHIN)
    wp_stacks_model_add_step (self->model, WP_FILTER_TAG_ROOT, has_marks (wp_shared_get (stacks)) ? "process," WP_LABEL_MARK : "process");
  build (self);
  g_signal_connect_object (self->model, "made", G_CALLBACK (on_made), self, 0);
  g_signal_connect_object (self->model, "callers-made", G_CALLBACK (on_callers_made), self, 0);
  g_signal_connect_object (self->model, "progress", G_CALLBACK (on_progress), self, 0);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (wp_content_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
