/* A recording from start to end: its states, its file, and when helper and command come and go. */
#include "record/recorder.h"

#include "record/command.h"
#include "record/finish.h"
#include "record/helper.h"
#include "record/launch.h"
#include "record/output.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STOP_PATIENCE_S 10 /* a helper that was told to stop and does not is left to itself */
#define FINISHING_MS 200   /* so often it is told how far finishing is */

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

  WpOutput output;
  gboolean pkexec;  /* the helper was started through it */
  WpHelper *helper; /* or NULL */
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

/* --- the end ------------------------------------------------------------------------------------------------------ */

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
  WpFinishInput input = { .options = self->options, .output = self->output, .pid = self->command_pid,
                          .since = self->started_us * 1000,
                          .missing = g_strdup (self->missing), .broken = broken };

  self->counters.elapsed_us = wp_recorder_counters (self)->elapsed_us; /* the helper may have stopped by itself */
  end_sources (self);
  copy_options (&input.options);
  self->output = WP_OUTPUT_NONE;
  self->finish = wp_finish_begin (&input, on_finished, self);
  self->finishing_source = g_timeout_add (FINISHING_MS, on_finishing, self);
  set_state (self, WP_RECORDER_FINISHING);
}

/* What was recorded before a failure opens up to the cut: it is kept. */
static void
end_badly (WpRecorder *self)
{
  GError *error = wp_helper_error (self->helper, self->state == WP_RECORDER_STARTING);

  if (self->started_us != 0)
    {
      begin_finishing (self, error);
      return;
    }
  wp_output_drop (&self->output);
  fail (self, error);
}

/* The helper has ended and all it said has been read: without a word that the stream is complete, or it would be over. */
static void
on_helper_gone (gpointer data)
{
  WpRecorder *self = data;

  if (self->state >= WP_RECORDER_FINISHING)
    return;
  if (!self->pkexec && self->state == WP_RECORDER_STARTING && wp_helper_may_with_pkexec (self->helper))
    {
      self->pkexec = TRUE;
      launch (self);
    }
  else
    end_badly (self);
}

/* --- talking to the helper ---------------------------------------------------------------------------------------- */

static gboolean
on_patience_over (gpointer data)
{
  WpRecorder *self = data;

  self->patience_source = 0;
  wp_helper_leave (self->helper);
  wp_output_drop (&self->output);
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
  wp_helper_say (self->helper, "stop\n");
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

/* It is recorded from its first moment on: the events are on already. */
static gboolean
start_command (WpRecorder *self, GError **error)
{
  GPid pid;

  if (!wp_command_start (&self->options, &pid, error))
    return FALSE;
  self->command_pid = pid;
  self->command_source = g_child_watch_add (pid, on_command_over, self);
  return TRUE;
}

static void
give_up (WpRecorder *self, GError *error)
{
  if (self->helper != NULL)
    wp_helper_end (self->helper);
  wp_output_drop (&self->output);
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
  JsonArray *missing = json_object_get_array_member (message, "missing");
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
on_message (const char *kind, JsonObject *message, gpointer data)
{
  WpRecorder *self = data;

  if (self->state >= WP_RECORDER_FINISHING)
    return;
  if (!g_str_equal (kind, "started")) /* whose "events" are names */
    note_counters (self, message);
  if (json_object_has_member (message, "missing")) /* started, and full */
    note_missing (self, message);
  if (g_str_equal (kind, "started"))
    on_started (self);
  else if (g_str_equal (kind, "progress"))
    tell (self);
  else if (g_str_equal (kind, "paused") && self->state == WP_RECORDER_RECORDING)
    set_state (self, WP_RECORDER_PAUSED);
  else if (g_str_equal (kind, "resumed") && self->state == WP_RECORDER_PAUSED)
    set_state (self, WP_RECORDER_RECORDING);
  else if (g_str_equal (kind, "stopped"))
    begin_finishing (self, NULL);
}

static void
launch (WpRecorder *self)
{
  GError *error = NULL;

  g_clear_pointer (&self->helper, wp_helper_free);
  if (ftruncate (self->output.fd, 0) == 0)
    lseek (self->output.fd, 0, SEEK_SET);
  self->helper = wp_helper_start (&self->options, self->pkexec, self->output.fd, on_message, on_helper_gone, self, &error);
  if (self->helper != NULL)
    return;
  wp_output_drop (&self->output);
  fail (self, error);
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
  self->output = WP_OUTPUT_NONE;
  self->pidfd = -1;
  self->command_status = -1;
  return self;
}

void
wp_recorder_free (WpRecorder *self)
{
  if (self == NULL)
    return;
  self->func = NULL;
  end_sources (self);
  g_clear_pointer (&self->helper, wp_helper_free);
  g_clear_pointer (&self->finish, wp_finish_free);
  wp_output_drop (&self->output);
  if (self->pidfd >= 0)
    close (self->pidfd);
  if (self->command_source != 0)
    g_child_watch_add (self->command_pid, bury_command, NULL);
  clear_source (&self->command_source);
  g_clear_error (&self->error);
  g_free (self->missing);
  wp_record_options_clear (&self->options);
  g_free (self);
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

static gboolean
check_rate (const WpRecorder *self, GError **error)
{
  if (self->options.rate <= WP_RECORD_RATE_MAX)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_KERNEL, "%u CPU samples a second are too many; take %u or fewer",
               self->options.rate, WP_RECORD_RATE_MAX);
  return FALSE;
}

void
wp_recorder_start (WpRecorder *self)
{
  GError *error = NULL;

  g_return_if_fail (self->state == WP_RECORDER_IDLE);
  self->state = WP_RECORDER_STARTING;
  if (!wp_command_check (&self->options, &error) || !check_rate (self, &error) || !open_pid (self, &error)
      || !wp_output_open (&self->output, self->options.output, &error))
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
  wp_helper_say (self->helper, "pause\n");
}

void
wp_recorder_resume (WpRecorder *self)
{
  if (self->state != WP_RECORDER_PAUSED)
    return;
  self->paused_us += g_get_monotonic_time () - self->paused_since_us;
  wp_helper_say (self->helper, "resume\n");
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
