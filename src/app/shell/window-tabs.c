#include "app/shell/window-private.h"

#include "app/compare/compare-page.h"
#include "app/history/history-page.h"
#include "workspace/store/store-session.h"
#include "app/shell/unsaved.h"

const char *
wp_window_tab_title (GtkWidget *child)
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

/* --- what pages tell --- */

static gboolean
is_unpacked (GFile *file)
{
  return g_file_peek_path (file) != NULL && wp_store_is_unpacked (g_file_peek_path (file));
}

/* What the desktop calls such a file. */
static char *
mime_type_of (GFile *file)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_CONTENT_TYPE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  char *type = info != NULL ? g_content_type_get_mime_type (g_file_info_get_content_type (info)) : NULL;

  return type != NULL ? type : g_strdup ("application/octet-stream");
}

static void
remember_file (WpPage *page)
{
  g_autofree char *uri = g_file_get_uri (wp_page_file (page)), *type = NULL;
  GtkRecentData data = { .display_name = (char *) wp_page_title (page),
                         .app_name = (char *) "Wakepath",
                         .app_exec = (char *) "wakepath %u" };

  if (g_object_get_data (G_OBJECT (page), "remembered") != NULL || is_unpacked (wp_page_file (page)))
    return;
  g_object_set_data (G_OBJECT (page), "remembered", GINT_TO_POINTER (1));
  data.mime_type = type = mime_type_of (wp_page_file (page));
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/* The view that is seen. Comparisons and histories have none; those of stacks share a page. */
char *
wp_window_topic (WpWindow *self)
{
  static const char *const of_stacks[] = { "functions", "source", "timeline", NULL };
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tabs);
  GAction *view = g_action_map_lookup_action (G_ACTION_MAP (self), "view");
  g_autoptr (GVariant) state = g_action_get_enabled (view) ? g_action_get_state (view) : NULL;

  if (tab != NULL && !WP_IS_PAGE (adw_tab_page_get_child (tab)))
    return g_strdup ("comparing");
  if (state == NULL)
    return NULL;
  return g_strdup (g_strv_contains (of_stacks, g_variant_get_string (state, NULL)) ? "system" : g_variant_get_string (state, NULL));
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
  if (page == wp_window_page (self))
    wp_window_update (self);
}

static void
on_other_changed (GtkWidget *page, WpWindow *self)
{
  AdwTabPage *tab = self->tabs != NULL ? adw_tab_view_get_page (self->tabs, page) : NULL;

  if (tab == NULL)
    return;
  adw_tab_page_set_title (tab, wp_window_tab_title (page));
  adw_tab_page_set_loading (tab, is_busy (page));
  wp_window_update (self);
}

static void
on_page_finished (GtkWidget *page, WpWindow *self)
{
  adw_tab_view_close_page (self->tabs, adw_tab_view_get_page (self->tabs, page));
}

/* A point of the history is a commit of the side panel's list. */
static void
on_history_commit (WpHistoryPage *page, const char *hash, WpWindow *self)
{
  wp_store_model_seek (wp_store_panel_model (wp_side_panel_store (self->side)), hash);
}

static void
on_history_open (WpHistoryPage *page, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

static void
on_history_compare (WpHistoryPage *page, GStrv a, GStrv b, GStrv names, WpWindow *self)
{
  wp_window_compare (self, (const char *const *) a, (const char *const *) b, (const char *const *) names);
}

static void
connect_history (WpWindow *self, GtkWidget *page)
{
  g_signal_connect_object (page, "commit", G_CALLBACK (on_history_commit), self, 0);
  g_signal_connect_object (page, "open", G_CALLBACK (on_history_open), self, 0);
  g_signal_connect_object (page, "compare", G_CALLBACK (on_history_compare), self, 0);
}

/* --- coming, going --- */

/* A page may come from another window. */
static void
on_page_attached (AdwTabView *tabs, AdwTabPage *tab, int position, WpWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_connect_object (page, "changed", WP_IS_PAGE (page) ? G_CALLBACK (on_page_changed) : G_CALLBACK (on_other_changed),
                           self, 0);
  g_signal_connect_object (page, "finished", G_CALLBACK (on_page_finished), self, 0);
  if (WP_IS_HISTORY_PAGE (page))
    connect_history (self, page);
  if (WP_IS_PAGE (page))
    wp_side_panel_add_page (self->side, WP_PAGE (page));
  wp_window_update (self);
}

static void
on_page_detached (AdwTabView *tabs, AdwTabPage *tab, int position, WpWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_handlers_disconnect_by_data (page, self);
  if (WP_IS_PAGE (page))
    wp_side_panel_remove_page (self->side, WP_PAGE (page));
  wp_window_update (self);
}

static void
on_selected_page (AdwTabView *tabs, GParamSpec *pspec, WpWindow *self)
{
  wp_window_update (self);
}

static AdwTabView *
on_create_window (AdwTabView *tabs, WpWindow *self)
{
  WpWindow *window = WP_WINDOW (wp_window_new (gtk_window_get_application (GTK_WINDOW (self))));

  gtk_window_present (GTK_WINDOW (window));
  return window->tabs;
}

/* NULL: it has gone. */
static AdwTabView *
tabs_of (AdwTabPage *tab)
{
  return ADW_TAB_VIEW (gtk_widget_get_ancestor (adw_tab_page_get_child (tab), ADW_TYPE_TAB_VIEW));
}

/* Itself, where it is not saved. */
static GPtrArray *
gather_unsaved (AdwTabPage *tab)
{
  GPtrArray *pages = g_ptr_array_new ();
  GtkWidget *page = adw_tab_page_get_child (tab);

  if (WP_IS_PAGE (page) && wp_page_unsaved (WP_PAGE (page)))
    g_ptr_array_add (pages, page);
  return pages;
}

static void
close_again (WpReply reply, gpointer tab)
{
  if (tabs_of (tab) != NULL)
    adw_tab_view_close_page (tabs_of (tab), tab);
}

static void
on_close_answer (WpReply reply, gpointer tab)
{
  g_autoptr (GPtrArray) pages = NULL;

  if (tabs_of (tab) == NULL)
    return;
  adw_tab_view_close_page_finish (tabs_of (tab), tab, reply == WP_REPLY_GO_ON);
  if (reply != WP_REPLY_SAVE)
    return;
  pages = gather_unsaved (tab);
  wp_unsaved_save (pages, close_again, tab);
}

/* Models and other changes that were not saved are asked for. */
static gboolean
on_close_page (AdwTabView *tabs, AdwTabPage *tab, WpWindow *self)
{
  g_autoptr (GPtrArray) pages = gather_unsaved (tab);

  return wp_unsaved_ask (GTK_WINDOW (self), pages, on_close_answer, G_OBJECT (tab)) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static AdwTabPage *
find_tab (WpWindow *self, GFile *file)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
      GtkWidget *page = adw_tab_page_get_child (tab);

      if (WP_IS_PAGE (page) && g_file_equal (wp_page_file (WP_PAGE (page)), file) && wp_page_is_current (WP_PAGE (page)))
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
  else
    wp_page_try_again (WP_PAGE (adw_tab_page_get_child (tab)));
  adw_tab_view_set_selected_page (self->tabs, tab);
}

/* --- tabs with more than one file --- */

void
wp_window_compare (WpWindow *self, const char *const *a, const char *const *b, const char *const *names)
{
  GtkWidget *page = wp_compare_page_new (a, b, names);
  AdwTabPage *tab = adw_tab_view_append (self->tabs, page);

  adw_tab_page_set_title (tab, wp_compare_page_title (WP_COMPARE_PAGE (page)));
  adw_tab_page_set_loading (tab, TRUE);
  adw_tab_view_set_selected_page (self->tabs, tab);
}

/* --- what the store asks for --- */

void
wp_window_show_store_of (WpWindow *self, const char *folder)
{
  wp_store_model_suggest (wp_store_panel_model (wp_side_panel_store (self->side)), folder);
}

static void
on_store_open (WpStorePanel *store, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

static void
on_store_compare (WpStorePanel *store, GStrv a, GStrv b, GStrv names, WpWindow *self)
{
  wp_window_compare (self, (const char *const *) a, (const char *const *) b, (const char *const *) names);
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

static void
on_store_history (WpStorePanel *store, const char *folder, const char *branch, WpWindow *self)
{
  show_history (self, folder, branch);
}

void
wp_window_connect_store (WpWindow *self)
{
  WpStorePanel *store = wp_side_panel_store (self->side);

  g_signal_connect_object (store, "open", G_CALLBACK (on_store_open), self, 0);
  g_signal_connect_object (store, "compare", G_CALLBACK (on_store_compare), self, 0);
  g_signal_connect_object (store, "history", G_CALLBACK (on_store_history), self, 0);
}

/* --- what comes from outside --- */

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

void
wp_window_gather_unsaved (WpWindow *self, GPtrArray *pages)
{
  wp_unsaved_gather (self->tabs, pages);
}

void
wp_window_accept_drops (WpWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}

void
wp_window_bind_tabs (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_callback (klass, on_page_attached);
  gtk_widget_class_bind_template_callback (klass, on_page_detached);
  gtk_widget_class_bind_template_callback (klass, on_selected_page);
  gtk_widget_class_bind_template_callback (klass, on_create_window);
  gtk_widget_class_bind_template_callback (klass, on_close_page);
  gtk_widget_class_bind_template_callback (klass, on_file_opened);
}
