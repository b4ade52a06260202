/* Verdicts: what a check says of one place in two profiles. */
#include "profile/checks/checks-private.h"

#include "base/find.h"
#include "base/unit.h"

static const char *const changes[WP_N_CHANGES] = {
  [WP_CHANGE_NONE] = "NoChange",
  [WP_CHANGE_UNKNOWN] = "Unknown",
  [WP_CHANGE_MAYBE_OPTIMIZATION] = "MaybeOptimization",
  [WP_CHANGE_OPTIMIZATION] = "Optimization",
  [WP_CHANGE_SEVERE_OPTIMIZATION] = "SevereOptimization",
  [WP_CHANGE_TOTAL_OPTIMIZATION] = "TotalOptimization",
  [WP_CHANGE_NOT_IN_TARGET] = "NotInTarget",
  [WP_CHANGE_MAYBE_DEGRADATION] = "MaybeDegradation",
  [WP_CHANGE_DEGRADATION] = "Degradation",
  [WP_CHANGE_SEVERE_DEGRADATION] = "SevereDegradation",
  [WP_CHANGE_TOTAL_DEGRADATION] = "TotalDegradation",
  [WP_CHANGE_NOT_IN_BASELINE] = "NotInBaseline",
};

const char *
wp_change_id (WpCheckChange change)
{
  return changes[change];
}

gboolean
wp_change_find (const char *id, WpCheckChange *change)
{
  guint row = WP_FIND_NAME (changes, id);

  if (row < WP_N_CHANGES)
    *change = row;
  return row < WP_N_CHANGES;
}

gboolean
wp_change_is_degradation (WpCheckChange change)
{
  return change == WP_CHANGE_DEGRADATION || change == WP_CHANGE_SEVERE_DEGRADATION || change == WP_CHANGE_TOTAL_DEGRADATION;
}

gboolean
wp_change_is_optimization (WpCheckChange change)
{
  return change == WP_CHANGE_OPTIMIZATION || change == WP_CHANGE_SEVERE_OPTIMIZATION || change == WP_CHANGE_TOTAL_OPTIMIZATION;
}

static void
free_verdict (gpointer data)
{
  WpCheckVerdict *verdict = data;

  g_free (verdict->location);
  g_free (verdict->type);
  g_free (verdict->from);
  g_free (verdict->to);
  g_free (verdict->unit);
  g_free (verdict);
}

GPtrArray *
wp_verdicts_new (void)
{
  return g_ptr_array_new_with_free_func (free_verdict);
}

WpCheckVerdict *
wp_verdicts_add (GPtrArray *verdicts, WpCheckChange change, const char *location, const char *type, const char *from, const char *to)
{
  WpCheckVerdict *verdict = g_new0 (WpCheckVerdict, 1);

  verdict->change = change;
  verdict->location = g_strdup (location);
  verdict->type = g_strdup (type);
  verdict->from = g_strdup (from);
  verdict->to = g_strdup (to);
  verdict->confidence_type = "no";
  g_ptr_array_add (verdicts, verdict);
  return verdict;
}

void
wp_verdict_set_amounts (WpCheckVerdict *self, const char *unit, double from, double to)
{
  self->unit = g_strdup (unit);
  self->amounts[0] = from;
  self->amounts[1] = to;
}

static char *
for_people (const WpCheckVerdict *self, guint side, const char *otherwise)
{
  char buffer[WP_FORMAT_MAX];
  double factor;
  WpUnit unit;

  if (self->unit == NULL)
    return g_strdup (otherwise);
  unit = wp_unit_from_name (self->unit, &factor);
  wp_unit_format (unit, self->amounts[side] * factor, buffer);
  return unit == WP_UNIT_PLAIN && *self->unit != '\0' ? g_strdup_printf ("%s %s", buffer, self->unit) : g_strdup (buffer);
}

char *
wp_verdict_from (const WpCheckVerdict *self)
{
  return for_people (self, 0, self->from);
}

char *
wp_verdict_to (const WpCheckVerdict *self)
{
  return for_people (self, 1, self->to);
}

static void
append_number (GString *out, double number, gboolean is_whole)
{
  if (is_whole)
    g_string_append_printf (out, " %.0f", number);
  else
    {
      g_string_append_c (out, ' ');
      wp_python_float (number, out);
    }
}

void
wp_verdict_record (const WpCheckVerdict *self, GString *out)
{
  g_string_append_printf (out, "%s PerformanceChange.%s %s %s %s", self->location, changes[self->change], self->type, self->from,
                          self->to);
  append_number (out, self->rate, self->whole_rate);
  g_string_append_printf (out, " %s", self->confidence_type);
  append_number (out, self->confidence, self->whole_confidence);
}
