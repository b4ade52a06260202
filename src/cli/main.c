/* wakepath-cli: everything the window can compute, without a display. */
#include "base/own-mappings.h"
#include "cli/command.h"
#include "cli/output.h"

#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>

static int
print_all_help (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_help_append_all (out);
  g_print ("%s", out->str);
  return 0;
}

static gboolean
asks_for_help (const char *word)
{
  return g_str_equal (word, "--help") || g_str_equal (word, "-h") || g_str_equal (word, "help");
}

static int
run (int argc, char **argv)
{
  const WpCommand *command = wp_command_find (argv[0]);

  if (command != NULL)
    return wp_command_run (command, argc, argv);
  g_printerr ("wakepath-cli: there is no command “%s”; “wakepath-cli --help” lists them\n", argv[0]);
  return 2;
}

static int
run_words (int argc, char **argv)
{
  if (argc < 2)
    {
      print_all_help ();
      return 2;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("wakepath-cli %s\n", WP_VERSION);
      return 0;
    }
  if (!asks_for_help (argv[1]))
    return run (argc - 1, argv + 1);
  return argc == 2 ? print_all_help () : run (2, (char *[]) { argv[2], (char *) "--help", NULL });
}

/* What was printed may not have come where it was to go. */
int
main (int argc, char **argv)
{
  int status;

  wp_use_own_mappings ();
  setlocale (LC_ALL, "");
  g_set_prgname ("wakepath-cli");
  wp_cli_output_begin ();
  status = run_words (argc, argv);
  if (fflush (stdout) == 0 || errno == EPIPE)
    return status;
  g_printerr ("wakepath-cli: writing the result failed: %s\n", g_strerror (errno));
  return 1;
}
