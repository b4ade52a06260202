#include "trace/cpu-runs.h"

#include "base/search.h"
#include "base/sort.h"

#define STEP 65536 /* operations from one look at the progress to the next */

guint32
wp_cpu_waited_for (const WpTrace *trace, WpId sleep)
{
  const WpOp *op = &trace->ops.data[sleep], *run;
  gboolean preempted = op->state == WP_STATE_PREEMPTED;

  run = &trace->ops.data[preempted ? wp_trace_prev_op (trace, sleep) : wp_trace_next_op (trace, sleep)];
  return run->kind == WP_OP_RUN && (preempted ? run->end == op->start : run->start == op->end) ? run->cpu : 0;
}

gboolean
wp_cpu_wait_of (const WpTrace *trace, WpId sleep, WpCpuRun *wait)
{
  const WpOp *op = &trace->ops.data[sleep];

  if (op->kind != WP_OP_SLEEP || (op->flags & WP_OP_LOST))
    return FALSE;
  *wait = (WpCpuRun) { .start = wp_trace_woken (trace, sleep), .end = op->end, .op = sleep, .cpu = wp_cpu_waited_for (trace, sleep) };
  return wait->cpu != 0 && wait->start < wait->end;
}

WP_DEFINE_COMPARE_2 (compare_places, WpCpuRun, cpu, start)

/* Those of one CPU that touch become one. */
static void
join (WpCpuRuns *waits)
{
  guint32 n = 0;

  for (guint32 i = 0; i < waits->len; i++)
    {
      const WpCpuRun wait = waits->data[i];
      WpCpuRun *last = n > 0 ? &waits->data[n - 1] : NULL;

      if (last != NULL && last->cpu == wait.cpu && wait.start <= last->end)
        last->end = MAX (last->end, wait.end);
      else
        waits->data[n++] = wait;
    }
  waits->len = n;
}

static gboolean
is_within (const WpCpuRuns *waits, const WpOp *run)
{
  const WpCpuRun *all = waits->data;
  guint32 i = WP_SEARCH (0, waits->len, w, all[w].cpu < run->cpu || (all[w].cpu == run->cpu && all[w].end <= run->start));

  return i < waits->len && all[i].cpu == run->cpu && all[i].start < run->end;
}

static void
cut_overlaps (WpCpuRuns *runs)
{
  guint32 n = 0;

  for (guint32 i = 0; i < runs->len; i++)
    {
      WpCpuRun run = runs->data[i];

      if (n > 0 && runs->data[n - 1].cpu == run.cpu)
        run.start = MAX (run.start, runs->data[n - 1].end);
      if (run.start < run.end)
        runs->data[n++] = run;
    }
  runs->len = n;
}

static gboolean
sort (WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  return runs->len < 2 || wp_sort_many (runs->data, runs->len, sizeof *runs->data, compare_places, progress, error);
}

gboolean
wp_cpu_runs_find (const WpTrace *trace, WpCpuRuns *waits, WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  runs->len = 0;
  if (!sort (waits, progress, error))
    return FALSE;
  join (waits);
  for (WpId o = 1; o < trace->ops.len && waits->len > 0; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (o % STEP == 0 && !wp_progress_step (progress, 0, error))
        return FALSE;
      if (op->kind == WP_OP_RUN && op->cpu != 0 && !(op->flags & WP_OP_LOST) && !(trace->tasks.data[op->task].flags & WP_TASK_IDLE)
          && is_within (waits, op))
        wp_array_push (runs, ((WpCpuRun) { op->start, op->end, o, op->cpu }));
    }
  if (!sort (runs, progress, error))
    return FALSE;
  cut_overlaps (runs);
  return TRUE;
}

/* The first run on that CPU that ends after that moment. */
static guint32
first_after (const WpCpuRuns *runs, guint32 cpu, gint64 time)
{
  const WpCpuRun *all = runs->data;

  return WP_SEARCH (0, runs->len, r, all[r].cpu < cpu || (all[r].cpu == cpu && all[r].end <= time));
}

WpId
wp_cpu_runs_at (const WpCpuRuns *runs, guint32 cpu, gint64 time)
{
  guint32 r = first_after (runs, cpu, time);

  return r < runs->len && runs->data[r].cpu == cpu && runs->data[r].start <= time ? runs->data[r].op : 0;
}

static void
add (WpCpuRuns *holders, gint64 start, gint64 end, WpId op, guint32 cpu)
{
  if (start < end)
    wp_array_push (holders, ((WpCpuRun) { start, end, op, cpu }));
}

/* Equal stretches, each for who had the CPU in its middle. */
static void
sample (const WpCpuRuns *runs, const WpCpuRun *wait, WpCpuRuns *holders)
{
  gint64 length = wait->end - wait->start;

  for (guint i = 0; i < WP_CPU_HOLDERS; i++)
    {
      gint64 start = wait->start + length / WP_CPU_HOLDERS * i, end = start + length / WP_CPU_HOLDERS;

      add (holders, start, i + 1 < WP_CPU_HOLDERS ? end : wait->end, wp_cpu_runs_at (runs, wait->cpu, start + (end - start) / 2), wait->cpu);
    }
}

void
wp_cpu_runs_holders (const WpCpuRuns *runs, const WpCpuRun *wait, WpCpuRuns *holders)
{
  guint32 first = first_after (runs, wait->cpu, wait->start), n = 0;
  gint64 at = wait->start;

  holders->len = 0;
  while (first + n < runs->len && n <= WP_CPU_HOLDERS && runs->data[first + n].cpu == wait->cpu && runs->data[first + n].start < wait->end)
    n++;
  if (n > WP_CPU_HOLDERS)
    {
      sample (runs, wait, holders);
      return;
    }
  for (guint32 i = first; i < first + n; i++)
    {
      gint64 start = MAX (runs->data[i].start, at), end = MIN (runs->data[i].end, wait->end);

      add (holders, at, start, 0, wait->cpu);
      add (holders, start, end, runs->data[i].op, wait->cpu);
      at = MAX (at, end);
    }
  add (holders, at, wait->end, 0, wait->cpu);
}
