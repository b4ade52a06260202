#include "app/record/range-dialog.h"

#include <glib/gi18n.h>

#include "app/record/range-row.h"
#include "app/shell/log-window.h"
#include "app/shell/settings.h"
#include "app/store/trust-dialog.h"
#include "app/widgets/error-style.h"
#include "app/widgets/question.h"
#include "workspace/worker.h"
#include "workspace/range/range-choice.h"
#include "workspace/range/range-list.h"
#include "workspace/range/range-matrix.h"
#include "workspace/range/range-trust.h"

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
  WpRangeChoices *choices; /* rows of `which`; NULL: there is no store, and so it is with the next two */
  WpRangeMatrix *matrix;   /* rows of `what` */
  WpRangeTrust *trust;
  WpRangeList *listed;     /* commits */
  WpWorker *choosing;
  guint soon;              /* reads the choice, once typing has stopped */
  WpRange *range;          /* NULL before it was started */
  gboolean closing; /* once what is under way has stopped */
  const char *then; /* an action of the parent, to be done after that; or NULL */
  guint close_source;
};

G_DEFINE_FINAL_TYPE (WpRangeDialog, wp_range_dialog, ADW_TYPE_WINDOW)

static gboolean
is_under_way (WpRangeDialog *self)
{
  return self->range != NULL && !wp_range_is_over (self->range);
}

static gboolean
is_typed (WpRangeDialog *self)
{
  return wp_range_matrix_is_typed (self->matrix, adw_combo_row_get_selected (self->what));
}

static const char *
text_of (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

/* Shows the entry where a command is to be typed. Gives whether something is chosen that can be run. */
static gboolean
show_what (WpRangeDialog *self)
{
  guint row = adw_combo_row_get_selected (self->what);
  g_autofree char *description = wp_range_matrix_describe (self->matrix, row);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->what), description);
  gtk_widget_set_visible (GTK_WIDGET (self->command), is_typed (self));
  return wp_range_matrix_can_run (self->matrix, row, text_of (self->command));
}

static void
update (WpRangeDialog *self)
{
  gboolean valid = self->matrix != NULL && show_what (self);
  gboolean busy = is_under_way (self), left = self->range != NULL && wp_range_list_is_left (self->listed);

  gtk_widget_set_sensitive (self->settings, !busy);
  gtk_widget_set_sensitive (self->start_button, valid && self->listed->hashes != NULL && self->choosing == NULL && self->soon == 0);
  gtk_button_set_label (GTK_BUTTON (self->start_button), left ? _("Continue") : C_("button", "Start"));
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
  const WpRangeCommit *commit = wp_range_list_get (self->listed, position);
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
  const WpRangeCommit *commit = wp_range_list_get (self->listed, position);

  if (commit != NULL)
    wp_range_row_show (WP_RANGE_ROW (gtk_list_item_get_child (item)), commit, position);
}

/* Those that have a widget: of a long list, what is near to what is seen. */
static void
show_rows (WpRangeDialog *self)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      guint position = WP_IS_RANGE_ROW (row) ? wp_range_row_position (WP_RANGE_ROW (row)) : G_MAXUINT;
      const WpRangeCommit *commit = wp_range_list_get (self->listed, position);

      if (commit != NULL)
        wp_range_row_show (WP_RANGE_ROW (row), commit, position);
    }
}

static void
show_progress (WpRangeDialog *self)
{
  const GError *error = wp_range_error (self->range);
  g_autofree char *text = NULL;

  wp_range_list_take (self->listed, self->range);
  show_rows (self);
  text = error != NULL ? g_strdup (error->message) : wp_range_list_summary (self->listed);
  show_summary (self, text, error != NULL);
}

/* Rows take what they show from the list, by their position. */
static void
show_picks (WpRangeDialog *self, const GArray *picks)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u commit", "%u commits", picks->len), picks->len);
  g_autoptr (GtkNoSelection) model = NULL;

  wp_range_list_set (self->listed, picks);
  model = gtk_no_selection_new (G_LIST_MODEL (gtk_string_list_new ((const char *const *) self->listed->hashes)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (model));
  show_summary (self, text, FALSE);
}

static void
on_chosen (gpointer result, const GError *error, gpointer data)
{
  WpRangeDialog *self = data;
  g_autoptr (GArray) picks = result;

  self->choosing = NULL;
  gtk_list_view_set_model (self->list, NULL);
  wp_range_list_set (self->listed, NULL);
  g_clear_pointer (&self->range, wp_range_free);
  if (picks != NULL)
    show_picks (self, picks);
  else
    show_summary (self, error->message, TRUE);
  update (self);
}

static WpRangeChoice *
choice (WpRangeDialog *self)
{
  return wp_range_choices_take (self->choices, adw_combo_row_get_selected (self->which), text_of (self->text),
                                (guint) gtk_spin_button_get_value_as_int (self->newest));
}

static gboolean
read_choice (gpointer data)
{
  WpRangeDialog *self = data;

  self->soon = 0;
  wp_worker_drop (&self->choosing);
  self->choosing = wp_worker_start (&(WpWorkerSpec) { .run = wp_range_choice_read,
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
  WpRangeSort sort;

  if (self->choices == NULL || adw_combo_row_get_selected (self->which) == GTK_INVALID_LIST_POSITION)
    return;
  sort = wp_range_choices_sort (self->choices, adw_combo_row_get_selected (self->which));
  gtk_widget_set_visible (GTK_WIDGET (self->text), sort == WP_RANGE_BY_TEXT);
  gtk_widget_set_visible (self->newest_row, sort == WP_RANGE_BY_BRANCH);
  g_clear_handle_id (&self->soon, g_source_remove);
  self->soon = g_timeout_add (TYPING, read_choice, self);
  update (self);
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static gboolean
close_now (gpointer data)
{
  WpRangeDialog *self = data;
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (self));
  g_autoptr (GtkWindow) parent = window != NULL ? g_object_ref (window) : NULL;
  const char *then = self->then;

  self->close_source = 0;
  gtk_window_destroy (GTK_WINDOW (self));
  if (then != NULL && parent != NULL)
    gtk_widget_activate_action (GTK_WIDGET (parent), then, NULL);
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
  const char *build = text_of (self->build);
  WpRangeOptions options = { .folder = self->folder, .commits = self->listed->hashes,
                             .build = *build != '\0' ? (char *) build : NULL,
                             .repeat = (guint) gtk_spin_button_get_value_as_int (self->repeat),
                             .again = gtk_switch_get_active (self->again) };

  wp_range_matrix_choose (self->matrix, adw_combo_row_get_selected (self->what), text_of (self->command), &options);
  g_clear_pointer (&self->range, wp_range_free);
  self->range = wp_range_new (&options, on_change, self);
  wp_range_start (self->range);
  update (self);
}

static void
on_build_deleted (GtkEditable *editable, int start_at, int end, WpRangeDialog *self)
{
  wp_range_trust_build_deleted (self->trust, gtk_editable_get_text (editable), start_at, end);
}

static void
on_trust_response (AdwMessageDialog *dialog, const char *response, WpRangeDialog *self)
{
  g_autoptr (GError) error = NULL;

  if (!g_str_equal (response, WP_TRUST_DIALOG_TRUST))
    return;
  if (wp_store_trust (self->trust->commands, &error))
    start (self);
  else
    show_summary (self, error->message, TRUE);
}

/* What the settings name is shown first, unless it has been trusted. */
static void
on_start (GtkButton *button, WpRangeDialog *self)
{
  GtkWidget *dialog;

  if (!wp_range_trust_asks (self->trust, text_of (self->build), is_typed (self)))
    {
      start (self);
      return;
    }
  dialog = wp_trust_dialog_new (GTK_WINDOW (self), self->trust->commands);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_trust_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_stop (GtkButton *button, WpRangeDialog *self)
{
  wp_range_stop (self->range);
}

/* What was begun is cleaned away before it closes. */
static void
on_close_answer (WpReply reply, gpointer data)
{
  WpRangeDialog *self = data;

  if (reply == WP_REPLY_CANCEL)
    return;
  self->closing = TRUE;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (is_under_way (self))
    wp_range_stop (self->range);
  else if (self->close_source == 0)
    self->close_source = g_idle_add (close_now, self);
}

static void
ask (WpRangeDialog *self, const char *then)
{
  AdwMessageDialog *question;

  self->then = then;
  if (wp_question_show_open (GTK_WINDOW (self)))
    return;
  question = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), _("Stop Profiling Commits?"),
                                                         _("What is registered stays. The next time it goes on with the commits that are left.")));
  adw_message_dialog_add_responses (question, "cancel", _("_Go On"), "stop", _("_Stop and Close"), NULL);
  adw_message_dialog_set_response_appearance (question, "stop", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (question, "cancel");
  adw_message_dialog_set_close_response (question, "cancel");
  wp_question_ask (question, on_close_answer, G_OBJECT (self));
}

gboolean
wp_range_dialog_is_closing (WpRangeDialog *self)
{
  return self->closing;
}

gboolean
wp_range_dialog_holds (WpRangeDialog *self, const char *action)
{
  if (!is_under_way (self))
    return FALSE;
  if (self->closing) /* what waits for its end is done then */
    {
      self->then = action;
      return TRUE;
    }
  gtk_window_present (GTK_WINDOW (self));
  ask (self, action);
  return TRUE;
}

static gboolean
wp_range_dialog_close_request (GtkWindow *window)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (window);

  if (!is_under_way (self))
    return GTK_WINDOW_CLASS (wp_range_dialog_parent_class)->close_request (window);
  ask (self, NULL);
  return TRUE;
}

/* --- begin and end ----------------------------------------------------------------------------------------------------- */

static void
wp_range_dialog_dispose (GObject *object)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (object);

  wp_worker_drop (&self->choosing);
  g_clear_handle_id (&self->soon, g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);
  g_clear_pointer (&self->range, wp_range_free);
  g_clear_pointer (&self->choices, wp_range_choices_free);
  g_clear_pointer (&self->matrix, wp_range_matrix_free);
  g_clear_pointer (&self->trust, wp_range_trust_free);
  G_OBJECT_CLASS (wp_range_dialog_parent_class)->dispose (object);
}

static void
wp_range_dialog_finalize (GObject *object)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (object);

  wp_range_list_free (self->listed);
  g_free (self->folder);
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

  self->listed = wp_range_list_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_spin_button_set_value (self->repeat, wp_settings_int ("range-repeat", 4));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
}

static GListModel *
list_of (const char *const *names)
{
  return G_LIST_MODEL (gtk_string_list_new (names));
}

/* As the store's settings have it. */
static void
fill_in (WpRangeDialog *self, WpStore *store, char **commits, const char *branch)
{
  g_auto (GStrv) names = NULL;
  g_autoptr (GListModel) which = NULL, what = NULL;

  self->trust = wp_range_trust_new (store);
  gtk_editable_set_text (GTK_EDITABLE (self->build), self->trust->build);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->build)), "delete-text", G_CALLBACK (on_build_deleted), self, 0);
  self->matrix = wp_range_matrix_new (store);
  names = wp_range_matrix_names (self->matrix);
  what = list_of ((const char *const *) names);
  adw_combo_row_set_model (self->what, what);
  gtk_widget_set_visible (GTK_WIDGET (self->what), wp_range_matrix_offers (self->matrix));
  self->choices = wp_range_choices_new (self->folder, commits, store);
  which = list_of (wp_range_choices_names (self->choices));
  adw_combo_row_set_model (self->which, which);
  adw_combo_row_set_selected (self->which, wp_range_choices_first (self->choices, branch));
}

GtkWidget *
wp_range_dialog_new (GtkWindow *parent, const char *folder, char **commits, const char *branch)
{
  WpRangeDialog *self = g_object_new (WP_TYPE_RANGE_DIALOG, "transient-for", parent, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = wp_store_open (folder, &error);

  self->folder = g_strdup (folder);
  if (store == NULL)
    {
      show_summary (self, error->message, TRUE);
      gtk_widget_set_sensitive (self->settings, FALSE);
      update (self);
      return GTK_WIDGET (self);
    }
  fill_in (self, store, commits, branch);
  on_choice (self);
  return GTK_WIDGET (self);
}
