/* Whether rows of a trace are what they may be: numbers within their tables, and whatever else the analysis takes for granted (trace.h). A sidecar is
 * trusted no more than any other file. */
#include "read/sidecar/columns.h"

#define TIME_MAX (G_GINT64_CONSTANT (1) << 61) /* ns, either way: differences of times, and sums of a few, are numbers still */
#define CPUS_MAX (1 << 20)

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

/* Names of tasks and functions are made readable when they are read; others when they are shown. */
static inline gboolean
is_text (const WpTrace *trace, WpId id)
{
  return is_string (trace, id) && g_utf8_validate (wp_trace_string (trace, id), -1, NULL);
}

/* --- operations ----------------------------------------------------------------------------------------------------- */

static gboolean
fit_run (const WpTrace *trace, const WpOp *op)
{
  return op->detail == 0 ? op->explained_by == 0 : op->detail < op->explained_by && op->explained_by <= trace->samples.len;
}

/* Of what is waited for in vain it is what a child did last; else the device's operation that its cause says. */
static gboolean
may_explain (const WpOp *sleep, guint8 kind)
{
  if (wp_unfinished (sleep))
    return kind == WP_OP_RUN || kind == WP_OP_SLEEP;
  return sleep->cause == WP_CAUSE_NET ? kind == WP_OP_NET : kind == WP_OP_DISK || kind == WP_OP_DISK_QUEUE;
}

static gboolean
fit_sleep (const WpTrace *trace, const WpOp *op)
{
  return op->detail < trace->stacks.len && op->explained_by < trace->ops.len
         && (op->explained_by == 0 || may_explain (op, trace->ops.data[op->explained_by].kind));
}

static gboolean
fit_disk (const WpTrace *trace, const WpOp *op)
{
  return op->detail > 0 && op->detail < trace->disks.len;
}

static gboolean
fit_net (const WpTrace *trace, const WpOp *op)
{
  return op->detail > 0 && op->detail < trace->nets.len;
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
fit_ops (const WpTrace *trace, guint32 row)
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
fit_tasks (const WpTrace *trace, guint32 row)
{
  const WpTask *task = &trace->tasks.data[row];

  return is_text (trace, task->name) && (guint64) task->first_op + task->n_ops <= trace->ops.len && (task->n_ops == 0 || task->first_op > 0)
         && task->before < row && task->after < trace->tasks.len && (task->after == 0 || task->after > row) && task->leader < trace->tasks.len
         && task->forked_by < trace->ops.len && task->kind <= WP_TASK_NETWORK;
}

static gboolean
fit_links (const WpTrace *trace, guint32 row)
{
  const WpLink *link = &trace->links.data[row];

  return is_time (link->start) && link->source < trace->ops.len && link->target < trace->ops.len && link->stack < trace->stacks.len
         && link->cause < WP_CAUSE_COUNT && link->device < trace->devices.len;
}

/* Those of a run are among its own, in the order of time. */
static gboolean
fit_samples (const WpTrace *trace, guint32 row)
{
  const WpSample *sample = &trace->samples.data[row];
  const WpOp *run = sample->run < trace->ops.len ? &trace->ops.data[sample->run] : NULL;

  if (!is_time (sample->time) || sample->stack >= trace->stacks.len || run == NULL || sample->task >= trace->tasks.len
      || sample->event > trace->events.len)
    return FALSE;
  return sample->run == 0 || (run->kind == WP_OP_RUN && row >= run->detail && row < run->explained_by && (row == run->detail || sample->time >= sample[-1].time));
}

/* --- names ---------------------------------------------------------------------------------------------------------- */

static gboolean
fit_stacks (const WpTrace *trace, guint32 row)
{
  const WpStack *stack = &trace->stacks.data[row];

  return stack->parent < row && stack->frame > 0 && stack->frame < trace->frames.len;
}

static gboolean
fit_frames (const WpTrace *trace, guint32 row)
{
  const WpFrame *frame = &trace->frames.data[row];

  return frame->module < trace->modules.len && frame->function > 0 && frame->function < trace->functions.len;
}

static gboolean
fit_functions (const WpTrace *trace, guint32 row)
{
  const WpFunction *function = &trace->functions.data[row];

  return is_text (trace, function->name) && function->module < trace->modules.len;
}

static gboolean
fit_modules (const WpTrace *trace, guint32 row)
{
  const WpModule *module = &trace->modules.data[row];

  return is_string (trace, module->path) && is_string (trace, module->build_id);
}

/* --- devices and sockets -------------------------------------------------------------------------------------------- */

static gboolean
is_request (const WpTrace *trace, WpId op, WpId disk, guint8 kind)
{
  return op == 0 || (op < trace->ops.len && trace->ops.data[op].kind == kind && trace->ops.data[op].detail == disk);
}

static gboolean
fit_disks (const WpTrace *trace, guint32 row)
{
  const WpDisk *disk = &trace->disks.data[row];

  return disk->task < trace->tasks.len && is_string (trace, disk->rwbs) && is_string (trace, disk->file)
         && is_request (trace, disk->queue, row, WP_OP_DISK_QUEUE) && is_request (trace, disk->active, row, WP_OP_DISK);
}

static gboolean
fit_nets (const WpTrace *trace, guint32 row)
{
  const WpNet *net = &trace->nets.data[row];

  return is_string (trace, net->local) && is_string (trace, net->remote) && net->task < trace->tasks.len;
}

static gboolean
fit_devices (const WpTrace *trace, guint32 row)
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
fit_interrupts (const WpTrace *trace, guint32 row)
{
  const WpInterrupt *one = &trace->interrupts.data[row];

  return is_stretch (one->start, one->end) && one->start < one->end && one->cpu > 0 && is_string (trace, one->name)
         && (row == 0 || one->cpu > one[-1].cpu || (one->cpu == one[-1].cpu && one->start >= one[-1].end));
}

static gboolean
fit_rates (const WpTrace *trace, guint32 row)
{
  return is_time (trace->rates.data[row].time) && (row == 0 || trace->rates.data[row].time >= trace->rates.data[row - 1].time);
}

static gboolean
fit_events (const WpTrace *trace, guint32 row)
{
  return is_string (trace, trace->events.data[row].name);
}

static gboolean
fit_marks (const WpTrace *trace, guint32 row)
{
  const WpMarkSpan *mark = &trace->marks.data[row];

  return is_stretch (mark->start, mark->end) && is_text (trace, mark->name);
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

#define FIT(name, first)                                                                                                                 \
  static gboolean fit_all_##name (const WpTrace *trace, guint32 from, guint32 to)                                                        \
  {                                                                                                                                      \
    for (guint32 row = MAX (from, first); row < to; row++)                                                                               \
      if (!fit_##name (trace, row))                                                                                                      \
        return FALSE;                                                                                                                    \
    return TRUE;                                                                                                                         \
  }

WP_SIDECAR_EACH_COLUMN (FIT)

#define FUNCTION(name, first) fit_all_##name,

static gboolean (*const fit_all[]) (const WpTrace *trace, guint32 from, guint32 to) = { WP_SIDECAR_EACH_COLUMN (FUNCTION) };

static gboolean
is_empty (gconstpointer row, gsize size)
{
  const guint8 *bytes = row;

  while (size > 0 && bytes[size - 1] == 0)
    size--;
  return size == 0;
}

#define HAS_EMPTY_ROW(name, first) && (first == 0 || (trace->name.len > 0 && is_empty (trace->name.data, sizeof *trace->name.data)))

gboolean
wp_sidecar_rows_are_there (const WpTrace *trace)
{
  guint64 n = 1;

  if (!(TRUE WP_SIDECAR_EACH_COLUMN (HAS_EMPTY_ROW)))
    return FALSE;
  for (guint32 t = 1; t < trace->tasks.len; t++)
    n += trace->tasks.data[t].n_ops;
  return n == trace->ops.len; /* with fit_ops(): each operation is of one task */
}

static gboolean
are_texts (const WpTrace *trace, GHashTable *numbers)
{
  GHashTableIter iter;
  gpointer string;

  if (numbers != NULL)
    g_hash_table_iter_init (&iter, numbers);
  while (numbers != NULL && g_hash_table_iter_next (&iter, NULL, &string))
    if (!is_text (trace, GPOINTER_TO_UINT (string)))
      return FALSE;
  return TRUE;
}

gboolean
wp_sidecar_fit_rest (const WpTrace *trace)
{
  const char *const texts[] = { trace->command, trace->host, trace->kernel, trace->missing };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL && !g_utf8_validate (texts[i], -1, NULL))
      return FALSE;
  return trace->format != NULL && g_utf8_validate (trace->format, -1, NULL) && is_stretch (0, trace->end) && trace->n_cpus <= CPUS_MAX
         && are_texts (trace, trace->arguments) && are_texts (trace, trace->block_devices)
         && are_texts (trace, trace->backing);
}

gboolean
wp_sidecar_fit (gpointer data, guint block, guint32 from, guint32 to)
{
  return block < WP_SIDECAR_COLUMNS || fit_all[block - WP_SIDECAR_COLUMNS] (data, from, to);
}
