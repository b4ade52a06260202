/* Judges wakeups. `sched_waking` fires in the context of whoever makes one. */
#include "trace/wakeups.h"

#include "trace/kernel-names.h"
#include "trace/thresholds.h"

static WpWakeupCpu *
cpu_of (WpWakeups *self, guint32 cpu)
{
  if (cpu >= self->cpus.len)
    wp_array_resize (&self->cpus, cpu + 1);
  return &self->cpus.data[cpu];
}

static WpWakeup *
early_of (WpWakeups *self, const WpThread *thread)
{
  guint32 row = wp_scheduling_row (self->core, thread);

  if (row >= self->early.len)
    wp_array_resize (&self->early, row + 1);
  return &self->early.data[row];
}

void
wp_wakeups_clear (WpWakeups *self)
{
  for (guint32 i = 0; i < self->cpus.len; i++)
    wp_array_clear (&self->cpus.data[i].signalled);
  wp_array_clear (&self->cpus);
  wp_array_clear (&self->early);
}

void
wp_wakeups_interrupt (WpWakeups *self, const WpEvent *event)
{
  WpWakeupCpu *cpu = cpu_of (self, event->cpu);

  cpu->device = wp_scheduling_device (self->core, event->irq.name);
  cpu->device_time = event->time;
}

/* Whether the interrupt handler that began last on this CPU may be what called the wakeup. */
static gboolean
within_device (const WpWakeups *self, const WpEvent *event, const WpWakeupCpu *cpu)
{
  return cpu->device != 0 && (event->irq_flags & WP_IRQ_HARD) && event->time - cpu->device_time < WP_DEVICE_WINDOW_NS
         && !(wp_kernel_stack_roles (self->core->trace, event->stack) & WP_ROLE_LOCAL_ENTRY);
}

/* The cause that a wakeup's own context gives, made definite by what the sleeper waits for. */
static WpCause
cause_of_wakeup (WpWakeups *self, const WpEvent *event, const WpThread *actor, WpId sleep_stack)
{
  WpCause cause = wp_kernel_wakeup_cause (self->core->trace, event->stack, event->irq_flags, event->has_irq_flags);

  if (cause == WP_CAUSE_TASK && (actor == NULL || actor->kernel)
      && (wp_kernel_stack_roles (self->core->trace, sleep_stack) & WP_ROLE_KERNEL_BLOCK))
    return WP_CAUSE_KERNEL;
  if (cause == WP_CAUSE_UNKNOWN && within_device (self, event, cpu_of (self, event->cpu)))
    return WP_CAUSE_DEVICE;
  return cause;
}

static WpWakeup
judge (WpWakeups *self, const WpEvent *event, const WpThread *actor, WpThread *woken, WpId sleep_stack)
{
  WpWakeup wakeup = { .time = event->time, .stack = event->stack };
  WpCause cause = cause_of_wakeup (self, event, actor, sleep_stack);
  gboolean own = cause == WP_CAUSE_TASK || cause == WP_CAUSE_SIGNAL;

  if (cause == WP_CAUSE_NET)
    {
      cause = wp_net_of_wakeup (self->net, event, actor, &wakeup.source);
      if (cause == WP_CAUSE_TASK)
        wakeup.device = wp_net_channel (self->net, event);
    }
  else if (cause == WP_CAUSE_DISK)
    wakeup.source = wp_disk_of_wakeup (self->disk, event, woken);
  if (cause == WP_CAUSE_DISK || cause == WP_CAUSE_NET)
    wakeup.explained_by = wakeup.source;
  else if (own && actor != NULL && !actor->idle)
    {
      wakeup.source = actor->run;
      wakeup.device = wp_net_channel (self->net, event);
    }
  if (cause == WP_CAUSE_TIMER && !(wp_kernel_stack_roles (self->core->trace, sleep_stack) & WP_ROLE_NANOSLEEP))
    wakeup.device = wp_net_unanswered (self->net, woken);
  if (cause == WP_CAUSE_DEVICE)
    wakeup.device = cpu_of (self, event->cpu)->device;
  wakeup.cause = cause;
  return wakeup;
}

/* The sleep's link, which begins at `time`. */
static void
end_sleep (WpWakeups *self, WpOp *sleep, const WpWakeup *wakeup, gint64 time)
{
  sleep->link = wp_scheduling_add_link (self->core, wakeup->cause, wakeup->source, time, wakeup->stack);
  self->core->trace->links.data[sleep->link].device = wakeup->device;
  sleep->cause = wakeup->cause;
  sleep->explained_by = wakeup->explained_by;
}

/* What a task wakes by itself may be woken by a signal. */
static void
await_signal (WpWakeups *self, const WpEvent *event, const WpThread *woken, WpId link)
{
  WpWakeupCpu *cpu = cpu_of (self, event->cpu);
  const WpSignalled *last = cpu->signalled.len > 0 ? &cpu->signalled.data[cpu->signalled.len - 1] : NULL;

  if (last != NULL && event->time - last->time > WP_SIGNAL_WINDOW_NS)
    cpu->signalled.len = 0;
  if (event->irq_flags == 0)
    wp_array_push (&cpu->signalled, ((WpSignalled) { .time = event->time, .link = link, .sleep = woken->op,
                                                     .waker = event->tid, .pid = woken->pid }));
}

/* A wakeup of a task that runs. It came too late if nobody was seen to wake the task before it was switched in. */
static void
judge_late (WpWakeups *self, const WpEvent *event, const WpThread *actor, WpThread *woken)
{
  self->core->trace->diagnostics.n[WP_DIAG_WAKINGS_IGNORED]++;
  if (woken->cpu == event->cpu)
    return;
  *early_of (self, woken) = judge (self, event, actor, woken, 0);
  wp_scheduling_late_wakeup (self->core, woken);
}

void
wp_wakeups_wakeup (WpWakeups *self, const WpEvent *event, const WpThread *actor)
{
  WpThread *woken = wp_scheduling_make_thread (self->core, event->wake.tid);
  WpWakeup wakeup;
  WpOp *sleep;

  if (woken == NULL)
    return;
  if (actor != NULL)
    actor = wp_scheduling_thread (self->core, event->tid); /* the table may have moved */
  wp_scheduling_name_thread (self->core, woken, event->wake.comm);
  if (woken->running)
    {
      judge_late (self, event, actor, woken);
      return;
    }
  sleep = wp_scheduling_op (self->core, woken->op);
  if (sleep->link != 0 || sleep->state == WP_STATE_PREEMPTED) /* the kernel wakes only who sleeps: it ran in between */
    wp_scheduling_unseen_run (self->core, woken);
  sleep = wp_scheduling_op (self->core, woken->op);
  wakeup = judge (self, event, actor, woken, sleep->detail);
  if (wakeup.cause == WP_CAUSE_UNKNOWN)
    self->core->trace->diagnostics.n[WP_DIAG_UNKNOWN_WAKERS]++;
  sleep = wp_scheduling_op (self->core, woken->op);
  end_sleep (self, sleep, &wakeup, event->time);
  wp_scheduling_called (self->core, woken, wakeup.cause == WP_CAUSE_TASK ? wakeup.source : 0);
  if (wakeup.cause == WP_CAUSE_TASK)
    await_signal (self, event, woken, sleep->link);
}

void
wp_wakeups_signal (WpWakeups *self, const WpEvent *event)
{
  const WpThread *target = wp_scheduling_thread (self->core, event->wake.tid);
  WpWakeupCpu *cpu = cpu_of (self, event->cpu);

  for (guint32 i = 0; i < cpu->signalled.len; i++)
    {
      const WpSignalled *s = &cpu->signalled.data[i];
      WpOp *sleep = wp_scheduling_op (self->core, s->sleep);

      if (target == NULL || s->waker != event->tid || s->pid != target->pid || event->time - s->time > WP_SIGNAL_WINDOW_NS
          || (event->wake.refused && sleep->state != WP_STATE_STOPPED)) /* going on is what even an ignored SIGCONT does */
        continue;
      sleep->cause = self->core->trace->links.data[s->link].cause = WP_CAUSE_SIGNAL;
    }
  cpu->signalled.len = 0;
}

/* The request that a sleep in the block layer waited for. */
static gboolean
find_disk (WpWakeups *self, WpThread *thread, gint64 time, WpWakeup *wakeup)
{
  wakeup->source = wp_disk_of_sleep (self->disk, thread, time);
  if (wakeup->source == 0)
    return FALSE;
  wakeup->cause = WP_CAUSE_DISK;
  wakeup->explained_by = wakeup->source;
  wakeup->time = MIN (wp_scheduling_op (self->core, wakeup->source)->end, time);
  return TRUE;
}

/* Within the run before this sleep, that is: another one's wakeup ends no second sleep. */
static gboolean
came_early (WpWakeups *self, const WpThread *thread, const WpOp *sleep)
{
  const WpWakeup *early = early_of (self, thread);

  return early->time > 0 && sleep->start - early->time <= WP_EARLY_WAKEUP_NS
         && (thread->run == 0 || early->time >= wp_scheduling_op (self->core, thread->run)->start);
}

/* A wakeup by another CPU may be recorded just before the switch that it ends; else the sleep's own stack tells what is safe
 * to say. */
static void
unseen_wakeup (gpointer data, WpThread *thread, gint64 time)
{
  WpWakeups *self = data;
  WpOp *sleep = wp_scheduling_op (self->core, thread->op);
  guint32 roles = wp_kernel_stack_roles (self->core->trace, sleep->detail);
  WpWakeup wakeup = { .cause = WP_CAUSE_NONE };
  gboolean early = came_early (self, thread, sleep);

  sleep->cause = WP_CAUSE_NONE;
  if (early)
    wakeup = *early_of (self, thread);
  else if (roles & WP_ROLE_NANOSLEEP)
    wakeup.cause = WP_CAUSE_TIMER;
  else if (sleep->state == WP_STATE_DISK && (roles & WP_ROLE_IO_WAIT) && !find_disk (self, thread, time, &wakeup))
    return;
  else if (wakeup.cause == WP_CAUSE_NONE && (roles & WP_ROLE_KERNEL_BLOCK))
    wakeup.cause = WP_CAUSE_KERNEL;
  if (wakeup.cause == WP_CAUSE_NONE)
    return;
  sleep = wp_scheduling_op (self->core, thread->op);
  sleep->flags |= WP_OP_WOKEN_INFERRED;
  self->core->trace->diagnostics.n[WP_DIAG_INFERRED_WAKEUPS]++;
  if (wakeup.time != 0)
    end_sleep (self, sleep, &wakeup, MAX (wakeup.time, sleep->start));
  else
    sleep->cause = wakeup.cause;
}

void
wp_wakeups_init (WpWakeups *self, WpScheduling *core, WpDiskTracker *disk, WpNetTracker *net)
{
  self->core = core;
  self->disk = disk;
  self->net = net;
  core->unwoken = unseen_wakeup;
  core->unwoken_data = self;
}
