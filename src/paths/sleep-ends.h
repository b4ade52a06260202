/* What ended each sleep, by operation. Links lie in the order of time, operations by task: gathered in one pass over the links,
 * it spares everybody who goes along a task a far reach into memory for each sleep. */
#pragma once

#include "base/progress.h"
#include "trace/trace.h"

#define WP_SLEEP_END_UNKNOWN G_MAXUINT32

typedef struct
{
  guint32 delay; /* ns from the sleep's start to its wakeup; UNKNOWN: ask wp_trace_woken() */
  WpId source;   /* the operation that ended it, or 0; of horizontal links 0 */
} WpSleepEnd;

/* NULL when cancelled. Free with g_free(). */
static inline WpSleepEnd *
wp_sleep_ends_new (const WpTrace *trace, WpProgress *progress, GError **error)
{
  WpSleepEnd *self = g_new (WpSleepEnd, trace->ops.len);
  gboolean going_on = TRUE;

  for (guint32 o = 0; o < trace->ops.len && going_on; o++)
    {
      self[o] = (WpSleepEnd) { .delay = WP_SLEEP_END_UNKNOWN };
      going_on = wp_progress_row (progress, o, error);
    }
  for (guint32 l = 1; l < trace->links.len && going_on; l++)
    {
      const WpLink *link = &trace->links.data[l];
      const WpOp *sleep = link->target > 1 ? &trace->ops.data[link->target - 1] : NULL;
      gint64 woken;

      going_on = wp_progress_row (progress, l, error);
      if (sleep == NULL || sleep->kind != WP_OP_SLEEP || sleep->link != l)
        continue;
      woken = wp_trace_woken (trace, link->target - 1) - sleep->start;
      self[link->target - 1] = (WpSleepEnd) { .delay = (guint32) MIN (woken, (gint64) WP_SLEEP_END_UNKNOWN),
                                            .source = link->horizontal ? 0 : link->source };
    }
  if (!going_on)
    g_clear_pointer (&self, g_free);
  return self;
}

static inline gint64
wp_sleep_end_time (const WpSleepEnd *self, const WpTrace *trace, WpId sleep)
{
  return self[sleep].delay != WP_SLEEP_END_UNKNOWN ? trace->ops.data[sleep].start + self[sleep].delay
                                                : wp_trace_woken (trace, sleep);
}
