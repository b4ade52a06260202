/* Who had the CPU; see rivals.h. The waits become stretches of time of each CPU, with how many waited then; one look at all runs does
 * the rest. */
#include "paths/rivals.h"

#include "base/search.h"
#include "base/sort.h"
#include "trace/cpu-runs.h"

#define STEP 256 /* tasks from one look at the progress to the next */

typedef struct
{
  gint64 time;
  guint32 cpu;
  gint32 more; /* so many more wait from here on; less where negative */
} Edge;

typedef struct
{
  gint64 start, end;
  guint32 cpu, waiting;
} Stretch;

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  WpHelperArray *rivals;
  WpPairMap rows; /* who, 1 → row of the rivals + 1 */
  WP_ARRAY (Edge) edges;
  WP_ARRAY (Stretch) stretches; /* by CPU, then time; none over another */
} Finder;

static void
take_wait (Finder *self, const WpPart *part, const WpExplanation *range)
{
  gint64 ready = CLAMP (wp_paths_woken (self->paths, part->op), part->start, part->end);
  gint64 start = MAX (ready, range->from), end = MIN (part->end, range->to);
  guint32 cpu = wp_cpu_waited_for (self->trace, part->op);

  if (cpu == 0 || start >= end || (self->trace->ops.data[part->op].flags & WP_OP_LOST))
    return;
  wp_array_push (&self->edges, ((Edge) { start, cpu, 1 }));
  wp_array_push (&self->edges, ((Edge) { end, cpu, -1 }));
}

WP_DEFINE_COMPARE_2 (compare_edges, Edge, cpu, time)

static void
make_stretches (Finder *self)
{
  gint32 waiting = 0;

  wp_array_sort (&self->edges, compare_edges);
  for (guint32 i = 0; i + 1 < self->edges.len; i++)
    {
      const Edge *from = &self->edges.data[i], *to = from + 1;

      waiting += from->more; /* nobody waits any more after the last edge of a CPU */
      if (waiting > 0 && from->time < to->time)
        wp_array_push (&self->stretches, ((Stretch) { from->time, to->time, from->cpu, (guint32) waiting }));
    }
}

static WpHelper *
rival (Finder *self, WpId who)
{
  guint32 *row = wp_pair_map_at (&self->rows, who, 1);

  if (*row == 0)
    {
      wp_array_push (self->rivals, ((WpHelper) { .who = who }));
      *row = self->rivals->len;
    }
  return &self->rivals->data[*row - 1];
}

static void
take_run (Finder *self, WpId id)
{
  const WpOp *run = &self->trace->ops.data[id];
  const Stretch *stretches = self->stretches.data;
  guint32 n = self->stretches.len, first;

  if (run->kind != WP_OP_RUN || run->cpu == 0 || (run->flags & WP_OP_LOST))
    return;
  first = WP_SEARCH (0, n, s, stretches[s].cpu < run->cpu || (stretches[s].cpu == run->cpu && stretches[s].end <= run->start));
  for (guint32 i = first; i < n && stretches[i].cpu == run->cpu && stretches[i].start < run->end; i++)
    wp_helper_add (rival (self, wp_paths_task_name (self->paths, run->task)), id,
                   MIN (run->end, stretches[i].end) - MAX (run->start, stretches[i].start), stretches[i].waiting);
}

void
wp_rivals_of (const WpTrace *trace, WpId sleep, WpHelperArray *rivals)
{
  gint64 start = wp_trace_woken (trace, sleep), end = trace->ops.data[sleep].end;
  guint32 cpu = wp_cpu_waited_for (trace, sleep);

  rivals->len = 0;
  for (WpId t = 1; t < trace->tasks.len && cpu != 0 && start < end; t++)
    {
      const WpTask *task = &trace->tasks.data[t];
      const WpOp *ops = trace->ops.data;
      guint32 last = task->first_op + task->n_ops;
      WpHelper rival = { .who = task->name };

      if (task->kind != WP_TASK_THREAD || (task->flags & WP_TASK_IDLE))
        continue;
      for (guint32 i = WP_SEARCH (task->first_op, last, o, ops[o].end <= start); i < last && ops[i].start < end; i++)
        if (ops[i].kind == WP_OP_RUN && ops[i].cpu == cpu && !(ops[i].flags & WP_OP_LOST))
          wp_helper_add (&rival, i, MIN (ops[i].end, end) - MAX (ops[i].start, start), 1);
      if (rival.ns > 0)
        wp_array_push (rivals, rival);
    }
  wp_helpers_sort (rivals);
}

gboolean
wp_rivals_find (const WpPaths *paths, const WpExplanation *explanation, const WpId *roots, WpHelperArray *rivals,
                WpProgress *progress, GError **error)
{
  const WpTrace *trace = paths->trace;
  Finder self = { .paths = paths, .trace = trace, .rivals = rivals };
  gboolean going = TRUE;

  wp_progress_phase (progress, "Finding who had the CPU");
  for (WpId part = 1; part < paths->parts.len; part++)
    if (roots[part] == part)
      take_wait (&self, &paths->parts.data[part], explanation);
  make_stretches (&self);
  for (WpId t = 1; t < trace->tasks.len && going && self.stretches.len > 0; t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      for (guint32 i = 0; i < task->n_ops && !(task->flags & WP_TASK_IDLE); i++)
        take_run (&self, task->first_op + i);
      if (t % STEP == 0)
        going = wp_progress_step (progress, (double) t / trace->tasks.len, error);
    }
  wp_helpers_sort (rivals);
  wp_pair_map_clear (&self.rows);
  wp_array_clear (&self.edges);
  wp_array_clear (&self.stretches);
  return going;
}
