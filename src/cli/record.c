/* record: the helper records the system while a command runs. */
#include "base/format.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/record-control.h"
#include "record/processes.h"
#include "record/threads.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *output, *stacks, *control, *attach, *tid, *sample;
  int repeat, rate, pid, stack_bytes, size;
  WpStackMode mode; /* what `stacks` says */
  double duration, longer, keep;
  char *form;
  WpRecordForm record_form; /* what `form` says */
  char **command;  /* NULL: none */
  gint32 *pids;    /* what `pid`, `attach` and `tid` say; NULL: none of them */
  gint32 *tids;    /* what `tid` says; or NULL */
} Options;

typedef struct
{
  GMainLoop *loop;
  WpRecorder *recorder;
  WpRecordControl *control;
  gint64 finishing_us; /* since when; 0: not yet */
  gboolean told;       /* that finishing takes long */
  gboolean interrupted;
} Session;

#define LONG_US G_USEC_PER_SEC

/* On a terminal the line grows with the work; elsewhere it is said once. */
static void
tell_finishing (Session *session)
{
  const char *phase;
  double progress = wp_recorder_progress (session->recorder, &phase);

  if (session->finishing_us == 0)
    session->finishing_us = g_get_monotonic_time ();
  if (phase == NULL || g_get_monotonic_time () - session->finishing_us < LONG_US)
    return;
  if (isatty (STDERR_FILENO))
    {
      g_autofree char *line = g_strdup_printf ("%s: %.0f %%", phase, progress * 100);

      wp_cli_write_over (line);
    }
  else if (!session->told)
    g_printerr ("%s…\n", phase);
  session->told = TRUE;
}

static void
end_line (const Session *session)
{
  if (session->told && isatty (STDERR_FILENO))
    wp_cli_write_over ("");
}

static gboolean
is_over (const WpRecorder *recorder)
{
  return wp_recorder_state (recorder) >= WP_RECORDER_DONE && !wp_recorder_saves_snapshots (recorder);
}

static void
on_change (WpRecorder *recorder, gpointer data)
{
  Session *session = data;

  wp_record_control_changed (session->control);
  if (wp_recorder_state (recorder) == WP_RECORDER_FINISHING)
    tell_finishing (session);
  if (is_over (recorder))
    g_main_loop_quit (session->loop);
}

/* Ctrl-C ends the recorded command, too, and its end may be known before the signal is: a first one gives nothing up. */
static gboolean
on_interrupt (gpointer data)
{
  Session *session = data;

  if (session->interrupted || wp_recorder_state (session->recorder) != WP_RECORDER_FINISHING)
    wp_recorder_stop (session->recorder);
  else
    g_printerr ("The recording is being finished; interrupted once more, it is given up.\n");
  session->interrupted = TRUE;
  return G_SOURCE_CONTINUE;
}

/* The file is smaller than what was written while recording: stacks' bytes have become frames. */
static guint64
file_size (const char *path, guint64 otherwise)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? (guint64) status.st_size : otherwise;
}

static void
tell_result (const WpRecorder *recorder)
{
  const WpRecorderCounters *counters = wp_recorder_counters (recorder);
  char duration[WP_FORMAT_MAX];
  g_autofree char *size = g_format_size (file_size (wp_recorder_output (recorder), counters->bytes));

  g_printerr ("%s: %s, %s, %" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT " lost\n", wp_recorder_output (recorder),
              wp_format_ns (counters->elapsed_us * 1000, duration), size, counters->events, counters->lost);
  if (wp_recorder_missing (recorder) != NULL)
    g_printerr ("not recorded:\n%s\n", wp_recorder_missing (recorder));
}

/* As a shell would tell it, and perf record does; 0 when it was us who ended the recording. */
static int
status_of_command (const Session *session)
{
  int status = wp_recorder_command_status (session->recorder);

  if (session->interrupted || status == -1)
    return 0;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

typedef enum
{
  KEPT,
  DROPPED, /* the command was too short */
  FAILED,
} Result;

/* `status` becomes the command's, unless it did well. */
static Result
end_once (const Session *session, int *status)
{
  const WpRecorder *recorder = session->recorder;
  const GError *error = wp_recorder_error (recorder);
  gboolean kept = wp_recorder_state (recorder) == WP_RECORDER_DONE;
  gboolean dropped = g_error_matches (error, WP_RECORD_ERROR, WP_RECORD_ERROR_SHORT);
  int command = kept || dropped ? status_of_command (session) : 0;

  if (kept)
    tell_result (recorder);
  else if (dropped)
    g_printerr ("%s\n", error->message);
  else
    command = wp_cli_fail (g_error_copy (error));
  *status = command != 0 ? command : *status;
  return kept ? KEPT : dropped ? DROPPED : FAILED;
}

/* Who chooses threads means to. */
static gboolean
samples_chosen (const Options *options)
{
  return options->sample != NULL ? g_str_equal (options->sample, "chosen") : options->tids != NULL;
}

static Result
record_once (const Options *options, WpRecordControl *control, char *output, int *status)
{
  WpRecordOptions record = { .command = options->command, .pids = options->pids, .tids = options->tids, .output = output,
                             .duration = options->duration, .longer = options->longer, .keep = options->keep,
                             .rate = MAX (options->rate, 0),
                             .stacks = options->mode, .stack_bytes = options->stack_bytes,
                             .size_mb = options->size, .form = options->record_form, .sample_chosen = samples_chosen (options) };
  Session session = { .loop = g_main_loop_new (NULL, FALSE), .control = control };
  guint signals[2];
  Result result;

  session.recorder = wp_recorder_new (&record, on_change, &session);
  signals[0] = g_unix_signal_add (SIGINT, on_interrupt, &session);
  signals[1] = g_unix_signal_add (SIGTERM, on_interrupt, &session);
  wp_record_control_steer (control, session.recorder);
  wp_recorder_start (session.recorder);
  if (!is_over (session.recorder))
    g_main_loop_run (session.loop);
  end_line (&session);
  result = end_once (&session, status);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (signals[i]);
  wp_record_control_steer (control, NULL);
  wp_recorder_free (session.recorder);
  g_main_loop_unref (session.loop);
  return result;
}

static char *
default_name (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return g_date_time_format (now, "wakepath-%Y-%m-%d-%H%M%S.data");
}

/* "F" once, "F-1", "F-2", … (before the suffix) where there are several. */
static char *
name_of_repeat (const char *output, int i, int n)
{
  const char *slash = strrchr (output, '/'), *dot = strrchr (output, '.');

  if (n == 1)
    return g_strdup (output);
  if (dot == NULL || dot < (slash != NULL ? slash + 2 : output + 1))
    return g_strdup_printf ("%s-%d", output, i + 1);
  return g_strdup_printf ("%.*s-%d%s", (int) (dot - output), output, i + 1, dot);
}

/* Where only a long one is kept, that is the last. */
static int
record_all (const Options *options, WpRecordControl *control)
{
  Result goes_on = options->longer > 0 ? DROPPED : KEPT, result = goes_on;
  int status = 0;

  for (int i = 0; i < options->repeat && result == goes_on; i++)
    {
      g_autofree char *output = name_of_repeat (options->output, i, options->longer > 0 ? 1 : options->repeat);

      result = record_once (options, control, output, &status);
    }
  return status;
}

static int
check_options (const Options *options)
{
  if (options->size < 0 || options->size > WP_RECORD_SIZE_MAX_MB)
    return wp_cli_usage ("--size takes up to %d MB", WP_RECORD_SIZE_MAX_MB);
  if (options->repeat < 1 || options->rate < 0 || options->duration < 0 || options->longer < 0 || options->pid < 0)
    return wp_cli_usage ("--repeat, --rate, --duration, --longer and --pid take positive numbers");
  if (options->keep < 0 || options->keep > WP_RECORD_KEEP_MAX)
    return wp_cli_usage ("--keep takes up to %d seconds", WP_RECORD_KEEP_MAX);
  if (options->keep > 0 && options->size > 0)
    return wp_cli_usage ("--keep and --size exclude each other: what is not kept is given back");
  if (options->command == NULL && (options->repeat > 1 || options->longer > 0))
    return wp_cli_usage ("--repeat and --longer need a command");
  return 0;
}

static void
tell_process (const WpProcesses *processes, gint32 pid)
{
  for (guint32 i = 0; i < processes->rows.len; i++)
    if (processes->rows.data[i].pid == pid)
      g_printerr ("attached to %d: %s\n", pid, processes->rows.data[i].command);
}

static int
find_processes (Options *options)
{
  g_autoptr (WpProcesses) processes = NULL;
  g_autoptr (GError) error = NULL;

  if ((options->pid > 0) + (options->attach != NULL) + (options->tid != NULL) > 1)
    return wp_cli_usage ("--pid, --attach and --tid exclude each other");
  if (options->pid > 0)
    {
      options->pids = g_new0 (gint32, 2);
      options->pids[0] = options->pid;
    }
  if (options->attach == NULL && options->tid == NULL)
    return 0;
  processes = wp_processes_read (NULL);
  if (options->attach != NULL)
    options->pids = wp_processes_find (processes, options->attach, &error);
  else if ((options->tids = wp_threads_parse (options->tid, &error)) != NULL)
    options->pids = wp_threads_processes (options->tids, &error);
  if (error != NULL)
    return wp_cli_fail (g_steal_pointer (&error));
  for (guint i = 0; options->pids[i] != 0; i++)
    tell_process (processes, options->pids[i]);
  return 0;
}

static int
check_sampled (const Options *options)
{
  const gint32 *ids = options->tids != NULL ? options->tids : options->pids;
  guint n = 0;

  if (!samples_chosen (options))
    return 0;
  if (ids == NULL)
    return wp_cli_usage ("--sample chosen takes processes that are there already: --attach, --pid or --tid");
  while (ids[n] != 0)
    n++;
  if (n > WP_RECORD_SAMPLED_MAX)
    return wp_cli_usage ("CPU samples can be taken of up to %d %s alone, not %u", WP_RECORD_SAMPLED_MAX, options->tids != NULL ? "threads" : "processes", n);
  return 0;
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_autoptr (WpRecordControl) control = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  options->command = n > 0 ? operands : NULL;
  if (options->stacks != NULL)
    wp_stack_mode_parse (options->stacks, &options->mode);
  if (options->form != NULL)
    wp_record_form_parse (options->form, &options->record_form);
  if (options->output == NULL)
    options->output = default_name ();
  status = check_options (options);
  if (status == 0)
    status = find_processes (options);
  if (status == 0)
    status = check_sampled (options);
  if (status == 0)
    control = wp_record_control_new (options->control, options->command == NULL && isatty (STDIN_FILENO), &error);
  if (error != NULL)
    status = wp_cli_usage ("%s", error->message);
  if (status == 0)
    status = record_all (options, control);
  g_free (options->pids);
  g_free (options->tids);
  return status;
}

static const WpOption rows[] = {
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "The recording; else it is called after the time" },
  { "repeat", 0, G_OPTION_ARG_INT, offsetof (Options, repeat), "N", "Run the command so often, for a recording each" },
  { "duration", 0, G_OPTION_ARG_DOUBLE, offsetof (Options, duration), "SECONDS", "End the recording after this time" },
  { "keep", 0, G_OPTION_ARG_DOUBLE, offsetof (Options, keep), "SECONDS",
    "A flight recorder: only what happened in the last so many seconds is kept, and becomes the recording, or a snapshot" },
  { "longer", 0, G_OPTION_ARG_DOUBLE, offsetof (Options, longer), "SECONDS",
    "Keep the recording only if the command took longer; with *--repeat*, record until one did" },
  { "size", 0, G_OPTION_ARG_INT, offsetof (Options, size), "MB",
    "End the recording when it has become so large; it says that it was cut. Without that, 65536" },
  { "form", 0, G_OPTION_ARG_STRING, offsetof (Options, form), "packed|plain|stream",
    "What the recording is: a compressed perf.data, as *perf record -z* writes it; one that is not, for programs that cannot unpack it; "
    "or the stream that *perf record -o -* writes. Without that, packed" },
  WP_OPTION_STACKS (Options, stacks),
  { "stack-bytes", 0, G_OPTION_ARG_INT, offsetof (Options, stack_bytes), "4096|8192|16384|32768",
    "How much is copied of each stack, with *--stacks dwarf*. Without that, 8192" },
  WP_OPTION_RATE (Options, rate),
  { "sample", 0, G_OPTION_ARG_STRING, offsetof (Options, sample), "all|chosen",
    "Take CPU samples of all processes, or only of those that *--attach*, *--pid* or *--tid* name and of what they start from then on. "
    "What others ran is _not sampled_ then; all else is recorded of all. Can be changed while it records" },
  { "control", 0, G_OPTION_ARG_STRING, offsetof (Options, control), "fifo:COMMANDS[,ANSWERS]|fd:COMMANDS[,ANSWERS]",
    "Follow the commands that come there, as *perf record* does" },
  { "attach", 0, G_OPTION_ARG_STRING, offsetof (Options, attach), "PID|UNIT|NAME",
    "Record while this process, those of this unit of systemd, or those with this name live; the oldest is the process of interest" },
  { "pid", 0, G_OPTION_ARG_INT, offsetof (Options, pid), "PID", "Record while this process lives" },
  { "tid", 0, G_OPTION_ARG_STRING, offsetof (Options, tid), "TID[,TID…]",
    "Record while the processes of these threads live, and take CPU samples of them alone, unless all are asked for. They are what *processes --threads* lists" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_record = {
  .name = "record",
  .group = WP_GROUP_RECORDINGS,
  .operands = "[[--] COMMAND…]",
  .summary = "Record the system while a command runs",
  .description = "Ends as the command that it recorded: with its status, or 128 and the number of the signal that killed it.\n\n"
                 "A recording can be steered while it runs. To *--control* another program writes lines: *pause* and *resume*, which nest; "
                 "perf's *disable* and *enable*, which do not; *rate* _HZ_; *sample chosen* and *sample all*, where processes were "
                 "attached to; *interest* _PID_, the process that is explained where the recording, or a snapshot from then on, is opened; *snapshot*; *ping*; *stop*. When such a line has been followed, "
                 "*ack* comes back, or *error:* and why not. A snapshot is what was recorded so far as a recording of its own, "
                 "_FILE_-snapshot-1 and so on; SIGUSR2 makes one, too. Where no command runs, keys of the terminal do the same: p, s, + and -, q.\n\n"
                 "The file is its owner's alone (mode 0600), whatever the umask. It tells of every user the names of processes and threads, when "
                 "they ran and waited, paths of programs, libraries and files on disk, network addresses and functions, besides the host's name "
                 "and the command with its arguments; no contents of memory or files, and no addresses of the running kernel. Think before you "
                 "give it away.",
  .options = rows,
  .defaults = &(const Options) { .repeat = 1 },
  .size = sizeof (Options),
  .least = 0,
  .most = WP_ANY_NUMBER,
  .program = WP_PROGRAM_FIRST,
  .run = run,
};
