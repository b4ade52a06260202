/* Takes the running kernel's addresses out of a fresh recording of ours, in its place: what it says stays the same, but nobody who
 * gets the file learns where the kernel has its code and data (read/perf/kernel-moves.h). */
#pragma once

#include "base/progress.h"

/* The perf.data stream in this descriptor; `path` is by what it can be opened and `name` what messages call it. All records keep their size.
 * One that is cut off at the end goes. Never on the main thread. */
gboolean wp_veil_kernel (int fd, const char *path, const char *name, WpProgress *progress, GError **error);
