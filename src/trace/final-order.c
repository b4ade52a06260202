/* Puts the assembled tables in their final order: operations by task, samples by run; and marks what fell into a loss. */
#include "trace/final-order.h"

#include "base/hash.h"
#include "base/search.h"
#include "trace/files.h"

#include <stdlib.h>

/* Operations come in the order of their beginnings; a stable counting sort by task makes those of a task contiguous.
 * Returns old id → new id. */
static WpId *
sort_ops (WpTrace *trace)
{
  WpId *place = g_new0 (WpId, (gsize) trace->tasks.len + 1), *new_ids = g_new0 (WpId, trace->ops.len);
  WpOp *sorted = g_new (WpOp, trace->ops.len);
  guint32 sum = 1;

  for (guint32 i = 1; i < trace->ops.len; i++)
    place[trace->ops.data[i].task]++;
  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      guint32 n = place[t];

      trace->tasks.data[t].first_op = sum;
      trace->tasks.data[t].n_ops = n;
      place[t] = sum;
      sum += n;
    }
  sorted[0] = trace->ops.data[0];
  for (guint32 i = 1; i < trace->ops.len; i++)
    {
      new_ids[i] = place[trace->ops.data[i].task]++;
      sorted[new_ids[i]] = trace->ops.data[i];
    }
  g_free (trace->ops.data);
  g_free (place);
  trace->ops.data = sorted;
  trace->ops.cap = trace->ops.len;
  return new_ids;
}

static int
compare_starts (const void *a, const void *b, void *data)
{
  const WpTrace *trace = data;
  const WpOp *x = &trace->ops.data[*(const WpId *) a], *y = &trace->ops.data[*(const WpId *) b];

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return *(const WpId *) a < *(const WpId *) b ? -1 : 1;
}

/* `new_ids` (old → new) is corrected. */
static void
sort_task (WpTrace *trace, const WpTask *task, WpId *new_ids, WpId *old_ids)
{
  WpId *order = g_new (WpId, task->n_ops), *old = g_new (WpId, task->n_ops);
  WpOp *ops = g_new (WpOp, task->n_ops);

  for (guint32 i = 0; i < task->n_ops; i++)
    order[i] = task->first_op + i;
  qsort_r (order, task->n_ops, sizeof *order, compare_starts, trace);
  for (guint32 i = 0; i < task->n_ops; i++)
    {
      ops[i] = trace->ops.data[order[i]];
      old[i] = old_ids[order[i]];
    }
  for (guint32 i = 0; i < task->n_ops; i++)
    {
      trace->ops.data[task->first_op + i] = ops[i];
      new_ids[old[i]] = task->first_op + i;
    }
  g_free (order);
  g_free (old);
  g_free (ops);
}

static gboolean
in_order (const WpTrace *trace, const WpTask *task)
{
  for (guint32 i = task->first_op + 1; i < task->first_op + task->n_ops; i++)
    if (trace->ops.data[i].start < trace->ops.data[i - 1].start)
      return FALSE;
  return TRUE;
}

/* A request's time in the queue may be known only after others began, and a loss in the midst of a run only at the end: the operations of
 * such a task are put in order by themselves. */
static void
sort_tasks (WpTrace *trace, WpId *new_ids)
{
  g_autofree WpId *old_ids = NULL;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      if (in_order (trace, &trace->tasks.data[t]))
        continue;
      if (old_ids == NULL)
        {
          old_ids = g_new0 (WpId, trace->ops.len);
          for (guint32 i = 1; i < trace->ops.len; i++)
            old_ids[new_ids[i]] = i;
        }
      sort_task (trace, &trace->tasks.data[t], new_ids, old_ids);
    }
}

static void
renumber (WpTrace *trace, const WpId *new_ids)
{
  for (guint32 i = 1; i < trace->ops.len; i++)
    trace->ops.data[i].explained_by = new_ids[trace->ops.data[i].explained_by];
  for (guint32 i = 1; i < trace->links.len; i++)
    {
      trace->links.data[i].source = new_ids[trace->links.data[i].source];
      trace->links.data[i].target = new_ids[trace->links.data[i].target];
    }
  for (guint32 i = 1; i < trace->samples.len; i++)
    trace->samples.data[i].run = new_ids[trace->samples.data[i].run];
  for (guint32 i = 1; i < trace->disks.len; i++)
    {
      trace->disks.data[i].queue = new_ids[trace->disks.data[i].queue];
      trace->disks.data[i].active = new_ids[trace->disks.data[i].active];
    }
  for (guint32 i = 1; i < trace->tasks.len; i++)
    trace->tasks.data[i].forked_by = new_ids[trace->tasks.data[i].forked_by];
}

/* Samples come in time order; those of a run are made contiguous, and the run is told which they are. */
static void
sort_samples (WpTrace *trace)
{
  guint32 *place;
  WpSample *sorted;
  guint32 sum = 1;

  if (trace->ops.len == 1)
    return;
  place = g_new0 (guint32, (gsize) trace->ops.len + 1);
  sorted = g_new (WpSample, trace->samples.len);
  for (guint32 i = 1; i < trace->samples.len; i++)
    place[trace->samples.data[i].run]++;
  for (guint32 o = 0; o < trace->ops.len; o++)
    {
      WpOp *op = &trace->ops.data[o];
      guint32 n = place[o];

      place[o] = sum;
      if (op->kind == WP_OP_RUN)
        {
          op->detail = n > 0 ? sum : 0;
          op->explained_by = n > 0 ? sum + n : 0;
        }
      sum += n;
    }
  sorted[0] = trace->samples.data[0];
  for (guint32 i = 1; i < trace->samples.len; i++)
    sorted[place[trace->samples.data[i].run]++] = trace->samples.data[i];
  g_free (trace->samples.data);
  g_free (place);
  trace->samples.data = sorted;
  trace->samples.cap = trace->samples.len;
}

static int
compare_lost (const void *a, const void *b)
{
  const WpLost *x = a, *y = b;

  return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static gboolean
is_any (const WpLost *lost)
{
  return TRUE;
}

static gboolean
is_unreliable (const WpLost *lost)
{
  return lost->events == 0 && !lost->paused;
}

static gboolean
is_certain (const WpLost *lost)
{
  return !is_unreliable (lost);
}

static gboolean
is_pause (const WpLost *lost)
{
  return lost->paused;
}

/* For each loss the latest end of it and of those before it, of those that count. */
static gint64 *
latest_ends (const WpTrace *trace, gboolean (*counts) (const WpLost *lost))
{
  gint64 *latest = g_new (gint64, trace->lost.len), last = G_MININT64;

  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      if (counts (&trace->lost.data[i]))
        last = MAX (last, trace->lost.data[i].end);
      latest[i] = last;
    }
  return latest;
}

/* The first loss that begins at this moment or later. */
static guint32
first_loss_from (const WpTrace *trace, gint64 time)
{
  return WP_SEARCH (0, trace->lost.len, i, trace->lost.data[i].start < time);
}

/* What overlaps a loss and was not seen at both its ends is unknown: a sleep may have been anything in that time, a request not there yet.
 * Where the recording is unreliable, nobody knows of a run that no sample shows. Of who was seen to go to sleep, and never again until the end, that is
 * no doubt: neither its wakeup nor anything it did was seen. */
static void
mark_lost (WpTrace *trace)
{
  g_autofree gint64 *latest = NULL, *unreliable = NULL, *certain = NULL, *pauses = NULL;

  if (trace->lost.len == 0)
    return;
  qsort (trace->lost.data, trace->lost.len, sizeof *trace->lost.data, compare_lost);
  latest = latest_ends (trace, is_any);
  unreliable = latest_ends (trace, is_unreliable);
  certain = latest_ends (trace, is_certain);
  pauses = latest_ends (trace, is_pause);
  for (guint32 o = 1; o < trace->ops.len; o++)
    {
      WpOp *op = &trace->ops.data[o];
      gboolean seen_asleep = wp_unfinished (op) && !(op->flags & WP_OP_INFERRED);
      const gint64 *ends = op->kind == WP_OP_RUN ? unreliable : seen_asleep ? certain : latest;
      gboolean shown = op->kind == WP_OP_RUN ? op->detail != 0
                                             : op->kind != WP_OP_SLEEP && !(op->flags & (WP_OP_INFERRED | WP_OP_OPEN_START));
      guint32 next = shown ? 0 : first_loss_from (trace, op->end);

      if (next > 0 && ends[next - 1] > op->start)
        op->flags |= WP_OP_LOST | (pauses[next - 1] > op->start ? WP_OP_PAUSED : 0);
    }
}

/* A process is named by its first thread, in the program that thread ran when the task began. */
static void
find_leaders (WpTrace *trace)
{
  g_autoptr (GHashTable) latest = g_hash_table_new (wp_hash_pointer, NULL); /* pid → the leader's latest task so far */

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      WpTask *task = &trace->tasks.data[t];

      if (task->kind == WP_TASK_THREAD && task->pid > 0 && task->tid == task->pid)
        g_hash_table_insert (latest, GINT_TO_POINTER (task->pid), GUINT_TO_POINTER (t));
      task->leader = task->pid > 0 ? GPOINTER_TO_UINT (g_hash_table_lookup (latest, GINT_TO_POINTER (task->pid))) : 0;
      if (task->leader == 0)
        task->leader = t;
    }
}

void
wp_trace_sort (WpTrace *trace)
{
  g_autofree WpId *new_ids = sort_ops (trace);

  sort_tasks (trace, new_ids);
  renumber (trace, new_ids);
  sort_samples (trace);
  mark_lost (trace);
  find_leaders (trace);
  wp_trace_name_files (trace);
  wp_array_trim (&trace->links);
  wp_array_trim (&trace->tasks);
}
