/* A recording from start to end: the file, the helper, the command, and what each of them may do wrong. */
#include "record/recorder.h"

#include "record/finish.h"
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STOP_PATIENCE_S 10 /* a helper that was told to stop and does not is left to itself */
#define FINISHING_MS 200   /* so often it is told how far finishing is */
#define SAID_MAX 2000      /* of what pkexec says, so much is kept */

struct WpRecorder
{
  WpRecordOptions options;
  WpRecorderFunc func;
  gpointer user_data;

  WpRecorderState state;
  WpRecorderCounters counters;
  GError *error;
  char *missing;
  gint64 started_us, paused_us, paused_since_us;

  char *temporary; /* what is being written, in the output's folder */
  int fd;
  gboolean pkexec;  /* the helper was started through it */
  char *failed_code, *failed_text; /* the helper's own error */
  GString *said;    /* lines that are no JSON: pkexec's */

  GCancellable *cancellable; /* ends all that is under way when the recorder is freed */
  GSubprocess *helper;
  GOutputStream *commands;
  GDataInputStream *messages;
  gboolean helper_over, messages_over;
  gint32 command_pid;
  int command_status;
  int pidfd;
  guint duration_source, patience_source, pid_source, finishing_source, command_source;
  WpFinish *finish; /* from FINISHING on: the file is its */
};

static void launch (WpRecorder *self);

/* --- state -------------------------------------------------------------------------------------------------------- */

static void
tell (WpRecorder *self)
{
  if (self->func != NULL)
    self->func (self, self->user_data);
}

static void
set_state (WpRecorder *self, WpRecorderState state)
{
  if (self->state == state)
    return;
  self->state = state;
  tell (self);
}

static void
clear_source (guint *source)
{
  if (*source != 0)
    g_source_remove (*source);
  *source = 0;
}

static void
end_sources (WpRecorder *self)
{
  clear_source (&self->duration_source);
  clear_source (&self->patience_source);
  clear_source (&self->pid_source);
  clear_source (&self->finishing_source);
}

static void
fail (WpRecorder *self, GError *error)
{
  end_sources (self);
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  set_state (self, WP_RECORDER_FAILED);
}

/* Of options that were copied as they are, what they refer to. */
static void
copy_options (WpRecordOptions *options)
{
  options->command = g_strdupv (options->command);
  options->folder = g_strdup (options->folder);
  options->environment = g_strdupv (options->environment);
  options->output = g_strdup (options->output);
  options->command_output = g_strdup (options->command_output);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static gboolean
open_output (WpRecorder *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->options.output), *name = g_path_get_basename (self->options.output);

  self->temporary = g_strdup_printf ("%s/.%s.XXXXXX", folder, name);
  self->fd = g_mkstemp_full (self->temporary, O_RDWR | O_CLOEXEC, 0600);
  if (self->fd >= 0)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s cannot be written: %s; choose another place",
               self->options.output, g_strerror (errno));
  g_clear_pointer (&self->temporary, g_free);
  return FALSE;
}

static void
drop_output (WpRecorder *self)
{
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_clear_pointer (&self->temporary, g_free);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static GError *
reason_of_failure (WpRecorder *self)
{
  int status = g_subprocess_get_if_exited (self->helper) ? g_subprocess_get_exit_status (self->helper) : -1;

  if (self->failed_text != NULL)
    return wp_launch_helper_error (self->failed_code, self->failed_text);
  if (self->pkexec && self->state == WP_RECORDER_STARTING)
    return wp_launch_pkexec_error (status, self->said->str);
  return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "the recording helper was ended from outside%s%s",
                      self->said->len > 0 ? ": " : "", self->said->str);
}

static void
on_finished (GError *error, const char *missing, gpointer data)
{
  WpRecorder *self = data;

  g_free (self->missing);
  self->missing = g_strdup (missing);
  if (error != NULL)
    {
      fail (self, error);
      return;
    }
  end_sources (self);
  set_state (self, WP_RECORDER_DONE);
}

static gboolean
on_finishing (gpointer data)
{
  tell (data);
  return G_SOURCE_CONTINUE;
}

/* What there is becomes the recording; with `broken`, as far as it can. A helper that is through may take another second to
 * end, while the kernel lets go of its events. */
static void
begin_finishing (WpRecorder *self, GError *broken)
{
  WpFinishInput input = { .options = self->options, .temporary = self->temporary, .fd = self->fd, .pid = self->command_pid,
                          .missing = g_strdup (self->missing), .broken = broken };

  end_sources (self);
  copy_options (&input.options);
  self->temporary = NULL;
  self->fd = -1;
  self->finish = wp_finish_begin (&input, on_finished, self);
  self->finishing_source = g_timeout_add (FINISHING_MS, on_finishing, self);
  set_state (self, WP_RECORDER_FINISHING);
}

/* What was recorded before a failure opens up to the cut: it is kept. */
static void
end_badly (WpRecorder *self)
{
  GError *error = reason_of_failure (self);

  if (self->started_us != 0)
    {
      begin_finishing (self, error);
      return;
    }
  drop_output (self);
  fail (self, error);
}

/* The helper has ended and all it said has been read: without a word that the stream is complete, or it would be over. */
static void
helper_is_gone (WpRecorder *self)
{
  if (!self->helper_over || !self->messages_over || self->state >= WP_RECORDER_FINISHING)
    return;
  if (!self->pkexec && self->state == WP_RECORDER_STARTING && wp_launch_worth_pkexec (self->failed_code))
    {
      self->pkexec = TRUE;
      launch (self);
    }
  else
    end_badly (self);
}

static void
on_helper_over (GObject *source, GAsyncResult *result, gpointer data)
{
  WpRecorder *self;
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = data;
  self->helper_over = TRUE;
  helper_is_gone (self);
}

/* --- talking to the helper ---------------------------------------------------------------------------------------- */

/* A helper that has just ended must not take the program with it: the signal of a broken pipe is kept from us. */
static void
say (WpRecorder *self, const char *command)
{
  const struct timespec at_once = { 0 };
  sigset_t broken_pipe, before;

  if (self->commands == NULL || self->helper_over)
    return;
  sigemptyset (&broken_pipe);
  sigaddset (&broken_pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &broken_pipe, &before);
  if (!g_output_stream_write_all (self->commands, command, strlen (command), NULL, NULL, NULL))
    sigtimedwait (&broken_pipe, NULL, &at_once);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

static gboolean
on_patience_over (gpointer data)
{
  WpRecorder *self = data;

  self->patience_source = 0;
  if (self->commands != NULL)
    g_output_stream_close (self->commands, NULL, NULL);
  g_cancellable_cancel (self->cancellable);
  drop_output (self);
  fail (self, g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER,
                           "the recording helper was told to stop and did not answer for %d seconds", STOP_PATIENCE_S));
  return G_SOURCE_REMOVE;
}

static void
stop_recording (WpRecorder *self)
{
  if (self->state != WP_RECORDER_RECORDING && self->state != WP_RECORDER_PAUSED)
    return;
  clear_source (&self->duration_source);
  clear_source (&self->pid_source);
  self->patience_source = g_timeout_add_seconds (STOP_PATIENCE_S, on_patience_over, self);
  self->counters.elapsed_us = wp_recorder_counters (self)->elapsed_us;
  say (self, "stop\n");
  set_state (self, WP_RECORDER_STOPPING);
}

static gboolean
on_duration_over (gpointer data)
{
  WpRecorder *self = data;

  self->duration_source = 0;
  stop_recording (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_pid_over (int fd, GIOCondition condition, gpointer data)
{
  WpRecorder *self = data;

  self->pid_source = 0;
  stop_recording (self);
  return G_SOURCE_REMOVE;
}

static void
on_command_over (GPid pid, int status, gpointer data)
{
  WpRecorder *self = data;

  self->command_source = 0;
  self->command_status = status;
  stop_recording (self);
}

/* Somebody has to, when the recorder is gone. */
static void
bury_command (GPid pid, int status, gpointer data)
{
}

/* The command runs as the user and is recorded from its first moment on: the events are on already. */
static gboolean
start_command (WpRecorder *self, GError **error)
{
  const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN;
  const WpRecordOptions *options = &self->options;
  g_autoptr (GError) cause = NULL;
  int out = options->command_output != NULL
    ? open (options->command_output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  gboolean started;
  GPid pid;

  started = g_spawn_async_with_fds (options->folder, options->command, options->environment, flags, NULL, NULL, &pid, -1, out,
                                    out, &cause);
  if (out >= 0)
    close (out);
  if (!started)
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "%s cannot be started: %s", options->command[0],
                   cause->message);
      return FALSE;
    }
  self->command_pid = pid;
  self->command_source = g_child_watch_add (pid, on_command_over, self);
  return TRUE;
}

/* The signal reaches a pkexec that still asks for the authorisation; a helper that is past that follows the command. */
static void
give_up (WpRecorder *self, GError *error)
{
  say (self, "stop\n");
  if (self->helper != NULL && !self->helper_over)
    g_subprocess_send_signal (self->helper, SIGTERM);
  g_cancellable_cancel (self->cancellable);
  drop_output (self);
  fail (self, error);
}

static void
on_started (WpRecorder *self)
{
  GError *error = NULL;

  if (self->state != WP_RECORDER_STARTING) /* stopped while the authorisation was asked for */
    return;
  self->started_us = g_get_monotonic_time ();
  if (self->options.command != NULL && !start_command (self, &error))
    {
      give_up (self, error);
      return;
    }
  if (self->options.duration > 0)
    self->duration_source = g_timeout_add ((guint) MIN (self->options.duration * 1000, G_MAXINT), on_duration_over, self);
  if (self->pidfd >= 0)
    self->pid_source = g_unix_fd_add (self->pidfd, G_IO_IN, on_pid_over, self);
  set_state (self, WP_RECORDER_RECORDING);
}

static void
note_missing (WpRecorder *self, JsonObject *message)
{
  JsonArray *missing = json_object_has_member (message, "missing") ? json_object_get_array_member (message, "missing") : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; missing != NULL && i < json_array_get_length (missing); i++)
    {
      JsonObject *row = json_array_get_object_element (missing, i);
      const char *loss = json_object_get_string_member_with_default (row, "loss", "");

      g_string_append_printf (text, "%s%s: %s%s%s", i > 0 ? "\n" : "", json_object_get_string_member_with_default (row, "name", "?"),
                              json_object_get_string_member_with_default (row, "why", "?"), *loss != '\0' ? "; " : "", loss);
    }
  g_free (self->missing);
  self->missing = text->len > 0 ? g_strdup (text->str) : NULL;
}

static void
note_counters (WpRecorder *self, JsonObject *message)
{
  self->counters.bytes = json_object_get_int_member_with_default (message, "bytes", self->counters.bytes);
  self->counters.events = json_object_get_int_member_with_default (message, "events", self->counters.events);
  self->counters.lost = json_object_get_int_member_with_default (message, "lost", self->counters.lost);
}

static void
on_message (WpRecorder *self, JsonObject *message)
{
  const char *kind = json_object_get_string_member_with_default (message, "message", "");

  if (!g_str_equal (kind, "started")) /* whose "events" are names */
    note_counters (self, message);
  if (g_str_equal (kind, "started"))
    {
      note_missing (self, message);
      on_started (self);
    }
  else if (g_str_equal (kind, "progress"))
    tell (self);
  else if (g_str_equal (kind, "paused") && self->state == WP_RECORDER_RECORDING)
    set_state (self, WP_RECORDER_PAUSED);
  else if (g_str_equal (kind, "resumed") && self->state == WP_RECORDER_PAUSED)
    set_state (self, WP_RECORDER_RECORDING);
  else if (g_str_equal (kind, "stopped"))
    begin_finishing (self, NULL);
  else if (g_str_equal (kind, "error"))
    {
      g_free (self->failed_code);
      g_free (self->failed_text);
      self->failed_code = g_strdup (json_object_get_string_member_with_default (message, "code", ""));
      self->failed_text = g_strdup (json_object_get_string_member_with_default (message, "text", "it gave no reason"));
    }
}

static void
on_text (WpRecorder *self, const char *line)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root = NULL;

  if (json_parser_load_from_data (parser, line, -1, NULL))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    on_message (self, json_node_get_object (root));
  else if (self->said->len < SAID_MAX)
    g_string_append_printf (self->said, "%s%s", self->said->len > 0 ? "\n" : "", line);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, &error);
  WpRecorder *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = data;
  if (line == NULL)
    {
      self->messages_over = TRUE;
      helper_is_gone (self);
      return;
    }
  if (self->state >= WP_RECORDER_FINISHING)
    return;
  g_object_ref (source);
  on_text (self, line);
  if (self->state < WP_RECORDER_FINISHING)
    g_data_input_stream_read_line_async (G_DATA_INPUT_STREAM (source), G_PRIORITY_DEFAULT, self->cancellable, on_line, self);
  g_object_unref (source);
}

static void
launch (WpRecorder *self)
{
  GError *error = NULL;

  self->commands = NULL; /* the helper's own */
  g_clear_object (&self->helper);
  g_clear_object (&self->messages);
  g_clear_pointer (&self->failed_code, g_free);
  g_clear_pointer (&self->failed_text, g_free);
  g_string_truncate (self->said, 0);
  self->helper_over = self->messages_over = FALSE;
  if (ftruncate (self->fd, 0) == 0)
    lseek (self->fd, 0, SEEK_SET);
  self->helper = wp_launch_helper (&self->options, self->pkexec, self->fd, &error);
  if (self->helper == NULL)
    {
      drop_output (self);
      fail (self, error);
      return;
    }
  self->commands = g_subprocess_get_stdin_pipe (self->helper);
  self->messages = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->helper));
  g_data_input_stream_read_line_async (self->messages, G_PRIORITY_DEFAULT, self->cancellable, on_line, self);
  g_subprocess_wait_async (self->helper, self->cancellable, on_helper_over, self);
}

/* --- for the caller ----------------------------------------------------------------------------------------------- */

void
wp_record_options_clear (WpRecordOptions *self)
{
  g_clear_pointer (&self->command, g_strfreev);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->environment, g_strfreev);
  g_clear_pointer (&self->output, g_free);
  g_clear_pointer (&self->command_output, g_free);
}

WpRecorder *
wp_recorder_new (const WpRecordOptions *options, WpRecorderFunc func, gpointer user_data)
{
  WpRecorder *self = g_new0 (WpRecorder, 1);

  self->options = *options;
  copy_options (&self->options);
  self->options.stacks = wp_stack_mode_choose (options->stacks);
  self->func = func;
  self->user_data = user_data;
  self->fd = self->pidfd = -1;
  self->command_status = -1;
  self->said = g_string_new (NULL);
  self->cancellable = g_cancellable_new ();
  return self;
}

void
wp_recorder_free (WpRecorder *self)
{
  if (self == NULL)
    return;
  self->func = NULL;
  end_sources (self);
  g_cancellable_cancel (self->cancellable);
  if (self->commands != NULL)
    g_output_stream_close (self->commands, NULL, NULL); /* end of input: the helper ends */
  g_clear_pointer (&self->finish, wp_finish_free);
  drop_output (self);
  if (self->pidfd >= 0)
    close (self->pidfd);
  if (self->command_source != 0)
    g_child_watch_add (self->command_pid, bury_command, NULL);
  clear_source (&self->command_source);
  g_clear_object (&self->messages);
  g_clear_object (&self->helper);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->error);
  g_string_free (self->said, TRUE);
  g_free (self->failed_code);
  g_free (self->failed_text);
  g_free (self->missing);
  wp_record_options_clear (&self->options);
  g_free (self);
}

/* Better to know before anybody is asked for a password. */
static gboolean
check_command (const WpRecordOptions *options, GError **error)
{
  g_autofree char *found = NULL;

  if (options->command == NULL)
    return TRUE;
  if (options->folder != NULL && !g_file_test (options->folder, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no folder %s to run the command in",
                   options->folder);
      return FALSE;
    }
  if (strchr (options->command[0], '/') == NULL)
    found = g_find_program_in_path (options->command[0]);
  else
    {
      g_autofree char *path = g_canonicalize_filename (options->command[0], options->folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        found = g_steal_pointer (&path);
    }
  if (found != NULL)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no program %s", options->command[0]);
  return FALSE;
}

static gboolean
open_pid (WpRecorder *self, GError **error)
{
  if (self->options.pid <= 0)
    return TRUE;
  self->pidfd = syscall (SYS_pidfd_open, self->options.pid, 0);
  if (self->pidfd >= 0)
    {
      fcntl (self->pidfd, F_SETFD, FD_CLOEXEC);
      self->command_pid = self->options.pid;
      return TRUE;
    }
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no process %d", self->options.pid);
  return FALSE;
}

void
wp_recorder_start (WpRecorder *self)
{
  GError *error = NULL;

  g_return_if_fail (self->state == WP_RECORDER_IDLE);
  self->state = WP_RECORDER_STARTING;
  if (!check_command (&self->options, &error) || !open_pid (self, &error) || !open_output (self, &error))
    {
      fail (self, error);
      return;
    }
  tell (self);
  launch (self);
}

void
wp_recorder_stop (WpRecorder *self)
{
  if (self->state == WP_RECORDER_STARTING)
    give_up (self, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before the recording began"));
  else if (self->state == WP_RECORDER_FINISHING)
    wp_finish_cancel (self->finish);
  else
    stop_recording (self);
}

void
wp_recorder_pause (WpRecorder *self)
{
  if (self->state != WP_RECORDER_RECORDING)
    return;
  self->paused_since_us = g_get_monotonic_time ();
  say (self, "pause\n");
}

void
wp_recorder_resume (WpRecorder *self)
{
  if (self->state != WP_RECORDER_PAUSED)
    return;
  self->paused_us += g_get_monotonic_time () - self->paused_since_us;
  say (self, "resume\n");
}

WpRecorderState
wp_recorder_state (const WpRecorder *self)
{
  return self->state;
}

const WpRecorderCounters *
wp_recorder_counters (const WpRecorder *self)
{
  WpRecorderCounters *counters = (WpRecorderCounters *) &self->counters;

  if (self->state == WP_RECORDER_RECORDING)
    counters->elapsed_us = g_get_monotonic_time () - self->started_us - self->paused_us;
  else if (self->state == WP_RECORDER_PAUSED)
    counters->elapsed_us = self->paused_since_us - self->started_us - self->paused_us;
  return counters;
}

const GError *
wp_recorder_error (const WpRecorder *self)
{
  return self->error;
}

const char *
wp_recorder_missing (const WpRecorder *self)
{
  return self->missing;
}

const char *
wp_recorder_output (const WpRecorder *self)
{
  return self->options.output;
}

double
wp_recorder_progress (const WpRecorder *self, const char **phase)
{
  *phase = NULL;
  return self->finish != NULL ? wp_finish_progress (self->finish, phase) : 0;
}

GPid
wp_recorder_command_pid (const WpRecorder *self)
{
  return self->command_pid;
}

int
wp_recorder_command_status (const WpRecorder *self)
{
  return self->command_status;
}
