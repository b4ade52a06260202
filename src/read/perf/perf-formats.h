/* The formats of tracepoints, as a recording brings them along or as the running kernel has them. */
#pragma once

#include "base/diagnostics.h"

#include <traceevent/event-parse.h>

typedef struct WpPerfFormats WpPerfFormats;

WpPerfFormats *wp_perf_formats_new (WpDiagnostics *diagnostics); /* counts damaged ones there */
void wp_perf_formats_free (WpPerfFormats *self);

/* Takes them from tracing data, in place of those that were there. `symbols`, of `n_symbols` bytes, is the kernel's own list of its symbols
 * within the data; NULL: none. */
void wp_perf_formats_read (WpPerfFormats *self, const guint8 *data, gsize size, const char **symbols, gsize *n_symbols);
void wp_perf_formats_read_local (WpPerfFormats *self); /* the running kernel's, of the tracepoints that we know */
gboolean wp_perf_formats_any (const WpPerfFormats *self); /* whether there have been any */

/* The tracepoint of this number; NULL: unknown. */
struct tep_event *wp_perf_formats_find (const WpPerfFormats *self, guint64 number);
