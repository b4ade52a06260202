/* add: registers profiles with a commit. */
#include "cli/command.h"
#include "cli/store.h"

typedef struct
{
  char *minor;
  gboolean keep, force, yes;
} Options;

/* One profile to add, as it was typed and as a file. */
typedef struct
{
  char *spec, *path; /* path NULL: not found, and said so */
} Wanted;

static void
clear_wanted (gpointer data)
{
  Wanted *wanted = data;

  g_free (wanted->spec);
  g_free (wanted->path);
}

/* All of what a name means, before anything is added: tags change when pending profiles go. */
static int
collect (WpCliStore *store, const char *spec, GArray *wanted)
{
  int status = 0;
  g_autoptr (GPtrArray) found = wp_cli_store_find_new (store, spec, &status);
  Wanted row = { g_strdup (spec), NULL };

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const WpStoreEntry *entry = found->pdata[i];

      if (*entry->sha1 != '\0')
        {
          g_printerr ("wakepath-cli: %s: registered already\n", entry->path);
          status = 1;
          continue;
        }
      row.path = wp_store_entry_file (store->store, entry);
      g_array_append_val (wanted, row);
      row = (Wanted) { g_strdup (spec), NULL };
    }
  clear_wanted (&row);
  return status;
}

static int
add_all (WpCliStore *store, const GArray *wanted, const Options *options, guint failed)
{
  WpStoreAddFlags flags = (options->force ? WP_STORE_ADD_FORCE : 0) | (options->keep ? WP_STORE_ADD_KEEP : 0);
  guint added = 0;

  for (guint i = 0; i < wanted->len; i++)
    {
      const char *path = g_array_index (wanted, Wanted, i).path;
      GError *error = NULL;
      char sha1[41];

      if (wp_store_add (store->store, store->minor, path, flags, sha1, &error))
        {
          g_print ("%s: registered with commit %.8s as %s\n", path, store->minor, sha1);
          added++;
        }
      else
        failed += wp_cli_fail (error) > 0;
    }
  g_print ("%u profile%s registered\n", added, added == 1 ? "" : "s");
  if (failed > 0)
    g_printerr ("wakepath-cli: %u could not be registered\n", failed);
  return failed > 0;
}

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  g_auto (WpCliStore) store = { 0 };
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  int status = wp_cli_store_open (&store, options->minor, TRUE);
  WpCliAnswer answer = WP_CLI_YES;
  guint failed = 0;

  g_array_set_clear_func (wanted, clear_wanted);
  for (int i = 0; i < n && status == 0; i++)
    {
      status = collect (&store, operands[i], wanted);
      failed += status == 1;
      status = status == 2 ? 2 : 0;
    }
  if (status != 0)
    return status;
  if (options->force && !options->yes)
    answer = wp_cli_ask ("Profiles of other commits make a project's history wrong. Add them to %.8s all the same?", store.minor);
  if (answer != WP_CLI_YES)
    return answer == WP_CLI_NO ? 0 : 1;
  status = add_all (&store, wanted, options, failed);
  wp_cli_store_notice (&store);
  return status;
}

static const WpOption rows[] = {
  WP_OPTION_MINOR (Options, minor),
  { "keep-profile", 0, G_OPTION_ARG_NONE, offsetof (Options, keep), NULL, "The file stays" },
  { "force", 'f', G_OPTION_ARG_NONE, offsetof (Options, force), NULL, "Profiles of other commits, too" },
  WP_OPTION_YES (Options, yes),
  WP_OPTION_END,
};

const WpCommand wp_cmd_add = {
  .name = "add",
  .group = WP_GROUP_STORE,
  .operands = "PROFILE…",
  .summary = "Register profiles with a commit",
  .description = "A _PROFILE_ is a file, the tag of a pending profile or several (_0@p_, _0@p-3@p_), or its name. A file of another format (pprof, "
                 "speedscope, …) becomes a profile of Perun's with all value types and labels, of this commit; the file stays.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
