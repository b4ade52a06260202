/* Runs and sleeps: who is on which CPU, from switches and from what tasks are seen doing there. */
#include "trace/scheduling.h"
#include "trace/thresholds.h"

/* A switch at the operation's start is not in the recording. */
static void
inferred (WpScheduling *self, WpId op)
{
  wp_scheduling_op (self, op)->flags |= WP_OP_INFERRED;
  self->trace->diagnostics.n[WP_DIAG_INFERRED_SWITCHES]++;
}

/* … and what was recorded contradicts that there was none. */
static void
contradicted (WpScheduling *self, WpId op)
{
  inferred (self, op);
  wp_reliability_contradiction (&self->reliability, 1);
}

WpOp *
wp_scheduling_leave_cpu (WpScheduling *self, WpThread *thread, gint64 time)
{
  WpOp *run = wp_scheduling_op (self, thread->op);

  run->end = MAX (time, run->start);
  thread->running = FALSE;
  thread->op = wp_scheduling_open_op (self, thread->task, WP_OP_SLEEP, run->end);
  return wp_scheduling_op (self, thread->op);
}

/* The task is gone: its last run is the end of its life. */
void
wp_scheduling_bury (WpScheduling *self, WpThread *thread, gint64 time)
{
  if (thread->op != 0)
    {
      WpOp *op = wp_scheduling_op (self, thread->op);

      op->end = MAX (time, op->start);
      if (op->kind == WP_OP_SLEEP)
        {
          op->cause = WP_CAUSE_NONE;
          op->state = WP_STATE_DEAD;
        }
    }
  thread->task = thread->op = thread->run = 0;
  thread->running = FALSE;
}

/* Ends the open sleep and begins a run. */
static void
enter_cpu (WpScheduling *self, WpThread *thread, guint32 cpu, gint64 time)
{
  WpOp *sleep = wp_scheduling_op (self, thread->op);
  WpId before = thread->run;

  time = MAX (time, sleep->start);
  sleep->end = time;
  if (sleep->state == WP_STATE_PREEMPTED)
    {
      WpId link = wp_scheduling_add_link (self, WP_CAUSE_PREEMPTED, before, sleep->start, 0);

      sleep->link = link;
      sleep->cause = WP_CAUSE_PREEMPTED;
    }
  else if (sleep->link == 0 && !(sleep->flags & WP_OP_OPEN_START))
    self->unwoken (self->unwoken_data, thread, time);
  else if (sleep->link == 0)
    sleep->cause = WP_CAUSE_NONE;
  sleep = wp_scheduling_op (self, thread->op);
  thread->run = wp_scheduling_open_op (self, thread->task, WP_OP_RUN, time);
  sleep = wp_scheduling_op (self, thread->op);
  thread->unwoken = sleep->link == 0 && !(sleep->flags & WP_OP_OPEN_START);
  if (sleep->link != 0)
    self->trace->links.data[sleep->link].target = thread->run;
  wp_scheduling_op (self, thread->run)->cpu = cpu + 1;
  thread->op = thread->run;
  thread->running = TRUE;
  thread->cpu = cpu;
  thread->seen = MAX (thread->seen, time);
}

/* It is asleep, but ran for an unknown time after the moment from which it could. */
void
wp_scheduling_unseen_run (WpScheduling *self, WpThread *thread)
{
  const WpOp *sleep = wp_scheduling_op (self, thread->op);
  gint64 time = sleep->link != 0 ? self->trace->links.data[sleep->link].start : sleep->start;

  enter_cpu (self, thread, thread->cpu, time);
  contradicted (self, thread->op);
  wp_scheduling_leave_cpu (self, thread, time);
  contradicted (self, thread->op);
}

void
wp_scheduling_late_wakeup (WpScheduling *self, WpThread *thread)
{
  if (thread->unwoken)
    wp_reliability_contradiction (&self->reliability, WP_LATE_WAKEUP_WEIGHT);
  thread->unwoken = FALSE;
}

void
wp_scheduling_called (WpScheduling *self, WpThread *thread, WpId caller)
{
  thread->caller = caller;
}

/* It left its CPU after its last event there. */
static void
leave_unseen (WpScheduling *self, WpThread *thread)
{
  wp_scheduling_leave_cpu (self, thread, thread->seen);
  contradicted (self, thread->op);
}

/* Whoever ran on this CPU left it unseen. */
static void
vacate (WpScheduling *self, WpCpu *cpu)
{
  WpThread *thread = wp_scheduling_thread (self, cpu->tid);

  if (thread != NULL && thread->running && self->cpus.data + thread->cpu == cpu)
    {
      leave_unseen (self, thread);
      cpu->switched = thread->seen;
    }
  cpu->tid = -1;
}

/* The moment a task that is seen acting on this CPU must have been switched in: when a loss ended there, else when it was
 * woken, or when the CPU was last seen with somebody else. */
static gint64
inferred_start (WpScheduling *self, const WpThread *thread, const WpCpu *cpu, gint64 time)
{
  const WpOp *sleep = wp_scheduling_op (self, thread->op);
  gint64 since = MAX (cpu->switched, sleep->start);

  if (cpu->lost || sleep->state == WP_STATE_PREEMPTED) /* there was no switch since; it was ready all the time */
    return CLAMP (since, sleep->start, time);
  if (sleep->link != 0)
    return CLAMP (MAX (since, self->trace->links.data[sleep->link].start), sleep->start, time);
  if ((sleep->flags & WP_OP_OPEN_START) && cpu->seen < 0)
    return 0;
  return time;
}

/* A task that is seen acting is running there. */
WpThread *
wp_scheduling_acting (WpScheduling *self, gint32 tid, guint32 cpu_number, gint64 time)
{
  WpCpu *cpu = wp_scheduling_cpu (self, cpu_number);
  WpThread *thread;
  gint64 start;

  if (tid == 0) /* the idle task is there: whoever was, has left */
    {
      vacate (self, cpu);
      cpu->tid = 0;
      cpu->lost = FALSE;
    }
  if (tid <= 0)
    return NULL;
  thread = wp_scheduling_thread (self, tid);
  if (thread != NULL && thread->running && thread->cpu == cpu_number && cpu->tid == tid)
    {
      thread->seen = time;
      return thread;
    }
  if (thread == NULL || thread->op == 0)
    {
      thread = wp_scheduling_make_thread (self, tid);
      if (thread == NULL)
        return NULL;
      if (cpu->tid < 0 && cpu->switched == 0)
        { /* the first that is known of this CPU: it ran there when the recording began */
          WpOp *op = wp_scheduling_op (self, thread->op);

          op->kind = WP_OP_RUN;
          op->state = WP_STATE_UNKNOWN;
          op->detail = 0;
          op->cpu = cpu_number + 1;
          thread->run = thread->op;
          thread->running = TRUE;
          thread->cpu = cpu_number;
          cpu->tid = tid;
          thread->seen = time;
          return thread;
        }
    }
  if (thread->running) /* elsewhere: it left that CPU unseen */
    vacate (self, &self->cpus.data[thread->cpu]);
  vacate (self, cpu); /* whoever else was here has left */
  if (!thread->running)
    {
      start = inferred_start (self, thread, cpu, time);
      enter_cpu (self, thread, cpu_number, start);
      if (cpu->lost) /* the switch is one of the events that are reported to be lost */
        inferred (self, thread->op);
      else
        contradicted (self, thread->op);
      cpu->switched = start;
    }
  thread->cpu = cpu_number;
  cpu->tid = tid;
  cpu->lost = FALSE;
  thread->seen = time;
  return thread;
}

static void
switch_out (WpScheduling *self, const WpEvent *event)
{
  WpThread *prev = wp_scheduling_acting (self, event->sw.prev_tid, event->cpu, event->time);
  WpState state = wp_switch_state (event->sw.prev_state);
  WpOp *sleep;

  if (prev == NULL)
    {
      vacate (self, wp_scheduling_cpu (self, event->cpu)); /* nobody knows who leaves; it is not who was last seen there */
      return;
    }
  wp_scheduling_name_thread (self, prev, event->sw.prev_comm);
  if (event->pid > 0 && event->tid == prev->tid && prev->pid < 0)
    prev->pid = self->trace->tasks.data[prev->task].pid = event->pid;
  if (state == WP_STATE_DEAD)
    {
      wp_scheduling_bury (self, prev, event->time);
      return;
    }
  sleep = wp_scheduling_leave_cpu (self, prev, event->time);
  sleep->state = state;
  sleep->detail = event->stack;
}

void
wp_scheduling_switch (WpScheduling *self, const WpEvent *event)
{
  WpThread *next;
  WpCpu *cpu;

  wp_reliability_switch (&self->reliability, event->time);
  switch_out (self, event);
  cpu = wp_scheduling_cpu (self, event->cpu);
  cpu->tid = event->sw.next_tid;
  cpu->lost = FALSE;
  cpu->switched = event->time;
  next = wp_scheduling_make_thread (self, event->sw.next_tid);
  if (next == NULL)
    return;
  wp_scheduling_name_thread (self, next, event->sw.next_comm);
  if (next->running) /* elsewhere: it left that CPU unseen */
    vacate (self, &self->cpus.data[next->cpu]);
  enter_cpu (self, next, event->cpu, event->time);
  next->seen = event->time;
}
