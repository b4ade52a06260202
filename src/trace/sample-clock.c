/* Gives each CPU sample to a run. */
#include "trace/sample-clock.h"
#include "trace/thresholds.h"

void
wp_sample_clock_clear (WpSampleClock *self)
{
  wp_array_clear (&self->cpus);
}

/* The row of this CPU; those before it are there then. What was learned of how often samples come there holds no longer once the
 * rate was changed: each CPU hears of that when it is its turn. */
static WpSampledCpu *
cpu_of (WpSampleClock *self, guint32 number)
{
  static const WpSampledCpu fresh = { .throttled = -1 };
  guint32 rates = self->core->trace->rates.len;
  WpSampledCpu *cpu;

  while (self->cpus.len <= number)
    wp_array_push (&self->cpus, fresh);
  cpu = &self->cpus.data[number];
  if (cpu->rates != rates)
    {
      cpu->pace = 0;
      if (cpu->throttled < 0)
        cpu->sampled = 0;
      cpu->rates = rates;
    }
  return cpu;
}

/* How often whoever runs here is sampled: a running mean. */
static void
learn_pace (WpSampledCpu *sampled, const WpCpu *cpu, const WpEvent *event)
{
  gint64 gap = event->time - sampled->sampled;

  if (cpu->tid == event->tid && sampled->sampled > cpu->switched)
    sampled->pace = sampled->pace == 0 ? gap : sampled->pace + (gap - sampled->pace) / 8;
}

/* The run that was sampled, 0 if none is known to have been. */
static WpId
run_of_sample (WpSampleClock *self, const WpEvent *event)
{
  WpThread *thread = wp_scheduling_thread (self->core, event->tid);
  const WpCpu *cpu = wp_scheduling_cpu (self->core, event->cpu);
  gboolean here = thread != NULL && thread->running && cpu->tid == event->tid;

  if (!here && thread != NULL && !thread->running && thread->run != 0
      && event->time - wp_scheduling_op (self->core, thread->run)->end <= WP_LATE_SAMPLE_NS)
    return thread->run;
  if (here || cpu->tid <= 0 || thread == NULL || event->time - cpu->switched > WP_LATE_SAMPLE_NS
      || (thread->op != 0 && wp_scheduling_op (self->core, thread->op)->link != 0))
    thread = wp_scheduling_acting (self->core, event->tid, event->cpu, event->time);
  else
    return 0;
  return thread != NULL ? thread->run : 0;
}

void
wp_sample_clock_sample (WpSampleClock *self, const WpEvent *event)
{
  WpSampledCpu *cpu = cpu_of (self, event->cpu);
  WpId run = 0;

  if (cpu->throttled >= 0) /* the one that was too many comes right after it was found to be; any other says that it is over */
    cpu->throttled = cpu->sampled == 0 ? event->time : -1;
  learn_pace (cpu, wp_scheduling_cpu (self->core, event->cpu), event);
  if (event->tid > 0)
    run = run_of_sample (self, event);
  else
    wp_scheduling_acting (self->core, event->tid, event->cpu, event->time);
  cpu->sampled = event->time;
  self->core->trace->diagnostics.n[WP_DIAG_LATE_SAMPLES_DROPPED] += run == 0 && event->tid > 0;
  if (run == 0 && !self->all)
    return;
  wp_array_push (&self->core->trace->samples,
                 ((WpSample) { .time = event->time, .period = event->period, .stack = event->stack, .run = run,
                               .task = run == 0 ? wp_scheduling_sampled_task (self->core, event) : 0, .event = event->event }));
}

/* --- throttling --------------------------------------------------------------------------------------------------- */

static void
add_held_back (WpSampleClock *self, WpId run, gint64 from, gint64 until, gint64 pace)
{
  WpTrace *trace = self->core->trace;
  guint64 *held = &trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK];
  gint64 n = MIN ((until - from + pace / 2) / pace, WP_HELD_BACK_MAX);

  if (run == 0 || n <= 0 || *held > WP_HELD_BACK_SHARE * (trace->samples.len - *held) + WP_HELD_BACK_MAX)
    return;
  wp_scheduling_op (self->core, run)->flags |= WP_OP_THROTTLED;
  *held += n;
  for (gint64 i = 0; i < n; i++)
    wp_array_push (&trace->samples, ((WpSample) { .time = from + (until - from) / n * i, .run = run }));
}

void
wp_sample_clock_switch (WpSampleClock *self, guint32 number, gint64 until)
{
  WpSampledCpu *cpu = cpu_of (self, number);
  const WpThread *thread;
  gint64 pace = cpu->held_pace != 0 ? cpu->held_pace : cpu->pace;

  if (cpu->throttled < 0)
    return;
  thread = wp_scheduling_thread (self->core, wp_scheduling_cpu (self->core, number)->tid);
  if (thread != NULL && thread->running && thread->run != 0 && pace > 0)
    add_held_back (self, thread->run, MAX (cpu->throttled, wp_scheduling_op (self->core, thread->run)->start), until, pace);
  cpu->throttled = until;
}

/* How long it takes to the next sample after that says nothing about how often they come. */
void
wp_sample_clock_throttle (WpSampleClock *self, const WpEvent *event)
{
  WpSampledCpu *cpu = cpu_of (self, event->cpu);

  wp_sample_clock_switch (self, event->cpu, event->time);
  cpu->throttled = event->throttle.on ? event->time : -1;
  cpu->held_pace = event->throttle.pace;
  cpu->sampled = 0;
  self->core->trace->diagnostics.n[WP_DIAG_THROTTLED] += event->throttle.on != 0;
}

void
wp_sample_clock_rate (WpSampleClock *self, const WpEvent *event)
{
  wp_array_push (&self->core->trace->rates, ((WpRate) { .time = event->time, .rate = event->rate }));
}

void
wp_sample_clock_lost (WpSampleClock *self, guint32 cpu)
{
  cpu_of (self, cpu)->throttled = -1;
}

void
wp_sample_clock_paused (WpSampleClock *self)
{
  for (guint32 i = 0; i < self->cpus.len; i++)
    self->cpus.data[i].throttled = -1;
}
