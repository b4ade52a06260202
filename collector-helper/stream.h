/* The perf.data stream (what `perf record -o -` writes): its head, and records of our own making. They are put together in memory, as long
 * as there are privileges, and written when there are none. */
#pragma once

#include "events.h"

/* Everything before the first record of a ring but what snapshot.h and processes.h have: attributes, tracepoint formats with the kernel's
 * symbols, features. */
void wpc_add_head (WpcEvents *events, WpcBuffer *out);

/* What is missing, as a feature of the recording. Nothing, when nothing is. */
void wpc_add_missing (const WpcMissing *missing, WpcBuffer *out);

/* The record of what a thread waits in: texts follow; see waits.h. */
size_t wpc_wait_begin (WpcBuffer *out, unsigned pid, unsigned tid);

/* All of it at one place, whoever else writes. Adds to the counters; returns 0 or an errno. */
int wpc_write_with_pen (const void *data, size_t length, WpcCounters *counters);

/* Whoever has the pen may end a round: those who read the stream may order what came before the last one. As above. */
int wpc_write_round (WpcCounters *counters);

/* Nothing was recorded from one moment of the recording's clock to the other, since the caller wanted so; some of what happened just within
 * its ends may be there. As above. */
int wpc_write_pause (int64_t start, int64_t end, WpcCounters *counters);

/* So many CPU samples a second are taken from that moment on. As above. */
int wpc_write_rate (int64_t time, unsigned rate, WpcCounters *counters);

/* So much was lost on a CPU since its last record that has a time. As above. */
int wpc_write_lost (int cpu, uint64_t id, uint64_t lost, WpcCounters *counters);

/* A record at the end of a buffer: returns where it begins. wpc_record_end() pads it and sets its size, which has 16 bits: whoever adds to a
 * record sees to it that they suffice. */
size_t wpc_record_begin (WpcBuffer *out, uint32_t type, uint16_t misc);
void wpc_record_pad (WpcBuffer *out, size_t at); /* with zeroes, to a multiple of 8 */
void wpc_record_end (WpcBuffer *out, size_t at);
