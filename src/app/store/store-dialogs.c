#include "app/store/store-dialogs.h"

#include <glib/gi18n.h>

#include "app/store/trust-dialog.h"

static GtkWindow *
window_of (GtkWidget *widget)
{
  return GTK_WINDOW (gtk_widget_get_root (widget));
}

/* --- removing -------------------------------------------------------------------------------------------------------------- */

static void
on_remove_response (AdwMessageDialog *dialog, const char *response, WpStoreModel *model)
{
  WpStoreWork *work = g_object_steal_data (G_OBJECT (dialog), "work");

  if (work != NULL && g_str_equal (response, "remove"))
    wp_store_model_change (model, work, wp_store_work_remove);
  else if (work != NULL)
    wp_store_work_free (work);
}

void
wp_store_ask_to_remove (GtkWidget *widget, WpStoreModel *model, WpStoreWork *work)
{
  const WpStoreProfile *first = work->profiles->pdata[0];
  g_autofree char *name = wp_store_profile_name (first);
  g_autofree char *title = work->profiles->len == 1
                             ? g_strdup_printf (_("Remove “%s”?"), name)
                             : g_strdup_printf (ngettext ("Remove %u Profile?", "Remove %u Profiles?", work->profiles->len),
                                                work->profiles->len);
  const char *body = *first->minor != '\0' ? _("The profile is taken out of its commit’s list. Its object stays in the store.")
                                           : _("The file is taken out of the pending profiles and deleted.");
  GtkWidget *dialog = adw_message_dialog_new (window_of (widget), title, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "remove", _("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "work", work, wp_store_work_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_remove_response), model, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- trusting --------------------------------------------------------------------------------------------------------------- */

static void
on_trust_response (AdwMessageDialog *dialog, const char *response, WpStoreModel *model)
{
  if (g_str_equal (response, WP_TRUST_DIALOG_TRUST))
    wp_store_model_trust (model, g_object_get_data (G_OBJECT (dialog), "session"));
}

void
wp_store_ask_to_trust (GtkWidget *widget, WpStoreModel *model)
{
  WpStoreSession *session = wp_store_model_session (model);
  GtkWidget *dialog;

  if (session == NULL || session->asked == NULL)
    return;
  dialog = wp_trust_dialog_new (window_of (widget), session->asked);
  g_object_set_data_full (G_OBJECT (dialog), "session", wp_store_session_ref (session), (GDestroyNotify) wp_store_session_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_trust_response), model, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- another folder ---------------------------------------------------------------------------------------------------------- */

static void
on_folder_chosen (GtkNativeDialog *dialog, int response, WpStoreModel *model)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    wp_store_model_open (model, g_file_peek_path (file));
  g_object_unref (dialog);
}

void
wp_store_ask_for_folder (GtkWidget *widget, WpStoreModel *model)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Choose Folder"), window_of (widget),
                                                               GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  const char *folder = wp_store_model_folder (model);
  g_autoptr (GFile) shown = folder != NULL ? g_file_new_for_path (folder) : NULL;

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  if (shown != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), shown, NULL);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_folder_chosen), model, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the file manager -------------------------------------------------------------------------------------------------------- */

static void
on_shown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GFile) file = data, folder = g_file_get_parent (file);
  g_autofree char *uri = g_file_get_uri (folder);
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  if (reply == NULL) /* no file manager that can point at a file: it shows the folder */
    g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL);
}

void
wp_reveal_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file);
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());

  if (bus != NULL)
    g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
                            "ShowItems", g_variant_new ("(^ass)", (const char *[]) { uri, NULL }, ""), NULL, G_DBUS_CALL_FLAGS_NONE,
                            -1, NULL, on_shown, g_steal_pointer (&file));
}
