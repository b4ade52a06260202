#include "app/window.h"

#include <glib/gi18n.h>

#include "app/compare-page.h"
#include "app/history-page.h"
#include "app/page.h"
#include "app/record-dialog.h"
#include "app/settings.h"
#include "app/side-panel.h"
#include "app/start-page.h"
#include "app/store-session.h"

struct _WpWindow
{
  AdwApplicationWindow parent_instance;

  AdwTabView *tabs;
  GtkStack *stack;       /* "start", "tabs" */
  GtkStack *title_stack; /* "name", "views" */
  WpStartPage *start_page;
  GtkPaned *across;
  WpSidePanel *side;
  GtkWidget *navigation, *zoom, *search_button; /* only with a page */
  GMenu *idle_menu; /* what may play the idle task, of the current page */
  char **spinners;  /* what is in it */
  WpRecordDialog *dialog; /* while it is there */
};

G_DEFINE_FINAL_TYPE (WpWindow, wp_window, ADW_TYPE_APPLICATION_WINDOW)

/* A WpPage, a WpComparePage or a WpHistoryPage, or NULL. */
static GtkWidget *
current_child (WpWindow *self)
{
  AdwTabPage *tab = self->tabs != NULL ? adw_tab_view_get_selected_page (self->tabs) : NULL;
  GtkWidget *page = tab != NULL ? adw_tab_page_get_child (tab) : NULL;

  return page != NULL && !gtk_widget_in_destruction (page) ? page : NULL;
}

static WpPage *
current_page (WpWindow *self)
{
  GtkWidget *page = current_child (self);

  return WP_IS_PAGE (page) ? WP_PAGE (page) : NULL;
}

/* --- the page's actions as win.* --- */

static const WpPageAction *
find_action (const char *name)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    if (g_str_equal (wp_page_actions[i].name, name))
      return &wp_page_actions[i];
  return NULL;
}

static void
update_action (WpWindow *self, WpPage *page, const WpPageAction *row)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), row->name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), page != NULL && wp_page_action_enabled (page, row));
  if (page != NULL && row->state != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), row->state (page));
}

static const char *
title_of (GtkWidget *child)
{
  if (child == NULL)
    return "Wakepath";
  if (WP_IS_PAGE (child))
    return wp_page_title (WP_PAGE (child));
  return WP_IS_HISTORY_PAGE (child) ? wp_history_page_title (WP_HISTORY_PAGE (child)) : wp_compare_page_title (WP_COMPARE_PAGE (child));
}

/* Of a page that has no actions of its own. */
static gboolean
is_busy (GtkWidget *child)
{
  return WP_IS_HISTORY_PAGE (child) ? wp_history_page_busy (WP_HISTORY_PAGE (child)) : wp_compare_page_busy (WP_COMPARE_PAGE (child));
}

static void
append_idle (GMenu *menu, const char *label, const char *task)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.idle-task", "s", task);
  g_menu_append_item (menu, item);
}

/* What the page has, and what was chosen before, for another recording. */
static char **
idle_names (WpPage *page)
{
  const char *const *spinners = page != NULL ? wp_page_spinners (page) : NULL;
  g_autofree char *chosen = wp_settings_string ("idle-task");
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (*chosen != '\0' && (spinners == NULL || !g_strv_contains (spinners, chosen)))
    g_strv_builder_add (names, chosen);
  for (guint i = 0; spinners != NULL && spinners[i] != NULL; i++)
    g_strv_builder_add (names, spinners[i]);
  return g_strv_builder_end (names);
}

static void
fill_idle_menu (WpWindow *self, WpPage *page)
{
  g_auto (GStrv) names = idle_names (page);

  if (self->spinners != NULL && g_strv_equal ((const char *const *) self->spinners, (const char *const *) names))
    return; /* it may be open */
  g_menu_remove_all (self->idle_menu);
  append_idle (self->idle_menu, C_("idle", "_Nothing"), "");
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (names[i], "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts); /* one would be a mnemonic's */

      append_idle (self->idle_menu, label, names[i]);
    }
  g_strfreev (self->spinners);
  self->spinners = g_steal_pointer (&names);
}

static void
update (WpWindow *self)
{
  WpPage *page;
  gboolean views;

  if (self->tabs == NULL)
    return;
  page = current_page (self);
  views = page != NULL && wp_page_has_views (page);

  for (guint i = 0; i < wp_page_n_actions; i++)
    update_action (self, page, &wp_page_actions[i]);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.compare-with", views);
  gtk_stack_set_visible_child_name (self->stack, current_child (self) != NULL ? "tabs" : "start");
  gtk_stack_set_visible_child_name (self->title_stack, page != NULL && !wp_page_shows_profile (page) ? "views" : "name");
  gtk_widget_set_visible (self->navigation, views);
  gtk_widget_set_visible (self->zoom, views);
  gtk_widget_set_visible (self->search_button, views);
  wp_side_panel_show_page (self->side, page);
  fill_idle_menu (self, page);
  gtk_window_set_title (GTK_WINDOW (self), title_of (current_child (self)));
}

static void
on_page_action (GSimpleAction *action, GVariant *value, gpointer data)
{
  WpWindow *self = data;
  WpPage *page = current_page (self);
  const WpPageAction *row = find_action (g_action_get_name (G_ACTION (action)));

  if (page == NULL || !wp_page_action_enabled (page, row))
    return;
  g_object_ref (page);
  row->activate (page, value);
  update_action (self, current_page (self), row);
  g_object_unref (page);
}

static void
add_page_actions (WpWindow *self)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    {
      const WpPageAction *row = &wp_page_actions[i];
      gboolean text = g_strcmp0 (row->type, "s") == 0;
      g_autoptr (GSimpleAction) action = NULL;

      if (row->state == NULL)
        action = g_simple_action_new (row->name, text ? G_VARIANT_TYPE_STRING : NULL);
      else
        action = g_simple_action_new_stateful (row->name, text ? G_VARIANT_TYPE_STRING : NULL,
                                               text ? g_variant_new_string ("processes") : g_variant_new_boolean (FALSE));
      g_signal_connect (action, row->state != NULL ? "change-state" : "activate", G_CALLBACK (on_page_action), self);
      g_simple_action_set_enabled (action, FALSE);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}

/* --- tabs --- */

static gboolean
is_unpacked (GFile *file)
{
  return g_file_peek_path (file) != NULL && wp_store_is_unpacked (g_file_peek_path (file));
}

static void
remember_file (WpPage *page)
{
  g_autofree char *uri = g_file_get_uri (wp_page_file (page));
  GtkRecentData data = { .display_name = (char *) wp_page_title (page),
                         .mime_type = (char *) "application/x-perf-data",
                         .app_name = (char *) "Wakepath",
                         .app_exec = (char *) "wakepath %u" };

  if (g_object_get_data (G_OBJECT (page), "remembered") != NULL || is_unpacked (wp_page_file (page)))
    return;
  g_object_set_data (G_OBJECT (page), "remembered", GINT_TO_POINTER (1));
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static void
on_page_changed (WpPage *page, WpWindow *self)
{
  AdwTabPage *tab = self->tabs != NULL ? adw_tab_view_get_page (self->tabs, GTK_WIDGET (page)) : NULL;

  if (tab == NULL)
    return;
  adw_tab_page_set_title (tab, wp_page_title (page));
  adw_tab_page_set_loading (tab, wp_page_busy (page));
  if (wp_page_has_views (page))
    remember_file (page);
  if (page == current_page (self))
    update (self);
}

static void
on_other_changed (GtkWidget *page, WpWindow *self)
{
  AdwTabPage *tab = self->tabs != NULL ? adw_tab_view_get_page (self->tabs, page) : NULL;

  if (tab == NULL)
    return;
  adw_tab_page_set_title (tab, title_of (page));
  adw_tab_page_set_loading (tab, is_busy (page));
  update (self);
}

static void
on_page_finished (GtkWidget *page, WpWindow *self)
{
  adw_tab_view_close_page (self->tabs, adw_tab_view_get_page (self->tabs, page));
}

/* The same file in the same place, in the same view. */
static void
on_page_replaced (WpPage *page, WpWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_page (self->tabs, GTK_WIDGET (page));
  GtkWidget *next = wp_page_new_instead (page);
  AdwTabPage *next_tab = adw_tab_view_insert (self->tabs, next, adw_tab_view_get_page_position (self->tabs, tab) + 1);

  adw_tab_page_set_title (next_tab, adw_tab_page_get_title (tab));
  adw_tab_page_set_tooltip (next_tab, adw_tab_page_get_tooltip (tab));
  adw_tab_view_set_selected_page (self->tabs, next_tab);
  adw_tab_view_close_page (self->tabs, tab);
}

/* A point of the history is a commit of the side panel's list. */
static void
on_history_commit (WpHistoryPage *page, const char *hash, WpWindow *self)
{
  wp_store_panel_show_commit (wp_side_panel_store (self->side), hash);
}

static void
on_history_open (WpHistoryPage *page, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

static void
on_history_compare (WpHistoryPage *page, GStrv a, GStrv b, WpWindow *self)
{
  wp_window_compare (self, (const char *const *) a, (const char *const *) b);
}

static void
connect_history (WpWindow *self, GtkWidget *page)
{
  g_signal_connect_object (page, "commit", G_CALLBACK (on_history_commit), self, 0);
  g_signal_connect_object (page, "open", G_CALLBACK (on_history_open), self, 0);
  g_signal_connect_object (page, "compare", G_CALLBACK (on_history_compare), self, 0);
}

/* A page may come from another window. */
static void
on_page_attached (AdwTabView *tabs, AdwTabPage *tab, int position, WpWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_connect_object (page, "changed", WP_IS_PAGE (page) ? G_CALLBACK (on_page_changed) : G_CALLBACK (on_other_changed),
                           self, 0);
  g_signal_connect_object (page, "finished", G_CALLBACK (on_page_finished), self, 0);
  if (WP_IS_PAGE (page))
    g_signal_connect_object (page, "replaced", G_CALLBACK (on_page_replaced), self, 0);
  if (WP_IS_HISTORY_PAGE (page))
    connect_history (self, page);
  update (self);
}

static void
on_page_detached (AdwTabView *tabs, AdwTabPage *tab, int position, WpWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_handlers_disconnect_by_data (page, self);
  update (self);
}

static void
on_selected_page (AdwTabView *tabs, GParamSpec *pspec, WpWindow *self)
{
  update (self);
}

static AdwTabView *
on_create_window (AdwTabView *tabs, WpWindow *self)
{
  WpWindow *window = WP_WINDOW (wp_window_new (gtk_window_get_application (GTK_WINDOW (self))));

  gtk_window_present (GTK_WINDOW (window));
  return window->tabs;
}

static void
on_close_response (AdwMessageDialog *dialog, const char *response, AdwTabPage *tab)
{
  AdwTabView *tabs = ADW_TAB_VIEW (g_object_get_data (G_OBJECT (dialog), "tabs"));

  adw_tab_view_close_page_finish (tabs, tab, g_str_equal (response, "discard"));
}

/* Models and other changes that were not saved are asked for. */
static gboolean
on_close_page (AdwTabView *tabs, AdwTabPage *tab, WpWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab), *dialog;
  g_autofree char *title = NULL;

  if (!WP_IS_PAGE (page) || !wp_page_unsaved (WP_PAGE (page)))
    return GDK_EVENT_PROPAGATE;
  title = g_strdup_printf (_("Close “%s” Without Saving?"), wp_page_title (WP_PAGE (page)));
  dialog = adw_message_dialog_new (GTK_WINDOW (self), title, _("What the analyses changed in the profile has not been saved."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "discard", _("Close _Without Saving"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "tabs", g_object_ref (tabs), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_close_response), tab, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return GDK_EVENT_STOP;
}

static AdwTabPage *
find_tab (WpWindow *self, GFile *file)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
      GtkWidget *page = adw_tab_page_get_child (tab);

      if (WP_IS_PAGE (page) && g_file_equal (wp_page_file (WP_PAGE (page)), file))
        return tab;
    }
  return NULL;
}

void
wp_window_open (WpWindow *self, GFile *file, const char *title)
{
  AdwTabPage *tab = find_tab (self, file);

  if (tab == NULL)
    {
      g_autofree char *path = g_file_get_parse_name (file);
      g_autofree char *tooltip = g_markup_escape_text (path, -1);
      GtkWidget *page = wp_page_new (file, title);

      tab = adw_tab_view_append (self->tabs, page);
      adw_tab_page_set_title (tab, wp_page_title (WP_PAGE (page)));
      adw_tab_page_set_tooltip (tab, tooltip);
    }
  adw_tab_view_set_selected_page (self->tabs, tab);
}

/* --- comparing --- */

void
wp_window_compare (WpWindow *self, const char *const *a, const char *const *b)
{
  GtkWidget *page = wp_compare_page_new (a, b);
  AdwTabPage *tab = adw_tab_view_append (self->tabs, page);

  adw_tab_page_set_title (tab, wp_compare_page_title (WP_COMPARE_PAGE (page)));
  adw_tab_page_set_loading (tab, TRUE);
  adw_tab_view_set_selected_page (self->tabs, tab);
}

static void
show_history (WpWindow *self, const char *folder, const char *branch)
{
  GtkWidget *page = wp_history_page_new (folder, branch);
  AdwTabPage *tab = adw_tab_view_append (self->tabs, page);

  adw_tab_page_set_title (tab, wp_history_page_title (WP_HISTORY_PAGE (page)));
  adw_tab_page_set_loading (tab, TRUE);
  adw_tab_view_set_selected_page (self->tabs, tab);
}

/* The parameter: the paths of A and B. */
static void
compare (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree const char **paths = g_variant_get_strv (parameter, NULL);

  if (g_strv_length ((char **) paths) != 2)
    {
      g_warning ("win.compare wants two paths");
      return;
    }
  wp_window_compare (WP_WINDOW (widget), (const char *const[]) { paths[0], NULL }, (const char *const[]) { paths[1], NULL });
}

static void
on_baseline_response (GtkNativeDialog *dialog, int response, WpWindow *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  WpPage *page = current_page (self);
  g_autofree char *now = page != NULL ? g_file_get_path (wp_page_file (page)) : NULL;
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (g_file_peek_path (file) != NULL)
        g_ptr_array_add (before, g_file_get_path (file));
    }
  g_ptr_array_add (before, NULL);
  if (response == GTK_RESPONSE_ACCEPT && before->len > 1 && now != NULL)
    wp_window_compare (self, (const char *const *) before->pdata, (const char *const[]) { now, NULL });
  g_object_unref (dialog);
  g_object_unref (self);
}

/* What is chosen is what was before: A. */
static void
compare_with (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Compare With"), GTK_WINDOW (widget),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _("_Compare"), _("_Cancel"));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_baseline_response), g_object_ref (widget));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the side panel --- */

/* It keeps the width it had last: what a pane gives away is known once it has a size. */
static void
place_side (GtkPaned *paned, GParamSpec *pspec, WpWindow *self)
{
  int wanted = wp_settings_int ("panel-width", 350), whole = gtk_widget_get_width (GTK_WIDGET (paned));

  if (whole < 2 * wanted)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_side, self);
  gtk_paned_set_position (paned, whole - wanted);
}

static void
keep_side (WpWindow *self)
{
  int width = gtk_widget_get_visible (GTK_WIDGET (self->side)) ? gtk_widget_get_width (GTK_WIDGET (self->side)) : 0;

  if (width > 0)
    wp_settings_set_int ("panel-width", width);
}

static void
on_side_visible (GtkWidget *side, GParamSpec *pspec, WpWindow *self)
{
  wp_settings_set_boolean ("show-panel", gtk_widget_get_visible (side));
}

void
wp_window_show_store_of (WpWindow *self, const char *folder)
{
  wp_store_panel_set_folder (wp_side_panel_store (self->side), folder, TRUE);
}

static void
on_store_open (WpStorePanel *store, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

static void
on_store_compare (WpStorePanel *store, const char *a, const char *b, WpWindow *self)
{
  const char *both[] = { a, b, NULL };

  gtk_widget_activate_action (GTK_WIDGET (self), "win.compare", "^as", both);
}

static void
on_store_history (WpStorePanel *store, const char *folder, const char *branch, WpWindow *self)
{
  show_history (self, folder, branch);
}

static void
build_side (WpWindow *self)
{
  WpStorePanel *store = wp_side_panel_store (self->side);
  g_autoptr (GAction) shown = G_ACTION (g_property_action_new ("panel", self->side, "visible"));
  g_autoptr (GAction) page = wp_side_panel_page_action (self->side, "side-page");

  g_action_map_add_action (G_ACTION_MAP (self), shown);
  g_action_map_add_action (G_ACTION_MAP (self), page);
  gtk_widget_set_visible (GTK_WIDGET (self->side), wp_settings_boolean ("show-panel", TRUE));
  g_signal_connect_object (self->across, "notify::max-position", G_CALLBACK (place_side), self, 0);
  g_signal_connect_object (store, "open", G_CALLBACK (on_store_open), self, 0);
  g_signal_connect_object (store, "compare", G_CALLBACK (on_store_compare), self, 0);
  g_signal_connect_object (store, "history", G_CALLBACK (on_store_history), self, 0);
}

/* --- the window's own actions --- */

static void
on_open_response (GtkNativeDialog *dialog, int response, WpWindow *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

  for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      wp_window_open (self, file, NULL);
    }
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
open_dialog (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Open Recording or Profile"), GTK_WINDOW (widget),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_open_response), g_object_ref (widget));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_sample (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *path = wp_data_file ("sample.perf");
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (file != NULL)
    wp_window_open (WP_WINDOW (widget), file, _("Sample"));
}

static void
on_recorded (WpRecordDialog *dialog, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

void
wp_window_record (WpWindow *self)
{
  if (self->dialog == NULL)
    {
      g_set_weak_pointer (&self->dialog, WP_RECORD_DIALOG (wp_record_dialog_new (GTK_WINDOW (self))));
      g_signal_connect_object (self->dialog, "recorded", G_CALLBACK (on_recorded), self, 0);
    }
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
record (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_window_record (WP_WINDOW (widget));
}

static void
close_tab (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpWindow *self = WP_WINDOW (widget);
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tabs);

  if (tab != NULL)
    adw_tab_view_close_page (self->tabs, tab);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, WpWindow *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *l = files; l != NULL; l = l->next)
    wp_window_open (self, l->data, NULL);
  return files != NULL;
}

static void
on_file_opened (WpStartPage *page, GFile *file, WpWindow *self)
{
  wp_window_open (self, file, NULL);
}

/* --- the widget --- */

static gboolean
wp_window_close_request (GtkWindow *window)
{
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  wp_settings_set_int ("window-width", width);
  wp_settings_set_int ("window-height", height);
  keep_side (WP_WINDOW (window));
  wp_settings_set_boolean ("window-maximized", gtk_window_is_maximized (window));
  return GTK_WINDOW_CLASS (wp_window_parent_class)->close_request (window);
}

static void
wp_window_dispose (GObject *object)
{
  WpWindow *self = WP_WINDOW (object);

  /* the tabs go one by one, and there is nothing left to keep up to date */
  if (self->tabs != NULL)
    g_signal_handlers_disconnect_matched (self->tabs, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
  self->tabs = NULL;
  g_clear_weak_pointer (&self->dialog);
  G_OBJECT_CLASS (wp_window_parent_class)->dispose (object);
}

static void
wp_window_finalize (GObject *object)
{
  g_strfreev (WP_WINDOW (object)->spinners);
  G_OBJECT_CLASS (wp_window_parent_class)->finalize (object);
}

static void
wp_window_class_init (WpWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_START_PAGE);
  g_type_ensure (WP_TYPE_SIDE_PANEL);
  G_OBJECT_CLASS (klass)->dispose = wp_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = wp_window_close_request;
  gtk_widget_class_install_action (widget_class, "win.open", NULL, open_dialog);
  gtk_widget_class_install_action (widget_class, "win.open-sample", NULL, open_sample);
  gtk_widget_class_install_action (widget_class, "win.compare", "as", compare);
  gtk_widget_class_install_action (widget_class, "win.compare-with", NULL, compare_with);
  gtk_widget_class_install_action (widget_class, "win.record", NULL, record);
  gtk_widget_class_install_action (widget_class, "win.close-tab", NULL, close_tab);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/window.ui");
  gtk_widget_class_bind_template_child (widget_class, WpWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, start_page);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, navigation);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, zoom);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, search_button);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, across);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, side);
  gtk_widget_class_bind_template_child (widget_class, WpWindow, idle_menu);
  gtk_widget_class_bind_template_callback (widget_class, on_page_attached);
  gtk_widget_class_bind_template_callback (widget_class, on_page_detached);
  gtk_widget_class_bind_template_callback (widget_class, on_selected_page);
  gtk_widget_class_bind_template_callback (widget_class, on_create_window);
  gtk_widget_class_bind_template_callback (widget_class, on_close_page);
  gtk_widget_class_bind_template_callback (widget_class, on_file_opened);
  gtk_widget_class_bind_template_callback (widget_class, on_side_visible);
}

static void
wp_window_init (WpWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_autofree char *sample = wp_data_file ("sample.perf");

  add_page_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  build_side (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.open-sample", sample != NULL);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  gtk_window_set_default_size (GTK_WINDOW (self), wp_settings_int ("window-width", 1280),
                               wp_settings_int ("window-height", 800));
  if (wp_settings_boolean ("window-maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (self));
  update (self);
}

GtkWidget *
wp_window_new (GtkApplication *application)
{
  return g_object_new (WP_TYPE_WINDOW, "application", application, NULL);
}
