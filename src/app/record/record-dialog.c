#include "app/record/record-dialog.h"

#include <glib/gi18n.h>

#include "app/record/record-live.h"
#include "app/shell/settings.h"
#include "app/widgets/status-page.h"
#include "app/widgets/error-style.h"
#include "record/recorder.h"

struct _WpRecordDialog
{
  AdwWindow parent_instance;

  GtkStack *stack; /* "setup", "recording", "failed" */
  GtkCheckButton *whole_system;
  AdwEntryRow *command;
  AdwActionRow *folder_row;
  GtkSpinButton *duration;
  AdwComboRow *stacks;
  GtkWidget *record_button, *command_group;
  GtkLabel *captured;
  WpRecordLive *live;
  AdwStatusPage *failed;
  GtkWidget *keep_button; /* opens what was recorded before it failed */

  char *folder;
  char *title; /* of the recording's tab */
  WpRecorder *recorder;
};

enum
{
  SIGNAL_RECORDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpRecordDialog, wp_record_dialog, ADW_TYPE_WINDOW)

/* In the order of the rows in record-dialog.ui. */
static const WpStackMode stack_modes[] = { WP_STACKS_AUTO, WP_STACKS_FP, WP_STACKS_DWARF, WP_STACKS_NONE };

/* --- setting up --- */

static WpStackMode
chosen_stacks (WpRecordDialog *self)
{
  guint row = adw_combo_row_get_selected (self->stacks);

  return row < G_N_ELEMENTS (stack_modes) ? stack_modes[row] : WP_STACKS_AUTO;
}

/* What of other people’s affairs a recording holds. */
static void
show_captured (WpRecordDialog *self)
{
  static const char *const texts[] = {
    [WP_STACKS_FP] = N_ ("Nothing that memory or files contain is recorded."),
    [WP_STACKS_DWARF] = N_ ("To find functions, parts of every program’s stack memory are copied, and deleted right after recording."),
    [WP_STACKS_NONE] = N_ ("No functions, and nothing that memory or files contain."),
  };
  g_autofree char *text = g_strdup_printf (
    "%s\n\n%s", _("A recording shows what every program on this system does, yours or not: its name, when it runs and waits, its files, "
                  "network addresses and functions. Only you can read it."),
    _(texts[wp_stack_mode_choose (chosen_stacks (self))]));

  gtk_label_set_text (self->captured, text);
}

static void
choose_stacks (WpRecordDialog *self, WpStackMode mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (stack_modes); i++)
    if (stack_modes[i] == mode)
      adw_combo_row_set_selected (self->stacks, i);
}

static gboolean
records_command (WpRecordDialog *self)
{
  return !gtk_check_button_get_active (self->whole_system);
}

static void
update_setup (WpRecordDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->command));
  g_auto (GStrv) words = NULL;
  gboolean valid = !records_command (self) || g_shell_parse_argv (text, NULL, &words, NULL);

  gtk_widget_set_sensitive (self->command_group, records_command (self));
  gtk_widget_set_sensitive (self->record_button, valid);
  wp_set_wrong (GTK_WIDGET (self->command), !valid && *text != '\0');
}

static void
set_folder (WpRecordDialog *self, const char *folder)
{
  g_autofree char *text = g_markup_escape_text (folder, -1);

  g_free (self->folder);
  self->folder = g_strdup (folder);
  adw_action_row_set_subtitle (self->folder_row, text);
}

/* Where the program was started, if that was from a terminal. */
static const char *
first_folder (void)
{
  const char *current = g_getenv ("PWD");

  return current != NULL && !g_str_equal (current, "/") && g_file_test (current, G_FILE_TEST_IS_DIR) ? current
                                                                                                     : g_get_home_dir ();
}

static void
on_folder_response (GtkNativeDialog *dialog, int response, WpRecordDialog *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    set_folder (self, g_file_peek_path (file));
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
on_choose_folder (GtkButton *button, WpRecordDialog *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _("Run in Folder"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  g_autoptr (GFile) file = g_file_new_for_path (self->folder);

  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_folder_response), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* Recordings are kept among the user's data until the user removes them. */
static char *
new_output (const char *name)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "wakepath", "recordings", NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *file = g_strdup_printf ("%s-%s.perf", name, time);

  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, file, NULL);
}

static char *
name_of (char **command)
{
  return command != NULL ? g_path_get_basename (command[0]) : g_strdup (_("system"));
}

static void
keep_setup (WpRecordDialog *self)
{
  wp_settings_set_string ("record-command", gtk_editable_get_text (GTK_EDITABLE (self->command)));
  wp_settings_set_string ("record-folder", self->folder);
  wp_settings_set_boolean ("record-system", !records_command (self));
  wp_settings_set_double ("record-duration", gtk_spin_button_get_value (self->duration));
  wp_settings_set_string ("record-stack-mode", wp_stack_mode_name (chosen_stacks (self)));
}

/* --- recording --- */

static void
show_failure (WpRecordDialog *self)
{
  const GError *error = wp_recorder_error (self->recorder);
  g_autofree char *text = wp_record_sentence (error != NULL ? error->message : _("Nobody knows why."));

  wp_status_page_say (self->failed, text);
  gtk_widget_set_visible (self->keep_button,
                          wp_recorder_output (self->recorder) != NULL
                            && g_file_test (wp_recorder_output (self->recorder), G_FILE_TEST_IS_REGULAR));
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
hand_over (WpRecordDialog *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (wp_recorder_output (self->recorder));

  g_signal_emit (self, signals[SIGNAL_RECORDED], 0, file, self->title);
  gtk_window_destroy (GTK_WINDOW (self));
}

static gboolean
hand_over_later (gpointer data)
{
  hand_over (data);
  return G_SOURCE_REMOVE;
}

static void
on_recorder_changed (WpRecorder *recorder, gpointer data)
{
  WpRecordDialog *self = data;
  WpRecorderState state = wp_recorder_state (recorder);
  wp_record_live_show (self->live, recorder);
  if (state == WP_RECORDER_FAILED)
    show_failure (self);
  else if (state == WP_RECORDER_DONE) /* not from within the recorder's own call */
    g_idle_add_full (G_PRIORITY_DEFAULT, hand_over_later, g_object_ref (self), g_object_unref);
}

static void
on_record (GtkButton *button, WpRecordDialog *self)
{
  WpRecordOptions options = { .folder = g_strdup (self->folder),
                              .duration = gtk_spin_button_get_value (self->duration),
                              .stacks = chosen_stacks (self) };
  g_autofree char *name = NULL;

  if (records_command (self)
      && !g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &options.command, NULL))
    {
      wp_record_options_clear (&options);
      return;
    }
  keep_setup (self);
  name = name_of (options.command);
  options.output = new_output (name);
  g_free (self->title);
  self->title = g_steal_pointer (&name);

  g_clear_pointer (&self->recorder, wp_recorder_free);
  self->recorder = wp_recorder_new (&options, on_recorder_changed, self);
  wp_record_options_clear (&options);
  gtk_stack_set_visible_child_name (self->stack, "recording");
  wp_record_live_focus (self->live);
  wp_recorder_start (self->recorder);
}

static void
on_command_activated (AdwEntryRow *row, WpRecordDialog *self)
{
  if (gtk_widget_get_sensitive (self->record_button))
    on_record (NULL, self);
}

static void
on_pause (WpRecordLive *live, WpRecordDialog *self)
{
  if (wp_recorder_pauses (self->recorder) > 0)
    wp_recorder_resume (self->recorder);
  else
    wp_recorder_pause (self->recorder);
}

static void
on_stop (WpRecordLive *live, WpRecordDialog *self)
{
  if (wp_recorder_state (self->recorder) == WP_RECORDER_STARTING)
    {
      g_clear_pointer (&self->recorder, wp_recorder_free);
      gtk_stack_set_visible_child_name (self->stack, "setup");
    }
  else
    wp_recorder_stop (self->recorder);
}

static void
on_back (GtkButton *button, WpRecordDialog *self)
{
  g_clear_pointer (&self->recorder, wp_recorder_free);
  gtk_stack_set_visible_child_name (self->stack, "setup");
}

static void
on_keep (GtkButton *button, WpRecordDialog *self)
{
  hand_over (self);
}

/* Closing the dialog while it records stops in an orderly way: nothing that was recorded is thrown away. */
static gboolean
wp_record_dialog_close_request (GtkWindow *window)
{
  WpRecordDialog *self = WP_RECORD_DIALOG (window);
  WpRecorderState state = self->recorder != NULL ? wp_recorder_state (self->recorder) : WP_RECORDER_IDLE;

  if (state == WP_RECORDER_RECORDING || state == WP_RECORDER_PAUSED)
    {
      wp_recorder_stop (self->recorder);
      return TRUE;
    }
  return state == WP_RECORDER_STOPPING || state == WP_RECORDER_FINISHING ? TRUE : GTK_WINDOW_CLASS (wp_record_dialog_parent_class)->close_request (window);
}

static void
wp_record_dialog_dispose (GObject *object)
{
  g_clear_pointer (&WP_RECORD_DIALOG (object)->recorder, wp_recorder_free);
  G_OBJECT_CLASS (wp_record_dialog_parent_class)->dispose (object);
}

static void
wp_record_dialog_finalize (GObject *object)
{
  g_free (WP_RECORD_DIALOG (object)->folder);
  g_free (WP_RECORD_DIALOG (object)->title);
  G_OBJECT_CLASS (wp_record_dialog_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (WP_TYPE_RECORD_LIVE);
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/record-dialog.ui");
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, stack);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, whole_system);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, command);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, command_group);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, folder_row);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, duration);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, stacks);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, record_button);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, captured);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, live);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, failed);
  gtk_widget_class_bind_template_child (klass, WpRecordDialog, keep_button);
  gtk_widget_class_bind_template_callback (klass, update_setup);
  gtk_widget_class_bind_template_callback (klass, show_captured);
  gtk_widget_class_bind_template_callback (klass, on_choose_folder);
  gtk_widget_class_bind_template_callback (klass, on_command_activated);
  gtk_widget_class_bind_template_callback (klass, on_record);
  gtk_widget_class_bind_template_callback (klass, on_back);
  gtk_widget_class_bind_template_callback (klass, on_keep);
}

static void
wp_record_dialog_class_init (WpRecordDialogClass *klass)
{
  const GType types[] = { G_TYPE_FILE, G_TYPE_STRING };

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
  g_autofree char *command = wp_settings_string ("record-command");
  g_autofree char *folder = wp_settings_string ("record-folder");
  g_autofree char *stacks = wp_settings_string ("record-stack-mode");
  WpStackMode mode = WP_STACKS_AUTO;

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->live, "pause", G_CALLBACK (on_pause), self, 0);
  g_signal_connect_object (self->live, "stop", G_CALLBACK (on_stop), self, 0);
  gtk_editable_set_text (GTK_EDITABLE (self->command), command);
  set_folder (self, g_file_test (folder, G_FILE_TEST_IS_DIR) ? folder : first_folder ());
  gtk_check_button_set_active (self->whole_system, wp_settings_boolean ("record-system", FALSE));
  gtk_spin_button_set_value (self->duration, wp_settings_double ("record-duration", 0));
  wp_stack_mode_parse (stacks, &mode);
  choose_stacks (self, mode);
  show_captured (self);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->command));
  update_setup (self);
}

GtkWidget *
wp_record_dialog_new (GtkWindow *parent)
{
  return g_object_new (WP_TYPE_RECORD_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
}
