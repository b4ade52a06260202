/* One event of a recording in the form the assembler takes, whatever file it came from. */
#pragma once

#include "base/array.h"

typedef enum
{
  WP_EVENT_OTHER, /* only shows that its task is running */
  WP_EVENT_SWITCH,
  WP_EVENT_WAKING,
  WP_EVENT_WAKEUP,     /* used only where a recording has no sched_waking */
  WP_EVENT_WAKEUP_NEW,
  WP_EVENT_FORK,
  WP_EVENT_EXEC,
  WP_EVENT_EXIT,
  WP_EVENT_COMM,       /* a rename; exec: the COMM record's exec bit */
  WP_EVENT_SAMPLE,
  WP_EVENT_BIO_QUEUE,
  WP_EVENT_IO_START,
  WP_EVENT_RQ_INSERT,
  WP_EVENT_RQ_ISSUE,
  WP_EVENT_RQ_COMPLETE,
  WP_EVENT_RQ_MERGE,   /* a bio joined a request that is already queued */
  WP_EVENT_RQ_REQUEUE,
  WP_EVENT_RQ_ABSORBED,/* a request became the end of the one before it */
  WP_EVENT_BIO_GETRQ,  /* a bio gets a request of its own: says nothing where BIO_QUEUE came before */
  WP_EVENT_BIO_SPLIT,  /* the rest of a bio goes on by itself */
  WP_EVENT_FILE,       /* the thread is about to read or write this file */
  WP_EVENT_IRQ_ENTRY,  /* a device's interrupt handler begins */
  WP_EVENT_IRQ_EXIT,   /* … and is over; without its name */
  WP_EVENT_NET_STATE,  /* a TCP socket changes its state */
  WP_EVENT_NET_READY,  /* data arrived for a socket (sk_data_ready, tcp_probe, the paper's tcp_rcv_established, …) */
  WP_EVENT_NET_SEND,   /* a task sends on a socket; comes when the send is over where `after` is set */
  WP_EVENT_NET_SENDING,/* a thread begins to send; on which socket, a NET_SEND tells when it is over */
  WP_EVENT_NET_ROUTE,    /* a thread looks up a route, for what it sends now or to keep it with a socket */
  WP_EVENT_SIGNAL,
  WP_EVENT_LOST,
  WP_EVENT_PAUSE,      /* nothing was recorded up to now, on no CPU */
  WP_EVENT_RATE,       /* CPU samples come at another rate from now on, on all CPUs */
  WP_EVENT_THROTTLE,   /* the kernel holds CPU samples back on that CPU from now on, or no longer */
  WP_EVENT_KIND_COUNT
} WpEventKind;

/* common_flags of a tracepoint. */
enum
{
  WP_IRQ_HARD = 0x08,
  WP_IRQ_SOFT = 0x10,
};

typedef struct
{
  gint64 time;  /* the recording's clock, ns */
  gint32 tid, pid; /* whoever was on the CPU; -1: nobody knows; 0: the idle task; pid -1 or 0 when not known */
  guint32 cpu;
  guint8 kind;      /* WpEventKind */
  guint8 irq_flags; /* WP_IRQ_*; 0 where the source does not say */
  guint8 has_irq_flags; /* 1: irq_flags are what the kernel said */
  WpId comm;  /* string: name of `tid` as the event says it, or 0 */
  WpId stack; /* row of the trace's stacks, or 0 */
  WpId event; /* SAMPLE: of what: row of the trace's events + 1 */
  gint64 period; /* SAMPLE: how much of that it stands for */

  union
  {
    struct
    {
      gint32 prev_tid, next_tid;
      WpId prev_comm, next_comm;
      guint32 prev_state; /* as the tracepoint has it: 0 running, 1 S, 2 D, 4 T, 8 t, 16 X, 32 Z, 64 P, 128 I, 256 preempted */
    } sw;
    struct
    {
      gint32 tid;
      WpId comm;
      guint8 refused; /* SIGNAL: it was ignored or pending already, so it wakes nobody who sleeps */
    } wake; /* WAKING, WAKEUP, WAKEUP_NEW, SIGNAL: who is woken, or gets the signal */
    struct
    {
      gint32 parent_tid, child_tid, child_pid; /* child_pid -1: not known */
      WpId child_comm;
    } fork;
    struct
    {
      gint32 tid;     /* whose name or program changes (COMM); EXEC: the task itself */
      gint32 old_tid; /* EXEC by a thread other than the leader: its tid before; else the same */
      WpId comm;
      guint8 exec;
    } program; /* COMM, EXEC, EXIT */
    struct
    {
      guint32 dev;    /* major << 20 | minor, as in the kernel */
      guint32 sectors;
      guint64 sector;
      WpId rwbs;
      guint8 flush;   /* a request without data: its sector means nothing */
    } block;          /* BIO_SPLIT: `sectors` is what the first part keeps */
    struct
    {
      guint64 inode;
      guint32 dev;
      guint8 writes;  /* the thread's next writes are for this file */
      guint8 reads;   /* … its next reads are */
      guint8 created; /* a new file got this number */
      guint8 metadata;/* of the file system: no file */
    } file;
    struct
    {
      guint32 irq;
      WpId name;
    } irq;
    struct
    {
      guint64 socket;   /* kernel address, or 0 */
      WpId local, remote; /* strings "host:port", or 0 */
      gint32 length;    /* bytes; 0: none (a pure acknowledgement); -1: not known */
      guint8 protocol;  /* IPPROTO_* or 0 */
      guint8 family;    /* AF_* or 0 */
      guint8 old_state, new_state; /* NET_STATE: TCP_* states (1 established, 2 syn-sent, 3 syn-recv, 7 close) */
      guint8 after;     /* NET_SEND: fires when the send is over */
    } net;
    struct
    {
      guint64 events;
      gint64 since; /* time of the last event of that CPU before the loss, or the same as `time`; PAUSE: when it began */
      guint8 more;  /* PAUSE: 1: the next event is another one */
    } lost; /* LOST, PAUSE */
    gint64 rate; /* RATE: a second and CPU */
    struct
    {
      gint64 pace;  /* ns from one sample to the next; 0: not known */
      guint8 on;
    } throttle;
  };
} WpEvent;

/* What a task waited in before the recording, as the recorder saw it. */
typedef struct
{
  gint32 tid, pid;
  gint32 parent; /* the process that its process is a child of; -1: of none that can be seen; 0: the recorder does not say */
  WpId stack;    /* the system call, on it the kernel's functions; 0: neither is known */
  guint8 state;  /* WpState */
} WpKnownWait;
