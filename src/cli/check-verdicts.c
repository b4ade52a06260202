/* Verdicts of checks, as check prints them. */
#include "cli/check.h"

#include "base/quote.h"
#include "cli/output.h"
#include "cli/profiles.h"

#include <math.h>

void
wp_cli_append_verdict (GString *out, const WpCheckVerdict *verdict)
{
  g_autofree char *type = wp_quoted_line (verdict->type), *from = wp_verdict_from (verdict), *to = wp_verdict_to (verdict);

  g_string_append_printf (out, "  %-18s ", wp_change_id (verdict->change));
  wp_cli_append_line (out, "", verdict->location);
  g_string_append_printf (out, "    %s%sfrom %s to %s", type, *type != '\0' ? ": " : "", from, to);
  if (isfinite (verdict->rate))
    g_string_append_printf (out, ", rate %.4g", verdict->rate);
  if (!g_str_equal (verdict->confidence_type, "no"))
    {
      g_string_append_printf (out, " (confidence %s = ", verdict->confidence_type);
      wp_python_float (verdict->confidence, out);
      g_string_append_c (out, ')');
    }
  if (verdict->n_target > 0)
    g_string_append_printf (out, ", %u and %u profiles", verdict->n_baseline, verdict->n_target);
  if (verdict->tested)
    g_string_append_printf (out, ", %s by the test of Mann and Whitney (p = %.2g, adjusted after Benjamini and Hochberg %.2g)",
                            verdict->adjusted > 0.05 ? "noise" : "no noise", verdict->p, verdict->adjusted);
  else if (verdict->n_target > 0)
    g_string_append (out, ", too few to tell noise");
  g_string_append_c (out, '\n');
}

static void
write_sets (WpJsonWriter *json, const WpCheckVerdict *verdict)
{
  wp_json_writer_uint (json, "baseline_profiles", verdict->n_baseline);
  wp_json_writer_uint (json, "target_profiles", verdict->n_target);
  if (verdict->tested)
    wp_cli_write_number (json, "p", verdict->p);
  else
    wp_json_writer_string_or_null (json, "p", NULL);
  if (verdict->tested)
    wp_cli_write_number (json, "p_adjusted", verdict->adjusted);
  else
    wp_json_writer_string_or_null (json, "p_adjusted", NULL);
}

void
wp_cli_write_verdict (WpJsonWriter *json, const WpCheckVerdict *verdict)
{
  g_autoptr (GString) record = g_string_new (NULL);

  wp_verdict_record (verdict, record);
  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (json, "result", wp_change_id (verdict->change));
  wp_json_writer_string (json, "type", verdict->type);
  wp_json_writer_string (json, "location", verdict->location);
  wp_json_writer_string (json, "from", verdict->from);
  wp_json_writer_string (json, "to", verdict->to);
  wp_cli_write_number (json, "rate", verdict->rate);
  wp_json_writer_string (json, "confidence_type", verdict->confidence_type);
  wp_cli_write_number (json, "confidence", verdict->confidence);
  wp_json_writer_string (json, "record", record->str);
  if (verdict->n_target > 0)
    write_sets (json, verdict);
  wp_json_writer_end (json);
}

gboolean
wp_cli_has_degradation (const GPtrArray *verdicts)
{
  for (guint i = 0; verdicts != NULL && i < verdicts->len; i++)
    if (wp_change_is_degradation (((const WpCheckVerdict *) verdicts->pdata[i])->change))
      return TRUE;
  return FALSE;
}
