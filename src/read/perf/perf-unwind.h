/* Call chains of events that were recorded with registers and stack bytes. */
#pragma once

#include "read/perf/perf-queues.h"
#include "read/unwind/unwind.h"

typedef struct WpPerfUnwind WpPerfUnwind;

gboolean wp_perf_has_stacks (const WpPerfAttr *attr); /* whether these events have stack bytes */

/* Begins with the early records. NULL: no event has stack bytes, or nobody can unwind that machine's. */
WpPerfUnwind *wp_perf_unwind_new (const WpPerfFile *file, const WpPerfQueues *queues);
void wp_perf_unwind_free (WpPerfUnwind *self);

/* Each record in the order of time, on one thread. A sample of an event with stack bytes gets its whole call chain, as perf
 * would have recorded it, in `chain` (room for WP_PERF_CHAIN_MAX); all others give 0. */
#define WP_PERF_CHAIN_MAX (8192 + 1 + WP_STACK_DEPTH_MAX)
gsize wp_perf_unwind_record (WpPerfUnwind *self, const WpPerfEntry *entry, guint64 *chain, WpUnwindEnd *end);
void wp_perf_unwind_ahead (const WpPerfUnwind *self, const WpPerfEntry *entry, const WpPerfEntry *later); /* a hint: soon */
