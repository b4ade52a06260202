/* Wakeups: what caused each, the link it becomes, and what can be said of a sleep that ended without one. */
#pragma once

#include "trace/disk-tracker.h"
#include "trace/net-tracker.h"

/* What is known of one wakeup. */
typedef struct
{
  gint64 time;  /* 0: none */
  WpId source;  /* see WpLink */
  WpId explained_by; /* see WpOp */
  WpId stack;
  guint16 device;
  guint8 cause; /* WpCause */
} WpWakeup;

/* A wakeup that may turn out to be a signal's: the kernel reports the signal right after. */
typedef struct
{
  gint64 time;
  WpId link, sleep;
  gint32 waker, pid; /* the waker's tid, the woken one's process */
} WpSignalled;

/* Beside the core's CPUs. */
typedef struct
{
  gint64 device_time;
  guint16 device;     /* the last device interrupt: row of trace->devices */
  WP_ARRAY (WpSignalled) signalled; /* what the current task woke just now */
} WpWakeupCpu;

typedef WP_ARRAY (WpWakeup) WpWakings;

typedef struct
{
  WpScheduling *core;
  WpDiskTracker *disk;
  WpNetTracker *net;
  WpWakings early;             /* by the core's row of threads: the last wakeup by another CPU while it was still on its own */
  WP_ARRAY (WpWakeupCpu) cpus; /* by number */
} WpWakeups;

void wp_wakeups_init (WpWakeups *self, WpScheduling *core, WpDiskTracker *disk, WpNetTracker *net);
void wp_wakeups_clear (WpWakeups *self);
void wp_wakeups_wakeup (WpWakeups *self, const WpEvent *event, const WpThread *actor); /* who runs there, or NULL */
void wp_wakeups_signal (WpWakeups *self, const WpEvent *event);
void wp_wakeups_interrupt (WpWakeups *self, const WpEvent *event);
