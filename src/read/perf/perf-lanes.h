/* The records of a perf.data in the order of time. Each CPU's records are in order already, but those of several CPUs stand in the file in
 * turns: they are indexed by CPU, and the CPUs' lanes are merged. */
#pragma once

#include "read/perf/perf-file.h"

typedef struct
{
  gint64 time;
  guint64 offset; /* in the file */
} WpPerfEntry;

/* The records of one CPU, or those that do not say where they come from. */
typedef struct
{
  WP_ARRAY (WpPerfEntry) entries;
  guint32 next; /* the first one left */
  gboolean unsorted;
} WpPerfLane;

typedef struct
{
  WP_ARRAY (WpPerfLane) lanes;
  WP_ARRAY (WpPerfLane) merge;       /* lanes with something left: a heap, the one with the earliest record first */
  guint64 n_entries;                 /* of all lanes */
  WP_ARRAY (const WpPerfRecord *) early; /* records without a time, in their order */
} WpPerfLanes;

/* Finds all records; takes in what describes others. The lanes are empty before. */
gboolean wp_perf_lanes_index (WpPerfLanes *self, WpPerfFile *file, GError **error);
void wp_perf_lanes_clear (WpPerfLanes *self);

/* Begins to merge them, any number of times; the next record, FALSE at the end. */
void wp_perf_lanes_begin (WpPerfLanes *self);
gboolean wp_perf_lanes_next (WpPerfLanes *self, WpPerfEntry *entry);
