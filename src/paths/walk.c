/* The walk back along whoever ended a wait: rules 4 to 6. What it finds is collected latest first, then placed in time
 * order on the sleeps of the wait. */
#include "paths/paths-private.h"

/* The wait at hand. */
typedef struct
{
  gint64 start, end; /* the window */
  gint64 grace;
  WpId path;
  WpId chain;        /* of the sleep, then longer as the walk goes from task to task (rule 4d) */
  WpId own_chain;    /* … longer by the thread that is walked along: what its sleeps stand on; 0: not made yet */
  WpId waits_part;   /* what was found placed */
  WpId waits_path;
  gint64 cut;        /* when the operation ends that was cut by hand: what of the window lies before is not explained */
  guint moments;     /* operations without length that it went through */
  gboolean over;
} WpWalk;

/* A walk goes through so many operations that last no time, which cannot be placed: others would go the same way again. */
#define MOMENTS_MAX 4096

static void
found (WpMaker *self, WpId op, gint64 start, gint64 end, WpId chain)
{
  if (start >= end)
    return;
  wp_array_push (&self->found, ((WpFound) { .op = op, .start = start, .end = end, .chain = chain }));
}

static void
stop_at_placed (WpMaker *self, WpWalk *walk, WpId part)
{
  walk->over = TRUE;
  walk->waits_part = part;
  walk->waits_path = self->paths->parts.data[part].path;
}

/* Takes start … end of an operation unless that is placed already (rule 4b, 6): then what comes after the placed part
 * is taken, and the walk is over. */
static void
take (WpMaker *self, WpWalk *walk, WpId op, gint64 start, gint64 end, WpId chain)
{
  WpId placed = wp_maker_part_overlapping (self, op, start, end);

  if (placed == 0)
    {
      found (self, op, start, end, chain);
      return;
    }
  found (self, op, MAX (start, self->paths->parts.data[placed].end), end, chain);
  stop_at_placed (self, walk, placed);
}

/* Whether a task on the chain woke or forked this run: the call (rule 4c). */
static gboolean
is_call (WpMaker *self, WpId run, WpId chain)
{
  WpId sleep = wp_run_sleep_before (self->trace, run), waker = sleep != 0 ? wp_maker_waker (self, sleep) : 0;

  if (waker == 0 || self->trace->ops.data[waker].kind != WP_OP_RUN)
    return FALSE;
  return wp_maker_on_chain (self, chain, self->threads[self->trace->ops.data[waker].task]);
}

/* Of the sleep before a call only the time it was runnable belongs to us, and that in which the call was on its way. */
static void
take_runnable (WpMaker *self, WpWalk *walk, WpId sleep)
{
  const WpOp *op = &self->trace->ops.data[sleep];
  gint64 called = MIN (wp_paths_woken (self->paths, sleep), wp_sleep_sent_since (self->trace, op));
  gint64 from = MAX (MAX (called, op->start), walk->start), to = MIN (op->end, walk->end);

  if (from < to && wp_maker_cut_at_or_below (self, sleep) != sleep && wp_maker_part_overlapping (self, sleep, from, to) == 0)
    found (self, sleep, from, to, 0);
}

/* A sleep that is placed for what lies within grace of a window may begin before the call: up to then it waits for who calls. */
static void
wait_for_caller (WpMaker *self, WpWalk *walk, WpId sleep)
{
  WpId caller = wp_maker_waker (self, sleep);
  gint64 called = wp_paths_woken (self->paths, sleep);

  if (walk->waits_path != 0 || called <= walk->start || called > walk->start + walk->grace)
    return;
  walk->waits_part = wp_maker_part_overlapping (self, caller, self->trace->ops.data[caller].start, called);
  if (walk->waits_part != 0)
    walk->waits_path = self->paths->parts.data[walk->waits_part].path;
}

/* The latest run of the thread, at or before x, that a placed part called, with nothing placed or cut by hand from there
 * through x; or 0. */
static WpId
called_run (WpMaker *self, WpId x)
{
  const WpTrace *trace = self->trace;
  WpId at = x;

  while (at != 0)
    {
      WpId first = trace->tasks.data[trace->ops.data[at].task].first_op;
      WpId call = wp_bitmap_at_or_below (&self->called, at), stop = MAX (wp_bitmap_at_or_below (&self->placed, at), wp_maker_cut_at_or_below (self, at));

      if (call >= first && call > stop)
        return call;
      if (stop >= first)
        return 0;
      at = wp_thread_prev_op (trace, first);
    }
  return 0;
}

/* Everything from a call through x is a control path of its own (rule 5). */
static WpId
make_other_path (WpMaker *self, WpId call, WpId x)
{
  const WpTrace *trace = self->trace;
  WpId path = wp_maker_new_path (self), sleep = wp_run_sleep_before (trace, call), task = trace->ops.data[call].task;

  if (sleep != 0)
    {
      gint64 woken = wp_paths_woken (self->paths, sleep);

      if (woken < trace->ops.data[sleep].end && wp_maker_part_overlapping (self, sleep, woken, trace->ops.data[sleep].end) == 0)
        wp_maker_place (self, sleep, woken, trace->ops.data[sleep].end, 0, path);
    }
  for (WpId op = call;;)
    {
      const WpTask *t = &trace->tasks.data[task];

      if (trace->ops.data[op].end > trace->ops.data[op].start)
        wp_maker_place (self, op, trace->ops.data[op].start, trace->ops.data[op].end, 0, path);
      if (op == x)
        break;
      if (op + 1 < t->first_op + t->n_ops)
        op++;
      else
        {
          task = t->after;
          op = trace->tasks.data[task].first_op;
        }
    }
  if (self->paths->paths.data[path].first_part == 0)
    {
      self->paths->paths.len--;
      return 0;
    }
  wp_array_push (&self->new_paths, path);
  return path;
}

/* Whether who called has slept since, until nobody knows what: that may well have been this call's work. */
static gboolean
may_be_waited_for (const WpMaker *self, WpId call)
{
  const WpTrace *trace = self->trace;
  WpId sleep = self->paths->parts.data[self->window.data[0]].op, unseen = wp_bitmap_at_or_below (&self->unseen, sleep - 1);
  WpId before = wp_run_sleep_before (trace, call), caller = before != 0 ? wp_maker_waker (self, before) : 0;

  return caller != 0 && unseen > caller && trace->ops.data[caller].task == trace->ops.data[sleep].task;
}

/* x begins more than grace before the window (rule 4a and 5). */
static void
stop_before_window (WpMaker *self, WpWalk *walk, WpId x, gint64 end, WpId chain)
{
  WpId call = called_run (self, x);

  walk->over = TRUE;
  if (call != 0 && !may_be_waited_for (self, call))
    {
      walk->waits_path = make_other_path (self, call, x);
      if (walk->waits_path != 0)
        {
          walk->waits_part = self->paths->paths.data[walk->waits_path].last_part;
          return;
        }
    }
  take (self, walk, x, walk->start, end, chain);
}

/* What a sleep of the thread that is walked along stands on. */
static WpId
own_chain (WpMaker *self, WpWalk *walk, WpId thread)
{
  if (walk->own_chain == 0)
    walk->own_chain = wp_maker_chain (self, walk->chain, thread);
  return walk->own_chain;
}

/* One operation of the walk; `limit` is where it is cut at the end (the fork, or the window's end). Returns the next one
 * back, or 0 when the walk is over. */
static WpId
step (WpMaker *self, WpWalk *walk, WpId op, gint64 *limit)
{
  const WpTrace *trace = self->trace;
  const WpOp *o = &trace->ops.data[op];
  WpId thread = self->threads[o->task], sleep;
  gint64 end = o->end - *limit <= walk->grace && *limit == walk->end ? o->end : MIN (o->end, *limit);
  WpId chain = o->kind == WP_OP_SLEEP ? own_chain (self, walk, thread) : 0;
  gboolean outside = o->start >= walk->end;

  if (wp_maker_cut_at_or_below (self, op) == op)
    {
      walk->cut = o->end;
      return 0;
    }
  if (o->start < walk->start - walk->grace)
    {
      stop_before_window (self, walk, op, end, chain);
      return 0;
    }
  if (!outside)
    take (self, walk, op, o->start, end, chain);
  *limit = walk->end;
  walk->moments += o->start == o->end;
  if (walk->over || o->start <= walk->start || walk->moments > MOMENTS_MAX)
    return 0;
  if (o->kind == WP_OP_SLEEP)
    return wp_thread_prev_op (trace, op);
  if (is_call (self, op, walk->chain))
    {
      take_runnable (self, walk, wp_run_sleep_before (trace, op));
      wait_for_caller (self, walk, wp_run_sleep_before (trace, op));
      return 0;
    }
  sleep = wp_run_sleep_before (trace, op);
  if (sleep != 0 && (trace->ops.data[sleep].flags & WP_OP_NEW_TASK) && trace->ops.data[sleep].start >= walk->start)
    { /* forked within the window by somebody else (rule 4d) */
      const WpLink *fork = &trace->links.data[trace->ops.data[sleep].link];

      if (wp_maker_cut_at_or_below (self, sleep) == sleep)
        {
          walk->cut = trace->ops.data[sleep].end;
          return 0;
        }
      if (trace->ops.data[sleep].start < walk->end)
        take (self, walk, sleep, trace->ops.data[sleep].start, MIN (trace->ops.data[sleep].end, walk->end), 0);
      walk->chain = own_chain (self, walk, thread);
      walk->own_chain = 0;
      *limit = MIN (fork->start, walk->end);
      return walk->over ? 0 : fork->source;
    }
  return wp_thread_prev_op (trace, op);
}

/* Which sleep of the wait a moment belongs to: the last that begins at or before it. */
static guint32
window_index (const WpMaker *self, gint64 time, guint32 from)
{
  while (from + 1 < self->window.len && self->paths->parts.data[self->window.data[from + 1]].start <= time)
    from++;
  return from;
}

/* Places what was found, in time order, each on the sleep it lies on. A piece that begins within the short run between two
 * sleeps stays with the earlier one; by more than grace it may not reach beyond it. */
static void
place_found (WpMaker *self, const WpWalk *walk)
{
  guint32 index = 0, first_work = self->work.len;
  guint32 n = self->window.len;

  for (guint32 i = self->found.len; i-- > 0 && wp_maker_go_on (self);)
    {
      WpId op = self->found.data[i].op, chain = self->found.data[i].chain;
      gint64 at = self->found.data[i].start, end = self->found.data[i].end;

      while (at < end)
        {
          const WpPart *sleep;
          gint64 to;

          index = window_index (self, at, index);
          sleep = &self->paths->parts.data[self->window.data[index]];
          to = index + 1 < n ? MIN (end, self->paths->parts.data[self->window.data[index + 1]].start) : end;
          if (index + 1 < n && to - sleep->end > walk->grace)
            to = MAX (at, sleep->end);
          if (at < to)
            {
              WpId part = wp_maker_place (self, op, at, to, self->window.data[index], walk->path);

              if (chain != 0)
                wp_maker_push_work (self, part, chain);
            }
          at = index + 1 < n ? MAX (to, MIN (end, self->paths->parts.data[self->window.data[index + 1]].start)) : to;
        }
    }
  wp_maker_reverse_work (self, first_work);
}

/* What the sleeps of the wait know of it. */
static void
mark_window (WpMaker *self, const WpWalk *walk)
{
  for (guint32 i = 0; i < self->window.len; i++)
    {
      WpPart *sleep = &self->paths->parts.data[self->window.data[i]];

      if (walk->waits_path != 0)
        {
          sleep->waits_path = walk->waits_path;
          sleep->waits_part = walk->waits_part;
        }
      sleep->cut = sleep->start < walk->cut;
    }
}

void
wp_maker_walk (WpMaker *self, WpId waker, WpId chain)
{
  const WpPart *first = &self->paths->parts.data[self->window.data[0]];
  const WpPart *last = &self->paths->parts.data[self->window.data[self->window.len - 1]];
  WpWalk walk = { .start = first->start, .end = last->end, .grace = self->paths->options.grace, .path = last->path,
                  .chain = chain, .cut = G_MININT64 };
  gint64 limit = walk.end;

  self->found.len = 0;
  for (WpId op = waker; op != 0 && wp_maker_go_on (self);)
    op = step (self, &walk, op, &limit);
  mark_window (self, &walk);
  place_found (self, &walk);
}
