/* Many moments put in order, as fast as they can be read: they are spread over as many short stretches of time as there are moments, and each stretch
 * is put in order by itself. */
#pragma once

#include "base/array.h"
#include "base/progress.h"

typedef struct
{
  gint64 at;
  guint32 id;   /* whatever it is the moment of … */
  guint32 what; /* … and which one of it */
} WpMoment;
typedef WP_ARRAY (WpMoment) WpMoments;

/* By `at`; equal ones keep their order. FALSE when cancelled, and then they are in no order. */
gboolean wp_moments_sort (WpMoments *self, WpProgress *progress, GError **error);

/* Their ids by `what`, those of each in the order of time; equal ones keep their order. */
typedef struct
{
  guint32 *first; /* by `what`, one more at the end: where its ids begin among these */
  WpIdArray ids;
} WpMomentGroups;

/* Sorts the moments, of which each `what` is below `n`, and counts their ids to their places. FALSE when cancelled; clear the groups then, too. */
gboolean wp_moments_group (WpMoments *self, guint32 n, WpMomentGroups *groups, WpProgress *progress, GError **error);
void wp_moment_groups_clear (WpMomentGroups *groups);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpMomentGroups, wp_moment_groups_clear)
