/* Racket's profiles as JSON (profile/render-json): call graphs, without the stacks that they were made of. */
#pragma once

#include "base/input.h"
#include "calls/calls.h"

gboolean wp_calls_json_is (const char *path); /* by its content */

/* Nodes and lists stay in their order. NULL and an error that names the file and the place in it. */
WpCalls *wp_calls_json_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);
WpCalls *wp_calls_json_open (const char *path, WpProgress *progress, GError **error);
