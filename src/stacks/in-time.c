#include "stacks/in-time.h"

#include <math.h>

#include "base/sort.h"
#include "stacks/sums.h"

static int
compare (const void *a, const void *b)
{
  const WpTimedSample *x = a, *y = b;

  if (x->thread != y->thread)
    return WP_COMPARE (x->thread, y->thread);
  return x->start != y->start ? WP_COMPARE (x->start, y->start) : WP_COMPARE (x->sample, y->sample);
}

void
wp_stacks_in_time (const WpStacks *stacks, guint32 type, double scale, WpTimedSamples *out)
{
  g_autofree gint64 *ends = g_new0 (gint64, MAX (stacks->threads.len, 1));

  out->len = 0;
  wp_array_reserve (out, stacks->n_samples);
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      guint32 thread = stacks->sample_threads.len > 0 ? stacks->sample_threads.data[i] : 0;
      gint64 start = stacks->moments.len > 0 ? stacks->moments.data[i] : ends[thread];

      wp_array_push (out, ((WpTimedSample) { thread, i, start }));
      ends[thread] = wp_whole ((double) ends[thread] + round (fabs ((double) stacks->values[type].data[i]) * scale));
    }
  wp_array_sort (out, compare);
}

gint64
wp_stacks_first_moment (const WpStacks *stacks)
{
  gint64 first = G_MAXINT64;

  if (stacks->header.of_recording || stacks->moments.len == 0)
    return 0;
  for (guint32 i = 0; i < stacks->moments.len; i++)
    first = MIN (first, stacks->moments.data[i]);
  return first;
}

guint32
wp_timed_samples_end (const WpTimedSamples *self, guint32 i)
{
  guint32 thread = self->data[i].thread;

  while (i < self->len && self->data[i].thread == thread)
    i++;
  return i;
}
