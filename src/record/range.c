/* One commit after the other: steps that may take long run in a thread, one at a time, and the state machine stays on the main
 * context. */
#include "record/range.h"

#include "profile/document.h"
#include "profile/perun.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* In a temporary folder of each range. */
#define RECORDING "recording.data"
#define PROFILE "profile.perf"

/* One command, at the commit at hand. */
typedef struct
{
  char **command;
  guint wanted; /* profiles of it that are still to be made */
} Job;

struct WpRange
{
  WpRangeOptions options;
  WpRangeFunc func;
  gpointer data;
  WpStore *store;
  WpVcs *vcs;           /* the store's */
  GArray *commits;      /* WpRangeCommit */
  guint at;             /* the commit at hand */
  GArray *jobs;         /* Job */
  guint job;            /* the command at hand */
  char *base;           /* temporary folder of this range: its work trees and recordings */
  char *tree;           /* the work tree at hand, or NULL */
  GSubprocess *build;
  WpRecorder *recorder;
  GCancellable *cancellable;
  GError *error;
  guint recorded_source; /* calls on_recorded(): a recorder is not freed within its own call */
  gboolean busy;        /* a thread or a build is at work */
  gboolean stopped, over, freed;
};

static const char *const state_names[] = {
  [WP_RANGE_WAITING] = "waiting",       [WP_RANGE_CHECKING_OUT] = "checking out", [WP_RANGE_BUILDING] = "building",
  [WP_RANGE_RECORDING] = "recording",   [WP_RANGE_EXPLAINING] = "explaining",     [WP_RANGE_DONE] = "done",
  [WP_RANGE_PASSED_OVER] = "passed over", [WP_RANGE_FAILED] = "failed",
};

const char *
wp_range_state_name (WpRangeState state)
{
  return state_names[state];
}

static WpRangeCommit *
current (const WpRange *self)
{
  return &g_array_index (self->commits, WpRangeCommit, self->at);
}

static void
set_state (WpRange *self, WpRangeState state)
{
  current (self)->state = state;
  self->func (self, self->data);
}

/* --- threads --------------------------------------------------------------------------------------------------------- */

/* What a thread does with the range, and what happens afterwards. Nobody else touches the store meanwhile. */
typedef gboolean (*StepFunc) (WpRange *self, GError **error);
typedef void (*ThenFunc) (WpRange *self, GError *error); /* error NULL: done; takes it */

typedef struct
{
  WpRange *range;
  StepFunc step;
  ThenFunc then;
} Step;

static void range_destroy (WpRange *self);

static void
run_step (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Step *step = data;
  GError *error = NULL;

  if (step->step (step->range, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
after_step (GObject *source, GAsyncResult *result, gpointer data)
{
  Step *step = g_task_get_task_data (G_TASK (result));
  WpRange *self = step->range;
  GError *error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  self->busy = FALSE;
  if (self->freed)
    {
      g_clear_error (&error);
      range_destroy (self);
    }
  else
    step->then (self, error);
}

static void
in_thread (WpRange *self, StepFunc step, ThenFunc then)
{
  GTask *task = g_task_new (NULL, NULL, after_step, NULL);
  Step *data = g_new (Step, 1);

  *data = (Step) { self, step, then };
  self->busy = TRUE;
  g_task_set_task_data (task, data, g_free);
  g_task_run_in_thread (task, run_step);
  g_object_unref (task);
}

/* --- what is kept of each commit -------------------------------------------------------------------------------------- */

G_GNUC_PRINTF (2, 3)
static void
note (const WpRangeCommit *commit, const char *format, ...)
{
  int fd = g_open (commit->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (fd < 0)
    return;
  if (write (fd, text, strlen (text)) < 0)
    g_debug ("%s: %s", commit->log, g_strerror (errno));
  close (fd);
}

static void next_commit (WpRange *self);
static void record_next (WpRange *self);

/* --- ending a commit --------------------------------------------------------------------------------------------------- */

static gboolean
remove_tree (WpRange *self, GError **error)
{
  return wp_vcs_worktree_remove (self->vcs, self->tree, error);
}

static void
on_removed (WpRange *self, GError *error)
{
  if (error != NULL)
    note (current (self), "%s\n", error->message);
  g_clear_error (&error);
  g_clear_pointer (&self->tree, g_free);
  self->at++;
  next_commit (self);
}

static void
end_commit (WpRange *self, WpRangeState state)
{
  set_state (self, state);
  if (self->tree != NULL)
    in_thread (self, remove_tree, on_removed);
  else
    on_removed (self, NULL);
}

/* Takes the error. */
static void
fail_commit (WpRange *self, GError *error)
{
  WpRangeCommit *commit = current (self);

  note (commit, "%s\n", error->message);
  g_free (commit->problem);
  commit->problem = g_strdup (error->message);
  g_error_free (error);
  end_commit (self, WP_RANGE_FAILED);
}

static gboolean
give_up (WpRange *self)
{
  if (!self->stopped)
    return FALSE;
  fail_commit (self, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped"));
  return TRUE;
}

/* --- explaining -------------------------------------------------------------------------------------------------------- */

static char *
recording_path (const WpRange *self)
{
  return g_build_filename (self->base, RECORDING, NULL);
}

/* The recording's own command explained, as a profile in `path`. While the work tree is there: its programs have the symbols. */
static gboolean
explain (const WpRange *self, const char *path, GError **error)
{
  g_autofree char *recording = recording_path (self);
  WpProgress progress = { .cancellable = self->cancellable };
  g_autoptr (WpDocument) document = wp_document_open (recording, NULL, &progress, error);
  g_autoptr (WpExplanation) explanation = NULL;
  gboolean owned = FALSE, done;
  WpPaths *paths;

  if (document == NULL)
    return FALSE;
  wp_read_symbols (document->trace, NULL, &progress, NULL);
  paths = wp_document_paths (document, NULL, NULL, &owned, &progress, error);
  explanation = paths != NULL ? wp_explain (paths, 0, G_MAXINT64, &progress, error) : NULL;
  done = explanation != NULL && wp_perun_save (path, paths, explanation, &progress, error);
  if (owned)
    wp_paths_free (paths);
  return done;
}

static gboolean
explain_and_register (WpRange *self, GError **error)
{
  WpRangeCommit *commit = current (self);
  g_autofree char *recording = recording_path (self), *pending = NULL;
  g_autofree char *profile = g_build_filename (self->base, PROFILE, NULL);
  gboolean done = explain (self, profile, error);
  char sha1[41];

  g_unlink (recording);
  if (done)
    pending = wp_store_add_pending (self->store, profile, commit->hash, NULL, error);
  g_unlink (profile);
  return pending != NULL && wp_store_add (self->store, commit->hash, pending, 0, sha1, error);
}

static void
on_registered (WpRange *self, GError *error)
{
  if (error != NULL)
    {
      if (give_up (self))
        g_error_free (error);
      else
        fail_commit (self, error);
      return;
    }
  current (self)->recorded++;
  g_array_index (self->jobs, Job, self->job).wanted--;
  record_next (self);
}

/* --- recording --------------------------------------------------------------------------------------------------------- */

/* Whatever goes on in a work tree ends before it is taken away. */
static void
end_recorder (WpRange *self)
{
  GPid pid = self->recorder != NULL ? wp_recorder_command_pid (self->recorder) : 0;

  if (pid > 0 && wp_recorder_command_status (self->recorder) == -1)
    kill (pid, SIGTERM);
  g_clear_pointer (&self->recorder, wp_recorder_free);
  g_clear_handle_id (&self->recorded_source, g_source_remove);
}

static gboolean
on_recorded (gpointer data)
{
  WpRange *self = data;
  int status = wp_recorder_command_status (self->recorder);
  GError *error = NULL;

  if (wp_recorder_state (self->recorder) == WP_RECORDER_FAILED)
    error = g_error_copy (wp_recorder_error (self->recorder));
  else if (status != -1)
    g_spawn_check_wait_status (status, &error);
  self->recorded_source = 0;
  end_recorder (self);
  if (give_up (self))
    g_clear_error (&error);
  else if (error != NULL)
    fail_commit (self, error);
  else
    {
      set_state (self, WP_RANGE_EXPLAINING);
      in_thread (self, explain_and_register, on_registered);
    }
  return G_SOURCE_REMOVE;
}

static void
on_recorder (WpRecorder *recorder, gpointer data)
{
  WpRange *self = data;

  if (wp_recorder_state (recorder) >= WP_RECORDER_DONE && self->recorded_source == 0)
    self->recorded_source = g_idle_add (on_recorded, self);
}

/* The command that profiles are still wanted of, or NULL. */
static char **
next_command (WpRange *self)
{
  for (; self->job < self->jobs->len; self->job++)
    if (g_array_index (self->jobs, Job, self->job).wanted > 0)
      return g_array_index (self->jobs, Job, self->job).command;
  return NULL;
}

static void
record_next (WpRange *self)
{
  g_autofree char *output = recording_path (self);
  WpRecordOptions record = { .command = next_command (self), .folder = self->tree, .output = output,
                             .command_output = current (self)->log, .duration = self->options.duration,
                             .rate = self->options.rate, .stacks = self->options.stacks };

  if (record.command == NULL)
    {
      end_commit (self, WP_RANGE_DONE);
      return;
    }
  if (give_up (self))
    return;
  set_state (self, WP_RANGE_RECORDING);
  self->recorder = wp_recorder_new (&record, on_recorder, self);
  wp_recorder_start (self->recorder);
}

/* --- building ---------------------------------------------------------------------------------------------------------- */

static void
on_built (GObject *source, GAsyncResult *result, gpointer data)
{
  WpRange *self = data;
  GError *error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_clear_object (&self->build);
  self->busy = FALSE;
  if (self->freed)
    {
      g_clear_error (&error);
      range_destroy (self);
    }
  else if (give_up (self))
    g_clear_error (&error);
  else if (error != NULL)
    {
      g_prefix_error (&error, "building failed: ");
      fail_commit (self, error);
    }
  else
    record_next (self);
}

/* In a process group of its own, so that all of it can be ended. */
static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

static void
build (WpRange *self)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);
  const char *const command[] = { "/bin/sh", "-c", self->options.build, NULL };
  GError *error = NULL;
  int fd;

  if (self->options.build == NULL)
    {
      record_next (self);
      return;
    }
  set_state (self, WP_RANGE_BUILDING);
  g_subprocess_launcher_set_cwd (launcher, self->tree);
  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  fd = g_open (current (self)->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd >= 0)
    g_subprocess_launcher_take_stdout_fd (launcher, fd);
  self->build = g_subprocess_launcher_spawnv (launcher, command, &error);
  if (self->build == NULL)
    {
      fail_commit (self, error);
      return;
    }
  self->busy = TRUE;
  g_subprocess_wait_check_async (self->build, NULL, on_built, self);
}

/* --- beginning a commit ------------------------------------------------------------------------------------------------ */

/* How many of a commit's profiles are of this command. */
static guint
count_of (const GPtrArray *entries, char **command)
{
  g_autofree char *line = g_strjoinv (" ", command);
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];
      g_autofree char *its = g_strconcat (entry->cmd, *entry->args != '\0' ? " " : "", entry->args, NULL);

      n += g_str_equal (entry->collector, "wakepath") && g_str_equal (its, line);
    }
  return n;
}

/* What is wanted of each command, and has not been made before. */
static gboolean
count_profiles (WpRange *self, GError **error)
{
  g_autoptr (GPtrArray) entries = wp_store_registered (self->store, current (self)->hash, error);

  if (entries == NULL)
    return FALSE;
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = &g_array_index (self->jobs, Job, i);

      job->wanted = MAX (self->options.repeat, 1);
      if (!self->options.again)
        job->wanted -= MIN (job->wanted, count_of (entries, job->command));
    }
  self->job = 0;
  return TRUE;
}

static gboolean
check_out (WpRange *self, GError **error)
{
  self->tree = g_build_filename (self->base, "tree", NULL);
  if (wp_vcs_worktree_add (self->vcs, current (self)->hash, self->tree, error))
    return TRUE;
  g_clear_pointer (&self->tree, g_free);
  return FALSE;
}

static void
on_checked_out (WpRange *self, GError *error)
{
  if (error != NULL)
    fail_commit (self, error);
  else if (!give_up (self))
    build (self);
}

/* What is passed over keeps the log of when it was profiled. */
static void
on_counted (WpRange *self, GError *error)
{
  if (error == NULL && next_command (self) == NULL)
    {
      end_commit (self, WP_RANGE_PASSED_OVER);
      return;
    }
  g_unlink (current (self)->log);
  if (error != NULL)
    {
      fail_commit (self, error);
      return;
    }
  set_state (self, WP_RANGE_CHECKING_OUT);
  in_thread (self, check_out, on_checked_out);
}

static void
next_commit (WpRange *self)
{
  if (self->stopped || self->at == self->commits->len)
    {
      if (self->base != NULL)
        g_rmdir (self->base);
      self->over = TRUE;
      self->func (self, self->data);
      return;
    }
  in_thread (self, count_profiles, on_counted);
}

/* --- the whole --------------------------------------------------------------------------------------------------------- */

void
wp_range_commit_clear (gpointer data)
{
  WpRangeCommit *commit = data;

  g_free (commit->subject);
  g_free (commit->problem);
  g_free (commit->log);
}

static void
clear_job (gpointer data)
{
  g_strfreev (((Job *) data)->command);
}

static void
add_job (WpRange *self, char **command)
{
  Job job = { .command = g_strdupv (command) };

  g_array_append_val (self->jobs, job);
}

WpRange *
wp_range_new (const WpRangeOptions *options, WpRangeFunc func, gpointer data)
{
  WpRange *self = g_new0 (WpRange, 1);

  self->options = *options;
  self->options.folder = g_strdup (options->folder);
  self->options.commits = g_strdupv (options->commits);
  self->options.build = g_strdup (options->build);
  self->jobs = g_array_new (FALSE, FALSE, sizeof (Job));
  g_array_set_clear_func (self->jobs, clear_job);
  add_job (self, options->command);
  for (char ***other = options->others; other != NULL && *other != NULL; other++)
    add_job (self, *other);
  self->func = func;
  self->data = data;
  self->cancellable = g_cancellable_new ();
  self->commits = g_array_new (FALSE, TRUE, sizeof (WpRangeCommit));
  g_array_set_clear_func (self->commits, wp_range_commit_clear);
  return self;
}

/* A file of a range, or what it is called until it is whole. */
static gboolean
is_of_range (const char *name)
{
  static const char *const files[] = { RECORDING, PROFILE };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (g_str_has_prefix (name + (*name == '.'), files[i]))
      return TRUE;
  return FALSE;
}

static void
remove_base (const char *base)
{
  GDir *folder = g_dir_open (base, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (is_of_range (name))
      {
        g_autofree char *path = g_build_filename (base, name, NULL);

        g_unlink (path);
      }
  g_clear_pointer (&folder, g_dir_close);
  g_rmdir (base); /* fails where another repository has its work tree there */
}

static void
range_destroy (WpRange *self)
{
  if (self->tree != NULL)
    wp_vcs_worktree_remove (self->vcs, self->tree, NULL);
  if (self->base != NULL)
    remove_base (self->base);
  wp_store_free (self->store);
  g_array_unref (self->commits);
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_free (self->options.folder);
  g_strfreev (self->options.commits);
  g_free (self->options.build);
  g_array_unref (self->jobs);
  g_free (self->base);
  g_free (self->tree);
  g_free (self);
}

void
wp_range_free (WpRange *self)
{
  if (self == NULL)
    return;
  wp_range_stop (self);
  self->freed = TRUE;
  end_recorder (self);
  if (!self->busy)
    range_destroy (self);
}

/* Folders are named after the process that made them: those of dead ones are cleaned away. */
#define BASE_PREFIX "wakepath-range-"

static void
clean_up_after_crashes (WpVcs *vcs)
{
  GDir *folder = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  wp_vcs_worktrees_clean (vcs);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      gint64 pid = g_str_has_prefix (name, BASE_PREFIX) ? g_ascii_strtoll (name + strlen (BASE_PREFIX), NULL, 10) : 0;
      g_autofree char *base = g_build_filename (g_get_tmp_dir (), name, NULL);

      if (pid > 0 && kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
        remove_base (base);
    }
  if (folder != NULL)
    g_dir_close (folder);
}

static void
add_commit (WpRange *self, const char *hash)
{
  WpRangeCommit commit = { .state = WP_RANGE_WAITING };
  WpMinorVersion info = { 0 };

  g_strlcpy (commit.hash, hash, sizeof commit.hash);
  commit.log = g_strdup_printf ("%s/logs/%s-%s.log", wp_store_folder (self->store), hash,
                                self->options.log != NULL ? self->options.log : "range");
  if (wp_vcs_info (self->vcs, hash, &info, NULL))
    commit.subject = g_strdup (info.subject);
  else
    commit.subject = g_strdup ("");
  wp_minor_version_clear (&info);
  g_array_append_val (self->commits, commit);
}

static gboolean
open_all (WpRange *self, GError **error)
{
  g_autofree char *template = g_strdup_printf ("%s/" BASE_PREFIX "%d-XXXXXX", g_get_tmp_dir (), (int) getpid ());

  self->store = wp_store_open (self->options.folder, error);
  if (self->store == NULL)
    return FALSE;
  self->vcs = wp_store_vcs (self->store);
  if (self->vcs == NULL)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE, "%s: the store's repository is gone", self->options.folder);
      return FALSE;
    }
  clean_up_after_crashes (self->vcs);
  if (g_mkdtemp (template) == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", template, g_strerror (errno));
      return FALSE;
    }
  self->base = g_steal_pointer (&template);
  for (char **hash = self->options.commits; *hash != NULL; hash++)
    add_commit (self, *hash);
  return TRUE;
}

static void
on_opened (WpRange *self, GError *error)
{
  self->error = error;
  self->stopped = self->stopped || error != NULL;
  next_commit (self);
}

void
wp_range_start (WpRange *self)
{
  in_thread (self, open_all, on_opened);
}

static void
end_build (GSubprocess *build)
{
  const char *pid = g_subprocess_get_identifier (build);

  if (pid != NULL)
    kill (-(pid_t) g_ascii_strtoll (pid, NULL, 10), SIGTERM);
}

void
wp_range_stop (WpRange *self)
{
  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  if (self->build != NULL)
    end_build (self->build);
  if (self->recorder != NULL && wp_recorder_state (self->recorder) < WP_RECORDER_DONE)
    wp_recorder_stop (self->recorder);
}

gboolean
wp_range_is_over (const WpRange *self)
{
  return self->over;
}

const WpRangeCommit *
wp_range_commits (const WpRange *self, guint *n)
{
  *n = self->commits->len;
  return (const WpRangeCommit *) (gpointer) self->commits->data;
}

const GError *
wp_range_error (const WpRange *self)
{
  return self->error;
}
