/* Turns a fresh recording that holds registers and stack bytes into one that holds frames.
 *
 * Stack bytes hold other people's memory and are most of such a file: they are unwound once, right after recording, and
 * not kept. What comes out is a perf.data stream like the one that went in; in it each event that had registers and stack bytes
 * has a call chain instead (kernel part as it was, user part unwound), its attribute says so, and all else is as before. */
#pragma once

#include "base/progress.h"
#include "read/symbols/builds.h"

typedef struct
{
  guint64 stacks;      /* that were unwound */
  guint64 whole;       /* of those, the ones that reach their program's entry */
  guint64 completed;   /* others, which an earlier stack of the same thread completed */
  guint64 bytes_in, bytes_out;
} WpCondenseStats;

/* Writes the condensed recording into a file that is open, stays so and is there on failure, too; `to` is its name in messages. A recording
 * that is cut off anywhere is condensed up to the cut. Records without a stack are copied as they are, in their order. `builds`: what is
 * known of mapped files, or NULL; so may `stats` and `progress` be. Never on the main thread. */
gboolean wp_condense_into (const char *from, int fd, const char *to, WpBuilds *builds, WpCondenseStats *stats,
                           WpProgress *progress, GError **error);
