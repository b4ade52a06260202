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
    return wp_cli_usage ("range", "--repeat, --rate and --duration take positive numbers");
  status = wp_cli_store_open (&store, NULL, TRUE);
  if (status != 0)
    return status;
  commits = find_commits (wp_store_vcs (store.store), names, &error);
  if (commits == NULL)
    return wp_cli_fail (error);
  wp_cli_store_notice (&store);
  return wp_cli_range_commits (&store, options, commits, command);
}

int
wp_cmd_range (int argc, char **argv)
{
  WpCliRange options = { .repeat = 1 };
  char **names = NULL;
  const GOptionEntry entries[] = {
    { "build", 'b', 0, G_OPTION_ARG_STRING, &options.build, "What the shell runs in each work tree first", "LINE" },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &options.repeat, "Profiles of each commit", "N" },
    { "again", 0, 0, G_OPTION_ARG_NONE, &options.again, "Commits too that have profiles of the command", NULL },
    { "duration", 0, 0, G_OPTION_ARG_DOUBLE, &options.duration, "At most so long each", "SECONDS" },
    { "stacks", 0, 0, G_OPTION_ARG_STRING, &options.stacks, "How stacks are taken", "auto|fp|dwarf|none" },
    { "rate", 0, 0, G_OPTION_ARG_INT, &options.rate, "CPU samples a second", "HZ" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  char **command = NULL;
  int status;

  for (int i = 1; i < argc && command == NULL; i++)
    if (g_str_equal (argv[i], "--"))
      command = argv + i + 1;
  if (command != NULL)
    argc = (int) (command - argv) - 1;
  if (!wp_cli_parse (&argc, &argv, entries))
    status = 2;
  else if (names == NULL)
    status = wp_cli_usage ("range", "which commits?");
  else if (command != NULL && *command == NULL)
    status = wp_cli_usage ("range", "which command? It stands behind “--”");
  else
    status = range (&options, names, command);
  g_strfreev (names);
  g_free (options.build);
  g_free (options.stacks);
  return status;
}
