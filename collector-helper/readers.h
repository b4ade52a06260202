/* More readers than one, where there are more rings than one should look after: processes, each with a share of the CPUs. They wait for their
 * rings and write them, with the pen (pen.h). Who starts them does all else, and ends a round when each has read all its rings since the
 * round before. So nothing behind the end of a round is older than what stands before the end of the round before, which is what perf's readers count on. */
#pragma once

#include "rings.h"

/* As many as the options say, or one for every 32 rings; a single one is the helper itself, and nothing is started. Before the privileges go:
 * each gives up its own, as the helper does, before this returns. The pen is the caller's. Returns 0, or 1 with the error told. */
int wpc_readers_start (WpcRings *rings, const WpcEvents *events, const WpcOptions *options, unsigned user);

/* Each reads all its rings. Returns 0 or an errno. */
int wpc_readers_pass (void);
