/* What is lost: what the kernel says is, and what silence shows to be. */
#include "trace/assembler-private.h"

/* A CPU where somebody runs and is sampled is silent for as long as this, and for so many samples, only if events are missing. */
#define SILENCE_NS 5000000
#define SILENCE_SAMPLES 20
#define SILENCE_OF_SAME 20
#define SILENCE_OF_UNKNOWN 4
/* --- what was lost for sure ---------------------------------------------------------------------------------------------- */

/* What was open on the CPU is unknown from the loss on. */
static void
lose (WpAssembler *self, WpLost lost)
{
  WpCpu *cpu = wp_assembler_cpu (self, lost.cpu);
  WpThread *thread = wp_assembler_thread (self, cpu->tid);

  lost.start = MIN (lost.start, MAX (cpu->seen, 0)); /* what came after that CPU's last event may be lost */
  wp_array_push (&self->trace->lost, lost);
  self->incomplete = TRUE;
  cpu->throttled = -1;
  if (thread != NULL && thread->running)
    {
      wp_assemble_leave_cpu (self, thread, MAX (lost.start, thread->seen));
      wp_assembler_op (self, thread->op)->flags |= WP_OP_LOST | WP_OP_INFERRED;
    }
  cpu->tid = -1;
  cpu->lost = TRUE;
  cpu->switched = lost.end;
}

void
wp_assemble_lost (WpAssembler *self, const WpEvent *event, gint64 since)
{
  self->trace->diagnostics.n[WP_DIAG_LOST] += event->lost.events;
  lose (self, (WpLost) { .start = since, .end = event->time, .events = event->lost.events, .cpu = event->cpu });
}

/* Whether it means something when he says nothing: nothing is ever heard of some. */
static gboolean
speaks (WpAssembler *self, gint32 tid)
{
  const WpThread *thread = wp_assembler_thread (self, tid);

  return thread == NULL || thread->heard;
}

/* Somebody was running, and would have been sampled many times. If somebody else is there now and no switch was seen, events of
 * this CPU are missing, though no record says so. The same task may only have lost the CPU to another machine of its host (for
 * 50 ms and more, where that is busy), and where nobody knows who ran, it may have been idle: that takes more to believe. */
static void
notice_silence (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  gint64 bearable = MAX (SILENCE_NS, SILENCE_SAMPLES * cpu->pace);

  if (event->tid == cpu->tid)
    bearable *= SILENCE_OF_SAME;
  else if (cpu->tid < 0)
    bearable *= SILENCE_OF_UNKNOWN;
  if (cpu->tid == 0 || event->tid <= 0 || cpu->pace == 0 || cpu->throttled >= 0 || event->time - cpu->seen < bearable
      || !speaks (self, cpu->tid))
    return;
  self->trace->diagnostics.n[WP_DIAG_SILENCES]++;
  lose (self, (WpLost) { .start = cpu->seen, .end = event->time, .cpu = event->cpu });
}

void
wp_assemble_silence (WpAssembler *self, const WpEvent *event)
{
  if (event->kind != WP_EVENT_LOST)
    notice_silence (self, event);
}
