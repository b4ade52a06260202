/* From the records of a perf.data to the assembler. */
#pragma once

#include "read/perf/perf-lanes.h"

gboolean wp_perf_feed (WpPerfFile *file, WpPerfLanes *lanes, GError **error);
