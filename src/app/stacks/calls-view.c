#include "app/stacks/calls-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas/canvas.h"
#include "app/stacks/call-tables.h"
#include "app/widgets/error-style.h"
#include "app/widgets/status-page.h"
#include "stacks/pattern.h"

#define BESIDE_WIDTH 380

/* What the sliders choose from. */
static const WpCallsLimit limits[] = {
  { 0, 1 }, { 1, 1000 }, { 2, 1000 }, { 5, 1000 }, { 1, 100 }, { 2, 100 }, { 5, 100 }, { 10, 100 }, { 20, 100 }, { 50, 100 },
};

struct _WpCallsView
{
  AdwBin parent_instance;

  WpCallsModel *model;
  WpDiagramArea *area;
  WpShared *picture; /* that the area shows */
  GtkStack *stack;   /* "busy", "empty", "diagram" */
  AdwStatusPage *empty, *busy;
  GtkProgressBar *progress;
  GtkScale *hide_self, *hide_subs;
  GtkToggleButton *lines;
  GtkDropDown *types; /* of an explained process, once its values are known; else it is hidden */
  GtkLabel *hidden, *found;
  GtkSearchEntry *search;
  char *sought;      /* for this there are matches */
  guint8 *matches;   /* nodes of the diagram; NULL: nothing is searched for */
  guint32 n_matches;
  GtkStack *beside;  /* "none", "tables" */
  GtkLabel *name;
  WpGridTable *callers, *callees;
  guint32 wanted_frame; /* is selected once the picture is there */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_MENU_WANTED,
  SIGNAL_FRAME_SELECTED,
  SIGNAL_FRAME_OPENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpCallsView, wp_calls_view, ADW_TYPE_BIN)

static const WpCallsPicture *
picture_of (WpCallsView *self)
{
  return wp_shared_get (self->picture);
}

WpDiagramArea *
wp_calls_view_area (WpCallsView *self)
{
  return self->area;
}

WpExport *
wp_calls_view_export (WpCallsView *self, const char *title, gboolean of_file)
{
  g_autofree char *name = wp_export_suggest (title, of_file, "-calls.svg");
  const WpExportPicture picture = { .title = title, .theme = wp_current_theme () };

  return wp_export_calls (self->picture, name, &picture);
}

char *
wp_calls_view_said (WpCallsView *self)
{
  guint32 node = wp_diagram_area_selected (self->area);

  return node != WP_NO_NODE && self->picture != NULL ? wp_calls_picture_describe (picture_of (self), node, WP_NO_NODE) : NULL;
}

static guint32
frame_of (WpCallsView *self, guint32 node)
{
  return node != WP_NO_NODE && self->picture != NULL ? picture_of (self)->frames[node] : G_MAXUINT32;
}

/* --- search ----------------------------------------------------------------------------------------------------------- */

/* What is found keeps its colour; where nothing is searched for, the selected node with those that call it and that it calls. */
static void
highlight (WpCallsView *self)
{
  guint32 selected = wp_diagram_area_selected (self->area);
  guint8 *nodes = NULL;

  if (self->picture == NULL)
    return;
  if (self->matches != NULL)
    nodes = g_memdup2 (self->matches, picture_of (self)->diagram->nodes.len + 1);
  else if (selected != WP_NO_NODE)
    nodes = wp_calls_picture_around (picture_of (self), selected);
  wp_diagram_area_set_highlight (self->area, nodes);
}

static void
find (WpCallsView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (GRegex) pattern = *text != '\0' ? wp_pattern_new (text, NULL) : NULL;
  g_autofree char *count = NULL;
  guint32 n_all;

  g_free (self->sought);
  self->sought = g_strdup (text);
  g_clear_pointer (&self->matches, g_free);
  self->n_matches = 0;
  wp_set_wrong (GTK_WIDGET (self->search), *text != '\0' && pattern == NULL);
  if (pattern != NULL && self->picture != NULL)
    {
      self->matches = wp_calls_picture_find (picture_of (self), pattern, &self->n_matches, &n_all);
      count = self->n_matches < n_all ? g_strdup_printf (_("%u of %u shown"), self->n_matches, n_all)
                                      : g_strdup_printf (ngettext ("%u node", "%u nodes", n_all), n_all);
    }
  gtk_label_set_text (self->found, count != NULL ? count : "");
  highlight (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

gboolean
wp_calls_view_has_matches (WpCallsView *self)
{
  return self->n_matches > 0;
}

void
wp_calls_view_next_match (WpCallsView *self, int direction)
{
  guint32 n = self->picture != NULL ? picture_of (self)->diagram->nodes.len : 0, at = wp_diagram_area_selected (self->area);

  if (self->n_matches == 0)
    return;
  if (at == WP_NO_NODE)
    at = direction > 0 ? n - 1 : 0;
  do
    at = (guint32) ((at + n + direction) % n);
  while (!self->matches[at]);
  wp_diagram_area_select (self->area, at, TRUE);
}

void
wp_calls_view_search (WpCallsView *self, const char *name)
{
  if (name != NULL)
    {
      g_autofree char *escaped = g_regex_escape_string (name, -1), *pattern = g_strdup_printf ("^%s$", escaped);

      gtk_editable_set_text (GTK_EDITABLE (self->search), pattern);
    }
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

/* The entry tells of a change only when typing has paused. */
static void
on_search_activated (GtkSearchEntry *search, WpCallsView *self)
{
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (search)), self->sought) != 0)
    find (self);
  wp_calls_view_next_match (self, 1);
}

static void
on_search_stopped (GtkSearchEntry *search, WpCallsView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->area));
}

/* --- the selected node ---------------------------------------------------------------------------------------------------- */

static void
set_table (WpGridTable *table, const WpCallsPicture *picture, guint32 node, gboolean callees)
{
  g_autoptr (WpShared) grid = wp_calls_picture_table (picture, node, callees);

  wp_grid_table_set_grid (table, grid);
}

static void
show_beside (WpCallsView *self)
{
  guint32 node = wp_diagram_area_selected (self->area);
  const WpCallsPicture *picture = picture_of (self);

  if (picture == NULL || node == WP_NO_NODE)
    {
      gtk_stack_set_visible_child_name (self->beside, "none");
      return;
    }
  gtk_label_set_text (self->name, wp_strings_get (picture->diagram->strings, picture->diagram->nodes.data[node].name));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), gtk_label_get_text (self->name));
  set_table (self->callers, picture, node, FALSE);
  set_table (self->callees, picture, node, TRUE);
  gtk_stack_set_visible_child_name (self->beside, "tables");
}

static void
on_node_selected (WpDiagramArea *area, guint node, WpCallsView *self)
{
  highlight (self);
  show_beside (self);
  if (frame_of (self, node) != G_MAXUINT32)
    g_signal_emit (self, signals[SIGNAL_FRAME_SELECTED], 0, frame_of (self, node));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

char *
wp_calls_view_selected_name (WpCallsView *self)
{
  guint32 node = wp_diagram_area_selected (self->area);

  return self->picture != NULL && node != WP_NO_NODE ? wp_calls_picture_name (picture_of (self), node) : NULL;
}

static void
on_node_opened (WpDiagramArea *area, guint node, WpCallsView *self)
{
  if (frame_of (self, node) != G_MAXUINT32)
    g_signal_emit (self, signals[SIGNAL_FRAME_OPENED], 0, frame_of (self, node));
  else
    gtk_widget_activate_action (GTK_WIDGET (area), "canvas.fit-selection", NULL);
}

static void
on_menu_wanted (WpDiagramArea *area, guint node, double x, double y, WpCallsView *self)
{
  g_signal_emit (self, signals[SIGNAL_MENU_WANTED], 0, node, frame_of (self, node), area, x, y);
}

static void
on_call_activated (WpGridTable *table, guint row, WpCallsView *self)
{
  guint32 node = wp_diagram_area_selected (self->area), other;

  if (self->picture == NULL || node == WP_NO_NODE)
    return;
  other = wp_calls_picture_row_node (picture_of (self), node, table == self->callees, row);
  if (other != WP_NO_NODE)
    wp_diagram_area_select (self->area, other, TRUE);
}

static char *
describe (guint node, guint edge, gpointer data)
{
  WpCallsView *self = data;

  return self->picture != NULL ? wp_calls_picture_describe (picture_of (self), node, edge) : NULL;
}

/* --- what is chosen ---------------------------------------------------------------------------------------------------------- */

static WpCallsLimit
limit_at (double value)
{
  return limits[(guint) CLAMP (round (value), 0, G_N_ELEMENTS (limits) - 1)];
}

static WpCallsLimit
limit_of (GtkScale *scale)
{
  return limit_at (gtk_range_get_value (GTK_RANGE (scale)));
}

static void
on_choice (WpCallsView *self)
{
  guint chosen = gtk_drop_down_get_selected (self->types);
  const WpCallsChoice choice = { .lines = gtk_toggle_button_get_active (self->lines), .type = chosen, .hide_self = limit_of (self->hide_self), .hide_subs = limit_of (self->hide_subs) };

  wp_calls_model_choose (self->model, &choice);
}

/* --- what the model has ------------------------------------------------------------------------------------------------------ */

static void
show_hidden (WpCallsView *self)
{
  const WpCallsPicture *picture = picture_of (self);
  g_autoptr (GString) text = g_string_new (NULL);

  if (picture != NULL && picture->n_hidden > 0)
    g_string_append_printf (text, _("%u of %u hidden"), picture->n_hidden, picture->n_hidden + picture->diagram->nodes.len);
  if (picture != NULL && picture->not_means)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", _("Sums: means do not add up along calls"));
  gtk_label_set_text (self->hidden, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->hidden), text->len > 0);
}

/* The picture is the new one before the area asks what its nodes are. */
static void
show_picture (WpCallsView *self, WpShared *shared)
{
  g_autoptr (WpShared) before = self->picture;
  const WpCallsPicture *picture = wp_shared_get (shared);
  guint32 selected = wp_calls_picture_same (picture, wp_shared_get (before), wp_diagram_area_selected (self->area));

  self->picture = wp_shared_ref (shared);
  g_clear_pointer (&self->matches, g_free);
  wp_diagram_area_set_diagram (self->area, picture != NULL ? picture->diagram : NULL, shared, selected);
}

/* Every process has the same ones. */
static void
show_types (WpCallsView *self, const WpStacks *stacks)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint32 t = 0; t < stacks->types.len; t++)
    gtk_string_list_take (names, wp_stacks_type_shown (stacks, t));
  g_signal_handlers_block_by_func (self->types, on_choice, self);
  gtk_drop_down_set_model (self->types, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->types, stacks->types.len - 1);
  g_signal_handlers_unblock_by_func (self->types, on_choice, self);
  gtk_widget_set_visible (GTK_WIDGET (self->types), TRUE);
}

static void
on_made (WpCallsModel *model, WpCallsView *self)
{
  const WpCallsPicture *picture = wp_shared_get (wp_calls_model_picture (model));

  show_picture (self, wp_calls_model_picture (model));
  if (picture != NULL && wp_calls_model_is_of_process (model) && !gtk_widget_get_visible (GTK_WIDGET (self->types)))
    show_types (self, picture->stacks);
  if (picture == NULL && wp_calls_model_failure (model) == NULL)
    wp_status_page_set (self->empty, "wakepath-flame-symbolic", _("Choose a Process"), _("Click the name of a process in the Processes view to see where its time went."));
  else if (picture == NULL)
    wp_status_page_set (self->empty, "dialog-warning-symbolic", _("This Cannot Be Shown"), wp_calls_model_failure (model));
  else if (picture->diagram->nodes.len == 0)
    wp_status_page_set (self->empty, "wakepath-filter-symbolic", _("Nothing Is Left"), _("All functions are below the limits, or nothing matches the filter."));
  gtk_stack_set_visible_child_name (self->stack, picture != NULL && picture->diagram->nodes.len > 0 ? "diagram" : "empty");
  show_hidden (self);
  find (self);
  if (picture != NULL && self->wanted_frame != G_MAXUINT32)
    wp_diagram_area_select (self->area, wp_calls_picture_node (picture, self->wanted_frame), TRUE);
  self->wanted_frame = G_MAXUINT32;
  show_beside (self);
}

static void
on_progress (WpCallsModel *model, const char *phase, double fraction, WpCallsView *self)
{
  if (self->picture != NULL)
    return;
  adw_status_page_set_title (self->busy, phase != NULL ? _(phase) : _("Laying out"));
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (self->progress, MIN (fraction, 1));
  else
    gtk_progress_bar_pulse (self->progress);
  gtk_stack_set_visible_child_name (self->stack, "busy");
}

void
wp_calls_view_look (WpCallsView *self, gboolean looked_at, guint32 frame)
{
  self->wanted_frame = looked_at ? frame : G_MAXUINT32;
  wp_calls_model_set_wanted (self->model, looked_at);
  if (looked_at && !wp_calls_model_busy (self->model) && self->picture != NULL && frame != G_MAXUINT32)
    {
      wp_diagram_area_select (self->area, wp_calls_picture_node (picture_of (self), frame), TRUE);
      self->wanted_frame = G_MAXUINT32;
    }
}

/* --- the toolbar --------------------------------------------------------------------------------------------------------------- */

static char *
format_limit (GtkScale *scale, double value, gpointer data)
{
  WpCallsLimit limit = limit_at (value);

  return g_strdup_printf ("%g %%", 100.0 * (double) limit.part / (double) limit.whole);
}

static GtkScale *
add_slider (WpCallsView *self, GtkBox *bar, const char *name, const char *tooltip, WpCallsLimit limit)
{
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, G_N_ELEMENTS (limits) - 1, 1), *label = gtk_label_new (name);

  gtk_scale_set_draw_value (GTK_SCALE (scale), TRUE);
  gtk_scale_set_value_pos (GTK_SCALE (scale), GTK_POS_RIGHT);
  gtk_scale_set_format_value_func (GTK_SCALE (scale), format_limit, NULL, NULL);
  gtk_range_set_round_digits (GTK_RANGE (scale), 0);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (limits[i].part * limit.whole == limit.part * limits[i].whole)
      gtk_range_set_value (GTK_RANGE (scale), i);
  gtk_widget_set_size_request (scale, 150, -1);
  gtk_widget_set_tooltip_text (scale, tooltip);
  gtk_widget_set_tooltip_text (label, tooltip);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  gtk_box_append (bar, label);
  gtk_box_append (bar, scale);
  g_signal_connect_swapped (scale, "value-changed", G_CALLBACK (on_choice), self);
  return GTK_SCALE (scale);
}

static GtkWidget *
build_bar (WpCallsView *self)
{
  GtkBox *bar = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  const WpCallsChoice *choice = wp_calls_model_choice (self->model);

  gtk_widget_add_css_class (GTK_WIDGET (bar), "toolbar");
  self->types = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->types), _("Which values are counted"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->types), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Values"), -1);
  gtk_widget_set_visible (GTK_WIDGET (self->types), FALSE);
  g_signal_connect_swapped (self->types, "notify::selected", G_CALLBACK (on_choice), self);
  gtk_box_append (bar, GTK_WIDGET (self->types));
  self->lines = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_label (_("Lines")));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->lines), _("A node for each line instead of each function"));
  gtk_widget_add_css_class (GTK_WIDGET (self->lines), "flat");
  g_signal_connect_swapped (self->lines, "toggled", G_CALLBACK (on_choice), self);
  self->hide_self = add_slider (self, bar, _("Hide self up to"), _("Functions that took no more than this themselves are hidden, unless a call of theirs is above the other limit"),
                                choice->hide_self);
  self->hide_subs = add_slider (self, bar, _("and calls up to"), _("Calls that are no more than this of what stands at their other end keep no function in the picture"), choice->hide_subs);
  gtk_widget_set_hexpand (space, TRUE);
  self->found = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->found), "dim-label");
  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->search, "placeholder-text", _("Find functions"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Find functions"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (find), self);
  g_signal_connect (self->search, "activate", G_CALLBACK (on_search_activated), self);
  g_signal_connect (self->search, "stop-search", G_CALLBACK (on_search_stopped), self);
  gtk_box_append (bar, space);
  gtk_box_append (bar, GTK_WIDGET (self->found));
  gtk_box_append (bar, GTK_WIDGET (self->search));
  gtk_box_append (bar, GTK_WIDGET (self->lines));
  gtk_widget_set_visible (GTK_WIDGET (self->lines), wp_calls_model_has_stacks (self->model));
  return GTK_WIDGET (bar);
}

/* --- building ------------------------------------------------------------------------------------------------------------------- */

static GtkWidget *
build_beside (WpCallsView *self)
{
  GtkWidget *tables = wp_call_tables_new (&self->callers, &self->callees, G_CALLBACK (on_call_activated), self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (self->name, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "heading");
  gtk_widget_set_margin_start (GTK_WIDGET (self->name), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->name), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->name), 9);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->name), 9);
  gtk_widget_set_vexpand (tables, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->name));
  gtk_box_append (GTK_BOX (box), tables);
  self->beside = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->beside, wp_no_function_page (), "none");
  gtk_stack_add_named (self->beside, box, "tables");
  return GTK_WIDGET (self->beside);
}

/* In a corner of the picture. */
static GtkWidget *
build_hidden (WpCallsView *self)
{
  self->hidden = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->hidden), "picture-note");
  gtk_label_set_xalign (self->hidden, 0);
  gtk_label_set_wrap (self->hidden, TRUE);
  gtk_label_set_max_width_chars (self->hidden, 38);
  gtk_widget_set_halign (GTK_WIDGET (self->hidden), GTK_ALIGN_START);
  gtk_widget_set_valign (GTK_WIDGET (self->hidden), GTK_ALIGN_END);
  gtk_widget_set_margin_start (GTK_WIDGET (self->hidden), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->hidden), 9);
  gtk_widget_set_can_target (GTK_WIDGET (self->hidden), FALSE);
  return GTK_WIDGET (self->hidden);
}

static GtkWidget *
build_area (WpCallsView *self)
{
  GtkWidget *overlay = gtk_overlay_new ();

  self->area = WP_DIAGRAM_AREA (wp_diagram_area_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Call Graph"), -1);
  wp_diagram_area_set_describe (self->area, describe, self);
  g_signal_connect (self->area, "node-selected", G_CALLBACK (on_node_selected), self);
  g_signal_connect (self->area, "node-opened", G_CALLBACK (on_node_opened), self);
  g_signal_connect (self->area, "menu-wanted", G_CALLBACK (on_menu_wanted), self);
  self->empty = ADW_STATUS_PAGE (adw_status_page_new ());
  self->busy = ADW_STATUS_PAGE (adw_status_page_new ());
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_widget_set_halign (GTK_WIDGET (self->progress), GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (GTK_WIDGET (self->progress), 240, -1);
  adw_status_page_set_child (self->busy, GTK_WIDGET (self->progress));
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->busy), "busy");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->empty), "empty");
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (self->area));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), build_hidden (self));
  gtk_stack_add_named (self->stack, overlay, "diagram");
  return GTK_WIDGET (self->stack);
}

static void
wp_calls_view_finalize (GObject *object)
{
  WpCallsView *self = WP_CALLS_VIEW (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->picture, wp_shared_unref);
  g_free (self->sought);
  g_free (self->matches);
  G_OBJECT_CLASS (wp_calls_view_parent_class)->finalize (object);
}

static void
wp_calls_view_class_init (WpCallsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_calls_view_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_CALLS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_MENU_WANTED] = g_signal_new ("menu-wanted", WP_TYPE_CALLS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 5, G_TYPE_UINT,
                                              G_TYPE_UINT, GTK_TYPE_WIDGET, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[SIGNAL_FRAME_SELECTED] = g_signal_new ("frame-selected", WP_TYPE_CALLS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_FRAME_OPENED] = g_signal_new ("frame-opened", WP_TYPE_CALLS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
wp_calls_view_init (WpCallsView *self)
{
  self->wanted_frame = G_MAXUINT32;
}

GtkWidget *
wp_calls_view_new (WpCallsModel *model)
{
  WpCallsView *self = g_object_new (WP_TYPE_CALLS_VIEW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->model = g_object_ref (model);
  gtk_box_append (GTK_BOX (box), build_bar (self));
  gtk_paned_set_start_child (GTK_PANED (paned), build_area (self));
  gtk_paned_set_end_child (GTK_PANED (paned), build_beside (self));
  gtk_widget_set_size_request (GTK_WIDGET (self->beside), BESIDE_WIDTH, -1);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), TRUE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), paned);
  adw_bin_set_child (ADW_BIN (self), box);
  g_signal_connect_object (self->model, "made", G_CALLBACK (on_made), self, 0);
  g_signal_connect_object (self->model, "progress", G_CALLBACK (on_progress), self, 0);
  return GTK_WIDGET (self);
}
