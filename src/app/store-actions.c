/* What can be done on the Store page: a row each, with its name and when it can be used. What takes longer than a moment is a job; one at a
 * time. */
#include "app/store-panel-private.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis.h"
#include "app/range-dialog.h"
#include "app/store-pairs.h"
#include "profile/perun.h"

#define COMPARED_MOST 6 /* tabs at once */

/* --- jobs -------------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpStoreSession *session;
  GPtrArray *profiles; /* WpStoreProfile */
  GPtrArray *paths;    /* files to add */
  GPtrArray *pairs;    /* WpStorePair: what is compared; else NULL */
  WpShared *analysis;  /* to save, under */
  char *name;
  char minor[41];      /* where to */
  char *recorded;      /* the commit that it was recorded at, or NULL */
} Work;

/* What came of it: a sentence, and files to open or compare. */
typedef struct
{
  char *text;
  GPtrArray *paths, *names;
  GPtrArray *sides; /* GStrv: files of the first pair's A, of its B, of the next one's A, … */
} Outcome;

static void
work_free (gpointer data)
{
  Work *self = data;

  wp_store_session_unref (self->session);
  g_ptr_array_unref (self->profiles);
  g_ptr_array_unref (self->paths);
  g_clear_pointer (&self->pairs, g_ptr_array_unref);
  wp_shared_unref (self->analysis);
  g_free (self->name);
  g_free (self->recorded);
  g_free (self);
}

static void
outcome_free (gpointer data)
{
  Outcome *self = data;

  g_free (self->text);
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->sides);
  g_free (self);
}

static Outcome *
outcome_new (char *text)
{
  Outcome *self = g_new0 (Outcome, 1);

  self->text = text;
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->sides = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  return self;
}

static gboolean
unpack_all (const Work *work, const GPtrArray *profiles, GPtrArray *paths, GError **error)
{
  for (guint i = 0; i < profiles->len; i++)
    {
      const WpStoreProfile *profile = profiles->pdata[i];
      char *path = wp_store_session_unpack (work->session, profile->entry, profile->minor, error);

      if (path == NULL)
        return FALSE;
      g_ptr_array_add (paths, path);
    }
  return TRUE;
}

static gboolean
unpack_side (const Work *work, const GPtrArray *profiles, Outcome *outcome, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (!unpack_all (work, profiles, paths, error))
    return FALSE;
  g_ptr_array_add (paths, NULL);
  g_ptr_array_add (outcome->sides, g_ptr_array_steal (paths, NULL));
  return TRUE;
}

static gboolean
unpack_pairs (const Work *work, Outcome *outcome, GError **error)
{
  for (guint i = 0; i < work->pairs->len; i++)
    {
      const WpStorePair *pair = work->pairs->pdata[i];

      if (!unpack_side (work, pair->a, outcome, error) || !unpack_side (work, pair->b, outcome, error))
        return FALSE;
    }
  return TRUE;
}

/* The pairs, or else the profiles. */
static gpointer
run_unpack (gpointer data, WpProgress *progress, GError **error)
{
  const Work *work = data;
  Outcome *outcome = outcome_new (NULL);
  gboolean unpacked;

  wp_store_session_take (work->session);
  unpacked = work->pairs != NULL ? unpack_pairs (work, outcome, error) : unpack_all (work, work->profiles, outcome->paths, error);
  wp_store_session_leave (work->session);
  if (!unpacked)
    {
      outcome_free (outcome);
      return NULL;
    }
  for (guint i = 0; i < outcome->paths->len; i++)
    g_ptr_array_add (outcome->names, wp_store_profile_name (work->profiles->pdata[i]));
  return outcome;
}

/* As local.yml wants it: pending, or registered at once. */
static gboolean
add (const Work *work, const char *path, const char *minor, char **text, WpProgress *progress, GError **error)
{
  char sha1[41];
  g_autofree char *pending = wp_store_keep (work->session->store, path, minor, sha1, progress, error);
  g_autofree char *name = pending != NULL ? g_path_get_basename (pending) : NULL;

  if (pending == NULL)
    return FALSE;
  g_free (*text);
  *text = g_strdup_printf (*sha1 != '\0' ? _("Registered “%s” with %.7s") : _("“%s” is pending for %.7s"), name, minor);
  return TRUE;
}

/* What was recorded at another commit of this repository belongs to that one. */
static const char *
commit_for (const Work *work)
{
  return wp_vcs_has_commit (work->session->vcs, work->recorded) ? work->recorded : work->minor;
}

static gboolean
save (const Work *work, char **text, WpProgress *progress, GError **error)
{
  const WpAnalysis *analysis = wp_shared_get (work->analysis);
  g_autofree char *folder = wp_store_unpacked_folder (error), *path = NULL;
  gboolean saved;

  if (folder == NULL)
    return FALSE;
  path = g_build_filename (folder, "saving.perf", NULL);
  saved = wp_perun_save (path, analysis->paths, analysis->explanation, progress, error)
          && add (work, path, commit_for (work), text, progress, error);
  g_unlink (path);
  return saved;
}

static gpointer
run_add (gpointer data, WpProgress *progress, GError **error)
{
  const Work *work = data;
  char *text = NULL;
  gboolean done = TRUE;

  wp_store_session_take (work->session);
  if (work->analysis != NULL)
    done = save (work, &text, progress, error);
  for (guint i = 0; done && i < work->paths->len; i++)
    done = add (work, work->paths->pdata[i], work->minor, &text, progress, error);
  wp_store_session_leave (work->session);
  if (done)
    return outcome_new (text);
  g_free (text);
  return NULL;
}

/* Each with the commit it is of; one that does not say is of HEAD. */
static gpointer
run_register (gpointer data, WpProgress *progress, GError **error)
{
  const Work *work = data;
  gboolean done = TRUE;
  char sha1[41];

  wp_store_session_take (work->session);
  for (guint i = 0; done && i < work->profiles->len; i++)
    {
      const WpStoreEntry *entry = ((const WpStoreProfile *) work->profiles->pdata[i])->entry;
      gboolean own = *entry->origin != '\0';
      g_autofree char *path = wp_store_entry_file (work->session->store, entry);

      done = wp_store_add (work->session->store, own ? entry->origin : work->minor, path, own ? 0 : WP_STORE_ADD_FORCE, sha1, error);
    }
  wp_store_session_leave (work->session);
  return done ? outcome_new (g_strdup_printf (ngettext ("Registered %u profile", "Registered %u profiles", work->profiles->len),
                                              work->profiles->len))
              : NULL;
}

static gpointer
run_remove (gpointer data, WpProgress *progress, GError **error)
{
  const Work *work = data;
  gboolean done = TRUE;

  wp_store_session_take (work->session);
  for (guint i = 0; done && i < work->profiles->len; i++)
    {
      const WpStoreProfile *profile = work->profiles->pdata[i];

      done = *profile->minor != '\0' ? wp_store_remove (work->session->store, profile->minor, profile->entry, error)
                                     : wp_store_remove_pending (work->session->store, profile->entry, error);
    }
  wp_store_session_leave (work->session);
  return done ? outcome_new (g_strdup_printf (ngettext ("Removed %u profile", "Removed %u profiles", work->profiles->len),
                                              work->profiles->len))
              : NULL;
}

static void
on_worked (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  Outcome *outcome = result;

  self->working = NULL;
  if (outcome == NULL || outcome->text != NULL)
    wp_store_panel_toast (self, outcome != NULL ? outcome->text : error->message);
  if (outcome != NULL)
    outcome_free (outcome);
  wp_store_panel_update_actions (self);
  wp_store_panel_read (self);
}

static void
on_unpacked_to_open (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  Outcome *outcome = result;

  self->working = NULL;
  for (guint i = 0; outcome != NULL && i < outcome->paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (outcome->paths->pdata[i]);

      g_signal_emit_by_name (self, "open", file, outcome->names->pdata[i]);
    }
  if (outcome == NULL)
    wp_store_panel_toast (self, error->message);
  else
    outcome_free (outcome);
  wp_store_panel_update_actions (self);
}

static void
on_unpacked_to_compare (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  Outcome *outcome = result;

  self->working = NULL;
  for (guint i = 0; outcome != NULL && i + 1 < outcome->sides->len; i += 2)
    g_signal_emit_by_name (self, "compare", outcome->sides->pdata[i], outcome->sides->pdata[i + 1]);
  if (outcome == NULL)
    wp_store_panel_toast (self, error->message);
  if (outcome != NULL)
    outcome_free (outcome);
  wp_store_panel_update_actions (self);
}

/* --- what is selected ---------------------------------------------------------------------------------------------------------------- */

static GPtrArray *
selected_rows (WpStorePanel *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more; more = gtk_bitset_iter_next (&iter, &position))
    {
      WpStoreRow *row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

      if (row != NULL && wp_store_row_kind (row) == WP_STORE_ROW_HEADING) /* selected with all others */
        g_clear_object (&row);
      if (row != NULL)
        g_ptr_array_add (rows, row);
    }
  return rows;
}

static Work *
work_new (WpStorePanel *self)
{
  Work *work = g_new0 (Work, 1);
  g_autoptr (GPtrArray) rows = selected_rows (self);

  work->session = wp_store_session_ref (self->session);
  work->profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  work->paths = g_ptr_array_new_with_free_func (g_free);
  g_strlcpy (work->minor, self->head, sizeof work->minor);
  for (guint i = 0; i < rows->len; i++)
    if (wp_store_row_profile (rows->pdata[i]) != NULL)
      g_ptr_array_add (work->profiles, wp_store_profile_ref (wp_store_row_profile (rows->pdata[i])));
  return work;
}

static void
start (WpStorePanel *self, Work *work, WpJobRun run, WpJobDone done)
{
  if (self->working != NULL)
    {
      work_free (work);
      return;
    }
  self->working = wp_job_start (&(WpJobSpec) { .run = run,
                                               .done = done,
                                               .data = work,
                                               .free_data = work_free,
                                               .free_result = outcome_free,
                                               .user_data = self });
  wp_store_panel_update_actions (self);
}

/* --- the actions ------------------------------------------------------------------------------------------------------------------- */

static void
open_selected (WpStorePanel *self)
{
  start (self, work_new (self), run_unpack, on_unpacked_to_open);
}

void
wp_store_panel_open_row (WpStorePanel *self, guint position)
{
  g_autoptr (WpStoreRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  WpStoreCommit *commit = row != NULL ? wp_store_row_commit (row) : NULL;
  Work *work;

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
  start (self, work, run_unpack, on_unpacked_to_open);
}

/* What is explained is saved; a profile of another kind is the file. */
static void
save_here (WpStorePanel *self)
{
  Work *work = work_new (self);

  work->analysis = wp_page_share_analysis (self->page);
  work->recorded = g_strdup (wp_page_recorder_text (self->page, "commit"));
  if (work->analysis == NULL)
    g_ptr_array_add (work->paths, g_file_get_path (wp_page_file (self->page)));
  start (self, work, run_add, on_worked);
}

gboolean
wp_store_panel_drop (WpStorePanel *self, GSList *files)
{
  Work *work = work_new (self);

  for (GSList *l = files; l != NULL; l = l->next)
    if (g_file_peek_path (l->data) != NULL)
      g_ptr_array_add (work->paths, g_file_get_path (l->data));
  if (work->paths->len == 0 || self->working != NULL)
    {
      work_free (work);
      return FALSE;
    }
  start (self, work, run_add, on_worked);
  return TRUE;
}

static void
register_selected (WpStorePanel *self)
{
  start (self, work_new (self), run_register, on_worked);
}

static void
on_remove_response (AdwMessageDialog *dialog, const char *response, WpStorePanel *self)
{
  Work *work = g_object_steal_data (G_OBJECT (dialog), "work");

  if (work != NULL && g_str_equal (response, "remove") && !self->gone)
    start (self, work, run_remove, on_worked);
  else if (work != NULL)
    work_free (work);
}

static void
remove_selected (WpStorePanel *self)
{
  Work *work = work_new (self);
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
  g_object_set_data_full (G_OBJECT (dialog), "work", work, work_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_remove_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* The names of profiles, the hashes of commits. */
static void
copy_name (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = selected_rows (self);
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
  g_autoptr (GPtrArray) rows = selected_rows (self);
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
  g_autoptr (GPtrArray) rows = selected_rows (self), pairs = NULL;
  WpStoreRow *newer = rows->pdata[0], *older = rows->pdata[1];
  Work *work;

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
  start (self, work, run_unpack, on_unpacked_to_compare);
}

static void
show_history (WpStorePanel *self)
{
  g_signal_emit_by_name (self, "history", self->folder, self->branch);
}

/* The selected commits, or those of the selected profiles, each once and the oldest first: rows have the newest first. */
static char **
selected_commits (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = selected_rows (self);
  GPtrArray *hashes = g_ptr_array_new ();
  const WpStoreCommit *last = NULL;

  for (guint i = rows->len; i-- > 0;)
    {
      const WpStoreCommit *commit = wp_store_row_commit (rows->pdata[i]);

      if (commit != NULL && commit != last)
        g_ptr_array_add (hashes, g_strdup (commit->hash));
      last = commit != NULL ? commit : last;
    }
  g_ptr_array_add (hashes, NULL);
  return (char **) g_ptr_array_free (hashes, FALSE);
}

static void
profile_commits (WpStorePanel *self)
{
  g_auto (GStrv) commits = selected_commits (self);
  const char *branch = self->branch != NULL ? self->branch : self->head_branch;

  if (self->range == NULL)
    g_set_weak_pointer (&self->range, wp_range_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->folder,
                                                           commits, branch));
  gtk_window_present (GTK_WINDOW (self->range));
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

/* What the selection is made of, and what else is there. */
typedef struct
{
  guint rows, profiles, pending, problems, lost; /* lost: of an index that cannot be read */
  guint full;                                    /* commits that have profiles */
  gboolean store, head, page, folder;
} Facts;

static gboolean
can_open (const Facts *facts)
{
  return facts->profiles > 0 && facts->problems == 0;
}

static gboolean
can_save_here (const Facts *facts)
{
  return facts->store && facts->head && facts->page;
}

static gboolean
can_register (const Facts *facts)
{
  return facts->pending > 0 && facts->pending == facts->rows && facts->head;
}

/* Of one sort, so that the question is one. */
static gboolean
can_remove (const Facts *facts)
{
  return facts->profiles > 0 && facts->lost == 0 && (facts->pending == 0 || facts->pending == facts->profiles);
}

static gboolean
can_copy (const Facts *facts)
{
  return facts->rows > 0;
}

static gboolean
can_profile (const Facts *facts)
{
  return facts->store && facts->head;
}

static gboolean
can_reveal (const Facts *facts)
{
  return facts->profiles == 1 && facts->rows == 1 && facts->lost == 0;
}

static gboolean
can_compare (const Facts *facts)
{
  return facts->rows == 2 && facts->problems == 0 && (facts->profiles == 2 || facts->full == 2);
}

static gboolean
can_show_history (const Facts *facts)
{
  return facts->store && facts->head;
}

static gboolean
has_folder (const Facts *facts)
{
  return facts->folder;
}

static const struct
{
  const char *name;
  void (*activate) (WpStorePanel *self);
  gboolean (*enabled) (const Facts *facts); /* NULL: always */
  guint key;
  GdkModifierType modifiers;
} actions[] = {
  { "store.open", open_selected, can_open, 0, 0 },
  { "store.save-here", save_here, can_save_here, 0, 0 },
  { "store.register", register_selected, can_register, 0, 0 },
  { "store.remove", remove_selected, can_remove, GDK_KEY_Delete, 0 },
  { "store.copy-name", copy_name, can_copy, GDK_KEY_c, GDK_CONTROL_MASK },
  { "store.reveal", reveal, can_reveal, 0, 0 },
  { "store.compare", compare, can_compare, 0, 0 },
  { "store.history", show_history, can_show_history, 0, 0 },
  { "store.profile-commits", profile_commits, can_profile, 0, 0 },
  { "store.choose-folder", choose_folder, NULL, 0, 0 },
  { "store.create", wp_store_panel_create, has_folder, 0, 0 },
  { "store.refresh", wp_store_panel_read, has_folder, GDK_KEY_F5, 0 },
};

static Facts
gather (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = selected_rows (self);
  WpShared *analysis = self->page != NULL ? wp_page_share_analysis (self->page) : NULL;
  Facts facts = { .rows = rows->len,
                  .store = self->session != NULL && self->session->state == WP_STORE_OPEN,
                  .head = *self->head != '\0',
                  .page = analysis != NULL || (self->page != NULL && wp_page_shows_profile (self->page)),
                  .folder = self->folder != NULL };

  wp_shared_unref (analysis);
  for (guint i = 0; i < rows->len; i++)
    {
      const WpStoreProfile *profile = wp_store_row_profile (rows->pdata[i]);

      if (profile == NULL)
        {
          facts.full += wp_store_row_commit (rows->pdata[i])->profiles != NULL;
          continue;
        }
      facts.profiles++;
      facts.pending += *profile->minor == '\0';
      facts.problems += profile->entry->problem != NULL;
      facts.lost += *profile->minor != '\0' && *profile->entry->sha1 == '\0';
    }
  return facts;
}

void
wp_store_panel_update_actions (WpStorePanel *self)
{
  Facts facts;

  if (self->gone || self->selection == NULL)
    return;
  facts = gather (self);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name,
                                   actions[i].enabled == NULL || (self->working == NULL && actions[i].enabled (&facts)));
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
