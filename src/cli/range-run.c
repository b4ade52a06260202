/* Runs a range to its end and tells of each commit; Ctrl-C stops it. */
#include "cli/range.h"

#include "cli/command.h"
#include "range/range.h"

#include <glib-unix.h>
#include <signal.h>

typedef struct
{
  GMainLoop *loop;
  WpRange *range;
  gboolean aside; /* on standard error */
  GArray *told; /* of each commit the state that was said: gint */
} Session;

static void
tell_commit (const Session *session, const WpRangeCommit *commit)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (line, "%.8s %s: %s", commit->hash, commit->subject, wp_range_state_name (commit->state));
  if (commit->state == WP_RANGE_DONE)
    g_string_append_printf (line, ", %u profile%s registered", commit->recorded, commit->recorded == 1 ? "" : "s");
  if (commit->problem != NULL)
    g_string_append_printf (line, ": %s; see %s", commit->problem, commit->log);
  (session->aside ? g_printerr : g_print) ("%s\n", line->str);
}

static void
on_change (WpRange *range, gpointer data)
{
  Session *session = data;
  guint n;
  const WpRangeCommit *commits = wp_range_commits (range, &n);

  g_array_set_size (session->told, n);
  for (guint i = 0; i < n; i++)
    if (g_array_index (session->told, gint, i) != (gint) commits[i].state)
      {
        g_array_index (session->told, gint, i) = (gint) commits[i].state;
        tell_commit (session, &commits[i]);
      }
  if (wp_range_is_over (range))
    g_main_loop_quit (session->loop);
}

static gboolean
on_interrupt (gpointer data)
{
  wp_range_stop (((Session *) data)->range);
  return G_SOURCE_CONTINUE;
}

static int
count_failed (const WpRange *range)
{
  guint n, failed = 0;
  const WpRangeCommit *commits = wp_range_commits (range, &n);

  for (guint i = 0; i < n; i++)
    failed += commits[i].state != WP_RANGE_DONE && commits[i].state != WP_RANGE_PASSED_OVER;
  if (failed > 0)
    g_printerr ("wakepath-cli: %u of %u commits have no profile; the same command goes on with them\n", failed, n);
  return failed > 0;
}

static int
run (const WpRangeOptions *options, gboolean aside)
{
  Session session = { .loop = g_main_loop_new (NULL, FALSE), .aside = aside, .told = g_array_new (FALSE, TRUE, sizeof (gint)) };
  guint signals[2];
  int status;

  session.range = wp_range_new (options, on_change, &session);
  signals[0] = g_unix_signal_add (SIGINT, on_interrupt, &session);
  signals[1] = g_unix_signal_add (SIGTERM, on_interrupt, &session);
  wp_range_start (session.range);
  g_main_loop_run (session.loop);
  status = wp_range_error (session.range) != NULL ? wp_cli_fail (g_error_copy (wp_range_error (session.range)))
                                                  : count_failed (session.range);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (signals[i]);
  wp_range_free (session.range);
  g_array_unref (session.told);
  g_main_loop_unref (session.loop);
  return status;
}

/* --- what local.yml says ------------------------------------------------------------------------------------------------ */

static gboolean
take_settings (const WpStore *store, const WpCliRange *options, WpRangeOptions *range, GError **error)
{
  if (!wp_range_take_settings (range, store, error))
    return FALSE;
  range->rate = options->rate > 0 ? (guint) options->rate : range->rate;
  range->duration = options->duration > 0 ? options->duration : range->duration;
  range->build = options->build != NULL ? g_strdup (options->build) : wp_store_build_line (store);
  return TRUE;
}

/* The job matrix, which names no collector that we are not, and what its profiles go through: a command that was given is recorded as it is. */
static gboolean
take_matrix (const WpStore *store, WpRangeOptions *range, GError **error)
{
  const char *foreign = wp_store_foreign_collector (store);

  range->jobs = wp_store_jobs (store, error);
  range->postprocesses = range->jobs != NULL ? wp_store_postprocesses (store, error) : NULL;
  if (range->postprocesses == NULL)
    return FALSE;
  if (foreign != NULL)
    g_printerr ("wakepath-cli: %s/local.yml: collectors: “%s” is Perun's; what is profiled here is recorded by Wakepath\n",
                wp_store_folder (store), foreign);
  return TRUE;
}

static gboolean
take_command (char **command, WpRangeOptions *range)
{
  range->jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_job_free);
  g_ptr_array_add (range->jobs, wp_store_job_new (command));
  return TRUE;
}

int
wp_cli_range_commits (const WpCliStore *store, const WpCliRange *options, char **commits, char **command)
{
  WpRangeOptions range = { .folder = (char *) wp_store_folder (store->store), .commits = commits, .repeat = (guint) options->repeat,
                           .again = options->again, .log = options->log };
  GError *error = NULL;
  int status;

  if (!wp_cli_may_run (store->store, options->build == NULL, command == NULL))
    return 1;
  if (!(command != NULL ? take_command (command, &range) : take_matrix (store->store, &range, &error))
      || !take_settings (store->store, options, &range, &error))
    status = wp_cli_fail (error);
  else
    {
      if (options->stacks != NULL)
        wp_stack_mode_parse (options->stacks, &range.stacks);
      status = run (&range, options->aside);
    }
  g_free (range.build);
  g_clear_pointer (&range.jobs, g_ptr_array_unref);
  g_clear_pointer (&range.postprocesses, g_array_unref);
  return status;
}
