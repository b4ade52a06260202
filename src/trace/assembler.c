/* The event loop: gives each event to whoever keeps what it tells. */
#include "trace/assembler.h"

#include "trace/disk-tracker.h"
#include "trace/final-order.h"
#include "trace/interrupts.h"
#include "trace/net-tracker.h"
#include "trace/sample-clock.h"
#include "trace/wakeups.h"

struct WpAssembler
{
  WpScheduling core;
  WpDiskTracker disk;
  WpNetTracker net;
  WpSampleClock samples;
  WpWakeups wakeups;
  WpInterrupts interrupts;
  gboolean no_switches; /* nor is anything to be made of other events */
  gboolean has_wakeups; /* sched_waking was seen: sched_wakeup says nothing more */
};

WpAssembler *
wp_assembler_new (WpTrace *trace, const WpAssemblerOptions *options)
{
  WpAssembler *self = g_new0 (WpAssembler, 1);

  wp_scheduling_init (&self->core, trace);
  if (options != NULL && options->idle_task != NULL)
    self->core.idle_name = wp_strings_intern (trace->strings, options->idle_task);
  wp_disk_init (&self->disk, &self->core);
  wp_net_init (&self->net, &self->core);
  self->samples.core = &self->core;
  self->samples.all = options != NULL && options->all_samples;
  wp_wakeups_init (&self->wakeups, &self->core, &self->disk, &self->net);
  wp_interrupts_init (&self->interrupts, trace);
  return self;
}

void
wp_assembler_free (WpAssembler *self)
{
  if (self == NULL)
    return;
  wp_interrupts_clear (&self->interrupts);
  wp_wakeups_clear (&self->wakeups);
  wp_sample_clock_clear (&self->samples);
  wp_net_clear (&self->net);
  wp_disk_clear (&self->disk);
  wp_scheduling_clear (&self->core);
  g_free (self);
}

void
wp_assembler_known_task (WpAssembler *self, gint32 tid, gint32 pid, WpId comm, gboolean kernel)
{
  wp_scheduling_known_task (&self->core, tid, pid, comm, kernel);
}

void
wp_assembler_known_wait (WpAssembler *self, const WpKnownWait *wait)
{
  wp_scheduling_known_wait (&self->core, wait);
}

void
wp_assembler_ended (WpAssembler *self, gint32 tid)
{
  wp_scheduling_ended (&self->core, tid);
}

void
wp_assembler_no_switches (WpAssembler *self)
{
  self->no_switches = TRUE;
}

static void
dispatch (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_WAKING:
      self->has_wakeups = TRUE;
      wp_wakeups_wakeup (&self->wakeups, event, actor);
      break;
    case WP_EVENT_WAKEUP:
      if (!self->has_wakeups)
        wp_wakeups_wakeup (&self->wakeups, event, actor);
      break;
    case WP_EVENT_SIGNAL:
      wp_wakeups_signal (&self->wakeups, event);
      break;
    case WP_EVENT_WAKEUP_NEW:
      wp_scheduling_wakeup_new (&self->core, event, actor);
      break;
    case WP_EVENT_FORK:
      wp_scheduling_birth (&self->core, event->fork.child_tid, event->fork.child_pid, event->fork.child_comm,
                           wp_scheduling_thread (&self->core, event->fork.parent_tid), event->time);
      break;
    case WP_EVENT_BIO_QUEUE:
    case WP_EVENT_BIO_GETRQ:
    case WP_EVENT_BIO_SPLIT:
      wp_disk_bio (&self->disk, event, actor);
      break;
    case WP_EVENT_FILE:
      wp_disk_file (&self->disk, event, actor);
      break;
    case WP_EVENT_RQ_ABSORBED:
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
    case WP_EVENT_RQ_ISSUE:
    case WP_EVENT_RQ_COMPLETE:
    case WP_EVENT_RQ_MERGE:
    case WP_EVENT_RQ_REQUEUE:
      wp_disk_block (&self->disk, event, actor);
      break;
    case WP_EVENT_IRQ_ENTRY:
      wp_wakeups_interrupt (&self->wakeups, event);
      wp_interrupts_entry (&self->interrupts, event);
      break;
    case WP_EVENT_IRQ_EXIT:
      wp_interrupts_exit (&self->interrupts, event);
      break;
    case WP_EVENT_NET_SENDING:
    case WP_EVENT_NET_STATE:
    case WP_EVENT_NET_READY:
    case WP_EVENT_NET_SEND:
    case WP_EVENT_NET_ROUTE:
      wp_net_event (&self->net, event, actor);
      break;
    default:
      break;
    }
}

static gint64
seen_last (WpScheduling *self, gint32 tid)
{
  const WpThread *thread = wp_scheduling_thread (self, tid);

  return thread != NULL ? thread->seen : -1;
}

/* Whoever dies loses its number before it leaves its CPU. What it does in between is wake its parent, where it is the last thread of a
 * process; all else says nothing of it. */
static void
number_the_dying (WpScheduling *self, WpEvent *event)
{
  gboolean wakes = event->kind == WP_EVENT_WAKING || event->kind == WP_EVENT_WAKEUP || event->kind == WP_EVENT_SIGNAL;
  const WpThread *there;

  if (!wakes || event->tid != -1)
    return;
  there = wp_scheduling_thread (self, wp_scheduling_cpu (self, event->cpu)->tid);
  if (there == NULL || !there->running)
    return;
  event->tid = there->tid;
  event->comm = 0;
}

/* What an event of a task, or of the idle task, says: that it runs there, and then what else. */
static void
on_task_event (WpAssembler *self, WpEvent *event)
{
  WpThread *actor;
  gint64 before;

  number_the_dying (&self->core, event);
  before = seen_last (&self->core, event->tid);
  actor = wp_scheduling_acting (&self->core, event->tid, event->cpu, event->time);
  if (actor != NULL)
    wp_scheduling_actor (&self->core, actor, event, before);
  dispatch (self, event, actor);
}

/* When the stretch began that this event is the end of. */
static gint64
lost_since (const WpAssembler *self, const WpEvent *event)
{
  return MIN (MAX (event->lost.since - self->core.trace->clock_start, 0), event->time);
}

static void
on_event (WpAssembler *self, WpEvent *event)
{
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_SWITCH:
      wp_interrupts_over (&self->interrupts, event->cpu);
      wp_sample_clock_switch (&self->samples, event->cpu, event->time);
      wp_scheduling_switch (&self->core, event);
      break;
    case WP_EVENT_SAMPLE:
      wp_sample_clock_sample (&self->samples, event);
      break;
    case WP_EVENT_THROTTLE:
      wp_sample_clock_throttle (&self->samples, event);
      break;
    case WP_EVENT_LOST:
      wp_interrupts_over (&self->interrupts, event->cpu);
      wp_sample_clock_lost (&self->samples, event->cpu);
      wp_scheduling_lost (&self->core, event, lost_since (self, event));
      break;
    case WP_EVENT_PAUSE:
      wp_scheduling_paused (&self->core, event, lost_since (self, event));
      if (event->lost.more) /* all CPUs are looked at once */
        return;
      wp_interrupts_all_over (&self->interrupts);
      wp_sample_clock_paused (&self->samples);
      return;
    case WP_EVENT_RATE:
      wp_sample_clock_rate (&self->samples, event);
      return;
    case WP_EVENT_COMM:
    case WP_EVENT_EXEC:
      wp_scheduling_program (&self->core, event);
      break;
    default:
      on_task_event (self, event);
      break;
    }
  wp_scheduling_cpu (&self->core, event->cpu)->seen = event->time;
}

void
wp_assembler_event (WpAssembler *self, const WpEvent *original)
{
  WpEvent event = *original;

  event.time = wp_scheduling_time (&self->core, original->time);
  event.cpu = MIN (event.cpu, 65535);
  if (self->no_switches)
    wp_scheduling_no_switches (&self->core, &event);
  else
    on_event (self, &event);
}

/* What is still on when the recording ends. */
static void
close_operations (WpTrace *trace)
{
  for (guint32 i = 1; i < trace->ops.len; i++)
    {
      WpOp *op = &trace->ops.data[i];

      if (op->end != G_MAXINT64)
        continue;
      op->end = MAX (trace->end, op->start);
      op->flags |= WP_OP_OPEN_END;
      if (op->kind == WP_OP_SLEEP && op->link == 0)
        op->cause = op->state == WP_STATE_PREEMPTED ? WP_CAUSE_PREEMPTED : WP_CAUSE_NONE;
    }
}

void
wp_assembler_finish (WpAssembler *self)
{
  WpTrace *trace = self->core.trace;

  trace->end = MAX (self->core.now, 0);
  trace->n_cpus = self->core.cpus.len;
  wp_scheduling_plain_names (trace);
  wp_scheduling_asleep (&self->core);
  wp_scheduling_bury_ended (&self->core);
  wp_scheduling_awaited_children (&self->core);
  close_operations (trace);
  wp_interrupts_finish (&self->interrupts);
  wp_reliability_finish (&self->core.reliability, trace);
  wp_assembler_free (self);
  wp_trace_sort (trace);
}
