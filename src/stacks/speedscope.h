/* speedscope's own format: https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources has its schema.
 *
 * Each of its profiles is a thread here. Times are kept in nanoseconds, whatever the unit of a profile is; sizes in bytes; weights without a unit as
 * counts. Profiles of different units are value types of one. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

gboolean wp_speedscope_is (const guint8 *data, gsize n);

/* Sampled and evented profiles. NULL and an error that names the place: profiles[2].events[17]. */
WpStacks *wp_speedscope_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* The default type's values: a sampled profile for each thread. */
gboolean wp_speedscope_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
