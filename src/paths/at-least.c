/* One pass along each task, in the order of time; see at-least.h. */
#include "paths/at-least.h"

#include "base/hash.h"

/* Tasks go through the same few stacks again and again: what pairs of them have in common is kept of so many. */
#define KNOWN_PAIRS 8192

typedef struct
{
  WpId before, after, common;
} KnownPair;

#define STEP 65536 /* rows from one look at the progress to the next */

typedef struct
{
  const WpTrace *trace;
  WpAtLeast *out;
  WpId *user;        /* stack → wp_trace_user_stack() of it + 1; 0: not asked for yet */
  KnownPair *known;  /* each in the place that its hash says, the latest one */
  WpId before;       /* the last stack that was seen of this task, without the kernel's frames; 0: none, or nobody knows what came since */
  WpIdArray pending; /* operations since */
  WpId sampled;      /* the stack of the last sample, where it is … */
  gint64 fresh;      /* … no older than the time between two, up to here */
} Finder;

static guint32
depth_of (const WpTrace *trace, WpId stack)
{
  guint32 n = 0;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    n++;
  return n;
}

static WpId
function_of (const WpTrace *trace, WpId stack)
{
  return trace->frames.data[trace->stacks.data[stack].frame].function;
}

/* By functions, not by places in them: a function goes on from one of its calls to the next, and saved profiles know functions only. */
WpId
wp_at_least_between (const WpTrace *trace, WpId before, WpId after)
{
  guint32 n_before, n_after;
  WpId common;

  before = wp_trace_user_stack (trace, before);
  after = wp_trace_user_stack (trace, after);
  n_before = depth_of (trace, before);
  n_after = depth_of (trace, after);
  for (; n_before > n_after; n_before--)
    before = trace->stacks.data[before].parent;
  for (; n_after > n_before; n_after--)
    after = trace->stacks.data[after].parent;
  for (common = before; before != after; before = trace->stacks.data[before].parent, after = trace->stacks.data[after].parent)
    if (function_of (trace, before) != function_of (trace, after))
      common = trace->stacks.data[before].parent;
  return common;
}

static WpId
user_stack (Finder *self, WpId stack)
{
  if (self->user[stack] == 0)
    self->user[stack] = wp_trace_user_stack (self->trace, stack) + 1;
  return self->user[stack] - 1;
}

/* Of stacks without the kernel's frames. */
static WpId
common_of (Finder *self, WpId before, WpId after)
{
  KnownPair *known = &self->known[wp_hash_pair (before, after) % KNOWN_PAIRS];

  if (before == 0 || after == 0)
    return 0;
  if (known->before != before || known->after != after)
    *known = (KnownPair) { before, after, wp_at_least_between (self->trace, before, after) };
  return known->common;
}

/* What is known to be whole stays. */
static void
note (Finder *self, WpId op, gboolean whole, WpId stack)
{
  if (stack == 0 || (!whole && wp_bitmap_has (&self->out->whole, op)))
    return;
  self->out->stacks[op] = stack;
  if (whole)
    wp_bitmap_add (&self->out->whole, op);
}

static void
forget (Finder *self)
{
  self->pending.len = 0;
  self->before = self->sampled = 0;
}

/* It stands on this stack now; what was there since the last one stood between. */
static void
see (Finder *self, WpId stack)
{
  WpId common = self->pending.len > 0 ? common_of (self, self->before, stack) : 0;

  for (guint32 i = 0; i < self->pending.len; i++)
    note (self, self->pending.data[i], FALSE, common);
  self->pending.len = 0;
  self->before = stack;
}

static void
take_sleep (Finder *self, WpId id)
{
  const WpOp *op = &self->trace->ops.data[id];
  WpId stack = wp_told_before (op) ? 0 : user_stack (self, op->detail);

  if (stack != 0)
    see (self, stack);
  else if (op->state != WP_STATE_PREEMPTED)
    forget (self);
  else if (self->sampled != 0 && op->start <= self->fresh)
    note (self, id, TRUE, self->sampled);
  else
    wp_array_push (&self->pending, id);
  self->sampled = 0;
}

/* Of its samples the first and the last with a stack count; how far apart two neighbours are says how often they come. */
static void
take_run (Finder *self, WpId id)
{
  const WpOp *op = &self->trace->ops.data[id];
  const WpSample *samples = &self->trace->samples.data[op->detail], *first, *last;
  guint32 n = op->detail != 0 ? op->explained_by - op->detail : 0, from = 0, to = n;

  self->sampled = 0;
  while (from < to && user_stack (self, samples[from].stack) == 0)
    from++;
  while (to > from && user_stack (self, samples[to - 1].stack) == 0)
    to--;
  if (from == to)
    {
      wp_array_push (&self->pending, id);
      return;
    }
  first = &samples[from];
  last = &samples[to - 1];
  if (self->pending.len > 0)
    {
      WpId before = self->pending.data[self->pending.len - 1];
      const WpOp *previous = &self->trace->ops.data[before];

      if (to - from > 1 && from == 0 && previous->kind == WP_OP_SLEEP && previous->end == op->start
          && first->time - op->start <= first[1].time - first->time)
        note (self, before, TRUE, user_stack (self, first->stack));
    }
  see (self, user_stack (self, first->stack));
  self->before = user_stack (self, last->stack);
  if (to - from > 1 && to == n)
    {
      self->sampled = self->before;
      self->fresh = last->time + (last->time - last[-1].time);
    }
}

/* What has no part, and what a saved profile lacks, is a gap; what took no time has no part, and is none. */
static gboolean
take_task (Finder *self, const WpTask *task, const WpBitmap *placed, WpProgress *progress, GError **error)
{
  const WpOp *ops = self->trace->ops.data;

  forget (self);
  for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
    {
      if (o % STEP == 0 && !wp_progress_step (progress, 0, error))
        return FALSE;
      if (!wp_bitmap_has (placed, o) && ops[o].start == ops[o].end)
        continue;
      if (!wp_bitmap_has (placed, o) || (ops[o].flags & WP_OP_LOST) || (o > task->first_op && ops[o].start != ops[o - 1].end))
        forget (self);
      if (!wp_bitmap_has (placed, o) || (ops[o].flags & WP_OP_LOST))
        continue;
      if (ops[o].kind == WP_OP_RUN)
        take_run (self, o);
      else
        take_sleep (self, o);
    }
  return TRUE;
}

gboolean
wp_at_least_init (WpAtLeast *self, const WpPaths *paths, WpProgress *progress, GError **error)
{
  const WpTrace *trace = paths->trace;
  Finder finder = { .trace = trace, .out = self };
  WpBitmap placed = { 0 };
  gboolean going_on = TRUE;

  *self = (WpAtLeast) { .stacks = g_new0 (WpId, trace->ops.len) };
  wp_bitmap_init (&self->whole, trace->ops.len);
  wp_bitmap_init (&placed, trace->ops.len);
  finder.user = g_new0 (WpId, MAX (trace->stacks.len, 1));
  finder.known = g_new0 (KnownPair, KNOWN_PAIRS);
  for (WpId p = 1; p < paths->parts.len && going_on; p++)
    {
      wp_bitmap_add (&placed, paths->parts.data[p].op);
      going_on = p % STEP != 0 || wp_progress_step (progress, 0, error);
    }
  for (WpId t = 1; t < trace->tasks.len && going_on; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && !(trace->tasks.data[t].flags & WP_TASK_KERNEL))
      going_on = take_task (&finder, &trace->tasks.data[t], &placed, progress, error);
  wp_bitmap_clear (&placed);
  wp_array_clear (&finder.pending);
  g_free (finder.user);
  g_free (finder.known);
  return going_on;
}

void
wp_at_least_clear (WpAtLeast *self)
{
  g_clear_pointer (&self->stacks, g_free);
  wp_bitmap_clear (&self->whole);
}

WpId
wp_at_least_of_op (const WpAtLeast *self, WpId op, gboolean *whole)
{
  WpId stack = self->stacks != NULL ? self->stacks[op] : 0;

  *whole = stack != 0 && wp_bitmap_has (&self->whole, op);
  return stack;
}
