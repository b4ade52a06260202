/* What the helper may, and giving it up step by step. SECURITY.md has the same as a table, which a test holds against this. */
#pragma once

#include <stdbool.h>

/* Right at the start: of root's capabilities those stay that opening events and reading about the system take, in a process that
 * is the user's, cannot get new ones, and may make only the system calls of the first filter; `choosing`: among them those for
 * events of single threads. Returns 0, or 1 with the error told. */
int wpc_privileges_begin (unsigned user, bool choosing);

/* Once all events are open and their rings mapped: what is left is for reading about other processes. */
int wpc_privileges_gather (void);

/* Everything is read, nothing has been written: no capabilities, and a filter that lets only reading, writing, waiting and switching events
 * through. From anywhere before, too. */
int wpc_privileges_drop (unsigned user);

/* The same for a process that has begun and has nothing to be in time for. */
int wpc_drop_capabilities (void);
