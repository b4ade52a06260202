/* What an explanation says: its categories, and how they add up. */
#include "paths/explain.h"

#include "base/find.h"

#include <glib/gi18n.h>

static const struct
{
  const char *id, *name, *help;
} categories[WP_CATEGORY_COUNT] = {
  [WP_CATEGORY_UNDERSTOOD] = { "understood", N_ ("In understood functions"), N_ ("Running, and a sample says where.") },
  [WP_CATEGORY_BLOCKING_IO] = { "blocking-io", N_ ("In blocking I/O"),
                                N_ ("Waiting while a disk or another machine worked on a request.") },
  [WP_CATEGORY_NOT_SAMPLED] = { "not-sampled", N_ ("Running but not sampled"),
                                N_ ("Running too briefly for the sampling profiler to notice where.") },
  [WP_CATEGORY_IO_QUEUE] = { "io-queue", N_ ("I/O queue overhead"),
                             N_ ("A request waited in the device's queue while the device did nothing we know of.") },
  [WP_CATEGORY_SCHEDULER] = { "scheduler", N_ ("Scheduler overhead"), N_ ("Ready to run, but waiting for a CPU.") },
  [WP_CATEGORY_HARDWARE] = { "hardware", N_ ("Waits “for” hardware"),
                             N_ ("Ended by an interrupt that no operation explains.") },
  [WP_CATEGORY_INVOLUNTARY] = { "involuntary", N_ ("Involuntary sleeps"), N_ ("Preempted: others had the CPU.") },
  [WP_CATEGORY_KERNEL_BLOCK] = { "kernel-block", N_ ("Miscellaneous kernel blocks"),
                                 N_ ("Blocked in the kernel on something that is not traced, or stopped.") },
  [WP_CATEGORY_DELIBERATE_SLEEP] = { "deliberate-sleep", N_ ("Deliberate sleeps"), N_ ("Asked to sleep, and slept.") },
  [WP_CATEGORY_TIMED_OUT] = { "timed-out", N_ ("Waits that timed out"),
                              N_ ("Waited for something until its timer ended the wait.") },
  [WP_CATEGORY_OTHER_PATH] = { "other-path", N_ ("Waiting on other path"),
                               N_ ("Waiting for work that is a control path of its own.") },
  [WP_CATEGORY_UNACCOUNTED] = { "unaccounted", N_ ("Unaccounted"), N_ ("What nothing in the recording explains.") },
};

const char *
wp_category_id (WpCategory category)
{
  return categories[category].id;
}

const char *
wp_category_name (WpCategory category)
{
  return categories[category].name;
}

const char *
wp_category_help (WpCategory category)
{
  return categories[category].help;
}

WpCategory
wp_category_from_id (const char *id)
{
  return WP_FIND_ROW (categories, id, id);
}

void
wp_explanation_free (WpExplanation *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].name);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->pieces);
  g_free (self);
}

double
wp_explanation_percent (const WpExplanation *self, gboolean without_other_path)
{
  gint64 other = without_other_path ? self->ns[WP_CATEGORY_OTHER_PATH] : 0, total = self->total - other;

  return total > 0 ? 100.0 * (double) (wp_explanation_accounted (self) - other) / (double) total : 100.0;
}

double
wp_explanation_cumulative (const WpExplanation *self, WpCategory category, gboolean without_other_path)
{
  gint64 other = without_other_path ? self->ns[WP_CATEGORY_OTHER_PATH] : 0, total = self->total - other, sum = 0;

  for (guint c = 0; c <= category; c++)
    sum += self->ns[c];
  if (category >= WP_CATEGORY_OTHER_PATH)
    sum -= other;
  return total > 0 ? (double) sum / (double) total : 0.0;
}
