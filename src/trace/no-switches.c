/* A recording without task switches: nobody says who runs or sleeps, so that nothing is left but tasks and what was sampled of them. */
#include "trace/scheduling.h"

/* A task has one name: with another one, another task begins, so that each sample is of who it was then. */
static void
set_name (WpScheduling *self, WpThread *thread, WpId name)
{
  WpId before = thread->task;

  if (before != 0 && (name == 0 || self->trace->tasks.data[before].name == name || self->trace->tasks.data[before].name == 0))
    {
      wp_scheduling_name_thread (self, thread, name);
      return;
    }
  wp_scheduling_begin_task (self, thread, name);
  if (before == 0)
    return;
  self->trace->tasks.data[thread->task].before = before;
  self->trace->tasks.data[before].after = thread->task;
}

static void
set_process (WpScheduling *self, WpThread *thread, gint32 pid)
{
  if (thread->pid > 0 || pid <= 0)
    return;
  thread->pid = pid;
  if (thread->task != 0)
    self->trace->tasks.data[thread->task].pid = pid;
}

/* A child has its parent's name until it gives itself another one. */
static void
on_fork (WpScheduling *self, const WpEvent *event)
{
  const WpThread *parent = wp_scheduling_thread (self, event->fork.parent_tid);
  WpId name = parent != NULL ? self->trace->tasks.data[parent->task].name : event->fork.child_comm;
  WpThread *child = wp_scheduling_new_thread (self, event->fork.child_tid);

  if (child == NULL)
    return;
  set_process (self, child, event->fork.child_pid);
  set_name (self, child, name);
}

static void
on_name (WpScheduling *self, const WpEvent *event)
{
  WpThread *thread = wp_scheduling_thread_row (self, event->program.tid);

  if (thread == NULL)
    return;
  set_process (self, thread, event->pid);
  set_name (self, thread, event->program.comm);
}

static WpId
idle_task (WpScheduling *self)
{
  if (self->idle_task == 0)
    self->idle_task = wp_scheduling_add_task (self, (WpTask) { .name = wp_strings_intern (self->trace->strings, "swapper"),
                                                               .flags = WP_TASK_KERNEL | WP_TASK_IDLE });
  return self->idle_task;
}

WpId
wp_scheduling_sampled_task (WpScheduling *self, const WpEvent *event)
{
  WpThread *thread;

  if (event->tid == 0)
    return idle_task (self);
  thread = wp_scheduling_thread_row (self, event->tid);
  if (thread == NULL)
    return 0;
  set_process (self, thread, event->pid);
  if (thread->task == 0 || event->comm != 0)
    set_name (self, thread, event->comm);
  return thread->task;
}

static void
on_sample (WpScheduling *self, const WpEvent *event)
{
  wp_array_push (&self->trace->samples, ((WpSample) { .time = event->time, .period = event->period, .stack = event->stack,
                                                      .task = wp_scheduling_sampled_task (self, event), .event = event->event }));
}

static void
on_lost (WpScheduling *self, const WpEvent *event)
{
  self->trace->diagnostics.n[WP_DIAG_LOST] += event->lost.events;
  wp_array_push (&self->trace->lost, ((WpLost) { .start = MIN (MAX (event->lost.since - self->trace->clock_start, 0), event->time),
                                                 .end = event->time, .events = event->lost.events, .cpu = event->cpu,
                                                 .paused = event->kind == WP_EVENT_PAUSE }));
}

void
wp_scheduling_no_switches (WpScheduling *self, const WpEvent *event)
{
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_SAMPLE:
      on_sample (self, event);
      break;
    case WP_EVENT_COMM:
      on_name (self, event);
      break;
    case WP_EVENT_FORK:
      on_fork (self, event);
      break;
    case WP_EVENT_LOST:
    case WP_EVENT_PAUSE:
      on_lost (self, event);
      break;
    case WP_EVENT_THROTTLE:
      self->trace->diagnostics.n[WP_DIAG_THROTTLED] += event->throttle.on != 0;
      break;
    default:
      break;
    }
}
