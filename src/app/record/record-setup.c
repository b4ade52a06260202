#include "app/record/record-setup.h"

#include <glib/gi18n.h>

#include "app/record/process-list.h"
#include "app/record/threads-row.h"
#include "app/shell/settings.h"
#include "app/widgets/error-style.h"

struct _WpRecordSetup
{
  AdwBin parent_instance;

  GtkStack *what; /* `subjects` */
  AdwEntryRow *command;
  AdwActionRow *folder_row;
  WpProcessList *processes;
  GtkSpinButton *duration, *longer, *keep;
  AdwActionRow *longer_row, *sample_row;
  GtkSwitch *sample_chosen;
  WpThreadsRow *threads_row;
  AdwComboRow *stacks;
  GtkLabel *captured;

  char *folder;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_TURNED,
  SIGNAL_ACTIVATED,
  SIGNAL_CANCELLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpRecordSetup, wp_record_setup, ADW_TYPE_BIN)

/* In the order of the rows in record-setup.ui. */
static const WpStackMode stack_modes[] = { WP_STACKS_AUTO, WP_STACKS_FP, WP_STACKS_DWARF, WP_STACKS_NONE };

static WpStackMode
chosen_stacks (WpRecordSetup *self)
{
  guint row = adw_combo_row_get_selected (self->stacks);

  return row < G_N_ELEMENTS (stack_modes) ? stack_modes[row] : WP_STACKS_AUTO;
}

/* --- what is recorded --- */

/* The pages of `what` are called after them, and so is the kept setting. Each fills in what it records, as wp_record_setup_take() says. */
typedef struct
{
  const char *name;
  gboolean (*is_chosen) (WpRecordSetup *self);
  char *(*take) (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error);
} Subject;

static gboolean
command_is_chosen (WpRecordSetup *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->command));
  g_auto (GStrv) words = NULL;
  gboolean valid = g_shell_parse_argv (text, NULL, &words, NULL);

  wp_set_wrong (GTK_WIDGET (self->command), !valid && *text != '\0');
  return valid;
}

static char *
take_command (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error)
{
  if (!g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &options->command, error))
    return NULL;
  options->longer = gtk_spin_button_get_value (self->longer);
  *interest = g_strdup (options->command[0]);
  return g_path_get_basename (options->command[0]);
}

static gboolean
processes_are_chosen (WpRecordSetup *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self->processes);

  return chosen->len > 0;
}

/* All of those that were chosen. */
static void
set_ended (GPtrArray *chosen, GError **error)
{
  g_autofree char *name = chosen->len == 1 ? wp_process_row_describe (chosen->pdata[0]) : NULL;

  if (name != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("%s has ended meanwhile. Choose another process."), name);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("The chosen processes have ended meanwhile. Choose others."));
}

static gboolean
can_sample_chosen (WpRecordSetup *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self->processes);

  return chosen->len <= WP_RECORD_SAMPLED_MAX;
}

/* Those that live still, the oldest first. */
static char *
take_processes (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self->processes);
  guint n = 0;

  options->pids = g_new0 (gint32, chosen->len + 1);
  for (guint i = 0; i < chosen->len; i++)
    {
      const WpProcess *process = wp_process_row_get (chosen->pdata[i]);

      if (!wp_process_lives (process))
        continue;
      if (n == 0)
        *interest = wp_process_row_describe (chosen->pdata[i]);
      options->pids[n++] = process->pid;
    }
  if (n == 0)
    {
      set_ended (chosen, error);
      return NULL;
    }
  options->sample_chosen = can_sample_chosen (self) && gtk_switch_get_active (self->sample_chosen);
  options->tids = options->sample_chosen ? wp_threads_row_chosen (self->threads_row) : NULL;
  return wp_process_list_words (self->processes);
}

static gboolean
system_is_chosen (WpRecordSetup *self)
{
  return TRUE;
}

static char *
take_system (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error)
{
  return g_strdup (_("system"));
}

static const Subject subjects[] = {
  { "command", command_is_chosen, take_command },
  { "process", processes_are_chosen, take_processes },
  { "system", system_is_chosen, take_system },
};

static const Subject *
subject (WpRecordSetup *self)
{
  const char *name = gtk_stack_get_visible_child_name (self->what);

  for (guint i = 1; i < G_N_ELEMENTS (subjects); i++)
    if (g_strcmp0 (subjects[i].name, name) == 0)
      return &subjects[i];
  return &subjects[0];
}

/* --- how --- */

/* What of other people’s affairs a recording holds. */
static void
show_captured (WpRecordSetup *self)
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
choose_stacks (WpRecordSetup *self, WpStackMode mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (stack_modes); i++)
    if (stack_modes[i] == mode)
      adw_combo_row_set_selected (self->stacks, i);
}

static void
show_sample_row (WpRecordSetup *self)
{
  gboolean can = can_sample_chosen (self);
  g_autofree char *too_many = g_strdup_printf (_("That can be done for up to %u processes"), WP_RECORD_SAMPLED_MAX);

  gtk_widget_set_visible (GTK_WIDGET (self->sample_row), subject (self)->take == take_processes);
  gtk_widget_set_sensitive (GTK_WIDGET (self->sample_row), can);
  adw_action_row_set_subtitle (self->sample_row,
                               can ? _("Less is written; when others ran, and what woke whom, is still known") : too_many);
}

static void
show_threads_row (WpRecordSetup *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self->processes);
  g_autofree gint32 *pids = g_new0 (gint32, chosen->len + 1);

  for (guint i = 0; i < chosen->len; i++)
    pids[i] = wp_process_row_get (chosen->pdata[i])->pid;
  wp_threads_row_set_processes (self->threads_row, pids);
  gtk_widget_set_visible (GTK_WIDGET (self->threads_row), subject (self)->take == take_processes && gtk_switch_get_active (self->sample_chosen));
  gtk_widget_set_sensitive (GTK_WIDGET (self->threads_row), chosen->len > 0 && can_sample_chosen (self));
}

static void
update (WpRecordSetup *self)
{
  show_sample_row (self);
  show_threads_row (self);
  gtk_widget_set_visible (GTK_WIDGET (self->longer_row), subject (self)->take == take_command);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_what (WpRecordSetup *self)
{
  update (self);
  if (subject (self)->take == take_processes)
    gtk_widget_grab_focus (GTK_WIDGET (self->processes));
  g_signal_emit (self, signals[SIGNAL_TURNED], 0);
}

static void
on_return (WpRecordSetup *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
on_cancelled (WpRecordSetup *self)
{
  g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
}

static void
set_folder (WpRecordSetup *self, const char *folder)
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
on_folder_response (GtkNativeDialog *dialog, int response, WpRecordSetup *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    set_folder (self, g_file_peek_path (file));
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
on_choose_folder (GtkButton *button, WpRecordSetup *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _("Run in Folder"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  g_autoptr (GFile) file = g_file_new_for_path (self->folder);

  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_folder_response), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
/* --- what was asked for --- */

gboolean
wp_record_setup_is_ready (WpRecordSetup *self)
{
  return subject (self)->is_chosen (self);
}

char *
wp_record_setup_take (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error)
{
  char *name;

  options->folder = g_strdup (self->folder);
  options->duration = gtk_spin_button_get_value (self->duration);
  options->keep = gtk_spin_button_get_value (self->keep);
  options->stacks = chosen_stacks (self);
  name = subject (self)->take (self, options, interest, error);
  if (name == NULL && subject (self)->take == take_processes)
    wp_process_list_refresh (self->processes);
  return name;
}

gboolean
wp_record_setup_can_take (WpRecordSetup *self)
{
  WpRecordOptions options = { 0 };
  g_autofree char *interest = NULL, *name = NULL;

  if (wp_record_setup_is_ready (self))
    name = subject (self)->take (self, &options, &interest, NULL);
  wp_record_options_clear (&options);
  return name != NULL;
}

void
wp_record_setup_keep (WpRecordSetup *self)
{
  wp_settings_set_string ("record-command", gtk_editable_get_text (GTK_EDITABLE (self->command)));
  wp_settings_set_string ("record-folder", self->folder);
  wp_settings_set_string ("record-what", subject (self)->name);
  if (subject (self)->take == take_processes)
    {
      g_autofree char *words = wp_process_list_words (self->processes);

      wp_settings_set_string ("record-process", words);
    }
  wp_settings_set_double ("record-duration", gtk_spin_button_get_value (self->duration));
  wp_settings_set_double ("record-longer", gtk_spin_button_get_value (self->longer));
  wp_settings_set_double ("record-keep", gtk_spin_button_get_value (self->keep));
  wp_settings_set_boolean ("record-sample-chosen", gtk_switch_get_active (self->sample_chosen));
  wp_settings_set_string ("record-stack-mode", wp_stack_mode_name (chosen_stacks (self)));
}

void
wp_record_setup_focus (WpRecordSetup *self)
{
  gtk_window_set_focus (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), GTK_WIDGET (self->command));
  if (subject (self)->take == take_processes)
    gtk_widget_grab_focus (GTK_WIDGET (self->processes));
}

/* --- the widget --- */

static void
wp_record_setup_finalize (GObject *object)
{
  g_free (WP_RECORD_SETUP (object)->folder);
  G_OBJECT_CLASS (wp_record_setup_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (WP_TYPE_PROCESS_LIST);
  g_type_ensure (WP_TYPE_THREADS_ROW);
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/record-setup.ui");
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, what);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, command);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, folder_row);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, processes);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, duration);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, longer);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, longer_row);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, keep);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, sample_row);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, sample_chosen);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, threads_row);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, stacks);
  gtk_widget_class_bind_template_child (klass, WpRecordSetup, captured);
  gtk_widget_class_bind_template_callback (klass, update);
  gtk_widget_class_bind_template_callback (klass, show_captured);
  gtk_widget_class_bind_template_callback (klass, on_choose_folder);
  gtk_widget_class_bind_template_callback (klass, on_what);
  gtk_widget_class_bind_template_callback (klass, on_return);
  gtk_widget_class_bind_template_callback (klass, on_cancelled);
}

static void
wp_record_setup_class_init (WpRecordSetupClass *klass)
{
  static const char *const names[] = {
    [SIGNAL_CHANGED] = "changed",
    [SIGNAL_TURNED] = "turned",
    [SIGNAL_ACTIVATED] = "activated",
    [SIGNAL_CANCELLED] = "cancelled",
  };

  G_OBJECT_CLASS (klass)->finalize = wp_record_setup_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], WP_TYPE_RECORD_SETUP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
wp_record_setup_init (WpRecordSetup *self)
{
  g_autofree char *command = wp_settings_string ("record-command");
  g_autofree char *folder = wp_settings_string ("record-folder");
  g_autofree char *stacks = wp_settings_string ("record-stack-mode");
  g_autofree char *what = wp_settings_string ("record-what");
  g_autofree char *process = wp_settings_string ("record-process");
  WpStackMode mode = WP_STACKS_AUTO;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_editable_set_text (GTK_EDITABLE (self->command), command);
  set_folder (self, g_file_test (folder, G_FILE_TEST_IS_DIR) ? folder : first_folder ());
  wp_process_list_choose (self->processes, process);
  gtk_spin_button_set_value (self->duration, wp_settings_double ("record-duration", 0));
  gtk_spin_button_set_value (self->longer, wp_settings_double ("record-longer", 0));
  gtk_spin_button_set_value (self->keep, wp_settings_double ("record-keep", 0));
  gtk_switch_set_active (self->sample_chosen, wp_settings_boolean ("record-sample-chosen", FALSE));
  wp_stack_mode_parse (stacks, &mode);
  choose_stacks (self, mode);
  show_captured (self);
  for (guint i = 1; i < G_N_ELEMENTS (subjects); i++)
    if (g_str_equal (subjects[i].name, what))
      gtk_stack_set_visible_child_name (self->what, what);
  update (self);
}
