#include "app/store/store-row-widget.h"

#include <glib/gi18n.h>

#include "app/store/runs-plot.h"
#include "app/widgets/share-bar.h"
#include "workspace/store/store-row-words.h"

struct _WpStoreRowWidget
{
  GtkWidget parent_instance;

  WpStoreModel *model;
  WpStoreRow *row;
  guint position;

  GtkWidget *grid;
  GtkButton *arrow;
  GtkLabel *title, *badge, *change, *figure, *facts, *more;
  WpRunsPlot *plot;
  guint aging; /* source, while it is on the screen */
  WpShareBar *bar;
};

G_DEFINE_FINAL_TYPE (WpStoreRowWidget, wp_store_row_widget, GTK_TYPE_WIDGET)

guint
wp_store_row_widget_position (WpStoreRowWidget *self)
{
  return self->position;
}

WpStoreRow *
wp_store_row_widget_row (WpStoreRowWidget *self)
{
  return self->row;
}

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

/* --- what it says ------------------------------------------------------------------------------------------------------------ */

static const WpStoreBadge *
badge_of (WpStoreRowWidget *self)
{
  WpStoreCommit *commit = wp_store_row_kind (self->row) == WP_STORE_ROW_COMMIT ? wp_store_row_commit (self->row) : NULL;
  WpStoreCommit *before = commit != NULL ? wp_store_rows_before (wp_store_model_rows (self->model), commit) : NULL;

  return commit != NULL && commit->profiles != NULL ? wp_store_badges_get (wp_store_model_badges (self->model), commit, before) : NULL;
}

/* `runs` is filled in where the row has some whose figures are known. */
static WpStoreRowFigures
figures_of (WpStoreRowWidget *self, WpStoreRuns *runs)
{
  WpStoreFigures *figures = wp_store_model_figures (self->model);
  WpStoreProfile *profile = wp_store_row_profile (self->row);
  const GPtrArray *all = wp_store_row_runs (self->row);
  WpStoreRowFigures known = { .badge = badge_of (self) };

  *runs = (WpStoreRuns) { 0 };
  if (profile != NULL)
    known.figure = wp_store_figures_get (figures, profile);
  if (all != NULL && wp_store_figures_get_runs (figures, all, runs))
    known.runs = runs;
  return known;
}

/* What a row says, read as one; and, where it is cut, as a description. */
static void
describe (WpStoreRowWidget *self, const WpStoreRowWords *words, const WpStoreRowFigures *figures)
{
  g_autofree char *name = wp_store_row_name (words), *tip = wp_store_row_tip (self->row, figures);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  tip != NULL ? tip : "", -1);
}

static void
show_figures (WpStoreRowWidget *self, const WpStoreRowFigures *figures)
{
  double longest = (double) wp_store_figures_longest (wp_store_model_figures (self->model));
  double total = figures->runs != NULL ? figures->runs->median : figures->figure != NULL ? (double) figures->figure->total : 0;
  gboolean slower = figures->badge != NULL && figures->badge->by > 0;

  gtk_widget_set_opacity (GTK_WIDGET (self->bar), total > 0);
  wp_share_bar_set (self->bar, 0, longest > 0 ? total / longest : 0);
  gtk_widget_set_visible (GTK_WIDGET (self->plot), figures->runs != NULL);
  if (figures->runs != NULL)
    wp_runs_plot_set (self->plot, figures->runs->totals, figures->runs->n);
  gtk_widget_set_css_classes (GTK_WIDGET (self->change), (const char *[]) { "badge", slower ? "slower" : "faster", NULL });
}

static void
show_texts (WpStoreRowWidget *self, const WpStoreRowFigures *figures)
{
  WpStoreRowWords words;

  wp_store_row_words (self->row, figures, &words);
  set_text (self->title, words.title);
  set_text (self->badge, words.badge);
  set_text (self->change, words.change);
  set_text (self->figure, words.figure);
  set_text (self->facts, words.facts);
  set_text (self->more, words.more);
  describe (self, &words, figures);
  wp_store_row_words_clear (&words);
}

static void
show_words (WpStoreRowWidget *self)
{
  WpStoreRuns runs;
  WpStoreRowFigures figures = figures_of (self, &runs);

  show_texts (self, &figures);
  show_figures (self, &figures);
  wp_store_runs_clear (&runs);
}

#define AGES 20 /* seconds: "just now" is no longer true after a minute */

/* What has the same text is not drawn again. */
static gboolean
on_aged (gpointer widget)
{
  WpStoreRowWidget *self = widget;
  WpStoreRuns runs;
  WpStoreRowFigures figures;

  if (self->row == NULL)
    return G_SOURCE_CONTINUE;
  figures = figures_of (self, &runs);
  show_texts (self, &figures);
  wp_store_runs_clear (&runs);
  return G_SOURCE_CONTINUE;
}

static void
wp_store_row_widget_map (GtkWidget *widget)
{
  WpStoreRowWidget *self = WP_STORE_ROW_WIDGET (widget);

  GTK_WIDGET_CLASS (wp_store_row_widget_parent_class)->map (widget);
  on_aged (self);
  self->aging = g_timeout_add_seconds (AGES, on_aged, self);
}

static void
wp_store_row_widget_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&WP_STORE_ROW_WIDGET (widget)->aging, g_source_remove);
  GTK_WIDGET_CLASS (wp_store_row_widget_parent_class)->unmap (widget);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------- */

static void
show_arrow (WpStoreRowWidget *self)
{
  gboolean has_arrow = self->row != NULL && wp_store_row_folds (self->row);
  gboolean folded = has_arrow && wp_store_rows_is_folded (wp_store_model_rows (self->model), self->row);
  gboolean of_runs = has_arrow && wp_store_row_runs (self->row) != NULL;

  gtk_widget_set_opacity (GTK_WIDGET (self->arrow), has_arrow);
  gtk_widget_set_sensitive (GTK_WIDGET (self->arrow), has_arrow);
  gtk_button_set_icon_name (self->arrow, folded ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  of_runs ? (folded ? _("Show the single runs") : _("Hide the single runs"))
                                          : (folded ? _("Show the profiles") : _("Hide the profiles")),
                                  -1);
}

/* Asked for when it is to be seen: for each tip that is set GTK asks the display where the pointer is, and waits for the answer. */
static gboolean
on_tip (WpStoreRowWidget *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  g_autofree char *tip = NULL;
  WpStoreRuns runs;
  WpStoreRowFigures figures;

  if (self->row == NULL)
    return FALSE;
  figures = figures_of (self, &runs);
  tip = wp_store_row_tip (self->row, &figures);
  wp_store_runs_clear (&runs);
  gtk_tooltip_set_text (tooltip, tip);
  return tip != NULL;
}

static const char *const style_of[] = {
  [WP_STORE_ROW_HEADING] = "heading-row",
  [WP_STORE_ROW_PENDING] = "profile-row",
  [WP_STORE_ROW_COMMIT] = "commit-row",
  [WP_STORE_ROW_PROFILE] = "profile-row",
  [WP_STORE_ROW_RUNS] = "profile-row",
};

static void
show_style (WpStoreRowWidget *self, WpStoreRowKind kind)
{
  const WpStoreProfile *profile = wp_store_row_profile (self->row);

  gtk_widget_set_css_classes (GTK_WIDGET (self), (const char *[]) { style_of[kind], NULL });
  if (wp_store_row_run (self->row) > 0)
    gtk_widget_add_css_class (GTK_WIDGET (self), "run-row");
  if (profile != NULL && profile->entry->problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "problem");
}

void
wp_store_row_widget_show (WpStoreRowWidget *self, WpStoreRow *row, guint position)
{
  g_set_object (&self->row, row);
  self->position = position;
  if (row == NULL)
    return;
  show_words (self);
  show_style (self, wp_store_row_kind (row));
  show_arrow (self);
}

static void
on_known (WpStoreRowWidget *self)
{
  if (self->row != NULL && wp_store_row_kind (self->row) != WP_STORE_ROW_HEADING)
    show_words (self);
}

static void
on_arrow (GtkButton *button, WpStoreRowWidget *self)
{
  if (self->row != NULL && wp_store_row_folds (self->row))
    wp_store_rows_toggle_folded (wp_store_model_rows (self->model), self->row);
}

static void
wp_store_row_widget_dispose (GObject *object)
{
  WpStoreRowWidget *self = WP_STORE_ROW_WIDGET (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_object (&self->row);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (wp_store_row_widget_parent_class)->dispose (object);
}

static void
wp_store_row_widget_class_init (WpStoreRowWidgetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_SHARE_BAR);
  g_type_ensure (WP_TYPE_RUNS_PLOT);
  G_OBJECT_CLASS (klass)->dispose = wp_store_row_widget_dispose;
  widget_class->map = wp_store_row_widget_map;
  widget_class->unmap = wp_store_row_widget_unmap;
  gtk_widget_class_set_css_name (widget_class, "wpstorerow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/store-row-widget.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, grid);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, arrow);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, title);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, badge);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, change);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, plot);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, figure);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, facts);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, more);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, bar);
  gtk_widget_class_bind_template_callback (widget_class, on_arrow);
}

static void
wp_store_row_widget_init (WpStoreRowWidget *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_tip), NULL);
}

GtkWidget *
wp_store_row_widget_new (WpStoreModel *model)
{
  WpStoreRowWidget *self = g_object_new (WP_TYPE_STORE_ROW_WIDGET, NULL);

  self->model = g_object_ref (model);
  g_signal_connect_object (wp_store_model_rows (model), "folded", G_CALLBACK (show_arrow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (wp_store_model_figures (model), "known", G_CALLBACK (on_known), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (wp_store_model_badges (model), "known", G_CALLBACK (on_known), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_known), self, G_CONNECT_SWAPPED); /* a commit may have one before it now */
  return GTK_WIDGET (self);
}
