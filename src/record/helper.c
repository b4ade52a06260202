/* Messages in and commands out; see helper.h. */
#include "record/helper.h"

#include "base/json-reader.h"
#include "record/launch.h"

#include <signal.h>
#include <string.h>

#define SAID_MAX 2000 /* of what pkexec says, so much is kept */
#define MESSAGE_MAX (256 * 1024)

struct WpHelper
{
  WpHelperMessageFunc message;
  WpHelperGoneFunc gone;
  gpointer user_data;

  GCancellable *cancellable; /* ends all that is under way: whoever is called back then must not look at the rest */
  GSubprocess *process;
  GOutputStream *commands; /* the process' own */
  GDataInputStream *messages;
  gboolean pkexec; /* it was started through it */
  WpStackMode stacks;
  gboolean process_over, messages_over;
  char *failed_code, *failed_text; /* its own error */
  GString *said;                   /* lines that are no JSON: pkexec's */
};

/* --- what it tells ------------------------------------------------------------------------------------------------ */

static void
part_is_over (WpHelper *self)
{
  if (self->process_over && self->messages_over)
    self->gone (self->user_data);
}

static void
on_process_over (GObject *source, GAsyncResult *result, gpointer data)
{
  WpHelper *self;
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = data;
  self->process_over = TRUE;
  part_is_over (self);
}

static void
note_error (WpHelper *self, JsonObject *message)
{
  g_free (self->failed_code);
  g_free (self->failed_text);
  self->failed_code = g_strdup (json_object_get_string_member_with_default (message, "code", ""));
  self->failed_text = g_strdup (json_object_get_string_member_with_default (message, "text", "it gave no reason"));
}

static void
on_object (WpHelper *self, JsonObject *message)
{
  const char *kind = json_object_get_string_member_with_default (message, "message", "");

  if (g_str_equal (kind, "error"))
    note_error (self, message);
  self->message (kind, message, self->user_data);
}

/* json-glib recurses over what is nested: only what the limited reader has read through goes there. */
static gboolean
is_message (const char *line)
{
  gsize n = strlen (line);
  g_autoptr (WpJsonReader) reader = n <= MESSAGE_MAX ? wp_json_reader_new ("", line, n, NULL) : NULL;

  if (reader == NULL)
    return FALSE;
  wp_json_reader_skip (reader);
  return wp_json_reader_finish (reader, NULL);
}

static void
on_text (WpHelper *self, const char *line)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root = NULL;

  if (is_message (line) && json_parser_load_from_data (parser, line, -1, NULL))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    on_object (self, json_node_get_object (root));
  else if (self->said->len < SAID_MAX)
    g_string_append_printf (self->said, "%s%.*s", self->said->len > 0 ? "\n" : "", SAID_MAX, line);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, &error);
  WpHelper *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = data;
  if (line == NULL)
    {
      self->messages_over = TRUE;
      part_is_over (self);
      return;
    }
  on_text (self, line);
  if (!g_cancellable_is_cancelled (self->cancellable))
    g_data_input_stream_read_line_async (self->messages, G_PRIORITY_DEFAULT, self->cancellable, on_line, self);
}

/* --- for the recorder --------------------------------------------------------------------------------------------- */

WpHelper *
wp_helper_start (const WpRecordOptions *options, gboolean pkexec, int output, WpHelperMessageFunc message,
                 WpHelperGoneFunc gone, gpointer user_data, GError **error)
{
  GSubprocess *process = wp_launch_helper (options, pkexec, output, error);
  WpHelper *self;

  if (process == NULL)
    return NULL;
  self = g_new0 (WpHelper, 1);
  self->message = message;
  self->gone = gone;
  self->user_data = user_data;
  self->pkexec = pkexec;
  self->stacks = options->stacks;
  self->said = g_string_new (NULL);
  self->cancellable = g_cancellable_new ();
  self->process = process;
  self->commands = g_subprocess_get_stdin_pipe (process);
  self->messages = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  g_data_input_stream_read_line_async (self->messages, G_PRIORITY_DEFAULT, self->cancellable, on_line, self);
  g_subprocess_wait_async (process, self->cancellable, on_process_over, self);
  return self;
}

/* A helper that has just ended must not take the program with it: the signal of a broken pipe is kept from us. */
void
wp_helper_say (WpHelper *self, const char *command)
{
  const struct timespec at_once = { 0 };
  sigset_t broken_pipe, before;

  if (self->process_over)
    return;
  sigemptyset (&broken_pipe);
  sigaddset (&broken_pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &broken_pipe, &before);
  if (!g_output_stream_write_all (self->commands, command, strlen (command), NULL, NULL, NULL))
    sigtimedwait (&broken_pipe, NULL, &at_once);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

void
wp_helper_leave (WpHelper *self)
{
  g_cancellable_cancel (self->cancellable);
  g_output_stream_close (self->commands, NULL, NULL);
}

void
wp_helper_kill (WpHelper *self)
{
  if (!self->process_over)
    g_subprocess_force_exit (self->process);
}

/* The signal reaches a pkexec that still asks; a helper that is past that follows the command. */
void
wp_helper_end (WpHelper *self)
{
  wp_helper_say (self, "stop\n");
  if (!self->process_over)
    g_subprocess_send_signal (self->process, SIGTERM);
  g_cancellable_cancel (self->cancellable);
}

gboolean
wp_helper_may_with_pkexec (const WpHelper *self)
{
  return wp_launch_worth_pkexec (self->failed_code);
}

GError *
wp_helper_error (const WpHelper *self, gboolean starting)
{
  int status = g_subprocess_get_if_exited (self->process) ? g_subprocess_get_exit_status (self->process) : -1;

  if (self->failed_text != NULL)
    return wp_launch_helper_error (self->failed_code, self->failed_text);
  if (self->pkexec && starting)
    return wp_launch_pkexec_error (status, self->said->str, self->stacks);
  return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "the recording helper was ended from outside%s%s",
                      self->said->len > 0 ? ": " : "", self->said->str);
}

void
wp_helper_free (WpHelper *self)
{
  if (self == NULL)
    return;
  wp_helper_leave (self);
  g_object_unref (self->messages);
  g_object_unref (self->process);
  g_object_unref (self->cancellable);
  g_string_free (self->said, TRUE);
  g_free (self->failed_code);
  g_free (self->failed_text);
  g_free (self);
}
