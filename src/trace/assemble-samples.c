/* CPU samples: whose each is, how often they come, and those that the kernel holds back. */
#include "trace/assembler-private.h"

/* A sample belongs to a run that ended at most so long before it. */
#define LATE_SAMPLE_NS 20000
/* The kernel holds samples back up to its next tick; a file may say anything. */
#define HELD_BACK_MAX 1024
#define HELD_BACK_SHARE 16 /* of those that were taken, so many times */
/* Times between samples are the same if they differ by such a share; so many more of them must be than are not. */
#define BEAT_SHARE 20
#define BEATS_MIN 8
#define BEATS_MAX 64
/* A sample is due only so many of these times after the last, and not so near to a switch. */
#define DUE_BEATS 4
#define DUE_SHARE 8
/* Where such a share of the switches had to be inferred, events are missing all over, and so are samples. */
#define THINNED_SHARE 10

/* How often whoever runs here is sampled: a running mean. */
static void
learn_pace (WpCpu *cpu, const WpEvent *event)
{
  gint64 gap = event->time - cpu->sampled;

  if (cpu->tid == event->tid && cpu->sampled > cpu->switched)
    cpu->pace = cpu->pace == 0 ? gap : cpu->pace + (gap - cpu->pace) / 8;
}

/* What most of the times between samples are, if it is the same: those of a clock are, those of counted cycles are not. */
static void
learn_beat (WpCpu *cpu, gint64 time)
{
  gint64 gap = time - cpu->sampled;

  if (cpu->sampled == 0)
    return;
  if (cpu->beat > 0 && ABS (gap - cpu->beat) * BEAT_SHARE <= cpu->beat)
    {
      cpu->beat += (gap - cpu->beat) / 8;
      cpu->beats = MIN (cpu->beats + 1, BEATS_MAX);
    }
  else if (cpu->beats > 0)
    cpu->beats--;
  else
    cpu->beat = gap;
}

/* A run that is over at `end`: if its CPU was to be sampled in the midst of it, and was not, the sample may be missing. */
void
wp_assemble_sample_due (WpAssembler *self, WpCpu *cpu, WpId id, gint64 end)
{
  gint64 start = wp_assembler_op (self, id)->start, beat = cpu->beat, margin = beat / DUE_SHARE, due;

  if (cpu->beats < BEATS_MIN || cpu->throttled >= 0 || cpu->sampled == 0 || cpu->sampled >= start)
    return;
  due = cpu->sampled + (start + margin - cpu->sampled + beat - 1) / beat * beat;
  if (due - cpu->sampled <= DUE_BEATS * beat && due + margin <= end)
    wp_array_push (&cpu->due, id);
}

/* A host that stopped the CPU delays its sample; where the next one keeps the beat, those before it are missing. */
static void
judge_due (WpAssembler *self, WpCpu *cpu, gint64 time)
{
  gint64 off = cpu->beat > 0 ? (time - cpu->sampled) % cpu->beat : 0;

  for (guint32 i = 0; i < cpu->due.len && MIN (off, cpu->beat - off) * BEAT_SHARE <= cpu->beat; i++)
    wp_array_push (&self->unsampled, cpu->due.data[i]);
  cpu->due.len = 0;
}

/* In sound recordings, too, a sample is late now and then, and its run is just not sampled. */
void
wp_assemble_unsampled (WpAssembler *self)
{
  WpDiagnostics *diagnostics = &self->trace->diagnostics;

  if (diagnostics->n[WP_DIAG_INFERRED_SWITCHES] * THINNED_SHARE < self->switches)
    return;
  for (guint32 i = 0; i < self->unsampled.len; i++)
    wp_assembler_op (self, self->unsampled.data[i])->flags |= WP_OP_LOST;
  diagnostics->n[WP_DIAG_SAMPLES_MISSING] = self->unsampled.len;
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
  judge_due (self, cpu, event->time);
  learn_beat (cpu, event->time);
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
  gint64 n = MIN ((until - from + pace / 2) / pace, HELD_BACK_MAX);

  if (run == 0 || n <= 0 || *held > HELD_BACK_SHARE * (trace->samples.len - *held) + HELD_BACK_MAX)
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
