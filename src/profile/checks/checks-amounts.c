/* Checks of the amounts themselves: mean amounts, exclusive times. */
#include "profile/checks/checks-private.h"

#include <math.h>

#include "base/hash.h"
#include "base/sort.h"
#include "profile/model/flatten.h"

/* --- sums of keys ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  double sum;
  guint32 n;
} Sum;

/* A resource's key: its uid, and with `place` a line break and that. */
static char *
key_of (const WpProfile *profile, WpFlattener *flattener, guint32 i, const char *place)
{
  GString *key = g_string_new (NULL);
  WpValue uid = wp_profile_field (profile, i, "uid");

  wp_value_str (profile->values, wp_flatten_joined (flattener, uid), key);
  if (place != NULL)
    {
      g_string_append_c (key, '\n');
      wp_value_str (profile->values, wp_flatten_joined (flattener, wp_profile_field (profile, i, place)), key);
    }
  return g_string_free (key, FALSE);
}

/* key -> Sum of `of`, times `scale`; resources without it or without a uid do not count. */
static GHashTable *
sums_of (WpProfile *profile, const char *of, const char *place, double scale)
{
  GHashTable *sums = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      double value = wp_value_number (profile->values, wp_profile_field (profile, i, of)) * scale;
      g_autofree char *key = NULL;
      Sum *sum;

      if (!isfinite (value) || wp_profile_field (profile, i, "uid") == 0 || (place != NULL && wp_profile_field (profile, i, place) == 0))
        continue;
      key = key_of (profile, flattener, i, place);
      sum = g_hash_table_lookup (sums, key);
      if (sum == NULL)
        g_hash_table_insert (sums, g_steal_pointer (&key), sum = g_new0 (Sum, 1));
      sum->sum += value;
      sum->n++;
    }
  return sums;
}

/* --- mean amounts ----------------------------------------------------------------------------------------------------- */

static char *
amount_text (double amount, const char *unit)
{
  GString *text = g_string_new (NULL);

  wp_python_float (wp_check_round (amount, 2), text);
  g_string_append (text, unit);
  return g_string_free (text, FALSE);
}

gboolean
wp_check_amounts (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error G_GNUC_UNUSED)
{
  g_autoptr (GHashTable) from = sums_of (baseline, "amount", NULL, 1);
  g_autoptr (GHashTable) to = sums_of (target, "amount", NULL, wp_check_scale (baseline, target));
  g_autoptr (GPtrArray) keys = wp_check_common_keys (from, to);
  const char *type = wp_profile_header (target, "type");

  for (guint i = 0; i < keys->len; i++)
    {
      const Sum *a = g_hash_table_lookup (from, g_ptr_array_index (keys, i));
      const Sum *b = g_hash_table_lookup (to, g_ptr_array_index (keys, i));
      double base = a->sum / a->n, now = b->sum / b->n, rate = now / base;
      WpCheckChange change = rate >= 2 ? WP_CHANGE_DEGRADATION : rate <= 0.5 ? WP_CHANGE_OPTIMIZATION : WP_CHANGE_NONE;
      g_autofree char *base_text = amount_text (base, wp_profile_unit (baseline));
      g_autofree char *now_text = amount_text (now, wp_profile_unit (baseline));
      WpCheckVerdict *verdict = wp_verdicts_add (verdicts, change, g_ptr_array_index (keys, i), type, base_text, now_text);

      wp_verdict_set_amounts (verdict, wp_profile_unit (baseline), base, now);
      verdict->rate = rate;
      verdict->whole_confidence = TRUE;
    }
  return TRUE;
}

/* --- exclusive times -------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *key; /* uid, line break, location */
  double from, to, delta; /* ms */
  gboolean is_new, is_gone;
} Change;

typedef struct
{
  Change *changes;
  guint n;
  double median, mad;          /* of the deltas; of their distances from the median */
  double q1, q3, sigma;        /* quartiles; deviation of those that are no outliers */
} Outliers;

/* Between the two values that are nearest. */
static double
quantile (const double *sorted, guint n, double part)
{
  double at = part * (n - 1);
  guint below = (guint) at;

  return below + 1 < n ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]) : sorted[n - 1];
}

static gboolean
is_far (const Outliers *self, double delta)
{
  double distance = 0.6745 * fabs (delta - self->median);

  return distance > 0 && distance > 3.5 * self->mad;
}

static gboolean
is_outside (const Outliers *self, double delta)
{
  double range = 1.5 * (self->q3 - self->q1);

  return delta < self->q1 - range || delta > self->q3 + range;
}

static double
deviation_of_others (const Outliers *self)
{
  double sum = 0, squares = 0;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (!is_far (self, self->changes[i].delta) && !is_outside (self, self->changes[i].delta))
      {
        sum += self->changes[i].delta;
        n++;
      }
  for (guint i = 0; i < self->n; i++)
    if (!is_far (self, self->changes[i].delta) && !is_outside (self, self->changes[i].delta))
      squares += (self->changes[i].delta - sum / n) * (self->changes[i].delta - sum / n);
  return n > 1 ? sqrt (squares / (n - 1)) : 0;
}

static void
measure (Outliers *self)
{
  g_autofree double *sorted = g_new (double, (gsize) self->n + 1);

  for (guint i = 0; i < self->n; i++)
    sorted[i] = self->changes[i].delta;
  qsort (sorted, self->n, sizeof *sorted, wp_compare_doubles);
  self->median = quantile (sorted, self->n, 0.5);
  self->q1 = quantile (sorted, self->n, 0.25);
  self->q3 = quantile (sorted, self->n, 0.75);
  for (guint i = 0; i < self->n; i++)
    sorted[i] = fabs (self->changes[i].delta - self->median);
  qsort (sorted, self->n, sizeof *sorted, wp_compare_doubles);
  self->mad = quantile (sorted, self->n, 0.5);
  self->sigma = deviation_of_others (self);
}

static WpCheckChange
judge (const Outliers *self, const Change *change)
{
  gboolean worse = change->delta > 0;

  if (change->is_new || change->is_gone)
    return change->is_new ? WP_CHANGE_NOT_IN_BASELINE : WP_CHANGE_NOT_IN_TARGET;
  if (is_far (self, change->delta))
    return worse ? WP_CHANGE_SEVERE_DEGRADATION : WP_CHANGE_SEVERE_OPTIMIZATION;
  if (is_outside (self, change->delta))
    return worse ? WP_CHANGE_DEGRADATION : WP_CHANGE_OPTIMIZATION;
  if (self->sigma > 0 && fabs (change->delta) > 2 * self->sigma)
    return worse ? WP_CHANGE_MAYBE_DEGRADATION : WP_CHANGE_MAYBE_OPTIMIZATION;
  return WP_CHANGE_NONE;
}

/* How far outside: in interquartile ranges, else in deviations. */
static void
set_confidence (const Outliers *self, double delta, WpCheckVerdict *verdict)
{
  double range = self->q3 - self->q1;

  if ((is_far (self, delta) || is_outside (self, delta)) && range > 0)
    {
      verdict->confidence_type = "IQR_multiple";
      verdict->confidence = delta > self->q3 ? (delta - self->q3) / range : delta < self->q1 ? (self->q1 - delta) / range : 0;
    }
  else
    {
      verdict->confidence_type = "StdDev_multiple";
      verdict->confidence = self->sigma > 0 ? delta / self->sigma : 0;
    }
  verdict->confidence = wp_check_round (verdict->confidence, 2);
}

static void
add_time_verdict (GPtrArray *verdicts, const Outliers *self, const Change *change)
{
  g_autofree char *uid = g_strndup (change->key, (gsize) (strchr (change->key, '\n') - change->key));
  g_autofree char *from = amount_text (wp_check_round (change->from, 3), ""), *to = amount_text (wp_check_round (change->to, 3), "");
  WpCheckVerdict *verdict = wp_verdicts_add (verdicts, judge (self, change), uid, "time", from, to);

  wp_verdict_set_amounts (verdict, "ms", change->from, change->to);
  verdict->rate = change->delta;
  set_confidence (self, change->delta, verdict);
}

/* All functions of one location together. */
static void
add_totals (GPtrArray *verdicts, const Outliers *self)
{
  g_autoptr (GHashTable) totals = g_hash_table_new_full (wp_hash_string, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) places = NULL;

  for (guint i = 0; i < self->n; i++)
    {
      const char *place = strchr (self->changes[i].key, '\n') + 1;
      Change *total = g_hash_table_lookup (totals, place);

      if (total == NULL)
        g_hash_table_insert (totals, (gpointer) place, total = g_new0 (Change, 1));
      total->from += self->changes[i].from;
      total->to += self->changes[i].to;
    }
  places = wp_check_common_keys (totals, totals);
  for (guint i = 0; i < places->len; i++)
    {
      const Change *total = g_hash_table_lookup (totals, g_ptr_array_index (places, i));
      double delta = total->to - total->from;
      g_autofree char *from = amount_text (total->from, ""), *to = amount_text (total->to, "");
      WpCheckChange change = delta > 0 ? WP_CHANGE_TOTAL_DEGRADATION : delta < 0 ? WP_CHANGE_TOTAL_OPTIMIZATION : WP_CHANGE_NONE;
      WpCheckVerdict *verdict = wp_verdicts_add (verdicts, change, g_ptr_array_index (places, i), "time", from, to);

      wp_verdict_set_amounts (verdict, "ms", total->from, total->to);
      verdict->rate = delta;
      verdict->confidence_type = "N/A";
    }
}

static void
add_change (Outliers *self, const char *key, const Sum *from, const Sum *to)
{
  Change *change = &self->changes[self->n++];

  change->key = key;
  change->from = from != NULL ? from->sum / 1e6 : 0;
  change->to = to != NULL ? to->sum / 1e6 : 0;
  change->delta = change->to - change->from;
  change->is_new = from == NULL;
  change->is_gone = to == NULL;
}

static void
collect_changes (Outliers *self, GHashTable *from, GHashTable *to)
{
  GHashTableIter iter;
  gpointer key, sum;

  self->changes = g_new0 (Change, (gsize) g_hash_table_size (from) + g_hash_table_size (to) + 1);
  g_hash_table_iter_init (&iter, to);
  while (g_hash_table_iter_next (&iter, &key, &sum))
    add_change (self, key, g_hash_table_lookup (from, key), sum);
  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &sum))
    if (!g_hash_table_contains (to, key))
      add_change (self, key, sum, NULL);
}

/* Those that got worst first. */
static int
compare_changes (const void *a, const void *b)
{
  const Change *x = a, *y = b;

  return x->delta != y->delta ? (x->delta > y->delta ? -1 : 1) : strcmp (x->key, y->key);
}

gboolean
wp_check_exclusive (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error)
{
  g_autoptr (GHashTable) from = sums_of (baseline, "exclusive", "location", 1);
  g_autoptr (GHashTable) to = sums_of (target, "exclusive", "location", wp_check_scale (baseline, target));
  Outliers outliers = { 0 };

  if (g_hash_table_size (from) == 0 || g_hash_table_size (to) == 0)
    {
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: no resource has both “exclusive” and “location”, which this check compares",
                   (g_hash_table_size (from) == 0 ? baseline : target)->path);
      return FALSE;
    }
  collect_changes (&outliers, from, to);
  qsort (outliers.changes, outliers.n, sizeof *outliers.changes, compare_changes);
  measure (&outliers);
  for (guint i = 0; i < outliers.n; i++)
    add_time_verdict (verdicts, &outliers, &outliers.changes[i]);
  add_totals (verdicts, &outliers);
  g_free (outliers.changes);
  return TRUE;
}
