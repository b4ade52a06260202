#include "app/plots/grid-list.h"

struct _WpGridRow
{
  GObject parent_instance;
  guint32 row;
};

G_DEFINE_FINAL_TYPE (WpGridRow, wp_grid_row, G_TYPE_OBJECT)

static void
wp_grid_row_class_init (WpGridRowClass *klass)
{
}

static void
wp_grid_row_init (WpGridRow *self)
{
}

WpGridRow *
wp_grid_row_new (guint32 row)
{
  WpGridRow *self = g_object_new (WP_TYPE_GRID_ROW, NULL);

  self->row = row;
  return self;
}

guint32
wp_grid_row_number (gpointer row)
{
  return WP_GRID_ROW (row)->row;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

struct _WpGridList
{
  GObject parent_instance;
  guint32 *order;
  guint32 n;
};

static GType
grid_list_item_type (GListModel *list)
{
  return WP_TYPE_GRID_ROW;
}

static guint
grid_list_n_items (GListModel *list)
{
  return WP_GRID_LIST (list)->n;
}

static gpointer
grid_list_item (GListModel *list, guint position)
{
  WpGridList *self = WP_GRID_LIST (list);

  return position < self->n ? wp_grid_row_new (self->order[position]) : NULL;
}

static void
grid_list_interface (GListModelInterface *iface)
{
  iface->get_item_type = grid_list_item_type;
  iface->get_n_items = grid_list_n_items;
  iface->get_item = grid_list_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (WpGridList, wp_grid_list, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, grid_list_interface))

static void
wp_grid_list_finalize (GObject *object)
{
  g_free (WP_GRID_LIST (object)->order);
  G_OBJECT_CLASS (wp_grid_list_parent_class)->finalize (object);
}

static void
wp_grid_list_class_init (WpGridListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_grid_list_finalize;
}

static void
wp_grid_list_init (WpGridList *self)
{
}

WpGridList *
wp_grid_list_new (void)
{
  return g_object_new (WP_TYPE_GRID_LIST, NULL);
}

void
wp_grid_list_set (WpGridList *self, guint32 *order, guint32 n)
{
  guint32 before = self->n;

  g_free (self->order);
  self->order = order;
  self->n = n;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, n);
}

void
wp_grid_list_change (WpGridList *self, guint32 *order, guint32 n, guint32 same)
{
  guint32 before = self->n;

  g_free (self->order);
  self->order = order;
  self->n = n;
  if (same < before || same < n)
    g_list_model_items_changed (G_LIST_MODEL (self), same, before - same, n - same);
}

const guint32 *
wp_grid_list_order (WpGridList *self, guint32 *n)
{
  *n = self->n;
  return self->order;
}
