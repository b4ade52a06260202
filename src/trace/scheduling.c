/* The tables of the core: threads, CPUs, tasks, operations, links; and the time. */
#include "trace/scheduling.h"

#include "base/hash.h"
#include "trace/thresholds.h"

void
wp_scheduling_init (WpScheduling *self, WpTrace *trace)
{
  self->trace = trace;
  self->now = -1;
  wp_array_resize (&self->threads, 1);
  self->device_rows = g_hash_table_new (wp_hash_pointer, NULL);
}

void
wp_scheduling_clear (WpScheduling *self)
{
  wp_array_clear (&self->threads);
  wp_array_clear (&self->by_tid);
  wp_array_clear (&self->cpus);
  wp_array_clear (&self->reliability.found);
  g_hash_table_unref (self->device_rows);
}

WpId
wp_scheduling_add_task (WpScheduling *self, WpTask row)
{
  wp_array_push (&self->trace->tasks, row);
  return self->trace->tasks.len - 1;
}

WpId
wp_scheduling_open_op (WpScheduling *self, WpId task, WpOpKind kind, gint64 start)
{
  WpOp *op = wp_array_add (&self->trace->ops);

  op->task = task;
  op->kind = kind;
  op->start = start;
  op->end = G_MAXINT64;
  return self->trace->ops.len - 1;
}

WpThread *
wp_scheduling_thread (WpScheduling *self, gint32 tid)
{
  WpId row = tid > 0 && tid < self->by_tid.len ? self->by_tid.data[tid] : 0;

  return row != 0 && self->threads.data[row].task != 0 ? &self->threads.data[row] : NULL;
}

WpThread *
wp_scheduling_new_thread (WpScheduling *self, gint32 tid)
{
  WpThread *thread;

  if (tid <= 0 || tid >= WP_TID_MAX)
    return NULL;
  if (tid >= self->by_tid.len)
    wp_array_resize (&self->by_tid, tid + 1);
  thread = wp_array_add (&self->threads);
  thread->tid = tid;
  thread->pid = -1;
  self->by_tid.data[tid] = self->threads.len - 1;
  return thread;
}

WpThread *
wp_scheduling_thread_row (WpScheduling *self, gint32 tid)
{
  WpId row = tid > 0 && tid < self->by_tid.len ? self->by_tid.data[tid] : 0;

  return row != 0 ? &self->threads.data[row] : wp_scheduling_new_thread (self, tid);
}

void
wp_scheduling_name_thread (WpScheduling *self, WpThread *thread, WpId name)
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
wp_scheduling_begin_task (WpScheduling *self, WpThread *thread, WpId name)
{
  WpTask row = { .tid = thread->tid, .pid = thread->pid, .flags = thread->kernel ? WP_TASK_KERNEL : 0 };

  thread->task = wp_scheduling_add_task (self, row);
  thread->run = thread->op = 0;
  thread->running = thread->idle = FALSE;
  wp_scheduling_name_thread (self, thread, name);
}

WpThread *
wp_scheduling_make_thread (WpScheduling *self, gint32 tid)
{
  WpThread *thread = wp_scheduling_thread (self, tid);
  WpOp *sleep;

  if (thread != NULL && thread->op != 0)
    return thread;
  thread = wp_scheduling_thread_row (self, tid);
  if (thread == NULL)
    return NULL;
  if (thread->task == 0)
    wp_scheduling_begin_task (self, thread, 0);
  thread->op = wp_scheduling_open_op (self, thread->task, WP_OP_SLEEP, 0);
  sleep = wp_scheduling_op (self, thread->op);
  sleep->flags = WP_OP_OPEN_START;
  if (thread->told_state != WP_STATE_UNKNOWN && thread->told_stack != 0)
    {
      sleep->state = thread->told_state;
      sleep->detail = thread->told_stack;
    }
  thread->told_state = WP_STATE_UNKNOWN; /* of a later life of that number it says nothing */
  thread->seen = 0;
  return thread;
}

WpCpu *
wp_scheduling_cpu (WpScheduling *self, guint32 cpu)
{
  static const WpCpu fresh = { .seen = -1, .tid = -1 };

  cpu = MIN (cpu, 65535);
  while (self->cpus.len <= cpu)
    wp_array_push (&self->cpus, fresh);
  return &self->cpus.data[cpu];
}

WpId
wp_scheduling_add_link (WpScheduling *self, WpCause cause, WpId source, gint64 start, WpId stack)
{
  WpLink *link = wp_array_add (&self->trace->links);

  link->cause = cause;
  link->source = source;
  link->start = start;
  link->stack = stack;
  link->horizontal = cause == WP_CAUSE_PREEMPTED || cause == WP_CAUSE_EXEC;
  return self->trace->links.len - 1;
}

guint16
wp_scheduling_device (WpScheduling *self, WpId name)
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

void
wp_scheduling_known_task (WpScheduling *self, gint32 tid, gint32 pid, WpId comm, gboolean kernel)
{
  WpThread *thread = wp_scheduling_thread_row (self, tid);

  if (thread == NULL)
    return;
  thread->pid = pid;
  thread->kernel = kernel;
  if (thread->task == 0)
    wp_scheduling_begin_task (self, thread, comm);
  else
    wp_scheduling_name_thread (self, thread, comm);
}

/* Times become ns since the first event, never go back, and never leave what a recording can last. */
gint64
wp_scheduling_time (WpScheduling *self, gint64 clock)
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
