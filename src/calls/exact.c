#include "calls/exact.h"

static WpExactMagnitude
magnitude (WpExact x)
{
  return x < 0 ? 0 - (WpExactMagnitude) x : (WpExactMagnitude) x;
}

WpExact
wp_exact_gcd (WpExact a, WpExact b)
{
  WpExactMagnitude x = magnitude (a), y = magnitude (b);

  while (y != 0)
    {
      WpExactMagnitude rest = (x | y) >> 64 == 0 ? (guint64) x % (guint64) y : x % y;

      x = y;
      y = rest;
    }
  return (WpExact) x;
}

WpExact
wp_exact_round (WpExact n, WpExact d)
{
  WpExact whole = n / d, rest = n % d, twice = 2 * (rest < 0 ? -rest : rest);

  if (twice > d || (twice == d && (whole & 1) != 0))
    whole += n < 0 ? -1 : 1;
  return whole;
}

/* The product of 256 bits. */
static void
multiply (WpExactMagnitude a, WpExactMagnitude b, WpExactMagnitude product[2])
{
  const guint64 a0 = (guint64) a, a1 = (guint64) (a >> 64), b0 = (guint64) b, b1 = (guint64) (b >> 64);
  WpExactMagnitude low = (WpExactMagnitude) a0 * b0, one = (WpExactMagnitude) a0 * b1, other = (WpExactMagnitude) a1 * b0;
  WpExactMagnitude middle = (low >> 64) + (guint64) one + (guint64) other;

  product[0] = middle << 64 | (guint64) low;
  product[1] = (WpExactMagnitude) a1 * b1 + (one >> 64) + (other >> 64) + (middle >> 64);
}

static int
sign_of (WpExact n, WpExact d)
{
  return n == 0 ? 0 : (n < 0) == (d < 0) ? 1 : -1;
}

int
wp_exact_compare (WpExact a, WpExact b, WpExact c, WpExact d)
{
  int sign = sign_of (a, b), other = sign_of (c, d);
  WpExactMagnitude ad[2], cb[2];

  if (sign != other)
    return sign < other ? -1 : 1;
  multiply (magnitude (a), magnitude (d), ad);
  multiply (magnitude (c), magnitude (b), cb);
  if (ad[1] == cb[1] && ad[0] == cb[0])
    return 0;
  return (ad[1] != cb[1] ? ad[1] < cb[1] : ad[0] < cb[0]) ? -sign : sign;
}

/* What fits a double's digits is divided once, and so rounded once. */
double
wp_exact_real (WpExact n, WpExact d)
{
  WpExact common = wp_exact_gcd (n, d);

  n /= MAX (common, 1);
  d /= MAX (common, 1);
  if (magnitude (n) <= 1ull << 53 && d <= 1ll << 53)
    return (double) n / (double) d;
  return (double) ((long double) n / (long double) d);
}

void
wp_exact_append (GString *out, WpExact n)
{
  const guint64 group = G_GUINT64_CONSTANT (1000000000000000000);
  WpExactMagnitude rest = magnitude (n);
  guint64 groups[3];
  guint i = 0;

  do
    {
      groups[i++] = (guint64) (rest % group);
      rest /= group;
    }
  while (rest > 0);
  g_string_append_printf (out, "%s%" G_GUINT64_FORMAT, n < 0 ? "-" : "", groups[--i]);
  while (i > 0)
    g_string_append_printf (out, "%018" G_GUINT64_FORMAT, groups[--i]);
}
