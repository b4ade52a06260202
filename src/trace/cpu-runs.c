#include "trace/cpu-runs.h"

#include "base/free-aside.h"
#include "base/moments.h"
#include "base/search.h"
#include "base/sort.h"

#define CPUS 65536 /* more are compared with one another */

guint32
wp_cpu_waited_for (const WpTrace *trace, WpId sleep)
{
  const WpOp *op = &trace->ops.data[sleep], *run;
  gboolean preempted = op->state == WP_STATE_PREEMPTED;

  run = &trace->ops.data[preempted ? wp_trace_prev_op (trace, sleep) : wp_trace_next_op (trace, sleep)];
  return run->kind == WP_OP_RUN && (preempted ? run->end == op->start : run->start == op->end) ? run->cpu : 0;
}

gboolean
wp_cpu_wait_of (const WpTrace *trace, WpId sleep, gint64 woken, WpCpuRun *wait)
{
  const WpOp *op = &trace->ops.data[sleep];

  if (op->flags & WP_OP_LOST)
    return FALSE;
  *wait = (WpCpuRun) { .start = woken, .end = op->end, .op = sleep, .task = op->task, .cpu = wp_cpu_waited_for (trace, sleep) };
  return wait->cpu != 0 && wait->start < wait->end;
}

WP_DEFINE_COMPARE_2 (compare_places, WpCpuRun, cpu, start)

/* Those of one CPU that touch become one. FALSE when cancelled. */
static gboolean
join (const WpCpuRuns *waits, WpCpuRuns *joined, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < waits->len; i++)
    {
      const WpCpuRun wait = waits->data[i];
      WpCpuRun *last = joined->len > 0 ? &joined->data[joined->len - 1] : NULL;

      if (!wp_progress_row (progress, i, error))
        return FALSE;
      if (last != NULL && last->cpu == wait.cpu && wait.start <= last->end)
        last->end = MAX (last->end, wait.end);
      else
        wp_array_push (joined, wait);
    }
  return TRUE;
}

static gboolean
is_within (const WpCpuRuns *waits, const WpOp *run)
{
  const WpCpuRun *all = waits->data;
  guint32 i = WP_SEARCH (0, waits->len, w, all[w].cpu < run->cpu || (all[w].cpu == run->cpu && all[w].end <= run->start));

  return i < waits->len && all[i].cpu == run->cpu && all[i].start < run->end;
}

/* FALSE when cancelled. */
static gboolean
cut_overlaps (WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  guint32 n = 0;

  for (guint32 i = 0; i < runs->len; i++)
    {
      WpCpuRun run = runs->data[i];

      if (!wp_progress_row (progress, i, error))
        return FALSE;
      if (n > 0 && runs->data[n - 1].cpu == run.cpu)
        run.start = MAX (run.start, runs->data[n - 1].end);
      if (run.start < run.end)
        runs->data[n++] = run;
    }
  runs->len = n;
  return TRUE;
}

/* Those of each CPU in the order of the moments. FALSE when cancelled: nothing has changed then. */
static gboolean
place_by_cpu (WpCpuRuns *runs, WpMoments *starts, guint32 n_cpus, WpProgress *progress, GError **error)
{
  g_auto (WpMomentGroups) groups = { 0 };
  gboolean going_on = wp_moments_group (starts, n_cpus, &groups, progress, error);
  WpCpuRun *placed = g_new (WpCpuRun, runs->len);

  for (guint32 i = 0; i < runs->len && going_on; i++)
    {
      placed[i] = runs->data[groups.ids.data[i]];
      going_on = wp_progress_row (progress, i, error);
    }
  if (going_on)
    {
      WpCpuRun *before = runs->data;

      runs->data = placed;
      runs->cap = runs->len;
      placed = before;
    }
  wp_free_many_aside (placed, runs->len, g_free);
  return going_on;
}

/* When each begins, and on which CPU; says which of those is the last. FALSE when cancelled. */
static gboolean
find_starts (const WpCpuRuns *runs, WpMoments *starts, guint32 *last_cpu, WpProgress *progress, GError **error)
{
  *last_cpu = 0;
  wp_array_reserve (starts, runs->len);
  for (guint32 i = 0; i < runs->len; i++)
    {
      if (!wp_progress_row (progress, i, error))
        return FALSE;
      wp_array_push (starts, ((WpMoment) { runs->data[i].start, i, runs->data[i].cpu }));
      *last_cpu = MAX (*last_cpu, runs->data[i].cpu);
    }
  return TRUE;
}

/* By CPU, then start. */
static gboolean
sort (WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  WpMoments starts = { 0 };
  guint32 last_cpu;
  gboolean going_on = find_starts (runs, &starts, &last_cpu, progress, error);

  if (going_on && last_cpu >= CPUS) /* a file may say anything */
    going_on = wp_sort_many (runs->data, runs->len, sizeof *runs->data, compare_places, progress, error);
  else if (going_on)
    going_on = place_by_cpu (runs, &starts, last_cpu + 1, progress, error);
  wp_free_many_aside (starts.data, starts.len, g_free);
  return going_on;
}

static gboolean
find_within (const WpTrace *trace, const WpCpuRuns *waits, WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  for (WpId o = 1; o < trace->ops.len && waits->len > 0; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (!wp_progress_row (progress, o, error))
        return FALSE;
      if (op->kind == WP_OP_RUN && op->cpu != 0 && !(op->flags & WP_OP_LOST) && !(trace->tasks.data[op->task].flags & WP_TASK_IDLE)
          && is_within (waits, op))
        wp_array_push (runs, ((WpCpuRun) { op->start, op->end, o, op->task, op->cpu }));
    }
  return sort (runs, progress, error);
}

gboolean
wp_cpu_runs_find (const WpTrace *trace, WpCpuRuns *waits, WpCpuRuns *runs, WpProgress *progress, GError **error)
{
  WpCpuRuns joined = { 0 };
  gboolean going_on;

  runs->len = 0;
  going_on = sort (waits, progress, error) && join (waits, &joined, progress, error) && find_within (trace, &joined, runs, progress, error)
             && cut_overlaps (runs, progress, error);
  wp_array_clear (&joined);
  return going_on;
}

static inline gboolean
is_before (const WpCpuRun *run, guint32 cpu, gint64 time)
{
  return run->cpu < cpu || (run->cpu == cpu && run->end <= time);
}

/* The first run on that CPU that ends after that moment. */
static guint32
first_after (const WpCpuRuns *runs, guint32 cpu, gint64 time)
{
  return WP_SEARCH (0, runs->len, r, is_before (&runs->data[r], cpu, time));
}

/* The same, sought from a row on in steps that become longer. */
static guint32
first_after_near (const WpCpuRuns *runs, guint32 cpu, gint64 time, guint32 near)
{
  guint64 low = MIN (near, runs->len), high = low;

  for (guint64 step = 1; high < runs->len && is_before (&runs->data[high], cpu, time); step *= 2)
    {
      low = high + 1;
      high = MIN (high + step, runs->len);
    }
  for (guint64 step = 1; low > 0 && !is_before (&runs->data[low - 1], cpu, time); step *= 2)
    {
      high = low - 1;
      low = low > step ? low - step : 0;
    }
  return (guint32) WP_SEARCH (low, high, r, is_before (&runs->data[r], cpu, time));
}

static const WpCpuRun *
run_at (const WpCpuRuns *runs, guint32 cpu, gint64 time)
{
  guint32 r = first_after (runs, cpu, time);

  return r < runs->len && runs->data[r].cpu == cpu && runs->data[r].start <= time ? &runs->data[r] : NULL;
}

WpId
wp_cpu_runs_at (const WpCpuRuns *runs, guint32 cpu, gint64 time)
{
  const WpCpuRun *run = run_at (runs, cpu, time);

  return run != NULL ? run->op : 0;
}

static void
add (WpCpuRuns *holders, gint64 start, gint64 end, const WpCpuRun *run, guint32 cpu)
{
  if (start < end)
    wp_array_push (holders, ((WpCpuRun) { start, end, run != NULL ? run->op : 0, run != NULL ? run->task : 0, cpu }));
}

/* Equal stretches, each for who had the CPU in its middle. */
static void
sample (const WpCpuRuns *runs, const WpCpuRun *wait, WpCpuRuns *holders)
{
  gint64 length = wait->end - wait->start;

  for (guint i = 0; i < WP_CPU_HOLDERS; i++)
    {
      gint64 start = wait->start + length / WP_CPU_HOLDERS * i, end = start + length / WP_CPU_HOLDERS;

      add (holders, start, i + 1 < WP_CPU_HOLDERS ? end : wait->end, run_at (runs, wait->cpu, start + (end - start) / 2), wait->cpu);
    }
}

void
wp_cpu_runs_holders (const WpCpuRuns *runs, const WpCpuRun *wait, guint32 *near, WpCpuRuns *holders)
{
  guint32 first = first_after_near (runs, wait->cpu, wait->start, *near), n = 0;
  gint64 at = wait->start;

  *near = first;
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

      add (holders, at, start, NULL, wait->cpu);
      add (holders, start, end, &runs->data[i], wait->cpu);
      at = MAX (at, end);
    }
  add (holders, at, wait->end, NULL, wait->cpu);
}
