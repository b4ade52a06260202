/* What of a comparison is asked for: by how much something changed, on which sides it is, whether all became worse. */
#include "profile/compare/compare.h"

#include <math.h>

gboolean
wp_comparison_explains (const WpComparison *self)
{
  return self->rows.len > 0 && g_str_equal (self->rows.data[0].id, "wall");
}

double
wp_change_relative (const WpChange *self)
{
  double a = self->mean[WP_SIDE_A], delta = wp_change_absolute (self);

  return delta == 0 ? 0 : a == 0 ? copysign (INFINITY, delta) : delta / fabs (a);
}

WpPresence
wp_frame_presence (const WpComparedFrame *frame)
{
  if (frame->total.mean[WP_SIDE_A] == 0 && frame->total.mean[WP_SIDE_B] != 0)
    return WP_PRESENCE_NEW;
  if (frame->total.mean[WP_SIDE_B] == 0 && frame->total.mean[WP_SIDE_A] != 0)
    return WP_PRESENCE_VANISHED;
  return WP_PRESENCE_COMMON;
}

const char *
wp_presence_id (WpPresence presence)
{
  static const char *const ids[] = { [WP_PRESENCE_COMMON] = "common", [WP_PRESENCE_NEW] = "new",
                                     [WP_PRESENCE_VANISHED] = "vanished" };

  return ids[presence];
}

WpVerdict
wp_comparison_verdict (const WpComparison *self, double threshold)
{
  const WpChange *change = self->rows.len > 0 ? &self->rows.data[0].change : NULL;
  double by = change != NULL ? wp_change_relative (change) : 0;

  if (change == NULL || (change->evidence == WP_EVIDENCE_NONE && threshold <= 0))
    return WP_VERDICT_UNKNOWN;
  if (change->evidence == WP_EVIDENCE_NOISE)
    return WP_VERDICT_NO_CHANGE;
  if (change->evidence == WP_EVIDENCE_CHANGE)
    by = change->mean[WP_SIDE_A] != 0 ? change->shift / fabs (change->mean[WP_SIDE_A]) : by;
  if (by == 0 || fabs (by) < threshold)
    return WP_VERDICT_NO_CHANGE;
  return by > 0 ? WP_VERDICT_DEGRADATION : WP_VERDICT_OPTIMIZATION;
}
