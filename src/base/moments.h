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
