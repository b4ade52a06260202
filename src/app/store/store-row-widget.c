#include "app/store/store-row-widget.h"

#include <glib/gi18n.h>

#include "app/widgets/share-bar.h"
#include "workspace/store/store-row-words.h"

struct _WpStoreRowWidget
{
  GtkWidget parent_instance;

  WpStoreRows *rows;
  WpStoreFigures *figures;
  WpStoreRow *row;
  guint position;

  GtkWidget *grid;
  GtkButton *arrow;
  GtkLabel *title, *badge, *figure, *facts, *more;
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

static const WpStoreFigure *
figure_of (WpStoreRowWidget *self)
{
  WpStoreProfile *profile = wp_store_row_profile (self->row);

  return profile != NULL ? wp_store_figures_get (self->figures, profile) : NULL;
}

/* What a row says, read as one; and, where it is cut, as a description. */
static void
describe (WpStoreRowWidget *self, const WpStoreRowWords *words, const WpStoreFigure *figure)
{
  g_autofree char *name = wp_store_row_name (words), *tip = wp_store_row_tip (self->row, figure);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  tip != NULL ? tip : "", -1);
}

static void
show_words (WpStoreRowWidget *self)
{
  const WpStoreFigure *figure = figure_of (self);
  gint64 longest = wp_store_figures_longest (self->figures), total = figure != NULL ? figure->total : 0;
  WpStoreRowWords words;

  wp_store_row_words (self->row, figure, &words);
  set_text (self->title, words.title);
  set_text (self->badge, words.badge);
  set_text (self->figure, words.figure);
  set_text (self->facts, words.facts);
  set_text (self->more, words.more);
  gtk_widget_set_opacity (GTK_WIDGET (self->bar), total > 0);
  wp_share_bar_set (self->bar, 0, longest > 0 ? (double) total / (double) longest : 0);
  describe (self, &words, figure);
  wp_store_row_words_clear (&words);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------- */

static void
show_arrow (WpStoreRowWidget *self)
{
  const WpStoreCommit *commit = self->row != NULL ? wp_store_row_commit (self->row) : NULL;
  gboolean has_arrow = commit != NULL && wp_store_row_profile (self->row) == NULL && commit->profiles != NULL;
  gboolean collapsed = has_arrow && wp_store_rows_is_collapsed (self->rows, commit);

  gtk_widget_set_opacity (GTK_WIDGET (self->arrow), has_arrow);
  gtk_widget_set_sensitive (GTK_WIDGET (self->arrow), has_arrow);
  gtk_button_set_icon_name (self->arrow, collapsed ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  collapsed ? _("Show the profiles") : _("Hide the profiles"), -1);
}

/* Asked for when it is to be seen: for each tip that is set GTK asks the display where the pointer is, and waits for the answer. */
static gboolean
on_tip (WpStoreRowWidget *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  g_autofree char *tip = self->row != NULL ? wp_store_row_tip (self->row, figure_of (self)) : NULL;

  gtk_tooltip_set_text (tooltip, tip);
  return tip != NULL;
}

static const char *const style_of[] = {
  [WP_STORE_ROW_HEADING] = "heading-row",
  [WP_STORE_ROW_PENDING] = "profile-row",
  [WP_STORE_ROW_COMMIT] = "commit-row",
  [WP_STORE_ROW_PROFILE] = "profile-row",
};

static void
show_style (WpStoreRowWidget *self, WpStoreRowKind kind)
{
  const WpStoreProfile *profile = wp_store_row_profile (self->row);

  gtk_widget_set_css_classes (GTK_WIDGET (self), (const char *[]) { style_of[kind], NULL });
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
on_figures (WpStoreFigures *figures, WpStoreRowWidget *self)
{
  if (self->row != NULL && wp_store_row_profile (self->row) != NULL)
    show_words (self);
}

static void
on_arrow (GtkButton *button, WpStoreRowWidget *self)
{
  const WpStoreCommit *commit = self->row != NULL ? wp_store_row_commit (self->row) : NULL;

  if (commit != NULL)
    wp_store_rows_toggle_collapsed (self->rows, commit);
}

static void
wp_store_row_widget_dispose (GObject *object)
{
  WpStoreRowWidget *self = WP_STORE_ROW_WIDGET (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_object (&self->row);
  g_clear_object (&self->rows);
  g_clear_object (&self->figures);
  G_OBJECT_CLASS (wp_store_row_widget_parent_class)->dispose (object);
}

static void
wp_store_row_widget_class_init (WpStoreRowWidgetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_SHARE_BAR);
  G_OBJECT_CLASS (klass)->dispose = wp_store_row_widget_dispose;
  gtk_widget_class_set_css_name (widget_class, "wpstorerow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/store-row-widget.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, grid);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, arrow);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, title);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, badge);
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
wp_store_row_widget_new (WpStoreRows *rows, WpStoreFigures *figures)
{
  WpStoreRowWidget *self = g_object_new (WP_TYPE_STORE_ROW_WIDGET, NULL);

  self->rows = g_object_ref (rows);
  self->figures = g_object_ref (figures);
  g_signal_connect_object (rows, "collapsed", G_CALLBACK (show_arrow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (figures, "known", G_CALLBACK (on_figures), self, 0);
  return GTK_WIDGET (self);
}
