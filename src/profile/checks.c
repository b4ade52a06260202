#include "profile/checks-private.h"

#include "profile/query.h"

#include <math.h>

static const char *const changes[WP_N_CHANGES] = {
  [WP_CHANGE_NONE] = "NoChange",
  [WP_CHANGE_UNKNOWN] = "Unknown",
  [WP_CHANGE_MAYBE_OPTIMIZATION] = "MaybeOptimization",
  [WP_CHANGE_OPTIMIZATION] = "Optimization",
  [WP_CHANGE_SEVERE_OPTIMIZATION] = "SevereOptimization",
  [WP_CHANGE_TOTAL_OPTIMIZATION] = "TotalOptimization",
  [WP_CHANGE_NOT_IN_TARGET] = "NotInTarget",
  [WP_CHANGE_MAYBE_DEGRADATION] = "MaybeDegradation",
  [WP_CHANGE_DEGRADATION] = "Degradation",
  [WP_CHANGE_SEVERE_DEGRADATION] = "SevereDegradation",
  [WP_CHANGE_TOTAL_DEGRADATION] = "TotalDegradation",
  [WP_CHANGE_NOT_IN_BASELINE] = "NotInBaseline",
};

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

/* --- names ------------------------------------------------------------------------------------------------------------ */

const char *
wp_change_id (WpCheckChange change)
{
  return changes[change];
}

gboolean
wp_change_find (const char *id, WpCheckChange *change)
{
  for (guint i = 0; i < WP_N_CHANGES; i++)
    if (g_str_equal (changes[i], id))
      {
        *change = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
wp_change_is_degradation (WpCheckChange change)
{
  return change == WP_CHANGE_DEGRADATION || change == WP_CHANGE_SEVERE_DEGRADATION || change == WP_CHANGE_TOTAL_DEGRADATION;
}

gboolean
wp_change_is_optimization (WpCheckChange change)
{
  return change == WP_CHANGE_OPTIMIZATION || change == WP_CHANGE_SEVERE_OPTIMIZATION || change == WP_CHANGE_TOTAL_OPTIMIZATION;
}

const char *
wp_check_id (WpCheck check)
{
  return checks[check].id;
}

const char *
wp_check_short (WpCheck check)
{
  return checks[check].short_id;
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

/* --- verdicts --------------------------------------------------------------------------------------------------------- */

static void
free_verdict (gpointer data)
{
  WpCheckVerdict *verdict = data;

  g_free (verdict->location);
  g_free (verdict->type);
  g_free (verdict->from);
  g_free (verdict->to);
  g_free (verdict);
}

GPtrArray *
wp_verdicts_new (void)
{
  return g_ptr_array_new_with_free_func (free_verdict);
}

WpCheckVerdict *
wp_verdicts_add (GPtrArray *verdicts, WpCheckChange change, const char *location, const char *type, const char *from, const char *to)
{
  WpCheckVerdict *verdict = g_new0 (WpCheckVerdict, 1);

  verdict->change = change;
  verdict->location = g_strdup (location);
  verdict->type = g_strdup (type);
  verdict->from = g_strdup (from);
  verdict->to = g_strdup (to);
  verdict->confidence_type = "no";
  g_ptr_array_add (verdicts, verdict);
  return verdict;
}

static void
append_number (GString *out, double number, gboolean is_whole)
{
  if (is_whole)
    g_string_append_printf (out, " %.0f", number);
  else
    {
      g_string_append_c (out, ' ');
      wp_python_float (number, out);
    }
}

void
wp_verdict_record (const WpCheckVerdict *self, GString *out)
{
  g_string_append_printf (out, "%s PerformanceChange.%s %s %s %s", self->location, changes[self->change], self->type, self->from,
                          self->to);
  append_number (out, self->rate, self->whole_rate);
  g_string_append_printf (out, " %s", self->confidence_type);
  append_number (out, self->confidence, self->whole_confidence);
}

GPtrArray *
wp_check_run (WpCheck check, WpProfile *baseline, WpProfile *target, GError **error)
{
  g_autoptr (GPtrArray) verdicts = wp_verdicts_new ();

  return checks[check].run (baseline, target, verdicts, error) ? g_steal_pointer (&verdicts) : NULL;
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

/* --- what checks share ------------------------------------------------------------------------------------------------ */

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
wp_check_common_keys (GHashTable *a, GHashTable *b)
{
  GPtrArray *keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (g_hash_table_contains (b, key))
      g_ptr_array_add (keys, key);
  g_ptr_array_sort (keys, compare_texts);
  return keys;
}

double
wp_check_round (double x, int digits)
{
  double scale = pow (10, digits);

  return isfinite (x) ? rint (x * scale) / scale : x;
}

WpCheckChange
wp_check_by_thresholds (double rate, double none, double certain)
{
  if (fabs (rate) <= none)
    return WP_CHANGE_NONE;
  if (fabs (rate) <= certain)
    return rate < 0 ? WP_CHANGE_MAYBE_OPTIMIZATION : WP_CHANGE_MAYBE_DEGRADATION;
  return rate < 0 ? WP_CHANGE_OPTIMIZATION : WP_CHANGE_DEGRADATION;
}

GHashTable *
wp_check_best_models (WpProfile *profile)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  for (guint32 i = 0; i < profile->models.len; i++)
    {
      g_autoptr (GString) uid = g_string_new (NULL);
      WpBestModels *best;
      WpModel model;
      WpValue r_square;

      if (!wp_model_read (profile, i, &model, NULL))
        continue;
      wp_value_str (profile->values, wp_flatten_joined (flattener, model.uid), uid);
      best = g_hash_table_lookup (found, uid->str);
      if (best == NULL)
        g_hash_table_insert (found, g_strdup (uid->str), best = g_new0 (WpBestModels, 1));
      if (model.kind == WP_MODEL_LINEAR)
        {
          best->linear = model;
          best->has_linear = TRUE;
        }
      if (model.r_square > (best->has_best ? best->best.r_square : 0))
        {
          r_square = wp_value_get (profile->values, profile->models.data[i], "r_square");
          best->best = model;
          best->has_best = TRUE;
          best->whole_confidence = wp_value_kind (profile->values, r_square) == WP_VALUE_INT;
        }
    }
  return found;
}
