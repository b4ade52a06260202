/* A recording as stacks with values.
 *
 * Samples: for each sampled event how much of it they stand for (nanoseconds of a clock), and where that is not one each, how many they are. Where
 * there are many events, all those that count one by one are the type "events", and the label "event" tells them apart.
 * Of a recording with task switches also the time on a CPU, a run's shared by its samples, and off it, with the stack of the sleep.
 * Every row has its moment, its thread and the labels "process", "thread", "pid" and "tid"; within a mark also the label "mark", once for each that it
 * is in, the outermost first. A sleep belongs to the marks in which it began. */
#pragma once

#include "base/progress.h"
#include "stacks/stacks.h"
#include "trace/trace.h"

/* Functions have the names that the trace has given them by now. NULL and an error only when cancelled. */
WpStacks *wp_trace_stacks (const WpTrace *trace, WpProgress *progress, GError **error);
