/* Starts and steers the collector-helper: the only place that knows how privileges are got (directly, or pkexec).
 * Works on the main context of the thread that calls wp_recorder_start(); never blocks it. */
#pragma once

#include <gio/gio.h>

#define WP_RECORD_ERROR (wp_record_error_quark ())
GQuark wp_record_error_quark (void);
typedef enum
{
  WP_RECORD_ERROR_HELPER,     /* missing, or it ended in a way it should not */
  WP_RECORD_ERROR_PERMISSION, /* refused, dismissed, nobody there to ask */
  WP_RECORD_ERROR_KERNEL,     /* no tracefs, no perf events */
  WP_RECORD_ERROR_OUTPUT,     /* the file cannot be written */
  WP_RECORD_ERROR_COMMAND,    /* the command cannot be started */
  WP_RECORD_ERROR_SHORT,      /* the command did not take longer than it had to, to be kept */
} WpRecordError;

typedef enum
{
  WP_STACKS_AUTO,  /* what suits this system */
  WP_STACKS_FP,    /* the kernel follows frame pointers */
  WP_STACKS_DWARF, /* parts of every process' stack memory are copied, turned into frames after recording, and not kept */
  WP_STACKS_NONE,
} WpStackMode;

/* AUTO becomes FP where the system's packages are built with frame pointers, else DWARF; others stay. */
WpStackMode wp_stack_mode_choose (WpStackMode asked);

const char *wp_stack_mode_name (WpStackMode mode); /* "auto", "fp", "dwarf", "none" */
gboolean wp_stack_mode_parse (const char *name, WpStackMode *mode); /* FALSE, and mode as before, for anything else */

/* What a finished recording is, always a perf.data. */
typedef enum
{
  WP_RECORD_PACKED, /* as perf record -z writes it */
  WP_RECORD_PLAIN,  /* as perf record does: for readers that cannot unpack */
  WP_RECORD_STREAM, /* as perf record -o - does: for readers of pipes */
} WpRecordForm;

gboolean wp_record_form_parse (const char *name, WpRecordForm *form); /* "packed", "plain", "stream"; FALSE, and form as before, for anything else */

#define WP_RECORD_RATE_MAX 100000
#define WP_RECORD_SIZE_MAX_MB 65536
#define WP_RECORD_KEEP_MAX 3600 /* seconds */
#define WP_RECORD_SAMPLED_MAX 256 /* processes or threads */

typedef struct
{
  char **command;     /* NULL-terminated, or NULL: record the whole system until stopped */
  char *folder;       /* where the command runs; NULL: the current one */
  char **environment; /* NULL: inherited */
  char *command_output; /* a file to which what the command prints is appended; NULL: it prints where we do */
  gint32 *pids;       /* record while one of these processes lives, the first of which is the one of interest; 0 ends them. NULL: none */
  gint32 *tids;       /* some of the threads of `pids`, for `sample_chosen`; 0 ends them. NULL: all of theirs */
  gboolean sample_chosen; /* at first: CPU samples in `tids`, else `pids` (up to WP_RECORD_SAMPLED_MAX), and in what they start from then on, alone */
  char *output;       /* the recording; an existing file is replaced only when the new one is complete */
  double duration;    /* seconds; 0: until the command ends or wp_recorder_stop() */
  double longer;      /* seconds: a command that ends by itself and took no longer leaves no recording, but WP_RECORD_ERROR_SHORT; 0: each does */
  guint rate;         /* CPU samples a second and CPU, up to WP_RECORD_RATE_MAX; 0: default (4000; with copies of stacks 1000) */
  WpStackMode stacks;
  guint stack_bytes;  /* of each stack in DWARF mode: 4096, 8192, 16384, 32768; 0: default (8192) */
  guint buffer_kb;    /* ring buffer a CPU; 0: default */
  double keep;        /* seconds: a flight recorder, only the last so many are kept, in what is saved and on disk; 0: all is */
  WpRecordForm form;
  guint size_mb;      /* it ends when it has become so large, up to WP_RECORD_SIZE_MAX_MB, which is the default (0) */
} WpRecordOptions;

void wp_record_options_clear (WpRecordOptions *self);

typedef enum
{
  WP_RECORDER_IDLE,
  WP_RECORDER_STARTING,  /* waiting for authorisation, opening events */
  WP_RECORDER_RECORDING,
  WP_RECORDER_PAUSED,
  WP_RECORDER_STOPPING,
  WP_RECORDER_FINISHING, /* nothing is recorded any more: stacks become frames, files get their names */
  WP_RECORDER_DONE,   /* the recording is complete on disk */
  WP_RECORDER_FAILED, /* wp_recorder_error() says why and what to do; what was recorded so far is kept if it is usable */
} WpRecorderState;

typedef struct
{
  gint64 elapsed_us;
  guint64 bytes;  /* written so far */
  guint64 events;
  guint64 lost;
  guint rate;     /* of CPU samples, as the kernel lets it be */
} WpRecorderCounters;

typedef struct WpRecorder WpRecorder;

/* Called on the main context when the state changes, when a snapshot is finished and, while recording or finishing, a few times a second. */
typedef void (*WpRecorderFunc) (WpRecorder *self, gpointer user_data);

WpRecorder *wp_recorder_new (const WpRecordOptions *options, WpRecorderFunc func, gpointer user_data); /* copies the options */
void wp_recorder_free (WpRecorder *self); /* stops and drops the recording if it is not done */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRecorder, wp_recorder_free)

void wp_recorder_start (WpRecorder *self);

/* Orderly; FINISHING follows, when the helper has written what it has. One that writes nothing for ten seconds is ended, and what there is is
 * finished as a recording that broke off. While FINISHING: gives up what was recorded. Before anything is
 * recorded: FAILED at once, and a question for the authorisation is withdrawn. The command is not ended: stopped or freed, the
 * recorder leaves it to go on by itself. */
void wp_recorder_stop (WpRecorder *self);

/* While it starts or records. Pauses nest: so many resumes end them; one too many does nothing. */
void wp_recorder_pause (WpRecorder *self);
void wp_recorder_resume (WpRecorder *self);
guint wp_recorder_pauses (const WpRecorder *self); /* that are asked for and not over; the state follows when the helper does */
void wp_recorder_set_rate (WpRecorder *self, guint rate); /* 1 to WP_RECORD_RATE_MAX, while it records */

/* Whom CPU samples are taken of from now on: the options' `tids` or `pids` with what they have started since recording began, alone, or all. Nothing
 * where that cannot be changed. */
void wp_recorder_sample_chosen (WpRecorder *self, gboolean chosen);
gboolean wp_recorder_samples_chosen (const WpRecorder *self); /* as it was asked for last */
const char *wp_recorder_no_choice (const WpRecorder *self);   /* why that cannot be changed, now or ever, for gettext(); NULL: it can */

/* Called once, on the main context; `error` belongs to the caller, NULL: it is done. Not called when the recorder is freed before. */
typedef void (*WpRecorderAnswerFunc) (WpRecorder *self, const GError *error, gpointer user_data);

/* Once it records, and all that was asked for up to now is so. */
void wp_recorder_when_followed (WpRecorder *self, WpRecorderAnswerFunc func, gpointer user_data);

/* What has been recorded up to now becomes a recording of its own, finished like any other, while this one goes on: any number of them, under
 * way at the same time and beyond this recording's end. `output` as in the options. Until it is to stop. */
void wp_recorder_snapshot (WpRecorder *self, const char *output, WpRecorderAnswerFunc func, gpointer user_data);
gboolean wp_recorder_saves_snapshots (const WpRecorder *self); /* some are not finished yet */

/* Where snapshots go: beside the recording, "F.data" becomes "F-snapshot-1.data" and so on. Free with g_free(). */
char *wp_recorder_snapshot_name (const WpRecorder *self, guint number);

/* The process that is explained where the recording, and any snapshot from now on, is opened. 0: the command's, or the first of the options'. */
void wp_recorder_set_interest (WpRecorder *self, gint32 pid);

/* What it writes while it records: up to the counters' `bytes` it is whole. For reading, until it is to finish; -1: nothing yet. Duplicate it. */
int wp_recorder_stream (const WpRecorder *self);

WpRecorderState wp_recorder_state (const WpRecorder *self);
const WpRecorderCounters *wp_recorder_counters (const WpRecorder *self);
const GError *wp_recorder_error (const WpRecorder *self);
const char *wp_recorder_missing (const WpRecorder *self); /* events that could not be got and why, one sentence a line, or NULL */
const char *wp_recorder_output (const WpRecorder *self);
gboolean wp_recorder_forgets (const WpRecorder *self); /* a flight recorder: its stream has a hole where what is old was */
double wp_recorder_progress (const WpRecorder *self, const char **phase); /* while FINISHING: 0 to 1 of what `phase` says, or NULL */

/* Commands that recorders of this program have started and that have not ended, whether they are recorded still or not: "make -j4 (4711)". Free
 * with g_ptr_array_unref(). And tells all of them to end (SIGTERM). */
GPtrArray *wp_recorded_commands (void);
void wp_recorded_commands_end (void);

/* Where the window keeps what a command prints: beside its recording, "F.perf" has "F.output". Free with g_free(). */
char *wp_recorder_command_output_of (const char *recording);
char *wp_recorder_last_line (const char *command_output); /* of what it has printed, valid UTF-8; NULL: nothing. Free with g_free() */

GPid wp_recorder_command_pid (const WpRecorder *self);    /* 0 before it is started and without one */
int wp_recorder_command_status (const WpRecorder *self);  /* wait status of the command; -1 while it runs or without one */
