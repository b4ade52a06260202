/* check: whether profiles are worse than others, by Perun's checks. */
#include "cli/check.h"

#include "cli/command.h"
#include "cli/profiles.h"

/* Names of checks, by a comma each. */
static gboolean
parse_methods (const char *text, GArray *checks)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      WpCheck check;

      if (g_str_equal (names[i], "all"))
        for (check = 0; check < WP_N_CHECKS; check++)
          g_array_append_val (checks, check);
      else if (wp_check_find (names[i], &check))
        g_array_append_val (checks, check);
      else
        {
          wp_cli_usage ("check", "there is no check “%s”", names[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/* The word that says what is checked; a file of that name is “./head”. */
static int
run (int argc, char **argv, const char *minor, const GArray *checks, gboolean json)
{
  const char *what = argv[1], *named = argc > 2 ? argv[2] : minor;

  if (g_str_equal (what, "head") && argc <= 3)
    return wp_cli_check_head (named, checks, json);
  if (g_str_equal (what, "all") && argc <= 3)
    return wp_cli_check_all (named, checks, json);
  if (g_str_equal (what, "profiles") && argc == 4)
    return wp_cli_check_profiles (argv[2], argv[3], minor, checks, json);
  if (argc == 3 && minor == NULL)
    return wp_cli_check_two (argv[1], argv[2], checks, json);
  return wp_cli_usage ("check", "name two profiles, or say what: head, all, profiles A B");
}

int
wp_cmd_check (int argc, char **argv)
{
  static const char *const formats[] = { "text", "json", NULL };
  g_autofree char *format = NULL, *method = NULL, *minor = NULL;
  const GOptionEntry entries[] = { { "format", 'f', 0, G_OPTION_ARG_STRING, &format, NULL, NULL },
                                   { "method", 0, 0, G_OPTION_ARG_STRING, &method, NULL, NULL },
                                   { "minor", 'm', 0, G_OPTION_ARG_STRING, &minor, NULL, NULL },
                                   { 0 } };
  g_autoptr (GArray) checks = g_array_new (FALSE, FALSE, sizeof (WpCheck));

  if (!wp_cli_arguments (&argc, &argv, entries, 1, 3) || !wp_cli_format ("check", &format, formats)
      || (method != NULL && !parse_methods (method, checks)))
    return 2;
  return run (argc, argv, minor, method != NULL ? checks : NULL, g_str_equal (format, "json"));
}
