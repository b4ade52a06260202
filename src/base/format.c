#include "base/format.h"

#include <math.h>

static const struct
{
  const char *unit;
  double ns;
} units[] = {
  { "s", 1e9 },
  { "ms", 1e6 },
  { "µs", 1e3 },
  { "ns", 1 },
};

static const char *
sign_of (gint64 ns)
{
  return ns < 0 ? "−" : "";
}

const char *
wp_format_ns (gint64 ns, char buffer[WP_FORMAT_MAX])
{
  double v = fabs ((double) ns);
  const char *sign = sign_of (ns);
  gint64 whole = (gint64) (v / 1e9);

  if (v < 1e3)
    g_snprintf (buffer, WP_FORMAT_MAX, "%s%.0f ns", sign, v);
  else if (v >= 3600e9)
    g_snprintf (buffer, WP_FORMAT_MAX, "%s%" G_GINT64_FORMAT " h %" G_GINT64_FORMAT " min", sign, whole / 3600,
                whole / 60 % 60);
  else if (v >= 120e9)
    g_snprintf (buffer, WP_FORMAT_MAX, "%s%" G_GINT64_FORMAT " min %" G_GINT64_FORMAT " s", sign, whole / 60,
                whole % 60);
  else
    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
      if (v >= units[i].ns * 0.9995)
        {
          double x = v / units[i].ns;

          g_snprintf (buffer, WP_FORMAT_MAX, "%s%.*f %s", sign, x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, units[i].unit);
          break;
        }
  return buffer;
}

const char *
wp_format_time (gint64 ns, gint64 step, char buffer[WP_FORMAT_MAX])
{
  guint i = 0;
  int decimals;

  while (i + 1 < G_N_ELEMENTS (units) && MAX (ABS (ns), step) < units[i].ns)
    i++;
  decimals = step > 0 ? (int) ceil (log10 (units[i].ns / (double) step) - 1e-9) : 0;
  g_snprintf (buffer, WP_FORMAT_MAX, "%s%.*f %s", sign_of (ns), CLAMP (decimals, 0, 9), fabs ((double) ns) / units[i].ns, units[i].unit);
  return buffer;
}

const char *
wp_format_share (double share, char buffer[WP_FORMAT_MAX])
{
  if (share == 0)
    g_strlcpy (buffer, "0 %", WP_FORMAT_MAX);
  else if (fabs (share) < 0.0005)
    g_snprintf (buffer, WP_FORMAT_MAX, "< %.1f %%", 0.1);
  else
    g_snprintf (buffer, WP_FORMAT_MAX, "%.1f %%", share * 100);
  return buffer;
}

gboolean
wp_parse_duration (const char *text, gint64 *ns)
{
  static const struct
  {
    const char *suffix;
    double factor;
  } suffixes[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "µs", 1e3 }, { "ns", 1 }, { "min", 60e9 } };
  char *end;
  double v = g_ascii_strtod (text, &end);

  if (end == text || !isfinite (v))
    return FALSE;
  while (*end == ' ')
    end++;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_equal (end, suffixes[i].suffix) && fabs (v * suffixes[i].factor) < 9e18)
      {
        *ns = llround (v * suffixes[i].factor);
        return TRUE;
      }
  return FALSE;
}
