/* What the helper tells its caller: one JSON object a line on standard error. "message" says what; the other keys:
 *
 *   started  events (names got), missing ([{name, why, loss}]), cpus, buffer_kb, readers, sampling ("cycles", "cpu-clock" or ""), rate,
 *            chosen_threads (whose CPU samples can be taken alone; 0: everybody's are, whatever is asked for)
 *   progress bytes, events, lost     (so far; a few times a second, left out while nobody reads), rate (as in started),
 *            commands (how many of the caller's lines have been followed)
 *   paused, resumed                  (the same)
 *   full     missing, as in started: the recording has become as large as it may, and stopped follows
 *   stopped  as progress, and why ("stop", "end of input", "signal", "size"): the stream is complete
 *   error    code, text: the program ends. Codes: "usage", "tracefs", "permission", "perf", "memory", "output", "busy", "stopped"
 *
 * Whoever says something is answered by progress, paused or resumed, unless stopped comes first. At `bytes` a round ends: so much of the stream
 * is whole by itself, and has what had happened when the last of these commands came.
 */
#pragma once

#include "buffer.h"

#include <stdbool.h>

typedef struct
{
  uint64_t bytes;
  uint64_t events;
  uint64_t lost;
  uint64_t commands; /* followed */
  uint64_t rate;     /* of CPU samples */
} WpcCounters;

void wpc_json_string (WpcBuffer *line, const char *text); /* quoted and escaped */
void wpc_json_escape (WpcBuffer *line, const char *text); /* escaped alone */
void wpc_json_text (WpcBuffer *line, const char *text);   /* as it is */
void wpc_json_number (WpcBuffer *line, const char *key, uint64_t value); /* ,"key":value */

void wpc_send (const char *data, size_t len); /* to standard error */

/* progress, paused, resumed, stopped; why may be NULL. Uses no memory of the heap. */
void wpc_send_counters (const char *message, const WpcCounters *counters, const char *why);

/* Notes why the program ends, the first time; format gives the text. Returns 1, the exit status. Nothing is written: what the caller has
 * put behind its descriptors is nobody's to touch who has privileges. Uses no memory of the heap. */
int wpc_fail (const char *code, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

int wpc_fail_output (int error); /* the same for an errno of writing the recording */

void wpc_tell_failure (void); /* what was noted, once there are no privileges: {"message":"error",…} */

bool wpc_somebody_reads (void); /* standard error would take a line without blocking */
