/* Large traces made in memory, for measuring: processes with stacks of 6 to 21 frames, and six more of the kernel where they sleep. */
#pragma once

#include "trace/trace.h"

typedef enum
{
  LARGE_TRACE_CLIENT, /* a client that asks a server: two tasks, so many runs of each */
  LARGE_TRACE_POOL,   /* 128 threads on two CPUs that wait for one another */
  LARGE_TRACE_FORKS,  /* a process that forks a tree of others */
  LARGE_TRACE_COUNT
} LargeTrace;

WpTrace *large_trace_new (LargeTrace kind, guint32 n_runs); /* process 1 is of interest */
