#include "app/shell/window-private.h"

#include <glib/gi18n.h>

#include "app/record/left-commands.h"
#include "app/shell/settings.h"
#include "app/shell/unsaved.h"

G_DEFINE_FINAL_TYPE (WpWindow, wp_window, ADW_TYPE_APPLICATION_WINDOW)

/* A WpPage, a WpComparePage or a WpHistoryPage, or NULL. */
static GtkWidget *
selected_child (WpWindow *self)
{
  AdwTabPage *tab = self->tabs != NULL ? adw_tab_view_get_selected_page (self->tabs) : NULL;
  GtkWidget *page = tab != NULL ? adw_tab_page_get_child (tab) : NULL;

  return page != NULL && !gtk_widget_in_destruction (page) ? page : NULL;
}

WpPage *
wp_window_page (WpWindow *self)
{
  GtkWidget *page = selected_child (self);

  return WP_IS_PAGE (page) ? WP_PAGE (page) : NULL;
}

/* --- the names of the page's views --- */

static GtkWidget *
new_view_name (const WpContentView *view, guint n)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_(view->name));
  g_autofree char *tooltip = g_strdup_printf ("%s (Alt+%u)", _(view->tooltip), n);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.view");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", view->id);
  return button;
}

/* `fill`: they share the width of the window. */
static void
name_views_in (GtkWidget *box, const WpContentView *views, gboolean fill)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
  for (guint v = 0; views != NULL && views[v].id != NULL; v++)
    {
      child = new_view_name (&views[v], v + 1);
      gtk_widget_set_hexpand (child, fill);
      gtk_box_append (GTK_BOX (box), child);
    }
}

static void
name_views (WpWindow *self, const WpContentView *views)
{
  if (self->named == views)
    return;
  self->named = views;
  name_views_in (self->view_names, views, FALSE);
  name_views_in (self->bottom_names, views, TRUE);
}

static void
on_nth_view (GtkWidget *widget, const char *name, GVariant *n)
{
  const WpContentView *views = WP_WINDOW (widget)->named;
  gint32 left = g_variant_get_int32 (n);

  while (views != NULL && views->id != NULL && --left > 0)
    views++;
  if (views != NULL && views->id != NULL)
    gtk_widget_activate_action (widget, "win.view", "s", views->id);
}

void
wp_window_update (WpWindow *self)
{
  WpPage *page;
  gboolean views;

  if (self->tabs == NULL)
    return;
  page = wp_window_page (self);
  views = page != NULL && wp_page_has_views (page);

  wp_window_update_page_actions (self, page);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.compare-with", views);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.command-output", page != NULL && wp_page_command_output (page) != NULL);
  gtk_stack_set_visible_child_name (self->stack, selected_child (self) != NULL ? "tabs" : "start");
  name_views (self, page != NULL ? wp_page_views (page) : NULL);
  gtk_stack_set_visible_child_name (self->title_stack, self->named != NULL ? "views" : "name");
  gtk_widget_set_visible (self->navigation, views);
  gtk_widget_set_visible (self->zoom, views);
  gtk_widget_set_visible (self->search_button, views);
  wp_side_panel_show_page (self->side, page);
  gtk_window_set_title (GTK_WINDOW (self), wp_window_tab_title (selected_child (self)));
}

gboolean
wp_window_holds (WpWindow *self, const char *action)
{
  return (self->dialog != NULL && wp_record_dialog_holds (self->dialog, action)) || wp_store_panel_holds (wp_side_panel_store (self->side), action);
}

/* The program ends with its last window. */
static gboolean
is_last (WpWindow *self)
{
  for (GList *l = gtk_application_get_windows (gtk_window_get_application (GTK_WINDOW (self))); l != NULL; l = l->next)
    if (WP_IS_WINDOW (l->data) && l->data != self)
      return FALSE;
  return TRUE;
}

void
wp_window_keep_size (WpWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  wp_settings_set_int ("window-width", width);
  wp_settings_set_int ("window-height", height);
  wp_side_layout_keep (self->layout);
  wp_settings_set_boolean ("window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
}

static void
on_left_answer (WpReply reply, gpointer window)
{
  if (reply == WP_REPLY_GO_ON)
    gtk_window_destroy (window);
}

static void
close_now (WpWindow *self)
{
  if (!is_last (self) || !wp_left_commands_ask (GTK_WINDOW (self), on_left_answer, G_OBJECT (self)))
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
close_again (WpReply reply, gpointer window)
{
  gtk_window_close (window);
}

static void
on_close_window_answer (WpReply reply, gpointer window)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();

  wp_window_gather_unsaved (window, pages);
  if (reply == WP_REPLY_GO_ON)
    close_now (window);
  else if (reply == WP_REPLY_SAVE)
    wp_unsaved_save (pages, close_again, window);
}

static gboolean
wp_window_close_request (GtkWindow *window)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();

  wp_window_keep_size (WP_WINDOW (window));
  if (wp_window_holds (WP_WINDOW (window), "window.close"))
    return TRUE;
  wp_window_gather_unsaved (WP_WINDOW (window), pages);
  if (wp_unsaved_ask (window, pages, on_close_window_answer, G_OBJECT (window)))
    return TRUE;
  close_now (WP_WINDOW (window));
  return TRUE;
}

static gboolean
lacks_names (WpWindow *self)
{
  return g_str_equal (gtk_stack_get_visible_child_name (self->title_stack), "views")
         && adw_squeezer_get_visible_child (self->names_or_title) != self->view_names;
}

static gboolean
fit_names (gpointer data)
{
  WpWindow *self = data;

  self->fitting = 0;
  gtk_widget_set_visible (self->bottom, lacks_names (self));
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: showing and hiding has to wait. */
static void
wp_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WpWindow *self = WP_WINDOW (widget);

  GTK_WIDGET_CLASS (wp_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (self->fitting == 0 && self->tabs != NULL /* it is not going */ && lacks_names (self) != gtk_widget_get_visible (self->bottom))
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_names, self, NULL);
}

static void
wp_window_dispose (GObject *object)
{
  WpWindow *self = WP_WINDOW (object);

  g_clear_handle_id (&self->fitting, g_source_remove);
  /* the tabs go one by one, and there is nothing left to keep up to date */
  if (self->tabs != NULL)
    g_signal_handlers_disconnect_matched (self->tabs, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
  self->tabs = NULL;
  g_clear_weak_pointer (&self->dialog);
  G_OBJECT_CLASS (wp_window_parent_class)->dispose (object);
}

static void
wp_window_class_init (WpWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_START_PAGE);
  g_type_ensure (WP_TYPE_SIDE_LAYOUT);
  g_type_ensure (WP_TYPE_SIDE_PANEL);
  G_OBJECT_CLASS (klass)->dispose = wp_window_dispose;
  widget_class->size_allocate = wp_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = wp_window_close_request;
  wp_window_install_actions (widget_class);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/window.ui");
  gtk_widget_class_bind_template_child (widget_class, WpWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, side);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, layout);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, names_or_title);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, view_names);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, bottom);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, bottom_names);
  gtk_widget_class_install_action (widget_class, "win.nth-view", "i", on_nth_view);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, navigation);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, zoom);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, search_button);
  wp_window_bind_tabs (widget_class);
}

/* The size it had last, or less where the screen has less. */
static void
restore_size (WpWindow *self)
{
  g_autoptr (GdkMonitor) monitor
    = g_list_model_get_item (gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self))), 0);
  GdkRectangle screen = { .width = G_MAXINT, .height = G_MAXINT };

  if (monitor != NULL)
    gdk_monitor_get_geometry (monitor, &screen);
  gtk_window_set_default_size (GTK_WINDOW (self), MIN (wp_settings_int ("window-width", 1280), screen.width),
                               MIN (wp_settings_int ("window-height", 800), screen.height));
  if (wp_settings_boolean ("window-maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
}

/* Left from within a submenu, a menu keeps the keyboard where nobody sees it. */
static void
on_menu_closed (GtkPopover *menu, WpWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus == NULL || gtk_widget_is_ancestor (focus, GTK_WIDGET (menu)))
    gtk_widget_grab_focus (GTK_WIDGET (self->menu_button));
}

static void
add_side_actions (WpWindow *self)
{
  g_autoptr (GPropertyAction) shown = g_property_action_new ("panel", self->layout, "shown");
  g_autoptr (GAction) page = wp_side_panel_page_action (self->side, "side-page");

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (shown));
  g_action_map_add_action (G_ACTION_MAP (self), page);
}

static void
wp_window_init (WpWindow *self)
{
  g_autofree char *sample = wp_data_file ("sample.perf");

  wp_window_add_page_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Alt and a digit lead to a view. */
  adw_tab_view_remove_shortcuts (self->tabs, ADW_TAB_VIEW_SHORTCUT_ALT_DIGITS | ADW_TAB_VIEW_SHORTCUT_ALT_ZERO);
  add_side_actions (self);
  g_signal_connect_object (gtk_menu_button_get_popover (self->menu_button), "closed", G_CALLBACK (on_menu_closed), self, 0);
  wp_window_connect_store (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.open-sample", sample != NULL);
  wp_window_accept_drops (self);
  restore_size (self);
  wp_window_update (self);
}

GtkWidget *
wp_window_new (GtkApplication *application)
{
  return g_object_new (WP_TYPE_WINDOW, "application", application, NULL);
}
