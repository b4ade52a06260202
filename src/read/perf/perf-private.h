/* The parts of the reader of perf.data: perf-file.c (header, attributes, features), perf-expand.c (compressed
 * records), perf-lanes.c (order of time), perf-parts.c (where things are in a record),
 * perf-formats.c (the formats of tracepoints), perf-decoder.c (their fields), perf-names.c (names of devices and files),
 * perf-feeder.c (what each record means), perf-unwind.c (call chains from stack bytes). */
#pragma once

#include "base/bytes.h"
#include "base/json-reader.h"
#include "read/perf/perf-numbers.h"
#include "read/read-private.h"
#include "read/symbols/address-spaces.h"
#include "read/symbols/builds.h"
#include "read/symbols/kernel-symbols.h"
#include "read/tracepoints.h"
#include "read/unwind/unwind.h"

#include <linux/perf_event.h>
#include <traceevent/event-parse.h>

/* struct perf_event_header, wherever it stands: streams hold records whose size is no multiple of 8. */
typedef struct
{
  guint32 type;
  guint16 misc, size;
} __attribute__ ((packed)) WpRecord;

#define WP_FIELDS_MAX 12 /* of one shape */

/* Where one field stands in the raw data. */
typedef struct
{
  guint16 offset, size; /* size 0: the event has no such field */
  guint8 dynamic;       /* offset and length are in the field: __data_loc */
  guint8 is_signed;
} WpPerfField;

/* What is known of one event type. */
typedef struct
{
  struct perf_event_attr attr;
  WpId name;          /* string */
  guint32 counted;    /* see wp_reader_count_event() */
  guint8 kind;        /* WpEventKind */
  guint8 resolved;    /* name and fields have been looked up */
  guint8 has_flags;   /* `flags` is where the interrupt context stands */
  guint32 group;      /* 0: no other event type is of the same tracepoint */
  gint16 id, tid, time, cpu; /* offsets in a sample behind its header; -1 none */
  gint16 chain;       /* where what varies in size begins */
  gint16 tail_id, tail_tid, tail_time, tail_cpu; /* offsets from the end of other records; -1 none */
  WpPerfField flags;
  WpPerfField fields[WP_FIELDS_MAX]; /* in the order of the shape */
  const WpTracepoint *tracepoint;
} WpPerfAttr;

/* One record in the order of time. */
typedef struct
{
  gint64 time;
  guint64 offset;
} WpPerfEntry;

/* The records of one CPU. */
typedef struct
{
  WP_ARRAY (WpPerfEntry) entries;
  guint32 cpu;      /* G_MAXUINT32: records that do not say where they come from */
  guint32 next;     /* the first one left */
  gboolean unsorted;
} WpPerfLane;

/* The row of its lane. */
static inline guint32
wp_perf_lane (guint32 cpu)
{
  return cpu == G_MAXUINT32 ? 0 : cpu + 1;
}

/* Lanes with something left: a heap, the one with the earliest record first. */
typedef WP_ARRAY (WpPerfLane) WpPerfMerge;

/* A task that existed before the recording. */
typedef struct
{
  gint32 tid, pid;
  WpId comm;
} WpPerfKnown;

/* What was told last of one tracepoint on one CPU. */
typedef struct
{
  const WpPerfAttr *attr;
  const guint8 *raw;
  gsize n;
} WpPerfTold;

typedef struct WpPerfUnwind WpPerfUnwind;

typedef struct
{
  WpReader *reader;
  WP_ARRAY (WpPerfAttr) attrs;
  WpPairMap resolved; /* tracepoint's number, in halves → row of the first event type of it + 1 */
  WpPairMap ids; /* of events, in halves → row of their type + 1 */
  guint64 data_start, data_end; /* the records */
  struct tep_handle *tep;
  guint32 n_formats;
  gboolean has_tracing_data;
  WpKernelSymbols *kernel;
  WpSpaces *spaces;
  WpBuilds *builds; /* of the files that are mapped */
  WP_ARRAY (WpPerfLane) lanes;
  WpPerfMerge merge;
  guint64 n_entries;
  WP_ARRAY (WpPerfKnown) known;
  GHashTable *parents;     /* pid → its parent, of those that existed before */
  guint32 n_groups;        /* of event types that are of the same tracepoint */
  WpPairMap told_rows;     /* CPU, group → row of `told` + 1 */
  WP_ARRAY (WpPerfTold) told;
  WP_ARRAY (const WpRecord *) early; /* records without a time, in their order */
  const WpCfiArch *arch;   /* of the recorded machine; NULL: one whose stacks are not unwound */
  WpPerfUnwind *unwind;    /* NULL: no event has stack bytes */
  gboolean tracepoints;    /* some events are tracepoints */
  gboolean is_part;        /* of a folder: its events are in the files beside it */
  gboolean timed;          /* some event type says when and where */
} WpPerf;

typedef struct
{
  gint32 pid, tid;
  gint64 time; /* 0: made up by the recorder before the first event */
  guint32 cpu; /* G_MAXUINT32: not said */
} WpPerfWhere;

/* perf.c */
void wp_perf_init (WpPerf *self, WpReader *reader);
void wp_perf_clear (WpPerf *self);

/* perf-file.c */
gboolean wp_perf_take_number (WpJsonReader *reader, gint64 *number); /* takes a value; FALSE: it is no whole number of 64 bits */
gboolean wp_perf_open (WpPerf *self, GError **error); /* header, attributes and what stands outside of the records */
void wp_perf_add_attr (WpPerf *self, const guint8 *data, gsize size, const guint8 *ids, gsize n_ids);
void wp_perf_feature (WpPerf *self, guint64 feature, const guint8 *data, gsize size);
void wp_perf_build_id (WpPerf *self, const guint8 *record, gsize size);
void wp_perf_event_update (WpPerf *self, const guint8 *record, gsize size);
WpPerfAttr *wp_perf_attr_of_id (WpPerf *self, guint64 id); /* NULL: unknown */

/* perf-expand.c: puts what compressed records hold in their place; then `reader->data` is what holds the records. */
gboolean wp_perf_expand (WpPerf *self, GError **error);
guint64 wp_perf_trailing (const WpRecord *header);

/* perf-lanes.c: finds the records, takes in what describes others, and puts the rest in the order of time. */
typedef void (*WpPerfEarlyFunc) (WpPerf *self, const WpRecord *header); /* a record without a time */
gboolean wp_perf_index (WpPerf *self, WpPerfEarlyFunc early, GError **error);
gboolean wp_perf_plausible (const WpPerf *self, guint64 offset);      /* whether a record may begin here */
guint64 wp_perf_resynchronize (const WpPerf *self, guint64 offset);   /* the next place behind where records follow one another */
void wp_perf_begin_merge (WpPerf *self); /* of all lanes as they are; any number of times */
gboolean wp_perf_next (WpPerf *self, WpPerfEntry *entry); /* merged; FALSE at the end */
/* Who, when and where; FALSE for a record that is too short. */
gboolean wp_perf_where (WpPerf *self, const WpRecord *header, WpPerfWhere *where, WpPerfAttr **attr);

/* perf-parts.c */
typedef struct
{
  const guint8 *chain; /* addresses of 64 bits */
  gsize n_chain;
  const guint8 *raw;
  gsize n_raw;
  WpUserState user;
  const guint8 *chain_part, *behind_chain; /* the call chain with its length; empty where the event has none */
  const guint8 *user_part, *behind_user;   /* registers and stack bytes, the same way */
} WpPerfSample;

typedef struct
{
  gint32 pid;
  gboolean is_kernel, is_data;
  guint64 start, size;
  guint64 offset;       /* in the file; 0 of what is no file. Of the kernel's: the address of its reference symbol */
  const char *module;   /* the path, "[anon:PID]", … */
  const char *build_id; /* as wp_builds_find() tells it */
  char path[4096];
  char hex[41];
} WpPerfMapping;

/* Of a COMM, FORK or EXIT record. */
typedef struct
{
  gint32 pid, tid;
  gint32 parent, parent_tid; /* not of COMM */
  gboolean exec;             /* COMM: a program begins, with memory of its own */
} WpPerfTask;

gboolean wp_perf_task (const WpRecord *header, WpPerfTask *task); /* FALSE: it is damaged, or another record */
void wp_perf_task_spaces (WpPerf *self, const WpRecord *header, const WpPerfTask *task); /* what becomes of the process' memory */

/* FALSE: the record is damaged. */
gboolean wp_perf_sample (const WpPerfAttr *attr, const WpRecord *header, WpPerfSample *sample);
gboolean wp_perf_mapping (const WpPerf *self, const WpRecord *header, WpPerfMapping *mapping); /* MMAP, MMAP2; behind the index */
void wp_perf_note_mapped (WpPerf *self, const WpRecord *header); /* MMAP2: which file has which path, for the builds */

/* perf-unwind.c. Begins with the early records and ends with wp_perf_unwind_free(). Between, either of two ways: */
gboolean wp_perf_has_stacks (const WpPerfAttr *attr); /* whether these events have stack bytes */
WpPerfUnwind *wp_perf_unwind_new (WpPerf *self);
void wp_perf_unwind_free (WpPerfUnwind *self);

/* One: each record in the order of time, on one thread. A sample of an event with stack bytes gets its whole call chain, as perf
 * would have recorded it, in `chain` (room for WP_PERF_CHAIN_MAX); all others give 0. */
#define WP_PERF_CHAIN_MAX (8192 + 1 + WP_STACK_DEPTH_MAX)
gsize wp_perf_unwind_record (WpPerfUnwind *self, const WpPerfEntry *entry, guint64 *chain, WpUnwindEnd *end);
void wp_perf_unwind_ahead (const WpPerfUnwind *self, const WpPerfEntry *entry, const WpPerfEntry *later); /* a hint: soon */

/* Two: wp_perf_next() with the unwinding done ahead on a thread of its own. */
typedef struct
{
  const guint64 *chain; /* valid until the next call */
  gsize n;              /* 0: as recorded */
  WpUnwindEnd end;
} WpPerfChain;
gboolean wp_perf_unwind_next (WpPerfUnwind *self, WpPerfEntry *entry, WpPerfChain *chain);

/* perf-formats.c */
void wp_perf_tracing_data (WpPerf *self, const guint8 *data, gsize size);
void wp_perf_local_formats (WpPerf *self); /* the running kernel's, where the recording lost its own */

/* perf-decoder.c */
void wp_perf_resolve_attr (WpPerf *self, WpPerfAttr *attr);
guint64 wp_perf_number (const WpPerfField *field, const WpPerfSample *sample); /* 0 where there is no such field */
gboolean wp_perf_fields (WpPerf *self, const WpPerfAttr *attr, const guint8 *raw, gsize size, WpEvent *event);

/* perf-twice.c */
void wp_perf_find_same (WpPerf *self); /* once, when all event types are known */
/* Whether another event type of the same tracepoint told of this firing just before. Data stay where they are until the end. */
gboolean wp_perf_told_already (WpPerf *self, const WpPerfAttr *attr, guint32 cpu, const guint8 *raw, gsize n);

/* perf-names.c: names of block devices and files. */
gboolean wp_perf_take_names (WpPerf *self, const char *key, WpJsonReader *reader); /* "devices", "files" of our own feature, read whole; FALSE: another key */
void wp_perf_mapped_file (WpPerf *self, const WpRecord *header);               /* MMAP2 */
void wp_perf_local_devices (WpPerf *self); /* where the recording names none: this machine's, if it was here and in this boot */

/* perf-feeder.c */
gboolean wp_perf_assemble (WpPerf *self, GError **error);
void wp_perf_early_record (WpPerf *self, const WpRecord *header);

static inline void
wp_perf_damaged (WpPerf *self)
{
  self->reader->trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS]++;
}
