/* Work that was started by what is placed, and that nobody on our paths waits for.
 *
 * A run is ours where it was called by something of ours, or where its thread goes on with what was ours. Runs are taken in
 * the order of time, so that whoever called one, and whoever ended a sleep of its thread, has been looked at before. Runs of one
 * thread from one call to the next are a series; what of a series is still free becomes a control path. */
#include "paths/paths-private.h"

#include "base/sort.h"
#include "trace/kernel-names.h"

/* So many series may stand on one another before we stop looking which one called which. */
#define MAX_NESTED 64

typedef struct
{
  WpId first, last; /* runs of one thread */
  guint32 called_by;/* series, or 0: called by something placed */
  gboolean forked;  /* the thread was forked for us: what it does after a timeout is ours, too */
} Series;

typedef struct
{
  gint64 start;
  WpId run;
} Candidate;

typedef struct
{
  WpMaker *maker;
  const WpTrace *trace;
  guint32 *series_of; /* run → series, 0: not ours */
  WP_ARRAY (Series) series; /* row 0 is empty */
  WP_ARRAY (Candidate) seeds; /* what the parts called, the earliest first */
  guint32 next_seed;
  WP_ARRAY (Candidate) heap; /* what follows from those, the earliest on top */
} Starter;

/* --- candidates ---------------------------------------------------------------------------------------------------- */

static gboolean
is_earlier (const Candidate *a, const Candidate *b)
{
  return a->start != b->start ? a->start < b->start : a->run < b->run;
}

static void
add_candidate (Starter *self, WpId run)
{
  const WpOp *op = &self->trace->ops.data[run];
  guint32 i = self->heap.len;
  Candidate candidate = { .start = op->start, .run = run };

  if (run == 0 || op->kind != WP_OP_RUN || self->maker->is_base[op->task]
      || (self->trace->tasks.data[op->task].flags & WP_TASK_IDLE))
    return;
  wp_array_push (&self->heap, candidate);
  for (; i > 0 && is_earlier (&candidate, &self->heap.data[(i - 1) / 2]); i = (i - 1) / 2)
    self->heap.data[i] = self->heap.data[(i - 1) / 2];
  self->heap.data[i] = candidate;
}

static WpId
take_from_heap (Starter *self)
{
  Candidate *heap = self->heap.data, last = heap[--self->heap.len];
  WpId run = heap[0].run;
  guint32 i = 0, n = self->heap.len;

  for (guint32 child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && is_earlier (&heap[child + 1], &heap[child]))
        child++;
      if (!is_earlier (&heap[child], &last))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = last;
  return run;
}

/* The earliest candidate, or 0. */
static WpId
take_candidate (Starter *self)
{
  gboolean seeds_left = self->next_seed < self->seeds.len;

  if (seeds_left && (self->heap.len == 0 || !is_earlier (&self->heap.data[0], &self->seeds.data[self->next_seed])))
    return self->seeds.data[self->next_seed++].run;
  return self->heap.len > 0 ? take_from_heap (self) : 0;
}

static void
add_called (Starter *self, WpId run)
{
  const WpMaker *maker = self->maker;

  for (guint32 i = maker->first_call[run]; i < maker->first_call[run + 1]; i++)
    add_candidate (self, maker->calls[i].target);
}

/* The run that the thread goes on with. */
static void
add_following (Starter *self, WpId run)
{
  WpId next = wp_thread_next_op (self->trace, run);

  if (next != 0 && self->trace->ops.data[next].kind == WP_OP_SLEEP)
    next = wp_thread_next_op (self->trace, next);
  add_candidate (self, next);
}

/* --- series -------------------------------------------------------------------------------------------------------- */

static guint32
new_series (Starter *self, WpId run, guint32 called_by, gboolean forked)
{
  wp_array_push (&self->series, ((Series) { .first = run, .last = run, .called_by = called_by, .forked = forked }));
  return self->series.len - 1;
}

/* Whether `series` was called by `by`, or by what that called; callers have lower numbers. */
static gboolean
stands_on (const Starter *self, guint32 series, guint32 by)
{
  for (guint i = 0; series > by && i < MAX_NESTED; i++)
    series = self->series.data[series].called_by;
  return series == by;
}

/* Whether what a thread does after a sleep that no task ended goes on with what it did before. */
static gboolean
goes_on (const Starter *self, const WpOp *sleep, guint32 before)
{
  switch ((WpCause) sleep->cause)
    {
    case WP_CAUSE_PREEMPTED:
    case WP_CAUSE_DISK:
    case WP_CAUSE_KERNEL:
    case WP_CAUSE_IPI:
      return TRUE;
    case WP_CAUSE_NET:
      return sleep->explained_by != 0;
    case WP_CAUSE_TIMER:
      return self->series.data[before].forked
             || (wp_kernel_stack_roles (self->trace, sleep->detail) & WP_ROLE_NANOSLEEP) != 0;
    default:
      return FALSE;
    }
}

static gboolean
is_cut (const Starter *self, WpId op)
{
  return wp_maker_cut_at_or_below (self->maker, op) == op;
}

/* The series that a run belongs to, 0 when it is not ours. */
static guint32
find_series (Starter *self, WpId run)
{
  const WpTrace *trace = self->trace;
  WpId sleep = wp_run_sleep_before (trace, run), before = wp_thread_prev_op (trace, sleep != 0 ? sleep : run);
  const WpOp *s = &trace->ops.data[sleep];
  const WpLink *link = &trace->links.data[s->link];
  guint32 own = self->series_of[before], caller = self->series_of[link->source];

  if (is_cut (self, run) || (sleep != 0 && is_cut (self, sleep)))
    return 0;
  if (sleep == 0) /* an exec */
    return own;
  if (trace->ops.data[link->source].kind != WP_OP_RUN)
    return own != 0 && goes_on (self, s, own) ? own : 0;
  if (own != 0 && caller != 0 && stands_on (self, caller, own))
    return own;
  if (caller == 0 && wp_maker_part_overlapping (self->maker, link->source, link->start - 1, link->start + 1) == 0)
    return 0;
  return new_series (self, run, caller, (s->flags & WP_OP_NEW_TASK) != 0 || self->series.data[own].forked);
}

static int
compare_candidates (const void *a, const void *b)
{
  return is_earlier (a, b) ? -1 : is_earlier (b, a);
}

/* What the parts called. Base paths are placed whole: there is nothing to be found in them. */
static void
find_seeds (Starter *self)
{
  const WpTrace *trace = self->trace;

  for (WpId t = 1; t < trace->tasks.len && wp_maker_go_on (self->maker); t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      if (self->maker->is_base[t] || (task->flags & WP_TASK_IDLE))
        continue;
      for (WpId o = task->first_op; o < task->first_op + task->n_ops && wp_maker_go_on (self->maker); o++)
        if (wp_bitmap_has (&self->maker->called, o))
          wp_array_push (&self->seeds, ((Candidate) { .start = trace->ops.data[o].start, .run = o }));
    }
  if (!self->maker->cancelled
      && !wp_sort_many (self->seeds.data, self->seeds.len, sizeof *self->seeds.data, compare_candidates, self->maker->progress, self->maker->error))
    self->maker->cancelled = TRUE;
}

static void
find_all_series (Starter *self)
{
  WpId run;

  find_seeds (self);
  while ((run = take_candidate (self)) != 0 && wp_maker_go_on (self->maker))
    {
      guint32 series = self->series_of[run] == 0 ? find_series (self, run) : 0;

      if (series == 0)
        continue;
      self->series_of[run] = series;
      self->series.data[series].last = run;
      add_called (self, run);
      add_following (self, run);
    }
}

/* --- control paths ------------------------------------------------------------------------------------------------- */

/* The path at hand, and how far it reaches: what follows without a gap is appended. */
typedef struct
{
  WpId path;
  gint64 end;
} Open;

static void
place_piece (WpMaker *maker, Open *open, WpId op, gint64 start, gint64 end)
{
  if (open->path == 0 || open->end != start)
    {
      open->path = wp_maker_new_path (maker);
      maker->paths->paths.data[open->path].started = TRUE;
      wp_array_push (&maker->new_paths, open->path);
    }
  wp_maker_place (maker, op, start, end, 0, open->path);
  open->end = end;
}

/* Places what of an operation is free from `from` on; pieces come out latest first and are placed in the order of time. */
static void
place_free (WpMaker *maker, Open *open, WpId op, gint64 from)
{
  const WpPart *parts = maker->paths->parts.data;
  gint64 end = maker->trace->ops.data[op].end;

  maker->found.len = 0;
  for (WpId p = maker->op_parts[op]; p != 0 && end > from; p = maker->op_next.data[p])
    {
      if (MAX (parts[p].end, from) < end)
        wp_array_push (&maker->found, ((WpFound) { .op = op, .start = MAX (parts[p].end, from), .end = end }));
      end = MIN (end, parts[p].start);
    }
  if (from < end)
    wp_array_push (&maker->found, ((WpFound) { .op = op, .start = from, .end = end }));
  for (guint32 i = maker->found.len; i-- > 0;)
    place_piece (maker, open, op, maker->found.data[i].start, maker->found.data[i].end);
}

/* The thread was called: the time it was runnable belongs to the call, and all of a new task's first sleep. */
static void
place_call (WpMaker *maker, Open *open, WpId run)
{
  WpId sleep = wp_run_sleep_before (maker->trace, run);
  gint64 start = maker->trace->ops.data[run].start;

  if (sleep != 0 && wp_maker_part_overlapping (maker, run, start, start + 1) == 0)
    place_free (maker, open, sleep, wp_trace_woken (maker->trace, sleep));
}

static void
place_series (WpMaker *maker, const Series *series)
{
  Open open = { 0 };

  place_call (maker, &open, series->first);
  for (WpId op = series->first; op != 0 && wp_maker_go_on (maker);
       op = op != series->last ? wp_thread_next_op (maker->trace, op) : 0)
    place_free (maker, &open, op, maker->trace->ops.data[op].start);
}

void
wp_maker_start_work (WpMaker *maker)
{
  Starter self = { .maker = maker, .trace = maker->trace, .series_of = g_new0 (guint32, maker->trace->ops.len) };

  wp_progress_phase (maker->progress, "Following what was started");
  wp_array_resize (&self.series, 1);
  find_all_series (&self);
  for (guint32 i = 1; i < self.series.len && wp_maker_go_on (maker); i++)
    { /* what another series waits for is placed there when that one's turn comes: callers come first */
      place_series (maker, &self.series.data[i]);
      wp_maker_work_through (maker);
    }
  g_free (self.series_of);
  wp_array_clear (&self.series);
  wp_array_clear (&self.seeds);
  wp_array_clear (&self.heap);
}
