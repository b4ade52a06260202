#include "stacks/measure.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  const char *aliases[4];
  double factor;
} Unit;

typedef struct
{
  const char *told_in; /* where nothing says otherwise */
  double factor;
  WpUnit counts; /* what one of a factor of 1 is */
  Unit units[10];
} Kind;

static const Kind kinds[] = {
  { "B", 1, WP_UNIT_BYTES,
    { { "B", { "b", "byte" }, 1 },
      { "kB", { "kb", "kbyte", "kilobyte" }, 1024.0 },
      { "MB", { "mb", "mbyte", "megabyte" }, 1024.0 * 1024 },
      { "GB", { "gb", "gbyte", "gigabyte" }, 1024.0 * 1024 * 1024 },
      { "TB", { "tb", "tbyte", "terabyte" }, 1024.0 * 1024 * 1024 * 1024 },
      { "PB", { "pb", "pbyte", "petabyte" }, 1024.0 * 1024 * 1024 * 1024 * 1024 } } },
  { "s", 1e9, WP_UNIT_TIME,
    { { "ns", { "ns", "nanosecond" }, 1 },
      { "us", { "μs", "us", "microsecond" }, 1e3 },
      { "ms", { "ms", "millisecond" }, 1e6 },
      { "s", { "s", "sec", "second" }, 1e9 },
      { "hrs", { "hour", "hr" }, 3600e9 } } },
  { "GCU", 1, WP_UNIT_PLAIN,
    { { "n*GCU", { "nanogcu" }, 1e-9 },
      { "u*GCU", { "microgcu" }, 1e-6 },
      { "m*GCU", { "milligcu" }, 1e-3 },
      { "GCU", { "gcu" }, 1 },
      { "k*GCU", { "kilogcu" }, 1e3 },
      { "M*GCU", { "megagcu" }, 1e6 },
      { "G*GCU", { "gigagcu" }, 1e9 },
      { "T*GCU", { "teragcu" }, 1e12 },
      { "P*GCU", { "petagcu" }, 1e15 } } },
};

static const Unit *
find_alias (const Kind *kind, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind->units) && kind->units[i].name != NULL; i++)
    for (guint a = 0; a < G_N_ELEMENTS (kind->units[i].aliases) && kind->units[i].aliases[a] != NULL; a++)
      if (g_str_equal (kind->units[i].aliases[a], name))
        return &kind->units[i];
  return NULL;
}

/* In small letters, and without the s of a plural. */
static const Unit *
find_unit (const Kind *kind, const char *name)
{
  g_autofree char *text = g_utf8_validate (name, -1, NULL) ? g_utf8_strdown (name, -1) : g_strdup (name);
  gsize n = strlen (text);

  if (n > 2 && text[n - 1] == 's')
    text[n - 1] = '\0';
  return find_alias (kind, text);
}

static const Kind *
kind_of (const char *unit, const Unit **found)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      *found = find_unit (&kinds[i], unit);
      if (*found != NULL)
        return &kinds[i];
    }
  return NULL;
}

static gboolean
is_automatic (const char *unit)
{
  return g_str_equal (unit, "auto") || g_str_equal (unit, "minimum");
}

static const Unit *
largest (const Kind *kind, double value)
{
  const Unit *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kind->units) && kind->units[i].name != NULL; i++)
    if (value / kind->units[i].factor >= 1)
      found = &kind->units[i];
  return found;
}

static double
measure (double value, const char *from, const char *to, const char **unit)
{
  static const char *const plain[] = { "count", "sample", "unit", "minimum", "auto" };
  const Unit *given = NULL, *wanted;
  const Kind *kind = kind_of (from, &given);

  if (kind == NULL)
    {
      *unit = to;
      for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
        if (g_str_equal (to, plain[i]))
          *unit = "";
      return value;
    }
  value *= given->factor;
  wanted = is_automatic (to) ? largest (kind, value) : find_unit (kind, to);
  *unit = wanted != NULL ? wanted->name : kind->told_in;
  return value / (wanted != NULL ? wanted->factor : kind->factor);
}

double
wp_measure (gint64 value, const char *from, const char *to, const char **unit)
{
  return value < 0 && value != G_MININT64 ? -measure (-(double) value, from, to, unit) : measure ((double) value, from, to, unit);
}

char *
wp_measure_text (gint64 value, const char *from, const char *to)
{
  const char *unit;
  char *text = g_strdup_printf ("%.2f", wp_measure (value, from, to, &unit)), *whole;

  if (g_str_has_suffix (text, ".00"))
    text[strlen (text) - 3] = '\0';
  if (g_str_equal (text, "0") || g_str_equal (text, "-0"))
    {
      g_free (text);
      return g_strdup ("0");
    }
  whole = g_strconcat (text, unit, NULL);
  g_free (text);
  return whole;
}

/* The exponent of C has at least two digits, as Go's has. */
const char *
wp_measure_share (gint64 value, gint64 total, char text[WP_FORMAT_MAX])
{
  double share = total != 0 ? fabs ((double) value / (double) total) * 100 : 0;

  if (share >= 99.95 && share <= 100.05)
    g_strlcpy (text, "  100%", WP_FORMAT_MAX);
  else
    g_snprintf (text, WP_FORMAT_MAX, share >= 1 ? "%5.2f%%" : "%5.2g%%", share);
  return text;
}

WpUnit
wp_measure_unit (const char *name, double *factor)
{
  const Unit *unit;
  const Kind *kind = kind_of (name, &unit);
  WpUnit counts = kind != NULL ? kind->counts : WP_UNIT_PLAIN;

  *factor = counts != WP_UNIT_PLAIN ? unit->factor : 1;
  return counts;
}

char *
wp_measure_words (gint64 value, const char *from)
{
  const char *unit = "";
  double factor;
  WpUnit counts = wp_measure_unit (from, &factor);
  char text[WP_FORMAT_MAX];

  if (counts != WP_UNIT_PLAIN)
    return g_strdup (wp_unit_format (counts, (double) value * factor, text));
  wp_unit_format (WP_UNIT_PLAIN, wp_measure (value, from, "auto", &unit), text);
  return *unit != '\0' ? g_strconcat (text, " ", unit, NULL) : g_strdup (text);
}

const char *
wp_measure_share_words (gint64 value, gint64 total, char text[WP_FORMAT_MAX])
{
  return wp_format_share (total != 0 ? fabs ((double) value / (double) total) : 0, text);
}

gboolean
wp_measure_is_alike (const char *a, const char *b)
{
  const Unit *unit_a, *unit_b;
  const Kind *kind = kind_of (a, &unit_a);

  return kind != NULL && kind == kind_of (b, &unit_b);
}

double
wp_measure_ratio (const char *larger, const char *smaller)
{
  const Unit *unit_a = NULL, *unit_b = NULL;
  const Kind *kind = kind_of (larger, &unit_a);

  return kind != NULL && kind == kind_of (smaller, &unit_b) ? unit_a->factor / unit_b->factor : 1;
}
