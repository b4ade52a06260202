/* init: makes a store. */
#include "cli/command.h"
#include "cli/store.h"
#include "store/vcs.h"

typedef struct
{
  char *type;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  GError *error = NULL;
  g_autoptr (WpStore) store = NULL;

  if (options->type != NULL && !wp_vcs_knows (options->type))
    return wp_cli_usage ("--vcs-type is git, not “%s”", options->type);
  store = wp_store_init (n == 1 ? operands[0] : ".", options->type, &error);
  if (store == NULL)
    return wp_cli_fail (error);
  g_print ("%s: an empty store; %s/local.yml has its settings\n", wp_store_folder (store), wp_store_folder (store));
  return 0;
}

static const WpOption rows[] = {
  { "vcs-type", 0, G_OPTION_ARG_STRING, offsetof (Options, type), "TYPE", "The version control system: git" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_init = {
  .name = "init",
  .group = WP_GROUP_STORE,
  .operands = "[FOLDER]",
  .summary = "Make a store of profiles",
  .description = "The store is made where the repository is that _FOLDER_, else the working folder, lies in; a repository, too, where there is none.",
  .options = rows,
  .size = sizeof (Options),
  .least = 0,
  .most = 1,
  .run = run,
};
