#include "app/page/table-row.h"

#include <glib/gi18n.h>

#include "app/widgets/share-bar.h"
#include "base/format.h"

#define TIME_CHARS 8 /* of a category's time: all bars have the same length, so that they can be compared */

struct _WpTableRow
{
  GtkListBoxRow parent_instance;

  WpTableRowSpec spec; /* its name is owned */
  gboolean filled;     /* a row that is not seen is empty: there may be hundreds, and most are never looked at */
  GtkWidget *arrow;    /* NULL: nothing to expand, or not filled */
  gboolean expanded;
};

enum
{
  SIGNAL_TOGGLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpTableRow, wp_table_row, GTK_TYPE_LIST_BOX_ROW)

const WpChoice *
wp_table_row_choice (WpTableRow *self)
{
  return &self->spec.choice;
}

gboolean
wp_table_row_is_category (WpTableRow *self)
{
  return self->spec.choice.row == G_MAXUINT32;
}

gboolean
wp_table_row_is_fold (WpTableRow *self)
{
  return self->spec.choice.category == WP_CATEGORY_COUNT;
}

gboolean
wp_table_row_is_empty (WpTableRow *self)
{
  return wp_table_row_is_category (self) && !wp_table_row_is_fold (self) && self->spec.ns == 0;
}

const char *
wp_table_row_name (WpTableRow *self)
{
  return self->spec.name;
}

gboolean
wp_table_row_expanded (WpTableRow *self)
{
  return self->expanded;
}

void
wp_table_row_set_expanded (WpTableRow *self, gboolean expanded)
{
  if (!self->spec.expandable || self->expanded == expanded)
    return;
  self->expanded = expanded;
  if (self->arrow != NULL)
    gtk_button_set_icon_name (GTK_BUTTON (self->arrow), expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
  g_signal_emit (self, signals[SIGNAL_TOGGLED], 0);
}

static void
on_arrow (GtkButton *button, WpTableRow *self)
{
  wp_table_row_set_expanded (self, !self->expanded);
}

static void
expand (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_table_row_set_expanded (WP_TABLE_ROW (widget), g_variant_get_boolean (parameter));
}

static GtkWidget *
new_label (const char *text, const char *css_class, double xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_arrow (WpTableRow *self, GtkGrid *grid)
{
  self->arrow = gtk_button_new_from_icon_name (self->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_widget_add_css_class (self->arrow, "flat");
  gtk_widget_add_css_class (self->arrow, "row-arrow");
  gtk_widget_set_focusable (self->arrow, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Show details"), -1);
  g_signal_connect (self->arrow, "clicked", G_CALLBACK (on_arrow), self);
  gtk_grid_attach (grid, self->arrow, 0, 0, 1, 1);
}

/* Time and shares, from column 2 on. */
static void
add_figures (GtkGrid *grid, int line, const char *time, const char *part, const char *latency)
{
  GtkWidget *figure = new_label (time, "figure", 1);

  gtk_label_set_width_chars (GTK_LABEL (figure), TIME_CHARS);
  gtk_grid_attach (grid, figure, 2, line, 1, 1);
  gtk_grid_attach (grid, new_label (part, "share", 1), 3, line, 1, 1);
  if (latency != NULL)
    gtk_grid_attach (grid, new_label (latency, "share", 1), 4, line, 1, 1);
}

static void
add_bar (GtkGrid *grid, const WpTableRowSpec *spec, double share)
{
  GtkWidget *bar = wp_share_bar_new (spec->total > 0 ? (double) spec->before / (double) spec->total : 0, share);

  wp_share_bar_set_category (WP_SHARE_BAR (bar), spec->choice.category);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_grid_attach (grid, bar, 1, 1, 1, 1);
}

/* Beside its figures a category's name would be cut: it gets a line of its own, and the bar stands beside the figures; of what is
 * not there at all only the name is shown, and how little it is. */
static void
add_contents (WpTableRow *self, GtkGrid *grid)
{
  const WpTableRowSpec *spec = &self->spec;
  gboolean category = wp_table_row_is_category (self);
  int columns = spec->wall > 0 ? 5 : 4;
  double share = spec->total > 0 ? (double) spec->ns / (double) spec->total : 0;
  char time[WP_FORMAT_MAX], part[WP_FORMAT_MAX], latency[WP_FORMAT_MAX];
  GtkWidget *name = new_label (spec->name, NULL, 0);
  g_autofree char *text = NULL;

  wp_format_ns (spec->ns, time);
  wp_format_share (share, part);
  wp_format_share (spec->wall > 0 ? (double) spec->latency / (double) spec->wall : 0, latency);
  gtk_label_set_ellipsize (GTK_LABEL (name), category ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  /* Of a visible widget the display server would be asked whether the pointer is over it, for each row. */
  gtk_widget_set_visible (name, FALSE);
  gtk_widget_set_tooltip_text (name, spec->help != NULL ? spec->help : spec->name);
  gtk_widget_set_visible (name, TRUE);
  gtk_grid_attach (grid, name, 1, 0, !category ? 1 : spec->ns > 0 ? columns - 1 : columns - 2, 1);
  if (wp_table_row_is_fold (self))
    gtk_widget_add_css_class (name, "dim-label");
  else if (category && spec->ns == 0)
    gtk_grid_attach (grid, new_label (time, "share", 1), columns - 1, 0, 1, 1);
  else
    add_figures (grid, category, time, part, spec->wall > 0 ? latency : NULL);
  if (category && spec->ns > 0)
    add_bar (grid, spec, share);

  if (wp_table_row_is_fold (self))
    text = g_strdup (spec->name);
  else if (spec->wall > 0)
    text = g_strdup_printf (_("%s, %s, %s, latency %s"), spec->name, time, part, latency);
  else
    text = g_strdup_printf ("%s, %s, %s", spec->name, time, part);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
fill (WpTableRow *self)
{
  GtkWidget *grid = gtk_grid_new ();

  self->filled = TRUE;
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  if (self->spec.expandable)
    add_arrow (self, GTK_GRID (grid));
  else
    {
      GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      gtk_widget_add_css_class (space, "row-arrow");
      gtk_grid_attach (GTK_GRID (grid), space, 0, 0, 1, 1);
    }
  add_contents (self, GTK_GRID (grid));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), grid);
}

static void
fill_when_seen (WpTableRow *self)
{
  if (!self->filled && gtk_widget_get_visible (GTK_WIDGET (self)))
    fill (self);
}

static void
wp_table_row_finalize (GObject *object)
{
  g_free ((char *) WP_TABLE_ROW (object)->spec.name);
  G_OBJECT_CLASS (wp_table_row_parent_class)->finalize (object);
}

static void
wp_table_row_class_init (WpTableRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_table_row_finalize;
  signals[SIGNAL_TOGGLED]
    = g_signal_new ("toggled", WP_TYPE_TABLE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "row.expand", "b", expand);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Right, 0, "row.expand", "b", TRUE);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, 0, "row.expand", "b", FALSE);
}

static void
wp_table_row_init (WpTableRow *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect (self, "notify::visible", G_CALLBACK (fill_when_seen), NULL);
}

static void
set_class (GtkWidget *widget, const char *css_class, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

static gboolean
same_figures (const WpTableRowSpec *a, const WpTableRowSpec *b)
{
  return a->ns == b->ns && a->total == b->total && a->latency == b->latency && a->wall == b->wall && a->before == b->before
         && a->expandable == b->expandable;
}

/* What would be the same stays: it may just be pressed. */
void
wp_table_row_set (WpTableRow *self, const WpTableRowSpec *spec)
{
  char *before = (char *) self->spec.name;

  if (self->filled && same_figures (&self->spec, spec))
    {
      self->spec.choice = spec->choice;
      return;
    }
  self->spec = *spec;
  self->spec.name = g_strdup (spec->name);
  g_free (before);
  self->expanded = self->expanded && spec->expandable;
  self->arrow = NULL;
  self->filled = FALSE;
  set_class (GTK_WIDGET (self), "category", wp_table_row_is_category (self));
  set_class (GTK_WIDGET (self), "sub-row", !wp_table_row_is_category (self));
  set_class (GTK_WIDGET (self), "nothing", wp_table_row_is_empty (self));
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), !wp_table_row_is_fold (self));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), NULL);
  fill_when_seen (self);
}

GtkWidget *
wp_table_row_new (const WpTableRowSpec *spec)
{
  WpTableRow *self = g_object_new (WP_TYPE_TABLE_ROW, NULL);

  wp_table_row_set (self, spec);
  return GTK_WIDGET (self);
}
