/* Records in the order of time, looked at ahead of whoever takes them: taken apart, their stack bytes unwound, their call chains recognised.
 * Where there are several processors a thread does that, a few batches ahead. What it finds depends on the records only, so that all is
 * the same as without it. */
#pragma once

#include "read/perf/perf-parts.h"
#include "read/perf/perf-queues.h"
#include "read/perf/perf-unwind.h"

typedef struct
{
  WpPerfEntry entry;
  guint32 cpu; /* G_MAXUINT32: not said */
  gint32 pid, tid;
  /* Of samples only: */
  const guint8 *raw;
  guint32 n_raw;
  guint8 whole;      /* 1: its parts are all there */
  guint8 only_place; /* 1: its chain is but the address where it happened */
  guint8 end;        /* WpUnwindEnd */
  guint32 n_unwound; /* 0: its chain is as recorded */
  const guint64 *unwound;
  WpCallChain chain;
} WpPerfReady;

typedef struct WpPerfAhead WpPerfAhead;

/* When the early records are known; begins to merge the queues. `threads` as in WpReadOptions. */
WpPerfAhead *wp_perf_ahead_new (const WpPerfFile *file, WpPerfQueues *queues, guint threads);
void wp_perf_ahead_free (WpPerfAhead *self);

const WpPerfReady *wp_perf_ahead_next (WpPerfAhead *self); /* valid until the next call; NULL at the end */
