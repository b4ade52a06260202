/* Compressed records (`perf record -z`): one zstd stream that goes on from record to record, with what the kernel wrote in it; a record of the
 * kernel's may reach from one compressed record into the next. */
#pragma once

#include "read/perf/perf-file.h"

/* Puts what compressed records hold in their place, where there are any. */
gboolean wp_perf_expand (WpPerfFile *file, GError **error);
