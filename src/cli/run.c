/* Runs a command: its options from the command line into its struct, its operands counted. GOption does the reading. */
#include "cli/command.h"

#include <string.h>

/* --- the options' struct ----------------------------------------------------------------------------------------------------- */

static gboolean
is_text (const WpOption *option)
{
  return option->kind == G_OPTION_ARG_STRING || option->kind == G_OPTION_ARG_FILENAME;
}

static gpointer
options_new (const WpCommand *command)
{
  gpointer options = g_malloc0 (command->size);

  if (command->defaults != NULL)
    memcpy (options, command->defaults, command->size);
  return options;
}

static void
options_free (const WpCommand *command, gpointer options)
{
  for (const WpOption *option = command->options; option->name != NULL; option++)
    if (is_text (option))
      g_clear_pointer ((char **) ((char *) options + option->offset), g_free);
    else if (option->kind == G_OPTION_ARG_STRING_ARRAY)
      g_clear_pointer ((char ***) ((char *) options + option->offset), g_strfreev);
  g_free (options);
}

static int
parse (const WpCommand *command, gpointer options, gboolean *help, int *argc, char ***argv)
{
  const GOptionEntry asks_for_help = { "help", 'h', 0, G_OPTION_ARG_NONE, help, NULL, NULL };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_array_append_val (entries, asks_for_help);
  for (const WpOption *option = command->options; option->name != NULL; option++)
    {
      GOptionEntry entry = { option->name, option->letter, 0, option->kind, (char *) options + option->offset, NULL, NULL };

      g_array_append_val (entries, entry);
    }
  g_option_context_add_main_entries (context, (const GOptionEntry *) (gpointer) entries->data, NULL);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_strict_posix (context, command->program == WP_PROGRAM_FIRST);
  return g_option_context_parse (context, argc, argv, &error) ? 0 : wp_cli_usage ("%s", error->message);
}

/* --- what options may be ------------------------------------------------------------------------------------------------------ */

static gboolean
is_placeholder (const char *word)
{
  for (; *word != '\0'; word++)
    if (g_ascii_isupper (*word))
      return TRUE;
  return FALSE;
}

char **
wp_option_words (const char *argument)
{
  g_auto (GStrv) words = argument != NULL ? g_strsplit (argument, "|", -1) : NULL;

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    if (is_placeholder (words[i]))
      return NULL;
  return g_steal_pointer (&words);
}

/* What was given, as text; NULL: nothing, as 0 is of a number. Free with g_free(). */
static char *
given_text (const WpOption *option, gconstpointer options)
{
  const char *at = (const char *) options + option->offset;

  if (is_text (option))
    return g_strdup (*(char *const *) at);
  return option->kind == G_OPTION_ARG_INT && *(const int *) at != 0 ? g_strdup_printf ("%d", *(const int *) at) : NULL;
}

static int
check_words (const WpCommand *command, gconstpointer options)
{
  for (const WpOption *option = command->options; option->name != NULL; option++)
    {
      g_auto (GStrv) words = wp_option_words (option->argument);
      g_autofree char *text = words != NULL ? given_text (option, options) : NULL;

      if (text != NULL && !g_strv_contains ((const char *const *) words, text))
        {
          g_autofree char *all = g_strjoinv (", ", words);

          return wp_cli_usage ("--%s: “%s” is none of %s", option->name, text, all);
        }
    }
  return 0;
}

void
wp_cli_default (char **option, const char *value)
{
  if (*option == NULL)
    *option = g_strdup (value);
}

void
wp_cli_default_format (char **format, const char *output, const char *words)
{
  g_auto (GStrv) formats = g_strsplit (words, "|", -1);
  const char *dot = output != NULL ? strrchr (output, '.') : NULL;

  wp_cli_default (format, dot != NULL && g_strv_contains ((const char *const *) formats, dot + 1) ? dot + 1 : formats[0]);
}

/* --- running ------------------------------------------------------------------------------------------------------------------ */

static int
find_dashes (int argc, char **argv)
{
  int i = 1;

  while (i < argc && !g_str_equal (argv[i], "--"))
    i++;
  return i;
}

static void
add_words (GPtrArray *operands, char **argv, int from, int to)
{
  for (int i = from; i < to; i++)
    g_ptr_array_add (operands, argv[i]);
}

static int
check_count (const WpCommand *command, const GPtrArray *operands)
{
  if ((int) operands->len < command->least)
    return wp_cli_usage ("something is missing: %s %s", command->name, command->operands);
  if ((int) operands->len > command->most)
    return wp_cli_usage ("“%s” is one too many", (char *) operands->pdata[command->most]);
  return 0;
}

/* What stands behind "--" is an operand whatever it begins with. GOption keeps the "--" or drops it, depending on that, so it sees
 * only what is before. */
static int
take (const WpCommand *command, gpointer options, gboolean *help, int argc, char **argv, GPtrArray *operands)
{
  gboolean program = command->program == WP_PROGRAM_FIRST;
  int dashes = program ? argc : find_dashes (argc, argv), n = dashes;
  char **left = argv;
  int status = parse (command, options, help, &n, &left);

  if (status != 0 || *help)
    return status;
  add_words (operands, left, program && n > 1 && g_str_equal (left[1], "--") ? 2 : 1, n);
  if (command->program == WP_PROGRAM_NONE)
    add_words (operands, argv, dashes + 1, argc);
  status = check_count (command, operands);
  if (command->program == WP_PROGRAM_BEHIND)
    add_words (operands, argv, dashes, argc);
  return status != 0 ? status : check_words (command, options);
}

static int
print_help (const WpCommand *command)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_help_append (out, command);
  g_print ("%s", out->str);
  return 0;
}

int
wp_command_run (const WpCommand *command, int argc, char **argv)
{
  g_autoptr (GPtrArray) operands = g_ptr_array_new ();
  gpointer options = options_new (command);
  gboolean help = FALSE;
  int status;

  wp_cli_usage_of (command->name);
  status = take (command, options, &help, argc, argv, operands);
  g_ptr_array_add (operands, NULL);
  if (help)
    status = print_help (command);
  else if (status == 0)
    status = command->run (options, (int) operands->len - 1, (char **) operands->pdata);
  options_free (command, options);
  return status;
}
