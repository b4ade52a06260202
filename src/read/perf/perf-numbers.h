/* The numbers in a perf.data beyond those of the kernel's (linux/perf_event.h): records that tools add, and features. */
#pragma once

#include <glib.h>

/* Of the kernel's, but younger than the headers that this builds with: they came with Linux 6.19. */
#define WP_PERF_RECORD_CALLCHAIN_DEFERRED 22                            /* u64 cookie, u64 n, n addresses; then who, when and where */
#define WP_PERF_CONTEXT_USER_DEFERRED ((guint64) -640)                  /* last but one in a chain: the cookie follows */
#define WP_PERF_ATTR_DEFER_CALLCHAIN (G_GUINT64_CONSTANT (1) << 38)     /* among an attribute's flags: its samples have cookies */
#define WP_PERF_ATTR_DEFER_OUTPUT (G_GUINT64_CONSTANT (1) << 39)        /* … and it writes these records */

/* … and with Linux 6.8. */
#define WP_PERF_SAMPLE_BRANCH_COUNTERS (1u << 19) /* of branches: a number of 64 bits each, behind all of them */

/* Types of records that tools add to what the kernel writes. */
enum
{
  WP_PERF_RECORD_USER_FIRST = 64,
  WP_PERF_RECORD_ATTR = 64,
  WP_PERF_RECORD_EVENT_TYPE = 65,
  WP_PERF_RECORD_TRACING_DATA = 66,
  WP_PERF_RECORD_BUILD_ID = 67,
  WP_PERF_RECORD_FINISHED_ROUND = 68,
  WP_PERF_RECORD_AUXTRACE = 71,
  WP_PERF_RECORD_EVENT_UPDATE = 78,
  WP_PERF_RECORD_FEATURE = 80,
  WP_PERF_RECORD_COMPRESSED = 81,
  WP_PERF_RECORD_COMPRESSED2 = 83,
  WP_PERF_RECORD_LAST = 96, /* no type is above: for recognizing damage */
};

#define WP_PERF_MISC_LOST_SAMPLES_BPF (1 << 15) /* of a LOST_SAMPLES record: a filter left them out, as it was to */
#define WP_PERF_MISC_BUILD_ID_SIZE (1 << 15) /* of a BUILD_ID record: it says how long the id is */

/* Features: numbered pieces about the whole recording, in a stream each in a record of its own, { perf_event_header; u64 number; content },
 * of type WP_PERF_RECORD_FEATURE. */
enum
{
  WP_PERF_FEATURE_TRACING_DATA = 1,
  WP_PERF_FEATURE_BUILD_ID = 2,
  WP_PERF_FEATURE_HOSTNAME = 3,
  WP_PERF_FEATURE_OSRELEASE = 4,
  WP_PERF_FEATURE_VERSION = 5,
  WP_PERF_FEATURE_ARCH = 6,
  WP_PERF_FEATURE_NRCPUS = 7,
  WP_PERF_FEATURE_CPUDESC = 8,
  WP_PERF_FEATURE_CPUID = 9,
  WP_PERF_FEATURE_CMDLINE = 11,
  WP_PERF_FEATURE_EVENT_DESC = 12,
  WP_PERF_FEATURE_DIR_FORMAT = 24,
  WP_PERF_FEATURE_COMPRESSED = 27,
  WP_PERF_FEATURE_RECORDER = 200,  /* ours: JSON about the recording; several records add up */
  WP_PERF_FEATURE_OWN_NAMES = 201, /* ours: trace/carried-names.h */
  WP_PERF_FEATURE_PAUSE = 202, /* ours: nothing was recorded from one time to another, 64 bits each; several add up */
  WP_PERF_FEATURE_WAIT = 205, /* ours: what a task waited in before the recording: its process and itself, 32 bits each; four
                               * texts, each with its final 0: its state's letter ("?": nobody knows whether it slept), its system
                               * call, the kernel's function that it slept in (or several, outermost first, divided by ';'), the
                               * number of the process that it is a child of. What is not known is empty */
  WP_PERF_FEATURE_RATE = 206, /* ours: from a time on so many CPU samples a second were taken, 64 bits each; several add up */
  WP_PERF_FEATURE_KERNEL_SYMBOLS = 207, /* ours: functions of the kernel, in lines as in kallsyms but for the address: it is
                                         * the distance from the one before, "-" in front of it where that is higher. Several make one text; zeros at the end are none of it */
};

/* Our features come in records of type WP_PERF_RECORD_EVENT_TYPE, which have the same shape, with this added to their number: `perf report`
 * refuses a stream with a feature that it does not know, but every perf skips these records, which are deprecated. Older recordings of ours
 * have them in feature records. */
#define WP_PERF_FEATURES_OWN G_GUINT64_CONSTANT (0x77616b6570617400)
