/* Reading other processes' mappings, and their threads' system calls, in a process of its own. Whoever has a file system of his
 * own can keep the kernel from giving these out for as long as he likes, and who waits for them there can only be killed: so that
 * is not we. */
#pragma once

#include <stddef.h>

#define WPC_MAP_READER_S 3 /* so long a process may take to give a piece of its table, or a thread its call */

/* The next piece of /proc/PID/maps, up to `room` bytes (65536 at most); from the beginning with a pid, with 0 from where the last piece
 * ended. Returns its length, 0 at the end or where nothing can be read, or -1: not in time. Then the next one needs a pid. */
int wpc_map_reader_read (unsigned pid, char *text, size_t room);

/* The same with /proc/PID/task/TID/syscall, which is short: all of it. Tables go on as if it had not been asked for. */
int wpc_map_reader_call (unsigned pid, unsigned tid, char *text, size_t room);

void wpc_map_reader_end (void);
