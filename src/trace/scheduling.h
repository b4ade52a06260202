/* What the parts of the assembler share: assembler.c (tasks, the event loop), assemble-runs.c, assemble-losses.c, assemble-wakings.c,
 * assemble-samples.c, assemble-lives.c (forks, execs, names), assemble-bios.c, assemble-disk.c, assemble-flush.c,
 * assemble-net.c and assemble-finish.c (putting the tables in their final order). */
#pragma once

#include "trace/assembler.h"
#include "trace/kernel-names.h"
#include "trace/reliability.h"

#define WP_TID_MAX (1 << 22) /* the kernel's own limit */

/* What is known of one waking. */
typedef struct
{
  gint64 time;  /* 0: none */
  WpId source;  /* see WpLink */
  WpId explained_by; /* see WpOp */
  WpId stack;
  guint16 device;
  guint8 cause; /* WpCause */
} WpWaking;

/* A waking that may turn out to be a signal's: the kernel tells of the signal right after. */
typedef struct
{
  gint64 time;
  WpId link, sleep;
  gint32 waker, pid; /* the waker's tid, the woken one's process */
} WpSignalled;

/* One live tid. */
typedef struct
{
  WpId task;  /* its current task, 0: none alive */
  WpId op;    /* its open operation */
  WpId run;   /* its last run, open or closed */
  gint32 tid, pid;
  gint64 seen;      /* when it last acted or was switched in */
  guint32 cpu;      /* where it runs or ran last */
  WpId last_asked;  /* row of `joined`: the request it asked for last */
  WpId last_completed; /* … and the one of its requests that was completed last */
  guint8 running;
  guint8 unwoken;   /* its last run began though nobody was seen to wake it */
  guint8 idle;      /* plays the idle task */
  guint8 exec_seen; /* its COMM record announced an exec whose tracepoint is still to come */
  guint8 kernel;
  WpId reads, writes; /* rows of wp_trace_file(): the files that its next requests are for, 0 where that is not known */
  gint64 reads_since; /* when that was said of `reads` */
  gint64 before;    /* when it was seen the last time but this */
  gint64 sending;   /* since when it has been sending; 0: it is not */
  struct
  {
    WpId local, remote; /* strings; remote 0: none */
    WpId run;
    gint64 time;
  } way;            /* what it asked for and has not sent on since */
  WpId caller;      /* the run that woke it last, where a task did; 0 */
  WpWaking early;   /* the last waking by another CPU while it was still on its own */
} WpThread;

typedef struct
{
  gint64 seen;      /* the last event there; -1: none yet */
  gint64 switched;  /* when whoever runs there was switched in, or the last loss ended */
  gint32 tid;       /* who runs there: -1 nobody knows */
  guint8 lost;      /* … nor what has happened since events were lost */
  gint64 sampled;   /* the last sample there */
  gint64 pace;      /* ns from one sample to the next while somebody runs; 0: not known */
  gint64 throttled; /* up to where samples that the kernel holds back are accounted for; -1: it holds none back */
  gint64 held_pace; /* … and how often it would take one */
  guint16 device;   /* the last device interrupt … */
  gint64 device_time;
  WpId disk;        /* the last request completed there … */
  gint32 disk_tid;  /* … while this task was current */
  gint64 disk_time;
  WpId socket;      /* the last socket that data arrived for there … */
  gint32 socket_tid;
  gint64 socket_time;
  WP_ARRAY (WpSignalled) signalled; /* what the current task woke just now */
} WpCpu;

typedef struct
{
  WpId task;          /* the pseudo-task of the device */
  WpIdArray flushes;  /* requests without data that are active, in the order of their issue */
  WpIdArray returned; /* … that came back to the queue */
  WpIdArray flushing; /* rows of `bios`: those that wait for the next of these */
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

/* One socket, or what is known of one. */
typedef struct
{
  guint64 address;  /* kernel address, or 0 */
  WpId local, remote;
  guint8 family;    /* AF_* or 0 */
  guint8 protocol;
  guint8 here;      /* the other end is on this machine, by its address */
  guint8 by_way;    /* its ends are those of what was sent last, and may be others for what comes next */
  guint8 told;      /* … but those of what came last were told */
  gint64 sent;      /* time of its last send; -1 none */
  WpId sender_run;  /* the run that sent last */
  WpId sender_task;
  WpId op;          /* the operation since that send, once something came back; 0 */
  gint64 connecting;/* when its connect began; -1 not */
} WpSocket;

struct WpAssembler
{
  WpTrace *trace;
  WpId idle_name; /* string, 0: none */
  gint64 now;     /* time of the last event; -1: none yet */
  gboolean has_wakings;

  WP_ARRAY (WpThread) threads; /* row 0 is empty */
  WpIdArray by_tid;            /* tid → row of threads */
  WP_ARRAY (WpCpu) cpus;
  gboolean incomplete;  /* events are known to be missing */
  WpReliability reliability;

  WP_ARRAY (WpDevice) devices;
  GHashTable *by_dev;    /* device number → row of `devices` + 1 */
  GHashTable *by_start;  /* (device, first sector) → row of trace->disks: those in flight */
  GHashTable *by_end;    /* (device, sector behind it) → the same: those still in the queue */
  GHashTable *by_sector; /* (device, first sector) → row of `bios` */
  WP_ARRAY (WpBio) bios; /* row 0 is empty */
  WpIdArray free_bios;
  WP_ARRAY (WpRequest) requests; /* as many as trace->disks */
  WP_ARRAY (WpJoined) joined;    /* row 0 is empty */

  WP_ARRAY (WpSocket) sockets; /* row 0 is empty */
  GHashTable *by_address;      /* kernel address → row of sockets */
  GHashTable *by_pair;         /* local and remote → row of sockets */
  WpId network_task;
  GHashTable *device_rows;     /* string id → row of trace->devices */
};

/* assembler.c */
WpThread *wp_assembler_thread (WpAssembler *self, gint32 tid); /* NULL when it was never seen or is dead */
WpThread *wp_assembler_make_thread (WpAssembler *self, gint32 tid, gint64 since); /* seen asleep since then */
WpId wp_assembler_open_op (WpAssembler *self, WpId task, WpOpKind kind, gint64 start);
WpId wp_assembler_add_task (WpAssembler *self, WpTask row);
WpThread *wp_assembler_thread_row (WpAssembler *self, gint32 tid); /* alive or not; NULL for a number that no tid can be */
void wp_assembler_begin_task (WpAssembler *self, WpThread *thread, WpId name);
void wp_assembler_name_thread (WpAssembler *self, WpThread *thread, WpId name);
WpCpu *wp_assembler_cpu (WpAssembler *self, guint32 cpu);
static inline WpOp *
wp_assembler_op (WpAssembler *self, WpId op)
{
  return &self->trace->ops.data[op];
}

guint16 wp_assembler_device (WpAssembler *self, WpId name); /* row of trace->devices of this name; 0 when there are too many */

/* assemble-losses.c */
void wp_assemble_lost (WpAssembler *self, const WpEvent *event, gint64 since);

/* assemble-runs.c */
void wp_assemble_switch (WpAssembler *self, const WpEvent *event);
WpThread *wp_assemble_acting (WpAssembler *self, gint32 tid, guint32 cpu, gint64 time); /* it is seen acting there, so it runs there */
void wp_assemble_unseen_run (WpAssembler *self, WpThread *thread);
WpOp *wp_assemble_leave_cpu (WpAssembler *self, WpThread *thread, gint64 time); /* ends its run; returns its sleep */
void wp_assemble_bury (WpAssembler *self, WpThread *thread, gint64 time); /* it is gone */
WpId wp_assemble_add_link (WpAssembler *self, WpCause cause, WpId source, gint64 start, WpId stack);

/* assemble-wakings.c: `actor` is who runs there, or NULL. */
void wp_assemble_waking (WpAssembler *self, const WpEvent *event, WpThread *actor);
void wp_assemble_signal (WpAssembler *self, const WpEvent *event);
void wp_assemble_unseen_waking (WpAssembler *self, WpThread *thread, gint64 time); /* its sleep ended and nobody is known to have woken it */

/* assemble-samples.c */
void wp_assemble_sample (WpAssembler *self, const WpEvent *event);
void wp_assemble_throttle (WpAssembler *self, const WpEvent *event);
void wp_assemble_held_back (WpAssembler *self, guint32 cpu, gint64 until); /* of whoever runs there; before he leaves it */

/* assemble-lives.c */
WpThread *wp_assemble_birth (WpAssembler *self, gint32 tid, gint32 pid, WpId name, WpThread *parent, gint64 time);
void wp_assemble_wakeup_new (WpAssembler *self, const WpEvent *event, WpThread *actor);
/* A task's name is whatever bytes it chose for itself: they become one line of text. */
void wp_assemble_plain_names (WpTrace *trace);
void wp_assemble_program (WpAssembler *self, const WpEvent *event); /* COMM, EXEC */

/* assemble-bios.c: what is known before there is a request. */
guint32 wp_assemble_device (WpAssembler *self, guint32 dev); /* index into `devices` */
gpointer wp_assemble_place (guint32 device, guint64 sector); /* key of `by_start`, `by_end`, `by_sector` */
void wp_assemble_bio (WpAssembler *self, const WpEvent *event, const WpThread *actor);
void wp_assemble_file (WpAssembler *self, const WpEvent *event, WpThread *actor);
gboolean wp_assemble_take_bio (WpAssembler *self, guint32 device, guint64 sector, WpBio *bio); /* FALSE: there is none */

/* assemble-disk.c: `event->time` is already ns since the start. */
void wp_assemble_block (WpAssembler *self, const WpEvent *event, WpThread *actor);
WpId wp_assemble_disk_of_waking (WpAssembler *self, const WpEvent *event, const WpThread *woken); /* an operation, or 0 */
WpId wp_assemble_disk_of_sleep (WpAssembler *self, WpThread *sleeper, gint64 end);           /* for a waking nobody saw */

WpId wp_assemble_request (WpAssembler *self, const WpEvent *event, guint32 device, const WpBio *bio); /* in the queue since the bio */
void wp_assemble_join (WpAssembler *self, WpId id, gint32 tid); /* this thread asked for it, too */
void wp_assemble_begin_active (WpAssembler *self, WpId id, gint32 issuer, gint64 time);
void wp_assemble_come_back (WpAssembler *self, WpId id, const WpEvent *event);
void wp_assemble_give_up_request (WpAssembler *self, WpId id, gint64 time); /* its end was not seen */

/* assemble-flush.c */
void wp_assemble_issue_flush (WpAssembler *self, const WpEvent *event, const WpThread *actor, guint32 device);
void wp_assemble_requeue_flush (WpAssembler *self, const WpEvent *event, guint32 device);
WpId wp_assemble_take_flush (WpAssembler *self, const WpEvent *event, guint32 device, gboolean old);
void wp_assemble_forget_flush (WpAssembler *self, guint32 device, WpId id);
void wp_assemble_want_flush (WpAssembler *self, guint32 device, gint32 tid, gint64 time);

/* assemble-net.c */
void wp_assemble_net (WpAssembler *self, const WpEvent *event, WpThread *actor);
/* A waking that the network caused: its cause (net, or task when both ends are here) and what it comes from. */
WpCause wp_assemble_net_of_waking (WpAssembler *self, const WpEvent *event, const WpThread *actor, WpId *source);
guint16 wp_assemble_channel (WpAssembler *self, const WpEvent *event); /* the socket that its waking came by: row of trace->devices, or 0 */

/* assemble-finish.c */
void wp_assemble_sort (WpTrace *trace);
