/* A call graph: the functions that samples met, how long each was on the stack and at its end, and who called whom for how long. What Racket's
 * `profile` calls a profile, to the last digit: its analyzer, its heuristic for the order, its hiding.
 *
 * Times are whole numbers (exact.h), `one` of which are one millisecond, or one of the unit where they are no times. They are exact as long as
 *
 *   (what all samples took, in the largest unit that divides them all and a millisecond) × (the frames of the deepest stack)
 *     × (the least common multiple of how often a function stands on a stack)   ≤ 2¹¹⁵
 *
 * which holds for an hour in nanoseconds and functions that call themselves up to 40 times deep. Beyond that the shares of functions that stand on
 * a stack very often are rounded to one of these small units, and `exact` is FALSE. */
#pragma once

#include "base/progress.h"
#include "calls/exact.h"
#include "stacks/stacks.h"

typedef struct
{
  WpId name, file;     /* 0: not known */
  gint64 line, column; /* from 1, 0: not known; from 0, −1: not known. Of a file without lines `column` is the position in it, from 0 */
  WpExact total;       /* of the samples that have it on the stack, each once */
  WpExact self;        /* of those that have it at the end */
  guint32 layer;       /* from the top, 0: nobody before it calls it */
  guint32 first_caller, n_callers; /* in `callers` */
  guint32 first_callee, n_callees; /* in `callees` */
  guint32 first_thread, n_threads; /* in `node_threads` */
} WpCallsNode;

/* At each place on a stack the sample's time is divided by how often the other end stands there. So a node's total is both the sum of `caller_time`
 * over its callers and the sum of `callee_time` over its callees, node 0 among them. */
typedef struct
{
  guint32 caller, callee; /* nodes */
  WpExact total;          /* of the samples that have this call, each once */
  WpExact caller_time;    /* how much of the callee's total it had of this caller */
  WpExact callee_time;    /* how much of the caller's total went to this callee */
} WpCallsEdge;

typedef struct
{
  gint64 id; /* from 0 */
  WpExact time;
} WpCallsThread;

typedef struct
{
  WpStrings *strings; /* valid UTF-8 */
  WpId type, unit;    /* "cpu", "ms" */
  WpExact one;
  gboolean exact;
  WpExact total;      /* of all samples */
  double cpu_time;    /* ms that the profile is of; where it does not say, the total */
  guint64 n_samples;

  /* Node 0 is what calls the outermost functions and is called by the innermost ones. The others stand callers first, largest total first in each
   * layer; cycles are cut where that costs least. */
  WP_ARRAY (WpCallsNode) nodes;
  WP_ARRAY (WpCallsEdge) edges;
  WpIdArray callers, callees; /* edges, by callee and by caller; largest first, those of node 0 newest first */
  WP_ARRAY (WpCallsThread) threads;
  WP_ARRAY (gint64) node_threads; /* which threads had a node: ids */
} WpCalls;

void wp_calls_free (WpCalls *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCalls, wp_calls_free)

/* How long a sample took. Samples of one thread divide the time between them: each gets half of the distances to the one before it and the one
 * after it, the first and the last a whole one, and the only one of a thread nothing. */
typedef enum
{
  WP_CALLS_AUTO,      /* distances where a type only counts samples that have moments; values that say more are what they say */
  WP_CALLS_DISTANCES, /* of their moments */
  WP_CALLS_VALUES,    /* of the type */
} WpCallsTimes;

typedef struct
{
  guint32 type;             /* of values */
  WpCallsTimes times;
  gboolean lines;           /* nodes are lines instead of functions */
  gboolean without_inlined; /* inlined functions count as the one that they stand in */
  const guint8 *threads;    /* row of the stacks' threads → whether its samples count; NULL: all do */
} WpCallsOptions;

/* Of stacks. NULL and an error where it was cancelled, where distances are asked for and there are no moments, or where stacks are out of all
 * proportion. */
WpCalls *wp_calls_of_stacks (const WpStacks *stacks, const WpCallsOptions *options, WpProgress *progress, GError **error);

/* Several as one, of other runs or machines too: functions of one name and source are one, threads of one id. NULL and an error that names the
 * units where they do not fit. */
WpCalls *wp_calls_merge (WpCalls *const *graphs, guint n, GError **error);

/* Numbers of threads of several profiles, for their merge: threads of one host, number and name are one; all others, and
 * those of which one of the three is not known, have a number of their own. Those of a profile none of whose threads has
 * a number of the system's keep their ids, as Racket's manual has it; such profiles come first. Begins as zeros. */
typedef struct
{
  GHashTable *known; /* host, number and name → number */
  int next;
} WpCallsThreadNumbers;

void wp_calls_number_threads (WpCallsThreadNumbers *self, WpCalls *calls, const WpStacks *stacks); /* just made of these */
void wp_calls_reserve_threads (WpCallsThreadNumbers *self, const WpCalls *calls); /* of a graph whose threads keep their ids: nobody gets those later */
void wp_calls_thread_numbers_clear (WpCallsThreadNumbers *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCallsThreadNumbers, wp_calls_thread_numbers_clear)

static inline const char *
wp_calls_text (const WpCalls *self, WpId id)
{
  return wp_strings_get (self->strings, id);
}

/* "main.rkt:12:4", "main.rkt:#120" of a position, "main.rkt"; "(unknown source)". */
void wp_calls_append_source (const WpCalls *self, guint32 node, GString *out);

gboolean wp_calls_are_times (const WpCalls *self); /* in milliseconds, then */

/* Milliseconds, or what the unit is. */
static inline double
wp_calls_real (const WpCalls *self, WpExact time)
{
  return wp_exact_real (time, self->one);
}
