/* A perf.data file: where its records are, which events it has, and what it says about the recording as a whole.
 *
 * Who reads one opens it, expands it (perf-expand.h) where it may be compressed, puts its records in order (perf-queues.h), and walks through
 * them. The bytes, the trace and the options are the reader's, which must outlive the file.
 *
 * perf-file.c holds the header and the walk over records, perf-attrs.c the attributes of events, perf-features.c what is said about the
 * recording. */
#pragma once

#include "base/bytes.h"
#include "base/pair-map.h"
#include "read/perf/perf-formats.h"
#include "read/perf/perf-numbers.h"
#include "read/read-private.h"
#include "read/symbols/kernel-symbols.h"
#include "read/unwind/cfi.h"

#include <linux/perf_event.h>

/* struct perf_event_header, wherever it stands: streams hold records whose size is no multiple of 8. */
typedef struct
{
  guint32 type;
  guint16 misc, size;
} __attribute__ ((packed)) WpPerfRecord;

/* One event type, and where the fixed parts of its records are. */
typedef struct
{
  struct perf_event_attr attr;
  WpId name;                 /* string; 0: none is said */
  gint16 id, tid, time, cpu, period; /* offsets in a sample behind its header; -1 none */
  gint16 chain;              /* where what varies in size begins */
  gint16 tail_id, tail_tid, tail_time, tail_cpu; /* offsets from the end of other records; -1 none */
} WpPerfAttr;

/* The recorder was told to record nothing then, by the recording's clock. */
typedef struct
{
  gint64 start, end;
} WpPerfPause;

/* So many CPU samples a second were taken from then on, by the recording's clock. */
typedef struct
{
  gint64 time, rate;
} WpPerfRate;

#define WP_PERF_WAIT_FUNCTIONS_MAX 16

/* What a task waited in before the recording. */
typedef struct
{
  gint32 pid, tid, parent; /* as of a WpKnownWait */
  WpId call, functions; /* strings, or 0; functions are the kernel's, outermost first, divided by ';' */
  guint8 state;        /* WpState */
} WpPerfWait;

typedef struct
{
  WpReader *reader;
  guint64 data_start, data_end; /* the records */
  WP_ARRAY (WpPerfAttr) attrs;  /* rows that others keep tables by */
  WpPairMap ids;                /* an event's id, as two numbers of 32 bits → row of its type + 1 */
  WpPerfFormats *formats;       /* of tracepoints */
  WpKernelSymbols *kernel;
  WpBuilds *builds;             /* of the files that are mapped: the options' or its own */
  const WpCfiArch *arch;        /* of the recorded machine; NULL: one whose stacks are not unwound */
  gboolean is_part;             /* of a folder: its events are in the files beside it */
  WP_ARRAY (WpPerfPause) pauses; /* apart, in the order of time, once all records are found */
  WP_ARRAY (WpPerfRate) rates;   /* by time, once all records are found */
  WP_ARRAY (WpPerfWait) waits;
  GString *kernel_parts; /* of the kernel's symbols, where they come in records; NULL: none, or all are known */
  char *kernel_text;     /* what became of them, or NULL */
} WpPerfFile;

void wp_perf_file_init (WpPerfFile *self, WpReader *reader);
void wp_perf_file_clear (WpPerfFile *self);

/* Header, attributes, and what stands outside of the records. */
gboolean wp_perf_file_open (WpPerfFile *self, GError **error);

gboolean wp_perf_is_stream (const WpReader *reader); /* whether what is open is a stream, as the helper writes it, and not in file mode */

/* From here on the records are all of this file's bytes. */
gboolean wp_perf_file_replace (WpPerfFile *self, int fd, GError **error);

/* --- walking over records ----------------------------------------------------------------------------------------- */

static inline const WpPerfRecord *
wp_perf_file_record (const WpPerfFile *self, guint64 offset)
{
  return (const WpPerfRecord *) (self->reader->data + offset);
}

guint64 wp_perf_trailing (const WpPerfRecord *header); /* the bytes behind a record that belong to it; may be more than are left */
gboolean wp_perf_file_plausible (const WpPerfFile *self, guint64 offset);    /* whether a record may begin here */
gboolean wp_perf_file_cut_off (const WpPerfFile *self, guint64 offset);      /* whether one may that is longer than what is left */
guint64 wp_perf_file_resynchronize (const WpPerfFile *self, guint64 offset); /* the next place behind where records follow one another */

static inline void
wp_perf_file_damaged (const WpPerfFile *self)
{
  self->reader->trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS]++;
}

/* --- event types (perf-attrs.c) ----------------------------------------------------------------------------------- */

/* `data` is a perf_event_attr of `size` bytes, `ids` are the events of this type. No file has more types than a row of so many bits; what is beyond is damaged. */
#define WP_PERF_ATTR_BITS 22
void wp_perf_file_add_attr (WpPerfFile *self, const guint8 *data, gsize size, const guint8 *ids, gsize n_ids);
WpPerfAttr *wp_perf_file_attr_of_id (const WpPerfFile *self, guint64 id); /* NULL: unknown */

typedef struct
{
  gint32 pid, tid; /* -1: not said */
  gint64 time;     /* 0: made up by the recorder before the first event */
  guint32 cpu;     /* G_MAXUINT32: not said */
} WpPerfWhere;

/* Of a record that wp_perf_file_where() knew: who. */
void wp_perf_who (const WpPerfAttr *attr, const WpPerfRecord *header, gint32 *pid, gint32 *tid);

/* Who, when, where, and which event type (NULL: unknown); FALSE for a record that is too short. */
gboolean wp_perf_file_where (const WpPerfFile *self, const WpPerfRecord *header, WpPerfWhere *where, const WpPerfAttr **attr);

/* --- what is said about the recording (perf-features.c) ------------------------------------------------------------ */

void wp_perf_file_feature (WpPerfFile *self, guint64 feature, const guint8 *data, gsize size);

void wp_perf_file_take_kernel_symbols (WpPerfFile *self); /* once all records are found */

/* Takes in a record of a tool's. Returns how many bytes behind it belong to it, G_MAXUINT64 when they are cut off. */
guint64 wp_perf_file_describe (WpPerfFile *self, const WpPerfRecord *header);
