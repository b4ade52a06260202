/* Call chains in two parts (since Linux 6.19; `perf record --call-graph fp,defer`). An event's sample has the kernel's part alone, and a cookie. The user's
 * part comes once, when the task is about to go back to its program, in a record of its own with that cookie: all samples since the task came
 * into the kernel share it. It may be lost, or never come: the task ended, or slept until the recording was over. */
#pragma once

#include "read/perf/perf-parts.h"
#include "read/perf/perf-queues.h"
#include "read/symbols/call-chains.h"

typedef struct WpPerfDeferred WpPerfDeferred;

gboolean wp_perf_is_deferred (const struct perf_event_attr *attr); /* whether this event's chains come so */
void wp_perf_attr_whole (struct perf_event_attr *attr);            /* no longer, nor does any record have a part of one */

/* Of the records that are indexed. NULL: no event's chains come in two parts. */
WpPerfDeferred *wp_perf_deferred_new (const WpPerfFile *file, const WpPerfQueues *queues);
void wp_perf_deferred_free (WpPerfDeferred *self);

/* Makes one chain of a sample's, of that thread at that time: with the user's part behind PERF_CONTEXT_USER, or, where there is none, without the cookie. It
 * is good until the next one. `self` may be NULL. */
void wp_perf_deferred_join (WpPerfDeferred *self, const WpPerfAttr *attr, gint32 tid, gint64 time, WpPerfSample *sample);

/* The same, with both parts where they stand in the file. FALSE: the chain does not come in two parts. Any thread may ask. */
gboolean wp_perf_deferred_split (const WpPerfDeferred *self, const WpPerfAttr *attr, gint32 tid, gint64 time, const WpPerfSample *sample, WpCallChain *chain);
