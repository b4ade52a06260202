/* Prints a file with what is made of the table of commands in place of the lines that ask for it: the manual page, the completion. */
#include "cli/pages/pages.h"

#include <stdio.h>

static const struct
{
  const char *line;
  WpCommandGroup group;
} manuals[] = {
  { "@recordings@", WP_GROUP_RECORDINGS },
  { "@profiles@", WP_GROUP_PROFILES },
  { "@store@", WP_GROUP_STORE },
};

static void
append_line (GString *out, const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (manuals); i++)
    if (g_str_equal (line, manuals[i].line))
      {
        wp_page_append_manual (out, manuals[i].group);
        return;
      }
  if (g_str_equal (line, "@words@"))
    wp_page_append_words (out);
  else if (g_str_equal (line, "@completion@"))
    wp_page_append_completion (out);
  else
    g_string_append_printf (out, "%s\n", line);
}

int
main (int argc, char **argv)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (argc != 2 || !g_file_get_contents (argv[1], &text, NULL, &error))
    {
      fprintf (stderr, "wakepath-cli-pages: %s\n", error != NULL ? error->message : "which file?");
      return 1;
    }
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    append_line (out, *line);
  return fputs (out->str, stdout) < 0 || fflush (stdout) != 0;
}
