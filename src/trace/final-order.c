/* Puts the assembled tables in their final order: operations by task, samples by run; and marks what fell into a loss. */
#include "trace/final-order.h"

#include "base/hash.h"
#include "base/search.h"
#include "trace/files.h"

#include <stdlib.h>

/* Operations come in the order of their beginnings; a stable counting sort by task makes those of a task contiguous. There are millions of them, and each look at all
 * takes as long as memory does: so it is found out first where each goes (`new_ids`: old id → new id), and then each is moved once, with all that changes in it. */

/* How many operations each task has, and which of them do not come in order (`late`). `task_of` is by operation. */
static void
count_ops (WpTrace *trace, WpId *task_of, guint8 *late)
{
  g_autofree gint64 *latest = g_new (gint64, trace->tasks.len);

  for (WpId t = 0; t < trace->tasks.len; t++)
    {
      trace->tasks.data[t].n_ops = 0;
      latest[t] = G_MININT64;
    }
  for (guint32 i = 1; i < trace->ops.len; i++)
    {
      const WpOp *op = &trace->ops.data[i];

      task_of[i] = op->task;
      trace->tasks.data[op->task].n_ops++;
      late[op->task] |= op->start < latest[op->task];
      latest[op->task] = op->start;
    }
}

/* Of tasks becomes of operations: where they go. */
static void
place_ops (WpTrace *trace, WpId *new_ids)
{
  g_autofree WpId *next = g_new0 (WpId, trace->tasks.len);
  guint32 sum = 1;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      trace->tasks.data[t].first_op = next[t] = sum;
      sum += trace->tasks.data[t].n_ops;
    }
  for (guint32 i = 1; i < trace->ops.len; i++)
    new_ids[i] = next[new_ids[i]]++;
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

/* A request's time in the queue may be known only after others began, and a loss in the midst of a run only at the end: the operations of
 * such a task are put in order by themselves. */
static void
place_late (WpTrace *trace, const guint8 *late, WpId *new_ids)
{
  g_autofree WpId *old_ids = NULL;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      if (!late[t])
        continue;
      if (old_ids == NULL)
        {
          old_ids = g_new0 (WpId, trace->ops.len);
          for (guint32 i = 1; i < trace->ops.len; i++)
            old_ids[new_ids[i]] = i;
        }
      qsort_r (old_ids + task->first_op, task->n_ops, sizeof *old_ids, compare_starts, trace);
      for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
        new_ids[old_ids[o]] = o;
    }
}

/* Where the samples of each operation go, by its new id: from entry k up to entry k + 1. Those of no known run come first. */
static guint32 *
place_samples (const WpTrace *trace, const WpId *new_ids)
{
  guint32 *first = g_new0 (guint32, (gsize) trace->ops.len + 1), sum = 1;

  for (guint32 i = 1; i < trace->samples.len; i++)
    first[new_ids[trace->samples.data[i].run]]++;
  for (guint32 o = 0; o <= trace->ops.len; o++)
    {
      guint32 n = first[o];

      first[o] = sum;
      sum += n;
    }
  return first;
}

/* A run is told which samples are its own. */
static void
move_ops (WpTrace *trace, const WpId *new_ids, const guint32 *first_sample)
{
  WpOp *sorted = g_new (WpOp, trace->ops.len);

  sorted[0] = trace->ops.data[0];
  for (guint32 i = 1; i < trace->ops.len; i++)
    {
      const WpId id = new_ids[i];
      WpOp op = trace->ops.data[i];
      const gboolean sampled = first_sample[id] < first_sample[id + 1];

      if (op.kind != WP_OP_RUN)
        op.explained_by = new_ids[op.explained_by];
      else
        {
          op.detail = sampled ? first_sample[id] : 0;
          op.explained_by = sampled ? first_sample[id + 1] : 0;
        }
      sorted[id] = op;
    }
  g_free (trace->ops.data);
  trace->ops.data = sorted;
  trace->ops.cap = trace->ops.len;
}

/* Samples come in time order; those of a run are made contiguous. `next` is used up. */
static void
move_samples (WpTrace *trace, const WpId *new_ids, guint32 *next)
{
  WpSample *sorted = g_new (WpSample, trace->samples.len);

  sorted[0] = trace->samples.data[0];
  for (guint32 i = 1; i < trace->samples.len; i++)
    {
      WpSample sample = trace->samples.data[i];

      sample.run = new_ids[sample.run];
      sorted[next[sample.run]++] = sample;
    }
  g_free (trace->samples.data);
  trace->samples.data = sorted;
  trace->samples.cap = trace->samples.len;
}

static void
renumber_others (WpTrace *trace, const WpId *new_ids)
{
  for (guint32 i = 1; i < trace->links.len; i++)
    {
      trace->links.data[i].source = new_ids[trace->links.data[i].source];
      trace->links.data[i].target = new_ids[trace->links.data[i].target];
    }
  for (guint32 i = 1; i < trace->disks.len; i++)
    {
      trace->disks.data[i].queue = new_ids[trace->disks.data[i].queue];
      trace->disks.data[i].active = new_ids[trace->disks.data[i].active];
    }
  for (guint32 i = 1; i < trace->tasks.len; i++)
    trace->tasks.data[i].forked_by = new_ids[trace->tasks.data[i].forked_by];
}

static void
sort_ops (WpTrace *trace)
{
  g_autofree WpId *new_ids = g_new0 (WpId, trace->ops.len);
  g_autofree guint8 *late = g_new0 (guint8, trace->tasks.len);
  g_autofree guint32 *first_sample = NULL;

  count_ops (trace, new_ids, late);
  place_ops (trace, new_ids);
  if (trace->ops.len == 1)
    return;
  place_late (trace, late, new_ids);
  first_sample = place_samples (trace, new_ids);
  move_ops (trace, new_ids, first_sample);
  move_samples (trace, new_ids, first_sample);
  renumber_others (trace, new_ids);
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
  sort_ops (trace);
  mark_lost (trace);
  find_leaders (trace);
  wp_trace_name_files (trace);
  wp_array_trim (&trace->links);
  wp_array_trim (&trace->tasks);
}
