/* Tracepoints that a recording has several times, with other filters, stacks or nothing else: who records the one event of the scheduler and
 * all of them ("-e sched:sched_switch -e 'sched:*'") gets each firing twice. */
#pragma once

#include "read/perf/perf-event-types.h"

typedef struct WpPerfRepeats WpPerfRepeats;

WpPerfRepeats *wp_perf_repeats_new (const WpPerfFile *file, const WpPerfEventTypes *types);
void wp_perf_repeats_free (WpPerfRepeats *self);

/* Whether another event type of the same tracepoint had this firing just before. The data stay where they are until the end. */
gboolean wp_perf_repeats_seen (WpPerfRepeats *self, guint32 row, guint32 cpu, const guint8 *raw, gsize n);
