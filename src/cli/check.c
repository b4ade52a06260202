/* check: whether profiles are worse than others, by Perun's checks. */
#include "cli/check.h"

#include "cli/command.h"
#include "cli/profiles.h"

void
wp_cli_append_verdict (GString *out, const WpCheckVerdict *verdict)
{
  g_string_append_printf (out, "  %-18s %s", wp_change_id (verdict->change), verdict->location);
  g_string_append_printf (out, "\n    %s%sfrom %s to %s, rate ", verdict->type, *verdict->type != '\0' ? ": " : "", verdict->from,
                          verdict->to);
  wp_python_float (verdict->rate, out);
  if (!g_str_equal (verdict->confidence_type, "no"))
    {
      g_string_append_printf (out, " (confidence %s = ", verdict->confidence_type);
      wp_python_float (verdict->confidence, out);
      g_string_append_c (out, ')');
    }
  if (verdict->n_target > 0)
    g_string_append_printf (out, ", %u and %u profiles", verdict->n_baseline, verdict->n_target);
  if (verdict->tested)
    g_string_append_printf (out, ", %s by the test of Mann and Whitney (p = %.2g)", verdict->p > 0.05 ? "noise" : "no noise", verdict->p);
  else if (verdict->n_target > 0)
    g_string_append (out, ", too few to tell noise");
  g_string_append_c (out, '\n');
}

static void
append_field (GString *out, const char *key, const char *text)
{
  g_string_append_printf (out, "\"%s\": ", key);
  wp_cli_append_text (out, text);
  g_string_append (out, ", ");
}

static void
append_sets (GString *out, const WpCheckVerdict *verdict)
{
  g_string_append_printf (out, ", \"baseline_profiles\": %u, \"target_profiles\": %u, \"p\": ", verdict->n_baseline, verdict->n_target);
  if (verdict->tested)
    wp_cli_append_number (out, verdict->p);
  else
    g_string_append (out, "null");
}

void
wp_cli_append_verdict_json (GString *out, const WpCheckVerdict *verdict)
{
  g_autoptr (GString) record = g_string_new (NULL);

  wp_verdict_record (verdict, record);
  g_string_append_c (out, '{');
  append_field (out, "result", wp_change_id (verdict->change));
  append_field (out, "type", verdict->type);
  append_field (out, "location", verdict->location);
  append_field (out, "from", verdict->from);
  append_field (out, "to", verdict->to);
  g_string_append (out, "\"rate\": ");
  wp_cli_append_number (out, verdict->rate);
  g_string_append (out, ", ");
  append_field (out, "confidence_type", verdict->confidence_type);
  g_string_append (out, "\"confidence\": ");
  wp_cli_append_number (out, verdict->confidence);
  g_string_append (out, ", \"record\": ");
  wp_cli_append_text (out, record->str);
  if (verdict->n_target > 0)
    append_sets (out, verdict);
  g_string_append_c (out, '}');
}

gboolean
wp_cli_has_degradation (const GPtrArray *verdicts)
{
  for (guint i = 0; verdicts != NULL && i < verdicts->len; i++)
    if (wp_change_is_degradation (((const WpCheckVerdict *) verdicts->pdata[i])->change))
      return TRUE;
  return FALSE;
}

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
