#include "app/compare/compare-table.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/column-titles.h"
#include "app/widgets/share-bar.h"

/* --- a row ----------------------------------------------------------------------------------------------------------- */

#define WP_TYPE_COMPARE_ITEM (wp_compare_item_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareItem, wp_compare_item, WP, COMPARE_ITEM, GObject)

struct _WpCompareItem
{
  GObject parent_instance;
  WpShared *data;                 /* WpCompareData, which the rest belongs to */
  const WpComparedRow *row;
  const WpComparedWait *wait;     /* whose row that is; or NULL */
  const char *name;               /* translated */
  double share;                   /* of the largest change of all rows; 0 of one in another unit */
};

G_DEFINE_FINAL_TYPE (WpCompareItem, wp_compare_item, G_TYPE_OBJECT)

static void
wp_compare_item_finalize (GObject *object)
{
  wp_shared_unref (WP_COMPARE_ITEM (object)->data);
  G_OBJECT_CLASS (wp_compare_item_parent_class)->finalize (object);
}

static void
wp_compare_item_class_init (WpCompareItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_compare_item_finalize;
}

static void
wp_compare_item_init (WpCompareItem *self)
{
}

#define BAR_ROOM 8 /* pixels under a figure, and as many above it */

/* --- columns --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *title;
  char *(*text) (const WpCompareItem *item);
  guint8 bar;    /* 1: with a bar of the change's share */
  guint8 expand;
  guint8 numeric;
} Column;

static char *
name_text (const WpCompareItem *item)
{
  return item->row->level == WP_ROW_SUB ? g_strconcat ("    ", item->name, NULL) : g_strdup (item->name);
}

static double
a_number (const WpCompareItem *item)
{
  return item->row->change.mean[WP_SIDE_A];
}

static double
b_number (const WpCompareItem *item)
{
  return item->row->change.mean[WP_SIDE_B];
}

static double
change_number (const WpCompareItem *item)
{
  return wp_change_absolute (&item->row->change);
}

static char *
amount_text (const WpCompareItem *item, double amount, gboolean sign)
{
  return wp_compared_amount (item->row->unit, item->row->unit_name, amount, sign);
}

static char *
a_text (const WpCompareItem *item)
{
  return amount_text (item, a_number (item), FALSE);
}

static char *
b_text (const WpCompareItem *item)
{
  return amount_text (item, b_number (item), FALSE);
}

static char *
change_text (const WpCompareItem *item)
{
  return amount_text (item, change_number (item), TRUE);
}

static char *
relative_text (const WpCompareItem *item)
{
  char by[32];

  wp_format_change (&item->row->change, by);
  return g_strdup (by);
}

static char *
evidence_text (const WpCompareItem *item)
{
  return wp_change_evidence_text (&item->row->change);
}

static char *
count_text (const WpCompareItem *item)
{
  return wp_compared_wait_count (item->wait);
}

static const Column row_columns[] = {
  { "", name_text, .expand = TRUE },
  { N_ ("A"), a_text, .numeric = TRUE },
  { N_ ("B"), b_text, .numeric = TRUE },
  { N_ ("Change"), change_text, .bar = TRUE, .numeric = TRUE },
  { N_ ("Of A"), relative_text, .numeric = TRUE },
  { N_ ("Evidence"), evidence_text },
  { NULL },
};

static const Column wait_columns[] = {
  { "", name_text, .expand = TRUE },
  { N_ ("A"), a_text, .numeric = TRUE },
  { N_ ("B"), b_text, .numeric = TRUE },
  { N_ ("Change"), change_text, .bar = TRUE, .numeric = TRUE },
  { N_ ("Of A"), relative_text, .numeric = TRUE },
  { N_ ("How Often"), count_text, .numeric = TRUE },
  { N_ ("Evidence"), evidence_text },
  { NULL },
};

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, const Column *column)
{
  GtkWidget *cell = gtk_overlay_new (), *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->numeric ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), column->expand ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  if (column->numeric)
    gtk_widget_add_css_class (label, "numeric");
  gtk_overlay_set_child (GTK_OVERLAY (cell), label); /* figures of a row stand on one line, whether there is a bar below or not */
  if (column->bar)
    {
      GtkWidget *bar = wp_share_bar_new (0, 0);

      gtk_widget_set_valign (bar, GTK_ALIGN_END);
      gtk_widget_set_margin_top (label, BAR_ROOM);
      gtk_widget_set_margin_bottom (label, BAR_ROOM);
      gtk_overlay_add_overlay (GTK_OVERLAY (cell), bar);
    }
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, const Column *column)
{
  const WpCompareItem *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *bar = gtk_widget_get_next_sibling (label);
  g_autofree char *text = column->text (row), *marked = NULL;

  if (column->numeric && gtk_widget_get_direction (label) == GTK_TEXT_DIR_RTL)
    gtk_label_set_label (GTK_LABEL (label), (marked = g_strconcat ("\u200e", text, NULL))); /* a sign stays before its number */
  else
    gtk_label_set_label (GTK_LABEL (label), text);
  if (column->expand)
    gtk_widget_set_tooltip_text (label, row->name);
  if (bar != NULL)
    {
      wp_share_bar_set (WP_SHARE_BAR (bar), 0, row->share);
      gtk_widget_remove_css_class (bar, "more");
      gtk_widget_remove_css_class (bar, "less");
      gtk_widget_add_css_class (bar, change_number (row) > 0 ? "more" : "less");
    }
}

/* As "Evidence" of single profiles is: no row has anything in it. */
static gboolean
is_empty (GListModel *rows, const Column *column)
{
  guint n = g_list_model_get_n_items (rows);
  gboolean empty = n > 0;

  for (guint i = 0; i < n && empty; i++)
    {
      g_autoptr (WpCompareItem) item = g_list_model_get_item (rows, i);
      g_autofree char *text = column->text (item);

      empty = text == NULL || *text == '\0';
    }
  return empty;
}

static void
add_columns (GtkColumnView *view, const Column *columns, const char *first)
{
  for (const Column *column = columns; column->title != NULL; column++)
    {
      GtkListItemFactory *factory;
      const char *title = column == columns ? first : _(column->title);
      g_autoptr (GtkColumnViewColumn) made = NULL;

      if (is_empty (G_LIST_MODEL (gtk_column_view_get_model (view)), column))
        continue;
      factory = gtk_signal_list_item_factory_new ();
      made = gtk_column_view_column_new (title, factory);
      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) column);
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) column);
      gtk_column_view_column_set_expand (made, column->expand);
      gtk_column_view_column_set_resizable (made, TRUE);
      if (column->numeric)
        gtk_column_view_column_set_fixed_width (made, column->bar ? 130 : 96);
      gtk_column_view_append_column (view, made);
      if (column->numeric)
        wp_column_title_at_end (view);
    }
}

/* --- the table -------------------------------------------------------------------------------------------------- */

static WpCompareItem *
item_new (WpShared *data, const WpComparedRow *row, double largest)
{
  WpCompareItem *item = g_object_new (WP_TYPE_COMPARE_ITEM, NULL);

  item->data = wp_shared_ref (data);
  item->row = row;
  item->name = row->level == WP_ROW_SUB ? row->name : _(row->name);
  item->share = largest > 0 ? fabs (wp_change_absolute (&row->change)) / largest : 0;
  return item;
}

static gboolean
is_of_main_unit (const WpComparison *c, const WpComparedRow *row)
{
  return row->unit == c->unit && g_str_equal (row->unit_name, c->unit_name);
}

static GListModel *
rows_of (WpShared *data)
{
  const WpComparison *c = ((const WpCompareData *) wp_shared_get (data))->comparison;
  GListStore *store = g_list_store_new (WP_TYPE_COMPARE_ITEM);
  double largest = 0;

  for (guint32 r = 0; r < c->rows.len; r++)
    if (is_of_main_unit (c, &c->rows.data[r]))
      largest = MAX (largest, fabs (wp_change_absolute (&c->rows.data[r].change)));
  for (guint32 r = 0; r < c->rows.len; r++)
    {
      const WpComparedRow *row = &c->rows.data[r];
      const double *mean = row->change.mean;
      g_autoptr (WpCompareItem) item = item_new (data, row, is_of_main_unit (c, row) ? largest : 0);

      if (mean[WP_SIDE_A] != 0 || mean[WP_SIDE_B] != 0)
        g_list_store_append (store, item);
    }
  return G_LIST_MODEL (store);
}

static GListModel *
waits_of (WpShared *data)
{
  const WpComparison *c = ((const WpCompareData *) wp_shared_get (data))->comparison;
  GListStore *store = g_list_store_new (WP_TYPE_COMPARE_ITEM);

  for (guint32 i = 0; i < c->waits.len; i++)
    {
      double largest = fabs (wp_change_absolute (&c->waits.data[0].row.change));
      g_autoptr (WpCompareItem) item = item_new (data, &c->waits.data[i].row, largest);

      item->wait = &c->waits.data[i];
      item->name = c->waits.data[i].row.name;
      g_list_store_append (store, item);
    }
  return G_LIST_MODEL (store);
}

static GtkWidget *
scrolled (GtkColumnView *view, const char *name)
{
  GtkWidget *window = gtk_scrolled_window_new ();

  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_add_css_class (GTK_WIDGET (view), "compare-table");
  gtk_column_view_set_show_column_separators (view, FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (window), GTK_WIDGET (view));
  gtk_widget_set_vexpand (window, TRUE);
  gtk_widget_add_css_class (window, "wide");
  return window;
}

GtkWidget *
wp_compare_rows_table_new (WpShared *data)
{
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (gtk_single_selection_new (rows_of (data)));
  GtkColumnView *view = GTK_COLUMN_VIEW (gtk_column_view_new (selection));
  gboolean explains = wp_comparison_explains (((const WpCompareData *) wp_shared_get (data))->comparison);

  add_columns (view, row_columns, explains ? _("Explanation") : _("Figure"));
  return scrolled (view, explains ? _("Explanations compared") : _("Figures compared"));
}

GtkWidget *
wp_compare_waits_table_new (WpShared *data)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (gtk_single_selection_new (waits_of (data)))));

  add_columns (view, wait_columns, _("Who Waits for What"));
  return scrolled (view, _("Longest waits compared"));
}
