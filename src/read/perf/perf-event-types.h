/* What the event types of a file mean, and where the fields of its tracepoints are. */
#pragma once

#include "read/perf/perf-file.h"
#include "read/tracepoints.h"
#include "trace/assembler.h"

#define WP_FIELDS_MAX 12 /* of one shape */

/* Where one field stands in the raw data. */
typedef struct
{
  guint16 offset, size; /* size 0: the event has no such field */
  guint8 dynamic;       /* offset and length are in the field: __data_loc */
  guint8 is_signed;
} WpPerfField;

/* What an event type means. */
typedef struct
{
  WpId name;        /* string */
  WpEventKind kind;
  gboolean has_flags; /* `flags` is where the interrupt context stands */
  WpPerfField flags;
  WpPerfField fields[WP_FIELDS_MAX]; /* in the order of the shape */
  const WpTracepoint *tracepoint;    /* NULL: none that we know */
} WpPerfEventType;

typedef struct WpPerfEventTypes WpPerfEventTypes;

/* When all event types of the file are known; counts those of which not every firing was recorded. */
WpPerfEventTypes *wp_perf_event_types_new (const WpPerfFile *file);
void wp_perf_event_types_free (WpPerfEventTypes *self);

const WpPerfEventType *wp_perf_event_type (const WpPerfEventTypes *self, guint32 row); /* of the file's attribute in this row */

/* The type of a task switch; NULL: it is another event, or one that was not known when these were made. */
const WpPerfEventType *wp_perf_switch_type (const WpPerfEventTypes *self, const WpPerfAttr *attr);
