/* What perf.data calls features and both its readers and its writers here need: numbered pieces about the whole recording, in a stream
 * each in a record of its own, { perf_event_header; u64 number; content }, of type PERF_RECORD_HEADER_FEATURE. */
#pragma once

#include <glib.h>

enum
{
  WP_FEATURE_CMDLINE = 11,
  WP_FEATURE_RECORDER = 200,  /* ours: JSON about the recording; several records add up */
  WP_FEATURE_OWN_NAMES = 201, /* ours: trace/carried-names.h */
};

/* Ours come in records of type PERF_RECORD_HEADER_EVENT_TYPE, which have the same shape, with this added to their number: `perf report`
 * refuses a stream with a feature it does not know, but every perf skips these since they are deprecated. Recordings of
 * before had them in feature records. */
#define WP_FEATURES_OWN G_GUINT64_CONSTANT (0x77616b6570617400)
