/* What is appended to a stream after the helper has ended: the recorded command, and what else we know of the
 * recording. Private to this folder. */
#pragma once

#include "record/recorder.h"

#define WP_FEATURE_CMDLINE 11
#define WP_FEATURE_WAKEPATH 200 /* ours: JSON; other readers skip it */

/* Appends both features to the file; the second in several records, whose members add up: `more` are further JSON objects.
 * `pid` 0: no command; `missing` may be NULL. */
gboolean wp_trailer_append (int fd, const WpRecordOptions *options, gint32 pid, const char *missing, GPtrArray *more,
                            GError **error);
