/* Who had the CPU; see rivals.h. The waits become stretches of time of each CPU, with how many waited then; one look at all runs does
 * the rest. */
#include "paths/rivals.h"

#include "base/moments.h"
#include "base/search.h"
#include "trace/cpu-runs.h"

typedef struct
{
  gint64 start, end;
  guint32 waiting;
} Stretch;

typedef struct
{
  gint64 since;    /* the last edge … */
  guint32 waiting; /* … and how many wait from there on */
  WP_ARRAY (Stretch) stretches; /* in the order of time; none over another */
} Cpu;

/* What an edge is: WpMoment.what. */
enum
{
  BEGINS,
  ENDS,
};

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  WpHelperArray *rivals;
  WpPairMap rows;    /* who, 1 → row of the rivals + 1 */
  WpPairMap numbers; /* CPU as operations have it, 1 → row of `cpus` + 1: a file may give its CPUs any numbers */
  WP_ARRAY (Cpu) cpus;
  WpMoments edges;   /* of waits, by the row of their CPU */
} Finder;

static guint32
row_of_cpu (Finder *self, guint32 cpu)
{
  guint32 *row = wp_pair_map_at (&self->numbers, cpu, 1);

  if (*row == 0)
    {
      wp_array_push (&self->cpus, ((Cpu) { 0 }));
      *row = self->cpus.len;
    }
  return *row - 1;
}

static void
take_wait (Finder *self, const WpPart *part, const WpExplanation *range)
{
  gint64 ready = CLAMP (wp_paths_woken (self->paths, part->op), part->start, part->end);
  gint64 start = MAX (ready, range->from), end = MIN (part->end, range->to);
  guint32 cpu = start < end ? wp_cpu_waited_for (self->trace, part->op) : 0, row;

  if (cpu == 0 || (self->trace->ops.data[part->op].flags & WP_OP_LOST))
    return;
  row = row_of_cpu (self, cpu);
  wp_array_push (&self->edges, ((WpMoment) { start, row, BEGINS }));
  wp_array_push (&self->edges, ((WpMoment) { end, row, ENDS }));
}

static gboolean
take_waits (Finder *self, const WpExplanation *range, const WpId *roots, WpProgress *progress, GError **error)
{
  for (WpId part = 1; part < self->paths->parts.len; part++)
    {
      if (roots[part] == part)
        take_wait (self, &self->paths->parts.data[part], range);
      if (!wp_progress_row (progress, part, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
make_stretches (Finder *self, WpProgress *progress, GError **error)
{
  if (!wp_moments_sort (&self->edges, progress, error))
    return FALSE;
  for (guint32 i = 0; i < self->edges.len; i++)
    {
      const WpMoment *edge = &self->edges.data[i];
      Cpu *cpu = &self->cpus.data[edge->id];

      if (cpu->waiting > 0 && cpu->since < edge->at)
        wp_array_push (&cpu->stretches, ((Stretch) { cpu->since, edge->at, cpu->waiting }));
      cpu->since = edge->at;
      cpu->waiting += edge->what == BEGINS ? 1 : -1;
    }
  return TRUE;
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
  guint32 row = run->kind == WP_OP_RUN && run->cpu != 0 && !(run->flags & WP_OP_LOST) ? wp_pair_map_get (&self->numbers, run->cpu, 1) : 0;
  const Stretch *stretches;
  guint32 n;

  if (row == 0)
    return;
  stretches = self->cpus.data[row - 1].stretches.data;
  n = self->cpus.data[row - 1].stretches.len;
  for (guint32 i = WP_SEARCH (0, n, s, stretches[s].end <= run->start); i < n && stretches[i].start < run->end; i++)
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
  gboolean going;

  wp_progress_phase (progress, "Finding who had the CPU");
  going = take_waits (&self, explanation, roots, progress, error) && make_stretches (&self, progress, error);
  for (WpId t = 1; t < trace->tasks.len && going && self.edges.len > 0; t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      for (guint32 i = 0; i < task->n_ops && going && !(task->flags & WP_TASK_IDLE); i++)
        {
          take_run (&self, task->first_op + i);
          going = wp_progress_row (progress, task->first_op + i, error);
        }
    }
  wp_helpers_sort (rivals);
  wp_pair_map_clear (&self.rows);
  wp_pair_map_clear (&self.numbers);
  wp_array_clear (&self.edges);
  for (guint32 c = 0; c < self.cpus.len; c++)
    wp_array_clear (&self.cpus.data[c].stretches);
  wp_array_clear (&self.cpus);
  return going;
}
