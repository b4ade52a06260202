/* Whether rows of a trace are what they may be: numbers within their tables, and whatever else the analysis takes for granted (trace.h). A sidecar is
 * trusted no more than any other file. */
#include "read/sidecar/columns.h"

#define TIME_MAX (G_GINT64_CONSTANT (1) << 61) /* ns, either way: differences of times, and sums of a few, are numbers still */

typedef gboolean (*FitFunc) (const WpTrace *trace, guint32 row);

static inline gboolean
is_time (gint64 time)
{
  return time >= -TIME_MAX && time <= TIME_MAX;
}

static inline gboolean
is_stretch (gint64 start, gint64 end)
{
  return is_time (start) && is_time (end) && start <= end;
}

static inline gboolean
is_string (const WpTrace *trace, WpId id)
{
  return id < wp_strings_count (trace->strings);
}

/* --- operations ----------------------------------------------------------------------------------------------------- */

static gboolean
fit_run (const WpTrace *trace, const WpOp *op)
{
  return op->detail == 0 ? op->explained_by == 0 : op->detail < op->explained_by && op->explained_by <= trace->samples.len;
}

static gboolean
fit_sleep (const WpTrace *trace, const WpOp *op)
{
  return op->detail < trace->stacks.len && op->explained_by < trace->ops.len;
}

static gboolean
fit_disk (const WpTrace *trace, const WpOp *op)
{
  return op->detail > 0 && op->detail < trace->disks.len && op->explained_by < trace->ops.len;
}

static gboolean
fit_net (const WpTrace *trace, const WpOp *op)
{
  return op->detail > 0 && op->detail < trace->nets.len && op->explained_by < trace->ops.len;
}

static const struct
{
  gboolean (*fit) (const WpTrace *trace, const WpOp *op);
  gboolean of_thread;
} kinds[WP_OP_KIND_COUNT] = {
  [WP_OP_RUN] = { fit_run, TRUE },   [WP_OP_SLEEP] = { fit_sleep, TRUE }, [WP_OP_DISK] = { fit_disk, FALSE },
  [WP_OP_DISK_QUEUE] = { fit_disk, FALSE }, [WP_OP_NET] = { fit_net, FALSE },
};

/* Those of a thread follow each other without a gap, runs and sleeps in turns. */
static gboolean
fit_op (const WpTrace *trace, guint32 row)
{
  const WpOp *op = &trace->ops.data[row];
  const WpTask *task;

  if (op->task == 0 || op->task >= trace->tasks.len || op->kind >= WP_OP_KIND_COUNT || kinds[op->kind].fit == NULL || op->state >= WP_STATE_COUNT
      || op->cause >= WP_CAUSE_COUNT || op->link >= trace->links.len || !is_stretch (op->start, op->end) || !kinds[op->kind].fit (trace, op))
    return FALSE;
  task = &trace->tasks.data[op->task];
  if (row < task->first_op || row - task->first_op >= task->n_ops || kinds[op->kind].of_thread != (task->kind == WP_TASK_THREAD))
    return FALSE;
  return row == task->first_op || (task->kind == WP_TASK_THREAD ? op->start == op[-1].end && op->kind != op[-1].kind : op->start >= op[-1].start);
}

static gboolean
fit_task (const WpTrace *trace, guint32 row)
{
  const WpTask *task = &trace->tasks.data[row], *tasks = trace->tasks.data;

  return is_string (trace, task->name) && (guint64) task->first_op + task->n_ops <= trace->ops.len && (task->n_ops == 0 || task->first_op > 0)
         && task->before < trace->tasks.len && task->after < trace->tasks.len && task->leader < trace->tasks.len
         && task->forked_by < trace->ops.len && task->kind <= WP_TASK_NETWORK
         && (task->before == 0 || tasks[task->before].exec < task->exec) && (task->after == 0 || tasks[task->after].exec > task->exec);
}

static gboolean
fit_link (const WpTrace *trace, guint32 row)
{
  const WpLink *link = &trace->links.data[row];

  return is_time (link->start) && link->source < trace->ops.len && link->target < trace->ops.len && link->stack < trace->stacks.len
         && link->cause < WP_CAUSE_COUNT && link->device < trace->devices.len;
}

/* Of a run each sample is among its own. */
static gboolean
fit_sample (const WpTrace *trace, guint32 row)
{
  const WpSample *sample = &trace->samples.data[row];
  const WpOp *run = sample->run < trace->ops.len ? &trace->ops.data[sample->run] : NULL;

  return is_time (sample->time) && sample->stack < trace->stacks.len && run != NULL && sample->task < trace->tasks.len
         && sample->event <= trace->events.len && (sample->run == 0 || (run->kind == WP_OP_RUN && row >= run->detail && row < run->explained_by));
}

/* --- names ---------------------------------------------------------------------------------------------------------- */

static gboolean
fit_stack (const WpTrace *trace, guint32 row)
{
  const WpStack *stack = &trace->stacks.data[row];

  return stack->parent < row && stack->frame > 0 && stack->frame < trace->frames.len;
}

static gboolean
fit_frame (const WpTrace *trace, guint32 row)
{
  const WpFrame *frame = &trace->frames.data[row];

  return frame->module < trace->modules.len && frame->function > 0 && frame->function < trace->functions.len;
}

static gboolean
fit_function (const WpTrace *trace, guint32 row)
{
  const WpFunction *function = &trace->functions.data[row];

  return is_string (trace, function->name) && function->module < trace->modules.len;
}

static gboolean
fit_module (const WpTrace *trace, guint32 row)
{
  const WpModule *module = &trace->modules.data[row];

  return is_string (trace, module->path) && is_string (trace, module->build_id);
}

/* --- devices and sockets -------------------------------------------------------------------------------------------- */

static gboolean
fit_disk_row (const WpTrace *trace, guint32 row)
{
  const WpDisk *disk = &trace->disks.data[row];

  return disk->task < trace->tasks.len && is_string (trace, disk->rwbs) && is_string (trace, disk->file) && disk->queue < trace->ops.len
         && disk->active < trace->ops.len;
}

static gboolean
fit_net_row (const WpTrace *trace, guint32 row)
{
  const WpNet *net = &trace->nets.data[row];

  return is_string (trace, net->local) && is_string (trace, net->remote) && net->task < trace->tasks.len;
}

static gboolean
fit_device (const WpTrace *trace, guint32 row)
{
  return is_string (trace, trace->devices.data[row]);
}

/* --- plain lists ---------------------------------------------------------------------------------------------------- */

static gboolean
fit_lost (const WpTrace *trace, guint32 row)
{
  const WpLost *lost = &trace->lost.data[row];

  return is_stretch (lost->start, lost->end) && (row == 0 || lost->start >= lost[-1].start);
}

static gboolean
fit_interrupt (const WpTrace *trace, guint32 row)
{
  const WpInterrupt *one = &trace->interrupts.data[row];

  return is_stretch (one->start, one->end) && one->start < one->end && one->cpu > 0 && is_string (trace, one->name)
         && (row == 0 || one->cpu > one[-1].cpu || (one->cpu == one[-1].cpu && one->start >= one[-1].end));
}

static gboolean
fit_rate (const WpTrace *trace, guint32 row)
{
  return is_time (trace->rates.data[row].time) && (row == 0 || trace->rates.data[row].time >= trace->rates.data[row - 1].time);
}

static gboolean
fit_event (const WpTrace *trace, guint32 row)
{
  return is_string (trace, trace->events.data[row].name);
}

static gboolean
fit_mark (const WpTrace *trace, guint32 row)
{
  const WpMarkSpan *mark = &trace->marks.data[row];

  return is_stretch (mark->start, mark->end) && is_string (trace, mark->name);
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

/* As columns.c has them. `first`: the first row that says something; the one before it is empty. */
static const struct
{
  FitFunc fit;
  guint32 first;
} tables[WP_SIDECAR_BLOCKS - WP_SIDECAR_COLUMNS] = {
  { fit_task, 1 },     { fit_op, 1 },     { fit_link, 1 },     { fit_sample, 1 },  { fit_stack, 1 },  { fit_frame, 1 },
  { fit_function, 1 }, { fit_module, 1 }, { fit_disk_row, 1 }, { fit_net_row, 1 }, { fit_device, 1 }, { fit_lost, 0 },
  { fit_interrupt, 0 }, { fit_rate, 0 },  { fit_event, 0 },    { fit_mark, 0 },
};

static gboolean
is_empty (gconstpointer row, gsize size)
{
  const guint8 *bytes = row;

  while (size > 0 && bytes[size - 1] == 0)
    size--;
  return size == 0;
}

#define HAS_EMPTY_ROW(table) ((table).len > 0 && is_empty ((table).data, sizeof *(table).data))

gboolean
wp_sidecar_rows_are_there (const WpTrace *trace)
{
  guint64 n = 1;

  if (!HAS_EMPTY_ROW (trace->tasks) || !HAS_EMPTY_ROW (trace->ops) || !HAS_EMPTY_ROW (trace->links) || !HAS_EMPTY_ROW (trace->samples)
      || !HAS_EMPTY_ROW (trace->stacks) || !HAS_EMPTY_ROW (trace->frames) || !HAS_EMPTY_ROW (trace->functions) || !HAS_EMPTY_ROW (trace->modules)
      || !HAS_EMPTY_ROW (trace->disks) || !HAS_EMPTY_ROW (trace->nets) || !HAS_EMPTY_ROW (trace->devices))
    return FALSE;
  for (guint32 t = 1; t < trace->tasks.len; t++)
    n += trace->tasks.data[t].n_ops;
  return n == trace->ops.len; /* with fit_op(): each operation is of one task */
}

gboolean
wp_sidecar_fit (gpointer data, guint block, guint32 from, guint32 to)
{
  const guint table = block - WP_SIDECAR_COLUMNS;
  guint32 row;

  if (block < WP_SIDECAR_COLUMNS)
    return TRUE;
  row = MAX (from, tables[table].first);
  while (row < to && tables[table].fit (data, row))
    row++;
  return row >= to;
}
