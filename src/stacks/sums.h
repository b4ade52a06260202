/* Sums of values of 64 bits, whatever a file holds: as in pprof they go around at the limits. */
#pragma once

#include <glib.h>

static inline gint64
wp_sum (gint64 a, gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

/* Of values without signs, as a width: the limit instead of going around. */
static inline gint64
wp_sum_capped (gint64 a, gint64 b)
{
  return a > G_MAXINT64 - b ? G_MAXINT64 : a + b;
}

static inline gint64
wp_negative (gint64 a)
{
  return (gint64) (0 - (guint64) a);
}

/* −2⁶³ has none, and stays. */
static inline gint64
wp_magnitude (gint64 a)
{
  return a < 0 ? wp_negative (a) : a;
}

static inline gint64
wp_quotient (gint64 a, gint64 b)
{
  return b == -1 ? wp_negative (a) : a / b;
}

/* What is beyond the limits becomes the limit. */
static inline gint64
wp_whole (double x)
{
  if (x >= 9223372036854775808.0)
    return G_MAXINT64;
  return x > -9223372036854775808.0 ? (gint64) x : G_MININT64;
}
