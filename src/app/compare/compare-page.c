#include "app/compare/compare-page.h"

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/compare/compare-checks.h"
#include "app/compare/compare-flames.h"
#include "app/compare/compare-frames-table.h"
#include "app/compare/compare-table.h"
#include "app/page/copying.h"
#include "app/page/saver.h"
#include "app/page/search-bar.h"
#include "app/shell/settings.h"
#include "app/widgets/depth-chooser.h"
#include "app/widgets/hidden-bar.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "workspace/compare/compare-model.h"
#include "workspace/file/search.h"

#define THRESHOLD_KEY "compare-threshold"

struct _WpComparePage
{
  AdwBin parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack; /* "loading", "failed", "views" */
  AdwStatusPage *loading, *failed;
  GtkProgressBar *progress;
  GtkRevealer *banner;
  GtkLabel *warnings, *name_a, *name_b, *headline, *answer, *changes, *verdict;
  GtkDropDown *type;
  GtkToggleButton *normalise;
  AdwBin *depth_bin;
  GtkMenuButton *hide_button;
  GtkEntry *hide_entry;
  WpHiddenBar *hidden_bar;
  WpSearchBar *search;
  GtkStack *views; /* "explanation", "waits", "frames", "flame", "vanished", "checks" */
  AdwBin *rows_bin, *waits_bin, *vanished_bin;
  WpCompareFramesTable *frames;
  WpCompareFlames *flames;
  WpCompareChecks *checks;

  WpCompareModel *model;
  WpShared *shown; /* WpCompareData; NULL: none yet */
  WpSaver *saver;
  gboolean filling; /* the list of types */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_FINISHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_DEPTH, /* string: the state of compare.depth */
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (WpComparePage, wp_compare_page, ADW_TYPE_BIN)

const char *
wp_compare_page_title (WpComparePage *self)
{
  return wp_compare_model_title (self->model);
}

gboolean
wp_compare_page_busy (WpComparePage *self)
{
  return wp_compare_model_is_busy (self->model);
}

/* --- searching ------------------------------------------------------------------------------------------------------- */

static gboolean
shows (WpComparePage *self, const char *view)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->views), view) == 0;
}

/* Where one goes from match to match; beside B, A is marked, too. */
static WpCanvas *
searched_canvas (WpComparePage *self)
{
  return wp_compare_flames_canvas (self->flames, shows (self, "vanished") ? WP_COMPARE_VIEW_VANISHED : WP_COMPARE_VIEW_B);
}

static void
mark_a (WpComparePage *self)
{
  WpCanvas *canvas = wp_compare_flames_canvas (self->flames, WP_COMPARE_VIEW_A);
  const char *text = wp_search_bar_text (self->search);
  g_autofree guint32 *stacks = *text != '\0' ? wp_compare_model_matching (self->model, text) : NULL;
  g_autoptr (WpSearch) search = wp_search_new ();

  wp_canvas_set_highlight (canvas, wp_search_run (search, wp_canvas_rows (canvas), stacks, text, WP_NO_BOX));
}

static void
on_search_changed (WpComparePage *self)
{
  if (self->model == NULL)
    return;
  if (!wp_search_bar_marks (self->search))
    wp_canvas_set_highlight (searched_canvas (self), NULL);
  mark_a (self);
}

static void
on_search_closed (WpComparePage *self)
{
  if (self->model == NULL)
    return;
  on_search_changed (self);
  gtk_widget_grab_focus (GTK_WIDGET (searched_canvas (self)));
}

static void
look_at_view (WpComparePage *self)
{
  wp_search_bar_look_at (self->search, searched_canvas (self));
  if (wp_search_bar_is_open (self->search))
    wp_search_bar_update (self->search);
}

static void
on_view (WpComparePage *self)
{
  if (self->model != NULL)
    look_at_view (self);
}

/* It is the flame views that are searched. */
static void
search (GtkWidget *widget, const char *action, GVariant *value)
{
  WpComparePage *self = WP_COMPARE_PAGE (widget);

  if (self->shown == NULL)
    return;
  if (!shows (self, "flame") && !shows (self, "vanished"))
    gtk_stack_set_visible_child_name (self->views, "flame");
  look_at_view (self);
  wp_search_bar_open (self->search, NULL);
}

static void
next_match (GtkWidget *widget, const char *action, GVariant *direction)
{
  WpComparePage *self = WP_COMPARE_PAGE (widget);

  if (wp_search_bar_is_open (self->search))
    wp_search_bar_next (self->search, g_variant_get_int32 (direction));
}

static guint32 *
matching_stacks (gpointer model, const char *text)
{
  return wp_compare_model_matching (model, text);
}

static gboolean
open_matching (gpointer model, const char *text)
{
  return wp_compare_model_open_matching (model, text);
}

static void
close_found (gpointer model)
{
  wp_compare_model_close_found (model);
}

static gboolean
is_busy (gpointer model)
{
  return wp_compare_model_is_busy (model);
}

/* --- what is shown --------------------------------------------------------------------------------------------------- */

static void
show_warnings (WpComparePage *self)
{
  g_autofree char *text = wp_compare_model_warnings (self->model);

  gtk_label_set_label (self->warnings, text);
  gtk_widget_set_visible (GTK_WIDGET (self->banner), *text != '\0');
  gtk_revealer_set_reveal_child (self->banner, *text != '\0');
}

static void
show_names (WpComparePage *self, const WpComparison *comparison)
{
  g_autofree char *a = wp_comparison_side_name (comparison, WP_SIDE_A), *b = wp_comparison_side_name (comparison, WP_SIDE_B);
  g_autofree char *exactly_a = wp_comparison_side_exactly (comparison, WP_SIDE_A), *exactly_b = wp_comparison_side_exactly (comparison, WP_SIDE_B);

  gtk_label_set_label (self->name_a, a);
  gtk_label_set_label (self->name_b, b);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name_a), exactly_a);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name_b), exactly_b);
}

static void
show_text (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

/* By how much it is longer, and below it what of, and then how that was tested. */
static void
show_answer (WpComparePage *self, const WpComparison *comparison)
{
  double threshold = wp_settings_double (THRESHOLD_KEY, 0);
  g_autofree char *changes = wp_comparison_answer_text (comparison, 1), *headline = wp_comparison_headline (comparison, threshold);
  g_autofree char *verdict = wp_comparison_verdict_text (comparison, threshold), *tests = wp_comparison_tests_text (comparison);
  g_autofree char *tested = g_strconcat (verdict, *tests != '\0' ? " " : "", tests, NULL);

  show_text (self->headline, headline);
  show_text (self->verdict, tested);
  show_text (self->answer, comparison->answer.len > 0 ? comparison->answer.data[0].text : "");
  show_text (self->changes, changes);
}

static void
on_threshold (WpComparePage *self)
{
  if (self->shown != NULL)
    show_answer (self, ((const WpCompareData *) wp_shared_get (self->shown))->comparison);
}

static void
show_types (WpComparePage *self, const WpComparison *comparison)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint32 t = 0; t < comparison->types.len; t++)
    gtk_string_list_append (names, comparison->types.data[t].shown);
  self->filling = TRUE;
  gtk_drop_down_set_model (self->type, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->type, comparison->type);
  self->filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->type), comparison->types.len > 1);
}

static void
show_data (WpComparePage *self, WpShared *data)
{
  const WpComparison *comparison = ((const WpCompareData *) wp_shared_get (data))->comparison;

  wp_shared_unref (self->shown);
  self->shown = wp_shared_ref (data);
  show_warnings (self);
  show_names (self, comparison);
  show_answer (self, comparison);
  show_types (self, comparison);
  gtk_widget_set_visible (GTK_WIDGET (self->depth_bin), comparison->has_depths);
  gtk_widget_set_visible (GTK_WIDGET (self->hide_button), comparison->has_depths);
  gtk_stack_page_set_title (gtk_stack_get_page (self->views, GTK_WIDGET (self->rows_bin)),
                            wp_comparison_explains (comparison) ? _("Explanation") : _("Figures"));
  adw_bin_set_child (self->rows_bin, wp_compare_rows_table_new (data));
  adw_bin_set_child (self->waits_bin, wp_compare_waits_table_new (data));
  gtk_stack_page_set_visible (gtk_stack_get_page (self->views, GTK_WIDGET (self->waits_bin)), comparison->waits.len > 0);
  wp_compare_frames_table_set_data (self->frames, data);
  wp_compare_checks_set_files (self->checks, wp_compare_model_files (self->model, WP_SIDE_A), wp_compare_model_files (self->model, WP_SIDE_B));
  wp_compare_flames_show (self->flames, data);
  look_at_view (self);
}

static void
on_changed (WpComparePage *self)
{
  const char *failure = wp_compare_model_failure (self->model);
  gboolean busy = wp_compare_model_is_busy (self->model);

  if (failure != NULL)
    wp_status_page_say (self->failed, failure);
  else if (!busy && wp_compare_model_data (self->model) != self->shown)
    show_data (self, wp_compare_model_data (self->model));
  wp_hidden_bar_show (self->hidden_bar, wp_compare_model_hide_rules (self->model));
  gtk_stack_set_visible_child_name (self->stack, busy && self->shown == NULL ? "loading" : failure != NULL ? "failed" : "views");
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_cancelled (WpComparePage *self)
{
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
}

static void
on_progress (WpCompareModel *model, const char *phase, double fraction, WpComparePage *self)
{
  if (phase != NULL)
    wp_status_page_say (self->loading, _(phase));
  gtk_progress_bar_set_fraction (self->progress, fraction);
}

static void
on_type (GtkDropDown *type, GParamSpec *pspec, WpComparePage *self)
{
  if (!self->filling)
    wp_compare_model_choose_type (self->model, gtk_drop_down_get_selected (type));
}

static void
on_normalise (GtkToggleButton *button, WpComparePage *self)
{
  wp_compare_model_set_normalise (self->model, gtk_toggle_button_get_active (button));
}

static void
on_cancel (GtkButton *button, WpComparePage *self)
{
  wp_compare_model_cancel (self->model);
}

static void
on_swap (GtkButton *button, WpComparePage *self)
{
  wp_compare_model_swap (self->model);
}

static void
set_depth (WpComparePage *self, const char *id)
{
  WpDepth depth = wp_depth_from_id (id);

  if (depth == WP_DEPTH_COUNT || self->shown == NULL)
    return;
  wp_depth_keep (depth);
  wp_compare_model_set_depth (self->model, depth);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEPTH]);
}

static void
hide (GtkWidget *widget, const char *action, GVariant *kind)
{
  WpComparePage *self = WP_COMPARE_PAGE (widget);
  WpHideKind wanted = (WpHideKind) g_variant_get_int32 (kind);
  const char *name = wanted == WP_HIDE_FUNCTION || wanted == WP_HIDE_MODULE ? wp_compare_flames_hideable (self->flames, wanted) : NULL;

  if (name != NULL)
    wp_compare_model_hide (self->model, wanted, name);
}

static void
open_fold (GtkWidget *widget, const char *action, GVariant *value)
{
  WpComparePage *self = WP_COMPARE_PAGE (widget);
  WpId node = wp_compare_flames_folded (self->flames);

  if (node != 0)
    wp_compare_model_open_folds (self->model, node);
}

/* Of the entry that is asked for what to hide: as the search bar of a recording does. */
static void
on_hide_matches (GtkWidget *widget, WpComparePage *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->hide_entry));
  g_autofree char *pattern = wp_hide_found (text);

  if (*text != '\0')
    wp_compare_model_hide (self->model, WP_HIDE_MATCHING, pattern);
  gtk_menu_button_popdown (self->hide_button);
  gtk_editable_set_text (GTK_EDITABLE (self->hide_entry), "");
}

static void
on_rule_removed (WpHiddenBar *bar, guint rule, WpComparePage *self)
{
  wp_compare_model_unhide (self->model, rule);
}

static void
on_rules_cleared (WpHiddenBar *bar, WpComparePage *self)
{
  wp_compare_model_unhide_all (self->model);
}

static void
on_hidden_bar_left (WpHiddenBar *bar, WpComparePage *self)
{
  gtk_widget_child_focus (GTK_WIDGET (self->views), GTK_DIR_TAB_FORWARD);
}

/* Of an area without height, which is there to tell the width. */
static void
on_width (GtkDrawingArea *area, int width, int height, WpComparePage *self)
{
  wp_compare_flames_fit (self->flames, width);
}

/* --- taking it away -------------------------------------------------------------------------------------------------- */

static void
on_copy (GtkButton *button, WpComparePage *self)
{
  g_autofree char *text = self->shown != NULL ? wp_compare_model_markdown (self->model, wp_settings_double (THRESHOLD_KEY, 0)) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  wp_toast (self->toasts, _("Tables copied as Markdown"));
}

/* Of what changed, or of what vanished where that is seen. */
static WpExport *
picture_of (WpComparePage *self)
{
  return wp_compare_model_export (self->model, shows (self, "vanished") ? WP_COMPARE_VIEW_VANISHED : WP_COMPARE_VIEW_B, wp_current_theme ());
}

static void
on_export (GtkButton *button, WpComparePage *self)
{
  if (self->shown != NULL)
    wp_saver_save (self->saver, GTK_WIDGET (self), picture_of (self), NULL);
}

static void
tell (gpointer page, const char *text)
{
  wp_toast (WP_COMPARE_PAGE (page)->toasts, text);
}

static void
on_told (WpSaver *saver, const char *text, WpComparePage *self)
{
  tell (self, text);
}

static void
copy_picture (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpComparePage *self = WP_COMPARE_PAGE (widget);

  if (self->shown != NULL)
    wp_copy_picture (widget, picture_of (self), tell);
}

/* Of the selected frame. */
static void
copy_details (GtkWidget *widget, const char *action, GVariant *markdown)
{
  g_autofree char *said = wp_compare_flames_said (WP_COMPARE_PAGE (widget)->flames);

  if (said != NULL)
    wp_copy_said (widget, said, NULL, g_variant_get_boolean (markdown));
}

/* --- the widget ------------------------------------------------------------------------------------------------------ */

static void
wp_compare_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DEPTH)
    set_depth (WP_COMPARE_PAGE (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
wp_compare_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WpComparePage *self = WP_COMPARE_PAGE (object);

  if (id == PROP_DEPTH)
    g_value_set_string (value, wp_depth_id (self->model != NULL ? wp_compare_model_depth (self->model) : wp_depth_kept ()));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
wp_compare_page_dispose (GObject *object)
{
  WpComparePage *self = WP_COMPARE_PAGE (object);

  wp_saver_close (self->saver);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  G_OBJECT_CLASS (wp_compare_page_parent_class)->dispose (object);
}

static void
wp_compare_page_finalize (GObject *object)
{
  WpComparePage *self = WP_COMPARE_PAGE (object);

  g_clear_object (&self->model);
  g_clear_object (&self->saver);
  wp_shared_unref (self->shown);
  G_OBJECT_CLASS (wp_compare_page_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, WpComparePage, name)
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)

/* Keys of the canvas that a window does nothing with while this is seen. */
static void
add_keys (GtkWidgetClass *klass)
{
  gtk_widget_class_install_property_action (klass, "compare.depth", "depth");
  gtk_widget_class_install_action (klass, "compare.hide", "i", hide);
  gtk_widget_class_install_action (klass, "compare.open-fold", NULL, open_fold);
  gtk_widget_class_install_action (klass, "compare.copy-details", "b", copy_details);
  gtk_widget_class_install_action (klass, "compare.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (klass, "compare.search", NULL, search);
  gtk_widget_class_install_action (klass, "compare.next-match", "i", next_match);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_1, 0, "compare.depth", "s", "waits");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_2, 0, "compare.depth", "s", "functions");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_3, 0, "compare.depth", "s", "all");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_h, 0, "compare.hide", "i", WP_HIDE_FUNCTION);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_e, 0, "compare.open-fold", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "compare.copy-details", "b", FALSE);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_f, GDK_CONTROL_MASK, "compare.search", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_g, GDK_CONTROL_MASK, "compare.next-match", "i", 1);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_g, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "compare.next-match", "i", -1);
}

static void
wp_compare_page_class_init (WpComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_COMPARE_FRAMES_TABLE);
  g_type_ensure (WP_TYPE_COMPARE_FLAMES);
  g_type_ensure (WP_TYPE_COMPARE_CHECKS);
  g_type_ensure (WP_TYPE_SEARCH_BAR);
  G_OBJECT_CLASS (klass)->dispose = wp_compare_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_compare_page_finalize;
  G_OBJECT_CLASS (klass)->set_property = wp_compare_page_set_property;
  G_OBJECT_CLASS (klass)->get_property = wp_compare_page_get_property;
  g_type_ensure (WP_TYPE_HIDDEN_BAR);
  properties[PROP_DEPTH] = g_param_spec_string ("depth", NULL, NULL, NULL,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  add_keys (widget_class);
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", WP_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED]
    = g_signal_new ("finished", WP_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/compare-page.ui");
  BIND (stack);
  BIND (loading);
  BIND (failed);
  BIND (progress);
  BIND (banner);
  BIND (warnings);
  BIND (name_a);
  BIND (name_b);
  BIND (headline);
  BIND (answer);
  BIND (changes);
  BIND (verdict);
  BIND (views);
  BIND (rows_bin);
  BIND (waits_bin);
  BIND (vanished_bin);
  BIND (frames);
  BIND (flames);
  BIND (checks);
  BIND (type);
  BIND (normalise);
  BIND (depth_bin);
  BIND (hide_button);
  BIND (hide_entry);
  BIND (hidden_bar);
  BIND (search);
  BIND (toasts);
  CALLBACK (on_type);
  CALLBACK (on_normalise);
  CALLBACK (on_cancel);
  CALLBACK (on_swap);
  CALLBACK (on_copy);
  CALLBACK (on_export);
  CALLBACK (on_width);
  CALLBACK (on_hide_matches);
  CALLBACK (on_rule_removed);
  CALLBACK (on_search_changed);
  CALLBACK (on_search_closed);
  CALLBACK (on_view);
  CALLBACK (on_rules_cleared);
  CALLBACK (on_hidden_bar_left);
}

static void
wp_compare_page_init (WpComparePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->saver = wp_saver_new ();
  g_signal_connect_object (self->saver, "told", G_CALLBACK (on_told), self, 0);
  adw_bin_set_child (self->depth_bin, wp_depth_chooser_new ("compare.depth"));
  wp_hidden_bar_set_wanted (self->hidden_bar, TRUE);
  if (wp_settings () != NULL)
    g_signal_connect_object (wp_settings (), "changed::" THRESHOLD_KEY, G_CALLBACK (on_threshold), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (self->vanished_bin, wp_compare_flames_vanished (self->flames));
}

GtkWidget *
wp_compare_page_new (const char *const *a, const char *const *b, const char *const *names)
{
  static const WpSearchFolds folds = { matching_stacks, open_matching, close_found, is_busy };
  WpComparePage *self = g_object_new (WP_TYPE_COMPARE_PAGE, NULL);

  self->model = wp_compare_model_new (a, b, names, wp_depth_kept ());
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "cancelled", G_CALLBACK (on_cancelled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "progress", G_CALLBACK (on_progress), self, 0);
  wp_search_bar_look_behind (self->search, &folds, self->model);
  on_changed (self);
  return GTK_WIDGET (self);
}
