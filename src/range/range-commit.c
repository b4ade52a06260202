/* What is done at one commit: it is checked out, built, and each command recorded that profiles are wanted of. */
#include "range/range-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

static void record_next (WpRange *self);

/* --- recording ------------------------------------------------------------------------------------------------------- */

static void
on_registered (WpRange *self, GError *error)
{
  if (error != NULL)
    {
      if (wp_range_give_up (self))
        g_error_free (error);
      else
        wp_range_fail_commit (self, error);
      return;
    }
  wp_range_current (self)->recorded++;
  self->wanted[self->job]--;
  record_next (self);
}

void
wp_range_drop_recorder (WpRange *self)
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
  wp_range_drop_recorder (self);
  if (wp_range_give_up (self))
    g_clear_error (&error);
  else if (error != NULL)
    wp_range_fail_commit (self, error);
  else
    {
      wp_range_set_state (self, WP_RANGE_EXPLAINING);
      wp_range_in_thread (self, wp_range_explain_and_register, on_registered);
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

static void
record_next (WpRange *self)
{
  g_autofree char *output = wp_range_recording_path (self);
  const WpStoreJob *job = wp_range_next_job (self);
  WpRecordOptions record = { .folder = self->tree, .output = output, .command_output = wp_range_current (self)->log,
                             .duration = self->options.duration, .rate = self->options.rate, .stacks = self->options.stacks };

  if (job == NULL)
    {
      wp_range_end_commit (self, WP_RANGE_DONE);
      return;
    }
  if (wp_range_give_up (self))
    return;
  record.command = job->command;
  wp_range_set_state (self, WP_RANGE_RECORDING);
  self->recorder = wp_recorder_new (&record, on_recorder, self);
  wp_recorder_start (self->recorder);
}

/* --- building -------------------------------------------------------------------------------------------------------- */

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
      wp_range_destroy (self);
    }
  else if (wp_range_give_up (self))
    g_clear_error (&error);
  else if (error != NULL)
    {
      g_prefix_error (&error, "building failed: ");
      wp_range_fail_commit (self, error);
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
  wp_range_set_state (self, WP_RANGE_BUILDING);
  g_subprocess_launcher_set_cwd (launcher, self->tree);
  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  fd = g_open (wp_range_current (self)->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd >= 0)
    g_subprocess_launcher_take_stdout_fd (launcher, fd);
  self->build = g_subprocess_launcher_spawnv (launcher, command, &error);
  if (self->build == NULL)
    {
      wp_range_fail_commit (self, error);
      return;
    }
  self->busy = TRUE;
  g_subprocess_wait_check_async (self->build, NULL, on_built, self);
}

/* --- beginning and ending -------------------------------------------------------------------------------------------- */

static void
on_checked_out (WpRange *self, GError *error)
{
  if (error != NULL)
    wp_range_fail_commit (self, error);
  else if (!wp_range_give_up (self))
    build (self);
}

/* What is passed over keeps the log of when it was profiled. */
static void
on_counted (WpRange *self, GError *error)
{
  if (error == NULL && wp_range_next_job (self) == NULL)
    {
      wp_range_end_commit (self, WP_RANGE_PASSED_OVER);
      return;
    }
  g_unlink (wp_range_current (self)->log);
  if (error != NULL)
    {
      wp_range_fail_commit (self, error);
      return;
    }
  wp_range_set_state (self, WP_RANGE_CHECKING_OUT);
  wp_range_in_thread (self, wp_range_check_out, on_checked_out);
}

void
wp_range_begin_commit (WpRange *self)
{
  wp_range_in_thread (self, wp_range_count_profiles, on_counted);
}

static void
end_build (GSubprocess *build)
{
  const char *pid = g_subprocess_get_identifier (build);

  if (pid != NULL)
    kill (-(pid_t) g_ascii_strtoll (pid, NULL, 10), SIGTERM);
}

void
wp_range_end_work (WpRange *self)
{
  if (self->build != NULL)
    end_build (self->build);
  if (self->recorder != NULL && wp_recorder_state (self->recorder) < WP_RECORDER_DONE)
    wp_recorder_stop (self->recorder);
}
