/* trust: what a store's settings would run, and the user's word that it may. */
#include "cli/command.h"
#include "cli/range.h"
#include "store/trust.h"

#include "base/quote.h"

#include <string.h>
#include <unistd.h>

#define LINES_MOST 40   /* of a refusal; “trust” shows all */
#define BYTES_MOST 2000 /* of one of them */

/* --- refusing ------------------------------------------------------------------------------------------------------------- */

static void
show (GString *out, char **commands)
{
  for (char **command = commands; *command != NULL; command++)
    wp_store_command_show (out, "  ", *command);
}

static void
print_some (const GString *text)
{
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  guint n = g_strv_length (lines) - 1; /* behind the last line end there is none */

  for (guint i = 0; i < MIN (n, LINES_MOST); i++)
    {
      gboolean cut = strlen (lines[i]) > BYTES_MOST;

      if (cut)
        lines[i][g_utf8_find_prev_char (lines[i], lines[i] + BYTES_MOST) - lines[i]] = '\0';
      g_printerr ("%s%s\n", lines[i], cut ? "…" : "");
    }
  if (n > LINES_MOST)
    g_printerr ("  … and %u more lines\n", n - LINES_MOST);
}

gboolean
wp_cli_may_run (const WpStore *store, gboolean build, gboolean programs)
{
  g_autoptr (WpStoreCommands) commands = wp_store_commands_new (store);
  g_autoptr (GString) text = g_string_new (NULL), file = g_string_new (NULL);

  if (build)
    show (text, commands->build);
  if (programs)
    show (text, commands->programs);
  if (text->len == 0 || wp_store_is_trusted (commands))
    return TRUE;
  wp_quote_visible (file, commands->file);
  g_printerr ("wakepath-cli: %s: nothing was run, since these commands are not trusted:\n", file->str);
  print_some (text);
  g_printerr ("wakepath-cli: “wakepath-cli trust” shows them and asks whether they may run\n");
  return FALSE;
}

/* --- trusting -------------------------------------------------------------------------------------------------------------- */

static void
append_section (GString *out, const char *title, char **commands)
{
  if (*commands != NULL)
    g_string_append_printf (out, "%s:\n", title);
  show (out, commands);
}

static void
append_repository (GString *out, const WpStoreCommands *commands)
{
  wp_quote_visible (out, commands->file);
  g_string_append (out, ": uses the repository ");
  wp_quote_visible (out, commands->repository);
  g_string_append_printf (out, ", not that which the store is in%s\n",
                          commands->within ? "; it is among the store’s own files and may have come with them, from whoever made them" : "");
}

/* FALSE: there is nothing to be trusted. */
static gboolean
print_commands (const WpStoreCommands *commands)
{
  guint n = wp_store_commands_count (commands);
  g_autoptr (GString) text = g_string_new (NULL);

  if (commands->repository != NULL)
    append_repository (text, commands);
  if (n > 0 || commands->repository == NULL)
    wp_quote_visible (text, commands->file);
  if (n == 0 && commands->repository == NULL)
    g_string_append (text, ": names no commands; nothing needs trust\n");
  else if (n > 0)
    g_string_append (text, ": would have this run, by you and with all that you may do, at each commit that is profiled\n");
  append_section (text, "First, by the shell", commands->build);
  append_section (text, "Then, while it is recorded", commands->programs);
  g_print ("%s", text->str);
  return wp_store_commands_ask (commands);
}

static const char *
question_of (const WpStoreCommands *commands)
{
  if (commands->repository == NULL)
    return "Let them run?";
  return wp_store_commands_count (commands) > 0 ? "Let it be used, and them run?" : "Let it be used?";
}

static int
trust (const char *folder, gboolean yes)
{
  GError *error = NULL;
  g_autoptr (WpStore) store = wp_store_open (folder, &error);
  g_autoptr (WpStoreCommands) commands = store != NULL ? wp_store_commands_new (store) : NULL;

  if (store == NULL)
    return wp_cli_fail (error);
  if (!print_commands (commands))
    return 0;
  if (wp_store_is_trusted (commands))
    {
      g_print ("%s trusted already\n", wp_store_commands_count (commands) > 0 ? "They are" : "It is");
      return 0;
    }
  if (!yes && !isatty (STDIN_FILENO))
    {
      g_printerr ("wakepath-cli: there is no terminal to ask at; with --yes they are trusted unasked\n");
      return 1;
    }
  if (!yes && wp_cli_ask ("%s", question_of (commands)) != WP_CLI_YES)
    {
      g_printerr ("wakepath-cli: nothing is trusted\n");
      return 1;
    }
  if (!wp_store_trust (commands, &error))
    return wp_cli_fail (error);
  g_print ("Trusted until they change\n");
  return 0;
}

static int
list (void)
{
  g_autoptr (GPtrArray) folders = wp_store_trusted_folders ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      wp_quote_visible (text, folders->pdata[i]);
      g_string_append_c (text, '\n');
    }
  g_print ("%s", text->str);
  return 0;
}

static int
forget (const char *folder)
{
  GError *error = NULL;

  if (!wp_store_forget (folder, &error))
    return wp_cli_fail (error);
  g_print ("Its commands are trusted no more\n");
  return 0;
}

typedef struct
{
  gboolean yes, list, forget;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  const char *folder = n == 1 ? operands[0] : ".";

  if (options->yes + options->list + options->forget > 1 || (options->list && n > 0))
    return wp_cli_usage ("name one folder, and one of --yes, --list (without a folder) and --forget at most");
  return options->list ? list () : options->forget ? forget (folder) : trust (folder, options->yes);
}

static const WpOption rows[] = {
  { "yes", 'y', G_OPTION_ARG_NONE, offsetof (Options, yes), NULL, "Trust without asking; needed where there is no terminal" },
  { "list", 0, G_OPTION_ARG_NONE, offsetof (Options, list), NULL, "Show the stores whose commands are trusted" },
  { "forget", 0, G_OPTION_ARG_NONE, offsetof (Options, forget), NULL,
    "Trust those of _FOLDER_ no more. Of a store that is gone, _FOLDER_ is what *--list* calls it" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_trust = {
  .name = "trust",
  .group = WP_GROUP_STORE,
  .operands = "[FOLDER]",
  .summary = "Let the commands that a store's local.yml names be run",
  .description = "A store may have come with a clone or an archive, and its settings with it. The commands that they name, _execute.pre_run_ and the job "
                 "matrix of _cmds_, _args_ and _workloads_, are run by nobody until you have read them and said that they may: this command "
                 "shows all of them and asks, for the store that _FOLDER_ (else the working folder) is in. Control characters in them, and "
                 "characters that are not seen, are shown by their number.\n\n"
                 "Until then *range* and *check* refuse to run them; reading the store, and checking what is in it, needs no trust, and "
                 "neither does a command or *--build* that you type, nor what your own _~/.config/perun/shared.yml_ names, unless the "
                 "store's lists are multiplied with its own. So it is with a _vcs.url_ that names another repository than that which the "
                 "store is in: its real path is shown, and it is used only once it is trusted.\n\n"
                 "Trust holds for this folder alone, until any of the commands, or the repository, changes. It is not about what they do: a "
                 "trusted _make_ runs whatever the commit that is built has in its makefile.",
  .options = rows,
  .size = sizeof (Options),
  .least = 0,
  .most = 1,
  .run = run,
};
