/* The test of Mann and Whitney and the estimate of Hodges and Lehmann, against values that were counted by enumeration, and against the
 * published table of critical values (two-sided, 5 %). */
#include "profile/fit/statistics.h"

#include <math.h>

#define EPSILON 1e-11

typedef struct
{
  double a[8], b[8];
  guint n_a, n_b;
  double u, p, shift, low, high, level;
} Known;

static const Known known[] = {
  { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, 4, 4, 16, 2.0 / 70, 4, 1, 7, 1 - 2.0 / 70 },
  { { 1, 2, 3, 4 }, { 2, 3, 4, 5 }, 4, 4, 11.5, 32.0 / 70, 1, -2, 4, 1 - 2.0 / 70 },
  { { 10, 10, 10, 10, 10 }, { 10, 10, 10, 10, 10 }, 5, 5, 12.5, 1, 0, 0, 0, 1 - 8.0 / 252 },
  { { 12.5, 13.1, 12.9, 13.4, 12.2 }, { 14.0, 13.3, 14.8, 15.1, 13.9 }, 5, 5, 24, 4.0 / 252, 1.4, 0.4, 2.6, 1 - 8.0 / 252 },
  { { 1, 1, 2, 3, 3 }, { 3, 4, 4, 5, 1, 3 }, 5, 6, 24, 62.0 / 462, 1.5, 0, 3, 1 - 14.0 / 462 },
  { { 7 }, { 9 }, 1, 1, 1, 1, 2, 2, 2, 0 },
  { { 1, 2, 3 }, { 4, 5, 6 }, 3, 3, 9, 0.1, 3, 1, 5, 0.9 },
  { { 5, 1, 4, 2, 8, 8, 3 }, { 9, 8, 12, 7, 11, 6, 10, 8 }, 7, 8, 50, 52.0 / 6435, 4.5, 1, 7, 0.959906759906760 },
};

static void
check_known (const Known *k)
{
  WpShift shift = wp_shift_test (k->a, k->n_a, k->b, k->n_b, 0.95);

  g_assert_true (shift.exact);
  g_assert_cmpfloat_with_epsilon (shift.u, k->u, EPSILON);
  g_assert_cmpfloat_with_epsilon (shift.p, k->p, EPSILON);
  g_assert_cmpfloat_with_epsilon (shift.shift, k->shift, EPSILON);
  g_assert_cmpfloat_with_epsilon (shift.low, k->low, EPSILON);
  g_assert_cmpfloat_with_epsilon (shift.high, k->high, EPSILON);
  g_assert_cmpfloat_with_epsilon (shift.level, k->level, EPSILON);
}

static void
test_known (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    check_known (&known[i]);
}

/* The other way round everything is the same but the sign. */
static void
test_order (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const Known *k = &known[i];
      WpShift turned = wp_shift_test (k->b, k->n_b, k->a, k->n_a, 0.95);

      g_assert_cmpfloat_with_epsilon (turned.u, k->n_a * k->n_b - k->u, EPSILON);
      g_assert_cmpfloat_with_epsilon (turned.p, k->p, EPSILON);
      g_assert_cmpfloat_with_epsilon (turned.shift, -k->shift, EPSILON);
      g_assert_cmpfloat_with_epsilon (turned.low, -k->high, EPSILON);
      g_assert_cmpfloat_with_epsilon (turned.high, -k->low, EPSILON);
    }
}

/* Two samples without ties whose U is the one wanted: one a after another moves behind the b before it. */
static double
p_of_u (guint n_a, guint n_b, guint u)
{
  g_autofree double *a = g_new (double, n_a), *b = g_new (double, n_b);
  WpShift shift;

  for (guint i = 0; i < n_b; i++)
    b[i] = i + 1;
  for (guint i = 0; i < n_a; i++)
    {
      guint below = MIN (u, n_b); /* so many b are above this a */

      u -= below;
      a[i] = (double) (n_b - below) + 0.25 + 0.5 * i / n_a;
    }
  shift = wp_shift_test (a, n_a, b, n_b, 0.95);
  return shift.p;
}

static void
test_published (void)
{
  static const guint critical[][3] = { { 3, 5, 0 },  { 4, 4, 0 },  { 4, 5, 1 },   { 5, 5, 2 },   { 5, 8, 6 },  { 6, 6, 5 },
                                       { 7, 7, 8 },  { 8, 8, 13 }, { 9, 9, 17 },  { 10, 10, 23 }, { 12, 12, 37 } };

  for (guint i = 0; i < G_N_ELEMENTS (critical); i++)
    {
      g_assert_cmpfloat (p_of_u (critical[i][0], critical[i][1], critical[i][2]), <=, 0.05);
      g_assert_cmpfloat (p_of_u (critical[i][0], critical[i][1], critical[i][2] + 1), >, 0.05);
    }
}

/* Above the limit the approximation takes over; just there both must agree. */
static void
test_many (void)
{
  static const guint critical[] = { 13, 13, 45 }; /* published: one more is not significant */
  double a[400], b[400];
  WpShift shift;

  g_assert_cmpuint (critical[0] + critical[1], >, WP_EXACT_MAX);
  g_assert_cmpfloat (p_of_u (critical[0], critical[1], critical[2]), <=, 0.05);
  g_assert_cmpfloat (p_of_u (critical[0], critical[1], critical[2] + 1), >, 0.05);
  for (guint i = 0; i < 400; i++)
    {
      a[i] = i * 7 % 400;
      b[i] = i * 11 % 400 + 20.5;
    }
  shift = wp_shift_test (a, 400, b, 400, 0.95);
  g_assert_false (shift.exact);
  g_assert_cmpfloat_with_epsilon (shift.shift, 20.5, 1);
  g_assert_cmpfloat (shift.p, <, 0.05);
  g_assert_cmpfloat (shift.low, >, 0);
  g_assert_cmpfloat (shift.low, <, shift.shift);
  g_assert_cmpfloat (shift.high, >, shift.shift);
  for (guint i = 0; i < 400; i++)
    b[i] = a[i];
  shift = wp_shift_test (a, 400, b, 400, 0.95);
  g_assert_cmpfloat (shift.p, ==, 1);
  for (guint i = 0; i < 400; i++)
    a[i] = b[i] = 3;
  g_assert_cmpfloat (wp_shift_test (a, 400, b, 400, 0.95).p, ==, 1);
}

static void
test_possible (void)
{
  static const struct
  {
    guint a, b;
    gboolean possible;
  } cases[] = { { 0, 9, FALSE }, { 1, 1, FALSE }, { 3, 3, FALSE }, { 4, 4, TRUE },   { 3, 5, TRUE },  { 3, 4, FALSE },
                { 2, 8, TRUE },  { 2, 7, FALSE }, { 1, 38, FALSE }, { 1, 39, TRUE }, { 39, 1, TRUE }, { 5000, 5000, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (wp_shift_possible (cases[i].a, cases[i].b, 0.05), ==, cases[i].possible);
}

/* The fifteen p of Benjamini and Hochberg (1995), section 3.2, as R's p.adjust (p, "BH") has them: they call four of them changes. */
static void
test_adjusted (void)
{
  static const double given[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1 };
  static const double expected[] = { 0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.0638571429, 0.0638571429, 0.0645, 0.0765, 0.486, 0.5811818182,
                                     0.714875, 0.7532307692, 0.8132142857, 1 };
  double p[G_N_ELEMENTS (given) + 1], ties[] = { 0.02, 0.02, 0.04, 0.02 };

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    p[i * 7 % 15] = given[i]; /* in any order */
  p[15] = NAN; /* no test */
  wp_adjust_p (p, G_N_ELEMENTS (p));
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    g_assert_cmpfloat_with_epsilon (p[i * 7 % 15], expected[i], 1e-9);
  g_assert_true (isnan (p[15]));
  wp_adjust_p (ties, G_N_ELEMENTS (ties));
  g_assert_cmpfloat_with_epsilon (ties[0], 0.08 / 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (ties[2], 0.04, 1e-12);
  wp_adjust_p (ties, 0);
}

static void
test_middle (void)
{
  double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

  g_assert_cmpfloat (wp_median (odd, 3), ==, 2);
  g_assert_cmpfloat (wp_median (even, 4), ==, 2.5);
  g_assert_true (isnan (wp_median (even, 0)));
  g_assert_cmpfloat (wp_mean (even, 4), ==, 2.5);
  g_assert_cmpfloat (wp_mean (even, 0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/known", test_known);
  g_test_add_func ("/statistics/order", test_order);
  g_test_add_func ("/statistics/published", test_published);
  g_test_add_func ("/statistics/many", test_many);
  g_test_add_func ("/statistics/possible", test_possible);
  g_test_add_func ("/statistics/adjusted", test_adjusted);
  g_test_add_func ("/statistics/middle", test_middle);
  return g_test_run ();
}
