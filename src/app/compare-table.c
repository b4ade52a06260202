#include "app/compare-table.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/share-bar.h"

/* --- a row ----------------------------------------------------------------------------------------------------------- */

#define WP_TYPE_COMPARE_ITEM (wp_compare_item_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareItem, wp_compare_item, WP, COMPARE_ITEM, GObject)

struct _WpCompareItem
{
  GObject parent_instance;
  WpShared *data;                 /* WpCompareData, which the rest belongs to */
  const char *name, *module;
  const WpChange *change, *total; /* total: of frames */
  double share;                   /* of the largest change of all rows */
  guint8 level;                   /* WpRowLevel */
  WpPresence presence;
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

static const WpComparison *
comparison_of (const WpCompareItem *self)
{
  return ((const WpCompareData *) wp_shared_get (self->data))->comparison;
}

/* --- columns --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *title;
  char *(*text) (const WpCompareItem *item);
  double (*number) (const WpCompareItem *item); /* to sort by; NULL: by the text */
  guint8 bar;    /* 1: with a bar of the change's share */
  guint8 expand;
  guint8 numeric;
} Column;

static char *
name_text (const WpCompareItem *item)
{
  return item->level == WP_ROW_SUB ? g_strconcat ("    ", item->name, NULL) : g_strdup (item->name);
}

static char *
module_text (const WpCompareItem *item)
{
  return g_strdup (item->module);
}

static char *
presence_text (const WpCompareItem *item)
{
  static const char *const texts[] = { [WP_PRESENCE_COMMON] = "", [WP_PRESENCE_NEW] = N_ ("new"),
                                       [WP_PRESENCE_VANISHED] = N_ ("vanished") };

  return g_strdup (*texts[item->presence] != '\0' ? _(texts[item->presence]) : "");
}

static double
a_number (const WpCompareItem *item)
{
  return item->change->mean[WP_SIDE_A];
}

static double
b_number (const WpCompareItem *item)
{
  return item->change->mean[WP_SIDE_B];
}

static double
change_number (const WpCompareItem *item)
{
  return wp_change_absolute (item->change);
}

static double
relative_number (const WpCompareItem *item)
{
  return wp_change_relative (item->change);
}

static double
total_number (const WpCompareItem *item)
{
  return wp_change_absolute (item->total);
}

static double
p_number (const WpCompareItem *item)
{
  return isnan (item->change->p) ? 2 : item->change->p;
}

static char *
a_text (const WpCompareItem *item)
{
  return wp_comparison_amount (comparison_of (item), a_number (item), FALSE);
}

static char *
b_text (const WpCompareItem *item)
{
  return wp_comparison_amount (comparison_of (item), b_number (item), FALSE);
}

static char *
change_text (const WpCompareItem *item)
{
  return wp_comparison_amount (comparison_of (item), change_number (item), TRUE);
}

static char *
relative_text (const WpCompareItem *item)
{
  char by[32];

  wp_format_change (item->change, by);
  return g_strdup (by);
}

static char *
total_text (const WpCompareItem *item)
{
  return wp_comparison_amount (comparison_of (item), total_number (item), TRUE);
}

static char *
evidence_text (const WpCompareItem *item)
{
  return wp_change_evidence_text (item->change);
}

static const Column row_columns[] = {
  { N_ ("Explanation"), name_text, NULL, .expand = TRUE },
  { N_ ("A"), a_text, a_number, .numeric = TRUE },
  { N_ ("B"), b_text, b_number, .numeric = TRUE },
  { N_ ("Change"), change_text, change_number, .bar = TRUE, .numeric = TRUE },
  { N_ ("Of A"), relative_text, relative_number, .numeric = TRUE },
  { N_ ("Evidence"), evidence_text, p_number },
  { NULL },
};

static const Column frame_columns[] = {
  { N_ ("Frame"), name_text, NULL, .expand = TRUE },
  { N_ ("Module"), module_text, NULL },
  { "", presence_text, NULL },
  { N_ ("Own in A"), a_text, a_number, .numeric = TRUE },
  { N_ ("Own in B"), b_text, b_number, .numeric = TRUE },
  { N_ ("Change of Own"), change_text, change_number, .bar = TRUE, .numeric = TRUE },
  { N_ ("Of A"), relative_text, relative_number, .numeric = TRUE },
  { N_ ("Change of Total"), total_text, total_number, .numeric = TRUE },
  { N_ ("Evidence"), evidence_text, p_number },
  { NULL },
};

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, const Column *column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->numeric ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), column->expand ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  if (column->numeric)
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  if (column->bar)
    gtk_box_append (GTK_BOX (box), wp_share_bar_new (0, 0));
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, const Column *column)
{
  const WpCompareItem *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *bar = gtk_widget_get_next_sibling (label);
  g_autofree char *text = column->text (row);

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

static int
compare_items (const void *a, const void *b, void *data)
{
  const Column *column = data;
  g_autofree char *p = NULL, *q = NULL;

  if (column->number != NULL)
    {
      double x = column->number (a), y = column->number (b);

      return (x > y) - (x < y);
    }
  p = column->text (a);
  q = column->text (b);
  return g_utf8_collate (p, q);
}

static void
add_columns (GtkColumnView *view, const Column *columns, gboolean sortable)
{
  for (const Column *column = columns; column->title != NULL; column++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      const char *title = *column->title != '\0' ? _(column->title) : "";
      g_autoptr (GtkColumnViewColumn) made = gtk_column_view_column_new (title, factory);

      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) column);
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) column);
      gtk_column_view_column_set_expand (made, column->expand);
      gtk_column_view_column_set_resizable (made, TRUE);
      if (column->numeric)
        gtk_column_view_column_set_fixed_width (made, column->bar ? 160 : 110);
      if (sortable)
        {
          g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_items, (gpointer) column, NULL));

          gtk_column_view_column_set_sorter (made, sorter);
        }
      gtk_column_view_append_column (view, made);
    }
}

/* --- the two tables -------------------------------------------------------------------------------------------------- */

static WpCompareItem *
item_new (WpShared *data, const char *name, const WpChange *change, double largest)
{
  WpCompareItem *item = g_object_new (WP_TYPE_COMPARE_ITEM, NULL);

  item->data = wp_shared_ref (data);
  item->name = name;
  item->module = "";
  item->change = item->total = change;
  item->share = largest > 0 ? fabs (wp_change_absolute (change)) / largest : 0;
  return item;
}

static GListModel *
rows_of (WpShared *data)
{
  const WpComparison *c = ((const WpCompareData *) wp_shared_get (data))->comparison;
  GListStore *store = g_list_store_new (WP_TYPE_COMPARE_ITEM);
  double largest = 0;

  for (guint32 r = 0; r < c->rows.len; r++)
    largest = MAX (largest, fabs (wp_change_absolute (&c->rows.data[r].change)));
  for (guint32 r = 0; r < c->rows.len; r++)
    {
      const WpComparedRow *row = &c->rows.data[r];
      const double *mean = row->change.mean;
      g_autoptr (WpCompareItem) item = item_new (data, row->level == WP_ROW_SUB ? row->name : _(row->name), &row->change, largest);

      item->level = row->level;
      if (mean[WP_SIDE_A] != 0 || mean[WP_SIDE_B] != 0)
        g_list_store_append (store, item);
    }
  return G_LIST_MODEL (store);
}

static GListModel *
frames_of (WpShared *data)
{
  const WpComparison *c = ((const WpCompareData *) wp_shared_get (data))->comparison;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  GListStore *store = g_list_store_new (WP_TYPE_COMPARE_ITEM);
  double largest = c->frames.len > 1 ? fabs (wp_change_absolute (&c->frames.data[1].self)) : 0;

  for (WpId f = 1; f < c->frames.len; f++)
    {
      const WpComparedFrame *frame = &c->frames.data[f];
      WpCompareItem *item = item_new (data, wp_strings_get (c->strings, frame->name), &frame->self, largest);

      item->module = wp_strings_get (c->strings, frame->module);
      item->total = &frame->total;
      item->presence = wp_frame_presence (frame);
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
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
  return window;
}

GtkWidget *
wp_compare_rows_table_new (WpShared *data)
{
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (gtk_single_selection_new (rows_of (data)));
  GtkColumnView *view = GTK_COLUMN_VIEW (gtk_column_view_new (selection));

  add_columns (view, row_columns, FALSE);
  return scrolled (view, _("Explanations compared"));
}

/* The filter looks at the widgets, which live as long as the page does. */
typedef struct
{
  GtkSearchEntry *search;
  GtkDropDown *presence;
} Narrow;

static gboolean
matches (gpointer object, gpointer data)
{
  static const int wanted[] = { -1, WP_PRESENCE_NEW, WP_PRESENCE_VANISHED, WP_PRESENCE_COMMON };
  const WpCompareItem *item = object;
  const Narrow *narrow = data;
  guint chosen = gtk_drop_down_get_selected (narrow->presence);
  g_autofree char *text = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (narrow->search)), -1);
  g_autofree char *name = g_utf8_casefold (item->name, -1), *module = g_utf8_casefold (item->module, -1);

  if (chosen < G_N_ELEMENTS (wanted) && wanted[chosen] >= 0 && item->presence != (WpPresence) wanted[chosen])
    return FALSE;
  return strstr (name, text) != NULL || strstr (module, text) != NULL;
}

static void
on_narrowed (GObject *filter)
{
  gtk_filter_changed (GTK_FILTER (filter), GTK_FILTER_CHANGE_DIFFERENT);
}

GtkWidget *
wp_compare_frames_table_new (WpShared *data, GtkSearchEntry *search, GtkDropDown *presence)
{
  Narrow *narrow = g_new (Narrow, 1);
  GtkColumnView *view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  GtkFilter *filter;
  GListModel *model = frames_of (data);
  g_autoptr (GtkSelectionModel) selection = NULL;

  *narrow = (Narrow) { search, presence };
  filter = GTK_FILTER (gtk_custom_filter_new (matches, narrow, g_free));
  g_signal_connect_object (search, "search-changed", G_CALLBACK (on_narrowed), filter, G_CONNECT_SWAPPED);
  g_signal_connect_object (presence, "notify::selected", G_CALLBACK (on_narrowed), filter, G_CONNECT_SWAPPED);
  model = G_LIST_MODEL (gtk_filter_list_model_new (model, filter));
  add_columns (view, frame_columns, TRUE);
  model = G_LIST_MODEL (gtk_sort_list_model_new (model, g_object_ref (gtk_column_view_get_sorter (view))));
  selection = GTK_SELECTION_MODEL (gtk_single_selection_new (model));
  gtk_column_view_set_model (view, selection);
  return scrolled (view, _("Frames compared"));
}
