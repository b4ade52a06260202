#include "base/unit.h"

#include "base/find.h"

#include <math.h>

static const struct
{
  const char *name;
  WpUnit unit;
  double factor;
} names[] = {
  { "ns", WP_UNIT_TIME, 1 },    { "us", WP_UNIT_TIME, 1e3 }, { "µs", WP_UNIT_TIME, 1e3 },
  { "ms", WP_UNIT_TIME, 1e6 },  { "s", WP_UNIT_TIME, 1e9 },  { "B", WP_UNIT_BYTES, 1 },
  { "kB", WP_UNIT_BYTES, 1 << 10 }, { "KiB", WP_UNIT_BYTES, 1 << 10 }, { "MB", WP_UNIT_BYTES, 1 << 20 },
  { "MiB", WP_UNIT_BYTES, 1 << 20 }, { "GB", WP_UNIT_BYTES, 1 << 30 }, { "GiB", WP_UNIT_BYTES, 1 << 30 },
};

WpUnit
wp_unit_from_name (const char *name, double *factor)
{
  guint row = WP_FIND_ROW (names, name, name);

  *factor = row < G_N_ELEMENTS (names) ? names[row].factor : 1;
  return row < G_N_ELEMENTS (names) ? names[row].unit : WP_UNIT_PLAIN;
}

static const char *const byte_units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

static guint
byte_unit (double value)
{
  guint i = 0;

  for (; i + 1 < G_N_ELEMENTS (byte_units) && fabs (value) >= 1024; i++)
    value /= 1024;
  return i;
}

static const char *
format_bytes (double value, double step, char buffer[WP_FORMAT_MAX])
{
  guint i = byte_unit (MAX (fabs (value), step));
  double unit = pow (1024, i), v = value / unit;
  int decimals = step > 0 ? (int) ceil (log10 (unit / step) - 1e-9) : fabs (v) < 9.995 ? 2 : fabs (v) < 99.95 ? 1 : 0;

  g_snprintf (buffer, WP_FORMAT_MAX, "%.*f %s", i == 0 && step >= 1 ? 0 : CLAMP (decimals, 0, i == 0 && step <= 0 ? 0 : 4), v,
              byte_units[i]);
  return buffer;
}

/* What needs an exponent has one; what is whole has no decimals. */
static const char *
format_plain (double value, double step, char buffer[WP_FORMAT_MAX])
{
  if (value != 0 && (fabs (value) >= 1e12 || fabs (value) < 1e-5))
    g_snprintf (buffer, WP_FORMAT_MAX, "%.3g", value);
  else if (step > 0)
    g_snprintf (buffer, WP_FORMAT_MAX, "%.*f", CLAMP ((int) ceil (-log10 (step) - 1e-9), 0, 9), value);
  else if (value == floor (value))
    g_snprintf (buffer, WP_FORMAT_MAX, "%.0f", value);
  else
    g_snprintf (buffer, WP_FORMAT_MAX, "%.*g", fabs (value) >= 1000 ? 7 : 4, value);
  return buffer;
}

const char *
wp_unit_format_tick (WpUnit unit, double value, double step, char buffer[WP_FORMAT_MAX])
{
  switch (unit)
    {
    case WP_UNIT_TIME:
      value = CLAMP (value, -9e18, 9e18);
      return step >= 1 ? wp_format_time (llround (value), llround (MIN (step, 9e18)), buffer) : wp_format_ns (llround (value), buffer);
    case WP_UNIT_BYTES:
      return format_bytes (value, step, buffer);
    case WP_UNIT_ADDRESS:
      g_snprintf (buffer, WP_FORMAT_MAX, "0x%" G_GINT64_MODIFIER "x", (guint64) CLAMP (value, 0, 18e18));
      return buffer;
    default:
      return format_plain (value, step, buffer);
    }
}

const char *
wp_unit_format (WpUnit unit, double value, char buffer[WP_FORMAT_MAX])
{
  return wp_unit_format_tick (unit, value, 0, buffer);
}

double
wp_unit_step (WpUnit unit, double least)
{
  static const double factors[] = { 1, 2, 5, 10 };
  double power;

  least = MAX (least, 1e-300);
  if (unit == WP_UNIT_ADDRESS || unit == WP_UNIT_BYTES)
    return MAX (1, pow (2, ceil (log2 (least) - 1e-9)));
  power = pow (10, floor (log10 (least)));
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (factors[i] * power >= least * 0.999999)
      return factors[i] * power;
  return 10 * power;
}
