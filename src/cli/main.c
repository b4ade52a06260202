/* wakepath-cli: everything the window can compute, without a display. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/output.h"

#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>

static const WpCommand commands[] = {
  { "record", "[-o FILE] [--repeat N] [--duration S] [--size MB] [--stacks auto|fp|dwarf|none] [--stack-bytes N]\n"
    "       [--rate HZ] [--pid PID] [-- COMMAND…]",
    "Record the system while a command runs", wp_cmd_record },
  { "report", "FILE [--task NAME|TID] [--merge-threads] [--started-work] [--cut OP,…] [--from T] [--to T]\n"
    "       [--idle-task NAME] [--format text|tsv|json|markdown]",
    "What the time of a process was spent on", wp_cmd_report },
  { "tasks", "FILE [--idle-task NAME] [--format tsv|json|text]", "The tasks of a recording, a line each", wp_cmd_tasks },
  { "operations", "FILE [--idle-task NAME] [--format tsv|json]", "Runs, sleeps, disk and network operations, a line each", wp_cmd_operations },
  { "links", "FILE [--idle-task NAME] [--format tsv|json]", "What caused what to start, a line each", wp_cmd_links },
  { "flame", "FILE [--task NAME|TID] [--merge-threads] [--started-work] [--cut OP,…] [--from T] [--to T] [--consolidated]\n"
    "       [--inverted] [--collapse-recursion] [--icicle] [--idle-task NAME] [--format folded|svg|png|pdf|json] [-o FILE]",
    "The flame views", wp_cmd_flame },
  { "save", "FILE [--task NAME|TID] [--merge-threads] [--started-work] [--cut OP,…] [--idle-task NAME] [-o FILE.perf]\n"
    "       [--pending [-m COMMIT]]",
    "What explains one process, as a profile to keep: in a file, or pending in the store", wp_cmd_save },
  { "init", "[FOLDER] [--vcs-type git]", "Make a store of profiles where the repository is, and a repository where there is none", wp_cmd_init },
  { "add", "PROFILE… [-m COMMIT] [--keep-profile] [--force [--yes]]",
    "Register profiles with a commit. A PROFILE is a file, a tag (0@p, 0@p-3@p) or the name of a pending profile", wp_cmd_add },
  { "rm", "PROFILE… [-m COMMIT] [--yes]", "Take profiles (tags, names) out of a commit, or pending ones away", wp_cmd_rm },
  { "status", "[-m COMMIT] [--short] [--sort-by KEY] [--format text|json]", "The profiles of a commit, and pending ones", wp_cmd_status },
  { "log", "[COMMIT] [-n N] [--short] [--format text|json] [--history FIGURE [--run COMMAND] [-o FILE]]", "Commits with their profiles", wp_cmd_log },
  { "show", "PROFILE [raw|json|file] [-m COMMIT]", "What a profile says of itself, its text, its file", wp_cmd_show },
  { "range", "COMMIT|A..B… [--build LINE] [--repeat N] [--again] [--duration S] [--rate HZ]\n"
    "       [--stacks auto|fp|dwarf|none] [-- COMMAND…]",
    "Record and register a command at many commits, each in a work tree of its own; without one the job matrix of local.yml", wp_cmd_range },
  { "trust", "[FOLDER] [--yes] [--list] [--forget]",
    "Let the commands that a store's local.yml names be run, after reading them", wp_cmd_trust },
  { "diff", "A[,A2…]|COMMIT B[,B2…]|COMMIT [--command TEXT] [--task NAME|TID] [--idle-task NAME] [--normalise]\n"
    "       [--threshold PERCENT] [--view b|a|vanished] [--format text|json|markdown|tsv|folded|svg|png|pdf] [-o FILE]",
    "Two profiles compared, or two sets of them; exit status 3 when B is worse", wp_cmd_diff },
  { "view", "PROFILE [flame|heap-map|heat-map|allocations|scatter|bars|flow|resources|models|raw] [--func NAME] [--of KEY]\n"
    "       [--per KEY] [--through KEY] [--by KEY] [--grouped] [--no-accumulate] [--snapshot N] [--mode NAME] [--inverted] [--icicle] [-o FILE]",
    "A profile of another collector in the views that suit it; without a name: which these are", wp_cmd_view },
  { "query", "PROFILE FUNCTION [KEY] [--format text|json]", "What a profile holds, by Perun's query functions", wp_cmd_query },
  { "convert", "PROFILE table|flame|heap-map|heat-map|plot|bars|flow|scatter [--of KEY] [--per KEY] [--by KEY] [--through KEY]\n"
    "       [--function NAME] [--accumulate] [--frames auto|stored|uid-first]\n"
    "       [--format csv|tsv|json|text]",
    "A profile as a table, or as what a view draws", wp_cmd_convert },
  { "postprocess", "PROFILE regression-analysis|normalizer|filter|clusterizer [--method NAME] [--models NAME,…] [--of KEY] [--per KEY]\n"
    "       [--steps N] [--seed N] [--no-shuffle] [--strategy NAME] [--width N|N%] [--height N|N%] [-o FILE]",
    "Models of a profile's amounts, or its resources changed", wp_cmd_postprocess },
  { "check", "A[,A2…] B[,B2…] | head [COMMIT] | all [COMMIT] | profiles A B [-m COMMIT] [--method NAME,…] [-f text|json]",
    "Whether profiles are worse than others", wp_cmd_check },
  { "info", "FILE [--idle-task NAME] [--format text|json]", "What a file is, what it holds, what is wrong with it", wp_cmd_info },
};

static void
print_help (void)
{
  g_print ("Usage: wakepath-cli COMMAND …\n\nShows where the time of a process went, across all it waited for.\n\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_print ("  %-12s %s\n", commands[i].name, commands[i].summary);
  g_print ("\n“wakepath-cli COMMAND --help” tells more. Exit status: 0; 1 an error; 2 wrong usage; 3 a degradation.\n");
}

static void
print_command_help (const WpCommand *command)
{
  g_print ("Usage: wakepath-cli %s %s\n\n%s.\n", command->name, command->arguments, command->summary);
}

static const WpCommand *
find_command (const char *name)
{
  guint row = WP_FIND_ROW (commands, name, name);

  if (row < G_N_ELEMENTS (commands))
    return &commands[row];
  g_printerr ("wakepath-cli: there is no command “%s”; “wakepath-cli --help” lists them\n", name);
  return NULL;
}

static gboolean
asks_for_help (const char *word)
{
  return g_str_equal (word, "--help") || g_str_equal (word, "-h");
}

/* What the command has printed may not have come where it was to go. */
static int
run (const WpCommand *command, int argc, char **argv)
{
  int status = command->run (argc, argv);

  if (fflush (stdout) == 0 || errno == EPIPE)
    return status;
  g_printerr ("wakepath-cli: writing the result failed: %s\n", g_strerror (errno));
  return 1;
}

int
main (int argc, char **argv)
{
  const WpCommand *command;
  gboolean help;

  setlocale (LC_ALL, "");
  g_set_prgname ("wakepath-cli");
  wp_cli_output_begin ();
  help = argc > 1 && (asks_for_help (argv[1]) || g_str_equal (argv[1], "help"));
  if (argc < 2 || (help && argc == 2))
    {
      print_help ();
      return argc < 2 ? 2 : 0;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("wakepath-cli %s\n", WP_VERSION);
      return 0;
    }
  command = find_command (argv[help ? 2 : 1]);
  if (command == NULL)
    return 2;
  if (!help && (argc < 3 || !asks_for_help (argv[2])))
    return run (command, argc - 1, argv + 1);
  print_command_help (command);
  return 0;
}
