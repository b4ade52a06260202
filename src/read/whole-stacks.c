/* How many user stacks reach the entry of their program: of a recording, and of each process. */
#include "read/read-private.h"

enum
{
  STACK_USER = 1,
  STACK_WHOLE = 2,
};

/* What is known of each stack by its outermost frame; a stack's row comes after its parent's. */
static guint8 *
judge_stacks (const WpTrace *trace)
{
  guint8 *marks = g_malloc0 (trace->stacks.len);

  for (WpId i = 1; i < trace->stacks.len; i++)
    {
      WpId parent = trace->stacks.data[i].parent;
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[i].frame];

      if (parent != 0)
        marks[i] = marks[parent];
      else if (!(frame->flags & WP_FRAME_KERNEL))
        marks[i] = STACK_USER | (wp_is_entry_function (wp_trace_function_name (trace, frame->function)) ? STACK_WHOLE
                                 : 0);
    }
  return marks;
}

/* Calls for each stack of a sample, a sleep or a waking, with the operation that it belongs to. */
typedef void (*StackFunc) (const WpTrace *trace, WpId op, guint8 mark, gpointer data);

static void
each_stack (const WpTrace *trace, StackFunc func, gpointer data)
{
  g_autofree guint8 *marks = judge_stacks (trace);

  for (guint32 i = 1; i < trace->samples.len; i++)
    func (trace, trace->samples.data[i].run, marks[trace->samples.data[i].stack], data);
  for (guint32 i = 1; i < trace->ops.len; i++)
    if (trace->ops.data[i].kind == WP_OP_SLEEP)
      func (trace, i, marks[trace->ops.data[i].detail], data);
  for (guint32 i = 1; i < trace->links.len; i++)
    func (trace, trace->links.data[i].source, marks[trace->links.data[i].stack], data);
}

static void
count_all (const WpTrace *trace, WpId op, guint8 mark, gpointer data)
{
  guint64 *n = data;

  n[mark]++;
}

void
wp_count_stacks (WpTrace *trace)
{
  guint64 n[4] = { 0 };

  each_stack (trace, count_all, n);
  trace->diagnostics.n[WP_DIAG_STACKS] = n[STACK_USER] + n[STACK_USER | STACK_WHOLE];
  trace->diagnostics.n[WP_DIAG_STACKS_WHOLE] = n[STACK_USER | STACK_WHOLE];
}

static void
count_of_process (const WpTrace *trace, WpId op, guint8 mark, gpointer data)
{
  WpStackCountArray *counts = data;
  const WpTask *task = &trace->tasks.data[trace->ops.data[op].task];
  WpStackCount *count = &counts->data[task->leader];

  if (task->kind != WP_TASK_THREAD) /* whoever a device's interrupt came upon */
    return;
  count->stacks += (mark & STACK_USER) != 0;
  count->whole += (mark & STACK_WHOLE) != 0;
}

void
wp_count_process_stacks (const WpTrace *trace, WpStackCountArray *counts)
{
  counts->len = 0;
  wp_array_resize (counts, trace->tasks.len);
  each_stack (trace, count_of_process, counts);
}
