/* User stacks that reach the entry of their program: how many do, in a recording and of each process; and completing those that are
 * cut. */
#include "read/read-private.h"

enum
{
  STACK_USER = 1,
  STACK_WHOLE = 2,
};

/* A program without symbols has no name for `_start`, and that of a thread's first function may be missing too; what they call
 * has one. */
#define ENTRY_DEPTH 3

static gboolean
is_entry (const WpTrace *trace, const WpFrame *frame)
{
  return !(frame->flags & WP_FRAME_KERNEL) && wp_is_entry_function (wp_trace_function_name (trace, frame->function));
}

/* What is known of each stack by its outermost frames; a stack's row comes after its parent's. */
static guint8 *
judge_stacks (const WpTrace *trace)
{
  guint8 *marks = g_malloc0 (trace->stacks.len);
  g_autofree guint8 *depths = g_malloc0 (trace->stacks.len);

  for (WpId i = 1; i < trace->stacks.len; i++)
    {
      WpId parent = trace->stacks.data[i].parent;
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[i].frame];

      depths[i] = MIN (depths[parent] + 1, ENTRY_DEPTH + 1);
      marks[i] = parent != 0 ? marks[parent] : frame->flags & WP_FRAME_KERNEL ? 0 : STACK_USER;
      if (marks[i] == STACK_USER && depths[i] <= ENTRY_DEPTH && is_entry (trace, frame))
        marks[i] |= STACK_WHOLE;
    }
  return marks;
}

/* Calls for each stack of a sample, a sleep or a wakeup, with the operation that it belongs to. */
typedef void (*StackFunc) (const WpTrace *trace, WpId op, guint8 mark, gpointer data);

static void
each_stack (const WpTrace *trace, StackFunc func, gpointer data)
{
  g_autofree guint8 *marks = judge_stacks (trace);

  for (guint32 i = 1; i < trace->samples.len; i++)
    func (trace, trace->samples.data[i].run, marks[trace->samples.data[i].stack], data);
  for (guint32 i = 1; i < trace->ops.len; i++)
    if (trace->ops.data[i].kind == WP_OP_SLEEP && !wp_told_before (&trace->ops.data[i]))
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

/* --- completing ------------------------------------------------------------------------------------------------------- */

/* The frames of a stack, innermost first: those of the kernel, then those of the user. */
typedef struct
{
  WpId stack;       /* whose they are */
  WpId user;        /* the stack of the user part alone */
  guint32 n, n_kernel;
  WpId frames[2 * WP_STACK_DEPTH_MAX];
} Frames;

typedef struct
{
  WpTrace *trace;
  guint8 *marks;    /* of the stacks there were */
  guint32 n_marks;
  Frames whole, cut; /* the last whole one of the task at hand, and the one that is looked at */
  WpId completed;   /* what `cut` became; 0: nothing */
  WpId completed_by; /* … and by which */
  guint64 n;
} Completion;

static void
take_frames (const WpTrace *trace, WpId stack, Frames *frames)
{
  frames->stack = frames->user = stack;
  frames->n = frames->n_kernel = 0;
  for (; stack != 0 && frames->n < G_N_ELEMENTS (frames->frames); stack = trace->stacks.data[stack].parent)
    {
      WpId frame = trace->stacks.data[stack].frame;

      frames->frames[frames->n++] = frame;
      if (frames->n == frames->n_kernel + 1 && (trace->frames.data[frame].flags & WP_FRAME_KERNEL))
        {
          frames->n_kernel++;
          frames->user = trace->stacks.data[stack].parent;
        }
    }
}

/* Whether the user part of `cut` is what the whole one begins with, seen from inside. */
static gboolean
is_tip (const Frames *cut, const Frames *whole)
{
  guint32 n = cut->n - cut->n_kernel;

  return n < whole->n - whole->n_kernel
         && memcmp (cut->frames + cut->n_kernel, whole->frames + whole->n_kernel, n * sizeof (WpId)) == 0;
}

static WpId
complete (Completion *self, WpId stack)
{
  const Frames *cut = &self->cut;
  WpId completed;

  if (self->cut.stack == stack && self->completed_by == self->whole.stack)
    return self->completed;
  take_frames (self->trace, stack, &self->cut);
  self->completed_by = self->whole.stack;
  self->completed = 0;
  if (!is_tip (cut, &self->whole))
    return 0;
  completed = self->whole.user;
  for (guint32 i = cut->n_kernel; i-- > 0;)
    completed = wp_trace_stack (self->trace, completed, cut->frames[i]);
  return self->completed = completed;
}

/* The stack that stands for this one from now on. Those of one task come in the order of time. */
static WpId
next_stack (Completion *self, WpId stack)
{
  guint8 mark = stack < self->n_marks ? self->marks[stack] : 0;
  WpId completed;

  if (mark == (STACK_USER | STACK_WHOLE) && stack != self->whole.stack)
    take_frames (self->trace, stack, &self->whole);
  if (mark != STACK_USER || self->whole.stack == 0)
    return stack;
  completed = complete (self, stack);
  self->n += completed != 0;
  return completed != 0 ? completed : stack;
}

static void
complete_task (Completion *self, const WpTask *task)
{
  WpTrace *trace = self->trace;

  self->whole.stack = 0;
  for (WpId i = task->first_op; i < task->first_op + task->n_ops; i++)
    {
      WpOp *op = &trace->ops.data[i];

      if (op->kind == WP_OP_SLEEP)
        op->detail = next_stack (self, op->detail);
      else if (op->kind == WP_OP_RUN && op->detail != 0)
        for (WpId sample = op->detail; sample < op->explained_by; sample++)
          trace->samples.data[sample].stack = next_stack (self, trace->samples.data[sample].stack);
    }
}

void
wp_complete_stacks (WpTrace *trace)
{
  g_autofree Completion *self = g_new0 (Completion, 1);

  self->trace = trace;
  self->marks = judge_stacks (trace);
  self->n_marks = trace->stacks.len;
  for (WpId i = 1; i < trace->tasks.len; i++)
    if (trace->tasks.data[i].kind == WP_TASK_THREAD)
      complete_task (self, &trace->tasks.data[i]);
  trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] += self->n;
  g_free (self->marks);
}
