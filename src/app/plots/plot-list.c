#include "app/plots/plot-list.h"

#define WIDTH 150

struct _WpPlotList
{
  AdwBin parent_instance;

  GtkListBox *list;
  GtkWidget *rows[WP_PLOT_COUNT]; /* NULL: not offered */
};

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpPlotList, wp_plot_list, ADW_TYPE_BIN)

static void
on_selected (GtkListBox *list, GtkListBoxRow *row, WpPlotList *self)
{
  for (guint k = 0; row != NULL && k < WP_PLOT_COUNT; k++)
    if (self->rows[k] == GTK_WIDGET (row))
      g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, k);
}

static GtkWidget *
new_row (const char *name)
{
  GtkWidget *row = gtk_list_box_row_new (), *label = gtk_label_new (name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

void
wp_plot_list_set (WpPlotList *self, guint offered, WpPlot current)
{
  g_signal_handlers_block_by_func (self->list, on_selected, self);
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    {
      if (self->rows[k] != NULL)
        gtk_list_box_remove (self->list, self->rows[k]);
      self->rows[k] = offered & 1u << k ? new_row (wp_plot_name ((WpPlot) k)) : NULL;
      if (self->rows[k] != NULL)
        gtk_list_box_append (self->list, self->rows[k]);
    }
  wp_plot_list_choose (self, current);
  g_signal_handlers_unblock_by_func (self->list, on_selected, self);
}

void
wp_plot_list_choose (WpPlotList *self, WpPlot plot)
{
  if (self->rows[plot] != NULL)
    gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (self->rows[plot]));
}

/* From row to row the Tab key would choose each view on its way, and never come to what the others show. */
static gboolean
wp_plot_list_focus (GtkWidget *widget, GtkDirectionType direction)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (WP_PLOT_LIST (widget)->list);

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return GTK_WIDGET_CLASS (wp_plot_list_parent_class)->focus (widget, direction);
  return gtk_widget_get_focus_child (widget) == NULL && row != NULL && gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
wp_plot_list_class_init (WpPlotListClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = wp_plot_list_focus;
  signals[SIGNAL_CHOSEN]
    = g_signal_new ("chosen", WP_TYPE_PLOT_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
wp_plot_list_init (WpPlotList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  g_signal_connect_object (self->list, "row-selected", G_CALLBACK (on_selected), self, 0);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, -1);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  adw_bin_set_child (ADW_BIN (self), scrolled);
}

GtkWidget *
wp_plot_list_new (const char *name)
{
  WpPlotList *self = g_object_new (WP_TYPE_PLOT_LIST, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
