/* Telling noise from change between two small samples, without assuming how their values are distributed.
 *
 * The test is that of Mann and Whitney (1947), two-sided. U counts the pairs (a, b) with b > a, ties count one half. Where both
 * samples together have at most WP_EXACT_MAX values, its probability is exact, ties included: all ways to choose which of the
 * values belong to the first sample are counted. Above that it is the normal approximation with corrections for ties and
 * continuity. How large the change is says the estimate of Hodges and Lehmann (1963), the median of all differences b − a, with the
 * interval that the same test gives. */
#pragma once

#include <glib.h>

#define WP_EXACT_MAX 24

typedef struct
{
  guint n_a, n_b;
  double u;
  double p;         /* two-sided: twice the smaller tail, at most 1 */
  gboolean exact;
  double shift;     /* Hodges–Lehmann: b − a */
  double low, high; /* the shift's interval, of at least `level` where samples of this size can have one */
  double level;     /* what the interval really has, 0 … 1 */
} WpShift;

/* Whether samples of this size could ever give a p of `alpha` or less; where not, nothing can be said. */
gboolean wp_shift_possible (guint n_a, guint n_b, double alpha);

/* Compares n_a with n_b values, each at least one. `level` is the wanted one of the interval, as 0.95. */
WpShift wp_shift_test (const double *a, guint n_a, const double *b, guint n_b, double level);

/* Makes of the p of n tests those of Benjamini and Hochberg (1995), as R's p.adjust (p, "BH") does: of all tests with at most 0.05 now, 5 %
 * are expected to be chance at most. NaN is no test: it stays and does not count. */
void wp_adjust_p (double *p, gsize n);

double wp_median (double *values, guint n); /* sorts them; NaN of none */
double wp_mean (const double *values, guint n);
