/* From the raw bytes of tracepoints to events. */
#pragma once

#include "read/perf/perf-event-types.h"

/* Fills in what a tracepoint's fields say; FALSE: they are damaged. Texts are interned in `strings`. */
gboolean wp_perf_decode (WpStrings *strings, const WpPerfEventType *type, const guint8 *raw, gsize n, WpEvent *event);
