/* init: makes a store. */
#include "cli/command.h"
#include "cli/store.h"
#include "store/vcs.h"

int
wp_cmd_init (int argc, char **argv)
{
  g_autofree char *type = NULL;
  const GOptionEntry entries[] = { { "vcs-type", 0, 0, G_OPTION_ARG_STRING, &type, "Version control system", "TYPE" }, { NULL } };
  g_autoptr (WpStore) store = NULL;
  GError *error = NULL;

  if (!wp_cli_parse (&argc, &argv, entries))
    return 2;
  if (argc > 2)
    return wp_cli_usage ("init", "too many folders");
  if (type != NULL && !wp_vcs_knows (type))
    return wp_cli_usage ("init", "--vcs-type is git, not “%s”", type);
  store = wp_store_init (argc == 2 ? argv[1] : ".", type, &error);
  if (store == NULL)
    return wp_cli_fail (error);
  g_print ("%s: an empty store; %s/local.yml has its settings\n", wp_store_folder (store), wp_store_folder (store));
  return 0;
}
