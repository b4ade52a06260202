/* What the kernel says is lost, and pauses. */
#include "trace/scheduling.h"

/* What was open on the CPU is unknown from `start` on. */
static void
forget_cpu (WpScheduling *self, WpCpu *cpu, gint64 start, gint64 end)
{
  WpThread *thread = wp_scheduling_thread (self, cpu->tid);

  if (thread != NULL && thread->running)
    {
      wp_scheduling_leave_cpu (self, thread, MAX (start, thread->seen));
      wp_scheduling_op (self, thread->op)->flags |= WP_OP_LOST | WP_OP_INFERRED;
    }
  cpu->tid = -1;
  cpu->lost = TRUE;
  cpu->switched = end;
}

void
wp_scheduling_lost (WpScheduling *self, const WpEvent *event, gint64 since)
{
  WpCpu *cpu = wp_scheduling_cpu (self, event->cpu);
  gint64 start = MIN (since, MAX (cpu->seen, 0)); /* what came after that CPU's last event may be lost */

  self->trace->diagnostics.n[WP_DIAG_LOST] += event->lost.events;
  wp_array_push (&self->trace->lost,
                 ((WpLost) { .start = start, .end = event->time, .events = event->lost.events, .cpu = event->cpu }));
  self->incomplete = TRUE;
  forget_cpu (self, cpu, start, event->time);
}

void
wp_scheduling_paused (WpScheduling *self, const WpEvent *event, gint64 since)
{
  wp_array_push (&self->trace->lost, ((WpLost) { .start = since, .end = event->time, .paused = 1 }));
  self->incomplete = TRUE;
  if (!self->pausing)
    self->paused_since = since;
  self->pausing = event->lost.more;
  for (guint32 i = 0; i < self->cpus.len && !self->pausing; i++)
    forget_cpu (self, &self->cpus.data[i], self->paused_since, event->time);
}
