/* Commands as tables: what a command gets of its command line, what is wrong usage, what its help says; and that the tables of all
 * commands are well formed. */
#include "cli/command.h"
#include "cli/markup.h"
#include "plots/plots.h"
#include "stacks/formats.h"

#include <string.h>

typedef struct
{
  char *format, *output;
  gboolean brief;
  int number;
  double share;
} Options;

static char *seen;      /* what run() got, as text; NULL: it did not run */
static GString *printed; /* messages and help */

static int
run (gpointer data, int n, char **operands)
{
  const Options *o = data;
  g_autofree char *all = g_strjoinv (" ", operands);

  g_assert_cmpint (n, ==, (int) g_strv_length (operands));
  seen = g_strdup_printf ("%s %s %d %d %g: %s", o->format, o->output, o->brief, o->number, o->share, all);
  return 7;
}

static const WpOption rows[] = {
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_OUTPUT (Options, output),
  { "target", 0, G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", NULL },
  { "brief", 'b', G_OPTION_ARG_NONE, offsetof (Options, brief), NULL, "Less of *all* and _any_" },
  { "number", 'n', G_OPTION_ARG_INT, offsetof (Options, number), "2|4|8", "How many" },
  { "share", 0, G_OPTION_ARG_DOUBLE, offsetof (Options, share), "PERCENT", "How much" },
  WP_OPTION_END,
};
static const WpCommand plain = { .name = "plain", .operands = "A [B]", .summary = "Takes two", .options = rows,
                                 .defaults = &(const Options) { .share = 1.5 }, .size = sizeof (Options), .least = 1, .most = 2, .run = run };
static const WpCommand first = { .name = "first", .operands = "[[--] COMMAND…]", .summary = "Runs", .options = rows, .size = sizeof (Options),
                                 .most = WP_ANY_NUMBER, .program = WP_PROGRAM_FIRST, .run = run };
static const WpCommand behind = { .name = "behind", .operands = "A… [-- COMMAND…]", .summary = "Runs", .options = rows, .size = sizeof (Options),
                                  .least = 1, .most = WP_ANY_NUMBER, .program = WP_PROGRAM_BEHIND, .run = run };

static void
on_print (const char *text)
{
  g_string_append (printed, text);
}

static int
run_line (const WpCommand *command, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  guint n = g_strv_length (words);
  g_autofree char **copies = g_new0 (char *, n + 2); /* those that parsing leaves out are freed with `words` */
  GPrintFunc outside, messages;
  char name[16];
  int status;

  g_strlcpy (name, command->name, sizeof name);
  copies[0] = name;
  memcpy (copies + 1, words, n * sizeof *copies);
  g_clear_pointer (&seen, g_free);
  g_string_truncate (printed, 0);
  outside = g_set_print_handler (on_print); /* the test's own results go there */
  messages = g_set_printerr_handler (on_print);
  status = wp_command_run (command, (int) n + 1, copies);
  g_set_print_handler (outside);
  g_set_printerr_handler (messages);
  return status;
}

static const struct
{
  const WpCommand *command;
  const char *line, *seen;
} right[] = {
  { &plain, "a", "(null) (null) 0 0 1.5: a" },
  { &plain, "a b -f json", "json (null) 0 0 1.5: a b" },
  { &plain, "--format=text -b a --number 4 --share 2", "text (null) 1 4 2: a" },
  { &plain, "-o x a -- -b", "(null) x 0 0 1.5: a -b" },
  { &plain, "-- -b --help", "(null) (null) 0 0 1.5: -b --help" },
  { &plain, "--target old a -o new", "(null) new 0 0 1.5: a" },
  { &first, "", "(null) (null) 0 0 0: " },
  { &first, "-b ls -b --help", "(null) (null) 1 0 0: ls -b --help" },
  { &first, "-b -- ls -- -x", "(null) (null) 1 0 0: ls -- -x" },
  { &first, "-- -x", "(null) (null) 0 0 0: -x" },
  { &behind, "a -b c", "(null) (null) 1 0 0: a c" },
  { &behind, "a -b -- ls -b --help", "(null) (null) 1 0 0: a -- ls -b --help" },
};

static const struct
{
  const WpCommand *command;
  const char *line, *said;
} wrong[] = {
  { &plain, "-b", "something is missing: plain A [B]" },
  { &plain, "a b c", "“c” is one too many" },
  { &plain, "a -f odd", "--format: “odd” is none of text, json" },
  { &plain, "a -n 3", "--number: “3” is none of 2, 4, 8" },
  { &plain, "a --odd", "--odd" },
  { &plain, "a --share", "--share" },
  { &behind, "-- ls", "something is missing" },
};

static void
test_right (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      int status = run_line (right[i].command, right[i].line);

      g_test_message ("%s %s", right[i].command->name, right[i].line);
      g_assert_cmpstr (seen, ==, right[i].seen);
      g_assert_cmpint (status, ==, 7);
      g_assert_cmpstr (printed->str, ==, "");
    }
}

static void
test_wrong (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      int status = run_line (wrong[i].command, wrong[i].line);
      g_autofree char *hint = g_strdup_printf ("wakepath-cli %s --help", wrong[i].command->name);

      g_test_message ("%s %s", wrong[i].command->name, wrong[i].line);
      g_assert_null (seen);
      g_assert_cmpint (status, ==, 2);
      g_assert_nonnull (strstr (printed->str, wrong[i].said));
      g_assert_nonnull (strstr (printed->str, hint));
    }
}

/* However it is asked for, whatever else is missing. */
static void
test_help (void)
{
  static const char *const lines[] = { "--help", "-h", "a --help", "a b c -h", "-f odd --help" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_assert_cmpint (run_line (&plain, lines[i]), ==, 0);
      g_assert_null (seen);
      g_assert_true (g_str_has_prefix (printed->str, "Usage: wakepath-cli plain [OPTION…] A [B]\n\nTakes two.\n\nOptions:\n"));
      g_assert_nonnull (strstr (printed->str, "\n  -f, --format text|json    The output's format"));
      g_assert_nonnull (strstr (printed->str, "\n  -b, --brief               Less of “all” and any\n"));
      g_assert_null (strstr (printed->str, "--target"));
    }
}

static void
test_markup (void)
{
  static const struct
  {
    const char *text, *plain;
  } cases[] = {
    { "With *head* and *-m*: _degradation.apply_now_, a_b, 2 * 3 * 4", "With “head” and -m: degradation.apply_now, a_b, 2 * 3 * 4" },
    { "*a*", "“a”" },
    { "_one two_.", "one two." },
    { "* and _", "* and _" },
    { "**", "**" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = wp_markup_plain (cases[i].text);

      g_assert_cmpstr (text, ==, cases[i].plain);
    }
}

static gsize
size_of (const WpOption *option)
{
  return option->kind == G_OPTION_ARG_NONE || option->kind == G_OPTION_ARG_INT ? sizeof (int)
         : option->kind == G_OPTION_ARG_DOUBLE                                 ? sizeof (double)
                                                                               : sizeof (char *);
}

static void
check_option (const WpCommand *command, const WpOption *option)
{
  for (const WpOption *other = command->options; other != option; other++)
    g_assert_true (!g_str_equal (other->name, option->name) && (option->letter == 0 || other->letter != option->letter));
  g_assert_true (!g_str_equal (option->name, "help") && option->letter != 'h');
  g_assert_cmpuint (option->offset + size_of (option), <=, command->size);
  g_assert_true ((option->kind == G_OPTION_ARG_NONE) == (option->argument == NULL));
  g_assert_true (option->help == NULL || (*option->help != '\0' && !g_str_has_suffix (option->help, ".")));
  g_assert_true (option->help != NULL || option != command->options);
}

static void
test_tables (void)
{
  for (const WpCommand *const *one = wp_commands; *one != NULL; one++)
    {
      const WpCommand *command = *one;

      g_test_message ("%s", command->name);
      g_assert_true (wp_command_find (command->name) == command);
      g_assert_false (g_str_has_suffix (command->summary, "."));
      g_assert_cmpuint (strlen (command->summary) + strlen ("  123456789012 "), <=, 80);
      g_assert_true (command->description == NULL || g_str_has_suffix (command->description, "."));
      g_assert_cmpint (command->least, <=, command->most);
      for (const WpOption *option = command->options; option->name != NULL; option++)
        check_option (command, option);
    }
}

/* The views that `view` names are those that there are. */
static void
test_views (void)
{
  g_autoptr (GString) operands = g_string_new ("PROFILE [");

  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    g_string_append_printf (operands, "%s%s", k > 0 ? "|" : "", wp_plot_id ((WpPlot) k));
  g_string_append_c (operands, ']');
  g_assert_cmpstr (wp_command_find ("view")->operands, ==, operands->str);
}

/* Formats that export and merge name are those that can be written. */
static void
test_formats (void)
{
  static const char *const names[] = { "export", "merge" };
  g_autoptr (GString) words = g_string_new (NULL);

  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    if (format->write != NULL)
      g_string_append_printf (words, "%s%s", words->len > 0 ? "|" : "", format->id);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const WpOption *option = wp_command_find (names[i])->options;
      g_auto (GStrv) said = NULL, there_are = g_strsplit (words->str, "|", -1);

      while (!g_str_equal (option->name, "to"))
        option++;
      said = g_strsplit (option->argument, "|", -1);
      g_assert_cmpuint (g_strv_length (said), ==, g_strv_length (there_are));
      for (char **word = there_are; *word != NULL; word++)
        g_assert_true (g_strv_contains ((const char *const *) said, *word));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  printed = g_string_new (NULL);
  g_test_add_func ("/command-table/right", test_right);
  g_test_add_func ("/command-table/wrong", test_wrong);
  g_test_add_func ("/command-table/help", test_help);
  g_test_add_func ("/command-table/markup", test_markup);
  g_test_add_func ("/command-table/tables", test_tables);
  g_test_add_func ("/command-table/views", test_views);
  g_test_add_func ("/command-table/formats", test_formats);
  status = g_test_run ();
  g_free (seen);
  g_string_free (printed, TRUE);
  return status;
}
