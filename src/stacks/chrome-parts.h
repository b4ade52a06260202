/* What reading Chrome's files is made of. Private to them. */
#pragma once

#include "base/json-reader.h"
#include "base/pair-map.h"
#include "stacks/maker.h"

/* Times are told in microseconds. */
gint64 wp_chrome_ns (double us);

/* --- rows: chrome-rows.c ------------------------------------------------------------------------------------------ */

typedef struct
{
  WpStacksMaker maker;
  GHashTable *threads;  /* "pid:tid" → row; "name of PID" → its name */
  WpPairMap locations;  /* name and file → function; function and line → location */
} WpChromeRows;

void wp_chrome_rows_init (WpChromeRows *self);
void wp_chrome_rows_clear (WpChromeRows *self);

WpId wp_chrome_location (WpChromeRows *self, WpId name, WpId file, gint64 line, gint64 column);
guint32 wp_chrome_thread (WpChromeRows *self, gint64 pid, gint64 tid);

/* Names come before or after what they name. */
void wp_chrome_name_process (WpChromeRows *self, gint64 pid, WpId name);
void wp_chrome_name_threads_processes (WpChromeRows *self);

/* None without a length. ns. */
void wp_chrome_sample (WpChromeRows *self, guint32 thread, WpId stack, gint64 start, gint64 length);

/* --- spans: chrome-spans.c ---------------------------------------------------------------------------------------- */

/* A stretch of time of a thread in which something went on. */
typedef struct
{
  gint64 start, end; /* ns; of what is not ended yet, `end` is G_MAXINT64 */
  guint32 thread, order;
  guint32 outer; /* of what is not ended yet: one more than the span of the thread that it stands in; 0: none */
  WpId location;
} WpChromeSpan;

typedef struct
{
  WP_ARRAY (WpChromeSpan) spans;
  WP_ARRAY (guint32) open; /* thread → one more than its innermost span that has begun and not ended */
} WpChromeSpans;

void wp_chrome_spans_add (WpChromeSpans *self, guint32 thread, WpId location, gint64 start, gint64 end);
void wp_chrome_spans_begin (WpChromeSpans *self, guint32 thread, WpId location, gint64 start);

/* Ends the innermost one of the thread. What ends without having begun is left out. */
void wp_chrome_spans_end (WpChromeSpans *self, guint32 thread, gint64 at);

/* Nests all of them, and makes what is spent in each stack a sample. */
void wp_chrome_spans_take (WpChromeSpans *self, WpChromeRows *rows);
void wp_chrome_spans_clear (WpChromeSpans *self);

/* --- a profiler's samples: chrome-chunks.c ------------------------------------------------------------------------ */

/* A node of a profiler's tree, as the file numbers it. */
typedef struct
{
  gint64 id, parent;
  gboolean has_parent;
  WpId location;
} WpChromeNode;

/* What one event, or a file of one profile, says. */
typedef struct
{
  double start_time, end_time; /* µs */
  gboolean has_start, has_end;
  WP_ARRAY (WpChromeNode) nodes;
  WP_ARRAY (gint64) samples;
  WP_ARRAY (double) deltas;
} WpChromeChunk;

typedef struct
{
  GHashTable *profiles; /* "pid:id" → what is known of it so far */
} WpChromeProfiles;

void wp_chrome_chunk_empty (WpChromeChunk *self);
void wp_chrome_chunk_clear (WpChromeChunk *self);

/* A member of a profile: nodes, samples, timeDeltas, startTime, endTime; any other is skipped. */
void wp_chrome_chunk_read (WpChromeChunk *self, const char *key, WpJsonReader *json, WpChromeRows *rows);

void wp_chrome_profiles_init (WpChromeProfiles *self);
void wp_chrome_profiles_clear (WpChromeProfiles *self);

/* Adds a chunk's samples to the profile of that process and id, whose thread is that of its first chunk. */
void wp_chrome_profiles_add (WpChromeProfiles *self, const WpChromeChunk *chunk, gint64 pid, gint64 tid, WpId id, WpChromeRows *rows);

/* --- values of any kind: chrome-rows.c ---------------------------------------------------------------------------- */

double wp_chrome_read_real (WpJsonReader *json); /* 0 of what is no number */
gint64 wp_chrome_read_whole (WpJsonReader *json);
WpId wp_chrome_read_text (WpJsonReader *json, WpChromeRows *rows); /* 0 of what is no text */
