/* What the parts of the path maker share: paths.c (the work list), place.c (the table of parts, chains), walk.c (the walk
 * back along a waker, rules 4 to 6), place-disk.c (operations of devices, rule 3), started-work.c (what nobody waits for)
 * and lanes.c. */
#pragma once

#include "paths/bitmap.h"
#include "paths/paths.h"

/* A run whose beginning was not seen seems to begin when it could. */
static inline gboolean
wp_run_is_short (const WpPaths *paths, const WpOp *run)
{
  return run->end - run->start < WP_SHORT_RUN_NS + (run->flags & WP_OP_INFERRED ? paths->options.grace : 0);
}

/* Whether the sleep is in the call that `stack` is of. What nobody saw begin is taken for the same; `stack` may be unknown yet. */
static inline gboolean
wp_sleep_is_in_call (const WpOp *sleep, WpId *stack)
{
  if (wp_start_unseen (sleep))
    return *stack != 0;
  if (*stack == 0)
    *stack = sleep->detail;
  return sleep->detail == *stack && sleep->detail != 0;
}

/* Nobody knows what it waited for. */
static inline gboolean
wp_end_unseen (const WpOp *op)
{
  return op->kind == WP_OP_SLEEP && op->cause == WP_CAUSE_NONE && op->state != WP_STATE_DEAD && op->state != WP_STATE_PREEMPTED
         && !(op->flags & WP_OP_OPEN_END);
}

/* A thread that a sleep stands on; the ones below it by `below`. */
typedef struct
{
  WpId thread; /* the first task of its tid, before all execs */
  WpId below;
  guint32 depth;
} WpChain;

/* What an operation made start. */
typedef struct
{
  gint64 time; /* of the wakeup or fork */
  WpId target; /* a run */
} WpCall;

/* A sleep to be explained. */
typedef struct
{
  WpId part;
  WpId chain;
} WpWork;

/* What a walk found: a stretch of an operation, and for a sleep the chain it stands on. */
typedef struct
{
  gint64 start, end;
  WpId op;
  WpId chain;
} WpFound;

/* One sleep, or several that are one wait; first to last. */
typedef WP_ARRAY (WpId) WpPartList;

typedef struct
{
  WpPaths *paths;
  const WpTrace *trace;
  WpId *threads;       /* task → the first task of its tid */
  WpId *op_parts;      /* op → its latest part; others by `op_next` */
  WpIdArray op_next;   /* part → the part of the same operation that comes before it in time */
  WpIdArray last_child;/* part → its last child */
  guint32 *first_call; /* op → its first row of `calls`; one more at the end */
  WpCall *calls;       /* by whoever made them, then time */
  guint8 *is_base;     /* task → 1: all of it is placed, as a base path */
  const WpSleepEnd *sleep_ends; /* that of the paths */
  WpBitmap placed;     /* operations with a part */
  WpBitmap called;     /* runs woken or forked by a placed part */
  WpBitmap unseen;     /* sleeps whose ends nobody is known to have caused */
  WpIdArray disks;     /* tasks of devices with requests for files, once they are asked for */
  gint64 *latest_end;  /* device operations: the latest end of this and those before it in the same device; or NULL */
  WP_ARRAY (WpChain) chains;
  guint32 *on_chain;   /* thread → how often it is on the current chain */
  WpId current_chain;
  WP_ARRAY (WpWork) work; /* a stack */
  WpIdArray new_paths; /* paths whose sleeps are to be worked through */
  guint32 done_paths;  /* … of which so many are */
  guint64 steps;       /* for wp_maker_go_on() */
  WpProgress *progress;
  GError **error;
  gboolean cancelled;
  WpPartList window;   /* the sleeps of the wait at hand */
  WP_ARRAY (WpFound) found; /* by the walk at hand, latest first */
} WpMaker;

/* place.c */
WpId wp_maker_place (WpMaker *self, WpId op, gint64 start, gint64 end, WpId parent, WpId path);
WpId wp_maker_part_overlapping (const WpMaker *self, WpId op, gint64 start, gint64 end); /* the latest such part, or 0 */
WpId wp_maker_waker (const WpMaker *self, WpId sleep); /* the operation that ended it by a link that is not horizontal, or 0 */
WpId wp_maker_new_path (WpMaker *self);
WpId wp_maker_cut_at_or_below (const WpMaker *self, WpId op); /* the largest operation of the cuts at or below this one, or 0 */
WpId wp_maker_chain (WpMaker *self, WpId below, WpId thread);
gboolean wp_maker_on_chain (WpMaker *self, WpId chain, WpId thread);
void wp_maker_push_work (WpMaker *self, WpId part, WpId chain);
void wp_maker_reverse_work (WpMaker *self, guint32 from); /* what was pushed since then: the first comes on top */

/* paths.c. Each step of a long loop asks whether to go on: not when cancelled. What is made then is thrown away. */
gboolean wp_maker_go_on (WpMaker *self);
gboolean wp_maker_look (WpMaker *self, double fraction); /* the same of short steps, asked every WP_MAKER_STEP of them */
#define WP_MAKER_STEP 65536
void wp_maker_work_through (WpMaker *self); /* what is new */

/* started-work.c: gives what was started, and is not placed, control paths of its own. */
void wp_maker_start_work (WpMaker *self);

/* lanes.c */
void wp_paths_assign_lanes (WpPaths *paths);

/* The operation before / after this one in the same thread, through execs; 0 at the thread's ends. */
WpId wp_thread_prev_op (const WpTrace *trace, WpId op);
WpId wp_thread_next_op (const WpTrace *trace, WpId op);
/* The sleep before a run; 0 when the run has none (the task's first, or after an exec). */
WpId wp_run_sleep_before (const WpTrace *trace, WpId run);

/* From when on what ended a sleep was on its way through this machine: whoever sent it had left the CPU by then. G_MAXINT64: it was not.
 * TCP keeps small pieces back until what it sent before is acknowledged, which the far end may put off for 40 ms. */
gint64 wp_sleep_sent_since (const WpTrace *trace, const WpOp *sleep);

/* walk.c: explains the wait in `window` by the run that ended it. */
void wp_maker_walk (WpMaker *self, WpId waker, WpId chain);

/* place-disk.c: explains a part (a sleep, or a request in the queue) by an operation of a device or the network. */
void wp_maker_place_device (WpMaker *self, WpId part, WpId op);
