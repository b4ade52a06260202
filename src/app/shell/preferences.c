#include "app/shell/preferences.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "app/stacks/source-folders.h"
#include "workspace/file/kept-files.h"
#include "workspace/worker.h"

/* A row that says how much is kept of something, with a button that takes it away. */
typedef struct
{
  AdwActionRow *row;
  GtkWidget *clear;
  char *folder;
  WpWorker *measuring;
} KeptRow;

#define WP_TYPE_PREFERENCES (wp_preferences_get_type ())
G_DECLARE_FINAL_TYPE (WpPreferences, wp_preferences, WP, PREFERENCES, AdwPreferencesWindow)

struct _WpPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow *wheel, *depth, *colors, *stacks;
  GtkSpinButton *threshold, *repeat;
  GtkSwitch *live, *keep, *fetch;
  AdwActionRow *fetch_row, *fetched, *opened;
  GtkWidget *clear, *clear_opened;
  AdwPreferencesGroup *folders;

  GPtrArray *folder_rows; /* of `folders`, which holds them */
  KeptRow fetched_files, opened_files;
};

G_DEFINE_FINAL_TYPE (WpPreferences, wp_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* --- choices -------------------------------------------------------------------------------------------------------------- */

/* The rows of a list, as the setting has them. */
static const char *const wheel_values[] = { "true", "false", NULL };
static const char *const depth_values[] = { "waits", "functions", "all", NULL };
static const char *const color_values[] = { "process", "state", "code", "module", NULL };
static const char *const stack_values[] = { "auto", "fp", "dwarf", "none", NULL };

static gboolean
row_of (GValue *row, GVariant *setting, gpointer values)
{
  const char *wanted = g_variant_is_of_type (setting, G_VARIANT_TYPE_BOOLEAN) ? (g_variant_get_boolean (setting) ? "true" : "false")
                                                                             : g_variant_get_string (setting, NULL);

  for (guint i = 0; ((const char *const *) values)[i] != NULL; i++)
    if (g_str_equal (((const char *const *) values)[i], wanted))
      {
        g_value_set_uint (row, i);
        return TRUE;
      }
  return FALSE;
}

static GVariant *
setting_of (const GValue *row, const GVariantType *type, gpointer values)
{
  guint i = g_value_get_uint (row);

  if (i >= g_strv_length ((char **) values))
    return NULL;
  return g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN) ? g_variant_new_boolean (i == 0) : g_variant_new_string (((char **) values)[i]);
}

static gboolean
share_to_percent (GValue *percent, GVariant *setting, gpointer data)
{
  g_value_set_double (percent, g_variant_get_double (setting) * 100);
  return TRUE;
}

static GVariant *
percent_to_share (const GValue *percent, const GVariantType *type, gpointer data)
{
  return g_variant_new_double (g_value_get_double (percent) / 100);
}

static void
bind_all (WpPreferences *self)
{
  GSettings *settings = wp_settings ();
  const struct
  {
    AdwComboRow *row;
    const char *key;
    const char *const *values;
  } choices[] = {
    { self->wheel, "wheel-zooms", wheel_values },
    { self->depth, "depth", depth_values },
    { self->colors, "colours", color_values },
    { self->stacks, "record-stack-mode", stack_values },
  };

  if (settings == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    g_settings_bind_with_mapping (settings, choices[i].key, choices[i].row, "selected", G_SETTINGS_BIND_DEFAULT, row_of, setting_of,
                                  (gpointer) choices[i].values, NULL);
  g_settings_bind_with_mapping (settings, "compare-threshold", gtk_spin_button_get_adjustment (self->threshold), "value",
                                G_SETTINGS_BIND_DEFAULT, share_to_percent, percent_to_share, NULL, NULL);
  g_settings_bind (settings, "range-repeat", gtk_spin_button_get_adjustment (self->repeat), "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "live-view", self->live, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "keep-opened", self->keep, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "fetch-debuginfo", self->fetch, "active", G_SETTINGS_BIND_DEFAULT);
}

/* --- what is kept --------------------------------------------------------------------------------------------------------- */

static void
on_measured (gpointer result, const GError *error, gpointer data)
{
  KeptRow *self = data;
  g_autofree WpKeptFiles *kept = result;
  g_autofree char *size = kept != NULL ? g_format_size (kept->bytes) : NULL;
  g_autofree char *text = kept == NULL    ? g_strdup (error->message)
                          : kept->n == 0 ? g_strdup (_("Nothing is kept"))
                                         : g_strdup_printf (ngettext ("%u file, %s", "%u files, %s", kept->n), kept->n, size);

  self->measuring = NULL;
  adw_action_row_set_subtitle (self->row, text);
  gtk_widget_set_sensitive (self->clear, kept != NULL && kept->n > 0);
}

static void
measure (KeptRow *self, WpWorkerRun run)
{
  wp_worker_drop (&self->measuring);
  gtk_widget_set_sensitive (self->clear, FALSE);
  self->measuring = wp_worker_start (&(WpWorkerSpec) { .run = run, .done = on_measured, .data = g_strdup (self->folder), .free_data = g_free,
                                                       .free_result = g_free, .user_data = self });
}

static void
kept_row_clear (KeptRow *self)
{
  wp_worker_drop (&self->measuring);
  g_clear_pointer (&self->folder, g_free);
}

static void
on_clear (GtkButton *button, WpPreferences *self)
{
  measure (&self->fetched_files, wp_fetched_clear);
}

static void
on_clear_opened (GtkButton *button, WpPreferences *self)
{
  measure (&self->opened_files, wp_opened_clear);
}

static void
show_servers (WpPreferences *self)
{
  const char *urls = g_getenv ("DEBUGINFOD_URLS");
  gboolean some = urls != NULL && urls[strspn (urls, " \t")] != '\0';
  g_autofree char *asked = g_strdup_printf (_("Asks %s"), some ? urls : "");

  adw_action_row_set_subtitle (self->fetch_row, some ? asked : _("No server is named: DEBUGINFOD_URLS is not set"));
}

/* --- folders with sources ------------------------------------------------------------------------------------------------ */

static void
on_forget (GtkButton *button, WpPreferences *self)
{
  g_autofree char *mapping = g_strdup (g_object_get_data (G_OBJECT (button), "mapping")); /* the button goes with its row */

  wp_settings_remove_string (WP_SOURCE_FOLDERS_KEY, mapping);
}

static void
show_folders (WpPreferences *self)
{
  g_auto (GStrv) mappings = wp_settings_strings (WP_SOURCE_FOLDERS_KEY);

  for (guint i = 0; i < self->folder_rows->len; i++)
    adw_preferences_group_remove (self->folders, self->folder_rows->pdata[i]);
  g_ptr_array_set_size (self->folder_rows, 0);
  for (char **mapping = mappings; *mapping != NULL; mapping++)
    {
      GtkWidget *row = wp_source_folder_row_new (*mapping, G_CALLBACK (on_forget), self);

      adw_preferences_group_add (self->folders, row);
      g_ptr_array_add (self->folder_rows, row);
    }
}

/* Sources of relative paths are looked for there. */
static void
on_folder_chosen (GtkNativeDialog *dialog, int response, WpPreferences *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  g_autofree char *mapping = file != NULL && g_file_peek_path (file) != NULL ? g_strconcat ("=", g_file_peek_path (file), NULL) : NULL;

  if (mapping != NULL)
    wp_settings_add_string (WP_SOURCE_FOLDERS_KEY, mapping);
  g_object_unref (dialog);
}

static void
on_add_folder (GtkButton *button, WpPreferences *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Folder With Sources"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                               _("_Choose"), _("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_folder_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the window ------------------------------------------------------------------------------------------------------------- */

static void
wp_preferences_dispose (GObject *object)
{
  WpPreferences *self = WP_PREFERENCES (object);

  kept_row_clear (&self->fetched_files);
  kept_row_clear (&self->opened_files);
  g_clear_pointer (&self->folder_rows, g_ptr_array_unref);
  G_OBJECT_CLASS (wp_preferences_parent_class)->dispose (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, WpPreferences, name)

static void
wp_preferences_class_init (WpPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_preferences_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/preferences.ui");
  BIND (wheel);
  BIND (depth);
  BIND (colors);
  BIND (stacks);
  BIND (threshold);
  BIND (repeat);
  BIND (live);
  BIND (keep);
  BIND (opened);
  BIND (clear_opened);
  BIND (fetch);
  BIND (fetch_row);
  BIND (fetched);
  BIND (clear);
  BIND (folders);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_opened);
  gtk_widget_class_bind_template_callback (widget_class, on_add_folder);
}

static void
wp_preferences_init (WpPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->folder_rows = g_ptr_array_new ();
  bind_all (self);
  show_servers (self);
  show_folders (self);
  if (wp_settings () != NULL)
    g_signal_connect_object (wp_settings (), "changed::" WP_SOURCE_FOLDERS_KEY, G_CALLBACK (show_folders), self, G_CONNECT_SWAPPED);
  self->fetched_files = (KeptRow) { .row = self->fetched, .clear = self->clear, .folder = wp_fetched_folder () };
  self->opened_files = (KeptRow) { .row = self->opened, .clear = self->clear_opened, .folder = wp_opened_folder () };
  measure (&self->fetched_files, wp_fetched_measure);
  measure (&self->opened_files, wp_opened_measure);
}

GtkWindow *
wp_preferences_new (void)
{
  return g_object_new (WP_TYPE_PREFERENCES, NULL);
}
