/* Checks of newer versions of Perun: what is under the curves of the best models. */
#include "base/sort.h"
#include "profile/checks/checks-private.h"

#include <math.h>

#define SAMPLES 1000
#define CONFIDENCE_MIN 0.15 /* of both models */
#define NONE 0.10           /* relative difference that is no change yet */
#define CERTAIN 0.25

static double
relative (double now, double base)
{
  double rate = (now - base) / (base != 0 ? base : 1e-6);

  return isfinite (rate) ? rate : 0;
}

/* Judges the models of all uids that both profiles have. */
typedef WpCheckChange (*CompareFunc) (const WpModel *base, const WpValues *base_values, const WpModel *now, const WpValues *now_values,
                                 double *rate);

static gboolean
compare_curves (WpProfile *baseline, WpProfile *target, CompareFunc compare, GPtrArray *verdicts)
{
  g_autoptr (GHashTable) from = wp_check_best_models (baseline, 1);
  g_autoptr (GHashTable) to = wp_check_best_models (target, wp_check_scale (baseline, target));
  g_autoptr (GPtrArray) uids = wp_check_common_keys (from, to);

  for (guint i = 0; i < uids->len; i++)
    {
      const WpBestModels *base = g_hash_table_lookup (from, g_ptr_array_index (uids, i));
      const WpBestModels *now = g_hash_table_lookup (to, g_ptr_array_index (uids, i));
      double confidence = wp_check_round (MIN (base->best.r_square, now->best.r_square), 2), rate;
      WpCheckVerdict *verdict;
      WpCheckChange change;

      if (!base->has_best || !now->has_best || confidence < CONFIDENCE_MIN)
        continue;
      change = compare (&base->best, baseline->values, &now->best, target->values, &rate);
      verdict = wp_verdicts_add (verdicts, change, g_ptr_array_index (uids, i), "", wp_model_kind_id (base->best.kind),
                                 wp_model_kind_id (now->best.kind));
      verdict->rate = wp_check_round (rate, 2);
      verdict->confidence_type = "r_square";
      verdict->confidence = confidence;
    }
  return TRUE;
}

/* --- integrals -------------------------------------------------------------------------------------------------------- */

/* The antiderivative at x. */
static double
area_to (const WpModel *model, double x)
{
  const double *b = model->b;

  switch (model->kind)
    {
    case WP_MODEL_LOGARITHMIC:
      return x > 0 ? b[0] * x + b[1] * (x * log (x) - x) : 0;
    case WP_MODEL_QUADRATIC:
      return b[0] * x + b[1] * x * x / 2 + b[2] * x * x * x / 3;
    case WP_MODEL_POWER:
      return b[1] == -1 ? b[0] * log (x) : b[0] * pow (x, b[1] + 1) / (b[1] + 1);
    case WP_MODEL_EXPONENTIAL:
      return b[1] == 1 ? b[0] * x : b[0] * pow (b[1], x) / log (b[1]);
    default:
      return b[0] * x + b[1] * x * x / 2;
    }
}

static double
area_of (const WpModel *model, const WpValues *values)
{
  return area_to (model, wp_value_number (values, model->end)) - area_to (model, wp_value_number (values, model->start));
}

static WpCheckChange
compare_areas (const WpModel *base, const WpValues *base_values, const WpModel *now, const WpValues *now_values, double *rate)
{
  *rate = relative (area_of (now, now_values), area_of (base, base_values));
  return wp_check_by_thresholds (*rate, NONE, CERTAIN);
}

gboolean
wp_check_integrals (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error G_GNUC_UNUSED)
{
  return compare_curves (baseline, target, compare_areas, verdicts);
}

/* --- windows ---------------------------------------------------------------------------------------------------------- */

#define WINDOW (SAMPLES / 20)
#define N_FIGURES 8

static double
quantile (const double *sorted, double part)
{
  double at = part * (WINDOW - 1);
  guint below = (guint) at;

  return below + 1 < WINDOW ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]) : sorted[below];
}

/* Simpson's rule for an even number of points: once with a trapezium at the end, once at the start, and the mean of both. */
static double
simpson (const double *x, const double *y)
{
  double sums[2], step = (x[WINDOW - 1] - x[0]) / (WINDOW - 1);

  for (guint first = 0; first < 2; first++)
    {
      guint outer = first == 0 ? WINDOW - 2 : 0;

      sums[first] = (x[outer + 1] - x[outer]) * (y[outer] + y[outer + 1]) / 2;
      for (guint i = first; i + 2 < WINDOW + first; i += 2)
        sums[first] += step / 3 * (y[i] + 4 * y[i + 1] + y[i + 2]);
    }
  return (sums[0] + sums[1]) / 2;
}

/* Integral, mean, median, maximum, minimum, sum, and both quartiles. */
static void
window_figures (const double *x, const double *y, double figures[N_FIGURES])
{
  double sorted[WINDOW], sum = 0;

  memcpy (sorted, y, sizeof sorted);
  qsort (sorted, WINDOW, sizeof *sorted, wp_compare_doubles);
  for (guint i = 0; i < WINDOW; i++)
    sum += y[i];
  figures[0] = simpson (x, y);
  figures[1] = sum / WINDOW;
  figures[2] = quantile (sorted, 0.5);
  figures[3] = sorted[WINDOW - 1];
  figures[4] = sorted[0];
  figures[5] = sum;
  figures[6] = quantile (sorted, 0.25);
  figures[7] = quantile (sorted, 0.75);
}

static WpCheckChange
compare_windows (const WpModel *base, const WpValues *base_values, const WpModel *now, const WpValues *now_values, double *rate)
{
  double x[SAMPLES], y[2][SAMPLES];

  wp_model_plot (now, now_values, SAMPLES, x, y[1]);
  wp_model_plot (base, base_values, SAMPLES, x, y[0]);
  *rate = 0;
  for (guint at = 0; at < SAMPLES; at += WINDOW)
    {
      double figures[2][N_FIGURES];

      for (guint k = 0; k < 2; k++)
        window_figures (x + at, y[k] + at, figures[k]);
      for (guint k = 0; k < N_FIGURES; k++)
        if (figures[0][k] != 0)
          *rate += relative (figures[1][k], figures[0][k]) / N_FIGURES;
    }
  *rate /= SAMPLES / WINDOW;
  return wp_check_by_thresholds (*rate, NONE, CERTAIN);
}

gboolean
wp_check_windows (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error G_GNUC_UNUSED)
{
  return compare_curves (baseline, target, compare_windows, verdicts);
}
