/* The names that a recording is to bring along (trace/carried-names.h), found when it ends, while its programs are there. */
#pragma once

#include "base/progress.h"
#include "read/symbols/builds.h"

/* Texts (GByteArray) with the names of the user frames in all stacks of this recording, a perf.data; nothing is fetched from
 * elsewhere. NULL and an error: it cannot be read, or was cancelled. One pass over the records; then as much of the names as can be
 * found within `patience_us`. `builds`: what is known of mapped files. */
GPtrArray *wp_recording_carry_names (const char *path, WpBuilds *builds, gint64 patience_us, WpProgress *progress, GError **error);
