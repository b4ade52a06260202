/* From the raw bytes of tracepoints to events. */
#pragma once

#include "read/perf/perf-event-types.h"

/* The names of a shape's fields in the order that decoding takes them: WP_FIELDS_MAX, or fewer and NULL. "s_dev|dev" is the first of these
 * that the event has. */
const char *const *wp_perf_shape_fields (WpShape shape);

/* Of a task switch: who leaves the CPU in which state, and who comes; no names. FALSE: it is damaged, or no task switch. */
gboolean wp_perf_decode_switch (const WpPerfEventType *type, const guint8 *raw, gsize n, WpEvent *event);

/* Fills in what a tracepoint's fields say; FALSE: they are damaged. Texts are interned in `strings`. */
gboolean wp_perf_decode (WpStrings *strings, const WpPerfEventType *type, const guint8 *raw, gsize n, WpEvent *event);
