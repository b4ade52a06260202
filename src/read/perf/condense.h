/* Turns a fresh recording that holds registers and stack bytes, or stacks in two parts (perf-deferred.h), into one that holds frames.
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

/* Whether the stacks of a stream come in two parts: what was made before Linux 6.19 cannot read them. FALSE, too, where it cannot be read. */
gboolean wp_condense_joins (const char *path);

/* Writes the condensed recording into a file that is open, stays so and is there on failure, too; `to` is its name in messages. A recording
 * that is cut off anywhere is condensed up to the cut. Records without a stack are copied as they are, in their order. `builds`: what is
 * known of mapped files, or NULL; so may `stats` and `progress` be. Never on the main thread. */
gboolean wp_condense_into (const char *from, int fd, const char *to, WpBuilds *builds, WpCondenseStats *stats,
                           WpProgress *progress, GError **error);

/* The same of a recording that grows, piece by piece: each is looked at once, and what was learnt of files and threads before serves the next
 * one. All on one thread at a time. */
typedef struct WpCondensing WpCondensing;

/* `from` is the stream, `to` an empty file; both stay the caller's. Of CPU samples, those that come sooner than `apart` ns after the last one on
 * their CPU are left out; 0: none. */
WpCondensing *wp_condensing_new (int from, int to, gint64 apart);
void wp_condensing_free (WpCondensing *self);

/* Only the stacks of wanted processes are unwound from here on; of others, the kernel's part is left. `forked` is told of each process that is
 * forked, about in the order of time, before it is asked whether that one is wanted. */
typedef struct
{
  void (*forked) (gint32 parent, gint32 child, gpointer user_data);
  gboolean (*wanted) (gint32 pid, gpointer user_data);
  gpointer user_data;
} WpCondensingChoice;
void wp_condensing_choose (WpCondensing *self, const WpCondensingChoice *choice);

/* Up to `whole` bytes, the end of a round, the stream is whole. Of what came since the last time, samples older than the last `ns` are left out,
 * but for the last task switch of each task among them: it says in what who has slept since sleeps.
 * `written`: so many bytes the condensed one has, and is whole. */
gboolean wp_condensing_go_on (WpCondensing *self, guint64 whole, gint64 ns, guint64 *written, WpProgress *progress, GError **error);
