/* The records of a perf.data in the order of time. Each CPU's records are in order already, but those of several CPUs stand in the file in
 * turns: they are indexed by CPU, and the CPUs' queues are merged. Where records do not say their CPU, each goes where the order of time stays. */
#pragma once

#include "read/perf/perf-file.h"

/* A record, with what is learned of it when it is found: nobody asks it again. There are as many as events, while all of the file is in memory: two words each. */
#define WP_PERF_OFFSET_BITS (64 - WP_PERF_ATTR_BITS) /* 4 TiB; what lies farther behind is not read */
typedef struct
{
  gint64 time;
  guint64 offset : WP_PERF_OFFSET_BITS; /* in the file */
  guint64 attr : WP_PERF_ATTR_BITS;     /* row of the file's event types */
} WpPerfEntry;

G_STATIC_ASSERT (sizeof (WpPerfEntry) == 16);

/* The records of one CPU, or some of those that do not say where they come from. */
typedef struct
{
  WP_ARRAY (WpPerfEntry) entries;
  guint32 next; /* the first one left */
  guint32 cpu;  /* G_MAXUINT32: they do not say it */
  gboolean unsorted;
} WpPerfQueue;

typedef struct
{
  WP_ARRAY (WpPerfQueue) queues;
  WpIdArray of_cpu;                  /* CPU → row of `queues` + 1; 0: none yet */
  WpIdArray loose;                   /* rows of `queues` for records that do not say their CPU, the one used last at the end */
  WP_ARRAY (WpPerfQueue) merge;       /* queues with something left: a heap, the one with the earliest record first */
  WpPerfEntry limit;                 /* the earliest record of the others: up to there the first queue's come one after the other */
  guint64 n_entries;                 /* of all queues */
  WP_ARRAY (const WpPerfRecord *) early; /* records without a time, in their order */
} WpPerfQueues;

/* Opens the file, unpacks it where it is compressed, and indexes it. */
gboolean wp_perf_queues_open (WpPerfQueues *self, WpPerfFile *file, GError **error);

/* Of an open file: finds all records; takes in what describes others. The queues are empty before. */
gboolean wp_perf_queues_index (WpPerfQueues *self, WpPerfFile *file, GError **error);
void wp_perf_queues_clear (WpPerfQueues *self);

/* Begins to merge them, any number of times; the next record, FALSE at the end. `cpu`, which may be NULL: whose it is, or G_MAXUINT32. */
void wp_perf_queues_begin (WpPerfQueues *self);
gboolean wp_perf_queues_next (WpPerfQueues *self, WpPerfEntry *entry, guint32 *cpu);

/* Hardly anything that comes now stands before this place in the file; G_MAXUINT64: nothing comes. */
guint64 wp_perf_queues_lowest (const WpPerfQueues *self);
