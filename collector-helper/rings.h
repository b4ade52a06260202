/* The ring buffers, one a CPU, which the kernel fills and the stream is written from. */
#pragma once

#include "events.h"

#include <poll.h>

typedef struct
{
  struct perf_event_mmap_page *page;
  char *data;
  uint64_t size; /* a power of two */
  uint64_t seen; /* up to where records were counted */
} WpcRing;

/* What came out of a ring so far. */
typedef struct
{
  uint64_t bytes;
  uint64_t events;
  uint64_t lost; /* as its records of losses say */
} WpcRingCount;

typedef struct
{
  WpcRing *rings;       /* one for each of WpcEvents.cpus */
  WpcRingCount *counts; /* the same; all readers share them */
  int n;
  int n_readers;      /* 0: the helper itself is the only one; see readers.h */
  unsigned buffer_kb; /* what was got */
  WpcRingCount told;  /* of all, as last added to the counters */
} WpcRings;

/* Some of the rings, from one up to before another. */
typedef struct
{
  int first, end;
} WpcRingShare;

/* Maps a ring a CPU and sends every event's records there. Without a size among the options: as large as is sensible here. Where the user's
 * other recordings leave less that is less, and where the kernel grants less the size is halved. Returns 0, or 1 with the error told. */
int wpc_rings_open (WpcRings *self, WpcEvents *events, const WpcOptions *options);

/* One round: writes all that is in the rings now to standard output and adds to the counters. Returns 0 or an errno. */
int wpc_rings_write (WpcRings *self, WpcCounters *counters);

/* At the end, when all events are off and written: what was lost without a record of it. The kernel makes one with the next event that finds
 * room, and there may be none. Returns 0 or an errno. */
int wpc_rings_write_untold (WpcRings *self, const WpcEvents *events, WpcCounters *counters);

/* --- for a reader ------------------------------------------------------------------------------------------------- */

int wpc_rings_map_share (WpcRings *self, const WpcEvents *events, const WpcRingShare *share); /* once more. Returns 0 or an errno */
int wpc_rings_write_share (WpcRings *self, const WpcRingShare *share); /* all that is in them now. Returns 0 or an errno */

/* To wait for them: `polls` has one for each. A CPU that goes offline leaves its events with POLLHUP set for good, which is not waited for again. */
void wpc_rings_poll (const WpcEvents *events, const WpcRingShare *share, struct pollfd *polls);
void wpc_rings_forget_dead (struct pollfd *polls, int n);
