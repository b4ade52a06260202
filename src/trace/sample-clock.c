/* CPU samples: whose each is, how often they come, and those that the kernel holds back. */
#include "trace/scheduling.h"
#include "trace/thresholds.h"

/* How often whoever runs here is sampled: a running mean. */
static void
learn_pace (WpCpu *cpu, const WpEvent *event)
{
  gint64 gap = event->time - cpu->sampled;

  if (cpu->tid == event->tid && cpu->sampled > cpu->switched)
    cpu->pace = cpu->pace == 0 ? gap : cpu->pace + (gap - cpu->pace) / 8;
}

/* The run that was sampled, 0 if none is known to have been. */
static WpId
run_of_sample (WpAssembler *self, const WpEvent *event)
{
  WpThread *thread = wp_assembler_thread (self, event->tid);
  const WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  gboolean here = thread != NULL && thread->running && cpu->tid == event->tid;

  if (!here && thread != NULL && !thread->running && thread->run != 0
      && event->time - wp_assembler_op (self, thread->run)->end <= WP_LATE_SAMPLE_NS)
    return thread->run;
  if (here || cpu->tid <= 0 || thread == NULL || event->time - cpu->switched > WP_LATE_SAMPLE_NS
      || (thread->op != 0 && wp_assembler_op (self, thread->op)->link != 0))
    thread = wp_assemble_acting (self, event->tid, event->cpu, event->time);
  else
    return 0;
  return thread != NULL ? thread->run : 0;
}

void
wp_assemble_sample (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  WpId run = 0;

  if (cpu->throttled >= 0) /* the one that was too many comes right after it was found to be; any other says that it is over */
    cpu->throttled = cpu->sampled == 0 ? event->time : -1;
  learn_pace (cpu, event);
  if (event->tid > 0)
    run = run_of_sample (self, event);
  else
    wp_assemble_acting (self, event->tid, event->cpu, event->time);
  cpu = wp_assembler_cpu (self, event->cpu);
  cpu->sampled = event->time;
  if (event->tid <= 0)
    return;
  if (run == 0)
    self->trace->diagnostics.n[WP_DIAG_LATE_SAMPLES_DROPPED]++;
  else
    wp_array_push (&self->trace->samples, ((WpSample) { .time = event->time, .stack = event->stack, .run = run }));
}

/* --- throttling --------------------------------------------------------------------------------------------------- */

static void
add_held_back (WpAssembler *self, WpId run, gint64 from, gint64 until, gint64 pace)
{
  WpTrace *trace = self->trace;
  guint64 *held = &trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK];
  gint64 n = MIN ((until - from + pace / 2) / pace, WP_HELD_BACK_MAX);

  if (run == 0 || n <= 0 || *held > WP_HELD_BACK_SHARE * (trace->samples.len - *held) + WP_HELD_BACK_MAX)
    return;
  wp_assembler_op (self, run)->flags |= WP_OP_THROTTLED;
  *held += n;
  for (gint64 i = 0; i < n; i++)
    wp_array_push (&trace->samples, ((WpSample) { .time = from + (until - from) / n * i, .run = run }));
}

void
wp_assemble_held_back (WpAssembler *self, guint32 number, gint64 until)
{
  WpCpu *cpu = wp_assembler_cpu (self, number);
  const WpThread *thread;
  gint64 pace = cpu->held_pace != 0 ? cpu->held_pace : cpu->pace;

  if (cpu->throttled < 0)
    return;
  thread = wp_assembler_thread (self, cpu->tid);
  if (thread != NULL && thread->running && thread->run != 0 && pace > 0)
    add_held_back (self, thread->run, MAX (cpu->throttled, wp_assembler_op (self, thread->run)->start), until, pace);
  cpu->throttled = until;
}

/* How long it takes to the next sample after that says nothing about how often they come. */
void
wp_assemble_throttle (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);

  wp_assemble_held_back (self, event->cpu, event->time);
  cpu->throttled = event->throttle.on ? event->time : -1;
  cpu->held_pace = event->throttle.pace;
  cpu->sampled = 0;
  self->trace->diagnostics.n[WP_DIAG_THROTTLED] += event->throttle.on != 0;
}
