/* Who had a CPU when: the runs on each CPU, one after the other. Of a wait for a CPU they say who had it meanwhile. */
#pragma once

#include "base/progress.h"
#include "trace/trace.h"

/* A stretch of time of a CPU. */
typedef struct
{
  gint64 start, end;
  WpId op;     /* the run; 0: nobody's */
  WpId task;   /* … whose it is */
  guint32 cpu; /* its number + 1, as operations have it */
} WpCpuRun;
typedef WP_ARRAY (WpCpuRun) WpCpuRuns;

/* Which CPU a sleep waited for once it was ready: after a preemption the one on which that was, else the one on which its task ran next. Its
 * number + 1, 0: nobody knows. */
guint32 wp_cpu_waited_for (const WpTrace *trace, WpId sleep);

/* When, and for which CPU, a sleep waited that was woken then; FALSE: it did not, or that is not known. */
gboolean wp_cpu_wait_of (const WpTrace *trace, WpId sleep, gint64 woken, WpCpuRun *wait);

/* The runs within `waits`, by CPU, then time; what overlaps another (a recording may be damaged) is cut. One look at each operation; `waits` are sorted
 * by CPU, then start. What was lost is nobody's. FALSE only when cancelled. */
gboolean wp_cpu_runs_find (const WpTrace *trace, WpCpuRuns *waits, WpCpuRuns *runs, WpProgress *progress, GError **error);

/* Who had a CPU at a moment; 0: nobody was seen there. Logarithmic. */
WpId wp_cpu_runs_at (const WpCpuRuns *runs, guint32 cpu, gint64 time);

/* Who had a CPU in that time, one after the other and without gaps: `op` 0 where nobody was seen there. Where more than WP_CPU_HOLDERS had it, that
 * many equal stretches, each for who had it in its middle. Replaces what is in `holders`. `near` is the row of a run that may be near, any number at
 * first, and is set to the first one found: who asks in the order of time finds the next one at once. Logarithmic otherwise, but for those that it finds. */
#define WP_CPU_HOLDERS 256
void wp_cpu_runs_holders (const WpCpuRuns *runs, const WpCpuRun *wait, guint32 *near, WpCpuRuns *holders);
