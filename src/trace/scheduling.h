/* Who is on which CPU, and who sleeps: the core of the assembler. It makes tasks, runs, sleeps and links, and repairs what
 * switches contradict.
 *
 * runs.c: switches, and what tasks are seen doing on a CPU. lives.c: forks, execs, names. losses.c: what the kernel lost, and
 * pauses. asleep.c: what was waited in before the recording. children.c: which child is waited for. no-switches.c: what is left where nobody says who runs. scheduling.c: the
 * tables. Nobody else writes a field of these structs. The trackers beside it (disk-tracker.h, net-tracker.h, sample-clock.h, wakeups.h)
 * ask it who runs where, and keep columns of their own for threads and CPUs, by row and number. */
#pragma once

#include "trace/event.h"
#include "trace/reliability.h"

#define WP_TID_MAX (1 << 22) /* the kernel's own limit */

/* One life of a tid, over all its programs. A tid that is used again gets another row. */
typedef struct
{
  WpId task;  /* its current task, 0: none alive */
  WpId op;    /* its open operation */
  WpId run;   /* its last run, open or closed */
  gint32 tid, pid;
  gint64 seen;      /* when it last acted or was switched in */
  gint64 before;    /* when it was seen the last time but this */
  guint32 cpu;      /* where it runs or ran last */
  WpId caller;      /* the run that woke it last, where a task did; 0 */
  gint32 parent;    /* the process whose child its process is, -1: none here; 0: nobody says */
  WpId told_stack;   /* what it waited in before the recording, as the recorder saw it */
  guint8 told_state; /* WpState; UNKNOWN: nobody says what it waited in, nor whether it was there */
  guint8 running;
  guint8 unwoken;   /* its last run began though nobody was seen to wake it */
  guint8 idle;      /* plays the idle task */
  guint8 exec_seen; /* its COMM record announced an exec whose tracepoint is still to come */
  guint8 kernel;
  guint8 ended;     /* it is about to die, or dead */
} WpThread;

typedef struct
{
  gint64 seen;      /* the last event there; -1: none yet */
  gint64 switched;  /* when whoever runs there was switched in, or the last loss ended */
  gint32 tid;       /* who runs there: -1 nobody knows */
  guint8 lost;      /* … nor what has happened since events were lost */
} WpCpu;

/* A sleep is over, and nobody was seen to end it: what may be said of that. */
typedef void (*WpUnwokenFunc) (gpointer data, WpThread *thread, gint64 time);

typedef struct
{
  WpTrace *trace;
  WpId idle_name; /* string, 0: none */
  gint64 now;     /* time of the last event; -1: none yet */
  WP_ARRAY (WpThread) threads; /* row 0 is empty */
  WpIdArray by_tid;            /* tid → row of threads */
  WP_ARRAY (WpCpu) cpus;
  gboolean incomplete;         /* events are known to be missing */
  gboolean pausing;            /* another pause follows the one that was given, with nothing in between … */
  gint64 paused_since;         /* … and when the first of them began */
  WpReliability reliability;
  WpId idle_task;              /* whose the samples of idle CPUs are; 0: none yet */
  GHashTable *device_rows;     /* string id → row of trace->devices */
  WpUnwokenFunc unwoken;
  gpointer unwoken_data;
} WpScheduling;

/* scheduling.c. Pointers to threads and CPUs are good until the next one is made. */
void wp_scheduling_init (WpScheduling *self, WpTrace *trace);
void wp_scheduling_clear (WpScheduling *self);
gint64 wp_scheduling_time (WpScheduling *self, gint64 clock); /* ns since the first event; never goes back */
WpThread *wp_scheduling_thread (WpScheduling *self, gint32 tid); /* NULL when it was never seen or is dead */
WpThread *wp_scheduling_thread_row (WpScheduling *self, gint32 tid); /* alive or not; NULL for a number that no tid can be */
WpThread *wp_scheduling_new_thread (WpScheduling *self, gint32 tid); /* another life of this tid; NULL likewise */
WpThread *wp_scheduling_make_thread (WpScheduling *self, gint32 tid); /* asleep since the recording began, if it is new */
WpCpu *wp_scheduling_cpu (WpScheduling *self, guint32 cpu);
WpId wp_scheduling_open_op (WpScheduling *self, WpId task, WpOpKind kind, gint64 start);
WpId wp_scheduling_add_task (WpScheduling *self, WpTask row);
WpId wp_scheduling_add_link (WpScheduling *self, WpCause cause, WpId source, gint64 start, WpId stack);
void wp_scheduling_begin_task (WpScheduling *self, WpThread *thread, WpId name);
void wp_scheduling_name_thread (WpScheduling *self, WpThread *thread, WpId name);
void wp_scheduling_known_task (WpScheduling *self, gint32 tid, gint32 pid, WpId comm, gboolean kernel);
guint16 wp_scheduling_device (WpScheduling *self, WpId name); /* row of trace->devices of this name; 0 when there are too many */

static inline WpOp *
wp_scheduling_op (WpScheduling *self, WpId op)
{
  return &self->trace->ops.data[op];
}

/* The row of a thread, for columns beside it. */
static inline guint32
wp_scheduling_row (const WpScheduling *self, const WpThread *thread)
{
  return thread - self->threads.data;
}

/* runs.c */
void wp_scheduling_switch (WpScheduling *self, const WpEvent *event);
WpThread *wp_scheduling_acting (WpScheduling *self, gint32 tid, guint32 cpu, gint64 time); /* it is seen acting there, so it runs there */
void wp_scheduling_unseen_run (WpScheduling *self, WpThread *thread); /* it ran once, and nobody saw it */
void wp_scheduling_late_wakeup (WpScheduling *self, WpThread *thread); /* of a task that runs: contradicts a switch-in without one */
WpOp *wp_scheduling_leave_cpu (WpScheduling *self, WpThread *thread, gint64 time); /* ends its run; returns its sleep */
void wp_scheduling_bury (WpScheduling *self, WpThread *thread, gint64 time); /* it is gone */
void wp_scheduling_called (WpScheduling *self, WpThread *thread, WpId caller); /* this run woke it; 0: no run did */

/* no-switches.c */
void wp_scheduling_no_switches (WpScheduling *self, const WpEvent *event); /* any event of a recording without task switches */
WpId wp_scheduling_sampled_task (WpScheduling *self, const WpEvent *event); /* whom a sample came upon; 0: nobody knows */

/* asleep.c: what threads waited in before the recording. Their first sleeps have it */
void wp_scheduling_known_wait (WpScheduling *self, const WpKnownWait *wait); /* of a thread that is known */
void wp_scheduling_asleep (WpScheduling *self); /* at the end: whoever never acted slept all the time */

/* children.c */
void wp_scheduling_awaited_children (WpScheduling *self); /* at the end: open waits for children are explained by the only child that lives */

/* losses.c */
void wp_scheduling_lost (WpScheduling *self, const WpEvent *event, gint64 since);
void wp_scheduling_paused (WpScheduling *self, const WpEvent *event, gint64 since);

/* lives.c */
void wp_scheduling_ended (WpScheduling *self, gint32 tid); /* says whoever does not tell when it ran; it may act a little longer */
void wp_scheduling_bury_ended (WpScheduling *self); /* at the end: whoever ended, and was not seen to leave its CPU, did not sleep since */
WpThread *wp_scheduling_birth (WpScheduling *self, gint32 tid, gint32 pid, WpId name, WpThread *parent, gint64 time);
void wp_scheduling_wakeup_new (WpScheduling *self, const WpEvent *event, WpThread *actor);
void wp_scheduling_program (WpScheduling *self, const WpEvent *event); /* COMM, EXEC */
void wp_scheduling_plain_names (WpTrace *trace); /* names are whatever bytes tasks chose for themselves: they become one line of text */
void wp_scheduling_actor (WpScheduling *self, WpThread *actor, const WpEvent *event, gint64 before); /* what its own event says of it */
