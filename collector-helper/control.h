/* The time between started and stopped: writing rounds, following commands. */
#pragma once

#include "rings.h"

/* What is said of a recording that has become too large. */
typedef struct
{
  uint64_t most;    /* bytes: it ends when it has so many */
  WpcBuffer record; /* for the end of the stream: what is missing, with that */
  WpcBuffer line;   /* the same for the caller */
} WpcEnding;

/* Records until the caller wants no more or there is no more room for it. Returns the exit status. */
int wpc_record (WpcEvents *events, WpcRings *rings, const WpcEnding *ending, WpcCounters *counters);

/* Before the privileges go: takes memory. */
int wpc_control_prepare (const WpcRings *rings);
