/* CPU samples: whose each is, how often they come, and which are missing. */
#include "trace/assembler-private.h"

/* A sample belongs to a run that ended at most so long before it. */
#define LATE_SAMPLE_NS 20000
/* A timer samples a CPU at equal distances, which a sixteenth more or less does not change. So many regular ones in a row are
 * believed, and one irregular one takes four of them back. */
#define BEAT_TOLERANCE 16
#define STEADY 16
#define STEADY_MAX 32
#define STEADY_PENALTY 4
/* The moments at which samples must have come are known for so many beats … */
#define BEATS_MAX 8
/* … and up to so much. */
#define BEAT_MARGIN_NS 20000

/* How often whoever runs here is sampled: a running mean. */
static void
learn_pace (WpCpu *cpu, const WpEvent *event)
{
  gint64 gap = event->time - cpu->sampled;

  if (cpu->tid == event->tid && cpu->sampled > cpu->switched)
    cpu->pace = cpu->pace == 0 ? gap : cpu->pace + (gap - cpu->pace) / 8;
}

/* Those that seemed to lack a sample do lack it when the next one comes some beats after the last. */
static void
miss_samples (WpAssembler *self, WpCpu *cpu)
{
  for (guint32 i = 0; i < cpu->unsampled.len; i++)
    wp_assembler_op (self, cpu->unsampled.data[i])->flags |= WP_OP_UNSAMPLED;
  self->trace->diagnostics.n[WP_DIAG_UNSAMPLED_RUNS] += cpu->unsampled.len;
}

static void
learn_beat (WpAssembler *self, WpCpu *cpu, gint64 gap)
{
  gint64 beats = cpu->beat > 0 ? (gap + cpu->beat / 2) / cpu->beat : 0, error = gap - beats * cpu->beat;

  if (beats == 0 || ABS (error) > cpu->beat / BEAT_TOLERANCE)
    {
      cpu->steady = MAX (cpu->steady, STEADY_PENALTY) - STEADY_PENALTY;
      if (cpu->steady == 0)
        cpu->beat = gap;
    }
  else if (beats == 1)
    {
      cpu->steady = MIN (cpu->steady + 1, STEADY_MAX);
      cpu->beat += error / BEAT_TOLERANCE;
    }
  else
    miss_samples (self, cpu);
  cpu->unsampled.len = 0;
}

/* Whether a sample must have come within this span. */
static gboolean
beat_within (const WpCpu *cpu, gint64 start, gint64 end)
{
  gint64 beats = (start + BEAT_MARGIN_NS - cpu->sampled) / cpu->beat + 1;

  return beats >= 1 && beats <= BEATS_MAX && cpu->sampled + beats * cpu->beat < end - BEAT_MARGIN_NS;
}

void
wp_assemble_end_of_run (WpAssembler *self, const WpThread *thread)
{
  WpCpu *cpu = wp_assembler_cpu (self, thread->cpu);
  const WpOp *run = wp_assembler_op (self, thread->op);

  if (cpu->steady >= STEADY && !thread->idle && cpu->sampled_run != thread->op && beat_within (cpu, run->start, run->end))
    wp_array_push (&cpu->unsampled, thread->op);
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
  if (cpu->sampled > 0)
    learn_beat (self, cpu, event->time - cpu->sampled);
  cpu->sampled = event->time;
  cpu->sampled_run = run;
  if (event->tid <= 0)
    return;
  if (run == 0)
    self->trace->diagnostics.n[WP_DIAG_LATE_SAMPLES_DROPPED]++;
  else
    wp_array_push (&self->trace->samples, ((WpSample) { .time = event->time, .stack = event->stack, .run = run }));
}
