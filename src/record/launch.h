/* How the collector-helper is started: by itself where that suffices, else through pkexec; and what to tell the user
 * when it could not be. Private to this folder. */
#pragma once

#include "record/recorder.h"

/* Starts the helper with its standard output on `output` (which stays the caller's) and pipes to its standard input and
 * error. */
GSubprocess *wp_launch_helper (const WpRecordOptions *options, gboolean pkexec, int output, GError **error);

/* Whether a helper that failed directly with this error code may do better through pkexec. */
gboolean wp_launch_worth_pkexec (const char *code);

/* What the helper's own error, by its code, means to a user. */
GError *wp_launch_helper_error (const char *code, const char *text);

/* What there is to do where the kernel refuses a recording: in a container, under a lockdown, … `root` is put in front of the files that
 * tell. */
const char *wp_launch_forbidden_by (const char *root);

/* What an end of pkexec without a helper means: its exit status and what it said, when these stacks were asked for. */
GError *wp_launch_pkexec_error (int status, const char *said, WpStackMode stacks);
