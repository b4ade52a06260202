/* What several checks ask of two profiles. */
#include "profile/checks/checks-private.h"

#include <math.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/unit.h"
#include "profile/model/flatten.h"

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
  g_ptr_array_sort (keys, wp_compare_texts);
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

double
wp_check_scale (const WpProfile *baseline, const WpProfile *target)
{
  double from, to;

  wp_unit_from_name (wp_profile_unit (baseline), &from);
  wp_unit_from_name (wp_profile_unit (target), &to);
  return to / from;
}

/* The second coefficient of some is no amount. */
static void
scale_model (WpModel *model, double scale)
{
  gboolean first_only = model->kind == WP_MODEL_POWER || model->kind == WP_MODEL_EXPONENTIAL;

  for (guint i = 0; i < (first_only ? 1 : G_N_ELEMENTS (model->b)); i++)
    model->b[i] *= scale;
}

GHashTable *
wp_check_best_models (WpProfile *profile, double scale)
{
  GHashTable *found = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  for (guint32 i = 0; i < profile->models.len; i++)
    {
      g_autoptr (GString) uid = g_string_new (NULL);
      WpBestModels *best;
      WpModel model;
      WpValue r_square;

      if (!wp_model_read (profile, i, &model, NULL))
        continue;
      scale_model (&model, scale);
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
