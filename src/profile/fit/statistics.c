#include "profile/fit/statistics.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

typedef struct
{
  double value;
  gboolean of_a;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  return wp_compare_doubles (&((const Ranked *) a)->value, &((const Ranked *) b)->value);
}

double
wp_mean (const double *values, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];
  return n > 0 ? sum / n : 0;
}

static double
median_of_sorted (const double *values, gsize n)
{
  if (n == 0)
    return NAN;
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double
wp_median (double *values, guint n)
{
  if (n > 0)
    qsort (values, n, sizeof *values, wp_compare_doubles);
  return median_of_sorted (values, n);
}

gboolean
wp_shift_possible (guint n_a, guint n_b, double alpha)
{
  double ways = 1;

  for (guint i = 1; i <= MIN (n_a, n_b) && ways <= 4 / alpha; i++)
    ways *= (double) (n_a + n_b - MIN (n_a, n_b) + i) / i;
  return n_a > 0 && n_b > 0 && 2 / ways <= alpha * (1 + 1e-12);
}

/* --- ranks ----------------------------------------------------------------------------------------------------------- */

/* Twice the mean rank of each value, so that all are whole. Gives the sum over ties of t³ − t. */
static double
rank (const Ranked *sorted, guint n, guint *ranks)
{
  double ties = 0;

  for (guint i = 0, end; i < n; i = end)
    {
      double t;

      for (end = i + 1; end < n && sorted[end].value == sorted[i].value;)
        end++;
      for (guint k = i; k < end; k++)
        ranks[k] = i + 1 + end;
      t = end - i;
      ties += t * t * t - t;
    }
  return ties;
}

/* ways[k · (sum + 1) + s]: how many choices of k of these ranks have the sum s. */
static double *
count_choices (const guint *ranks, guint n, guint k_max, guint sum)
{
  gsize width = (gsize) sum + 1;
  double *ways = g_new0 (double, width * (k_max + 1));
  guint so_far = 0;

  ways[0] = 1;
  for (guint i = 0; i < n; i++)
    {
      so_far += ranks[i];
      for (guint k = MIN (i + 1, k_max); k > 0; k--)
        for (guint s = so_far; s >= ranks[i]; s--)
          ways[k * width + s] += ways[(k - 1) * width + s - ranks[i]];
    }
  return ways;
}

/* Twice the smaller tail at `observed` of the sums of `k` ranks. */
static double
exact_p (const guint *ranks, guint n, guint k, guint observed)
{
  guint sum = n * (n + 1);
  g_autofree double *all = count_choices (ranks, n, k, sum);
  const double *ways = all + (gsize) k * (sum + 1);
  double below = 0, above = 0, total = 0;

  for (guint s = 0; s <= sum; s++)
    {
      total += ways[s];
      below += s <= observed ? ways[s] : 0;
      above += s >= observed ? ways[s] : 0;
    }
  return MIN (1, 2 * MIN (below, above) / total);
}

static double
approximate_p (double u, double n_a, double n_b, double ties)
{
  double n = n_a + n_b, variance = n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1)));
  double distance = MAX (0, fabs (u - n_a * n_b / 2) - 0.5);

  return variance > 0 ? MIN (1, erfc (distance / sqrt (2 * variance))) : 1;
}

static void
test (WpShift *self, const double *a, const double *b)
{
  guint n = self->n_a + self->n_b, sum_a = 0;
  g_autofree Ranked *sorted = g_new (Ranked, n);
  g_autofree guint *ranks = g_new (guint, n);
  double ties;

  for (guint i = 0; i < n; i++)
    sorted[i] = (Ranked) { i < self->n_a ? a[i] : b[i - self->n_a], i < self->n_a };
  qsort (sorted, n, sizeof *sorted, compare_ranked);
  ties = rank (sorted, n, ranks);
  for (guint i = 0; i < n; i++)
    sum_a += sorted[i].of_a ? ranks[i] : 0;
  self->u = (double) self->n_a * self->n_b - (sum_a / 2.0 - self->n_a * (self->n_a + 1.0) / 2);
  self->exact = n <= WP_EXACT_MAX;
  self->p = self->exact ? exact_p (ranks, n, self->n_a, sum_a) : approximate_p (self->u, self->n_a, self->n_b, ties);
}

/* --- several tests ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  double p;
  gsize at;
} Tested;

static int
compare_tested (const void *a, const void *b)
{
  return wp_compare_doubles (&((const Tested *) a)->p, &((const Tested *) b)->p);
}

void
wp_adjust_p (double *p, gsize n)
{
  g_autofree Tested *tested = g_new (Tested, n);
  gsize count = 0;
  double least = 1;

  for (gsize i = 0; i < n; i++)
    if (!isnan (p[i]))
      tested[count++] = (Tested) { p[i], i };
  if (count > 0)
    qsort (tested, count, sizeof *tested, compare_tested);
  for (gsize i = count; i-- > 0;) /* from the largest down: what is smaller never becomes larger than it */
    {
      least = MIN (least, tested[i].p * (double) count / (double) (i + 1));
      p[tested[i].at] = least;
    }
}

/* --- the shift ------------------------------------------------------------------------------------------------------- */

/* How many differences to leave out at either end, and the level that this gives: the largest k with P (U < k) ≤ (1 − level) / 2, U
 * being that of samples without ties. At least the extremes stay in. */
static guint
exact_cut (guint n_a, guint n_b, double level, double *reached)
{
  guint n = n_a + n_b, sum = n * (n + 1), cut = 0;
  g_autofree guint *ranks = g_new (guint, n);
  g_autofree double *all = NULL;
  const double *ways;
  double total = 0, below = 0;

  for (guint i = 0; i < n; i++)
    ranks[i] = 2 * (i + 1);
  all = count_choices (ranks, n, n_a, sum);
  ways = all + (gsize) n_a * (sum + 1);
  for (guint s = 0; s <= sum; s++)
    total += ways[s];
  for (guint s = n_a * (n_a + 1); s <= sum && below + ways[s] <= (1 - level) / 2 * total; s += 2, cut++)
    below += ways[s];
  if (cut == 0)
    below = ways[n_a * (n_a + 1)];
  *reached = 1 - 2 * below / total;
  return MAX (cut, 1) - 1;
}

static guint
approximate_cut (double n_a, double n_b, double level, double *reached)
{
  double low = 0, high = 10, cut;

  for (guint i = 0; i < 60; i++) /* the normal distribution's quantile, by halving */
    {
      double z = (low + high) / 2;

      if (erf (z / G_SQRT2) < level)
        low = z;
      else
        high = z;
    }
  *reached = level;
  cut = floor (n_a * n_b / 2 - low * sqrt (n_a * n_b * (n_a + n_b + 1) / 12));
  return (guint) MAX (cut, 1) - 1;
}

static void
estimate (WpShift *self, const double *a, const double *b, double level)
{
  gsize n = (gsize) self->n_a * self->n_b;
  g_autofree double *differences = g_new (double, n);
  guint cut = self->exact ? exact_cut (self->n_a, self->n_b, level, &self->level)
                          : approximate_cut (self->n_a, self->n_b, level, &self->level);

  for (guint i = 0; i < self->n_a; i++)
    for (guint k = 0; k < self->n_b; k++)
      differences[(gsize) i * self->n_b + k] = b[k] - a[i];
  qsort (differences, n, sizeof *differences, wp_compare_doubles);
  self->shift = median_of_sorted (differences, n);
  self->low = differences[cut];
  self->high = differences[n - 1 - cut];
}

WpShift
wp_shift_test (const double *a, guint n_a, const double *b, guint n_b, double level)
{
  WpShift self = { .n_a = n_a, .n_b = n_b, .p = 1, .shift = NAN, .low = NAN, .high = NAN };

  g_return_val_if_fail (n_a > 0 && n_b > 0, self);
  test (&self, a, b);
  estimate (&self, a, b, level);
  return self;
}
