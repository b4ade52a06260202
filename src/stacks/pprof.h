/* pprof's profile.proto: read and written whole. https://github.com/google/pprof/blob/main/proto/profile.proto has the format;
 * FORMAT.md what pprof makes of files that it leaves open. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

/* Whether these first bytes may be those of an unpacked profile. */
gboolean wp_pprof_is (const guint8 *data, gsize n);

/* NULL and G_IO_ERROR_INVALID_DATA, with the byte or the row that is wrong. `path` is for messages. */
WpStacks *wp_pprof_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* Writes a packed profile. Tables are written as they are; only texts have an order of their own. */
gboolean wp_pprof_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
