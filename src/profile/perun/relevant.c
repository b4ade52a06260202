#include "profile/perun/relevant.h"

#include "trace/cpu-runs.h"

/* --- operations --------------------------------------------------------------------------------------------------- */

/* A request in its queue and the same request on the device belong together. */
static void
keep_disk (WpKept *self, const WpTrace *trace, WpId disk)
{
  self->disks.map[disk] = 1;
  self->ops.map[trace->disks.data[disk].queue] = 1;
  self->ops.map[trace->disks.data[disk].active] = 1;
}

/* What ended or started an operation of ours, who did it, and the run that began. What a process was before the exec that
 * our story begins with is no part of it. */
static void
keep_causes (WpKept *self, const WpTrace *trace, const WpOp *op)
{
  if (op->link != 0 && trace->links.data[op->link].cause != WP_CAUSE_EXEC)
    {
      self->links.map[op->link] = 1;
      self->ops.map[trace->links.data[op->link].source] = 1;
      self->ops.map[trace->links.data[op->link].target] = 1;
    }
  if (op->kind == WP_OP_SLEEP)
    self->ops.map[op->explained_by] = 1;
}

/* Who had the CPU while one of our operations waited for it, and the run that tells which one that was. */
static void
keep_rivals (WpKept *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  WpCpuRuns waits = { 0 }, runs = { 0 };

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      WpId op = paths->parts.data[p].op;
      WpCpuRun wait;

      if (trace->ops.data[op].kind != WP_OP_SLEEP || !wp_cpu_wait_of (trace, op, wp_trace_woken (trace, op), &wait))
        continue;
      wp_array_push (&waits, wait);
      self->ops.map[trace->ops.data[op].state == WP_STATE_PREEMPTED ? wp_trace_prev_op (trace, op) : wp_trace_next_op (trace, op)] = 1;
    }
  wp_cpu_runs_find (trace, &waits, &runs, NULL, NULL);
  for (guint32 i = 0; i < runs.len; i++)
    self->ops.map[runs.data[i].op] = 1;
  wp_array_clear (&waits);
  wp_array_clear (&runs);
}

static void
keep_ops (WpKept *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      self->ops.map[paths->parts.data[p].op] = 1;
      keep_causes (self, trace, &trace->ops.data[paths->parts.data[p].op]);
    }
  keep_rivals (self, paths);
  for (guint32 i = 0; i < paths->cuts.len; i++)
    self->ops.map[paths->cuts.data[i]] = 1;
  for (WpId o = 1; o < trace->ops.len; o++)
    if (self->ops.map[o] && (trace->ops.data[o].kind == WP_OP_DISK || trace->ops.data[o].kind == WP_OP_DISK_QUEUE))
      keep_disk (self, trace, trace->ops.data[o].detail);
    else if (self->ops.map[o] && trace->ops.data[o].kind == WP_OP_NET)
      self->nets.map[trace->ops.data[o].detail] = 1;
  self->disks.map[0] = self->nets.map[0] = 0;
  for (WpId l = 1; l < trace->links.len; l++)
    if (self->ops.map[trace->links.data[l].source] && self->ops.map[trace->links.data[l].target]
        && trace->links.data[l].source != 0 && trace->links.data[l].target != 0)
      self->links.map[l] = 1;
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static void
keep_tasks (WpKept *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;

  for (WpId o = 1; o < trace->ops.len; o++)
    if (self->ops.map[o])
      self->tasks.map[trace->ops.data[o].task] = 1;
  for (guint32 i = 0; i < paths->base_tasks.len; i++)
    self->tasks.map[paths->base_tasks.data[i]] = 1;
  for (WpId p = 1; p < paths->paths.len; p++)
    self->tasks.map[paths->paths.data[p].task] = 1;
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (self->tasks.map[t])
      self->tasks.map[trace->tasks.data[t].leader] = 1;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static WpId
copy_frame (WpKept *self, const WpTrace *trace, const WpFrame *frame)
{
  const WpFunction *function = &trace->functions.data[frame->function];
  const char *name = wp_trace_string (trace, function->name);
  WpId module
    = wp_trace_module (self->chunks, wp_trace_string (trace, trace->modules.data[function->module].path), NULL);

  if (frame->flags & WP_FRAME_KERNEL)
    return wp_trace_kernel_frame (self->chunks, module, name);
  wp_trace_function (self->chunks, module, name, function->flags & WP_FUNCTION_NO_SYMBOL);
  return wp_trace_named_frame (self->chunks, module, name);
}

/* Marks the stacks that are referred to (1), then those below them (2). */
static void
mark_stacks (const WpKept *self, const WpTrace *trace, guint8 *referred)
{
  for (WpId o = 1; o < trace->ops.len; o++)
    if (self->ops.map[o] && trace->ops.data[o].kind == WP_OP_SLEEP)
      referred[trace->ops.data[o].detail] = 1;
  for (WpId s = 1; s < trace->samples.len; s++)
    if (self->samples.map[s])
      referred[trace->samples.data[s].stack] = 1;
  for (WpId l = 1; l < trace->links.len; l++)
    if (self->links.map[l])
      referred[trace->links.data[l].stack] = 1;
  for (WpId s = trace->stacks.len - 1; s > 0; s--)
    if (referred[s] != 0 && referred[trace->stacks.data[s].parent] == 0)
      referred[trace->stacks.data[s].parent] = 2;
}

static void
copy_stacks (WpKept *self, const WpTrace *trace, const guint8 *referred)
{
  g_autofree WpId *frames = g_new0 (WpId, trace->frames.len);

  for (WpId s = 1; s < trace->stacks.len; s++)
    {
      const WpStack *stack = &trace->stacks.data[s];

      if (!referred[s])
        continue;
      if (frames[stack->frame] == 0)
        frames[stack->frame] = copy_frame (self, trace, &trace->frames.data[stack->frame]);
      self->stacks[s] = wp_trace_stack (self->chunks, self->stacks[stack->parent], frames[stack->frame]);
    }
}

/* Chunks are numbered in the order of their stacks, so that saving again gives the same numbers. */
static void
number_chunks (WpKept *self, const WpTrace *trace, const guint8 *referred)
{
  g_autofree WpId *numbers = g_new0 (WpId, self->chunks->stacks.len);

  wp_array_push (&self->of_chunk, 0);
  for (WpId s = 1; s < trace->stacks.len; s++)
    if (referred[s] == 1)
      numbers[self->stacks[s]] = 1;
  for (WpId s = 1; s < self->chunks->stacks.len; s++)
    if (numbers[s] != 0)
      {
        numbers[s] = self->of_chunk.len;
        wp_array_push (&self->of_chunk, s);
      }
  for (WpId s = 1; s < trace->stacks.len; s++)
    self->stacks[s] = numbers[self->stacks[s]];
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void
rows_init (WpKeptRows *rows, guint32 n)
{
  rows->map = g_new0 (WpId, n);
}

/* Turns marks into ids. */
static void
number (WpKeptRows *rows, guint32 n)
{
  rows->map[0] = 0;
  for (guint32 i = 1; i < n; i++)
    if (rows->map[i])
      rows->map[i] = ++rows->n;
}

void
wp_kept_init (WpKept *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  g_autofree guint8 *referred = g_new0 (guint8, trace->stacks.len);

  *self = (WpKept) { .stacks = g_new0 (WpId, trace->stacks.len), .chunks = wp_trace_new () };
  rows_init (&self->tasks, trace->tasks.len);
  rows_init (&self->ops, trace->ops.len);
  rows_init (&self->links, trace->links.len);
  rows_init (&self->samples, trace->samples.len);
  rows_init (&self->disks, trace->disks.len);
  rows_init (&self->nets, trace->nets.len);
  keep_ops (self, paths);
  self->ops.map[0] = 0;
  keep_tasks (self, paths);
  for (WpId s = 1; s < trace->samples.len; s++)
    self->samples.map[s] = self->ops.map[trace->samples.data[s].run];
  number (&self->tasks, trace->tasks.len);
  number (&self->ops, trace->ops.len);
  number (&self->links, trace->links.len);
  number (&self->samples, trace->samples.len);
  number (&self->disks, trace->disks.len);
  number (&self->nets, trace->nets.len);
  mark_stacks (self, trace, referred);
  copy_stacks (self, trace, referred);
  number_chunks (self, trace, referred);
}

void
wp_kept_clear (WpKept *self)
{
  g_free (self->tasks.map);
  g_free (self->ops.map);
  g_free (self->links.map);
  g_free (self->samples.map);
  g_free (self->disks.map);
  g_free (self->nets.map);
  g_free (self->stacks);
  wp_array_clear (&self->of_chunk);
  wp_trace_free (self->chunks);
}
