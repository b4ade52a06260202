/* What threads waited in before the recording: nothing that happens in it tells, only what the recorder saw before. */
#include "trace/scheduling.h"

void
wp_scheduling_known_wait (WpScheduling *self, const WpKnownWait *wait)
{
  WpThread *thread = wp_scheduling_thread (self, wait->tid);

  if (thread == NULL || thread->pid != wait->pid)
    return;
  thread->told_state = wait->state;
  thread->told_stack = wait->stack;
  thread->parent = wait->parent;
}

void
wp_scheduling_asleep (WpScheduling *self)
{
  for (guint32 row = 1; row < self->threads.len && self->now > 0; row++)
    {
      WpThread *thread = &self->threads.data[row];
      WpOp *sleep;

      if (thread->told_state == WP_STATE_UNKNOWN || thread->task == 0 || thread->op != 0 || thread->ended)
        continue; /* of who ended and never acted nobody knows how long it slept */
      thread->op = wp_scheduling_open_op (self, thread->task, WP_OP_SLEEP, 0);
      sleep = wp_scheduling_op (self, thread->op);
      sleep->flags = WP_OP_OPEN_START;
      sleep->state = thread->told_state;
      sleep->detail = thread->told_stack;
    }
}
