/* Checks of several profiles on a side: each is checked against the same one of the baseline, and what these rates say of the two sides
 * is separated from noise by the test that comparisons use. */
#include "profile/checks/checks-private.h"

#include "base/hash.h"
#include "profile/fit/statistics.h"

#include <math.h>

#define ALPHA 0.05

/* One place of one check, as each profile has it. */
typedef struct
{
  GArray *rates[2];    /* double: of the baseline's profiles, of the target's */
  GPtrArray *verdicts; /* of the target's profiles: WpCheckVerdict */
} Place;

static void
free_place (gpointer data)
{
  Place *place = data;

  g_array_unref (place->rates[0]);
  g_array_unref (place->rates[1]);
  g_ptr_array_unref (place->verdicts);
  g_free (place);
}

static Place *
place_new (void)
{
  Place *place = g_new (Place, 1);

  *place = (Place) { { g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)) }, g_ptr_array_new () };
  return place;
}

static double
total_of (const WpProfile *profile, double scale)
{
  double total = 0;

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      double amount = wp_value_number (profile->values, wp_profile_field (profile, i, "amount"));

      total += isfinite (amount) ? amount * scale : 0;
    }
  return total;
}

/* The profile whose total is in the middle: one that ran oddly is no measure for the others. */
static WpProfile *
find_reference (const GPtrArray *profiles)
{
  g_autofree double *totals = g_new (double, profiles->len), *sorted = g_new (double, profiles->len);
  double middle;

  for (guint i = 0; i < profiles->len; i++)
    sorted[i] = totals[i] = total_of (profiles->pdata[i], wp_check_scale (profiles->pdata[0], profiles->pdata[i]));
  wp_median (sorted, profiles->len);
  middle = sorted[(profiles->len - 1) / 2];
  for (guint i = 0; i < profiles->len; i++)
    if (totals[i] == middle)
      return profiles->pdata[i];
  return profiles->pdata[0]; /* totals that are no numbers */
}

/* Puts what was said of one profile where it belongs. A check may say several things of one location. */
static void
gather (GHashTable *places, GPtrArray *order, const GPtrArray *verdicts, guint side)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_string, g_str_equal);

  for (guint i = 0; i < verdicts->len; i++)
    {
      WpCheckVerdict *verdict = verdicts->pdata[i];
      guint again = GPOINTER_TO_UINT (g_hash_table_lookup (seen, verdict->location));
      g_autofree char *key = g_strdup_printf ("%u %s", again, verdict->location);
      Place *place = g_hash_table_lookup (places, key);

      g_hash_table_insert (seen, verdict->location, GUINT_TO_POINTER (again + 1));
      if (place == NULL)
        {
          g_hash_table_insert (places, g_steal_pointer (&key), place = place_new ());
          g_ptr_array_add (order, place);
        }
      if (!isnan (verdict->rate))
        g_array_append_val (place->rates[side], verdict->rate);
      if (side == 1)
        g_ptr_array_add (place->verdicts, verdict);
    }
}

static int
compare_rates (gconstpointer a, gconstpointer b)
{
  double x = (*(WpCheckVerdict *const *) a)->rate, y = (*(WpCheckVerdict *const *) b)->rate;

  return isnan (x) != isnan (y) ? isnan (x) - isnan (y) : (x > y) - (x < y);
}

/* The verdict whose rate is in the middle speaks for all, unless what it says is noise. */
static void
add_verdict (GPtrArray *verdicts, const Place *place)
{
  const GArray *a = place->rates[0], *b = place->rates[1];
  const WpCheckVerdict *middle;
  WpCheckVerdict *verdict;

  if (place->verdicts->len == 0)
    return;
  g_ptr_array_sort (place->verdicts, compare_rates);
  middle = place->verdicts->pdata[(place->verdicts->len - 1) / 2];
  verdict = wp_verdicts_add (verdicts, middle->change, middle->location, middle->type, middle->from, middle->to);
  if (middle->unit != NULL)
    wp_verdict_set_amounts (verdict, middle->unit, middle->amounts[0], middle->amounts[1]);
  verdict->rate = middle->rate;
  verdict->confidence_type = middle->confidence_type;
  verdict->confidence = middle->confidence;
  verdict->whole_rate = middle->whole_rate;
  verdict->whole_confidence = middle->whole_confidence;
  verdict->n_baseline = a->len;
  verdict->n_target = b->len;
  verdict->tested = a->len > 0 && b->len > 0 && wp_shift_possible (a->len, b->len, ALPHA);
  if (!verdict->tested)
    return;
  verdict->p = wp_shift_test ((const double *) (gpointer) a->data, a->len, (const double *) (gpointer) b->data, b->len, 1 - ALPHA).p;
}

/* What the test takes for noise, of as many places as were tested, is no change. */
static void
leave_out_noise (GPtrArray *verdicts)
{
  g_autofree double *p = g_new (double, verdicts->len);

  for (guint i = 0; i < verdicts->len; i++)
    {
      const WpCheckVerdict *verdict = verdicts->pdata[i];

      p[i] = verdict->tested ? verdict->p : NAN;
    }
  wp_adjust_p (p, verdicts->len);
  for (guint i = 0; i < verdicts->len; i++)
    {
      WpCheckVerdict *verdict = verdicts->pdata[i];

      verdict->adjusted = p[i];
      if (p[i] > ALPHA)
        verdict->change = WP_CHANGE_NONE;
    }
}

static gboolean
check_side (WpCheck check, WpProfile *reference, const GPtrArray *profiles, GPtrArray *said, GError **error)
{
  for (guint i = 0; i < profiles->len; i++)
    {
      GPtrArray *verdicts = wp_check_run (check, reference, profiles->pdata[i], error);

      if (verdicts == NULL)
        return FALSE;
      g_ptr_array_add (said, verdicts);
    }
  return TRUE;
}

GPtrArray *
wp_check_run_sets (WpCheck check, const GPtrArray *baseline, const GPtrArray *target, GError **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref), order = g_ptr_array_new ();
  g_autoptr (GHashTable) places = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, free_place);
  GPtrArray *verdicts;
  WpProfile *reference;

  if (baseline->len == 1 && target->len == 1)
    return wp_check_run (check, baseline->pdata[0], target->pdata[0], error);
  reference = find_reference (baseline);
  if (!check_side (check, reference, target, said, error) || !check_side (check, reference, baseline, said, error))
    return NULL;
  for (guint i = 0; i < said->len; i++)
    gather (places, order, said->pdata[i], i < target->len);
  verdicts = wp_verdicts_new ();
  for (guint i = 0; i < order->len; i++)
    add_verdict (verdicts, order->pdata[i]);
  leave_out_noise (verdicts);
  return verdicts;
}
