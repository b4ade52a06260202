#include "app/record/record-dialog.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/wait.h>

#include "app/record/live-view.h"
#include "app/record/record-live.h"
#include "app/record/record-setup.h"
#include "app/shell/log-window.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "record/recorder.h"

struct _WpRecordDialog
{
  AdwWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack; /* "setup", "recording", "failed" */
  WpRecordSetup *setup;
  GtkWidget *record_button;
  WpRecordLive *live;
  WpLiveView *live_view;
  AdwStatusPage *failed;
  GtkWidget *back_button, *keep_button; /* opens what was recorded before it failed */

  GtkWindow *parent; /* weak */
  GtkWindow *question; /* weak: whether what is recorded is kept, while that is asked */
  const char *then;  /* the action of the parent that waits for its answer, or NULL */
  char *title; /* of the recording's tab */
  WpRecordOptions options; /* of the recorder, and of the one for the next run */
  WpRecorder *recorder;
  guint run;            /* of the command, where one has to be long enough; else 0 */
  GPtrArray *snapshots; /* Snapshot, those that are not finished yet */
  guint taken;          /* snapshots of this recording */
  guint handing_over, next_run; /* sources */
  gboolean refused; /* a toast says why what was chosen cannot be recorded */
};

typedef struct
{
  WpRecordDialog *dialog;
  char *path, *title;
} Snapshot;

enum
{
  SIGNAL_RECORDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Pixels of the window. */
#define SETUP_WIDTH 720
#define RECORDING_WIDTH 1180
#define RECORDING_HEIGHT 740

G_DEFINE_FINAL_TYPE (WpRecordDialog, wp_record_dialog, ADW_TYPE_WINDOW)

/* Recordings are kept among the user's data until the user removes them. A process may have any name. */
static char *
new_output (const char *name)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "wakepath", "recordings", NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/", '-'), *file = g_strdup_printf ("%s-%s.perf", plain, time);

  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, file, NULL);
}

/* --- recording --- */

static void begin_recorder (WpRecordDialog *self);

/* While it records there is much to see. What had the keyboard goes with its page, and would swallow the next key. */
static void
show_page (WpRecordDialog *self, const char *name)
{
  gboolean records = g_str_equal (name, "recording");

  gtk_window_set_default_size (GTK_WINDOW (self), records ? RECORDING_WIDTH : SETUP_WIDTH, records ? RECORDING_HEIGHT : -1);
  gtk_stack_set_visible_child_name (self->stack, name);
  gtk_window_set_focus (GTK_WINDOW (self), NULL);
  if (!records)
    gtk_widget_grab_focus (g_str_equal (name, "failed") ? self->back_button : self->record_button);
}

static void
show_failure (WpRecordDialog *self)
{
  const GError *error = wp_recorder_error (self->recorder);
  g_autofree char *text = wp_record_sentence (error != NULL ? error->message : _("Nobody knows why."));
  gboolean saves = wp_recorder_saves_snapshots (self->recorder);

  wp_status_page_say (self->failed, text);
  gtk_widget_set_sensitive (self->back_button, !saves);
  gtk_widget_set_sensitive (self->keep_button, !saves); /* the dialog goes then, and would take them along */
  gtk_widget_set_visible (self->keep_button,
                          wp_recorder_output (self->recorder) != NULL
                            && g_file_test (wp_recorder_output (self->recorder), G_FILE_TEST_IS_REGULAR));
  show_page (self, "failed");
}

/* "make ended with status 2"; NULL: no command was recorded. */
static char *
describe_end (WpRecordDialog *self)
{
  int status = wp_recorder_command_status (self->recorder);

  if (self->options.command == NULL)
    return NULL;
  if (status == -1)
    return g_strdup_printf (_("%s goes on running (process %d)"), self->title, (int) wp_recorder_command_pid (self->recorder));
  if (WIFEXITED (status))
    return g_strdup_printf (_("%s ended with status %d"), self->title, WEXITSTATUS (status));
  return g_strdup_printf (_("%s was ended by signal %d (%s)"), self->title, WTERMSIG (status), g_strsignal (WTERMSIG (status)));
}

/* Of a command that has printed nothing no file is left. */
static void
keep_printed (WpRecordDialog *self)
{
  GStatBuf status;

  if (self->options.command_output != NULL && g_stat (self->options.command_output, &status) == 0 && status.st_size == 0
      && wp_recorder_command_status (self->recorder) != -1)
    g_unlink (self->options.command_output);
}

static void
drop_question (WpRecordDialog *self)
{
  if (self->question != NULL)
    gtk_window_destroy (self->question);
}

static void
hand_over (WpRecordDialog *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (wp_recorder_output (self->recorder));
  g_autofree char *end = describe_end (self);

  drop_question (self);
  keep_printed (self);
  g_signal_emit (self, signals[SIGNAL_RECORDED], 0, file, self->title, end);
  gtk_window_destroy (GTK_WINDOW (self));
}

static gboolean
hand_over_now (gpointer data)
{
  WpRecordDialog *self = data;

  self->handing_over = 0;
  hand_over (self);
  return G_SOURCE_REMOVE;
}

static gboolean
run_again (gpointer data)
{
  WpRecordDialog *self = data;
  gint64 took_us = wp_recorder_counters (self->recorder)->elapsed_us;

  self->next_run = 0;
  wp_record_live_set_run (self->live, ++self->run, took_us);
  begin_recorder (self);
  return G_SOURCE_REMOVE;
}

static void
show_printed (WpRecordDialog *self)
{
  const char *printed = self->options.command_output;
  g_autofree char *line = printed != NULL ? wp_recorder_last_line (printed) : NULL;

  wp_record_live_set_printed (self->live, printed != NULL, line);
}

/* A snapshot may outlive the recording, which tells then, too, that something has changed. */
static void
on_recorder_changed (WpRecorder *recorder, gpointer data)
{
  WpRecordDialog *self = data;
  WpRecorderState state = wp_recorder_state (recorder);

  if (g_error_matches (wp_recorder_error (recorder), WP_RECORD_ERROR, WP_RECORD_ERROR_SHORT))
    {
      if (!wp_recorder_saves_snapshots (recorder) && self->next_run == 0)
        self->next_run = g_idle_add (run_again, self);
      return;
    }
  wp_record_live_show (self->live, recorder);
  wp_live_view_show (self->live_view, recorder);
  show_printed (self);
  if (state == WP_RECORDER_FAILED)
    show_failure (self);
  else if (state == WP_RECORDER_DONE && !wp_recorder_saves_snapshots (recorder) && self->handing_over == 0)
    self->handing_over = g_idle_add (hand_over_now, self); /* not from within the recorder's own call */
}

/* Before, it belongs to the window that it came from; while it records both stand for themselves, and that window can be used. */
static void
set_apart (WpRecordDialog *self, gboolean apart)
{
  g_autofree char *title = apart ? g_strdup_printf (_("Recording %s"), self->title) : g_strdup (_("Record"));

  gtk_window_set_modal (GTK_WINDOW (self), !apart);
  gtk_window_set_transient_for (GTK_WINDOW (self), apart ? NULL : self->parent);
  if (self->parent != NULL)
    gtk_window_set_application (GTK_WINDOW (self), gtk_window_get_application (self->parent));
  gtk_window_set_title (GTK_WINDOW (self), title);
  show_page (self, apart ? "recording" : "setup");
}

static void
end_recorder (WpRecordDialog *self)
{
  g_clear_handle_id (&self->handing_over, g_source_remove);
  g_clear_handle_id (&self->next_run, g_source_remove);
  g_clear_pointer (&self->recorder, wp_recorder_free);
  g_ptr_array_set_size (self->snapshots, 0); /* which are not told of any more */
}

static void
begin_recorder (WpRecordDialog *self)
{
  end_recorder (self);
  self->recorder = wp_recorder_new (&self->options, on_recorder_changed, self);
  wp_recorder_start (self->recorder);
}

/* Why something could not be recorded is told until something else is chosen. */
static void
forget_refusal (WpRecordDialog *self)
{
  if (self->refused)
    wp_toast_dismiss (self->toasts);
  self->refused = FALSE;
}

static void
on_record (WpRecordDialog *self)
{
  WpRecordOptions options = { 0 };
  g_autofree char *interest = NULL;
  g_autoptr (GError) error = NULL;
  char *name = wp_record_setup_take (self->setup, &options, &interest, &error);

  if (name == NULL)
    {
      wp_toast (self->toasts, error->message);
      self->refused = TRUE;
      wp_record_options_clear (&options);
      return;
    }
  forget_refusal (self);
  wp_record_setup_keep (self->setup);
  options.output = new_output (name);
  options.command_output = options.command != NULL ? wp_recorder_command_output_of (options.output) : NULL;
  g_free (self->title);
  self->title = name;

  wp_record_options_clear (&self->options);
  self->options = options;

  self->taken = 0;
  self->run = options.longer > 0;
  set_apart (self, TRUE);
  wp_record_live_set_interest (self->live, interest);
  wp_record_live_set_run (self->live, self->run, 0);
  wp_record_live_set_keep (self->live, options.keep);
  wp_record_live_focus (self->live);
  begin_recorder (self);
}

static void
on_setup_changed (WpRecordDialog *self)
{
  gtk_widget_set_sensitive (self->record_button, wp_record_setup_is_ready (self->setup));
  if (self->refused && wp_record_setup_can_take (self->setup))
    forget_refusal (self);
}

/* The window becomes as high as what is to be chosen needs. */
static void
on_setup_turned (WpRecordDialog *self)
{
  int width, height;

  forget_refusal (self);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), width, -1);
}

static void
on_setup_activated (WpRecordDialog *self)
{
  if (gtk_widget_get_sensitive (self->record_button))
    on_record (self);
}

static void
on_setup_cancelled (WpRecordDialog *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

/* --- steering --- */

static void
on_pause (WpRecordLive *live, WpRecordDialog *self)
{
  wp_recorder_pause (self->recorder);
  wp_record_live_show (self->live, self->recorder);
}

static void
on_resume (WpRecordLive *live, WpRecordDialog *self)
{
  wp_recorder_resume (self->recorder);
  wp_record_live_show (self->live, self->recorder);
}

static void
on_rate_followed (WpRecorder *recorder, const GError *error, gpointer data)
{
  WpRecordDialog *self = data;

  wp_record_live_rate_is_set (self->live);
  wp_record_live_show (self->live, recorder);
}

static void
on_rate (WpRecordLive *live, guint rate, WpRecordDialog *self)
{
  wp_recorder_set_rate (self->recorder, rate);
  wp_recorder_when_followed (self->recorder, on_rate_followed, self);
}

static void
on_sample (WpRecordLive *live, gboolean chosen, WpRecordDialog *self)
{
  wp_recorder_sample_chosen (self->recorder, chosen);
}

static void
on_interest (WpRecordLive *live, int pid, WpRecordDialog *self)
{
  wp_recorder_set_interest (self->recorder, pid);
}

static void
snapshot_free (gpointer data)
{
  Snapshot *self = data;

  g_free (self->path);
  g_free (self->title);
  g_free (self);
}

static void
on_snapshot_saved (WpRecorder *recorder, const GError *error, gpointer data)
{
  Snapshot *snapshot = data;
  WpRecordDialog *self = snapshot->dialog;
  g_autofree char *text = NULL;

  if (error != NULL)
    text = g_strdup_printf (_("No snapshot: %s"), error->message);
  else
    {
      g_autoptr (GFile) file = g_file_new_for_path (snapshot->path);

      g_signal_emit (self, signals[SIGNAL_RECORDED], 0, file, snapshot->title, NULL);
      text = g_strdup_printf (_("%s is saved, and open in the main window"), snapshot->title);
    }
  wp_toast (self->toasts, text);
  g_ptr_array_remove (self->snapshots, snapshot);
  wp_record_live_show (self->live, recorder);
}

static void
on_snapshot (WpRecordLive *live, WpRecordDialog *self)
{
  Snapshot *snapshot = g_new0 (Snapshot, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");

  snapshot->dialog = self;
  snapshot->path = wp_recorder_snapshot_name (self->recorder, ++self->taken);
  snapshot->title = g_strdup_printf (_("Snapshot %u of %s, %s"), self->taken, self->title, time);
  g_ptr_array_add (self->snapshots, snapshot);
  wp_recorder_snapshot (self->recorder, snapshot->path, on_snapshot_saved, snapshot);
  wp_record_live_show (self->live, self->recorder);
}

/* Between two runs the next one is as good as starting. */
static WpRecorderState
state_of (WpRecordDialog *self)
{
  if (self->next_run != 0)
    return WP_RECORDER_STARTING;
  return self->recorder != NULL ? wp_recorder_state (self->recorder) : WP_RECORDER_IDLE;
}

static void
on_stop (WpRecordLive *live, WpRecordDialog *self)
{
  if (state_of (self) != WP_RECORDER_STARTING)
    {
      wp_recorder_stop (self->recorder);
      return;
    }
  end_recorder (self);
  set_apart (self, FALSE);
}

static void
on_back (GtkButton *button, WpRecordDialog *self)
{
  end_recorder (self);
  set_apart (self, FALSE);
}

static void
on_keep (GtkButton *button, WpRecordDialog *self)
{
  hand_over (self);
}

static gboolean
is_busy (WpRecordDialog *self)
{
  WpRecorderState state = state_of (self);

  return (state >= WP_RECORDER_STARTING && state < WP_RECORDER_DONE) || self->handing_over != 0
         || (self->recorder != NULL && wp_recorder_saves_snapshots (self->recorder));
}

/* --- whether it is kept ------------------------------------------------------------------------------------------- */

/* What the command prints from now on goes into a file that nobody can find any more. */
static void
discard (WpRecordDialog *self)
{
  g_autofree char *end = describe_end (self);
  gboolean runs = wp_recorder_command_status (self->recorder) == -1;

  end_recorder (self);
  if (self->options.command_output != NULL)
    g_unlink (self->options.command_output);
  set_apart (self, FALSE);
  if (end != NULL && runs)
    wp_toast (self->toasts, end);
}

/* Once the question has gone its own way. What waited for the answer may close this dialog. */
static gboolean
discard_now (gpointer data)
{
  WpRecordDialog *self = data;
  g_autoptr (GtkWindow) parent = self->parent != NULL ? g_object_ref (self->parent) : NULL;
  const char *then = self->then;

  if (!is_busy (self))
    return G_SOURCE_REMOVE;
  discard (self);
  if (then == NULL || parent == NULL)
    return G_SOURCE_REMOVE;
  gtk_window_destroy (GTK_WINDOW (self));
  gtk_widget_activate_action (GTK_WIDGET (parent), then, NULL);
  return G_SOURCE_REMOVE;
}

static void
on_answer (AdwMessageDialog *question, const char *response, WpRecordDialog *self)
{
  if (g_str_equal (response, "discard"))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, discard_now, g_object_ref (self), g_object_unref);
  else if (g_str_equal (response, "stop") && state_of (self) > WP_RECORDER_STARTING && state_of (self) < WP_RECORDER_STOPPING)
    wp_recorder_stop (self->recorder);
}

static char *
question_text (WpRecordDialog *self)
{
  g_autofree char *end = describe_end (self);

  if (end == NULL || wp_recorder_command_status (self->recorder) != -1)
    return g_strdup (_("A discarded recording cannot be brought back."));
  return g_strdup_printf (_("A discarded recording cannot be brought back. Either way, %s."), end);
}

/* `stop`: whether it may be stopped and kept as well. */
static void
ask (WpRecordDialog *self, gboolean stop, const char *then)
{
  g_autofree char *text = question_text (self);
  AdwMessageDialog *question;

  self->then = then;
  drop_question (self);
  stop &= state_of (self) > WP_RECORDER_STARTING && state_of (self) < WP_RECORDER_STOPPING;
  question = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
    GTK_WINDOW (self), stop ? _("Stop Recording?") : _("Discard the Recording?"), text));
  adw_message_dialog_add_responses (question, "cancel", stop ? _("_Go On Recording") : _("_Cancel"), "discard", _("_Discard"), NULL);
  adw_message_dialog_set_response_appearance (question, "discard", ADW_RESPONSE_DESTRUCTIVE);
  if (stop)
    {
      adw_message_dialog_add_response (question, "stop", _("_Stop and Open"));
      adw_message_dialog_set_response_appearance (question, "stop", ADW_RESPONSE_SUGGESTED);
    }
  adw_message_dialog_set_default_response (question, stop ? "stop" : "cancel");
  adw_message_dialog_set_close_response (question, "cancel");
  g_signal_connect_object (question, "response", G_CALLBACK (on_answer), self, 0);
  g_set_weak_pointer (&self->question, GTK_WINDOW (question));
  gtk_window_present (GTK_WINDOW (question));
}

static void
on_discard (WpRecordLive *live, WpRecordDialog *self)
{
  ask (self, FALSE, NULL);
}

static void
on_printed (WpRecordLive *live, WpRecordDialog *self)
{
  gtk_window_present (GTK_WINDOW (wp_log_window_new (GTK_WINDOW (self), self->title, self->options.command_output)));
}

gboolean
wp_record_dialog_holds (WpRecordDialog *self, const char *action)
{
  if (!is_busy (self))
    return FALSE;
  gtk_window_present (GTK_WINDOW (self));
  ask (self, TRUE, action);
  return TRUE;
}

static gboolean
wp_record_dialog_close_request (GtkWindow *window)
{
  WpRecordDialog *self = WP_RECORD_DIALOG (window);

  if (!is_busy (self) || state_of (self) == WP_RECORDER_STARTING)
    return GTK_WINDOW_CLASS (wp_record_dialog_parent_class)->close_request (window);
  ask (self, TRUE, NULL);
  return TRUE;
}

static void
wp_record_dialog_dispose (GObject *object)
{
  WpRecordDialog *self = WP_RECORD_DIALOG (object);

  end_recorder (self);
  g_clear_weak_pointer (&self->question);
  g_clear_weak_pointer (&self->parent);
  G_OBJECT_CLASS (wp_record_dialog_parent_class)->dispose (object);
}

static void
wp_record_dialog_finalize (GObject *object)
{
  g_free (WP_RECORD_DIALOG (object)->title);
  wp_record_options_clear (&WP_RECORD_DIALOG (object)->options);
  g_ptr_array_unref (WP_RECORD_DIALOG (object)->snapshots);
  G_OBJECT_CLASS (wp_record_dialog_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (WP_TYPE_RECORD_LIVE);
  g_type_ensure (WP_TYPE_LIVE_VIEW);
  g_type_ensure (WP_TYPE_RECORD_SETUP);
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/record-dialog.ui");
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, stack);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, toasts);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, back_button);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, setup);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, record_button);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, live);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, live_view);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, failed);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, keep_button);
  gtk_widget_class_bind_template_callback (klass, on_record);
  gtk_widget_class_bind_template_callback (klass, on_setup_changed);
  gtk_widget_class_bind_template_callback (klass, on_setup_turned);
  gtk_widget_class_bind_template_callback (klass, on_setup_activated);
  gtk_widget_class_bind_template_callback (klass, on_setup_cancelled);
  gtk_widget_class_bind_template_callback (klass, on_back);
  gtk_widget_class_bind_template_callback (klass, on_keep);
}

static void
wp_record_dialog_class_init (WpRecordDialogClass *klass)
{
  const GType types[] = { G_TYPE_FILE, G_TYPE_STRING, G_TYPE_STRING };

  G_OBJECT_CLASS (klass)->dispose = wp_record_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_record_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = wp_record_dialog_close_request;
  signals[SIGNAL_RECORDED] = g_signal_newv ("recorded", WP_TYPE_RECORD_DIALOG, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL,
                                            G_TYPE_NONE, G_N_ELEMENTS (types), (GType *) types);
  bind_template (GTK_WIDGET_CLASS (klass));
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
wp_record_dialog_init (WpRecordDialog *self)
{
  self->snapshots = g_ptr_array_new_with_free_func (snapshot_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->live, "pause", G_CALLBACK (on_pause), self, 0);
  g_signal_connect_object (self->live, "resume", G_CALLBACK (on_resume), self, 0);
  g_signal_connect_object (self->live, "snapshot", G_CALLBACK (on_snapshot), self, 0);
  g_signal_connect_object (self->live, "rate", G_CALLBACK (on_rate), self, 0);
  g_signal_connect_object (self->live, "sample", G_CALLBACK (on_sample), self, 0);
  g_signal_connect_object (self->live, "interest", G_CALLBACK (on_interest), self, 0);
  g_signal_connect_object (self->live, "stop", G_CALLBACK (on_stop), self, 0);
  g_signal_connect_object (self->live, "discard", G_CALLBACK (on_discard), self, 0);
  g_signal_connect_object (self->live, "printed", G_CALLBACK (on_printed), self, 0);
  wp_record_setup_focus (self->setup);
  on_setup_changed (self);
}

GtkWidget *
wp_record_dialog_new (GtkWindow *parent)
{
  WpRecordDialog *self = g_object_new (WP_TYPE_RECORD_DIALOG, "transient-for", parent, "modal", TRUE, NULL);

  g_set_weak_pointer (&self->parent, parent);
  return GTK_WIDGET (self);
}
