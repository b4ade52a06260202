/* From the records of a perf.data to the assembler. */
#pragma once

#include "read/perf/perf-queues.h"

gboolean wp_perf_feed (WpPerfFile *file, WpPerfQueues *queues, GError **error);
