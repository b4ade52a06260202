/* Commands as parts of a manual page. */
#include "cli/pages/pages.h"

#include "cli/markup.h"
#include "paths/explain.h"
#include "paths/terms.h"

#include <string.h>

static void
append_character (GString *out, gunichar c)
{
  static const struct
  {
    gunichar c;
    const char *roff;
  } special[] = {
    { '-', "\\-" },    { '\\', "\\e" },   { '~', "\\(ti" },  { '^', "\\(ha" },
    { '`', "\\(ga" },  { 0x2026, "..." }, { 0x201c, "\\(lq" }, { 0x201d, "\\(rq" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    if (special[i].c == c)
      {
        g_string_append (out, special[i].roff);
        return;
      }
  if (c < 0x80)
    g_string_append_c (out, (char) c);
  else
    g_string_append_printf (out, "\\[u%04X]", c);
}

static void
append_text (GString *out, const char *text, gsize n)
{
  for (const char *c = text; c < text + n; c = g_utf8_next_char (c))
    append_character (out, g_utf8_get_char (c));
}

static void
append_font (GString *out, WpMark mark, const char *text, gsize n)
{
  static const char *const fonts[] = { [WP_MARK_TEXT] = "", [WP_MARK_BOLD] = "\\fB", [WP_MARK_ITALIC] = "\\fI" };

  g_string_append (out, fonts[mark]);
  append_text (out, text, n);
  g_string_append (out, mark != WP_MARK_TEXT ? "\\fR" : "");
}

/* A line of text, which must not look like a request. */
static void
append_paragraph (GString *out, const char *text)
{
  const char *piece;
  WpMark mark;
  gsize n;

  g_string_append (out, "\\&");
  while (wp_markup_next (&text, &mark, &piece, &n))
    append_font (out, mark, piece, n);
}

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

static WpMark
mark_of_word (const char *word, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_ascii_isupper (word[i]))
      return WP_MARK_ITALIC;
  return WP_MARK_BOLD;
}

/* "PROFILE [raw|json]": what is to be replaced is italic, what is typed as it is bold. */
static void
append_syntax (GString *out, const char *text)
{
  while (*text != '\0')
    {
      gboolean word = is_of_word (*text);
      gsize n = 0;

      while (text[n] != '\0' && is_of_word (text[n]) == word)
        n++;
      append_font (out, word ? mark_of_word (text, n) : WP_MARK_TEXT, text, n);
      if (text[n - 1] == '|')
        g_string_append (out, "\\:");
      text += n;
    }
}

static void
append_synopsis (GString *out, const WpCommand *command)
{
  g_auto (GStrv) forms = g_strsplit (command->operands, " | ", -1);
  char **form = forms;

  do
    {
      g_string_append_printf (out, "%s\\fBwakepath\\-cli %s\\fR [\\fIOPTION\\fR...] ", form != forms ? ".br\n" : "", command->name);
      if (*form != NULL)
        append_syntax (out, *form);
      g_string_append_c (out, '\n');
    }
  while (*form != NULL && *++form != NULL);
}

static void
append_option (GString *out, const WpOption *option)
{
  g_string_append (out, ".TP\n");
  if (option->letter != 0)
    g_string_append_printf (out, "\\fB\\-%c\\fR, ", option->letter);
  g_string_append (out, "\\fB\\-\\-");
  append_text (out, option->name, strlen (option->name));
  g_string_append (out, "\\fR ");
  append_syntax (out, option->argument != NULL ? option->argument : "");
  g_string_append_c (out, '\n');
  append_paragraph (out, option->help);
  g_string_append (out, ".\n");
}

static void
append_description (GString *out, const char *description)
{
  g_auto (GStrv) paragraphs = g_strsplit (description, "\n\n", -1);

  for (char **paragraph = paragraphs; *paragraph != NULL; paragraph++)
    {
      g_string_append (out, ".PP\n");
      append_paragraph (out, *paragraph);
      g_string_append_c (out, '\n');
    }
}

static void
append_command (GString *out, const WpCommand *command)
{
  g_string_append_printf (out, ".SS %s\n", command->name);
  append_synopsis (out, command);
  g_string_append (out, ".PP\n");
  append_paragraph (out, command->summary);
  g_string_append (out, ".\n");
  if (command->description != NULL)
    append_description (out, command->description);
  for (const WpOption *option = command->options; option->name != NULL; option++)
    if (option->help != NULL)
      append_option (out, option);
}

void
wp_page_append_manual (GString *out, WpCommandGroup group)
{
  g_autofree char *title = g_ascii_strup (wp_command_group_name (group), -1);

  g_string_append_printf (out, ".SH %s\n", title);
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    if ((*command)->group == group)
      append_command (out, *command);
}

static void
append_word (GString *out, const char *name, const char *id, const char *help)
{
  g_string_append (out, ".TP\n.B \"");
  append_text (out, name, strlen (name));
  g_string_append (out, "\"\n\\&");
  append_text (out, help, strlen (help));
  if (id != NULL)
    {
      g_string_append (out, " Id: \\fB");
      append_text (out, id, strlen (id));
      g_string_append (out, "\\fR.");
    }
  g_string_append_c (out, '\n');
}

void
wp_page_append_words (GString *out)
{
  g_string_append (out, ".SH WORDS OF AN EXPLANATION\n");
  for (WpTerm t = 0; t < WP_TERM_PICTURE; t++)
    append_word (out, wp_term_name (t), NULL, wp_term_help (t));
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    append_word (out, wp_category_name (c), wp_category_id (c), wp_category_help (c));
}
