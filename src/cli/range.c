/* range: profiles of many commits, each built and recorded in a work tree of its own. */
#include "cli/range.h"

#include "base/hash.h"
#include "cli/command.h"

/* All commits that are meant, each once, in the order in which they were named. */
static char **
find_commits (WpVcs *vcs, char **names, GError **error)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_string, g_str_equal);

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
range (const WpCliRange *options, char **names, char **command)
{
  g_auto (WpCliStore) store = { 0 };
  g_auto (GStrv) commits = NULL;
  GError *error = NULL;
  int status;

  if (options->repeat < 1 || options->rate < 0 || options->duration < 0)
    return wp_cli_usage ("--repeat, --rate and --duration take positive numbers");
  status = wp_cli_store_open (&store, NULL, TRUE);
  if (status != 0)
    return status;
  commits = find_commits (wp_store_vcs (store.store), names, &error);
  if (commits == NULL)
    return wp_cli_fail (error);
  wp_cli_store_notice (&store);
  return wp_cli_range_commits (&store, options, commits, command);
}

static int
run (gpointer options, int n, char **operands)
{
  char **dashes = operands;

  while (*dashes != NULL && !g_str_equal (*dashes, "--"))
    dashes++;
  if (dashes == operands + n)
    return range (options, operands, NULL);
  if (dashes[1] == NULL)
    return wp_cli_usage ("which command? It stands behind “--”");
  *dashes = NULL;
  return range (options, operands, dashes + 1);
}

static const WpOption rows[] = {
  { "build", 'b', G_OPTION_ARG_STRING, offsetof (WpCliRange, build), "LINE", "What the shell runs in each work tree first, to build it" },
  { "repeat", 0, G_OPTION_ARG_INT, offsetof (WpCliRange, repeat), "N", "How many profiles of each commit" },
  { "again", 0, G_OPTION_ARG_NONE, offsetof (WpCliRange, again), NULL, "Commits, too, that have profiles of this command" },
  { "duration", 0, G_OPTION_ARG_DOUBLE, offsetof (WpCliRange, duration), "SECONDS", "End each recording after this time" },
  WP_OPTION_RATE (WpCliRange, rate),
  WP_OPTION_STACKS (WpCliRange, stacks),
  WP_OPTION_END,
};

const WpCommand wp_cmd_range = {
  .name = "range",
  .group = WP_GROUP_STORE,
  .operands = "COMMIT|A..B… [-- COMMAND…]",
  .summary = "Record and register a command at many commits",
  .description = "Each commit is built and recorded in a work tree of its own below _~/.cache/wakepath_.\n\n"
                 "Without a command those of the job matrix in local.yml: every program of _cmds_ with every line of _workloads_ and _args_; each "
                 "of their profiles goes through the _postprocessors_, in their order, by the parameters that *postprocess* keeps in a "
                 "profile: _method_, _regression_models_, _steps_, _of_key_, _per_key_; _strategy_, _window_width_, _width_measure_, "
                 "_window_height_, _height_measure_.\n\n"
                 "Where an option is left out, _execute.pre_run_ has the lines that build, and the parameters _rate_, _duration_ and _stacks_ "
                 "of the collector _wakepath_ in _collectors_ say the rest. What local.yml names is run only once it is trusted, see *trust*.",
  .options = rows,
  .defaults = &(const WpCliRange) { .repeat = 1 },
  .size = sizeof (WpCliRange),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .program = WP_PROGRAM_BEHIND,
  .run = run,
};
