/* What an explanation says: its categories, and how they add up. */
#include "paths/explain.h"

#include "base/find.h"
#include "base/free-aside.h"

#include <glib/gi18n.h>

static const struct
{
  const char *id, *name, *help;
} categories[WP_CATEGORY_COUNT] = {
  [WP_CATEGORY_UNDERSTOOD] = { "understood", N_ ("Running, function known"),
                               N_ ("On a CPU, and a sample of its stack says in which function.") },
  [WP_CATEGORY_BLOCKING_IO] = { "blocking-io", N_ ("Waiting for disk or network"),
                                N_ ("Waiting while a disk or another machine worked on a request.") },
  [WP_CATEGORY_INTERRUPTS] = { "interrupts", N_ ("Interrupted by a device"),
                               N_ ("On a CPU, but a device's interrupt handler ran there in its place.") },
  [WP_CATEGORY_NOT_SAMPLED] = { "not-sampled", N_ ("Running, too brief to sample"),
                                N_ ("On a CPU, but too briefly for a sample to say in which function.") },
  [WP_CATEGORY_IO_QUEUE] = { "io-queue", N_ ("Queued for the disk"),
                             N_ ("A request waited in the device's queue while the device did nothing we know of.") },
  [WP_CATEGORY_SCHEDULER] = { "scheduler", N_ ("Ready, waiting for a CPU"),
                              N_ ("What it waited for had come, but no CPU was free for it yet.") },
  [WP_CATEGORY_HARDWARE] = { "hardware", N_ ("Ended by an unexplained interrupt"),
                             N_ ("A device woke it, but no request in the recording says what for.") },
  [WP_CATEGORY_INVOLUNTARY] = { "involuntary", N_ ("Pushed off the CPU"),
                                N_ ("It would have gone on, but others had the CPU.") },
  [WP_CATEGORY_KERNEL_BLOCK] = { "kernel-block", N_ ("Blocked in the kernel"),
                                 N_ ("Waiting in the kernel for something that is not recorded, or stopped.") },
  [WP_CATEGORY_DELIBERATE_SLEEP] = { "deliberate-sleep", N_ ("Sleeping on purpose"), N_ ("It asked to sleep for a time, and did.") },
  [WP_CATEGORY_TIMED_OUT] = { "timed-out", N_ ("Waited until a time limit"),
                              N_ ("Waited for something that did not come before its time limit.") },
  [WP_CATEGORY_OTHER_PATH] = { "other-path", N_ ("Waiting for work shown in another lane"),
                               N_ ("Waiting for a chain of work that has a lane of its own: its time is counted there, too.") },
  [WP_CATEGORY_UNFINISHED] = { "unfinished", N_ ("Still waiting when the recording stopped"),
                               N_ ("A wait that nobody had ended by then. It counts in no percentage of what is explained.") },
  [WP_CATEGORY_UNACCOUNTED] = { "unaccounted", N_ ("Unexplained"), N_ ("What nothing in the recording explains.") },
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
  wp_array_clear_aside (&self->pieces);
  wp_array_clear_aside (&self->latency_steps);
  g_free (self);
}

double
wp_explanation_percent (const WpExplanation *self, gboolean without_other_path)
{
  gint64 left_out = self->ns[WP_CATEGORY_UNFINISHED] + (without_other_path ? self->ns[WP_CATEGORY_OTHER_PATH] : 0);
  gint64 total = self->total - left_out;

  return total > 0 ? 100.0 * (double) (wp_explanation_accounted (self) - left_out) / (double) total : 100.0;
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

guint
wp_explanation_order (const WpExplanation *self, gboolean longest_first, WpCategory order[WP_CATEGORY_COUNT])
{
  guint n = 0, empty;

  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      guint at = n;

      if (self->ns[c] == 0)
        continue;
      for (; longest_first && at > 0 && self->ns[order[at - 1]] < self->ns[c]; at--)
        order[at] = order[at - 1];
      order[at] = c;
      n++;
    }
  empty = n;
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    if (self->ns[c] == 0)
      order[empty++] = c;
  return n;
}
