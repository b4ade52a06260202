/* What can be done on the Store page: a row each, with its name and when it can be used. */
#include "app/store/store-panel-private.h"

#include <glib/gi18n.h>

#include "app/record/range-dialog.h"
#include "workspace/store-pairs.h"
#include "workspace/store-work.h"
#include "app/store/trust-dialog.h"

#define COMPARED_MOST 6 /* tabs at once */

/* --- jobs -------------------------------------------------------------------------------------------------------------------------- */

static void
finish (WpStorePanel *self, WpStoreOutcome *outcome, const GError *error)
{
  self->working = NULL;
  if (outcome == NULL || outcome->text != NULL)
    wp_store_panel_toast (self, outcome != NULL ? outcome->text : error->message);
  if (outcome != NULL)
    wp_store_outcome_free (outcome);
  wp_store_panel_update_actions (self);
}

static void
on_worked (gpointer result, const GError *error, gpointer data)
{
  finish (data, result, error);
  wp_store_panel_read (data);
}

static void
on_unpacked (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  WpStoreOutcome *outcome = result;

  self->working = NULL;
  for (guint i = 0; outcome != NULL && i < outcome->paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (outcome->paths->pdata[i]);

      g_signal_emit_by_name (self, "open", file, outcome->names->pdata[i]);
    }
  for (guint i = 0; outcome != NULL && i + 1 < outcome->sides->len; i += 2)
    g_signal_emit_by_name (self, "compare", outcome->sides->pdata[i], outcome->sides->pdata[i + 1]);
  finish (self, outcome, error);
}

/* On the selected profiles. */
static WpStoreWork *
work_new (WpStorePanel *self)
{
  WpStoreWork *work = wp_store_work_new (self->session, self->head);
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self);

  for (guint i = 0; i < rows->len; i++)
    if (wp_store_row_profile (rows->pdata[i]) != NULL)
      g_ptr_array_add (work->profiles, wp_store_profile_ref (wp_store_row_profile (rows->pdata[i])));
  return work;
}

static void
start (WpStorePanel *self, WpStoreWork *work, WpJobRun run, WpJobDone done)
{
  if (self->working != NULL)
    {
      wp_store_work_free (work);
      return;
    }
  self->working = wp_job_start (&(WpJobSpec) { .run = run,
                                               .done = done,
                                               .data = work,
                                               .free_data = wp_store_work_free,
                                               .free_result = wp_store_outcome_free,
                                               .user_data = self });
  wp_store_panel_update_actions (self);
}

/* --- the actions ------------------------------------------------------------------------------------------------------------------- */

static void
open_selected (WpStorePanel *self)
{
  start (self, work_new (self), wp_store_work_unpack, on_unpacked);
}

void
wp_store_panel_open_row (WpStorePanel *self, guint position)
{
  g_autoptr (WpStoreRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  WpStoreCommit *commit = row != NULL ? wp_store_row_commit (row) : NULL;
  WpStoreWork *work;

  if (row == NULL || self->session == NULL)
    return;
  if (wp_store_row_kind (row) == WP_STORE_ROW_COMMIT)
    {
      wp_store_rows_set_collapsed (self->rows, commit, !wp_store_rows_is_collapsed (self->rows, commit));
      return;
    }
  if (wp_store_row_profile (row) == NULL)
    return;
  work = work_new (self);
  g_ptr_array_set_size (work->profiles, 0);
  g_ptr_array_add (work->profiles, wp_store_profile_ref (wp_store_row_profile (row)));
  start (self, work, wp_store_work_unpack, on_unpacked);
}

/* What is explained is saved; a profile of another kind is the file. */
static void
save_here (WpStorePanel *self)
{
  WpStoreWork *work = work_new (self);

  work->analysis = wp_page_share_analysis (self->page);
  work->recorded = g_strdup (wp_page_recorder_text (self->page, "commit"));
  if (work->analysis == NULL)
    g_ptr_array_add (work->paths, g_file_get_path (wp_page_file (self->page)));
  start (self, work, wp_store_work_add, on_worked);
}

gboolean
wp_store_panel_drop (WpStorePanel *self, GSList *files)
{
  WpStoreWork *work = work_new (self);

  for (GSList *l = files; l != NULL; l = l->next)
    if (g_file_peek_path (l->data) != NULL)
      g_ptr_array_add (work->paths, g_file_get_path (l->data));
  if (work->paths->len == 0 || self->working != NULL)
    {
      wp_store_work_free (work);
      return FALSE;
    }
  start (self, work, wp_store_work_add, on_worked);
  return TRUE;
}

static void
register_selected (WpStorePanel *self)
{
  start (self, work_new (self), wp_store_work_register, on_worked);
}

static void
on_remove_response (AdwMessageDialog *dialog, const char *response, WpStorePanel *self)
{
  WpStoreWork *work = g_object_steal_data (G_OBJECT (dialog), "work");

  if (work != NULL && g_str_equal (response, "remove") && !self->gone)
    start (self, work, wp_store_work_remove, on_worked);
  else if (work != NULL)
    wp_store_work_free (work);
}

static void
remove_selected (WpStorePanel *self)
{
  WpStoreWork *work = work_new (self);
  const WpStoreProfile *first = work->profiles->pdata[0];
  g_autofree char *name = wp_store_profile_name (first);
  g_autofree char *title = work->profiles->len == 1
                             ? g_strdup_printf (_("Remove “%s”?"), name)
                             : g_strdup_printf (ngettext ("Remove %u Profile?", "Remove %u Profiles?", work->profiles->len),
                                                work->profiles->len);
  const char *body = *first->minor != '\0' ? _("The profile is taken out of its commit’s list. Its object stays in the store.")
                                           : _("The file is taken out of the pending profiles and deleted.");
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), title, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "remove", _("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "work", work, wp_store_work_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_remove_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* The names of profiles, the hashes of commits. */
static void
copy_name (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const WpStoreProfile *profile = wp_store_row_profile (rows->pdata[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                              profile != NULL ? profile->entry->path : wp_store_row_commit (rows->pdata[i])->hash);
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
}

static void
on_shown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GFile) file = data, folder = g_file_get_parent (file);
  g_autofree char *uri = g_file_get_uri (folder);
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  if (reply == NULL) /* no file manager that can point at a file: it shows the folder */
    g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL);
}

static void
reveal (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self);
  const WpStoreProfile *profile = wp_store_row_profile (rows->pdata[0]);
  g_autofree char *path = wp_store_entry_file (self->session->store, profile->entry);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file);
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());

  if (bus != NULL)
    g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
                            "ShowItems", g_variant_new ("(^ass)", (const char *[]) { uri, NULL }, ""), NULL, G_DBUS_CALL_FLAGS_NONE,
                            -1, NULL, on_shown, g_steal_pointer (&file));
}

/* Of two commits each command, in a tab of its own. */
static GPtrArray *
pairs_of_commits (WpStorePanel *self, const WpStoreCommit *older, const WpStoreCommit *newer)
{
  g_autoptr (GPtrArray) pairs = wp_store_pairs (self->rows, older, newer);
  g_autofree char *text = NULL;

  if (pairs->len > 0 && pairs->len <= COMPARED_MOST)
    return g_steal_pointer (&pairs);
  if (pairs->len == 0)
    text = g_strdup (_("The two commits have no profiles of the same command"));
  else
    text = g_strdup_printf (_("The two commits have profiles of %u commands: choose one above the list"), pairs->len);
  wp_store_panel_toast (self, text);
  return NULL;
}

/* The list has the newer one first. */
static void
compare (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self), pairs = NULL;
  WpStoreRow *newer = rows->pdata[0], *older = rows->pdata[1];
  WpStoreWork *work;

  if (wp_store_row_profile (newer) == NULL)
    pairs = pairs_of_commits (self, wp_store_row_commit (older), wp_store_row_commit (newer));
  else
    {
      WpStorePair *pair = wp_store_pair_new ();

      g_ptr_array_add (pair->a, wp_store_profile_ref (wp_store_row_profile (older)));
      g_ptr_array_add (pair->b, wp_store_profile_ref (wp_store_row_profile (newer)));
      pairs = g_ptr_array_new_with_free_func (wp_store_pair_free);
      g_ptr_array_add (pairs, pair);
    }
  if (pairs == NULL)
    return;
  work = work_new (self);
  work->pairs = g_steal_pointer (&pairs);
  start (self, work, wp_store_work_unpack, on_unpacked);
}

static void
show_history (WpStorePanel *self)
{
  g_signal_emit_by_name (self, "history", self->folder, self->branch);
}

static void
profile_commits (WpStorePanel *self)
{
  g_auto (GStrv) commits = wp_store_panel_selected_commits (self);
  const char *branch = self->branch != NULL ? self->branch : self->head_branch;

  if (self->range == NULL)
    g_set_weak_pointer (&self->range, wp_range_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->folder,
                                                           commits, branch));
  gtk_window_present (GTK_WINDOW (self->range));
}

static void
on_trust_response (AdwMessageDialog *dialog, const char *response, WpStorePanel *self)
{
  g_autoptr (GError) error = NULL;

  const WpStoreSession *shown = g_object_get_data (G_OBJECT (dialog), "session");

  if (!g_str_equal (response, WP_TRUST_DIALOG_TRUST) || self->gone)
    return;
  if (wp_store_trust (shown->asked, &error))
    wp_store_panel_open_again (self);
  else
    wp_store_panel_toast (self, error->message);
}

static void
trust (WpStorePanel *self)
{
  GtkWidget *dialog;

  if (self->session == NULL || self->session->asked == NULL)
    return;
  dialog = wp_trust_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->session->asked);
  g_object_set_data_full (G_OBJECT (dialog), "session", wp_store_session_ref (self->session), (GDestroyNotify) wp_store_session_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_trust_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_folder_chosen (GtkNativeDialog *dialog, int response, WpStorePanel *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL && !self->gone)
    wp_store_panel_set_folder (self, g_file_peek_path (file), FALSE);
  g_object_unref (dialog);
}

static void
choose_folder (WpStorePanel *self)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Choose Folder"), window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                               _("_Choose"), _("_Cancel"));
  g_autoptr (GFile) shown = self->folder != NULL ? g_file_new_for_path (self->folder) : NULL;

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  if (shown != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), shown, NULL);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_folder_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- when they can be used ------------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  void (*activate) (WpStorePanel *self);
  WpStoreFacts needs; /* and that no job runs; 0: nothing at all */
  guint key;
  GdkModifierType modifiers;
} actions[] = {
  { "store.open", open_selected, WP_STORE_FACT_PROFILE | WP_STORE_FACT_SOUND, 0, 0 },
  { "store.save-here", save_here, WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT | WP_STORE_FACT_PAGE, 0, 0 },
  { "store.register", register_selected, WP_STORE_FACT_ALL_PENDING | WP_STORE_FACT_COMMIT, 0, 0 },
  { "store.remove", remove_selected, WP_STORE_FACT_PROFILE | WP_STORE_FACT_KNOWN | WP_STORE_FACT_ONE_SORT, GDK_KEY_Delete, 0 },
  { "store.copy-name", copy_name, WP_STORE_FACT_ROW, GDK_KEY_c, GDK_CONTROL_MASK },
  { "store.reveal", reveal, WP_STORE_FACT_ONE_PROFILE | WP_STORE_FACT_KNOWN, 0, 0 },
  { "store.compare", compare, WP_STORE_FACT_PAIR | WP_STORE_FACT_SOUND, 0, 0 },
  { "store.history", show_history, WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT, 0, 0 },
  { "store.profile-commits", profile_commits, WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT, 0, 0 },
  { "store.trust", trust, WP_STORE_FACT_FOLDER, 0, 0 },
  { "store.choose-folder", choose_folder, 0, 0, 0 },
  { "store.create", wp_store_panel_create, WP_STORE_FACT_FOLDER, 0, 0 },
  { "store.refresh", wp_store_panel_read, WP_STORE_FACT_FOLDER, GDK_KEY_F5, 0 },
};

void
wp_store_panel_update_actions (WpStorePanel *self)
{
  WpStoreFacts facts;

  if (self->gone || self->selection == NULL)
    return;
  facts = wp_store_panel_facts (self);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name,
                                   actions[i].needs == 0 || (self->working == NULL && (actions[i].needs & ~facts) == 0));
}

static void
activate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name))
      actions[i].activate (WP_STORE_PANEL (widget));
}

void
wp_store_panel_install_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, activate);
      if (actions[i].key != 0)
        gtk_widget_class_add_binding_action (klass, actions[i].key, actions[i].modifiers, actions[i].name, NULL);
    }
}
