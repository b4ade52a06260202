/* One commit after the other, and how a range begins and ends. */
#include "range/range-private.h"

#include "base/write.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char *const state_names[] = {
  [WP_RANGE_WAITING] = "waiting",       [WP_RANGE_CHECKING_OUT] = "checking out", [WP_RANGE_BUILDING] = "building",
  [WP_RANGE_RECORDING] = "recording",   [WP_RANGE_EXPLAINING] = "explaining",     [WP_RANGE_DONE] = "done",
  [WP_RANGE_PASSED_OVER] = "passed over", [WP_RANGE_FAILED] = "failed", [WP_RANGE_STOPPED] = "stopped",
};

const char *
wp_range_state_name (WpRangeState state)
{
  return state_names[state];
}

WpRangeCommit *
wp_range_current (const WpRange *self)
{
  return &g_array_index (self->commits, WpRangeCommit, self->at);
}

void
wp_range_set_state (WpRange *self, WpRangeState state)
{
  wp_range_current (self)->state = state;
  self->func (self, self->data);
}

/* --- the next commit ------------------------------------------------------------------------------------------------- */

G_GNUC_PRINTF (2, 3)
static void
note (const WpRangeCommit *commit, const char *format, ...)
{
  int fd = g_open (commit->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  g_autofree char *text = NULL;
  va_list args;
  int code;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (fd < 0)
    return;
  code = wp_write_all (fd, text, strlen (text));
  if (code != 0)
    g_debug ("%s: %s", commit->log, g_strerror (code));
  close (fd);
}

static void next_commit (WpRange *self);

static void
on_removed (WpRange *self, GError *error)
{
  if (error != NULL)
    note (wp_range_current (self), "%s\n", error->message);
  g_clear_error (&error);
  g_clear_pointer (&self->tree, g_free);
  self->at++;
  next_commit (self);
}

void
wp_range_end_commit (WpRange *self, WpRangeState state)
{
  wp_range_set_state (self, state);
  if (self->tree != NULL)
    wp_range_in_thread (self, wp_range_remove_tree, on_removed);
  else
    on_removed (self, NULL);
}

void
wp_range_fail_commit (WpRange *self, GError *error)
{
  WpRangeCommit *commit = wp_range_current (self);

  note (commit, "%s\n", error->message);
  if (!self->stopped)
    {
      g_free (commit->problem);
      commit->problem = g_strdup (error->message);
    }
  g_error_free (error);
  wp_range_end_commit (self, self->stopped ? WP_RANGE_STOPPED : WP_RANGE_FAILED);
}

gboolean
wp_range_give_up (WpRange *self)
{
  if (!self->stopped)
    return FALSE;
  wp_range_fail_commit (self, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped"));
  return TRUE;
}

static void
next_commit (WpRange *self)
{
  if (self->stopped || self->at == self->commits->len)
    {
      g_clear_pointer (&self->work, wp_work_folder_free);
      self->over = TRUE;
      self->func (self, self->data);
      return;
    }
  wp_range_begin_commit (self);
}

/* --- beginning ------------------------------------------------------------------------------------------------------- */

void
wp_range_commit_clear (gpointer data)
{
  WpRangeCommit *commit = data;

  g_free (commit->subject);
  g_free (commit->problem);
  g_free (commit->log);
}

WpRange *
wp_range_new (const WpRangeOptions *options, WpRangeFunc func, gpointer data)
{
  WpRange *self = g_new0 (WpRange, 1);

  self->options = *options;
  self->options.folder = g_strdup (options->folder);
  self->options.commits = g_strdupv (options->commits);
  self->options.build = g_strdup (options->build);
  self->options.postprocesses = options->postprocesses != NULL ? g_array_copy (options->postprocesses)
                                                               : g_array_new (FALSE, FALSE, sizeof (WpPostprocess));
  self->options.jobs = g_ptr_array_ref (options->jobs);
  self->wanted = g_new0 (guint, options->jobs->len + 1);
  self->func = func;
  self->data = data;
  self->cancellable = g_cancellable_new ();
  self->commits = g_array_new (FALSE, TRUE, sizeof (WpRangeCommit));
  g_array_set_clear_func (self->commits, wp_range_commit_clear);
  return self;
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
  self->store = wp_store_open (self->options.folder, error);
  if (self->store == NULL)
    return FALSE;
  self->vcs = wp_store_vcs (self->store);
  if (self->vcs == NULL)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE, "%s", wp_store_notice (self->store));
      return FALSE;
    }
  if (!wp_range_make_folder (self, error))
    return FALSE;
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
  wp_range_in_thread (self, open_all, on_opened);
}

/* --- ending ---------------------------------------------------------------------------------------------------------- */

void
wp_range_destroy (WpRange *self)
{
  if (self->tree != NULL)
    wp_vcs_worktree_remove (self->vcs, self->work, NULL);
  wp_work_folder_free (self->work);
  wp_store_free (self->store);
  g_array_unref (self->commits);
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_free (self->options.folder);
  g_strfreev (self->options.commits);
  g_free (self->options.build);
  g_array_unref (self->options.postprocesses);
  g_ptr_array_unref (self->options.jobs);
  g_free (self->wanted);
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
  wp_range_drop_recorder (self);
  if (!self->busy)
    wp_range_destroy (self);
}

void
wp_range_stop (WpRange *self)
{
  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  wp_range_end_work (self);
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
