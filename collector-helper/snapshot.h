/* The kernel as it was before the recording: where its code and its modules lie, with their build ids. As records with time 0, before any
 * record of a ring. */
#pragma once

#include "buffer.h"

enum
{
  WPC_SAMPLE_ID_SIZE = 32, /* what follows every record of the kernel: pid and tid, time, CPU, id; all 0 in ours */
};

/* Known after wpc_add_kallsyms() only. */
void wpc_add_kernel (WpcBuffer *out);
