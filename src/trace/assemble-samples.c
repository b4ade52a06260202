/* CPU samples: whose each is, and how often they come. */
#include "trace/assembler-private.h"

/* A sample belongs to a run that ended at most so long before it. */
#define LATE_SAMPLE_NS 20000

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
      && event->time - wp_assembler_op (self, thread->run)->end <= LATE_SAMPLE_NS)
    return thread->run;
  if (here || cpu->tid <= 0 || thread == NULL || event->time - cpu->switched > LATE_SAMPLE_NS
      || (thread->op != 0 && wp_assembler_op (self, thread->op)->link != 0))
    thread = wp_assembler_acting (self, event->tid, event->cpu, event->time);
  else
    return 0;
  return thread != NULL ? thread->run : 0;
}

void
wp_assemble_sample (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  WpId run = 0;

  learn_pace (cpu, event);
  if (event->tid > 0)
    run = run_of_sample (self, event);
  else
    wp_assembler_acting (self, event->tid, event->cpu, event->time);
  cpu = wp_assembler_cpu (self, event->cpu);
  cpu->sampled = event->time;
  if (event->tid <= 0)
    return;
  if (run == 0)
    self->trace->diagnostics.n[WP_DIAG_LATE_SAMPLES_DROPPED]++;
  else
    wp_array_push (&self->trace->samples, ((WpSample) { .time = event->time, .stack = event->stack, .run = run }));
}
