/* Wakings: what caused each, the link it becomes, and what can be said where none was seen. */
#include "trace/scheduling.h"
#include "trace/thresholds.h"

/* Whether the interrupt handler that began last on this CPU may be what called the waking. */
static gboolean
within_device (const WpAssembler *self, const WpEvent *event, const WpCpu *cpu)
{
  return cpu->device != 0 && (event->irq_flags & WP_IRQ_HARD) && event->time - cpu->device_time < WP_DEVICE_WINDOW_NS
         && !(wp_kernel_stack_roles (self->trace, event->stack) & WP_ROLE_LOCAL_ENTRY);
}

/* The cause that a waking's own context gives, made definite by what the sleeper waits for. */
static WpCause
cause_of_waking (WpAssembler *self, const WpEvent *event, const WpThread *actor, WpId sleep_stack)
{
  WpCause cause = wp_kernel_waking_cause (self->trace, event->stack, event->irq_flags, event->has_irq_flags);

  if (cause == WP_CAUSE_TASK && (actor == NULL || actor->kernel)
      && (wp_kernel_stack_roles (self->trace, sleep_stack) & WP_ROLE_KERNEL_BLOCK))
    return WP_CAUSE_KERNEL;
  if (cause == WP_CAUSE_UNKNOWN && within_device (self, event, wp_assembler_cpu (self, event->cpu)))
    return WP_CAUSE_DEVICE;
  return cause;
}

static WpWaking
judge (WpAssembler *self, const WpEvent *event, const WpThread *actor, WpThread *woken, WpId sleep_stack)
{
  WpWaking waking = { .time = event->time, .stack = event->stack };
  WpCause cause = cause_of_waking (self, event, actor, sleep_stack);
  gboolean own = cause == WP_CAUSE_TASK || cause == WP_CAUSE_SIGNAL;

  if (cause == WP_CAUSE_NET)
    {
      cause = wp_assemble_net_of_waking (self, event, actor, &waking.source);
      if (cause == WP_CAUSE_TASK)
        waking.device = wp_assemble_channel (self, event);
    }
  else if (cause == WP_CAUSE_DISK)
    waking.source = wp_assemble_disk_of_waking (self, event, woken);
  if (cause == WP_CAUSE_DISK || cause == WP_CAUSE_NET)
    waking.explained_by = waking.source;
  else if (own && actor != NULL && !actor->idle)
    {
      waking.source = actor->run;
      waking.device = wp_assemble_channel (self, event);
    }
  if (cause == WP_CAUSE_DEVICE)
    waking.device = wp_assembler_cpu (self, event->cpu)->device;
  waking.cause = cause;
  return waking;
}

/* The sleep's link, which begins at `time`. */
static void
end_sleep (WpAssembler *self, WpOp *sleep, const WpWaking *waking, gint64 time)
{
  sleep->link = wp_assemble_add_link (self, waking->cause, waking->source, time, waking->stack);
  self->trace->links.data[sleep->link].device = waking->device;
  sleep->cause = waking->cause;
  sleep->explained_by = waking->explained_by;
}

/* Whatever a task wakes by itself may be by a signal. */
static void
await_signal (WpAssembler *self, const WpEvent *event, const WpThread *woken, WpId link)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  const WpSignalled *last = cpu->signalled.len > 0 ? &cpu->signalled.data[cpu->signalled.len - 1] : NULL;

  if (last != NULL && (last->waker != event->tid || event->time - last->time > WP_SIGNAL_WINDOW_NS))
    cpu->signalled.len = 0;
  if (event->irq_flags == 0)
    wp_array_push (&cpu->signalled, ((WpSignalled) { .time = event->time, .link = link, .sleep = woken->op,
                                                     .waker = event->tid, .pid = woken->pid }));
}

/* A waking of a task that runs: it is late, by another CPU's clock, if nobody was seen to wake the task before it was switched in. */
static void
judge_late (WpAssembler *self, const WpEvent *event, const WpThread *actor, WpThread *woken)
{
  self->trace->diagnostics.n[WP_DIAG_WAKINGS_IGNORED]++;
  if (woken->cpu == event->cpu)
    return;
  woken->early = judge (self, event, actor, woken, 0);
  if (woken->unwoken)
    wp_reliability_contradiction (&self->reliability, WP_LATE_WAKEUP_WEIGHT);
  woken->unwoken = FALSE;
}

void
wp_assemble_waking (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  WpThread *woken = wp_assembler_make_thread (self, event->wake.tid, 0);
  WpWaking waking;
  WpOp *sleep;

  if (woken == NULL)
    return;
  if (actor != NULL)
    actor = wp_assembler_thread (self, event->tid); /* the table may have moved */
  wp_assembler_name_thread (self, woken, event->wake.comm);
  if (woken->running)
    {
      judge_late (self, event, actor, woken);
      return;
    }
  sleep = wp_assembler_op (self, woken->op);
  if (sleep->link != 0 || sleep->state == WP_STATE_PREEMPTED) /* the kernel wakes only who sleeps: it ran in between */
    wp_assemble_unseen_run (self, woken);
  sleep = wp_assembler_op (self, woken->op);
  waking = judge (self, event, actor, woken, sleep->detail);
  if (waking.cause == WP_CAUSE_UNKNOWN)
    self->trace->diagnostics.n[WP_DIAG_UNKNOWN_WAKERS]++;
  sleep = wp_assembler_op (self, woken->op);
  end_sleep (self, sleep, &waking, event->time);
  woken->caller = waking.cause == WP_CAUSE_TASK ? waking.source : 0;
  if (waking.cause == WP_CAUSE_TASK)
    await_signal (self, event, woken, sleep->link);
}

void
wp_assemble_signal (WpAssembler *self, const WpEvent *event)
{
  const WpThread *target = wp_assembler_thread (self, event->wake.tid);
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);

  for (guint32 i = 0; i < cpu->signalled.len; i++)
    {
      const WpSignalled *s = &cpu->signalled.data[i];
      WpOp *sleep = wp_assembler_op (self, s->sleep);

      if (target == NULL || s->waker != event->tid || s->pid != target->pid || event->time - s->time > WP_SIGNAL_WINDOW_NS
          || (event->wake.refused && sleep->state != WP_STATE_STOPPED)) /* going on is what even an ignored SIGCONT does */
        continue;
      sleep->cause = self->trace->links.data[s->link].cause = WP_CAUSE_SIGNAL;
    }
  cpu->signalled.len = 0;
}

/* The request that a sleep in the block layer waited for. */
static gboolean
find_disk (WpAssembler *self, WpThread *thread, gint64 time, WpWaking *waking)
{
  waking->source = wp_assemble_disk_of_sleep (self, thread, time);
  if (waking->source == 0)
    return FALSE;
  waking->cause = WP_CAUSE_DISK;
  waking->explained_by = waking->source;
  waking->time = MIN (wp_assembler_op (self, waking->source)->end, time);
  return TRUE;
}

/* Within the run before this sleep, that is: another one's waking ends no second sleep. */
static gboolean
came_early (WpAssembler *self, const WpThread *thread, const WpOp *sleep)
{
  return thread->early.time > 0 && sleep->start - thread->early.time <= WP_EARLY_WAKEUP_NS
         && (thread->run == 0 || thread->early.time >= wp_assembler_op (self, thread->run)->start);
}

/* A waking by another CPU may be recorded just before the switch that it ends; else the sleep's own stack tells what is safe
 * to say. */
void
wp_assemble_unseen_waking (WpAssembler *self, WpThread *thread, gint64 time)
{
  WpOp *sleep = wp_assembler_op (self, thread->op);
  guint32 roles = wp_kernel_stack_roles (self->trace, sleep->detail);
  WpWaking waking = { .cause = WP_CAUSE_NONE };
  gboolean early = came_early (self, thread, sleep);

  sleep->cause = WP_CAUSE_NONE;
  if (early)
    waking = thread->early;
  else if (roles & WP_ROLE_NANOSLEEP)
    waking.cause = WP_CAUSE_TIMER;
  else if (sleep->state == WP_STATE_DISK && (roles & WP_ROLE_IO_WAIT) && !find_disk (self, thread, time, &waking))
    return;
  else if (waking.cause == WP_CAUSE_NONE && (roles & WP_ROLE_KERNEL_BLOCK))
    waking.cause = WP_CAUSE_KERNEL;
  if (waking.cause == WP_CAUSE_NONE)
    return;
  sleep = wp_assembler_op (self, thread->op);
  sleep->flags |= WP_OP_WOKEN_INFERRED;
  self->trace->diagnostics.n[WP_DIAG_INFERRED_WAKEUPS]++;
  if (waking.time != 0)
    end_sleep (self, sleep, &waking, MAX (waking.time, sleep->start));
  else
    sleep->cause = waking.cause;
}
