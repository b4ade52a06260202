/* Who started the helper: what it says on standard input, and writing to it without waiting for ever. Every wait ends when the caller
 * says stop, closes its end, sends SIGTERM, or takes nothing for too long. */
#pragma once

#include "commands.h"

#include <stdint.h>

#define WPC_TICK_S 1 /* a wait looks up so often, in seconds */

/* First: who does not come to writing within a minute is ended by the kernel. */
void wpc_caller_limit (void);

/* What the caller says is read from here on if it is a pipe or a socket, which know nothing of who reads. Nothing of a caller's is looked at
 * before it has a slot: even to ask what a file is may take as long as its file system likes. */
void wpc_caller_meet (void);

/* No limit of time, that one included, is longer from here on than the caller's patience. None gets longer by it. */
void wpc_caller_hurry (unsigned seconds);

int64_t wpc_at_most_ms (int64_t usual); /* a limit of so long, or what patience makes of it */

/* Before the privileges go: SIGTERM is an orderly stop from here on, and standard input is read whatever it is. Twice is as good as once. */
void wpc_caller_begin (void);

/* Takes one line of what the caller says, if there is any and it has a turn: a caller that says more than some thirty lines a second has to
 * wait. */
bool wpc_caller_take (void);

bool wpc_caller_has_turn (void); /* else it is of no use to wait for what it says */

/* Takes what is there, one buffer full at most. Returns whether to go on. */
bool wpc_caller_goes_on (void);

const WpcCommands *wpc_caller_wishes (void);
const char *wpc_caller_why (void); /* to stop: "stop", "end of input", "signal", what wpc_caller_stop() said; NULL: go on */

/* As if the caller had said stop, unless it has. */
void wpc_caller_stop (const char *why);

/* Whether to wait on for a caller who last took something at that moment, by wpc_now_ms(). Looks up whether there is a word to stop. */
bool wpc_caller_may_wait (int64_t moved);

/* The caller says no words and is waited for as long as it has not closed its end: in a reader (readers.h), whose caller is the helper. */
void wpc_caller_is_silent (void);

/* All of it. Returns 0 or an errno: ETIMEDOUT when nobody takes it. */
int wpc_write (int fd, const void *data, size_t length);

int64_t wpc_now_ns (void); /* of the monotonic clock, which is the recording's */
int64_t wpc_now_ms (void);
