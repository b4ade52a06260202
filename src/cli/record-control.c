/* What may be said to a recording that runs, and by whom; see record-control.h. */
#include "cli/record-control.h"

#include "base/write.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define LINE_MAX_BYTES 128

struct WpRecordControl
{
  WpRecorder *recorder; /* NULL: none now */
  gboolean disabled;    /* by that word, which is one of its pauses */
  guint snapshots;      /* of this recording */
  WpRecorderState told; /* to who steers by keys */

  int commands, answers; /* -1: none */
  gboolean own_descriptors;
  GString *line;
  guint commands_source, keys_source, signal_source;
  struct termios usual;
};

/* Somebody's wish that is not done yet. */
typedef struct
{
  WpRecordControl *control;
  char *snapshot; /* NULL: it is none */
  gboolean answered; /* who says it is told when it is done */
} Wish;

/* --- words -------------------------------------------------------------------------------------------------------- */

static void
pause_it (WpRecordControl *self, guint number)
{
  wp_recorder_pause (self->recorder);
}

static void
resume (WpRecordControl *self, guint number)
{
  wp_recorder_resume (self->recorder);
}

/* perf's words do not nest. */
static void
disable (WpRecordControl *self, guint number)
{
  if (!self->disabled)
    wp_recorder_pause (self->recorder);
  self->disabled = TRUE;
}

static void
enable (WpRecordControl *self, guint number)
{
  if (self->disabled)
    wp_recorder_resume (self->recorder);
  self->disabled = FALSE;
}

static void
set_rate (WpRecordControl *self, guint number)
{
  wp_recorder_set_rate (self->recorder, number);
}

static void
sample_all (WpRecordControl *self, guint number)
{
  wp_recorder_sample_chosen (self->recorder, FALSE);
}

static void
sample_chosen (WpRecordControl *self, guint number)
{
  wp_recorder_sample_chosen (self->recorder, TRUE);
}

static void
set_interest (WpRecordControl *self, guint number)
{
  wp_recorder_set_interest (self->recorder, (gint32) number);
}

static void
stop (WpRecordControl *self, guint number)
{
  wp_recorder_stop (self->recorder);
}

static void
do_nothing (WpRecordControl *self, guint number)
{
}

static const struct
{
  const char *word;
  void (*act) (WpRecordControl *self, guint number);
  guint most; /* a number up to that follows; 0: none */
  gboolean saves, chooses;
} words[] = {
  { "pause", pause_it },
  { "resume", resume },
  { "disable", disable },
  { "enable", enable },
  { "rate", set_rate, .most = WP_RECORD_RATE_MAX },
  { "sample all", sample_all, .chooses = TRUE },
  { "sample chosen", sample_chosen, .chooses = TRUE },
  { "interest", set_interest, .most = G_MAXINT32 },
  { "snapshot", do_nothing, .saves = TRUE },
  { "ping", do_nothing },
  { "stop", stop },
};

static void
send_answer (const WpRecordControl *self, const char *text)
{
  if (self->answers >= 0)
    wp_write_all (self->answers, text, strlen (text));
}

static void
on_done (WpRecorder *recorder, const GError *error, gpointer data)
{
  Wish *wish = data;
  g_autofree char *text = error != NULL ? g_strdup_printf ("error: %s\n", error->message) : g_strdup ("ack\n");

  if (error != NULL)
    wp_cli_fail (g_error_copy (error));
  else if (wish->snapshot != NULL)
    g_printerr ("%s: saved, and recording goes on\n", wish->snapshot);
  if (wish->answered)
    send_answer (wish->control, text);
  g_free (wish->snapshot);
  g_free (wish);
}

/* Whether `line` is this word with what follows it. */
static gboolean
is_word (const char *line, const char *word, guint most, guint *number)
{
  gsize n = strlen (word);
  guint64 value;

  if (most == 0)
    return g_str_equal (line, word);
  if (!g_str_has_prefix (line, word) || line[n] != ' ' || !g_ascii_string_to_unsigned (line + n + 1, 10, 1, most, &value, NULL))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

/* What was said as `line`: words[word], with a number where one follows. */
static void
follow (WpRecordControl *self, guint word, guint number, const char *line, gboolean answered)
{
  const char *no_choice = words[word].chooses ? wp_recorder_no_choice (self->recorder) : NULL;
  Wish *wish = g_new (Wish, 1);

  *wish = (Wish) { self, words[word].saves ? wp_recorder_snapshot_name (self->recorder, ++self->snapshots) : NULL, answered };
  if (no_choice != NULL)
    {
      g_autoptr (GError) error = g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "%s: %s", line, no_choice);

      on_done (self->recorder, error, wish);
      return;
    }
  words[word].act (self, number);
  if (words[word].saves)
    wp_recorder_snapshot (self->recorder, wish->snapshot, on_done, wish);
  else
    wp_recorder_when_followed (self->recorder, on_done, wish);
}

/* FALSE: there is no such word. */
static gboolean
perform (WpRecordControl *self, const char *line, gboolean answered)
{
  guint number = 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (is_word (line, words[i].word, words[i].most, &number))
      {
        follow (self, i, number, line, answered);
        return TRUE;
      }
  return FALSE;
}

/* --- another program ---------------------------------------------------------------------------------------------- */

static void
on_line (WpRecordControl *self)
{
  if (self->recorder == NULL || perform (self, self->line->str, TRUE))
    return;
  g_printerr ("--control: \"%s\" is no command; there are pause, resume, disable, enable, rate HZ, sample all, sample chosen, interest PID, "
              "snapshot, ping and stop\n", self->line->str);
  send_answer (self, "error: no such command\n");
}

static void
take_byte (WpRecordControl *self, char byte)
{
  if (byte != '\n')
    {
      if (self->line->len < LINE_MAX_BYTES)
        g_string_append_c (self->line, g_ascii_isprint (byte) ? byte : '?');
      return;
    }
  if (self->line->len > 0)
    on_line (self);
  g_string_truncate (self->line, 0);
}

static gboolean
on_commands (int fd, GIOCondition condition, gpointer data)
{
  WpRecordControl *self = data;
  char bytes[512];
  gssize n = read (fd, bytes, sizeof bytes);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  for (gssize i = 0; i < n; i++)
    take_byte (self, bytes[i]);
  if (n > 0)
    return G_SOURCE_CONTINUE;
  self->commands_source = 0;
  return G_SOURCE_REMOVE;
}

/* Both ways, so that nobody has to be there yet and nobody is missed who goes: as perf does it. */
static int
open_fifo (const char *path, GError **error)
{
  int fd = open (path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

  if (fd < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "--control: %s cannot be opened: %s; make it with mkfifo", path,
                 g_strerror (errno));
  return fd;
}

static int
take_descriptor (const char *text, GError **error)
{
  guint64 fd;

  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &fd, NULL) && fcntl ((int) fd, F_GETFD) >= 0)
    return (int) fd;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--control: %s is no open descriptor", text);
  return -1;
}

static gboolean
open_both (WpRecordControl *self, const char *where, GError **error)
{
  const char *colon = strchr (where, ':');
  g_auto (GStrv) ends = colon != NULL ? g_strsplit (colon + 1, ",", 2) : NULL;
  int (*open_end) (const char *, GError **);

  self->own_descriptors = g_str_has_prefix (where, "fifo:");
  open_end = self->own_descriptors ? open_fifo : take_descriptor;
  if (ends == NULL || (!self->own_descriptors && !g_str_has_prefix (where, "fd:")))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "--control takes fifo:COMMANDS[,ANSWERS] or fd:COMMANDS[,ANSWERS], not %s", where);
      return FALSE;
    }
  self->commands = open_end (ends[0] != NULL ? ends[0] : "", error);
  if (self->commands < 0)
    return FALSE;
  self->commands_source = g_unix_fd_add (self->commands, G_IO_IN | G_IO_HUP, on_commands, self);
  if (ends[1] == NULL)
    return TRUE;
  self->answers = open_end (ends[1], error);
  signal (SIGPIPE, SIG_IGN); /* who is answered may be gone */
  return self->answers >= 0;
}

/* --- signal and keys ---------------------------------------------------------------------------------------------- */

static gboolean
on_signal (gpointer data)
{
  WpRecordControl *self = data;

  if (self->recorder != NULL)
    perform (self, "snapshot", FALSE);
  return G_SOURCE_CONTINUE;
}

static void
change_rate (WpRecordControl *self, gboolean up)
{
  guint rate = wp_recorder_counters (self->recorder)->rate;
  g_autofree char *line = g_strdup_printf ("rate %u", up ? MIN (rate * 2, WP_RECORD_RATE_MAX) : MAX (rate / 2, 1));

  if (rate > 0)
    g_printerr ("%s\n", line);
  perform (self, line, FALSE);
}

static void
on_key (WpRecordControl *self, char key)
{
  switch (key)
    {
    case 'p':
      perform (self, wp_recorder_pauses (self->recorder) > 0 ? "resume" : "pause", FALSE);
      break;
    case 's':
      perform (self, "snapshot", FALSE);
      break;
    case '+':
    case '-':
      change_rate (self, key == '+');
      break;
    case 'q':
      perform (self, "stop", FALSE);
      break;
    default:
      break;
    }
}

static gboolean
on_keys (int fd, GIOCondition condition, gpointer data)
{
  WpRecordControl *self = data;
  char keys[32];
  gssize n = read (fd, keys, sizeof keys);

  for (gssize i = 0; i < n && self->recorder != NULL; i++)
    on_key (self, keys[i]);
  if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
    return G_SOURCE_CONTINUE;
  self->keys_source = 0;
  return G_SOURCE_REMOVE;
}

static void
listen_to_keys (WpRecordControl *self)
{
  struct termios terminal;

  if (tcgetpgrp (STDIN_FILENO) != getpgrp () || tcgetattr (STDIN_FILENO, &self->usual) != 0)
    return;
  terminal = self->usual;
  terminal.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
  terminal.c_cc[VMIN] = 1;
  terminal.c_cc[VTIME] = 0;
  if (tcsetattr (STDIN_FILENO, TCSADRAIN, &terminal) == 0)
    self->keys_source = g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_keys, self);
}

void
wp_record_control_changed (WpRecordControl *self)
{
  WpRecorderState state = self->recorder != NULL ? wp_recorder_state (self->recorder) : WP_RECORDER_IDLE;

  if (self->keys_source == 0 || state == self->told)
    return;
  if (state == WP_RECORDER_RECORDING)
    g_printerr ("Recording. Keys: p pauses, s saves a snapshot, + and - change the rate, q stops.\n");
  else if (state == WP_RECORDER_PAUSED)
    g_printerr ("Paused; p goes on.\n");
  self->told = state;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

WpRecordControl *
wp_record_control_new (const char *where, gboolean keys, GError **error)
{
  g_autoptr (WpRecordControl) self = g_new0 (WpRecordControl, 1);

  self->commands = self->answers = -1;
  self->line = g_string_new (NULL);
  if (where != NULL && !open_both (self, where, error))
    return NULL;
  self->signal_source = g_unix_signal_add (SIGUSR2, on_signal, self);
  if (keys)
    listen_to_keys (self);
  return g_steal_pointer (&self);
}

void
wp_record_control_steer (WpRecordControl *self, WpRecorder *recorder)
{
  self->recorder = recorder;
  self->disabled = FALSE;
  self->snapshots = 0;
  self->told = WP_RECORDER_IDLE;
}

static void
clear_source (guint *source)
{
  if (*source != 0)
    g_source_remove (*source);
  *source = 0;
}

void
wp_record_control_free (WpRecordControl *self)
{
  if (self == NULL)
    return;
  if (self->keys_source != 0)
    tcsetattr (STDIN_FILENO, TCSADRAIN, &self->usual);
  clear_source (&self->commands_source);
  clear_source (&self->keys_source);
  clear_source (&self->signal_source);
  if (self->own_descriptors && self->commands >= 0)
    close (self->commands);
  if (self->own_descriptors && self->answers >= 0)
    close (self->answers);
  g_string_free (self->line, TRUE);
  g_free (self);
}
