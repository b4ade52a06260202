/* The Store page's list: its rows' widgets, reading commits as they are scrolled to, keys and the context menu. */
#include "app/store/store-panel-private.h"

#include "app/store/store-row-widget.h"

#define MORE_COMMITS 1000

/* --- commits as they are scrolled to -------------------------------------------------------------------------------------------- */

/* Selects the commit that is sought, if it is there. */
static void
seek (WpStorePanel *self)
{
  guint position = *self->sought != '\0' ? wp_store_rows_find (self->rows, self->sought) : G_MAXUINT;

  if (position == G_MAXUINT)
    return;
  *self->sought = '\0';
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

static void
on_more (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  WpStoreReading *reading = result;

  self->reading_more = NULL;
  self->more = reading != NULL && reading->more;
  if (reading != NULL)
    {
      self->n_minors = reading->n_minors;
      wp_store_rows_append (self->rows, reading->commits);
      wp_store_panel_show_kinds (self);
    }
  else
    wp_store_panel_toast (self, error->message);
  wp_store_reading_free (reading);
  seek (self);
  if (self->again)
    wp_store_panel_read (self);
  else
    wp_store_panel_read_more_if_seen (self);
}

void
wp_store_panel_show_commit (WpStorePanel *self, const char *hash)
{
  g_strlcpy (self->sought, hash, sizeof self->sought);
  seek (self);
  wp_store_panel_read_more_if_seen (self);
}

static void
read_more (WpStorePanel *self)
{
  WpStoreReadRequest *request = g_new0 (WpStoreReadRequest, 1);

  request->session = wp_store_session_ref (self->session);
  request->n = MORE_COMMITS;
  self->reading_more = wp_job_start (&(WpJobSpec) { .run = wp_store_read_more,
                                                    .done = on_more,
                                                    .data = request,
                                                    .free_data = wp_store_read_request_free,
                                                    .free_result = wp_store_reading_free,
                                                    .user_data = self });
}

static gboolean
is_end_near (GtkAdjustment *adjustment)
{
  double page = gtk_adjustment_get_page_size (adjustment);

  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_value (adjustment) < 8 * page;
}

/* A filter looks through all of them; for those with profiles, until all of these are there. */
void
wp_store_panel_read_more_if_seen (WpStorePanel *self)
{
  gboolean filtered = wp_store_rows_is_filtered (self->rows);

  if (!self->more || self->gone || self->reading != NULL || self->reading_more != NULL)
    return;
  if (*self->sought == '\0' && (filtered ? gtk_toggle_button_get_active (self->with_profiles) && wp_store_rows_n_minors (self->rows) >= self->n_minors
               : !is_end_near (gtk_scrolled_window_get_vadjustment (self->scroller))))
    return;
  read_more (self);
}

/* --- rows ------------------------------------------------------------------------------------------------------------------------- */

/* Else what is outside of the panel would get the keyboard. */
static void
on_menu_closed (GtkPopover *popover, WpStorePanel *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* At a place of `widget`, which is within the panel. */
static void
show_menu (WpStorePanel *self, GtkWidget *widget, double x, double y)
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
on_menu (GtkGestureClick *gesture, int n, double x, double y, WpStorePanel *self)
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
add_menu_keys (WpStorePanel *self)
{
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (menu_keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (menu_keys[i].key, menu_keys[i].modifiers),
                                                            gtk_callback_action_new (on_menu_key, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->list), shortcuts);
}

static GdkContentProvider *
on_prepare_drag (GtkDragSource *source, double x, double y, WpStorePanel *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  WpStoreRow *row = wp_store_row_widget_row (WP_STORE_ROW_WIDGET (widget));
  WpStoreProfile *profile = row != NULL ? wp_store_row_profile (row) : NULL;

  if (profile == NULL || profile->entry->problem != NULL || self->session == NULL)
    return NULL;
  return wp_store_drag_new (self->session, profile);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, WpStorePanel *self)
{
  GtkWidget *row = wp_store_row_widget_new (self->rows, self->figures);
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
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, WpStorePanel *self)
{
  WpStoreRow *row = gtk_list_item_get_item (item);
  gboolean heading = wp_store_row_kind (row) == WP_STORE_ROW_HEADING;

  gtk_list_item_set_selectable (item, !heading);
  gtk_list_item_set_activatable (item, !heading);
  wp_store_row_widget_show (WP_STORE_ROW_WIDGET (gtk_list_item_get_child (item)), row, gtk_list_item_get_position (item));
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, WpStorePanel *self)
{
  wp_store_row_widget_show (WP_STORE_ROW_WIDGET (gtk_list_item_get_child (item)), NULL, 0);
}

/* --- keys, drops ------------------------------------------------------------------------------------------------------------------ */

static void
on_activate (GtkListView *list, guint position, WpStorePanel *self)
{
  wp_store_panel_open_row (self, position);
}

static guint
first_selected (WpStorePanel *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_is_empty (selected) ? GTK_INVALID_LIST_POSITION : gtk_bitset_get_minimum (selected);
}

/* Left and right hide and show a commit's profiles. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, WpStorePanel *self)
{
  guint position = first_selected (self);
  g_autoptr (WpStoreRow) row = NULL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  if (row == NULL || wp_store_row_kind (row) != WP_STORE_ROW_COMMIT)
    return FALSE;
  wp_store_rows_set_collapsed (self->rows, wp_store_row_commit (row), key == GDK_KEY_Left);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  return TRUE;
}

/* What is dragged from here is here already. */
static gboolean
on_accept (GtkDropTarget *target, GdkDrop *drop, WpStorePanel *self)
{
  return gdk_drop_get_drag (drop) == NULL && self->session != NULL && self->session->store != NULL && *self->head != '\0'
         && gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), GDK_TYPE_FILE_LIST);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, WpStorePanel *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  return wp_store_panel_drop (self, files);
}

static void
add_controllers (WpStorePanel *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE); /* else the list moves what is selected */
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  add_menu_keys (self);
  g_signal_connect_object (drop, "accept", G_CALLBACK (on_accept), self, 0);
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}

void
wp_store_panel_build_list (WpStorePanel *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);

  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (wp_store_panel_update_actions), self,
                           G_CONNECT_SWAPPED);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activate), self, 0);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (wp_store_panel_read_more_if_seen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (wp_store_panel_read_more_if_seen), self, G_CONNECT_SWAPPED);
  add_controllers (self);
}
