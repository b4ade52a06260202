#include "app/shell/start-page.h"

#include "workspace/store/time-ago.h"

#define RECENT_MAX 6

struct _WpStartPage
{
  AdwBin parent_instance;

  GtkListBox *recent;
  GtkWidget *recent_box;
};

enum
{
  SIGNAL_FILE_OPENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStartPage, wp_start_page, ADW_TYPE_BIN)

static void
add_file (WpStartPage *self, GtkRecentInfo *info)
{
  GtkWidget *row = adw_action_row_new (), *when;
  g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autofree char *folder = parent != NULL ? g_file_get_parse_name (parent) : g_strdup ("");
  g_autofree char *title = g_markup_escape_text (gtk_recent_info_get_display_name (info), -1);
  g_autofree char *subtitle = NULL, *time = wp_ago (gtk_recent_info_get_modified (info));

  if (g_str_has_prefix (folder, g_get_home_dir ()))
    {
      g_autofree char *short_folder = g_strconcat ("~", folder + strlen (g_get_home_dir ()), NULL);

      subtitle = g_markup_escape_text (short_folder, -1);
    }
  else
    subtitle = g_markup_escape_text (folder, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  when = gtk_label_new (time);
  gtk_widget_add_css_class (when, "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), when);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "file", g_steal_pointer (&file), g_object_unref);
  gtk_list_box_append (self->recent, row);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

static void
update (WpStartPage *self)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GtkWidget *row;
  guint n = 0;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->recent))) != NULL)
    gtk_list_box_remove (self->recent, row);
  items = g_list_sort (items, newest_first);
  for (GList *l = items; l != NULL && n < RECENT_MAX; l = l->next)
    if (gtk_recent_info_has_application (l->data, "Wakepath") && gtk_recent_info_is_local (l->data)
        && gtk_recent_info_exists (l->data) && !g_str_equal (gtk_recent_info_get_mime_type (l->data), "inode/directory"))
      {
        add_file (self, l->data);
        n++;
      }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  gtk_widget_set_visible (self->recent_box, n > 0);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, WpStartPage *self)
{
  g_signal_emit (self, signals[SIGNAL_FILE_OPENED], 0, g_object_get_data (G_OBJECT (row), "file"));
}

static void
wp_start_page_class_init (WpStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[SIGNAL_FILE_OPENED] = g_signal_new ("file-opened", WP_TYPE_START_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                              G_TYPE_NONE, 1, G_TYPE_FILE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStartPage, recent);
  gtk_widget_class_bind_template_child (widget_class, WpStartPage, recent_box);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
wp_start_page_init (WpStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
