/* Runs a range to its end and tells of each commit; Ctrl-C stops it. */
#include "cli/range.h"

#include "cli/command.h"
#include "record/range.h"
#include "store/jobs.h"

#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

typedef struct
{
  GMainLoop *loop;
  WpRange *range;
  FILE *out;
  GArray *told; /* of each commit the state that was said: gint */
} Session;

static void
tell_commit (FILE *out, const WpRangeCommit *commit)
{
  fprintf (out, "%.8s %s: %s", commit->hash, commit->subject, wp_range_state_name (commit->state));
  if (commit->state == WP_RANGE_DONE)
    fprintf (out, ", %u profile%s registered", commit->recorded, commit->recorded == 1 ? "" : "s");
  if (commit->problem != NULL)
    fprintf (out, ": %s; see %s", commit->problem, commit->log);
  fprintf (out, "\n");
  fflush (out);
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
        tell_commit (session->out, &commits[i]);
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
run (const WpRangeOptions *options, FILE *out)
{
  Session session = { .loop = g_main_loop_new (NULL, FALSE), .out = out, .told = g_array_new (FALSE, TRUE, sizeof (gint)) };
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

static int
refuse_param (const WpStore *store, const char *key, const char *value)
{
  g_printerr ("wakepath-cli: %s/local.yml: collectors: %s: “%s” makes no sense\n", wp_store_folder (store), key, value);
  return 1;
}

/* A number where the option was left out. */
static int
take_number (const WpStore *store, const char *key, double *number)
{
  const char *value = *number == 0 ? wp_store_collector_param (store, key) : NULL;
  char *end;

  if (value == NULL)
    return 0;
  *number = g_ascii_strtod (value, &end);
  return end > value && *end == '\0' && *number >= 0 && *number <= 1e9 ? 0 : refuse_param (store, key, value);
}

static int
take_settings (const WpStore *store, const WpCliRange *options, WpRangeOptions *range)
{
  const char *stacks = options->stacks == NULL ? wp_store_collector_param (store, "stacks") : NULL;
  double rate = options->rate;
  int status = take_number (store, "rate", &rate);

  range->duration = options->duration;
  if (status == 0)
    status = take_number (store, "duration", &range->duration);
  if (status == 0 && stacks != NULL && !wp_stack_mode_parse (stacks, &range->stacks))
    status = refuse_param (store, "stacks", stacks);
  range->rate = (guint) llround (rate);
  range->build = options->build != NULL ? g_strdup (options->build) : wp_store_build_line (store);
  return status;
}

/* The commands of the job matrix, which name no collector that we are not. */
static GPtrArray *
take_jobs (const WpStore *store)
{
  GError *error = NULL;
  GPtrArray *jobs = wp_store_jobs (store, &error);
  const char *foreign = wp_store_foreign_collector (store);

  if (jobs == NULL)
    wp_cli_fail (error);
  else if (foreign != NULL)
    g_printerr ("wakepath-cli: %s/local.yml: collectors: “%s” is Perun's; what is profiled here is recorded by Wakepath\n",
                wp_store_folder (store), foreign);
  return jobs;
}

int
wp_cli_range_commits (const WpCliStore *store, const WpCliRange *options, char **commits, char **command)
{
  g_autoptr (GPtrArray) jobs = command == NULL ? take_jobs (store->store) : NULL;
  WpRangeOptions range = { .folder = (char *) wp_store_folder (store->store), .commits = commits, .command = command,
                           .repeat = (guint) options->repeat, .again = options->again, .log = options->log };
  int status = command == NULL && jobs == NULL ? 1 : 0;

  if (status == 0 && options->stacks != NULL && !wp_stack_mode_parse (options->stacks, &range.stacks))
    return wp_cli_usage ("range", "there is no stack mode “%s”, only auto, fp, dwarf and none", options->stacks);
  if (status == 0)
    status = take_settings (store->store, options, &range);
  if (jobs != NULL)
    {
      g_ptr_array_add (jobs, NULL);
      range.command = jobs->pdata[0];
      range.others = (char ***) jobs->pdata + 1;
    }
  if (status == 0)
    status = run (&range, options->aside ? stderr : stdout);
  g_free (range.build);
  return status;
}
