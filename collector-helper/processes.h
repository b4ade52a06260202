/* The processes that were there before the recording: their names, what they have mapped to execute, and what their threads
 * waited in. As records with time 0, before any record of a ring.
 *
 * What a process makes of itself costs no more than its share: each has one, and so has each user, so that nobody's many mappings
 * keep another's out. What was cut is told. */
#pragma once

#include "missing.h"

#define WPC_PROCESS_KB 2048 /* of records of one process */
#define WPC_USER_KB 16384   /* … of all of one user's */
#define WPC_ALL_KB 65536    /* … of all that are neither root's nor of the user who records */
#define WPC_GATHER_S 20     /* for all */

/* `user` is who records. Ends early, having done what it could, when the caller does not go on or the time is over. */
void wpc_add_processes (WpcBuffer *out, WpcMissing *missing, unsigned user);
