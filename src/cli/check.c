/* check: whether a profile is worse than another, by Perun's checks. */
#include "cli/command.h"
#include "cli/named.h"
#include "cli/open.h"
#include "cli/profiles.h"
#include "profile/checks.h"

#define STATUS_DEGRADATION 3

static void
append_text (GString *out, const WpCheckVerdict *verdict)
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
append_json (GString *out, const WpCheckVerdict *verdict)
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
  g_string_append_c (out, '}');
}

/* The verdicts of one check; TRUE: one of them is a degradation. */
static gboolean
append_verdicts (GString *out, WpCheck check, const GPtrArray *verdicts, gboolean json)
{
  gboolean degradation = FALSE;

  g_string_append_printf (out, json ? "\"%s\": [" : "%s:\n", wp_check_id (check));
  for (guint i = 0; i < verdicts->len; i++)
    {
      const WpCheckVerdict *verdict = g_ptr_array_index (verdicts, i);

      degradation = degradation || wp_change_is_degradation (verdict->change);
      if (json)
        g_string_append (out, i > 0 ? ",\n" : "\n");
      (json ? append_json : append_text) (out, verdict);
    }
  if (json)
    g_string_append_c (out, ']');
  else if (verdicts->len == 0)
    g_string_append (out, "  nothing that both profiles have\n");
  return degradation;
}

static void
append_error (GString *out, WpCheck check, const char *message, gboolean json)
{
  if (json)
    {
      g_string_append_printf (out, "\"%s\": {\"error\": ", wp_check_id (check));
      wp_cli_append_text (out, message);
      g_string_append_c (out, '}');
    }
  else
    g_string_append_printf (out, "%s:\n  %s\n", wp_check_id (check), message);
}

/* Names of checks, by a comma each. Perun's own default is the first. */
static gboolean
parse_methods (const char *text, GArray *checks)
{
  g_auto (GStrv) names = g_strsplit (text != NULL ? text : "average_amount_threshold", ",", -1);

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

/* One check that cannot be made is an error; of several, each says what it lacks. */
static int
run (const GArray *checks, WpProfile *baseline, WpProfile *target, gboolean json)
{
  g_autoptr (GString) out = g_string_new (json ? "{" : "");
  gboolean degradation = FALSE;

  if (!wp_check_same_configuration (baseline, target))
    g_printerr ("wakepath-cli: %s and %s differ in collector, command, workload or postprocessors\n", baseline->path, target->path);
  for (guint i = 0; i < checks->len; i++)
    {
      WpCheck check = g_array_index (checks, WpCheck, i);
      GError *error = NULL;
      g_autoptr (GPtrArray) verdicts = wp_check_run (check, baseline, target, &error);

      if (verdicts == NULL && checks->len == 1)
        return wp_cli_fail (error);
      g_string_append (out, json && i > 0 ? ",\n" : "");
      if (verdicts != NULL)
        degradation = append_verdicts (out, check, verdicts, json) || degradation;
      else
        append_error (out, check, error->message, json);
      g_clear_error (&error);
    }
  g_string_append (out, json ? "}\n" : "");
  wp_cli_flush (out);
  return degradation ? STATUS_DEGRADATION : 0;
}

int
wp_cmd_check (int argc, char **argv)
{
  static const char *const formats[] = { "text", "json", NULL };
  g_autofree char *format = NULL, *method = NULL;
  const GOptionEntry entries[] = { { "format", 0, 0, G_OPTION_ARG_STRING, &format, NULL, NULL },
                                   { "method", 0, 0, G_OPTION_ARG_STRING, &method, NULL, NULL },
                                   { 0 } };
  g_autoptr (GArray) checks = g_array_new (FALSE, FALSE, sizeof (WpCheck));
  g_autoptr (WpProfile) baseline = NULL, target = NULL;
  g_auto (WpCliNames) names = { 0 };
  int status;

  if (!wp_cli_arguments (&argc, &argv, entries, 2, 2) || !wp_cli_format ("check", &format, formats)
      || !parse_methods (method, checks))
    return 2;
  baseline = wp_cli_names_profile (&names, argv[1], &status);
  target = baseline != NULL ? wp_cli_names_profile (&names, argv[2], &status) : NULL;
  if (target == NULL)
    return status;
  return run (checks, baseline, target, g_str_equal (format, "json"));
}
