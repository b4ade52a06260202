/* The last steps of a recording; see finish.h. */
#include "record/finish.h"

#include "base/write.h"
#include "read/perf/condense.h"
#include "read/perf/carry-names.h"
#include "read/perf/pack.h"
#include "read/perf/veil.h"
#include "record/launch.h"
#include "record/mapped-files.h"
#include "record/marks.h"
#include "record/number-names.h"
#include "record/trailer.h"

#include <errno.h>
#include <unistd.h>

#define NAMES_PATIENCE_US (3 * G_USEC_PER_SEC)
#define COPY_MAX (G_GUINT64_CONSTANT (1) << 20)

struct WpFinish
{
  WpFinishInput input;
  WpFinishFunc func;
  gpointer user_data;
  GThread *thread;
  GCancellable *cancellable;
  GMainContext *context;
  GSource *told; /* calls func; the thread attaches it at its end */

  GError *error; /* the result */

  GMutex lock;
  const char *phase;
  double fraction;
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void
note_missing (WpFinishInput *input, const char *sentence)
{
  char *text = input->missing != NULL ? g_strjoin ("\n", input->missing, sentence, NULL) : g_strdup (sentence);

  g_free (input->missing);
  input->missing = text;
}

/* What cannot become a file stays a stream, which is as whole; FALSE when the user has given up. */
static gboolean
replace_by_file (WpFinishInput *input, WpProgress *progress, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *sentence = NULL;
  WpOutput file;

  if (!wp_output_open (&file, input->options.output, &why))
    file = WP_OUTPUT_NONE;
  else if (wp_pack_into (input->output.path, file.fd, input->options.output,
                         input->options.form == WP_RECORD_PACKED, progress, &why))
    {
      wp_output_drop (&input->output);
      input->output = file;
      return TRUE;
    }
  wp_output_drop (&file);
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  sentence = g_strdup_printf ("form: %s; it was kept as a stream, which other programs may not read", why->message);
  note_missing (input, sentence);
  return TRUE;
}

static gboolean
keep_output (WpFinish *self, WpProgress *progress, GError **error)
{
  WpFinishInput *input = &self->input;

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "given up before it was finished; nothing was kept");
      return FALSE;
    }
  return wp_veil_kernel (input->output.fd, input->output.path, input->options.output, progress, error)
         && (input->options.form == WP_RECORD_STREAM || replace_by_file (input, progress, error)) && wp_output_keep (&input->output, input->options.output, error);
}

/* --- the steps ---------------------------------------------------------------------------------------------------- */

/* What is known of the files that were mapped, and of processes, while they are there. */
typedef struct
{
  WpMappedFiles mapped;
  WpBuilds *builds;
  GPtrArray *arguments; /* JSON texts, or NULL */
} Files;

static void
find_builds (const WpFinish *self, Files *files, WpProgress *progress)
{
  wp_progress_phase (progress, "looking at what was run");
  wp_mapped_files_read (&files->mapped, self->input.output.path);
  files->builds = wp_builds_new ();
  wp_mapped_files_find (&files->mapped, files->builds, self->input.since, self->cancellable);
}

static void
clear_files (Files *files)
{
  g_clear_pointer (&files->arguments, g_ptr_array_unref);
  if (files->builds == NULL) /* nothing of it was read */
    return;
  wp_mapped_files_clear (&files->mapped);
  wp_builds_free (files->builds);
}

static gboolean
replace_by_condensed (WpFinishInput *input, const Files *files, guint64 *completed, WpProgress *progress, GError **error)
{
  WpOutput condensed;
  WpCondenseStats stats;

  wp_progress_phase (progress, "turning stacks into frames");
  if (!wp_output_open (&condensed, input->options.output, error))
    return FALSE;
  if (!wp_condense_into (input->output.path, condensed.fd, input->options.output, files->builds, &stats, progress, error))
    {
      wp_output_drop (&condensed);
      return FALSE;
    }
  *completed = stats.completed;
  wp_output_drop (&input->output);
  input->output = condensed;
  return TRUE;
}

/* All of it or nothing: a record that was cut would swallow what follows. */
static gboolean
append_trailer (WpFinishInput *input, const WpTrailer *trailer, GError **error)
{
  int fd = input->output.fd;
  off_t length = lseek (fd, 0, SEEK_END);

  if (wp_trailer_append (fd, &input->options, trailer, error))
    return TRUE;
  if (length >= 0 && ftruncate (fd, length) == 0)
    lseek (fd, length, SEEK_SET);
  return FALSE;
}

/* What was recorded is worth more than what is said of it: where there is no room for that, the recording is kept without. The few
 * hundred bytes that name the command and what is missing find room more easily than all names do. */
static void
append_what_fits (WpFinishInput *input, WpTrailer *trailer)
{
  g_autoptr (GError) why = NULL, why_nothing = NULL;
  g_autofree char *names = NULL, *nothing = NULL;

  if (append_trailer (input, trailer, &why))
    return;
  names = g_strdup_printf ("names: %s; those of functions and files, marks and the arguments of processes were left out", why->message);
  note_missing (input, names);
  trailer->missing = input->missing;
  trailer->mapped = NULL;
  trailer->own_names = NULL;
  trailer->more = NULL;
  if (append_trailer (input, trailer, &why_nothing))
    return;
  nothing = g_strdup_printf ("command: %s; the recording does not say what was recorded", why_nothing->message);
  note_missing (input, nothing);
}

static void
add_trailer (WpFinishInput *input, const Files *files, guint64 completed, WpProgress *progress)
{
  WpTrailer trailer = { .pid = input->pid, .completed = completed, .sampled_only = input->sampled_only, .ended = input->ended,
                        .mapped = &files->mapped };
  g_autoptr (GPtrArray) own_names = NULL;
  g_autofree char *unread = NULL;
  WpNames names;

  wp_progress_phase (progress, "looking up the names of functions");
  own_names = wp_recording_carry_names (input->output.path, files->builds, NAMES_PATIENCE_US, progress, NULL);
  trailer.own_names = own_names;
  wp_progress_phase (progress, "looking up the names of files");
  wp_names_find (&names, input->output.path, &files->mapped, input->options.folder, progress);
  if (names.cut)
    note_missing (input, "names of files: looking for them took too long; some disk requests lack the name of their file");
  unread = wp_marks_read (&files->mapped, input->since, names.texts);
  if (unread != NULL)
    note_missing (input, unread);
  for (guint i = 0; files->arguments != NULL && i < files->arguments->len; i++)
    g_ptr_array_add (names.texts, g_strdup (files->arguments->pdata[i]));
  trailer.missing = input->missing;
  trailer.more = names.texts;
  append_what_fits (input, &trailer);
  wp_names_clear (&names);
}

/* Copies of stacks stay only where they could not be turned into frames. */
static GError *
keep_unfinished (WpFinish *self, WpProgress *progress, GError *why)
{
  GError *error = NULL;

  if (!keep_output (self, progress, &error))
    {
      g_error_free (why);
      return error;
    }
  g_prefix_error (&why, "the stacks could not be turned into frames; the recording was kept as it is in %s; give it to nobody, since "
                  "it holds parts of the memory of every process: ", self->input.options.output);
  return why;
}

static GError *
keep_broken (WpFinish *self, WpProgress *progress)
{
  GError *why = g_steal_pointer (&self->input.broken);

  if (keep_output (self, progress, NULL))
    g_prefix_error (&why, "the recording broke off; what there is of it was kept in %s: ", self->input.options.output);
  return why;
}

/* Stacks in two parts become whole ones. Where they cannot, the recording is as whole as it was. FALSE when the user has given up. */
static gboolean
join_stacks (WpFinishInput *input, const Files *files, gboolean *joined, WpProgress *progress, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *sentence = NULL;
  guint64 completed;

  *joined = wp_condense_joins (input->output.path) && replace_by_condensed (input, files, &completed, progress, &why);
  if (why == NULL)
    return TRUE;
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  sentence = g_strdup_printf ("stacks: %s; they were kept in two parts, which other programs may not read", why->message);
  note_missing (input, sentence);
  return TRUE;
}

static GError *
finish_with (WpFinish *self, const Files *files, WpProgress *progress)
{
  WpFinishInput *input = &self->input;
  gboolean condense = input->options.stacks == WP_STACKS_DWARF;
  guint64 completed = 0;
  GError *error = NULL;

  if (!condense && !join_stacks (input, files, &condense, progress, &error))
    return error;
  if (input->options.stacks == WP_STACKS_DWARF && !replace_by_condensed (input, files, &completed, progress, &error))
    return keep_unfinished (self, progress, error);
  /* A record that was cut would swallow what follows; condensing leaves whole records only. */
  if (input->broken == NULL || condense)
    add_trailer (input, files, completed, progress);
  if (input->broken != NULL)
    return keep_broken (self, progress);
  keep_output (self, progress, &error);
  return error;
}

/* Moves `at` on. */
static gboolean
copy_piece (WpFinishInput *input, char *piece, guint64 *at, GError **error)
{
  gssize n = TEMP_FAILURE_RETRY (pread (input->source, piece, MIN (input->bytes - *at, COPY_MAX), (off_t) *at));
  int code = n < 0 ? errno : n == 0 ? ENODATA : wp_write_all (input->output.fd, piece, (gsize) n);

  *at += (guint64) MAX (n, 0);
  if (code != 0)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "%s cannot be written: %s; make room, or choose another place",
                 input->options.output, g_strerror (code));
  return code == 0;
}

static gboolean
copy_source (WpFinish *self, WpProgress *progress, GError **error)
{
  WpFinishInput *input = &self->input;
  g_autofree char *piece = g_malloc (COPY_MAX);
  guint64 at = 0;
  gboolean done = TRUE;

  wp_progress_phase (progress, "copying what there is so far");
  while (at < input->bytes && done)
    done = wp_progress_step (progress, (double) at / (double) input->bytes, error) && copy_piece (input, piece, &at, error);
  return done;
}

static gboolean
save_flight (WpFinish *self, WpProgress *progress, GError **error)
{
  char *missing;

  wp_progress_phase (progress, "copying the last seconds");
  if (!wp_flight_save (self->input.flight, self->input.bytes, self->input.output.fd, error))
    return FALSE;
  missing = wp_flight_missing (self->input.flight, self->input.missing);
  g_free (self->input.missing);
  self->input.missing = missing;
  return TRUE;
}

/* Returns why the recording is not complete, or NULL. */
static GError *
finish (WpFinish *self, WpProgress *progress)
{
  GPtrArray *arguments = self->input.arguments != NULL ? wp_arguments_texts (self->input.arguments) : NULL; /* first: processes end */
  Files files = { .arguments = arguments };
  GError *error = NULL;

  if ((self->input.flight == NULL || save_flight (self, progress, &error)) && (self->input.source < 0 || copy_source (self, progress, &error)))
    {
      find_builds (self, &files, progress);
      error = finish_with (self, &files, progress);
    }
  clear_files (&files);
  return error;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

static void
on_progress (const char *phase, double fraction, gpointer data)
{
  WpFinish *self = data;

  g_mutex_lock (&self->lock);
  self->phase = phase;
  self->fraction = fraction;
  g_mutex_unlock (&self->lock);
}

static gboolean
on_done (gpointer data)
{
  WpFinish *self = data;

  self->func (g_steal_pointer (&self->error), self->input.missing, self->user_data);
  return G_SOURCE_REMOVE;
}

static gpointer
work (gpointer data)
{
  WpFinish *self = data;
  WpProgress progress = { .cancellable = self->cancellable, .func = on_progress, .user_data = self };

  self->error = finish (self, &progress);
  wp_output_drop (&self->input.output);
  if (self->input.source >= 0)
    close (self->input.source);
  g_source_attach (self->told, self->context);
  return NULL;
}

/* --- for the caller ----------------------------------------------------------------------------------------------- */

WpFinish *
wp_finish_begin (WpFinishInput *input, WpFinishFunc func, gpointer user_data)
{
  WpFinish *self = g_new0 (WpFinish, 1);

  self->input = *input;
  *input = (WpFinishInput) { .output = WP_OUTPUT_NONE, .source = -1 };
  self->func = func;
  self->user_data = user_data;
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_ref_thread_default ();
  self->told = g_idle_source_new ();
  g_source_set_priority (self->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->told, on_done, self, NULL);
  g_mutex_init (&self->lock);
  self->thread = g_thread_new ("finish", work, self);
  return self;
}

void
wp_finish_cancel (WpFinish *self)
{
  g_cancellable_cancel (self->cancellable);
}

void
wp_finish_free (WpFinish *self)
{
  wp_finish_cancel (self);
  g_thread_join (self->thread);
  g_source_destroy (self->told);
  g_source_unref (self->told);
  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_clear_error (&self->input.broken);
  wp_arguments_unref (self->input.arguments);
  g_free (self->input.missing);
  g_free (self->input.ended);
  wp_record_options_clear (&self->input.options);
  g_mutex_clear (&self->lock);
  g_free (self);
}

double
wp_finish_progress (WpFinish *self, const char **phase)
{
  double fraction;

  g_mutex_lock (&self->lock);
  *phase = self->phase;
  fraction = self->fraction;
  g_mutex_unlock (&self->lock);
  return fraction;
}
