/* A recording from start to end: its states, its file, and when helper and command come and go. */
#include "record/recorder.h"

#include "base/array.h"
#include "base/format.h"
#include "record/arguments.h"
#include "record/command.h"
#include "record/finish.h"
#include "record/flight.h"
#include "record/helper.h"
#include "record/launch.h"
#include "record/output.h"
#include "record/task-stat.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STOP_PATIENCE_S 10 /* a helper that was told to stop and writes nothing for so long is ended */
#define FINISHING_MS 200   /* so often it is told how far finishing is */
#define LOOK_MS 200        /* … and so often it is looked whether a process lives that the kernel does not tell of */

/* A process that is waited for. */
typedef struct
{
  int fd;          /* -1: the kernel gives none, and it is looked at again and again */
  guint source;    /* of the descriptor */
  gint32 pid;
  guint64 started; /* with the number it tells a process from any other */
} Watch;

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
  WpFlight *flight; /* NULL: all is kept */
  WpArguments *arguments; /* of processes; NULL: it has not begun, or they are handed over */
  gboolean pkexec;  /* the helper was started through it */
  WpHelper *helper; /* or NULL */
  gint32 command_pid, interest; /* 0: none */
  guint chosen_threads;  /* that can be sampled alone */
  gboolean samples_chosen, sampled_both;
  int command_status;
  gboolean dropped; /* what is recorded: the command was too short */
  guint64 size;     /* of the output when the patience began, once it is to stop */
  gboolean late;    /* the helper did not stop, and was ended */
  gboolean left;    /* it did not even end: it may still write to its output */
  WP_ARRAY (Watch) watches; /* of the options' processes, those that live */
  guint duration_source, patience_source, finishing_source, command_source, look_source; /* the last one while some have no descriptor */
  WpFinish *finish; /* from FINISHING on: the file is its */

  guint pauses;
  guint64 said, followed; /* commands, without stop */
  GPtrArray *orders;      /* Order, what is not done yet */
};

/* Who waits until so many commands have been followed; of a snapshot also until it is finished. */
typedef struct
{
  WpRecorder *recorder;
  guint64 number;
  char *snapshot; /* its file; NULL: it is none */
  WpFinish *finish;
  WpRecorderAnswerFunc func;
  gpointer user_data;
} Order;

static void launch (WpRecorder *self);
static void refuse_orders (WpRecorder *self);

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
end_watch (WpRecorder *self, guint32 i)
{
  clear_source (&self->watches.data[i].source);
  if (self->watches.data[i].fd >= 0)
    close (self->watches.data[i].fd);
  self->watches.data[i] = self->watches.data[--self->watches.len];
}

static void
end_watches (WpRecorder *self)
{
  clear_source (&self->look_source);
  while (self->watches.len > 0)
    end_watch (self, self->watches.len - 1);
}

static void
end_sources (WpRecorder *self)
{
  clear_source (&self->duration_source);
  clear_source (&self->patience_source);
  end_watches (self);
  clear_source (&self->finishing_source);
}

static void
fail (WpRecorder *self, GError *error)
{
  end_sources (self);
  g_clear_pointer (&self->arguments, wp_arguments_unref);
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  refuse_orders (self);
  set_state (self, WP_RECORDER_FAILED);
}

static guint
count (const gint32 *ids)
{
  guint n = 0;

  while (ids != NULL && ids[n] != 0)
    n++;
  return n;
}

/* Of options that were copied as they are, what they refer to. */
static void
copy_options (WpRecordOptions *options)
{
  options->command = g_strdupv (options->command);
  options->folder = g_strdup (options->folder);
  options->pids = g_memdup2 (options->pids, (count (options->pids) + 1) * sizeof *options->pids);
  options->tids = g_memdup2 (options->tids, (count (options->tids) + 1) * sizeof *options->tids);
  options->environment = g_strdupv (options->environment);
  options->output = g_strdup (options->output);
  options->command_output = g_strdup (options->command_output);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static void
order_free (gpointer data, gpointer unused)
{
  Order *order = data;

  g_clear_pointer (&order->finish, wp_finish_free);
  g_free (order->snapshot);
  g_free (order);
}

static void
answer (Order *order, const GError *error)
{
  g_ptr_array_remove (order->recorder->orders, order);
  order->func (order->recorder, error, order->user_data);
  order_free (order, NULL);
}

static void
on_snapshot_finished (GError *error, const char *missing, gpointer data)
{
  WpRecorder *self = ((Order *) data)->recorder;

  answer (data, error);
  g_clear_error (&error);
  tell (self);
}

/* Of whom CPU samples were taken so far, in words; NULL: of all. */
static const char *
sampled_only (const WpRecorder *self)
{
  gboolean threads = self->options.tids != NULL;

  if (self->sampled_both)
    return threads ? "chosen threads, for a part of the time" : "chosen processes, for a part of the time";
  return !self->samples_chosen ? NULL : threads ? "chosen threads" : "chosen processes";
}

/* 0: none. */
static gint32
interest_of (const WpRecorder *self)
{
  return self->interest != 0 ? self->interest : self->command_pid;
}

/* Of what is being recorded, for reading; -1: it cannot be. */
static int
open_source (const WpRecorder *self)
{
  return fcntl (self->output.fd, F_DUPFD_CLOEXEC, 3);
}

static guint64
output_size (const WpRecorder *self)
{
  struct stat status;

  return fstat (self->output.fd, &status) == 0 ? (guint64) status.st_size : 0;
}

static void
begin_snapshot (Order *order)
{
  WpRecorder *self = order->recorder;
  WpFinishInput input = { .options = self->options, .pid = interest_of (self), .since = self->started_us * 1000,
                          .sampled_only = sampled_only (self), .flight = self->flight, .bytes = self->counters.bytes,
                          .source = self->flight != NULL ? -1 : open_source (self) };
  g_autoptr (GError) error = NULL;

  if (!wp_output_open (&input.output, order->snapshot, &error))
    {
      if (input.source >= 0)
        close (input.source);
      answer (order, error);
      return;
    }
  input.options.output = order->snapshot;
  copy_options (&input.options);
  input.arguments = wp_arguments_ref (self->arguments);
  input.missing = g_strdup (self->missing);
  order->finish = wp_finish_begin (&input, on_snapshot_finished, order);
}

/* So many commands have been followed. */
static void
go_on_with_orders (WpRecorder *self, guint64 followed)
{
  self->followed = followed;
  for (guint i = 0; i < self->orders->len;)
    {
      Order *order = self->orders->pdata[i];

      if (order->number <= followed && order->snapshot == NULL)
        answer (order, NULL);
      else if (order->number <= followed && order->finish == NULL)
        begin_snapshot (order);
      i += i < self->orders->len && self->orders->pdata[i] == order;
    }
}

/* Nothing will be followed any more. Snapshots that are being finished go on. */
static void
refuse_orders (WpRecorder *self)
{
  for (guint i = self->orders->len; i-- > 0;)
    {
      Order *order = self->orders->pdata[i];

      if (order->finish == NULL)
        answer (order, self->error);
    }
}

static void
say (WpRecorder *self, const char *command)
{
  self->said++;
  wp_helper_say (self->helper, command);
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

/* What a flight recorder kept goes into a file of its own, and so does what may still be written to. */
static gboolean
change_output (WpRecorder *self, WpFinishInput *input, GError **error)
{
  if (self->flight == NULL) /* which has the file open itself */
    {
      input->source = open_source (self);
      input->bytes = output_size (self);
    }
  wp_output_drop (&self->output);
  return wp_output_open (&self->output, self->options.output, error);
}

/* What there is becomes the recording; with `broken`, as far as it can. A helper that is through may take another second to
 * end, while the kernel lets go of its events. */
static void
begin_finishing (WpRecorder *self, GError *broken)
{
  WpFinishInput input = { .options = self->options, .pid = interest_of (self), .since = self->started_us * 1000, .source = -1,
                          .sampled_only = sampled_only (self), .flight = self->flight, .bytes = self->counters.bytes,
                          .ended = wp_command_end_words (self->command_status) };
  GError *error = NULL;

  self->counters.elapsed_us = wp_recorder_counters (self)->elapsed_us; /* the helper may have stopped by itself */
  end_sources (self);
  if ((self->flight != NULL || self->left) && !change_output (self, &input, &error))
    {
      if (input.source >= 0)
        close (input.source);
      g_clear_error (&broken);
      g_free (input.ended);
      fail (self, error);
      return;
    }
  input.output = self->output;
  input.missing = g_strdup (self->missing);
  input.broken = broken;
  copy_options (&input.options);
  input.arguments = g_steal_pointer (&self->arguments);
  self->output = WP_OUTPUT_NONE;
  self->finish = wp_finish_begin (&input, on_finished, self);
  self->finishing_source = g_timeout_add (FINISHING_MS, on_finishing, self);
  set_state (self, WP_RECORDER_FINISHING);
}

static void
drop (WpRecorder *self)
{
  char took[WP_FORMAT_MAX], longer[WP_FORMAT_MAX];

  wp_output_drop (&self->output);
  wp_format_ns (wp_recorder_counters (self)->elapsed_us * 1000, took);
  wp_format_ns ((gint64) (self->options.longer * WP_NS_PER_S), longer);
  fail (self, g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_SHORT, "the command took %s, no longer than %s; nothing is kept", took, longer));
}

static GError *
why_gone (const WpRecorder *self)
{
  if (self->late)
    return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "the recording helper was told to stop and did not answer for %d seconds",
                        STOP_PATIENCE_S);
  return wp_helper_error (self->helper, self->state == WP_RECORDER_STARTING);
}

/* What was recorded before a failure opens up to the cut: it is kept. */
static void
end_badly (WpRecorder *self)
{
  GError *error = why_gone (self);

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

/* As long as it writes what it has it is waited for. Then it is ended, so that nobody writes to what is kept. What cannot be ended hangs in the
 * kernel, and is waited for no longer. */
static gboolean
on_patience_over (gpointer data)
{
  WpRecorder *self = data;
  guint64 before = self->size;

  self->size = output_size (self);
  if (self->size > before)
    return G_SOURCE_CONTINUE;
  if (!self->late)
    {
      self->late = TRUE;
      wp_helper_kill (self->helper);
      return G_SOURCE_CONTINUE;
    }
  self->patience_source = 0;
  self->left = TRUE;
  wp_helper_leave (self->helper);
  end_badly (self);
  return G_SOURCE_REMOVE;
}

static void
stop_recording (WpRecorder *self)
{
  if (self->state != WP_RECORDER_RECORDING && self->state != WP_RECORDER_PAUSED)
    return;
  clear_source (&self->duration_source);
  end_watches (self);
  self->size = output_size (self);
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

/* The last one ends the recording. */
static gboolean
on_pid_over (int fd, GIOCondition condition, gpointer data)
{
  WpRecorder *self = data;

  for (guint32 i = 0; i < self->watches.len; i++)
    if (self->watches.data[i].fd == fd)
      {
        self->watches.data[i].source = 0; /* returning removes it */
        end_watch (self, i);
        break;
      }
  if (self->watches.len == 0)
    stop_recording (self);
  return G_SOURCE_REMOVE;
}

static gboolean
lives (const Watch *watch)
{
  WpTaskStat stat;

  if (!wp_task_stat_read (watch->pid, 0, &stat))
    return FALSE;
  g_free (stat.name);
  return stat.started == watch->started;
}

static gboolean
on_look (gpointer data)
{
  WpRecorder *self = data;

  for (guint32 i = self->watches.len; i-- > 0;)
    if (self->watches.data[i].fd < 0 && !lives (&self->watches.data[i]))
      end_watch (self, i);
  if (self->watches.len > 0)
    return G_SOURCE_CONTINUE;
  self->look_source = 0; /* returning removes it */
  stop_recording (self);
  return G_SOURCE_REMOVE;
}

static void
watch (WpRecorder *self)
{
  for (guint32 i = 0; i < self->watches.len; i++)
    if (self->watches.data[i].fd >= 0)
      self->watches.data[i].source = g_unix_fd_add (self->watches.data[i].fd, G_IO_IN, on_pid_over, self);
    else if (self->look_source == 0)
      self->look_source = g_timeout_add (LOOK_MS, on_look, self);
}

static void
on_command_over (GPid pid, int status, gpointer data)
{
  WpRecorder *self = data;

  self->command_source = 0;
  wp_command_ended (pid);
  self->command_status = status;
  self->dropped = self->state < WP_RECORDER_STOPPING && g_get_monotonic_time () - self->started_us <= self->options.longer * 1e6;
  stop_recording (self);
}

/* Somebody has to, when the recorder is gone. */
static void
bury_command (GPid pid, int status, gpointer data)
{
  wp_command_ended (pid);
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

/* What was wanted before it recorded. */
static void
say_orders (WpRecorder *self)
{
  if (self->orders->len > 0)
    say (self, "round\n");
  for (guint i = 0; i < self->orders->len; i++)
    ((Order *) self->orders->pdata[i])->number = self->said;
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
  watch (self);
  for (guint i = 0; i < self->pauses; i++)
    say (self, "pause\n");
  say_orders (self);
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

/* Where they cannot be chosen all are sampled, and that is missing. */
static void
note_chosen (WpRecorder *self, JsonObject *message)
{
  self->chosen_threads = (guint) json_object_get_int_member_with_default (message, "chosen_threads", 0);
  self->samples_chosen = self->options.sample_chosen && self->chosen_threads > 0;
}

static void
note_counters (WpRecorder *self, JsonObject *message)
{
  self->counters.bytes = json_object_get_int_member_with_default (message, "bytes", self->counters.bytes);
  self->counters.events = json_object_get_int_member_with_default (message, "events", self->counters.events);
  self->counters.lost = json_object_get_int_member_with_default (message, "lost", self->counters.lost);
  if (self->flight != NULL)
    wp_flight_follow (self->flight, self->counters.bytes);
}

/* What the helper says is missing takes the place of what was said before. */
static void
note_flight (WpRecorder *self)
{
  char *missing;

  if (self->flight == NULL)
    return;
  missing = wp_flight_missing (self->flight, self->missing);
  g_free (self->missing);
  self->missing = missing;
}

static void
note_pause (WpRecorder *self, gboolean paused)
{
  gint64 now = g_get_monotonic_time ();

  if (paused)
    self->paused_since_us = now;
  else
    self->paused_us += now - self->paused_since_us;
  set_state (self, paused ? WP_RECORDER_PAUSED : WP_RECORDER_RECORDING);
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
  note_flight (self);
  self->counters.rate = json_object_get_int_member_with_default (message, "rate", self->counters.rate);
  if (g_str_equal (kind, "started"))
    {
      note_chosen (self, message);
      on_started (self);
    }
  else if (g_str_equal (kind, "progress"))
    tell (self);
  else if (g_str_equal (kind, "paused") && self->state == WP_RECORDER_RECORDING)
    note_pause (self, TRUE);
  else if (g_str_equal (kind, "resumed") && self->state == WP_RECORDER_PAUSED)
    note_pause (self, FALSE);
  if (json_object_has_member (message, "commands"))
    go_on_with_orders (self, g_str_equal (kind, "stopped") ? G_MAXUINT64
                                                           : (guint64) json_object_get_int_member_with_default (message, "commands", 0));
  if (self->flight != NULL && wp_flight_is_stuck (self->flight))
    stop_recording (self);
  if (g_str_equal (kind, "stopped") && self->dropped)
    drop (self);
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
  g_clear_pointer (&self->pids, g_free);
  g_clear_pointer (&self->tids, g_free);
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
  self->command_status = -1;
  self->orders = g_ptr_array_new ();
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
  g_ptr_array_foreach (self->orders, order_free, NULL);
  g_ptr_array_unref (self->orders);
  wp_flight_free (self->flight);
  wp_arguments_unref (self->arguments);
  wp_output_drop (&self->output);
  wp_array_clear (&self->watches);
  if (self->command_source != 0)
    g_child_watch_add (self->command_pid, bury_command, NULL);
  clear_source (&self->command_source);
  g_clear_error (&self->error);
  g_free (self->missing);
  wp_record_options_clear (&self->options);
  g_free (self);
}

/* Linux before 5.3 gives no descriptor, nor do some containers. Returns 0 or an errno; ESRCH: there is no process of this number, or it is
 * that of a thread. */
static int
open_pid (Watch *watch)
{
  WpTaskStat stat;

  watch->fd = syscall (SYS_pidfd_open, watch->pid, 0);
  if (watch->fd >= 0)
    {
      fcntl (watch->fd, F_SETFD, FD_CLOEXEC);
      return 0;
    }
  if (errno != ENOSYS && errno != EPERM)
    return errno == EINVAL || errno == ENOENT ? ESRCH : errno;
  if (!wp_task_stat_read (watch->pid, 0, &stat))
    return ESRCH;
  watch->started = stat.started;
  g_free (stat.name);
  return 0;
}

/* Of several, some may have ended meanwhile. */
static gboolean
open_pids (WpRecorder *self, GError **error)
{
  guint n = count (self->options.pids);

  for (guint i = 0; i < n; i++)
    {
      Watch watch = { .pid = self->options.pids[i] };
      int code = open_pid (&watch);

      if (code == ESRCH)
        continue;
      if (code != 0)
        {
          g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "the end of process %d cannot be waited for: %s", watch.pid,
                       g_strerror (code));
          return FALSE;
        }
      wp_array_push (&self->watches, watch);
      self->command_pid = self->command_pid == 0 ? watch.pid : self->command_pid;
    }
  if (n == 0 || self->watches.len > 0)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no process %d", self->options.pids[0]);
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
  if (!wp_command_check (&self->options, &error) || !check_rate (self, &error) || !open_pids (self, &error)
      || !wp_output_open (&self->output, self->options.output, &error)
      || (self->options.keep > 0 && !wp_flight_check (self->output.fd, self->options.output, &error)))
    {
      wp_output_drop (&self->output);
      fail (self, error);
      return;
    }
  if (self->options.keep > 0)
    self->flight = wp_flight_new (self->output.fd, self->options.keep);
  self->arguments = wp_arguments_begin ();
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

static gboolean
records (const WpRecorder *self)
{
  return self->state == WP_RECORDER_RECORDING || self->state == WP_RECORDER_PAUSED;
}

void
wp_recorder_pause (WpRecorder *self)
{
  if (!records (self) && self->state != WP_RECORDER_STARTING)
    return;
  self->pauses++;
  if (records (self))
    say (self, "pause\n");
}

void
wp_recorder_resume (WpRecorder *self)
{
  if (self->pauses == 0)
    return;
  self->pauses--;
  if (records (self))
    say (self, "resume\n");
}

guint
wp_recorder_pauses (const WpRecorder *self)
{
  return self->pauses;
}

void
wp_recorder_set_rate (WpRecorder *self, guint rate)
{
  g_autofree char *command = g_strdup_printf ("rate %u\n", CLAMP (rate, 1, WP_RECORD_RATE_MAX));

  if (records (self))
    say (self, command);
}

const char *
wp_recorder_no_choice (const WpRecorder *self)
{
  if (self->options.pids == NULL)
    return N_ ("no processes were chosen when recording began");
  if (count (self->options.tids != NULL ? self->options.tids : self->options.pids) > WP_RECORD_SAMPLED_MAX)
    return N_ ("too many processes or threads were chosen to sample them alone");
  if (!records (self))
    return N_ ("nothing is being recorded");
  return self->chosen_threads == 0 ? N_ ("the chosen processes have too many threads to sample them alone, or have ended") : NULL;
}

gboolean
wp_recorder_samples_chosen (const WpRecorder *self)
{
  return self->samples_chosen;
}

void
wp_recorder_sample_chosen (WpRecorder *self, gboolean chosen)
{
  if (wp_recorder_no_choice (self) != NULL || chosen == self->samples_chosen)
    return;
  self->samples_chosen = chosen;
  self->sampled_both = TRUE;
  say (self, chosen ? "sample chosen\n" : "sample all\n");
}

static void
add_order (WpRecorder *self, const char *snapshot, WpRecorderAnswerFunc func, gpointer user_data)
{
  Order *order = g_new0 (Order, 1);

  *order = (Order) { .recorder = self, .number = self->said, .snapshot = g_strdup (snapshot), .func = func, .user_data = user_data };
  g_ptr_array_add (self->orders, order);
}

void
wp_recorder_when_followed (WpRecorder *self, WpRecorderAnswerFunc func, gpointer user_data)
{
  if (self->state > WP_RECORDER_PAUSED || (records (self) && self->followed >= self->said))
    func (self, NULL, user_data);
  else
    add_order (self, NULL, func, user_data);
}

void
wp_recorder_snapshot (WpRecorder *self, const char *output, WpRecorderAnswerFunc func, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (self->state <= WP_RECORDER_PAUSED)
    {
      if (records (self))
        say (self, "round\n");
      add_order (self, output, func, user_data);
      return;
    }
  error = g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s is not saved: nothing is being recorded", output);
  func (self, error, user_data);
}

gboolean
wp_recorder_saves_snapshots (const WpRecorder *self)
{
  for (guint i = 0; i < self->orders->len; i++)
    if (((const Order *) self->orders->pdata[i])->snapshot != NULL)
      return TRUE;
  return FALSE;
}

char *
wp_recorder_snapshot_name (const WpRecorder *self, guint number)
{
  const char *output = self->options.output;
  int stem = wp_output_stem (output);

  return g_strdup_printf ("%.*s-snapshot-%u%s", stem, output, number, output + stem);
}

void
wp_recorder_set_interest (WpRecorder *self, gint32 pid)
{
  self->interest = pid;
}

int
wp_recorder_stream (const WpRecorder *self)
{
  return records (self) ? self->output.fd : -1;
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

gboolean
wp_recorder_forgets (const WpRecorder *self)
{
  return self->flight != NULL;
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
