/* The time between started and stopped: writing rounds, following commands. */
#pragma once

#include "rings.h"

/* Records until the caller wants no more. Returns the exit status. */
int wpc_record (WpcEvents *events, WpcRings *rings, WpcCounters *counters);

/* Before the privileges go: takes memory. */
int wpc_control_prepare (const WpcRings *rings);
