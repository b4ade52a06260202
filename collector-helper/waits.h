/* What the threads that were there before the recording waited in: who never runs while it lasts can be explained by that alone.
 * A record with each thread's state, the name of its system call, the kernel's function that it slept in and the process that it is a child
 * of; no address, no argument of a call. */
#pragma once

#include "buffer.h"

#include <stdbool.h>

/* Appends the record of one thread, if it is there. Its system call is not asked for where `*stuck`, which becomes true where it
 * was not told in time: others of that process' user might hold us up, too. */
void wpc_add_wait (WpcBuffer *out, unsigned pid, unsigned tid, bool *stuck);
