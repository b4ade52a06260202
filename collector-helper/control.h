/* The time between started and stopped: writing rounds, following commands. */
#pragma once

#include "rings.h"

/* Records until told to stop, by a command, by the end of input or by SIGTERM. Returns the exit status. */
int wpc_record (WpcEvents *events, WpcRings *rings, WpcCounters *counters);

/* Before the privileges go: catches SIGTERM. */
int wpc_control_prepare (const WpcRings *rings);
