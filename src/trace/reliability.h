/* Stretches of a recording that cannot be believed. Every switch names the task that leaves and the task that comes; where one names a task
 * that was not there, the recording contradicts itself. So it does where a task is switched in before its wakeup. Now and then that
 * happens on any virtual machine, and is repaired. Where many switches of a stretch do not fit, events are missing that nobody
 * reported, or the CPUs' clocks disagree, and no repair is worth anything: the stretch is *unreliable*, and is handled as a loss on
 * all CPUs. */
#pragma once

#include "trace/trace.h"

typedef struct
{
  gint64 start;           /* of the stretch at hand, ns */
  guint32 switches;       /* in it, all CPUs together */
  guint32 contradictions; /* in it, each with its weight */
  WP_ARRAY (WpLost) found; /* sorted, apart */
} WpReliability;

void wp_reliability_switch (WpReliability *self, gint64 time); /* one more switch was recorded */
void wp_reliability_contradiction (WpReliability *self, guint weight); /* 1 for a switch that is missing */

/* Adds the unreliable stretches to what is lost in the trace, with no number of events, and counts them. */
void wp_reliability_finish (WpReliability *self, WpTrace *trace);
