/* The perf.data stream (what `perf record -o -` writes): its head, and records of our own making. All goes to standard
 * output. Functions return 0 or the errno of the write. */
#pragma once

#include "events.h"

int wpc_write (const void *data, size_t len); /* all of it */

/* Everything before the first record of a ring: attributes, tracepoint formats with the kernel's symbols, features. */
int wpc_write_head (WpcEvents *events, WpcCounters *counters);

int wpc_write_round (void); /* a reader may order what came before the last round */

/* Starts a record in an empty buffer; wpc_record_end() pads it and sets its size. */
void wpc_record_begin (WpcBuffer *record, uint32_t type, uint16_t misc);
void wpc_record_end (WpcBuffer *record);
