/* range: profiles of many commits, each built and recorded in a work tree of its own. */
#include "cli/command.h"
#include "cli/store.h"
#include "record/range.h"

#include <glib-unix.h>
#include <signal.h>
#include <string.h>

typedef struct
{
  char **names; /* of commits and ranges */
  char *build, *stacks;
  int repeat, rate;
  double duration;
  gboolean again;
} Options;

typedef struct
{
  GMainLoop *loop;
  WpRange *range;
  GArray *told; /* of each commit the state that was said: gint */
} Session;

static void
tell_commit (const WpRangeCommit *commit)
{
  g_print ("%.8s %s: %s", commit->hash, commit->subject, wp_range_state_name (commit->state));
  if (commit->state == WP_RANGE_DONE)
    g_print (", %u profile%s registered", commit->recorded, commit->recorded == 1 ? "" : "s");
  if (commit->problem != NULL)
    g_print (": %s; see %s", commit->problem, commit->log);
  g_print ("\n");
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
        tell_commit (&commits[i]);
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

/* All commits that are meant, each once, in the order in which they were named. */
static char **
find_commits (WpVcs *vcs, char **names, GError **error)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (char **name = names; *name != NULL; name++)
    {
      g_auto (GStrv) commits = wp_vcs_range (vcs, *name, error);

      if (commits == NULL)
        {
          g_ptr_array_unref (all);
          return NULL;
        }
      for (char **hash = commits; *hash != NULL; hash++)
        if (!g_hash_table_contains (seen, *hash))
          {
            g_ptr_array_add (all, g_strdup (*hash));
            g_hash_table_add (seen, all->pdata[all->len - 1]);
          }
    }
  g_ptr_array_set_free_func (all, NULL);
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (all, FALSE);
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
run (const WpRangeOptions *options)
{
  Session session = { .loop = g_main_loop_new (NULL, FALSE), .told = g_array_new (FALSE, TRUE, sizeof (gint)) };
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

static int
range (const Options *options, char **command)
{
  g_auto (WpCliStore) store = { 0 };
  WpRangeOptions range = { .build = options->build, .command = command, .repeat = (guint) options->repeat,
                           .again = options->again, .duration = options->duration, .rate = (guint) options->rate };
  g_auto (GStrv) commits = NULL;
  GError *error = NULL;
  int status;

  if (options->stacks != NULL && !wp_stack_mode_parse (options->stacks, &range.stacks))
    return wp_cli_usage ("range", "there is no stack mode “%s”, only auto, fp, dwarf and none", options->stacks);
  if (options->repeat < 1 || options->rate < 0 || options->duration < 0)
    return wp_cli_usage ("range", "--repeat, --rate and --duration take positive numbers");
  status = wp_cli_store_open (&store, NULL, TRUE);
  if (status != 0)
    return status;
  commits = find_commits (wp_store_vcs (store.store), options->names, &error);
  if (commits == NULL)
    return wp_cli_fail (error);
  wp_cli_store_notice (&store);
  range.folder = (char *) wp_store_folder (store.store);
  range.commits = commits;
  return run (&range);
}

int
wp_cmd_range (int argc, char **argv)
{
  Options options = { .repeat = 1 };
  const GOptionEntry entries[] = {
    { "build", 'b', 0, G_OPTION_ARG_STRING, &options.build, "What the shell runs in each work tree first", "LINE" },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &options.repeat, "Profiles of each commit", "N" },
    { "again", 0, 0, G_OPTION_ARG_NONE, &options.again, "Commits too that have profiles of the command", NULL },
    { "duration", 0, 0, G_OPTION_ARG_DOUBLE, &options.duration, "At most so long each", "SECONDS" },
    { "stacks", 0, 0, G_OPTION_ARG_STRING, &options.stacks, "How stacks are taken", "auto|fp|dwarf|none" },
    { "rate", 0, 0, G_OPTION_ARG_INT, &options.rate, "CPU samples a second", "HZ" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.names, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  char **command = argv + argc;
  int status;

  for (int i = 1; i < argc && command == argv + argc; i++)
    if (g_str_equal (argv[i], "--"))
      command = argv + i + 1;
  if (command != argv + argc)
    argc = (int) (command - argv) - 1;
  if (!wp_cli_parse (&argc, &argv, entries))
    status = 2;
  else if (options.names == NULL)
    status = wp_cli_usage ("range", "which commits?");
  else if (*command == NULL)
    status = wp_cli_usage ("range", "which command? It stands behind “--”");
  else
    status = range (&options, command);
  g_strfreev (options.names);
  g_free (options.build);
  g_free (options.stacks);
  return status;
}
