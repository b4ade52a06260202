/* rm: takes profiles out of a commit's index, or pending ones away. */
#include "base/quote.h"
#include "cli/command.h"
#include "cli/store.h"

static WpCliAnswer
may_remove (const WpStoreEntry *entry, gboolean yes)
{
  return *entry->sha1 != '\0' || yes ? WP_CLI_YES
                                     : wp_cli_ask ("Delete the pending profile “%s”? There is no other copy.", entry->path);
}

/* All that is meant is found before anything is removed. */
static int
collect (WpCliStore *store, const char *spec, GPtrArray *wanted)
{
  int status;
  g_autoptr (GPtrArray) found = wp_cli_store_find (store, spec, &status);

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const WpStoreEntry *entry = found->pdata[i];
      g_autofree char *file = wp_store_entry_file (store->store, entry), *folder = g_path_get_dirname (file);
      g_autofree char *jobs = g_build_filename (wp_store_folder (store->store), "jobs", NULL);

      if (*entry->sha1 == '\0' && !g_str_equal (folder, jobs))
        {
          if (*store->minor != '\0')
            g_printerr ("wakepath-cli: %s: neither registered with commit %.8s nor pending\n", spec, store->minor);
          else
            g_printerr ("wakepath-cli: %s: not pending\n", spec);
          return 1;
        }
      g_ptr_array_add (wanted, wp_store_entry_copy (entry));
    }
  return status;
}

static int
remove_all (WpCliStore *store, const GPtrArray *wanted, gboolean yes)
{
  WpCliAnswer answer = WP_CLI_YES;
  guint removed = 0;

  for (guint i = 0; i < wanted->len && answer != WP_CLI_NO_ANSWER; i++)
    {
      const WpStoreEntry *entry = wanted->pdata[i];
      g_autofree char *name = wp_quoted_line (entry->path);
      GError *error = NULL;

      answer = may_remove (entry, yes);
      if (answer != WP_CLI_YES)
        continue;
      if (*entry->sha1 == '\0' ? !wp_store_remove_pending (store->store, entry, &error)
                               : !wp_store_remove (store->store, entry->minor, entry, &error))
        return wp_cli_fail (error);
      g_print ("%s: removed\n", name);
      removed++;
    }
  g_print ("%u profile%s removed\n", removed, removed == 1 ? "" : "s");
  return answer == WP_CLI_NO_ANSWER;
}

int
wp_cmd_rm (int argc, char **argv)
{
  g_autofree char *minor = NULL;
  gboolean yes = FALSE;
  const GOptionEntry entries[] = {
    { "minor", 'm', 0, G_OPTION_ARG_STRING, &minor, "The commit", "COMMIT" },
    { "yes", 'y', 0, G_OPTION_ARG_NONE, &yes, "Do not ask", NULL },
    { NULL },
  };
  g_auto (WpCliStore) store = { 0 };
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_entry_free);
  int status;

  if (!wp_cli_parse (&argc, &argv, entries))
    return 2;
  if (argc < 2)
    return wp_cli_usage ("rm", "which profiles?");
  status = wp_cli_store_open (&store, minor, FALSE);
  for (int i = 1; i < argc && status == 0; i++)
    status = collect (&store, argv[i], wanted);
  if (status == 0)
    status = remove_all (&store, wanted, yes);
  if (store.store != NULL)
    wp_cli_store_notice (&store);
  return status;
}
