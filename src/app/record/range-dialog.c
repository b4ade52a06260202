#include "app/record/range-dialog.h"

#include <glib/gi18n.h>

#include "workspace/range-choice.h"
#include "app/record/range-jobs.h"
#include "app/record/range-row.h"
#include "app/shell/log-window.h"
#include "app/store/trust-dialog.h"
#include "app/widgets/error-style.h"
#include "workspace/job.h"

struct _WpRangeDialog
{
  AdwWindow parent_instance;

  AdwComboRow *which, *what;
  AdwEntryRow *text, *build, *command;
  GtkWidget *newest_row;
  GtkSpinButton *newest, *repeat;
  GtkSwitch *again;
  GtkWidget *settings, *start_button, *stop_button;
  GtkLabel *summary;
  GtkListView *list;

  char *folder;
  char **selected;  /* in the Store page, oldest first; may be none */
  char **hashes;    /* of those that are listed; NULL: there are none */
  GArray *commits;  /* that are listed, as they were when the range told last: WpRangeCommit */
  WpRangeJobs *jobs; /* NULL: there is no store */
  WpStoreCommands *commands; /* that the store's settings name, as they were read with the jobs */
  char *filled_in;  /* what stood in `build` first */
  gboolean build_typed; /* nothing of that can be left there */
  WpJob *choosing;
  guint soon;       /* reads the choice, once typing has stopped */
  WpRange *range;   /* NULL before it was started */
  gboolean closing; /* once what is under way has stopped */
  guint close_source;
};

G_DEFINE_FINAL_TYPE (WpRangeDialog, wp_range_dialog, ADW_TYPE_WINDOW)

static gboolean
is_under_way (WpRangeDialog *self)
{
  return self->range != NULL && !wp_range_is_over (self->range);
}

/* Of the range that was started last, whether something is left that another start would do. */
static gboolean
is_left (WpRangeDialog *self)
{
  for (guint i = 0; self->range != NULL && i < self->commits->len; i++)
    {
      WpRangeState state = g_array_index (self->commits, WpRangeCommit, i).state;

      if (state == WP_RANGE_WAITING || state == WP_RANGE_FAILED)
        return TRUE;
    }
  return FALSE;
}

static void
update (WpRangeDialog *self)
{
  gboolean valid = self->jobs != NULL && wp_range_jobs_update (self->jobs);
  gboolean busy = is_under_way (self);

  gtk_widget_set_sensitive (self->settings, !busy);
  gtk_widget_set_sensitive (self->start_button, valid && self->hashes != NULL && self->choosing == NULL && self->soon == 0);
  gtk_button_set_label (GTK_BUTTON (self->start_button), is_left (self) ? _("Continue") : C_("button", "Start"));
  gtk_widget_set_visible (self->start_button, !busy);
  gtk_widget_set_visible (self->stop_button, busy);
}

static void
show_summary (WpRangeDialog *self, const char *text, gboolean wrong)
{
  gtk_label_set_text (self->summary, text);
  wp_set_wrong (GTK_WIDGET (self->summary), wrong);
}

/* --- the commits ------------------------------------------------------------------------------------------------------ */

static void
on_log (WpRangeRow *row, guint position, WpRangeDialog *self)
{
  const WpRangeCommit *commit = position < self->commits->len ? &g_array_index (self->commits, WpRangeCommit, position) : NULL;
  g_autofree char *title = NULL;

  if (commit == NULL || commit->log == NULL)
    return;
  title = g_strdup_printf (_("Log of %.8s"), commit->hash);
  gtk_window_present (GTK_WINDOW (wp_log_window_new (GTK_WINDOW (self), title, commit->log)));
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, WpRangeDialog *self)
{
  GtkWidget *row = wp_range_row_new ();

  g_signal_connect_object (row, "log", G_CALLBACK (on_log), self, 0);
  gtk_list_item_set_child (item, row);
  gtk_list_item_set_activatable (item, FALSE);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, WpRangeDialog *self)
{
  guint position = gtk_list_item_get_position (item);

  if (position < self->commits->len)
    wp_range_row_show (WP_RANGE_ROW (gtk_list_item_get_child (item)), &g_array_index (self->commits, WpRangeCommit, position), position);
}

/* Those that have a widget: of a long list, what is near to what is seen. */
static void
show_rows (WpRangeDialog *self)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      guint position = WP_IS_RANGE_ROW (row) ? wp_range_row_position (WP_RANGE_ROW (row)) : G_MAXUINT;

      if (position < self->commits->len)
        wp_range_row_show (WP_RANGE_ROW (row), &g_array_index (self->commits, WpRangeCommit, position), position);
    }
}

static void
take_over (WpRangeCommit *to, const WpRangeCommit *from)
{
  to->state = from->state;
  if (g_strcmp0 (to->problem, from->problem) != 0)
    {
      g_free (to->problem);
      to->problem = g_strdup (from->problem);
    }
  if (to->log == NULL)
    to->log = g_strdup (from->log);
}

/* A worker goes on with the range's own: what a row that is scrolled to shows is what was told last. */
static void
show_progress (WpRangeDialog *self)
{
  guint n, counts[WP_RANGE_FAILED + 1] = { 0 };
  const WpRangeCommit *commits = wp_range_commits (self->range, &n);
  g_autofree char *text = NULL;

  for (guint i = 0; i < MIN (n, self->commits->len); i++)
    {
      counts[commits[i].state]++;
      take_over (&g_array_index (self->commits, WpRangeCommit, i), &commits[i]);
    }
  show_rows (self);
  if (wp_range_error (self->range) != NULL)
    text = g_strdup (wp_range_error (self->range)->message);
  else
    text = g_strdup_printf (_("%u of %u commits: %u registered, %u profiled before, %u failed"),
                            counts[WP_RANGE_DONE] + counts[WP_RANGE_PASSED_OVER] + counts[WP_RANGE_FAILED], n,
                            counts[WP_RANGE_DONE], counts[WP_RANGE_PASSED_OVER], counts[WP_RANGE_FAILED]);
  show_summary (self, text, wp_range_error (self->range) != NULL);
}

/* Rows take what they show from `commits`, by their position. */
static void
show_list (WpRangeDialog *self)
{
  GListModel *list = G_LIST_MODEL (gtk_string_list_new ((const char *const *) self->hashes));
  g_autoptr (GtkNoSelection) model = gtk_no_selection_new (list);

  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (model));
}

static void
clear_commits (WpRangeDialog *self)
{
  gtk_list_view_set_model (self->list, NULL);
  g_array_set_size (self->commits, 0);
  g_clear_pointer (&self->hashes, g_strfreev);
  g_clear_pointer (&self->range, wp_range_free);
}

static void
show_picks (WpRangeDialog *self, const GArray *picks)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u commit", "%u commits", picks->len), picks->len);

  self->hashes = g_new0 (char *, picks->len + 1);
  for (guint i = 0; i < picks->len; i++)
    {
      const WpRangePick *pick = &g_array_index (picks, WpRangePick, i);
      WpRangeCommit commit = { .state = WP_RANGE_WAITING, .subject = g_strdup (pick->subject) };

      g_strlcpy (commit.hash, pick->hash, sizeof commit.hash);
      g_array_append_val (self->commits, commit);
      self->hashes[i] = g_strdup (pick->hash);
    }
  show_list (self);
  show_summary (self, text, FALSE);
}

static void
on_chosen (gpointer result, const GError *error, gpointer data)
{
  WpRangeDialog *self = data;
  g_autoptr (GArray) picks = result;

  self->choosing = NULL;
  clear_commits (self);
  if (picks != NULL)
    show_picks (self, picks);
  else
    show_summary (self, error->message, TRUE);
  update (self);
}

/* What the rows of `which` stand for: the selected commits, if there are any; a range; each branch. */
static WpRangeChoice *
choice (WpRangeDialog *self)
{
  WpRangeChoice *chosen = g_new0 (WpRangeChoice, 1);
  guint at = adw_combo_row_get_selected (self->which) + (self->selected[0] == NULL);
  GtkStringObject *item = adw_combo_row_get_selected_item (self->which);

  chosen->folder = g_strdup (self->folder);
  if (at == 0)
    chosen->hashes = g_strdupv (self->selected);
  else if (at == 1)
    chosen->text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->text)));
  else
    chosen->branch = g_strdup (gtk_string_object_get_string (item));
  chosen->newest = (guint) gtk_spin_button_get_value_as_int (self->newest);
  return chosen;
}

static gboolean
read_choice (gpointer data)
{
  WpRangeDialog *self = data;

  self->soon = 0;
  wp_job_drop (&self->choosing);
  self->choosing = wp_job_start (&(WpJobSpec) { .run = wp_range_choice_read,
                                                .done = on_chosen,
                                                .data = choice (self),
                                                .free_data = wp_range_choice_free,
                                                .free_result = (GDestroyNotify) g_array_unref,
                                                .user_data = self });
  update (self);
  return G_SOURCE_REMOVE;
}

#define TYPING 250 /* ms */

static void
on_choice (WpRangeDialog *self)
{
  guint at = adw_combo_row_get_selected (self->which) + (self->selected[0] == NULL);

  gtk_widget_set_visible (GTK_WIDGET (self->text), at == 1);
  gtk_widget_set_visible (self->newest_row, at > 1 && at != GTK_INVALID_LIST_POSITION);
  g_clear_handle_id (&self->soon, g_source_remove);
  self->soon = g_timeout_add (TYPING, read_choice, self);
  update (self);
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static gboolean
close_now (gpointer data)
{
  WpRangeDialog *self = data;

  self->close_source = 0;
  gtk_window_destroy (GTK_WINDOW (self));
  return G_SOURCE_REMOVE;
}

static void
on_change (WpRange *range, gpointer data)
{
  WpRangeDialog *self = data;

  show_progress (self);
  update (self);
  if (self->closing && wp_range_is_over (range) && self->close_source == 0)
    self->close_source = g_idle_add (close_now, self); /* a range is not freed within its own call */
}

static void
start (WpRangeDialog *self)
{
  const char *build = gtk_editable_get_text (GTK_EDITABLE (self->build));
  WpRangeOptions options = { .folder = self->folder, .commits = self->hashes,
                             .build = *build != '\0' ? (char *) build : NULL,
                             .repeat = (guint) gtk_spin_button_get_value_as_int (self->repeat),
                             .again = gtk_switch_get_active (self->again) };

  wp_range_jobs_choose (self->jobs, &options);
  g_clear_pointer (&self->range, wp_range_free);
  self->range = wp_range_new (&options, on_change, self);
  wp_range_start (self->range);
  update (self);
}

/* Of a line that was only edited most may not have been seen; but for undoing, one that begins anew is the user's own. */
static gboolean
builds_by_settings (WpRangeDialog *self)
{
  const char *build = gtk_editable_get_text (GTK_EDITABLE (self->build));

  return self->commands->build[0] != NULL && *build != '\0' && (!self->build_typed || g_str_equal (build, self->filled_in));
}

static void
on_build_deleted (GtkEditable *editable, int start, int end, WpRangeDialog *self)
{
  int n = (int) g_utf8_strlen (gtk_editable_get_text (editable), -1);

  if (start == 0 && (end < 0 || end >= n))
    self->build_typed = TRUE;
}

static void
on_trust_response (AdwMessageDialog *dialog, const char *response, WpRangeDialog *self)
{
  g_autoptr (GError) error = NULL;

  if (!g_str_equal (response, WP_TRUST_DIALOG_TRUST))
    return;
  if (wp_store_trust (self->commands, &error))
    start (self);
  else
    show_summary (self, error->message, TRUE);
}

/* What the settings name is shown first, unless it has been trusted. */
static void
on_start (GtkButton *button, WpRangeDialog *self)
{
  gboolean programs = self->commands->programs[0] != NULL && !wp_range_jobs_is_typed (self->jobs);
  GtkWidget *dialog;

  if ((!programs && !builds_by_settings (self)) || wp_store_is_trusted (self->commands))
    {
      start (self);
      return;
    }
  dialog = wp_trust_dialog_new (GTK_WINDOW (self), self->commands);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_trust_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_stop (GtkButton *button, WpRangeDialog *self)
{
  wp_range_stop (self->range);
}

/* What was begun is cleaned away first. */
static gboolean
wp_range_dialog_close_request (GtkWindow *window)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (window);

  if (!is_under_way (self))
    return GTK_WINDOW_CLASS (wp_range_dialog_parent_class)->close_request (window);
  self->closing = TRUE;
  wp_range_stop (self->range);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  return TRUE;
}

/* --- begin and end ----------------------------------------------------------------------------------------------------- */

/* As the store's settings have it. */
static void
fill_in (WpRangeDialog *self, WpStore *store)
{
  g_autofree char *build = wp_store_build_line (store);

  self->filled_in = g_strdup (build != NULL ? build : "");
  gtk_editable_set_text (GTK_EDITABLE (self->build), self->filled_in);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->build)), "delete-text", G_CALLBACK (on_build_deleted), self, 0);
  self->jobs = wp_range_jobs_new (store, self->what, self->command);
  self->commands = wp_store_commands_new (store);
}

static void
wp_range_dialog_dispose (GObject *object)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (object);

  wp_job_drop (&self->choosing);
  g_clear_handle_id (&self->soon, g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);
  g_clear_pointer (&self->range, wp_range_free);
  g_clear_pointer (&self->jobs, wp_range_jobs_free);
  g_clear_pointer (&self->commands, wp_store_commands_free);
  g_clear_pointer (&self->filled_in, g_free);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->selected, g_strfreev);
  g_clear_pointer (&self->hashes, g_strfreev);
  g_array_set_size (self->commits, 0);
  G_OBJECT_CLASS (wp_range_dialog_parent_class)->dispose (object);
}

static void
wp_range_dialog_finalize (GObject *object)
{
  g_array_unref (WP_RANGE_DIALOG (object)->commits);
  G_OBJECT_CLASS (wp_range_dialog_parent_class)->finalize (object);
}

static void
wp_range_dialog_class_init (WpRangeDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_range_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_range_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = wp_range_dialog_close_request;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/range-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, which);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, what);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, text);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, newest_row);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, newest);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, build);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, command);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, repeat);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, again);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, settings);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, start_button);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, stop_button);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, summary);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, list);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, on_choice);
  gtk_widget_class_bind_template_callback (widget_class, on_start);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
wp_range_dialog_init (WpRangeDialog *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->commits = g_array_new (FALSE, TRUE, sizeof (WpRangeCommit));
  g_array_set_clear_func (self->commits, wp_range_commit_clear);
  self->selected = g_new0 (char *, 1);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
}

/* What can be chosen. Returns where the branch stands, or the first of all. */
static guint
fill_which (WpRangeDialog *self, WpStore *store, const char *branch)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autoptr (GArray) branches = wp_store_vcs (store) != NULL ? wp_vcs_branches (wp_store_vcs (store), NULL) : NULL;
  guint n = g_strv_length (self->selected), at = 0;
  g_autofree char *selected = g_strdup_printf (ngettext ("%u selected", "%u selected", n), n);

  if (n > 0)
    gtk_string_list_append (list, selected);
  gtk_string_list_append (list, _("Range"));
  for (guint i = 0; branches != NULL && i < branches->len; i++)
    {
      const char *name = g_array_index (branches, WpMajorVersion, i).name;

      if (n == 0 && g_strcmp0 (name, branch) == 0)
        at = g_list_model_get_n_items (G_LIST_MODEL (list));
      gtk_string_list_append (list, name);
    }
  adw_combo_row_set_model (self->which, G_LIST_MODEL (list));
  return at;
}

GtkWidget *
wp_range_dialog_new (GtkWindow *parent, const char *folder, char **commits, const char *branch)
{
  WpRangeDialog *self = g_object_new (WP_TYPE_RANGE_DIALOG, "transient-for", parent, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = wp_store_open (folder, &error);

  self->folder = g_strdup (folder);
  g_strfreev (self->selected);
  self->selected = g_strdupv (commits);
  if (store == NULL)
    {
      show_summary (self, error->message, TRUE);
      gtk_widget_set_sensitive (self->settings, FALSE);
      update (self);
      return GTK_WIDGET (self);
    }
  fill_in (self, store);
  adw_combo_row_set_selected (self->which, fill_which (self, store, branch));
  on_choice (self);
  return GTK_WIDGET (self);
}
