/* What a comparison says in words. */
#include "profile/compare/compare-private.h"

#include "base/format.h"

#include <glib/gi18n.h>
#include <math.h>

/* --- figures --------------------------------------------------------------------------------------------------------- */

char *
wp_compared_amount (WpUnit unit, const char *unit_name, double amount, gboolean sign)
{
  char buffer[WP_FORMAT_MAX];

  if (isnan (amount))
    return g_strdup ("");
  return g_strconcat (amount < 0 ? "−" : sign && amount > 0 ? "+" : "", wp_unit_format (unit, fabs (amount), buffer),
                      unit_name != NULL && *unit_name != '\0' ? " " : "", unit_name, NULL);
}

char *
wp_comparison_amount (const WpComparison *self, double amount, gboolean sign)
{
  return wp_compared_amount (self->unit, self->unit_name, amount, sign);
}

void
wp_format_change (const WpChange *change, char buffer[32])
{
  double by = wp_change_relative (change);

  if (by == 0)
    g_strlcpy (buffer, "0 %", 32);
  else if (isinf (by))
    g_strlcpy (buffer, _("new"), 32);
  else if (change->mean[WP_SIDE_B] == 0)
    g_strlcpy (buffer, _("vanished"), 32);
  else if (fabs (by) < 0.0005)
    g_snprintf (buffer, 32, "%s< %.1f %%", by > 0 ? "+" : "−", 0.1);
  else if (by >= 99.995)
    g_snprintf (buffer, 32, "× %.0f", 1 + by);
  else
    g_snprintf (buffer, 32, "%s%.1f %%", by > 0 ? "+" : "−", fabs (by) * 100);
}

static void
format_p (double p, char buffer[32])
{
  if (p < 0.001)
    g_snprintf (buffer, 32, "p < %.3f", 0.001);
  else
    g_snprintf (buffer, 32, "p = %.*f", p < 0.0995 ? 3 : 2, p);
}

char *
wp_change_evidence_text (const WpChange *change)
{
  char p[32];

  if (change->evidence == WP_EVIDENCE_NONE)
    return g_strdup ("");
  format_p (change->adjusted, p);
  return change->evidence == WP_EVIDENCE_CHANGE ? g_strdup (p) : g_strdup_printf (_("noise (%s)"), p);
}

char *
wp_comparison_tests_text (const WpComparison *self)
{
  if (self->n_tested == 0)
    return g_strdup ("");
  return g_strdup_printf (ngettext ("%u line is tested besides. Its p is adjusted for that (Benjamini and Hochberg).",
                                    "%u lines are tested besides. Their p are adjusted for that (Benjamini and Hochberg): "
                                    "of those that are called changes, no more than about one in twenty is chance.",
                                    self->n_tested),
                          self->n_tested);
}

/* --- the verdict ----------------------------------------------------------------------------------------------------- */

const char *
wp_verdict_id (WpVerdict verdict)
{
  static const char *const ids[] = { [WP_VERDICT_UNKNOWN] = "unknown", [WP_VERDICT_NO_CHANGE] = "no-change",
                                     [WP_VERDICT_DEGRADATION] = "degradation",
                                     [WP_VERDICT_OPTIMIZATION] = "optimization" };

  return ids[verdict];
}

static const char *
verdict_name (WpVerdict verdict)
{
  static const char *const names[] = { [WP_VERDICT_UNKNOWN] = N_ ("Unknown"), [WP_VERDICT_NO_CHANGE] = N_ ("No change"),
                                       [WP_VERDICT_DEGRADATION] = N_ ("Degradation"),
                                       [WP_VERDICT_OPTIMIZATION] = N_ ("Optimization") };

  return _ (names[verdict]);
}

char *
wp_comparison_fill (const char *format, const char *first, const char *second)
{
  g_auto (GStrv) pieces = g_strsplit (format, "%s", 3);

  return g_strv_length (pieces) == 3 ? g_strconcat (pieces[0], first, pieces[1], second, pieces[2], NULL) : NULL;
}

char *
wp_comparison_headline (const WpComparison *self, double threshold)
{
  static const char *const words[2][2] = { { N_ ("Slower: %s (%s)"), N_ ("Faster: %s (%s)") }, { N_ ("More: %s (%s)"), N_ ("Less: %s (%s)") } };
  WpVerdict verdict = wp_comparison_verdict (self, threshold);
  const WpChange *change = self->rows.len > 0 ? &self->rows.data[0].change : NULL;
  g_autofree char *amount = change != NULL ? wp_comparison_amount (self, wp_change_absolute (change), TRUE) : NULL;
  const char *format;
  char by[32], *filled;

  if (change == NULL)
    return g_strdup ("");
  wp_format_change (change, by);
  if (verdict == WP_VERDICT_NO_CHANGE || wp_change_absolute (change) == 0)
    return g_strdup_printf (_("About the same: %s (%s)"), amount, by);
  format = _(words[self->unit != WP_UNIT_TIME][wp_change_absolute (change) < 0]);
  filled = wp_comparison_fill (format, amount, by);
  return filled != NULL ? filled : g_strdup (format);
}

/* "Mann–Whitney U test, two-sided, exact: p = 0.008, n = 5 and 5; shift +3.1 ms (95 % interval +2.0 ms … +4.4 ms)" */
static char *
test_text (const WpComparison *self, const WpChange *change)
{
  guint n_a = self->profiles[WP_SIDE_A].len, n_b = self->profiles[WP_SIDE_B].len;
  g_autofree char *shift = wp_comparison_amount (self, change->shift, TRUE);
  g_autofree char *low = wp_comparison_amount (self, change->low, TRUE);
  g_autofree char *high = wp_comparison_amount (self, change->high, TRUE);
  const char *how = n_a + n_b <= WP_EXACT_MAX ? _("exact") : _("normal approximation");
  char p[32];

  format_p (change->p, p);
  return g_strdup_printf (
    _("Mann–Whitney U test, two-sided, %s: %s, n = %u and %u; Hodges–Lehmann shift %s (%.0f %% interval %s … %s)"), how, p,
    n_a, n_b, shift, WP_COMPARE_LEVEL * 100, low, high);
}

static char *
too_few_text (const WpComparison *self, double threshold)
{
  guint n_a = self->profiles[WP_SIDE_A].len, n_b = self->profiles[WP_SIDE_B].len;

  if (threshold > 0)
    return g_strdup_printf (_("Too few profiles to tell change from noise: %u and %u; judged by the threshold of %g %% alone"),
                            n_a, n_b, threshold * 100);
  return g_strdup_printf (_("Too few profiles to tell change from noise: %u and %u; four of each are enough"), n_a, n_b);
}

char *
wp_comparison_verdict_text (const WpComparison *self, double threshold)
{
  WpVerdict verdict = wp_comparison_verdict (self, threshold);
  const WpComparedRow *row = self->rows.len > 0 ? &self->rows.data[0] : NULL;
  g_autofree char *why = NULL;
  char change[32];

  if (row == NULL)
    return g_strdup (_("Nothing to compare"));
  why = row->change.evidence == WP_EVIDENCE_NONE ? too_few_text (self, threshold) : test_text (self, &row->change);
  wp_format_change (&row->change, change);
  return g_strdup_printf ("%s: %s %s. %s.", verdict_name (verdict), _ (row->name), change, why);
}

char *
wp_compared_wait_count (const WpComparedWait *wait)
{
  return g_strdup_printf ("%.4g → %.4g", wait->count[WP_SIDE_A], wait->count[WP_SIDE_B]);
}

char *
wp_comparison_answer_text (const WpComparison *self, guint32 first)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = first; i < self->answer.len; i++)
    g_string_append_printf (text, "%s%s", i > first ? " " : "", self->answer.data[i].text);
  return g_string_free (text, FALSE);
}

/* --- names ----------------------------------------------------------------------------------------------------------- */

/* What all profiles of a side say, or NULL. */
static const char *
common_fact (const WpComparison *self, WpSide side, WpFact fact)
{
  const char *text = self->profiles[side].len > 0 ? self->profiles[side].data[0].facts[fact] : NULL;

  for (guint32 i = 1; i < self->profiles[side].len; i++)
    if (g_strcmp0 (self->profiles[side].data[i].facts[fact], text) != 0)
      return NULL;
  return text != NULL && *text != '\0' ? text : NULL;
}

static char *
what_of (const WpComparison *self, WpSide side)
{
  const char *label = common_fact (self, side, WP_FACT_LABEL);
  guint n = self->profiles[side].len;

  return label != NULL ? g_strdup (label) : g_strdup_printf (ngettext ("%u profile", "%u profiles", n), n);
}

char *
wp_comparison_side_name (const WpComparison *self, WpSide side)
{
  guint n = self->profiles[side].len;

  if (self->names[side] == NULL)
    return wp_comparison_side_exactly (self, side);
  return n == 1 ? g_strdup (self->names[side]) : g_strdup_printf (ngettext ("%s · %u profile", "%s · %u profiles", n), self->names[side], n);
}

char *
wp_comparison_side_exactly (const WpComparison *self, WpSide side)
{
  const char *commit = common_fact (self, side, WP_FACT_COMMIT);
  g_autofree char *what = what_of (self, side);

  return commit != NULL ? g_strdup_printf ("%.8s %s", commit, what) : g_steal_pointer (&what);
}
