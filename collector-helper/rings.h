/* The ring buffers, one a CPU, which the kernel fills and the stream is written from. */
#pragma once

#include "events.h"

typedef struct
{
  struct perf_event_mmap_page *page;
  char *data;
  uint64_t size; /* a power of two */
  uint64_t seen; /* up to where records were counted */
  uint64_t lost; /* as its records of losses say */
} WpcRing;

typedef struct
{
  WpcRing *rings; /* one for each of WpcEvents.cpus */
  int n;
  unsigned buffer_kb; /* what was got */
} WpcRings;

/* Maps a ring a CPU and sends every event's records there. Without a size among the options: as large as is sensible here. Where the user's
 * other recordings leave less that is less, and where the kernel grants less the size is halved. Returns 0, or 1 with the error told. */
int wpc_rings_open (WpcRings *self, WpcEvents *events, const WpcOptions *options);

/* One round: writes all that is in the rings now to standard output and adds to the counters. Returns 0 or an errno. */
int wpc_rings_write (WpcRings *self, WpcCounters *counters);

/* At the end, when all events are off and written: what was lost without a record of it. The kernel makes one with the next event that finds
 * room, and there may be none. Returns 0 or an errno. */
int wpc_rings_write_untold (WpcRings *self, const WpcEvents *events, WpcCounters *counters);
