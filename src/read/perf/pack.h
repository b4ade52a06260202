/* Turns a finished recording of ours, a perf.data stream, into what other readers of perf.data expect: file mode, compressed or not.
 *
 * Readers of streams are fewer than readers of files: `perf report` and `perf sched` want the attributes and the formats of events before the first
 * event, and hotspot the tables of a file. Layouts: tools/perf/Documentation/perf.data-file-format.txt.
 *
 * - Attributes and features (our trailer's command line, the build ids, the formats of events) go from records into the tables of a file.
 * - All other records stay as they are and in their order, ours among them; compressed, in records of type COMPRESSED (zstd).
 * - Attributes of one event are one: readers look for events by name, and take the first one for all of them.
 * - Where any event has stacks all have, though empty ones: `perf sched timehist` shows none otherwise. Each sample says where it was taken
 *   (PERF_SAMPLE_IP): the innermost address of its stack, or 0. Scripts that ask for `ip` are refused without it.
 * - Of the kernel's symbols only functions are kept, in records of ours (WP_PERF_FEATURE_KERNEL_SYMBOLS): no other reader uses those that come with
 *   the formats, and there they would be uncompressed, the larger part of a short recording. */
#pragma once

#include "base/progress.h"

/* Writes it into a file that is open and empty, stays open and is there on failure, too. `from`: the stream, `to`: the new file's name in messages. A
 * stream that is damaged or cut off is refused. Never on the main thread. */
gboolean wp_pack_into (const char *from, int fd, const char *to, gboolean compress, WpProgress *progress, GError **error);
