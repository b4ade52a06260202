/* A perf.data stream taken apart into its records, and put together again without some of them. */
#pragma once

#include "base/array.h"

typedef struct
{
  gsize offset, size;   /* with what follows the record itself (tracing data) */
  guint32 type;         /* PERF_RECORD_* */
  gint32 cpu;           /* -1: not known */
  gint64 time;          /* ns, -1: none */
  gsize time_at;        /* where in the record its time stands */
  guint32 event;        /* row of `events`, 0: no sample */
  gboolean dropped;     /* left out by stream_write() */
} Record;

typedef struct
{
  char *name;           /* "sched_switch", "cpu-clock" for what is no tracepoint */
  guint64 sample_type;
  guint64 id;           /* the first of its ids: names it in a LOST record */
} Event;

typedef struct
{
  GByteArray *data;
  WP_ARRAY (Record) records;
  WP_ARRAY (Event) events; /* one for each attribute; row 0 is empty */
  GHashTable *by_id;       /* sample id → row of `events` */
  guint32 n_cpus;
  gint64 start, end;       /* of its events */
} Stream;

/* Only streams with an identifier in every record, which is what the recorder writes; fails for anything else. */
Stream *stream_new (const char *path, GError **error);
void stream_free (Stream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stream, stream_free)

/* An event of the system under observation, as opposed to what describes the recording and what was there before. */
static inline gboolean
record_is_event (const Record *self)
{
  return self->type < 64 && self->time > 0 && self->cpu >= 0;
}

void stream_restore (Stream *self); /* nothing is dropped any more */
void stream_keep_stretch (Stream *self, guint32 n, GRand *rand); /* all events but those of n records somewhere are dropped */

/* The stream without what is dropped. With `lost`, the next record of that CPU is preceded by a LOST record that counts them. */
GByteArray *stream_write (const Stream *self, gboolean lost);

/* The stream n times, each after the one before; FALSE if `path` cannot be written. It may be larger than what fits into memory. */
gboolean stream_repeat (const Stream *self, guint n, const char *path);
