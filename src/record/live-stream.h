/* What somebody who looks at a recording while it is made reads of it: its last seconds, in a copy without memory of others, with fewer CPU
 * samples and, of processes that are not looked at, without user stacks that would have to be unwound, so that each look costs little. Each byte of the recording is looked at once; the copy is a file without a name that does not grow
 * beyond the longest window. All on one thread at a time. */
#pragma once

#include "base/progress.h"
#include "record/tail.h"

#define WP_LIVE_SECONDS_MAX 30
#define WP_LIVE_APART_NS 3900000 /* from one CPU sample to the next on a CPU, at least: that is 250 a second */

typedef struct WpLiveStream WpLiveStream;

/* `from`: the stream as the helper writes it, which is duplicated; `output`: what it is to become, beside which there is room for files. */
WpLiveStream *wp_live_stream_new (int from, const char *output, GError **error);
void wp_live_stream_free (WpLiveStream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLiveStream, wp_live_stream_free)

/* See tail.h. */
void wp_live_stream_watch_family (WpLiveStream *self, gint32 pid);
gboolean wp_live_stream_is_family (const WpLiveStream *self, gint32 pid);

/* From here on only the user stacks of this process and of the family are unwound, where they are copies; 0 and no family: all. */
void wp_live_stream_choose (WpLiveStream *self, gint32 pid);

/* Up to `whole` bytes, the end of a round, the stream is whole. What came since the last time is wanted no further back than the last `ns`. */
gboolean wp_live_stream_follow (WpLiveStream *self, guint64 whole, gint64 ns, WpProgress *progress, GError **error);

/* The last `ns` as a recording of its own (tail.h). */
gboolean wp_live_stream_write (WpLiveStream *self, gint64 ns, int fd, GError **error);
