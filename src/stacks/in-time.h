/* Samples in the order of time, for whoever tells what each thread did one after another. */
#pragma once

#include "stacks/stacks.h"

typedef struct
{
  guint32 thread, sample; /* thread 0: not known */
  gint64 start;           /* ns */
} WpTimedSample;

typedef WP_ARRAY (WpTimedSample) WpTimedSamples;

/* Rows of all samples, by thread and then by time. Without moments each begins where the one of its thread before it ends: a value of the type
 * is so many times `scale` ns long, whatever its sign. */
void wp_stacks_in_time (const WpStacks *stacks, guint32 type, double scale, WpTimedSamples *out);

/* The moment that others are told from: the recording's start, where it is of one, else when the first sample was taken. */
gint64 wp_stacks_first_moment (const WpStacks *stacks);

/* The first row behind those of the thread of row i. */
guint32 wp_timed_samples_end (const WpTimedSamples *self, guint32 i);
