/* What was read of a recording, with the names of its functions, beside it: a file in the user's cache folder, "wakepath/opened", which nobody else can look
 * into. With it the same recording opens again without being read.
 *
 * It only saves reading, and is never trusted more than what it was made of. It holds as long as the recording is the same file, unchanged; the program is the
 * same, and so are its options and what of the environment has a say; and each file is as it was that was asked for names, for unwinding or for symbols of the
 * kernel, also one that was not there. One that does not hold, is cut or damaged is not used, and is made anew. */
#pragma once

#include "read/read.h"

typedef struct WpSidecar WpSidecar;

#define WP_SIDECAR_FOLDER "opened" /* below "wakepath" in the user's cache folder */

/* FALSE: none is used nor made, in the whole program, as where WAKEPATH_SIDECARS is "no" in the environment. */
void wp_sidecars_allow (gboolean allowed);

/* The sidecar of a recording as it would be read with these options, which may be NULL. NULL: there can be none. */
WpSidecar *wp_sidecar_new (const char *path, const WpReadOptions *options);

/* The trace as it was, named; NULL: it has to be read. From then on all that reading asks for is noted, until it is kept or freed. */
WpTrace *wp_sidecar_open (WpSidecar *self);

/* The trace was read, and named to the end: nothing more that is asked for counts. */
void wp_sidecar_end_reading (WpSidecar *self);

/* Keeps it; does nothing where it was opened from there. Not kept is what was read in less than WP_SIDECAR_SLOW, what could come out otherwise at any time, and what
 * would take too much room. */
#define WP_SIDECAR_SLOW (100 * G_TIME_SPAN_MILLISECOND) /* with WAKEPATH_SIDECARS "all": 0 */
void wp_sidecar_keep (WpSidecar *self, const WpTrace *trace);

/* The same on a thread of its own, which gives way to all others: but for its notes the trace must not change any more. */
void wp_sidecar_keep_aside (WpSidecar *self, const WpTrace *trace);

/* Frees it, and the trace that was opened or kept, which may be NULL; a thread that still keeps it stops and does so, and nothing is kept. NULL is fine. */
void wp_sidecar_free_with (WpSidecar *self, WpTrace *trace);
