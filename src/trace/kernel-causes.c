/* What a wakeup's stack says of its cause. */
#include "trace/kernel-names.h"

/* The role of the innermost frame of a stack; 0 for a user frame. */
static inline guint32
role_of (const WpTrace *trace, WpId stack)
{
  const WpFrame *frame = &trace->frames.data[trace->stacks.data[stack].frame];

  return frame->flags & WP_FRAME_KERNEL ? trace->functions.data[frame->function].role : WP_ROLE_NONE;
}

guint32
wp_kernel_stack_roles (const WpTrace *trace, WpId stack)
{
  guint32 roles = 0;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    roles |= role_of (trace, stack);
  return roles;
}

/* What stands on a stack up to the first frame that has one of the roles of `end`, that included. */
static guint32
roles_until (const WpTrace *trace, WpId stack, guint32 end)
{
  guint32 roles = 0;

  for (; stack != 0 && !(roles & end); stack = trace->stacks.data[stack].parent)
    roles |= role_of (trace, stack);
  return roles;
}

/* Where the record does not say so, the stack does: an interrupt's frames stand before any of a task's way out. */
static gboolean
in_interrupt (const WpTrace *trace, WpId stack, guint8 irq_flags, gboolean has_irq_flags)
{
  const guint32 edges = WP_ROLE_IRQ_ENTRY | WP_ROLE_SOFTIRQ | WP_ROLE_USER_EXIT;

  if (has_irq_flags)
    return irq_flags != 0;
  return (roles_until (trace, stack, edges) & (WP_ROLE_IRQ_ENTRY | WP_ROLE_SOFTIRQ)) != 0;
}

/* Outside of interrupts, who ends a page's or a buffer's wait without the block layer's completion does it himself: a worker
 * that finishes writes, the journal's thread. */
static WpCause
disk_or_task (const WpTrace *trace, WpId stack, gboolean interrupt)
{
  const guint32 end = WP_ROLE_BLOCK_LAYER | WP_ROLE_IRQ_ENTRY | WP_ROLE_WORKER;

  if (interrupt)
    return WP_CAUSE_DISK;
  return roles_until (trace, stack, end) & WP_ROLE_BLOCK_LAYER ? WP_CAUSE_DISK : WP_CAUSE_TASK;
}

/* What goes on within a task's own send, as far as no interrupt or timer came in between. */
static gboolean
within_send (const WpTrace *trace, WpId stack)
{
  guint32 roles = roles_until (trace, stack, WP_ROLE_IRQ_ENTRY);

  return (roles & WP_ROLE_NET_SEND) && !(roles & (WP_ROLE_IRQ_ENTRY | WP_ROLE_TIMER));
}

/* A packet that this machine sent to itself is received within its sender's own send. */
static WpCause
net_or_local (const WpTrace *trace, WpId stack, gboolean interrupt)
{
  guint32 roles = roles_until (trace, stack, WP_ROLE_IRQ_ENTRY);

  if (!interrupt)
    return WP_CAUSE_TASK;
  if (roles & WP_ROLE_BACKLOG)
    return within_send (trace, stack) ? WP_CAUSE_TASK : WP_CAUSE_NET;
  return roles_until (trace, stack, WP_ROLE_IRQ_ENTRY | WP_ROLE_SOFTIRQ) & WP_ROLE_TIMER ? WP_CAUSE_TIMER : WP_CAUSE_NET;
}

static WpCause
cause_of_role (guint32 role)
{
  static const struct
  {
    guint32 role;
    WpCause cause;
  } causes[] = {
    { WP_ROLE_IPI_ENTRY, WP_CAUSE_IPI }, { WP_ROLE_DEVICE_ENTRY, WP_CAUSE_DEVICE }, { WP_ROLE_IRQ_ENTRY, WP_CAUSE_UNKNOWN },
    { WP_ROLE_TIMER, WP_CAUSE_TIMER },   { WP_ROLE_SIGNAL, WP_CAUSE_SIGNAL },       { WP_ROLE_TASK, WP_CAUSE_TASK },
    { WP_ROLE_WORKER, WP_CAUSE_TASK },   { WP_ROLE_KERNEL, WP_CAUSE_KERNEL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    if (role & causes[i].role)
      return causes[i].cause;
  return WP_CAUSE_NONE;
}

/* The roles that decide. In an interrupt nothing is the interrupted task's doing, and what is outside of a softirq is none of
 * it, until the interrupt's entry; outside of one, an entry on the stack is that of an interrupt which is over. */
static inline guint32
deciding_roles (gboolean interrupt, gboolean beyond_softirq)
{
  const guint32 of_tasks = WP_ROLE_TASK | WP_ROLE_SIGNAL | WP_ROLE_WORKER;

  if (!interrupt)
    return ~(guint32) (WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY | WP_ROLE_IPI_ENTRY);
  if (beyond_softirq)
    return WP_ROLE_IRQ_ENTRY | WP_ROLE_DEVICE_ENTRY | WP_ROLE_IPI_ENTRY;
  return ~of_tasks;
}

WpCause
wp_kernel_wakeup_cause (const WpTrace *trace, WpId stack, guint8 irq_flags, gboolean has_irq_flags)
{
  gboolean interrupt = in_interrupt (trace, stack, irq_flags, has_irq_flags), beyond_softirq = FALSE, only_generic = TRUE;

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      guint32 role = role_of (trace, stack) & deciding_roles (interrupt, beyond_softirq);
      WpCause cause;

      if (role & WP_ROLE_GENERIC)
        continue;
      if (only_generic && (role & WP_ROLE_SOFTIRQ))
        return within_send (trace, stack) ? WP_CAUSE_TASK : WP_CAUSE_KERNEL; /* wakeup_softirqd, inlined */
      only_generic = FALSE;
      if (role & WP_ROLE_DISK)
        return disk_or_task (trace, stack, interrupt);
      if (role & WP_ROLE_NET)
        return net_or_local (trace, stack, interrupt);
      cause = cause_of_role (role);
      if (cause != WP_CAUSE_NONE)
        return cause;
      beyond_softirq = beyond_softirq || (role & WP_ROLE_SOFTIRQ) != 0;
    }
  return interrupt ? WP_CAUSE_UNKNOWN : WP_CAUSE_TASK;
}
