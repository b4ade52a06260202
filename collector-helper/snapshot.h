/* What was there before the recording: the kernel and its modules with their build ids, the processes with their names
 * and maps. Written as records with time 0, before any record of a ring. */
#pragma once

#include "messages.h"

/* Return 0 or the errno of the write. */
int wpc_write_kernel (WpcCounters *counters);
int wpc_write_processes (WpcCounters *counters);
