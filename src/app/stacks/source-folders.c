#include "app/stacks/source-folders.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"

#define WIDTH 400
#define HEIGHT 420

struct _WpSourceFolders
{
  AdwBin parent_instance;
  GtkMenuButton *button;
};

enum
{
  SIGNAL_FORGOTTEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpSourceFolders, wp_source_folders, ADW_TYPE_BIN)

static void
on_forget (GtkButton *button, WpSourceFolders *self)
{
  gtk_menu_button_popdown (self->button);
  wp_settings_remove_string (WP_SOURCE_FOLDERS_KEY, g_object_get_data (G_OBJECT (button), "mapping"));
  g_signal_emit (self, signals[SIGNAL_FORGOTTEN], 0);
}

GtkWidget *
wp_source_folder_row_new (const char *mapping, GCallback forget_it, gpointer data)
{
  GtkWidget *row = adw_action_row_new (), *forget = gtk_button_new_from_icon_name ("user-trash-symbolic");
  const char *equals = strchr (mapping, '='), *to = equals != NULL ? equals + 1 : mapping;
  g_autofree char *from = g_strndup (mapping, equals != NULL ? (gsize) (equals - mapping) : 0);
  g_autofree char *title = g_filename_display_name (to), *valid = g_filename_display_name (from);
  g_autofree char *subtitle = *from != '\0' ? g_strdup_printf (_("instead of %s"), valid) : g_strdup (_("for paths that are not absolute"));
  g_autofree char *label = g_strdup_printf (_("Forget %s"), title);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (forget, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (forget, "flat");
  gtk_widget_set_tooltip_text (forget, _("Forget this folder"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (forget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data_full (G_OBJECT (forget), "mapping", g_strdup (mapping), g_free);
  g_signal_connect (forget, "clicked", forget_it, data);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), forget);
  return row;
}

/* The list is made when it is asked for. */
static void
on_wanted (GtkMenuButton *button, gpointer data)
{
  WpSourceFolders *self = data;
  g_auto (GStrv) mappings = wp_settings_strings (WP_SOURCE_FOLDERS_KEY);
  GtkWidget *popover = gtk_popover_new (), *scrolled = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *heading = gtk_label_new (_("Folders With Sources")), *list = gtk_list_box_new ();

  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  for (char **mapping = mappings; *mapping != NULL; mapping++)
    gtk_list_box_append (GTK_LIST_BOX (list), wp_source_folder_row_new (*mapping, G_CALLBACK (on_forget), self));
  g_object_set (box, "margin-start", 12, "margin-end", 12, "margin-top", 12, "margin-bottom", 12, NULL);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), list);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), HEIGHT);
  gtk_widget_set_size_request (scrolled, WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (button, popover);
}

static void
show (WpSourceFolders *self)
{
  g_auto (GStrv) mappings = wp_settings_strings (WP_SOURCE_FOLDERS_KEY);

  gtk_widget_set_visible (GTK_WIDGET (self), *mappings != NULL);
}

static void
wp_source_folders_class_init (WpSourceFoldersClass *klass)
{
  signals[SIGNAL_FORGOTTEN] = g_signal_new ("forgotten", WP_TYPE_SOURCE_FOLDERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_source_folders_init (WpSourceFolders *self)
{
  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_icon_name (self->button, "folder-symbolic");
  gtk_widget_add_css_class (GTK_WIDGET (self->button), "flat");
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), _("Folders that sources were found in"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Folders With Sources"), -1);
  gtk_menu_button_set_create_popup_func (self->button, on_wanted, self, NULL);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->button));
  if (wp_settings () != NULL)
    g_signal_connect_object (wp_settings (), "changed::" WP_SOURCE_FOLDERS_KEY, G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
}
