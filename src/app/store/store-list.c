#include "app/store/store-list.h"

#include "app/store/store-drag.h"
#include "app/store/store-row-widget.h"
#include "workspace/store/store-selection.h"

struct _WpStoreList
{
  AdwBin parent_instance;

  GtkScrolledWindow *scroller;
  GtkListView *list;
  GMenuModel *menu;
  GtkWidget *popover; /* of `menu`, made on demand */

  WpStoreModel *model;
  GtkMultiSelection *selection;
};

enum
{
  SIGNAL_SELECTED,
  SIGNAL_ACTIVATED,
  SIGNAL_SCROLLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStoreList, wp_store_list, ADW_TYPE_BIN)

/* --- rows ------------------------------------------------------------------------------------------------------------------------- */

/* Else what is outside of the page would get the keyboard. */
static void
on_menu_closed (GtkPopover *popover, WpStoreList *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* At a place of `widget`, which is within the list. */
static void
show_menu (WpStoreList *self, GtkWidget *widget, double x, double y)
{
  double at_x, at_y;

  if (self->popover == NULL)
    {
      self->popover = gtk_popover_menu_new_from_model (self->menu);
      gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
      g_signal_connect_object (self->popover, "closed", G_CALLBACK (on_menu_closed), self, 0);
    }
  gtk_widget_translate_coordinates (widget, GTK_WIDGET (self), x, y, &at_x, &at_y);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &(GdkRectangle) { (int) at_x, (int) at_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
on_menu (GtkGestureClick *gesture, int n, double x, double y, WpStoreList *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  guint position = wp_store_row_widget_position (WP_STORE_ROW_WIDGET (row));

  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), position))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  show_menu (self, row, x, y);
}

/* By keyboard, under the row that has the focus. */
static gboolean
on_menu_key (GtkWidget *list, GVariant *args, gpointer data)
{
  GtkWidget *row = gtk_root_get_focus (gtk_widget_get_root (list));

  if (row == NULL || !gtk_widget_is_ancestor (row, list))
    row = list;
  show_menu (data, row, 24, row == list ? 24 : gtk_widget_get_height (row));
  return TRUE;
}

static const struct
{
  guint key;
  GdkModifierType modifiers;
} menu_keys[] = { { GDK_KEY_Menu, 0 }, { GDK_KEY_F10, GDK_SHIFT_MASK } };

static void
add_menu_keys (WpStoreList *self)
{
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (menu_keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (menu_keys[i].key, menu_keys[i].modifiers),
                                                            gtk_callback_action_new (on_menu_key, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->list), shortcuts);
}

static GdkContentProvider *
on_prepare_drag (GtkDragSource *source, double x, double y, WpStoreList *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  WpStoreRow *row = wp_store_row_widget_row (WP_STORE_ROW_WIDGET (widget));
  WpStoreProfile *profile = row != NULL ? wp_store_row_profile (row) : NULL;

  if (profile == NULL || profile->entry->problem != NULL || wp_store_model_session (self->model) == NULL)
    return NULL;
  return wp_store_drag_new (wp_store_model_session (self->model), profile);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, WpStoreList *self)
{
  GtkWidget *row = wp_store_row_widget_new (self->model);
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkDragSource *drag = gtk_drag_source_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (menu, "pressed", G_CALLBACK (on_menu), self, 0);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (menu));
  gtk_drag_source_set_actions (drag, GDK_ACTION_COPY);
  g_signal_connect_object (drag, "prepare", G_CALLBACK (on_prepare_drag), self, 0);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (drag));
  gtk_list_item_set_child (item, row);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, WpStoreList *self)
{
  WpStoreRow *row = gtk_list_item_get_item (item);
  gboolean heading = wp_store_row_kind (row) == WP_STORE_ROW_HEADING;

  gtk_list_item_set_selectable (item, !heading);
  gtk_list_item_set_activatable (item, !heading);
  wp_store_row_widget_show (WP_STORE_ROW_WIDGET (gtk_list_item_get_child (item)), row, gtk_list_item_get_position (item));
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, WpStoreList *self)
{
  wp_store_row_widget_show (WP_STORE_ROW_WIDGET (gtk_list_item_get_child (item)), NULL, 0);
}

/* --- keys --------------------------------------------------------------------------------------------------------------------- */

static void
on_activate (GtkListView *list, guint position, WpStoreList *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, position);
}

static guint
first_selected (WpStoreList *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_is_empty (selected) ? GTK_INVALID_LIST_POSITION : gtk_bitset_get_minimum (selected);
}

/* Left and right hide and show a commit's profiles, and the single ones of repeats. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, WpStoreList *self)
{
  guint position = first_selected (self);
  WpStoreRows *rows = wp_store_model_rows (self->model);
  g_autoptr (WpStoreRow) row = NULL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = g_list_model_get_item (G_LIST_MODEL (rows), position);
  if (row == NULL || !wp_store_row_folds (row))
    return FALSE;
  wp_store_rows_set_folded (rows, row, key == GDK_KEY_Left);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  return TRUE;
}

/* --- what is selected and seen ---------------------------------------------------------------------------------------------- */

GPtrArray *
wp_store_list_selected (WpStoreList *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more; more = gtk_bitset_iter_next (&iter, &position))
    g_array_append_val (positions, position);
  return wp_store_selected_rows (self->model, (const guint *) positions->data, positions->len);
}

void
wp_store_list_go_to (WpStoreList *self, guint position)
{
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

gboolean
wp_store_list_is_end_near (WpStoreList *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  double page = gtk_adjustment_get_page_size (adjustment);

  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_value (adjustment) < 8 * page;
}

static void
emit_selected (WpStoreList *self)
{
  g_signal_emit (self, signals[SIGNAL_SELECTED], 0);
}

static void
emit_scrolled (WpStoreList *self)
{
  g_signal_emit (self, signals[SIGNAL_SCROLLED], 0);
}

/* A list keeps the row that it shows first; what a reading brings before the first one is to be seen. (The list moves only when it gets its
 * size next.) */
static void
on_read (WpStoreModel *model, WpStoreList *self)
{
  if (gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller)) < 1
      && g_list_model_get_n_items (G_LIST_MODEL (wp_store_model_rows (model))) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
}

/* --- the widget -------------------------------------------------------------------------------------------------------------- */

void
wp_store_list_set_model (WpStoreList *self, WpStoreModel *model)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GListModel *rows = G_LIST_MODEL (wp_store_model_rows (model));

  self->model = g_object_ref (model);
  self->selection = gtk_multi_selection_new (g_object_ref (rows));
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (emit_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (model, "read", G_CALLBACK (on_read), self, 0);
}

static void
wp_store_list_dispose (GObject *object)
{
  WpStoreList *self = WP_STORE_LIST (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  G_OBJECT_CLASS (wp_store_list_parent_class)->dispose (object);
}

static void
wp_store_list_finalize (GObject *object)
{
  WpStoreList *self = WP_STORE_LIST (object);

  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (wp_store_list_parent_class)->finalize (object);
}

static void
wp_store_list_class_init (WpStoreListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = WP_TYPE_STORE_LIST;

  G_OBJECT_CLASS (klass)->dispose = wp_store_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_store_list_finalize;
  signals[SIGNAL_SELECTED] = g_signal_new ("selected", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_SCROLLED] = g_signal_new ("scrolled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/store-list.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStoreList, scroller);
  gtk_widget_class_bind_template_child (widget_class, WpStoreList, list);
  gtk_widget_class_bind_template_child (widget_class, WpStoreList, menu);
}

static void
wp_store_list_init (WpStoreList *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkAdjustment *adjustment;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE); /* else the list moves what is selected */
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  add_menu_keys (self);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activate), self, 0);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (emit_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (emit_scrolled), self, G_CONNECT_SWAPPED);
}
