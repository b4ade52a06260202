/* The rows of a saved profile: for each table one list of fields, which both writing and reading follow.
 *
 * A field that is zero (none, false, empty) is not written; a missing one is zero when read, unless it is required. */
#pragma once

#include "base/json-reader.h"
#include "base/json-writer.h"
#include "trace/trace.h"

typedef enum
{
  WP_FIELD_INT32,
  WP_FIELD_INT64,
  WP_FIELD_ID,     /* WpId: of a row, or 0 */
  WP_FIELD_UINT32,
  WP_FIELD_UINT64,
  WP_FIELD_BYTE,   /* guint8, a number */
  WP_FIELD_BOOL,   /* guint8 */
  WP_FIELD_NAME,   /* guint8, one of `names` */
  WP_FIELD_FLAGS,  /* guint8: an array of `names`, one for each bit */
  WP_FIELD_STRING, /* WpId of the trace's strings */
  WP_FIELD_TEXT,   /* const char *: for other tools; checked, but not kept when read */
  WP_FIELD_TRACE,  /* guint32: {"chunk": "t17"} */
} WpFieldType;

typedef struct
{
  const char *key;
  WpFieldType type;
  gsize offset; /* in the row */
  gboolean required;
  const char *const *names;
  guint n_names;
} WpField;

typedef struct
{
  const char *name; /* as in "wakepath.operations" */
  const WpField *fields;
  guint n_fields;
  gsize row_size;
} WpTable;

/* An operation as it is written: WpOp.detail has a key of its own for each of its meanings. */
typedef struct
{
  WpOp op;
  WpId trace; /* sleep */
  WpId disk;  /* disk, disk queue */
  WpId net;   /* network */
} WpSavedOp;

typedef enum
{
  WP_RESOURCE_NONE,
  WP_RESOURCE_RUN, /* these five are parts: WpOpKind */
  WP_RESOURCE_SLEEP,
  WP_RESOURCE_DISK,
  WP_RESOURCE_DISK_QUEUE,
  WP_RESOURCE_NETWORK,
  WP_RESOURCE_SAMPLE,
  WP_RESOURCE_LINK,
  WP_RESOURCE_COUNT
} WpResourceKind;

/* A row of global.resources: a part, a sample or a link. Parts stand in the order of their ids, so that a parent comes
 * before its children and siblings come in time order. */
typedef struct
{
  const char *type;  /* "time" */
  guint8 kind;       /* WpResourceKind */
  gint64 amount;     /* ns */
  const char *uid;
  gint64 timestamp;  /* ns */
  gint32 pid, tid;
  const char *task;
  const char *category;
  gint64 self;       /* ns */
  WpId operation;
  WpId path, parent;
  WpId waits_path, waits_part;
  guint8 cut;
  WpId source, target;
  guint8 cause, horizontal;
  WpId device;       /* string */
  WpId trace;
} WpResource;

/* A control path as it is written; the rest of WpPath follows from the parts. */
typedef struct
{
  gint64 start, end;
  WpId task;
  guint32 lane;
  guint8 base, started;
} WpSavedPath;

/* A note, as it is read. */
typedef struct
{
  gint64 time;
  WpId text; /* string */
} WpSavedNote;

/* A frame of a chunk. */
typedef struct
{
  WpId function, module; /* strings */
  guint8 kernel, no_symbol;
} WpSavedFrame;

extern const WpTable wp_table_tasks, wp_table_operations, wp_table_disks, wp_table_nets, wp_table_lost, wp_table_interrupts, wp_table_notes, wp_table_events,
  wp_table_paths, wp_table_resources, wp_table_frames;

/* Writes one row as an object on the array that is open. */
void wp_table_write (const WpTable *self, WpJsonWriter *writer, const WpTrace *trace, gconstpointer row);

/* Reads one object into `row`, which is zeroed first. FALSE when the reader has failed. */
gboolean wp_table_read (const WpTable *self, WpJsonReader *reader, WpTrace *trace, gpointer row);

/* Reads the name of a chunk, "t17"; 0 when it is none. */
WpId wp_chunk_from_name (const char *name);

/* Moments and durations are limited to some 73 years, so that adding two of them cannot overflow. */
#define WP_SAVED_TIME_MAX (G_GINT64_CONSTANT (1) << 61)
#define WP_SAVED_TIME_MIN (-WP_SAVED_TIME_MAX)

/* "wakepath.version": a reader refuses what is newer than it knows. */
#define WP_PERUN_VERSION 1

/* The key of WpTrace.extra that says what a reopened profile was recorded as. */
#define WP_EXTRA_FORMAT "recorded-format"
