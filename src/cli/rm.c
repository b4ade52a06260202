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

typedef struct
{
  char *minor;
  gboolean yes;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  g_auto (WpCliStore) store = { 0 };
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_entry_free);
  int status = wp_cli_store_open (&store, options->minor, FALSE);

  for (int i = 0; i < n && status == 0; i++)
    status = collect (&store, operands[i], wanted);
  if (status == 0)
    status = remove_all (&store, wanted, options->yes);
  if (store.store != NULL)
    wp_cli_store_notice (&store);
  return status;
}

static const WpOption rows[] = {
  WP_OPTION_MINOR (Options, minor),
  WP_OPTION_YES (Options, yes),
  WP_OPTION_END,
};

const WpCommand wp_cmd_rm = {
  .name = "rm",
  .group = WP_GROUP_STORE,
  .operands = "PROFILE…",
  .summary = "Take profiles out of a commit, or pending ones away",
  .description = "A _PROFILE_ is a tag (_0@i_, _0@p-3@p_) or a name.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
