/* What completion offers, as functions of bash: a case for each command, option and operand. */
#include "cli/pages/pages.h"

#include <string.h>

/* The words among "PROFILE|raw|json" that can be typed as they are. Brackets are none of them. */
static void
append_words (GString *out, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, "[]|", -1);

  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) typed = wp_option_words (*word);

      if (**word != '\0' && **word != '-' && typed != NULL)
        g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "", *word);
    }
}

static void
append_case (GString *out, const char *command, const char *what, const char *answer)
{
  g_string_append_printf (out, "    '%s %s') echo '%s' ;;\n", command, what, answer);
}

/* What an option takes: words, FILE, or something that nobody can guess. */
static void
append_argument (GString *out, const WpCommand *command, const WpOption *option)
{
  g_autoptr (GString) words = g_string_new (NULL);
  char letter[] = { '-', option->letter, '\0' };
  g_autofree char *names = option->letter != 0 ? g_strdup_printf ("--%s' | '%s %s", option->name, command->name, letter)
                                               : g_strdup_printf ("--%s", option->name);

  append_words (words, option->argument);
  if (words->len == 0)
    g_string_append (words, g_str_has_prefix (option->argument, "FILE") ? "FILE" : "?");
  append_case (out, command->name, names, words->str);
}

static void
append_options (GString *out, const WpCommand *command)
{
  g_string_append_printf (out, "    %s) echo '", command->name);
  for (const WpOption *option = command->options; option->name != NULL; option++)
    if (option->help != NULL)
      g_string_append_printf (out, "--%s ", option->name);
  g_string_append (out, "--help' ;;\n");
}

/* The words that may stand at each place, in any form of the command. */
static void
append_operands (GString *out, const WpCommand *command)
{
  g_auto (GStrv) forms = g_strsplit (command->operands, " | ", -1);
  gboolean more = TRUE;

  for (guint place = 0; more; place++)
    {
      g_autoptr (GString) words = g_string_new (NULL);
      g_autofree char *number = g_strdup_printf ("%u", place + 1);

      more = FALSE;
      for (char **form = forms; *form != NULL; form++)
        {
          g_auto (GStrv) operands = g_strsplit (*form, " ", -1);

          if (place >= g_strv_length (operands))
            continue;
          append_words (words, operands[place]);
          more = TRUE;
        }
      if (words->len > 0)
        append_case (out, command->name, number, words->str);
    }
}

static void
begin_function (GString *out, const char *name, const char *comment)
{
  g_string_append_printf (out, "\n# %s\n_wakepath_cli_%s()\n{\n  case $1 in\n", comment, name);
}

static void
end_function (GString *out)
{
  g_string_append (out, "  esac\n}\n");
}

void
wp_page_append_completion (GString *out)
{
  g_string_append (out, "_wakepath_cli_commands='");
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    g_string_append_printf (out, "%s ", (*command)->name);
  g_string_append (out, "help --help --version'\n");
  begin_function (out, "options", "COMMAND: its options");
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    append_options (out, *command);
  end_function (out);
  begin_function (out, "argument", "'COMMAND OPTION': what the option takes. Words, FILE, ? for what cannot be guessed; nothing where it takes nothing");
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    for (const WpOption *option = (*command)->options; option->name != NULL; option++)
      if (option->argument != NULL && option->help != NULL)
        append_argument (out, *command, option);
  end_function (out);
  begin_function (out, "operand", "'COMMAND N': words that may be its Nth operand");
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    append_operands (out, *command);
  end_function (out);
  begin_function (out, "program", "COMMAND: where the command line of another program begins");
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    if ((*command)->program != WP_PROGRAM_NONE)
      g_string_append_printf (out, "    %s) echo %s ;;\n", (*command)->name, (*command)->program == WP_PROGRAM_FIRST ? "first" : "behind");
  end_function (out);
}
