/* The collector-helper while it runs: what it is told, what it tells, how it ended. Private to this folder. */
#pragma once

#include "record/recorder.h"

#include <json-glib/json-glib.h>

typedef struct WpHelper WpHelper;

/* One of its messages; `kind` is "started", "progress", … */
typedef void (*WpHelperMessageFunc) (const char *kind, JsonObject *message, gpointer user_data);

/* It has ended, and all it said has been told. It may be freed within. */
typedef void (*WpHelperGoneFunc) (gpointer user_data);

/* Starts it with its standard output on `output`, which stays the caller's. Both functions are called from the main loop, and
 * neither after wp_helper_leave(), wp_helper_end() or wp_helper_free(). */
WpHelper *wp_helper_start (const WpRecordOptions *options, gboolean pkexec, int output, WpHelperMessageFunc message,
                           WpHelperGoneFunc gone, gpointer user_data, GError **error);

/* A line of its commands: "stop\n". Nothing, once it has ended. */
void wp_helper_say (WpHelper *self, const char *command);

/* Nobody listens any more: it ends by itself, when it comes to that. */
void wp_helper_leave (WpHelper *self);

/* Ends one that does not answer; what it has said is still told. */
void wp_helper_kill (WpHelper *self);

/* Tells it to stop, and ends a pkexec that still asks for the authorisation. */
void wp_helper_end (WpHelper *self);

/* Whether the error that it ended with may be none through pkexec. */
gboolean wp_helper_may_with_pkexec (const WpHelper *self);

/* Why it ended, for a user; of one that was started through pkexec and is still `starting`, also what that says. */
GError *wp_helper_error (const WpHelper *self, gboolean starting);

/* Leaves it, if that has not been done. */
void wp_helper_free (WpHelper *self);
