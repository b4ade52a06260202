/* Who has the pen writes to standard output. There is one, so that records of several readers (readers.h) never stand within one another.
 * Where there is one reader alone it always has it, and nothing here does anything. */
#pragma once

#include <stdint.h>

/* Before any reader is started: whoever makes it has it. `written` says how much all have written so far. Returns 0 or an errno. */
int wpc_pen_make (uint64_t (*written) (void));

int wpc_pen_take (void); /* waits for it. Returns 0 or an errno: ETIMEDOUT when nobody takes what is written */
void wpc_pen_give (void);

/* Until there is something to read, for as long as the caller may be waited for: whatever anybody writes shows that it takes something.
 * Returns 0 or an errno: as above, EPIPE when the other end is gone. */
int wpc_wait_for (int fd);
