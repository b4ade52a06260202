/* Verdicts of checks, as check prints them. */
#include "cli/check.h"

#include "base/quote.h"
#include "cli/output.h"
#include "cli/profiles.h"

void
wp_cli_append_verdict (GString *out, const WpCheckVerdict *verdict)
{
  g_autofree char *type = wp_quoted_line (verdict->type);

  g_string_append_printf (out, "  %-18s ", wp_change_id (verdict->change));
  wp_cli_append_line (out, "", verdict->location);
  g_string_append_printf (out, "    %s%sfrom %s to %s, rate ", type, *type != '\0' ? ": " : "", verdict->from, verdict->to);
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
