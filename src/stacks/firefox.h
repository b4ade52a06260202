/* Profiles of the Firefox Profiler: what it saves and samply writes (“processed”), and what Firefox itself gives (“Gecko”).
 * https://github.com/firefox-devtools/profiler: docs-developer/CHANGELOG-formats.md, src/types/profile.ts, src/types/gecko-profile.ts.
 *
 * Samples without a stack are left out: nothing was seen there. Weights are values of “samples”, “time” or “space”, by their type; what a
 * thread spent on CPUs since its sample before is a second type. Moments are nanoseconds since the profile's start. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

gboolean wp_firefox_is (const guint8 *data, gsize n);

/* Any version that has columns. NULL and an error that names the place: threads[2].samples.stack[17]. */
WpStacks *wp_firefox_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* The default type's values as weights, and the type “cpu”, where it is another one. Addresses are written as the format has them: within their
 * file. */
gboolean wp_firefox_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
