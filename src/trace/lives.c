/* The lives of tasks: forks, execs, names. */
#include "trace/scheduling.h"

#include "base/quote.h"

#define NAME_BYTES_MAX 64 /* the kernel has 15 for programs, 63 for its own workers */

WpThread *
wp_scheduling_birth (WpScheduling *self, gint32 tid, gint32 pid, WpId name, WpThread *parent, gint64 time)
{
  WpId parent_run = parent != NULL && !parent->idle ? parent->run : 0;
  gboolean parent_kernel = parent != NULL && parent->kernel;
  gint32 parent_pid = parent != NULL ? MAX (parent->pid, 0) : 0;
  WpThread *child = wp_scheduling_thread (self, tid);
  WpOp *sleep;

  if (child != NULL)
    wp_scheduling_bury (self, child, child->running ? child->seen : time);
  child = wp_scheduling_new_thread (self, tid);
  if (child == NULL)
    return NULL;
  child->pid = pid;
  child->kernel = parent_kernel;
  child->parent = parent_pid;
  wp_scheduling_begin_task (self, child, name);
  self->trace->tasks.data[child->task].forked_by = parent_run;
  child->op = wp_scheduling_open_op (self, child->task, WP_OP_SLEEP, time);
  sleep = wp_scheduling_op (self, child->op);
  sleep->flags = WP_OP_NEW_TASK;
  sleep->cause = WP_CAUSE_FORK;
  sleep->link = wp_scheduling_add_link (self, WP_CAUSE_FORK, parent_run, time, 0);
  child->seen = time;
  return child;
}

void
wp_scheduling_ended (WpScheduling *self, gint32 tid)
{
  WpThread *thread = wp_scheduling_thread (self, tid);

  if (thread != NULL)
    thread->ended = TRUE;
}

void
wp_scheduling_bury_ended (WpScheduling *self)
{
  for (guint32 row = 1; row < self->threads.len; row++)
    {
      const WpThread *thread = &self->threads.data[row];
      WpOp *op = wp_scheduling_op (self, thread->op);

      if (thread->ended && op->kind == WP_OP_SLEEP && op->link == 0 && wp_start_unseen (op))
        op->state = WP_STATE_DEAD;
    }
}

void
wp_scheduling_wakeup_new (WpScheduling *self, const WpEvent *event, WpThread *actor)
{
  WpThread *child = wp_scheduling_thread (self, event->wake.tid);

  if (child == NULL || (child->op != 0 && !(wp_scheduling_op (self, child->op)->flags & (WP_OP_NEW_TASK | WP_OP_OPEN_START))))
    child = wp_scheduling_birth (self, event->wake.tid, -1, event->wake.comm, actor, event->time);
  if (child != NULL)
    wp_scheduling_name_thread (self, child, event->wake.comm);
}

/* One program ends and another begins in the same thread, without a sleep between. */
static void
split_at_exec (WpScheduling *self, WpThread *thread, WpId name, gint64 time)
{
  WpId before = thread->task, run = thread->op, link;
  WpTask *row;

  wp_scheduling_op (self, run)->end = time;
  thread->task = wp_scheduling_add_task (self, self->trace->tasks.data[before]);
  row = &self->trace->tasks.data[thread->task];
  row->exec++;
  row->before = before;
  row->forked_by = 0;
  self->trace->tasks.data[before].after = thread->task;
  thread->op = thread->run = wp_scheduling_open_op (self, thread->task, WP_OP_RUN, time);
  link = wp_scheduling_add_link (self, WP_CAUSE_EXEC, run, time, 0);
  self->trace->links.data[link].target = thread->op;
  wp_scheduling_op (self, thread->op)->link = link;
  wp_scheduling_op (self, thread->op)->cpu = wp_scheduling_op (self, run)->cpu;
  wp_scheduling_name_thread (self, thread, name);
}

/* A thread that is not the leader execs: it takes over the leader's tid. */
static void
take_over_leader (WpScheduling *self, gint32 tid, gint32 old_tid, gint64 time)
{
  WpThread *leader = wp_scheduling_thread_row (self, tid), *thread = wp_scheduling_thread (self, old_tid);

  if (leader == NULL || thread == NULL)
    return;
  if (leader->task != 0)
    wp_scheduling_bury (self, leader, leader->running ? leader->seen : time);
  self->by_tid.data[tid] = self->by_tid.data[old_tid];
  self->by_tid.data[old_tid] = 0;
  thread->tid = tid;
  if (thread->running)
    wp_scheduling_cpu (self, thread->cpu)->tid = tid;
  self->trace->tasks.data[thread->task].tid = tid;
}

/* Who execs, by the tid it had before. The record of the new name knows only the one that it has then: a thread that is not the
 * leader has the leader's, who is dead by then. */
static gint32
who_execs (WpScheduling *self, const WpEvent *event)
{
  gint32 tid = event->program.tid;
  const WpThread *there = wp_scheduling_thread (self, wp_scheduling_cpu (self, event->cpu)->tid);

  if (event->program.old_tid > 0 && event->program.old_tid != tid)
    return event->program.old_tid;
  if (there != NULL && there->running && there->pid == tid && wp_scheduling_thread (self, tid) == NULL)
    return there->tid;
  return tid;
}

void
wp_scheduling_program (WpScheduling *self, const WpEvent *event)
{
  gboolean exec = event->kind == WP_EVENT_EXEC || event->program.exec;
  gint32 tid = event->program.tid, before;
  WpThread *thread;

  if (!exec)
    {
      thread = wp_scheduling_thread (self, tid);
      if (thread != NULL)
        wp_scheduling_name_thread (self, thread, event->program.comm);
      else
        wp_scheduling_known_task (self, tid, event->pid, event->program.comm, FALSE);
      return;
    }
  before = who_execs (self, event);
  if (before != tid)
    take_over_leader (self, tid, before, event->time);
  thread = wp_scheduling_acting (self, tid, event->cpu, event->time);
  if (thread == NULL)
    return;
  if (event->kind == WP_EVENT_EXEC && thread->exec_seen)
    wp_scheduling_name_thread (self, thread, event->program.comm);
  else
    split_at_exec (self, thread, event->program.comm, event->time);
  thread->exec_seen = event->kind == WP_EVENT_COMM;
}

void
wp_scheduling_actor (WpScheduling *self, WpThread *actor, const WpEvent *event, gint64 before)
{
  actor->before = before;
  if (event->pid > 0 && actor->pid < 0)
    actor->pid = self->trace->tasks.data[actor->task].pid = event->pid;
  if (event->comm != 0)
    wp_scheduling_name_thread (self, actor, event->comm);
}

static WpId
plain_name (WpStrings *strings, WpId name)
{
  const char *text = wp_strings_get (strings, name);
  g_autofree char *valid = g_utf8_make_valid (text, strnlen (text, NAME_BYTES_MAX));
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_unichar (plain, wp_is_out_of_line (g_utf8_get_char (p)) ? ' ' : g_utf8_get_char (p));
  return g_str_equal (plain->str, text) ? name : wp_strings_intern (strings, plain->str);
}

void
wp_scheduling_plain_names (WpTrace *trace)
{
  WpId before = 0, after = 0;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      WpId *name = &trace->tasks.data[t].name;

      if (*name != before) /* as many threads of one process have it */
        {
          before = *name;
          after = plain_name (trace->strings, before);
        }
      *name = after;
    }
}
