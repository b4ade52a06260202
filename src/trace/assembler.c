#include "trace/scheduling.h"

#include "base/hash.h"
#include "trace/thresholds.h"

/* --- tasks, threads, CPUs --------------------------------------------------------------------------------------------- */

WpId
wp_assembler_add_task (WpAssembler *self, WpTask row)
{
  wp_array_push (&self->trace->tasks, row);
  return self->trace->tasks.len - 1;
}

WpId
wp_assembler_open_op (WpAssembler *self, WpId task, WpOpKind kind, gint64 start)
{
  WpOp *op = wp_array_add (&self->trace->ops);

  op->task = task;
  op->kind = kind;
  op->start = start;
  op->end = G_MAXINT64;
  return self->trace->ops.len - 1;
}

WpThread *
wp_assembler_thread (WpAssembler *self, gint32 tid)
{
  WpId row = tid > 0 && tid < self->by_tid.len ? self->by_tid.data[tid] : 0;

  return row != 0 && self->threads.data[row].task != 0 ? &self->threads.data[row] : NULL;
}

/* The row of a tid, alive or not; NULL for a number that no tid can be. */
WpThread *
wp_assembler_thread_row (WpAssembler *self, gint32 tid)
{
  if (tid <= 0 || tid >= WP_TID_MAX)
    return NULL;
  if (tid >= self->by_tid.len)
    wp_array_resize (&self->by_tid, tid + 1);
  if (self->by_tid.data[tid] == 0)
    {
      WpThread *thread = wp_array_add (&self->threads);

      thread->tid = tid;
      thread->pid = -1;
      self->by_tid.data[tid] = self->threads.len - 1;
    }
  return &self->threads.data[self->by_tid.data[tid]];
}

void
wp_assembler_name_thread (WpAssembler *self, WpThread *thread, WpId name)
{
  WpTask *task = &self->trace->tasks.data[thread->task];

  if (name == 0 || thread->task == 0 || task->name == name)
    return;
  task->name = name;
  thread->idle = name == self->idle_name;
  if (thread->idle)
    task->flags |= WP_TASK_IDLE;
}

void
wp_assembler_begin_task (WpAssembler *self, WpThread *thread, WpId name)
{
  WpTask row = { .tid = thread->tid, .pid = thread->pid, .flags = thread->kernel ? WP_TASK_KERNEL : 0 };

  thread->task = wp_assembler_add_task (self, row);
  thread->run = thread->op = 0;
  thread->running = thread->idle = FALSE;
  wp_assembler_name_thread (self, thread, name);
}

WpThread *
wp_assembler_make_thread (WpAssembler *self, gint32 tid, gint64 since)
{
  WpThread *thread = wp_assembler_thread (self, tid);

  if (thread != NULL && thread->op != 0)
    return thread;
  thread = wp_assembler_thread_row (self, tid);
  if (thread == NULL)
    return NULL;
  if (thread->task == 0)
    wp_assembler_begin_task (self, thread, 0);
  thread->op = wp_assembler_open_op (self, thread->task, WP_OP_SLEEP, since);
  wp_assembler_op (self, thread->op)->flags = since == 0 ? WP_OP_OPEN_START : WP_OP_INFERRED;
  thread->seen = since;
  return thread;
}

WpCpu *
wp_assembler_cpu (WpAssembler *self, guint32 cpu)
{
  static const WpCpu fresh = { .seen = -1, .throttled = -1, .tid = -1, .disk_tid = -1, .socket_tid = -1 };

  cpu = MIN (cpu, 65535);
  while (self->cpus.len <= cpu)
    wp_array_push (&self->cpus, fresh);
  return &self->cpus.data[cpu];
}

/* --- interrupts ---------------------------------------------------------------------------------------------------- */

guint16
wp_assembler_device (WpAssembler *self, WpId name)
{
  gpointer known = g_hash_table_lookup (self->device_rows, GUINT_TO_POINTER (name));

  if (known == NULL && self->trace->devices.len < G_MAXUINT16)
    {
      wp_array_push (&self->trace->devices, name);
      known = GUINT_TO_POINTER (self->trace->devices.len - 1);
      g_hash_table_insert (self->device_rows, GUINT_TO_POINTER (name), known);
    }
  return (guint16) GPOINTER_TO_UINT (known);
}

static void
on_irq (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);

  cpu->device = wp_assembler_device (self, event->irq.name);
  cpu->device_time = event->time;
}

/* --- the event loop ---------------------------------------------------------------------------------------------------------- */

WpAssembler *
wp_assembler_new (WpTrace *trace, const WpAssemblerOptions *options)
{
  WpAssembler *self = g_new0 (WpAssembler, 1);

  self->trace = trace;
  self->now = -1;
  if (options != NULL && options->idle_task != NULL)
    self->idle_name = wp_strings_intern (trace->strings, options->idle_task);
  wp_array_resize (&self->threads, 1);
  wp_array_resize (&self->sockets, 1);
  wp_array_resize (&self->bios, 1);
  wp_array_resize (&self->joined, 1);
  self->by_dev = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_start = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_end = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_sector = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_address = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_pair = g_hash_table_new (wp_hash_pointer, NULL);
  self->device_rows = g_hash_table_new (wp_hash_pointer, NULL);
  return self;
}

void
wp_assembler_free (WpAssembler *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->devices.len; i++)
    {
      wp_array_clear (&self->devices.data[i].flushes);
      wp_array_clear (&self->devices.data[i].returned);
      wp_array_clear (&self->devices.data[i].flushing);
    }
  for (guint32 i = 0; i < self->cpus.len; i++)
    wp_array_clear (&self->cpus.data[i].signalled);
  wp_array_clear (&self->threads);
  wp_array_clear (&self->by_tid);
  wp_array_clear (&self->reliability.found);
  wp_array_clear (&self->cpus);
  wp_array_clear (&self->devices);
  wp_array_clear (&self->bios);
  wp_array_clear (&self->free_bios);
  wp_array_clear (&self->requests);
  wp_array_clear (&self->joined);
  wp_array_clear (&self->sockets);
  g_hash_table_unref (self->by_dev);
  g_hash_table_unref (self->by_start);
  g_hash_table_unref (self->by_end);
  g_hash_table_unref (self->by_sector);
  g_hash_table_unref (self->by_address);
  g_hash_table_unref (self->by_pair);
  g_hash_table_unref (self->device_rows);
  g_free (self);
}

void
wp_assembler_known_task (WpAssembler *self, gint32 tid, gint32 pid, WpId comm, gboolean kernel)
{
  WpThread *thread = wp_assembler_thread_row (self, tid);

  if (thread == NULL)
    return;
  thread->pid = pid;
  thread->kernel = kernel;
  if (thread->task == 0)
    wp_assembler_begin_task (self, thread, comm);
  else
    wp_assembler_name_thread (self, thread, comm);
}

/* Times become ns since the first event, never go back, and never leave what a recording can last. */
static gint64
relative_time (WpAssembler *self, gint64 clock)
{
  gint64 time;

  if (self->now < 0)
    {
      self->trace->clock_start = clock;
      self->now = 0;
    }
  time = clock - self->trace->clock_start;
  if (time < self->now || time > WP_TIME_MAX)
    {
      self->trace->diagnostics.n[WP_DIAG_UNORDERED]++;
      return self->now;
    }
  self->now = time;
  return time;
}

static void
learn_actor (WpAssembler *self, WpThread *actor, const WpEvent *event)
{
  if (event->pid > 0 && actor->pid < 0)
    actor->pid = self->trace->tasks.data[actor->task].pid = event->pid;
  if (event->comm != 0)
    wp_assembler_name_thread (self, actor, event->comm);
}

static void
dispatch (WpAssembler *self, const WpEvent *event, WpThread *actor)
{
  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_WAKING:
      self->has_wakings = TRUE;
      wp_assemble_waking (self, event, actor);
      break;
    case WP_EVENT_WAKEUP:
      if (!self->has_wakings)
        wp_assemble_waking (self, event, actor);
      break;
    case WP_EVENT_SIGNAL:
      wp_assemble_signal (self, event);
      break;
    case WP_EVENT_WAKEUP_NEW:
      wp_assemble_wakeup_new (self, event, actor);
      break;
    case WP_EVENT_FORK:
      wp_assemble_birth (self, event->fork.child_tid, event->fork.child_pid, event->fork.child_comm,
                  wp_assembler_thread (self, event->fork.parent_tid), event->time);
      break;
    case WP_EVENT_BIO_QUEUE:
    case WP_EVENT_BIO_GETRQ:
    case WP_EVENT_BIO_SPLIT:
      wp_assemble_bio (self, event, actor);
      break;
    case WP_EVENT_FILE:
      wp_assemble_file (self, event, actor);
      break;
    case WP_EVENT_RQ_ABSORBED:
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
    case WP_EVENT_RQ_ISSUE:
    case WP_EVENT_RQ_COMPLETE:
    case WP_EVENT_RQ_MERGE:
    case WP_EVENT_RQ_REQUEUE:
      wp_assemble_block (self, event, actor);
      break;
    case WP_EVENT_IRQ_ENTRY:
      on_irq (self, event);
      break;
    case WP_EVENT_NET_SENDING:
    case WP_EVENT_NET_STATE:
    case WP_EVENT_NET_READY:
    case WP_EVENT_NET_SEND:
    case WP_EVENT_NET_WAY:
      wp_assemble_net (self, event, actor);
      break;
    default:
      break;
    }
}

static gint64
seen_last (WpAssembler *self, gint32 tid)
{
  const WpThread *thread = wp_assembler_thread (self, tid);

  return thread != NULL ? thread->seen : -1;
}

/* Whoever dies loses its number before it leaves its CPU. What it does in between is wake its parent, where it is the last thread of a
 * process; all else says nothing of it. */
static void
number_the_dying (WpAssembler *self, WpEvent *event)
{
  gboolean wakes = event->kind == WP_EVENT_WAKING || event->kind == WP_EVENT_WAKEUP || event->kind == WP_EVENT_SIGNAL;
  const WpThread *there;

  if (!wakes || event->tid != -1)
    return;
  there = wp_assembler_thread (self, wp_assembler_cpu (self, event->cpu)->tid);
  if (there == NULL || !there->running)
    return;
  event->tid = there->tid;
  event->comm = 0;
}

void
wp_assembler_event (WpAssembler *self, const WpEvent *original)
{
  WpEvent event = *original;
  WpThread *actor = NULL;
  gint64 before;

  event.time = relative_time (self, original->time);
  event.cpu = MIN (event.cpu, 65535);
  switch ((WpEventKind) event.kind)
    {
    case WP_EVENT_SWITCH:
      wp_assemble_switch (self, &event);
      break;
    case WP_EVENT_SAMPLE:
      wp_assemble_sample (self, &event);
      break;
    case WP_EVENT_THROTTLE:
      wp_assemble_throttle (self, &event);
      break;
    case WP_EVENT_LOST:
      wp_assemble_lost (self, &event, MIN (MAX (original->lost.since - self->trace->clock_start, 0), event.time));
      break;
    case WP_EVENT_COMM:
    case WP_EVENT_EXEC:
      wp_assemble_program (self, &event);
      break;
    default:
      number_the_dying (self, &event);
      before = seen_last (self, event.tid);
      actor = wp_assemble_acting (self, event.tid, event.cpu, event.time);
      if (actor != NULL)
        {
          actor->before = before;
          learn_actor (self, actor, &event);
        }
      dispatch (self, &event, actor);
      break;
    }
  wp_assembler_cpu (self, event.cpu)->seen = event.time;
}

void
wp_assembler_finish (WpAssembler *self)
{
  WpTrace *trace = self->trace;

  trace->end = MAX (self->now, 0);
  trace->n_cpus = self->cpus.len;
  wp_assemble_plain_names (trace);
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
  wp_reliability_finish (&self->reliability, trace);
  wp_assembler_free (self);
  wp_assemble_sort (trace);
}
