#include "paths/explain.h"

#include "paths/pair-map.h"
#include "paths/paths-private.h"
#include "trace/kernel-names.h"

#include <glib/gi18n.h>
#include <stdlib.h>

static const struct
{
  const char *id, *name, *help;
} categories[WP_CATEGORY_COUNT] = {
  [WP_CATEGORY_UNDERSTOOD] = { "understood", N_ ("In understood functions"), N_ ("Running, and a sample says where.") },
  [WP_CATEGORY_BLOCKING_IO] = { "blocking-io", N_ ("In blocking I/O"),
                                N_ ("Waiting while a disk or another machine worked on a request.") },
  [WP_CATEGORY_NOT_SAMPLED] = { "not-sampled", N_ ("Running but not sampled"),
                                N_ ("Running too briefly for the sampling profiler to notice where.") },
  [WP_CATEGORY_IO_QUEUE] = { "io-queue", N_ ("I/O queue overhead"),
                             N_ ("A request waited in the device's queue while the device did nothing we know of.") },
  [WP_CATEGORY_SCHEDULER] = { "scheduler", N_ ("Scheduler overhead"), N_ ("Ready to run, but waiting for a CPU.") },
  [WP_CATEGORY_HARDWARE] = { "hardware", N_ ("Waits “for” hardware"),
                             N_ ("Ended by an interrupt that no operation explains.") },
  [WP_CATEGORY_INVOLUNTARY] = { "involuntary", N_ ("Involuntary sleeps"), N_ ("Preempted: others had the CPU.") },
  [WP_CATEGORY_KERNEL_BLOCK] = { "kernel-block", N_ ("Miscellaneous kernel blocks"),
                                 N_ ("Blocked in the kernel on something that is not traced, or stopped.") },
  [WP_CATEGORY_DELIBERATE_SLEEP] = { "deliberate-sleep", N_ ("Deliberate sleeps"), N_ ("Asked to sleep, and slept.") },
  [WP_CATEGORY_TIMED_OUT] = { "timed-out", N_ ("Waits that timed out"),
                              N_ ("Waited for something until its timer ended the wait.") },
  [WP_CATEGORY_OTHER_PATH] = { "other-path", N_ ("Waiting on other path"),
                               N_ ("Waiting for work that is a control path of its own.") },
  [WP_CATEGORY_UNACCOUNTED] = { "unaccounted", N_ ("Unaccounted"), N_ ("What nothing in the recording explains.") },
};

const char *
wp_category_id (WpCategory category)
{
  return categories[category].id;
}

const char *
wp_category_name (WpCategory category)
{
  return categories[category].name;
}

const char *
wp_category_help (WpCategory category)
{
  return categories[category].help;
}

WpCategory
wp_category_from_id (const char *id)
{
  guint i;

  for (i = 0; i < WP_CATEGORY_COUNT; i++)
    if (g_strcmp0 (categories[i].id, id) == 0)
      break;
  return i;
}

/* --- rows ---------------------------------------------------------------------------------------------------------------- */

/* What names a sub-row, so that each is found without making its text again. */
typedef enum
{
  SUBJECT_NAME,     /* a string of the trace */
  SUBJECT_FUNCTION,
  SUBJECT_PATH,     /* a control path */
  SUBJECT_REASON,   /* of the table below */
  SUBJECT_NET,
  SUBJECT_DISK,     /* a request: its device, and its file where that is known */
} Subject;

typedef enum
{
  REASON_LOST,
  REASON_NO_WAKEUP,
  REASON_UNKNOWN_WAKER,
  REASON_OUTSIDE,
  REASON_OTHER_TASK,
  REASON_DISK,
  REASON_NETWORK,
  REASON_IPI,
  REASON_DEVICE,
  REASON_STOPPED,
  REASON_NO_STACK,
  REASON_NEW_TASK,
  REASON_PREEMPTED,
  REASON_CUT,
  REASON_UNSEEN_START,
} Reason;

static const char *const reasons[] = {
  [REASON_LOST] = NC_ ("reason", "events were lost"),
  [REASON_NO_WAKEUP] = NC_ ("reason", "no wakeup seen"),
  [REASON_UNKNOWN_WAKER] = NC_ ("reason", "the waker's cause is unknown"),
  [REASON_OUTSIDE] = NC_ ("reason", "waiting for something outside"),
  [REASON_OTHER_TASK] = NC_ ("reason", "waiting for a task whose work is shown elsewhere"),
  [REASON_DISK] = NC_ ("reason", "disk"),
  [REASON_NETWORK] = NC_ ("reason", "network"),
  [REASON_IPI] = NC_ ("reason", "another CPU"),
  [REASON_DEVICE] = NC_ ("reason", "a device"),
  [REASON_STOPPED] = NC_ ("reason", "stopped"),
  [REASON_NO_STACK] = NC_ ("reason", "unknown function"),
  [REASON_NEW_TASK] = NC_ ("reason", "before the first run"),
  [REASON_PREEMPTED] = NC_ ("reason", "preempted"),
  [REASON_CUT] = NC_ ("reason", "cut by hand"),
  [REASON_UNSEEN_START] = NC_ ("reason", "its beginning was not recorded"),
};

typedef struct
{
  gint64 start, end;
} Range;

/* How a wait of several sleeps ended. */
typedef enum
{
  END_UNKNOWN, /* not asked for yet */
  END_SEEN,
  END_UNSEEN,
} WaitEnd;

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  WpExplanation *out;
  guint8 *wait_ends; /* WaitEnd, by part */
  WpWaking *wakings;
  WpPairMap rows;  /* category and subject, id → index + 1 of out->rows */
  WpPairMap files; /* name of a device, of a file → a number */
  WP_ARRAY (Range) lost; /* when events of any CPU were lost: sorted, apart */
  WpSliceArray slices;   /* of the part at hand */
} Explainer;

/* Tasks are called as their boxes are (wp_part_name()). */
static WpId
task_label (const Explainer *self, WpId task)
{
  const WpTask *tasks = self->trace->tasks.data;

  return tasks[self->paths->options.merge_threads && tasks[task].leader != 0 ? tasks[task].leader : task].name;
}

/* The device's own name: that of the task its operations belong to. */
static WpId
device_of (const WpTrace *trace, const WpDisk *disk)
{
  return trace->tasks.data[trace->ops.data[disk->active != 0 ? disk->active : disk->queue].task].name;
}

static char *
disk_name (const WpTrace *trace, const WpDisk *disk)
{
  const char *device = wp_trace_string (trace, device_of (trace, disk));

  return disk->file != 0 ? g_strdup_printf ("%s: %s", device, wp_trace_string (trace, disk->file)) : g_strdup (device);
}

static char *
row_name (const Explainer *self, Subject subject, guint32 id)
{
  const WpTrace *trace = self->trace;

  switch (subject)
    {
    case SUBJECT_FUNCTION:
      return g_strdup (wp_trace_function_name (trace, id));
    case SUBJECT_PATH:
      return g_strdup (wp_trace_string (trace, task_label (self, self->paths->paths.data[id].task)));
    case SUBJECT_NET:
      return trace->nets.data[id].remote != 0 ? g_strdup (wp_trace_string (trace, trace->nets.data[id].remote))
                                              : g_strdup (reasons[REASON_NETWORK]);
    case SUBJECT_DISK:
      return disk_name (trace, &trace->disks.data[id]);
    case SUBJECT_REASON:
      return g_strdup (reasons[id]);
    default:
      return g_strdup (wp_trace_string (trace, id));
    }
}

static guint32
file_number (Explainer *self, const WpDisk *disk)
{
  guint32 *number = wp_pair_map_at (&self->files, device_of (self->trace, disk), disk->file);

  if (*number == 0)
    *number = self->files.n;
  return *number;
}

/* Ids that look alike in the table share a row: paths of one task, exchanges with one host, requests for one file. */
static guint32
row_id (Explainer *self, Subject subject, guint32 id)
{
  const WpTrace *trace = self->trace;

  if (subject == SUBJECT_PATH)
    return task_label (self, self->paths->paths.data[id].task);
  if (subject == SUBJECT_DISK)
    return file_number (self, &trace->disks.data[id]);
  return subject == SUBJECT_NET ? trace->nets.data[id].remote : id;
}

static guint32
find_row (Explainer *self, WpCategory category, Subject subject, guint32 id)
{
  guint32 *row = wp_pair_map_at (&self->rows, category << 8 | subject, row_id (self, subject, id));

  if (*row == 0)
    {
      wp_array_push (&self->out->rows, ((WpExplanationRow) { .category = category, .name = row_name (self, subject, id) }));
      *row = self->out->rows.len;
    }
  return *row - 1;
}

static void
add_piece (Explainer *self, WpId part, gint64 start, gint64 end, WpCategory category, Subject subject, guint32 id)
{
  WpExplanation *out = self->out;
  guint32 row;

  start = MAX (start, out->from);
  end = MIN (end, out->to);
  if (start >= end)
    return;
  row = find_row (self, category, subject, id);
  out->rows.data[row].ns += end - start;
  out->rows.data[row].pieces++;
  out->ns[category] += end - start;
  out->total += end - start;
  wp_array_push (&out->pieces, ((WpPiece) { .start = start, .end = end, .part = part, .row = row }));
}

/* --- classifying -------------------------------------------------------------------------------------------------------------- */

/* A piece named after a function, where that is known. */
static void
add_function (Explainer *self, WpId part, gint64 start, gint64 end, WpCategory category, WpId function)
{
  add_piece (self, part, start, end, category, function != 0 ? SUBJECT_FUNCTION : SUBJECT_REASON,
             function != 0 ? function : REASON_NO_STACK);
}

/* The next sleep of the same wait, or 0. */
static WpId
next_of_wait (const Explainer *self, WpId part)
{
  const WpPart *parts = self->paths->parts.data;
  const WpOp *ops = self->trace->ops.data;
  WpId run = parts[part].next, next = run != 0 ? parts[run].next : 0, stack = ops[parts[part].op].detail;

  if (next == 0 || ops[parts[run].op].kind != WP_OP_RUN || ops[parts[next].op].kind != WP_OP_SLEEP
      || ops[parts[next].op].task != ops[parts[part].op].task || parts[part].end != parts[run].start || parts[run].end != parts[next].start)
    return 0;
  return wp_run_is_short (self->paths, &ops[parts[run].op]) && wp_sleep_is_in_call (&ops[parts[next].op], &stack) ? next : 0;
}

/* Whether the wait that a sleep belongs to went on until nobody knows what: then what the sleep was for is not known either. */
static gboolean
wait_end_unseen (Explainer *self, WpId part)
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
timed_out (Explainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  gboolean deliberate = (wp_kernel_stack_roles (self->trace, op->detail) & WP_ROLE_NANOSLEEP) != 0;

  if (wp_start_unseen (op))
    add_piece (self, part, start, end, WP_CATEGORY_UNACCOUNTED, SUBJECT_REASON, REASON_UNSEEN_START);
  else if (wait_end_unseen (self, part))
    add_piece (self, part, start, end, WP_CATEGORY_UNACCOUNTED, SUBJECT_REASON, REASON_NO_WAKEUP);
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
interrupted (Explainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  guint16 device = self->trace->links.data[op->link].device;

  if (op->cause == WP_CAUSE_IPI)
    add_piece (self, part, start, end, WP_CATEGORY_HARDWARE, SUBJECT_REASON, REASON_IPI);
  else if (device != 0)
    add_piece (self, part, start, end, WP_CATEGORY_HARDWARE, SUBJECT_NAME, self->trace->devices.data[device]);
  else
    add_piece (self, part, start, end, WP_CATEGORY_HARDWARE, SUBJECT_REASON, REASON_DEVICE);
}

static void
kernel_blocked (Explainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];

  if (op->state == WP_STATE_STOPPED)
    add_piece (self, part, start, end, WP_CATEGORY_KERNEL_BLOCK, SUBJECT_REASON, REASON_STOPPED);
  else
    add_function (self, part, start, end, WP_CATEGORY_KERNEL_BLOCK, kernel_block (self->trace, op->detail));
}

static void
unaccounted (Explainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  gboolean by_task = op->cause == WP_CAUSE_TASK || op->cause == WP_CAUSE_SIGNAL;
  Reason reason = op->cause == WP_CAUSE_NONE                                   ? REASON_NO_WAKEUP
                  : op->cause == WP_CAUSE_NET                                  ? REASON_OUTSIDE
                  : by_task && self->trace->links.data[op->link].source != 0 ? REASON_OTHER_TASK
                                                                               : REASON_UNKNOWN_WAKER;

  add_piece (self, part, start, end, WP_CATEGORY_UNACCOUNTED, SUBJECT_REASON, reason);
}

/* What the blocked time of a sleep ended by. */
static void
blocked (Explainer *self, WpId part, gint64 start, gint64 end)
{
  static void (*const by_cause[WP_CAUSE_COUNT]) (Explainer *self, WpId part, gint64 start, gint64 end) = {
    [WP_CAUSE_TIMER] = timed_out,   [WP_CAUSE_DEVICE] = interrupted, [WP_CAUSE_IPI] = interrupted,
    [WP_CAUSE_KERNEL] = kernel_blocked,
  };
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];

  if (op->state == WP_STATE_STOPPED)
    kernel_blocked (self, part, start, end);
  else if (by_cause[op->cause] != NULL)
    by_cause[op->cause](self, part, start, end);
  else
    unaccounted (self, part, start, end);
}

/* When the path that a part waits on is busy: the whole path, or, where it is the part's own, the part that was found placed
 * and its siblings from the same walk. */
static void
busy_time (const Explainer *self, const WpPart *part, gint64 *from, gint64 *to)
{
  const WpPart *parts = self->paths->parts.data, *other = &parts[part->waits_part];

  if (part->waits_path != part->path)
    {
      *from = self->paths->paths.data[part->waits_path].start;
      *to = self->paths->paths.data[part->waits_path].end;
      return;
    }
  *from = other->parent != 0 ? parts[parts[other->parent].first_child].start : other->start;
  *to = other->end;
  for (; other->parent != 0 && other->next != 0 && *to < part->end; *to = other->end)
    other = &parts[other->next];
}

static void
waiting (Explainer *self, WpId part, gint64 start, gint64 end)
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
    blocked (self, part, start, from);
  add_piece (self, part, from, to, WP_CATEGORY_OTHER_PATH, SUBJECT_PATH, p->waits_path);
  if (to < end)
    blocked (self, part, to, end);
}

static void
sleeping (Explainer *self, WpId part, gint64 start, gint64 end)
{
  WpId id = self->paths->parts.data[part].op;
  const WpOp *op = &self->trace->ops.data[id];
  gint64 woken = CLAMP (wp_waking_time (self->wakings, self->trace, id), start, end);
  gboolean by_disk = op->cause == WP_CAUSE_DISK, by_net = op->cause == WP_CAUSE_NET && op->explained_by != 0;

  if (op->state == WP_STATE_PREEMPTED)
    {
      add_piece (self, part, start, end, WP_CATEGORY_INVOLUNTARY, SUBJECT_NAME, task_label (self, op->task));
      return;
    }
  if (self->paths->parts.data[part].cut)
    add_piece (self, part, start, woken, WP_CATEGORY_UNACCOUNTED, SUBJECT_REASON, REASON_CUT);
  else if (by_disk && op->explained_by != 0)
    add_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, SUBJECT_DISK,
               self->trace->ops.data[op->explained_by].detail);
  else if (by_disk)
    add_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, SUBJECT_REASON, REASON_DISK);
  else if (by_net)
    add_piece (self, part, start, woken, WP_CATEGORY_BLOCKING_IO, SUBJECT_NET,
               self->trace->ops.data[op->explained_by].detail);
  else if (start < woken)
    waiting (self, part, start, woken);
  add_piece (self, part, woken, end, WP_CATEGORY_SCHEDULER, SUBJECT_NAME, task_label (self, op->task));
}

/* Losses of several CPUs may overlap: joined, they can be searched. */
static void
join_losses (Explainer *self)
{
  const WpTrace *trace = self->trace;

  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      WpLost lost = trace->lost.data[i];
      Range *last = self->lost.len > 0 ? &self->lost.data[self->lost.len - 1] : NULL;

      if (last != NULL && lost.start <= last->end)
        last->end = MAX (last->end, lost.end);
      else
        wp_array_push (&self->lost, ((Range) { lost.start, lost.end }));
    }
}

static guint32
first_loss_after (const Explainer *self, gint64 time)
{
  guint32 low = 0, high = self->lost.len;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->lost.data[middle].end <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Of a sleep, the time in a loss is unknown. */
static void
around_losses (Explainer *self, WpId part, gint64 start, gint64 end)
{
  gboolean affected = self->trace->ops.data[self->paths->parts.data[part].op].flags & WP_OP_LOST;
  guint32 i = affected ? first_loss_after (self, start) : self->lost.len;

  for (; i < self->lost.len && self->lost.data[i].start < end; i++)
    {
      gint64 from = MAX (self->lost.data[i].start, start), to = MIN (self->lost.data[i].end, end);

      if (start < from)
        sleeping (self, part, start, from);
      add_piece (self, part, from, to, WP_CATEGORY_UNACCOUNTED, SUBJECT_REASON, REASON_LOST);
      start = to;
    }
  if (start < end)
    sleeping (self, part, start, end);
}

/* Of a run with samples: what those that the kernel held back stand for is not sampled. */
static void
sampled (Explainer *self, WpId part, gint64 start, gint64 end, WpId name)
{
  wp_part_slices (self->paths, part, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      const WpSlice *slice = &self->slices.data[i];
      gint64 from = MAX (start, slice->start), to = MIN (end, slice->end);

      if (from < to)
        add_piece (self, part, from, to, slice->stack != 0 ? WP_CATEGORY_UNDERSTOOD : WP_CATEGORY_NOT_SAMPLED, SUBJECT_NAME, name);
    }
}

/* A stretch in which the part is a top. */
static void
classify (Explainer *self, WpId part, gint64 start, gint64 end)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  WpId name = task_label (self, op->task);

  switch ((WpOpKind) op->kind)
    {
    case WP_OP_RUN:
      if (op->flags & WP_OP_THROTTLED)
        sampled (self, part, start, end, name);
      else
        add_piece (self, part, start, end, op->detail != 0 ? WP_CATEGORY_UNDERSTOOD : WP_CATEGORY_NOT_SAMPLED,
                 SUBJECT_NAME, name);
      break;
    case WP_OP_DISK:
      add_piece (self, part, start, end, WP_CATEGORY_BLOCKING_IO, SUBJECT_DISK, op->detail);
      break;
    case WP_OP_DISK_QUEUE:
      add_piece (self, part, start, end, WP_CATEGORY_IO_QUEUE, SUBJECT_DISK, op->detail);
      break;
    case WP_OP_NET:
      add_piece (self, part, start, end, WP_CATEGORY_BLOCKING_IO, SUBJECT_NET, op->detail);
      break;
    default:
      around_losses (self, part, start, end);
      break;
    }
}

/* The time of a part that no child covers. */
static void
explain_part (Explainer *self, WpId id)
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

/* --- the table -------------------------------------------------------------------------------------------------------------------- */

static int
compare_rows (const void *a, const void *b, void *data)
{
  const WpExplanationRow *rows = data, *x = &rows[*(const guint32 *) a], *y = &rows[*(const guint32 *) b];

  if (x->category != y->category)
    return x->category < y->category ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void
sort_rows (WpExplanation *out)
{
  guint32 n = out->rows.len;
  g_autofree guint32 *order = g_new (guint32, n + 1), *place = g_new (guint32, n + 1);
  WpExplanationRow *sorted = g_new (WpExplanationRow, n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, (GCompareDataFunc) compare_rows, out->rows.data);
  for (guint32 i = 0; i < n; i++)
    {
      sorted[i] = out->rows.data[order[i]];
      place[order[i]] = i;
    }
  g_free (out->rows.data);
  out->rows.data = sorted;
  out->rows.cap = n + 1;
  for (guint32 i = 0; i < out->pieces.len; i++)
    out->pieces.data[i].row = place[out->pieces.data[i].row];
}

static void
count_processes (const WpPaths *paths, WpExplanation *out)
{
  const WpTrace *trace = paths->trace;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autofree guint8 *takes_part = g_new0 (guint8, trace->tasks.len);

  for (WpId p = 1; p < paths->parts.len; p++)
    takes_part[trace->ops.data[paths->parts.data[p].op].task] = 1;
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (takes_part[t] && trace->tasks.data[t].kind == WP_TASK_THREAD)
      g_hash_table_add (seen, GINT_TO_POINTER (trace->tasks.data[t].pid > 0 ? trace->tasks.data[t].pid : -trace->tasks.data[t].tid));
  out->processes = g_hash_table_size (seen);
}

WpExplanation *
wp_explain (const WpPaths *paths, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  g_autoptr (WpExplanation) out = g_new0 (WpExplanation, 1);
  Explainer self = { .paths = paths, .trace = paths->trace, .out = out };
  gboolean going_on = TRUE;

  out->from = from;
  out->to = to;
  out->wall = MAX (0, MIN (paths->wall_end, to) - MAX (paths->wall_start, from));
  out->control_paths = paths->paths.len - 1;
  self.wakings = wp_wakings_new (paths->trace);
  self.wait_ends = g_new0 (guint8, paths->parts.len);
  join_losses (&self);
  wp_progress_phase (progress, "Explaining");
  for (WpId p = 1; p < paths->parts.len && going_on; p++)
    {
      explain_part (&self, p);
      if (p % 16384 == 0)
        going_on = wp_progress_step (progress, (double) p / paths->parts.len, error);
    }
  g_free (self.wakings);
  g_free (self.wait_ends);
  wp_pair_map_clear (&self.rows);
  wp_pair_map_clear (&self.files);
  wp_array_clear (&self.lost);
  wp_array_clear (&self.slices);
  if (!going_on)
    return NULL;
  sort_rows (out);
  count_processes (paths, out);
  return g_steal_pointer (&out);
}

void
wp_explanation_free (WpExplanation *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].name);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->pieces);
  g_free (self);
}

double
wp_explanation_percent (const WpExplanation *self, gboolean without_other_path)
{
  gint64 other = without_other_path ? self->ns[WP_CATEGORY_OTHER_PATH] : 0, total = self->total - other;

  return total > 0 ? 100.0 * (double) (wp_explanation_accounted (self) - other) / (double) total : 100.0;
}

double
wp_explanation_cumulative (const WpExplanation *self, WpCategory category, gboolean without_other_path)
{
  gint64 other = without_other_path ? self->ns[WP_CATEGORY_OTHER_PATH] : 0, total = self->total - other, sum = 0;

  for (guint c = 0; c <= category; c++)
    sum += self->ns[c];
  if (category >= WP_CATEGORY_OTHER_PATH)
    sum -= other;
  return total > 0 ? (double) sum / (double) total : 0.0;
}
