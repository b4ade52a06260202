/* Disk operations: requests in their queues and with the device, who asked for them and for which file.
 *
 * disk-bios.c: before there is a request. disk-tracker.c: requests. disk-flushes.c: those without data or place. Times are ns since the
 * start of the recording. */
#pragma once

#include "trace/scheduling.h"

typedef struct
{
  WpId task;          /* the pseudo-task of the device */
  WpIdArray flushes;  /* flushes (requests without data) that are active, in the order of their issue */
  WpIdArray returned; /* … that came back to the queue */
  WpIdArray flushing; /* rows of `bios` that wait for the next flush */
} WpDevice;

/* A bio whose request has not turned up yet: who asked, when, and for what file. */
typedef struct
{
  gint64 time;
  WpId task, file;
  gint32 tid;
  guint32 sectors;
} WpBio;

/* What a request needs while it is in flight, beside its row of the trace's `disks`. */
typedef struct
{
  guint64 next;  /* its first sector that is not completed */
  WpId joined;   /* row of `joined`: who waits for it, the last first */
  WpId first_joined; /* … the first of them */
  WpId into;     /* the request that it has become a part of; 0: none */
  guint8 active; /* it is with the device */
  gint32 issuer; /* the thread that gave it to the device last; 0 not known */
} WpRequest;

typedef struct
{
  gint32 tid;
  WpId next;            /* another who asked for the same */
  WpId request, before; /* what for, or for a part of it; what it asked for before */
} WpJoined;

/* Beside the core's threads. */
typedef struct
{
  WpId last_asked;     /* row of `joined`: the request it asked for last */
  WpId last_completed; /* … and the one of its requests that was completed last */
  WpId reads, writes;  /* rows of wp_trace_file(): the files that its next requests are for, 0 where that is not known */
  gint64 reads_since;  /* when that was said of `reads` */
} WpDiskThread;

/* Beside the core's CPUs: the last request completed there, and who was current. */
typedef struct
{
  gint64 time;
  WpId request; /* 0: none */
  gint32 tid;
} WpCompletion;

typedef struct
{
  WpScheduling *core;
  WP_ARRAY (WpDiskThread) threads; /* by the core's row */
  WP_ARRAY (WpCompletion) cpus;    /* by number */
  WP_ARRAY (WpDevice) devices;
  GHashTable *by_dev;    /* device number → row of `devices` + 1 */
  GHashTable *by_start;  /* (device, first sector) → row of trace->disks: those in flight */
  GHashTable *by_end;    /* (device, sector behind it) → the same: those still in the queue */
  GHashTable *by_sector; /* (device, first sector) → row of `bios` */
  WP_ARRAY (WpBio) bios; /* row 0 is empty */
  WpIdArray free_bios;
  WP_ARRAY (WpRequest) requests; /* as many as trace->disks */
  WP_ARRAY (WpJoined) joined;    /* row 0 is empty */
} WpDiskTracker;

void wp_disk_init (WpDiskTracker *self, WpScheduling *core);
void wp_disk_clear (WpDiskTracker *self);

/* `actor` is who runs there, or NULL. */
void wp_disk_bio (WpDiskTracker *self, const WpEvent *event, const WpThread *actor);   /* BIO_QUEUE, BIO_GETRQ, BIO_SPLIT */
void wp_disk_file (WpDiskTracker *self, const WpEvent *event, const WpThread *actor);  /* FILE */
void wp_disk_block (WpDiskTracker *self, const WpEvent *event, const WpThread *actor); /* all others of requests */

WpId wp_disk_of_wakeup (WpDiskTracker *self, const WpEvent *event, const WpThread *woken); /* an operation, or 0 */
WpId wp_disk_of_sleep (WpDiskTracker *self, WpThread *sleeper, gint64 end);                /* for a wakeup nobody saw */
