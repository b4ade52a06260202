/* Which checks there are, and of which profiles they can be asked. */
#include "profile/checks/checks-private.h"

#include "base/unit.h"

static const struct
{
  const char *id, *short_id;
  WpCheckFunc run;
} checks[WP_N_CHECKS] = {
  [WP_CHECK_AVERAGE_AMOUNT_THRESHOLD] = { "average_amount_threshold", "aat", wp_check_amounts },
  [WP_CHECK_BEST_MODEL_ORDER_EQUALITY] = { "best_model_order_equality", "bmoe", wp_check_model_order },
  [WP_CHECK_POLYNOMIAL_REGRESSION] = { "polynomial_regression", "preg", wp_check_polynomial },
  [WP_CHECK_LINEAR_REGRESSION] = { "linear_regression", "lreg", wp_check_linear },
  [WP_CHECK_FAST_CHECK] = { "fast_check", "fast", wp_check_fast },
  [WP_CHECK_INTEGRAL_COMPARISON] = { "integral_comparison", "int", wp_check_integrals },
  [WP_CHECK_LOCAL_STATISTICS] = { "local_statistics", "loc", wp_check_windows },
  [WP_CHECK_EXCLUSIVE_TIME_OUTLIERS] = { "exclusive_time_outliers", "eto", wp_check_exclusive },
};

const char *
wp_check_id (WpCheck check)
{
  return checks[check].id;
}

gboolean
wp_check_find (const char *id, WpCheck *check)
{
  for (guint i = 0; i < WP_N_CHECKS; i++)
    if (g_str_equal (checks[i].id, id) || g_str_equal (checks[i].short_id, id))
      {
        *check = i;
        return TRUE;
      }
  return FALSE;
}

/* Other units of the same are brought together; seconds and bytes are not. */
static gboolean
check_units (const WpProfile *baseline, const WpProfile *target, GError **error)
{
  const char *a = wp_profile_unit (baseline), *b = wp_profile_unit (target);
  double factor;
  WpUnit from = wp_unit_from_name (a, &factor), to = wp_unit_from_name (b, &factor);

  if (from == to && (from != WP_UNIT_PLAIN || g_str_equal (a, b)))
    return TRUE;
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: amounts are in %s, those of %s in %s; check profiles of one kind",
               target->path, *b != '\0' ? b : "no unit", baseline->path, *a != '\0' ? a : "no unit");
  return FALSE;
}

GPtrArray *
wp_check_run (WpCheck check, WpProfile *baseline, WpProfile *target, GError **error)
{
  g_autoptr (GPtrArray) verdicts = wp_verdicts_new ();

  return check_units (baseline, target, error) && checks[check].run (baseline, target, verdicts, error) ? g_steal_pointer (&verdicts) : NULL;
}

static void
append_configuration (const WpProfile *profile, GString *out)
{
  static const char *const keys[] = { "cmd", "args", "workload" };

  g_string_append (out, wp_profile_collector_name (profile));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (out, "\n%s", wp_profile_header (profile, keys[i]));
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    g_string_append_printf (out, "\n%s", wp_value_string (profile->values,
                                                          wp_value_get (profile->values, profile->postprocessors.data[i], "name")));
}

gboolean
wp_check_same_configuration (const WpProfile *baseline, const WpProfile *target)
{
  g_autoptr (GString) a = g_string_new (NULL), b = g_string_new (NULL);

  append_configuration (baseline, a);
  append_configuration (target, b);
  return g_string_equal (a, b);
}
