/* Explaining: each part's own time is cut into pieces, and each piece is classified by what the part is and how it ended. */
#include "paths/explain-private.h"

#include "trace/interrupts.h"
#include "trace/kernel-names.h"

/* A part is divided by so many losses. */
#define LOSSES_OF_PART 64
/* A thread is looked for among so many who forked it or one another. */
#define FORKS_OF_WAIT 64

/* How a wait of several sleeps ended. */
typedef enum
{
  END_UNKNOWN, /* not asked for yet */
  END_SEEN,
  END_UNSEEN,
} WaitEnd;

/* A piece named after a function, where that is known. */
static void
add_function (WpExplainer *self, WpId part, gint64 start, gint64 end, WpCategory category, WpId function)
{
  wp_explain_piece (self, part, start, end, category, function != 0 ? WP_SUBJECT_FUNCTION : WP_SUBJECT_REASON,
                    function != 0 ? function : WP_REASON_NO_STACK);
}

/* The next sleep of the same wait, or 0. A run without length has no part. */
static WpId
next_of_wait (const WpExplainer *self, WpId part)
{
  const WpPart *parts = self->paths->parts.data;
  const WpOp *ops = self->trace->ops.data;
  WpId next = parts[part].next, stack = ops[parts[part].op].detail;
  gint64 end = parts[part].end;

  if (next != 0 && ops[parts[next].op].kind == WP_OP_RUN && parts[next].start == end && wp_run_is_short (self->paths, &ops[parts[next].op]))
    {
      end = parts[next].end;
      next = parts[next].next;
    }
  if (next == 0 || ops[parts[next].op].kind != WP_OP_SLEEP || ops[parts[next].op].task != ops[parts[part].op].task || parts[next].start != end)
    return 0;
  return wp_sleep_is_in_call (&ops[parts[next].op], &stack) ? next : 0;
}

/* Whether the wait that a sleep belongs to went on until nobody knows what: then what the sleep was for is not known either. */
static gboolean
wait_end_unseen (WpExplainer *self, WpId part)
{
  WpId last = part, next;
  WaitEnd end;

  while (self->wait_ends[last] == END_UNKNOWN && (next = next_of_wait (self, last)) != 0)
    last = next;
  end = self->wait_ends[last];
  if (end == END_UNKNOWN)
    end = wp_end_unseen (&self->trace->ops.data[self->paths->parts.data[last].op]) ? END_UNSEEN : END_SEEN;
  self->wait_ends[last] = end;
  for (WpId p = part; p != last; p = next_of_wait (self, p))
    self->wait_ends[p] = end;
  return end == END_UNSEEN;
}

static void
timed_out (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  gboolean deliberate = (wp_kernel_stack_roles (self->trace, op->detail) & WP_ROLE_NANOSLEEP) != 0;

  if (wp_start_unseen (op))
    wp_explain_piece (self, part, start, end, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON, WP_REASON_UNSEEN_START);
  else if (wait_end_unseen (self, part))
    wp_explain_piece (self, part, start, end, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON, WP_REASON_NO_WAKEUP);
  else
    add_function (self, part, start, end, deliberate ? WP_CATEGORY_DELIBERATE_SLEEP : WP_CATEGORY_TIMED_OUT,
                  wp_trace_describe_stack (self->trace, op->detail));
}

/* The kernel function that a sleep is blocked in, where the table of names has it; else what describes the stack. */
static WpId
kernel_block (const WpTrace *trace, WpId stack)
{
  for (WpId s = stack; s != 0; s = trace->stacks.data[s].parent)
    {
      WpId function = trace->frames.data[trace->stacks.data[s].frame].function;

      if (trace->functions.data[function].role & WP_ROLE_KERNEL_BLOCK)
        return function;
    }
  return wp_trace_describe_stack (trace, stack);
}

static void
interrupted (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  guint16 device = self->trace->links.data[op->link].device;

  if (op->cause == WP_CAUSE_IPI)
    wp_explain_piece (self, part, start, end, WP_CATEGORY_HARDWARE, WP_SUBJECT_REASON, WP_REASON_IPI);
  else if (device != 0)
    wp_explain_piece (self, part, start, end, WP_CATEGORY_HARDWARE, WP_SUBJECT_NAME, self->trace->devices.data[device]);
  else
    wp_explain_piece (self, part, start, end, WP_CATEGORY_HARDWARE, WP_SUBJECT_REASON, WP_REASON_DEVICE);
}

static void
kernel_blocked (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];

  if (op->state == WP_STATE_STOPPED)
    wp_explain_piece (self, part, start, end, WP_CATEGORY_KERNEL_BLOCK, WP_SUBJECT_REASON, WP_REASON_STOPPED);
  else
    add_function (self, part, start, end, WP_CATEGORY_KERNEL_BLOCK, kernel_block (self->trace, op->detail));
}

static void
unaccounted (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  gboolean by_task = op->cause == WP_CAUSE_TASK || op->cause == WP_CAUSE_SIGNAL;
  WpReason reason = op->cause == WP_CAUSE_NONE                                   ? WP_REASON_NO_WAKEUP
                  : op->cause == WP_CAUSE_NET                                  ? WP_REASON_OUTSIDE
                  : by_task && self->trace->links.data[op->link].source != 0 ? WP_REASON_OTHER_TASK
                                                                               : WP_REASON_UNKNOWN_WAKER;
  gint64 sent = CLAMP (wp_sleep_sent_since (self->trace, op), start, end);

  if (start < sent)
    wp_explain_piece (self, part, start, sent, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON, reason);
  if (sent < end)
    wp_explain_piece (self, part, sent, end, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_NAME,
                      self->trace->devices.data[self->trace->links.data[op->link].device]);
}

/* What the blocked time of a sleep ended by. */
static void
blocked (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  static void (*const by_cause[WP_CAUSE_COUNT]) (WpExplainer *self, WpId part, gint64 start, gint64 end) = {
    [WP_CAUSE_TIMER] = timed_out,   [WP_CAUSE_DEVICE] = interrupted, [WP_CAUSE_IPI] = interrupted,
    [WP_CAUSE_KERNEL] = kernel_blocked,
  };
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];

  if (op->state == WP_STATE_STOPPED)
    kernel_blocked (self, part, start, end);
  else if (wp_unfinished (op)) /* only its stack says what it is for */
    add_function (self, part, start, end, WP_CATEGORY_UNFINISHED, wp_trace_describe_stack (self->trace, op->detail));
  else if (by_cause[op->cause] != NULL)
    by_cause[op->cause](self, part, start, end);
  else
    unaccounted (self, part, start, end);
}

/* When the path that a part waits on is busy: the whole path, or, where it is the part's own, the part that was found placed
 * and its siblings from the same walk; of the base, all before. */
static void
busy_time (const WpExplainer *self, const WpPart *part, gint64 *from, gint64 *to)
{
  const WpPart *parts = self->paths->parts.data, *other = &parts[part->waits_part];

  if (part->waits_path != part->path)
    {
      *from = self->paths->paths.data[part->waits_path].start;
      *to = self->paths->paths.data[part->waits_path].end;
      return;
    }
  *from = other->parent != 0 ? parts[parts[other->parent].first_child].start : self->paths->paths.data[part->path].start;
  *to = other->parent != 0 ? MAX (other->end, parts[self->tables->last_children[other->parent]].end) : other->end;
}

/* The base path of the thread that forked the one of this path, or 0. */
static WpId
forking_path (const WpExplainer *self, const WpPath *path)
{
  WpId fork = path->base ? self->trace->tasks.data[path->task].forked_by : 0;

  return fork != 0 ? self->tables->base_paths[self->trace->ops.data[fork].task] : 0;
}

/* Who waits for a thread before that is there waits for whoever makes it. Returns from when on that explains what lies before `to`. */
static gint64
not_yet_there (WpExplainer *self, WpId part, gint64 start, gint64 to)
{
  const WpPart *p = &self->paths->parts.data[part];
  const WpPath *paths = self->paths->paths.data, *path = &paths[p->waits_path];
  WpId forking;

  for (guint n = 0; n < FORKS_OF_WAIT && to > start && (forking = forking_path (self, path)) != 0 && forking != p->path
                    && paths[forking].start < to; n++)
    {
      gint64 from = MAX (start, paths[forking].start);

      wp_explain_piece (self, part, from, to, WP_CATEGORY_OTHER_PATH, WP_SUBJECT_PATH, forking);
      path = &paths[forking];
      to = from;
    }
  return to;
}

static void
waiting (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpPart *p = &self->paths->parts.data[part];
  gint64 from, to;

  if (p->waits_path == 0)
    {
      blocked (self, part, start, end);
      return;
    }
  busy_time (self, p, &from, &to);
  from = CLAMP (from, start, end);
  to = CLAMP (to, from, end);
  if (start < from)
    {
      gint64 made = p->waits_path != p->path ? not_yet_there (self, part, start, from) : from;

      if (start < made)
        blocked (self, part, start, made);
    }
  wp_explain_piece (self, part, from, to, WP_CATEGORY_OTHER_PATH, WP_SUBJECT_PATH, p->waits_path);
  if (to < end)
    blocked (self, part, to, end);
}

/* Who had the CPU in the i-th stretch: its name. */
static WpId
holder (const WpExplainer *self, guint32 i)
{
  return wp_paths_task_name (self->paths, self->holders.data[i].task);
}

static gboolean
is_same_holder (const WpExplainer *self, guint32 i, guint32 k)
{
  gboolean nobody = self->holders.data[i].op == 0;

  return nobody == (self->holders.data[k].op == 0) && (nobody || holder (self, i) == holder (self, k));
}

/* Time in which a part was ready and had no CPU: whoever had the one that it waited for is named, one after the other. */
static void
waiting_for_cpu (WpExplainer *self, WpId part, gint64 start, gint64 end, WpCategory category)
{
  WpCpuRun wait = { .start = start, .end = end, .cpu = wp_cpu_waited_for (self->trace, self->paths->parts.data[part].op) };

  if (wait.cpu == 0)
    {
      wp_explain_piece (self, part, start, end, category, WP_SUBJECT_REASON, WP_REASON_UNKNOWN_CPU);
      return;
    }
  wp_cpu_runs_holders (&self->tables->cpu_runs, &wait, &self->tables->near[part], &self->holders);
  for (guint32 i = 0; i < self->holders.len;)
    {
      gboolean nobody = self->holders.data[i].op == 0;
      guint32 last = i;

      while (last + 1 < self->holders.len && is_same_holder (self, i, last + 1))
        last++;
      wp_explain_piece (self, part, self->holders.data[i].start, self->holders.data[last].end, category,
                        nobody ? WP_SUBJECT_REASON : WP_SUBJECT_RIVAL, nobody ? WP_REASON_IDLE_CPU : holder (self, i));
      i = last + 1;
    }
}

static void
sleeping (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  WpId id = self->paths->parts.data[part].op;
  const WpOp *op = &self->trace->ops.data[id];
  gint64 woken = CLAMP (wp_paths_woken (self->paths, id), start, end);
  gboolean by_disk = op->cause == WP_CAUSE_DISK, by_net = op->cause == WP_CAUSE_NET && op->explained_by != 0;

  if (op->state == WP_STATE_PREEMPTED)
    {
      waiting_for_cpu (self, part, start, end, WP_CATEGORY_INVOLUNTARY);
      return;
    }
  if (self->paths->parts.data[part].cut)
    wp_explain_piece (self, part, start, woken, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON, WP_REASON_CUT);
  else if (by_disk && op->explained_by != 0)
    wp_explain_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_DISK,
                      self->trace->ops.data[op->explained_by].detail);
  else if (by_disk)
    wp_explain_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_REASON, WP_REASON_DISK);
  else if (by_net)
    wp_explain_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_NET,
                      self->trace->ops.data[op->explained_by].detail);
  else if (start < woken)
    waiting (self, part, start, woken);
  if (woken < end)
    waiting_for_cpu (self, part, woken, end, WP_CATEGORY_SCHEDULER);
}

/* Time of a run: what interrupt handlers took of it is theirs, whatever the run was doing. */
static void
running (WpExplainer *self, WpId part, gint64 start, gint64 end, WpCategory category, WpSubject subject, guint32 id)
{
  guint32 cpu = self->trace->ops.data[self->paths->parts.data[part].op].cpu;
  const WpInterrupt *interrupt;

  for (guint32 i = wp_interrupts_after (self->trace, cpu, start); (interrupt = wp_interrupt_before (self->trace, i, cpu, end)) != NULL; i++)
    {
      wp_explain_piece (self, part, start, interrupt->start, category, subject, id);
      start = MAX (start, interrupt->start);
      wp_explain_piece (self, part, start, MIN (interrupt->end, end), WP_CATEGORY_INTERRUPTS, interrupt->name != 0 ? WP_SUBJECT_NAME : WP_SUBJECT_REASON,
                        interrupt->name != 0 ? interrupt->name : WP_REASON_DEVICE);
      start = MIN (interrupt->end, end);
    }
  wp_explain_piece (self, part, start, end, category, subject, id);
}

/* Of a run with samples: what those that the kernel held back stand for is not sampled. */
static void
sampled (WpExplainer *self, WpId part, gint64 start, gint64 end, WpId name)
{
  wp_part_slices (self->paths, part, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      const WpSlice *slice = &self->slices.data[i];
      gint64 from = MAX (start, slice->start), to = MIN (end, slice->end);

      if (from < to)
        running (self, part, from, to, slice->stack != 0 ? WP_CATEGORY_UNDERSTOOD : WP_CATEGORY_NOT_SAMPLED, WP_SUBJECT_NAME, name);
    }
}

static void
by_kind (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  WpId name = wp_paths_task_name (self->paths, op->task);

  switch ((WpOpKind) op->kind)
    {
    case WP_OP_RUN:
      if (op->flags & WP_OP_THROTTLED)
        sampled (self, part, start, end, name);
      else if (op->detail == 0 && (op->flags & WP_OP_LOST)) /* it was sampled, but that is missing */
        running (self, part, start, end, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON, WP_REASON_LOST);
      else
        running (self, part, start, end, op->detail != 0 ? WP_CATEGORY_UNDERSTOOD : WP_CATEGORY_NOT_SAMPLED, WP_SUBJECT_NAME, name);
      break;
    case WP_OP_DISK:
      wp_explain_piece (self, part, start, end, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_DISK, op->detail);
      break;
    case WP_OP_DISK_QUEUE:
      wp_explain_piece (self, part, start, end, WP_CATEGORY_IO_QUEUE, WP_SUBJECT_DISK, op->detail);
      break;
    case WP_OP_NET:
      wp_explain_piece (self, part, start, end, WP_CATEGORY_BLOCKING_IO, WP_SUBJECT_NET, op->detail);
      break;
    default:
      sleeping (self, part, start, end);
      break;
    }
}

/* Of what was open in a loss, that time is unknown; of what was open in many, all between the first and the last. */
static void
around_losses (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  guint32 first = wp_losses_after (&self->tables->lost, start), last = wp_losses_from (&self->tables->lost, end), step = 1;

  if (last > first + LOSSES_OF_PART)
    step = last - first;
  for (guint32 i = first; i < last; i += step)
    {
      gint64 from = MAX (self->tables->lost.data[i].start, start), to = MIN (self->tables->lost.data[i + step - 1].end, end);

      if (start < from)
        by_kind (self, part, start, from);
      wp_explain_piece (self, part, from, to, WP_CATEGORY_UNACCOUNTED, WP_SUBJECT_REASON,
                        self->tables->lost.data[i].paused ? WP_REASON_PAUSED : WP_REASON_LOST);
      start = to;
    }
  if (start < end)
    by_kind (self, part, start, end);
}

/* A stretch in which the part is a top. */
static void
classify (WpExplainer *self, WpId part, gint64 start, gint64 end)
{
  if (self->trace->ops.data[self->paths->parts.data[part].op].flags & WP_OP_LOST)
    around_losses (self, part, start, end);
  else
    by_kind (self, part, start, end);
}

void
wp_explain_part (WpExplainer *self, WpId id)
{
  const WpPart *parts = self->paths->parts.data;
  gint64 at = parts[id].start;

  for (WpId child = parts[id].first_child; child != 0; child = parts[child].next)
    {
      if (parts[child].start > at)
        classify (self, id, at, MIN (parts[child].start, parts[id].end));
      at = MAX (at, parts[child].end);
      if (at >= parts[id].end)
        return;
    }
  if (at < parts[id].end)
    classify (self, id, at, parts[id].end);
}
