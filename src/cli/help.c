/* --help: of a command its table, of the program all commands. */
#include "cli/command.h"
#include "cli/markup.h"

#include <string.h>

#define WIDTH 80
#define USAGE 7   /* where lines of usage begin, … */
#define COLUMN 28 /* … and options' sentences */

/* Where a line may end: at a space, and behind a bar. */
static gsize
word_length (const char *text)
{
  gsize n = strcspn (text, " \n|");

  return text[n] == '|' ? n + 1 : n;
}

/* A text in lines that begin `indent` characters in; the first line has `at` characters already. */
static void
append_wrapped (GString *out, const char *text, guint indent, guint at)
{
  gboolean spaced = FALSE;

  while (*text != '\0')
    {
      gsize n = word_length (text);
      guint width = (guint) g_utf8_strlen (text, (gssize) n);

      if (n > 0 && at > indent && at + spaced + width > WIDTH)
        {
          g_string_append_c (out, '\n');
          at = 0;
        }
      if (n > 0)
        {
          guint gap = at < indent ? indent - at : spaced && at > indent;

          g_string_append_printf (out, "%*s%.*s", (int) gap, "", (int) n, text);
          at += gap + width;
        }
      text += n;
      spaced = *text == ' ' || *text == '\n';
      text += spaced;
    }
  g_string_append_c (out, '\n');
}

static void
append_paragraphs (GString *out, const char *text)
{
  g_autofree char *plain = wp_markup_plain (text);
  g_auto (GStrv) paragraphs = g_strsplit (plain, "\n\n", -1);

  for (char **paragraph = paragraphs; *paragraph != NULL; paragraph++)
    {
      g_string_append_c (out, '\n');
      append_wrapped (out, *paragraph, 0, 0);
    }
}

/* "  -o, --output FILE", and the sentence beside it or, where there is no room, below. */
static void
append_option (GString *out, const WpOption *option)
{
  g_autofree char *sentence = wp_markup_plain (option->help);
  gsize before = out->len;
  guint at;

  if (option->letter != 0)
    g_string_append_printf (out, "  -%c, --%s", option->letter, option->name);
  else
    g_string_append_printf (out, "      --%s", option->name);
  if (option->argument != NULL)
    g_string_append_printf (out, " %s", option->argument);
  at = (guint) g_utf8_strlen (out->str + before, -1);
  if (at + 2 > COLUMN)
    g_string_append_c (out, '\n');
  append_wrapped (out, sentence, COLUMN, at + 2 > COLUMN ? 0 : at);
}

static void
append_usage (GString *out, const WpCommand *command)
{
  g_auto (GStrv) forms = g_strsplit (command->operands, " | ", -1);

  if (forms[0] == NULL)
    g_string_append_printf (out, "Usage: wakepath-cli %s [OPTION…]\n", command->name);
  for (char **form = forms; *form != NULL; form++)
    {
      g_autofree char *line = g_strdup_printf ("wakepath-cli %s [OPTION…] %s", command->name, *form);

      g_string_append (out, form == forms ? "Usage:" : "");
      append_wrapped (out, line, USAGE, form == forms ? USAGE - 1 : 0);
    }
}

void
wp_help_append (GString *out, const WpCommand *command)
{
  static const WpOption help = { "help", 'h', G_OPTION_ARG_NONE, 0, NULL, "Show this text" };

  append_usage (out, command);
  g_string_append_printf (out, "\n%s.\n", command->summary);
  if (command->description != NULL)
    append_paragraphs (out, command->description);
  g_string_append (out, "\nOptions:\n");
  for (const WpOption *option = command->options; option->name != NULL; option++)
    if (option->help != NULL)
      append_option (out, option);
  append_option (out, &help);
}

void
wp_help_append_all (GString *out)
{
  g_string_append (out, "Usage: wakepath-cli COMMAND …\n\nShows where the time of a process went, across all it waited for.\n");
  for (WpCommandGroup group = 0; group < WP_N_GROUPS; group++)
    {
      g_string_append_printf (out, "\n%s:\n", wp_command_group_name (group));
      for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
        if ((*command)->group == group)
          g_string_append_printf (out, "  %-12s %s\n", (*command)->name, (*command)->summary);
    }
  g_string_append (out, "\n“wakepath-cli COMMAND --help” tells more, and so does “man wakepath-cli”.\n"
                        "Exit status: 0; 1 an error; 2 wrong usage; 3 a degradation.\n");
}
