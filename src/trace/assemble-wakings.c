/* Wakings: what caused each, and the link it becomes. */
#include "trace/assembler-private.h"

/* An interrupt or completion explains a waking that follows it on its CPU at most so long after. */
#define DEVICE_WINDOW_NS 1000000

/* The cause that a waking's own context gives, made definite by what the sleeper waits for. */
static WpCause
cause_of_waking (WpAssembler *self, const WpEvent *event, const WpThread *actor, const WpOp *sleep)
{
  WpCause cause = wp_kernel_waking_cause (self->trace, event->stack, event->irq_flags, event->has_irq_flags);
  const WpCpu *cpu = wp_assembler_cpu (self, event->cpu);

  if (cause == WP_CAUSE_TASK && (actor == NULL || actor->kernel)
      && (wp_kernel_stack_roles (self->trace, sleep->detail) & WP_ROLE_KERNEL_BLOCK))
    return WP_CAUSE_KERNEL;
  if (cause == WP_CAUSE_UNKNOWN && cpu->device != 0 && (event->irq_flags & WP_IRQ_HARD)
      && event->time - cpu->device_time < DEVICE_WINDOW_NS)
    return WP_CAUSE_DEVICE;
  return cause;
}

void
wp_assemble_waking (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpThread *woken = wp_assembler_make_thread (self, event->wake.tid, 0);
  WpId source = 0, link;
  WpCause cause;
  WpOp *sleep;

  if (woken == NULL)
    return;
  if (actor != NULL)
    actor = wp_assembler_thread (self, event->tid); /* the table may have moved */
  wp_assembler_name_thread (self, woken, event->wake.comm);
  sleep = wp_assembler_op (self, woken->op);
  if (woken->running || sleep->link != 0 || sleep->state == WP_STATE_PREEMPTED)
    {
      self->trace->diagnostics.n[WP_DIAG_WAKINGS_IGNORED]++;
      return;
    }
  cause = cause_of_waking (self, event, actor, sleep);
  if (cause == WP_CAUSE_NET)
    cause = wp_assemble_net_of_waking (self, event, &source);
  else if (cause == WP_CAUSE_DISK)
    source = wp_assemble_disk_of_waking (self, event, woken);
  sleep = wp_assembler_op (self, woken->op);
  if (cause == WP_CAUSE_DISK || cause == WP_CAUSE_NET)
    sleep->explained_by = source;
  else if (source == 0 && (cause == WP_CAUSE_TASK || cause == WP_CAUSE_SIGNAL) && actor != NULL && !actor->idle)
    source = actor->run;
  if (cause == WP_CAUSE_UNKNOWN)
    self->trace->diagnostics.n[WP_DIAG_UNKNOWN_WAKERS]++;
  link = wp_assembler_add_link (self, cause, source, event->time, event->stack);
  if (cause == WP_CAUSE_DEVICE)
    self->trace->links.data[link].device = wp_assembler_cpu (self, event->cpu)->device;
  sleep->link = link;
  sleep->cause = cause;
}
