/* The threads of a process, as they are now. */
#pragma once

#include "options.h"

#include <dirent.h>

DIR *wpc_threads_open (unsigned pid);     /* for closedir(); NULL: it has ended */
unsigned wpc_threads_next (DIR *threads); /* 0: there are no more */

/* Those of the processes whose CPU samples are wanted alone, or the threads of which they are. Returns how many there are: more than `room`, of which only so many are there, are
 * not counted. */
int wpc_list_threads (const WpcOptions *options, int *threads, int room);
