/* The Process Running View: a row for each task, rows for devices, a line for each link. */
#include "base/sort.h"
#include "paths/losses.h"
#include "trace/cpu-runs.h"
#include "view/task-rows.h"
#include "view/text.h"

#include <glib/gi18n.h>

#define PROGRESS_EVERY 65536
#define LOSSES_SHOWN 16   /* in the row of who slept all the time; what lies between more of them is unknown, too */

typedef struct
{
  const WpTrace *trace;
  const WpProcessesOptions *options;
  WpRows *rows;
  WpTaskPlan plan;     /* of threads */
  WpTaskRows devices;
  WpGather gather;
  guint32 *row_of;    /* by task: its (first) row, or NO_ROW */
  guint32 *lane_of;   /* by operation of devices: which row below the task's first; shared array, see first_lane */
  guint32 *first_lane; /* by task: where its operations' lanes begin in lane_of */
  WpId *labels;       /* by function: label of the rows, 0 = not interned yet */
  WpId runnable, lost, paused;
  WpStretches losses;
  WpCpuRuns cpu_runs;  /* within all waits for a CPU, where sleeps are shown */
} Layout;

#define NO_ROW G_MAXUINT32

/* --- devices that are shown --------------------------------------------------------------------------------------- */

static void
choose_devices (Layout *l)
{
  const WpTrace *trace = l->trace;
  g_autofree char *wanted = l->options->filter != NULL ? g_utf8_casefold (l->options->filter, -1) : NULL;

  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind != WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0 && wp_task_name_has (trace, t, wanted))
      wp_array_push (&l->devices, ((WpTaskRow) { .task = t }));
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static WpId
function_label (Layout *l, WpId function)
{
  if (function != 0 && l->labels[function] == 0)
    l->labels[function] = wp_strings_intern (l->rows->strings, wp_trace_function_name (l->trace, function));
  return function != 0 ? l->labels[function] : 0;
}

static void
add_box (Layout *l, guint32 row, WpId op, gint64 start, gint64 end, WpBoxKind kind, WpId label)
{
  if (start < end)
    wp_gather_add (&l->gather, row, &(WpBox) { .start = start, .end = end, .label = label, .ref = op, .kind = kind,
                                               .ref_kind = WP_REF_OP });
}

/* What was lost of it is not known; the rest is. */
static void
add_throughout (Layout *l, guint32 row, WpId id)
{
  const WpOp *op = &l->trace->ops.data[id];
  g_autofree char *text = wp_asleep_text (l->trace, op);
  WpId label = wp_strings_intern (l->rows->strings, text);
  guint32 step = l->losses.len > LOSSES_SHOWN ? l->losses.len : 1;
  gint64 at = op->start;

  for (guint32 i = 0; i < l->losses.len; i += step)
    {
      gint64 from = CLAMP (l->losses.data[i].start, at, op->end), to = CLAMP (l->losses.data[i + step - 1].end, from, op->end);

      add_box (l, row, id, at, from, WP_BOX_SLEEP, label);
      add_box (l, row, id, from, to, WP_BOX_UNKNOWN, l->losses.data[i].paused ? l->paused : l->lost);
      at = to;
    }
  add_box (l, row, id, at, op->end, WP_BOX_SLEEP, label);
}

/* Who has the CPU that a sleep waits for as it begins to do so: after a preemption, whoever took it. */
static WpId
runnable_label (Layout *l, WpId sleep)
{
  WpCpuRun wait;
  WpId run = wp_cpu_wait_of (l->trace, sleep, wp_trace_woken (l->trace, sleep), &wait) ? wp_cpu_runs_at (&l->cpu_runs, wait.cpu, wait.start) : 0;
  g_autofree char *text = NULL;

  if (run == 0)
    return l->runnable;
  text = g_strdup_printf (_("%s has the CPU"), wp_trace_task_name (l->trace, l->trace->ops.data[run].task));
  return wp_strings_intern (l->rows->strings, text);
}

static void
add_sleep (Layout *l, guint32 row, WpId id)
{
  const WpOp *op = &l->trace->ops.data[id];
  gint64 woken = op->flags & WP_OP_LOST ? op->end : wp_trace_woken (l->trace, id);

  if (op->state == WP_STATE_DEAD)
    return;
  if (op->flags & WP_OP_LOST)
    add_box (l, row, id, op->start, op->end, WP_BOX_UNKNOWN, op->flags & WP_OP_PAUSED ? l->paused : l->lost);
  else
    add_box (l, row, id, op->start, woken, WP_BOX_SLEEP,
             function_label (l, wp_trace_describe_stack (l->trace, op->detail)));
  add_box (l, row, id, woken, op->end, WP_BOX_RUNNABLE, runnable_label (l, id));
}

/* The operations of a task; of a row that stands for several, only its runs: sleeps of one would lie over runs of another. */
static void
add_task (Layout *l, guint32 number, WpId id, gboolean runs_only)
{
  const WpTask *task = &l->trace->tasks.data[id];
  WpId label = wp_strings_intern (l->rows->strings, wp_trace_task_name (l->trace, id));

  for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
    {
      const WpOp *op = &l->trace->ops.data[o];

      if (op->kind == WP_OP_RUN)
        add_box (l, number, o, op->start, op->end, op->flags & WP_OP_LOST ? WP_BOX_UNKNOWN : WP_BOX_RUN, label);
      else if (runs_only)
        continue;
      else if (wp_slept_throughout (op))
        add_throughout (l, number, o);
      else if (l->options->show_sleeps)
        add_sleep (l, number, o);
    }
}

static char *
line_name (const Layout *l, const WpTaskLine *line)
{
  const WpTask *task = &l->trace->tasks.data[line->task];
  g_autofree char *apart = line->shared ? wp_trace_told_apart (l->trace, line->task) : NULL, *longer = NULL;
  const char *name = wp_trace_task_name (l->trace, line->task);

  name = *name != '\0' ? name : "?";
  if (apart != NULL)
    name = longer = g_strdup_printf ("%s %s", name, apart);
  if (line->key == WP_FOLD_OTHERS)
    return g_strdup_printf (ngettext ("%u other task", "%u other tasks", line->fold_count), line->fold_count);
  if (line->key == WP_FOLD_SLEEPERS)
    return g_strdup_printf (ngettext ("%u process asleep", "%u processes asleep", line->fold_count), line->fold_count);
  if (line->fold == WP_FOLD_CLOSED)
    return g_strdup_printf (ngettext ("%s (%d) · %u thread", "%s (%d) · %u threads", line->n), name, task->tid, line->n);
  return g_strdup_printf ("%s (%d)", name, task->tid);
}

static void
add_task_line (Layout *l, const WpTaskLine *line)
{
  g_autofree char *text = line_name (l, line);
  guint32 number = l->rows->rows.len;

  wp_array_push (&l->rows->rows, ((WpRow) { .label = wp_strings_intern (l->rows->strings, text), .ref = line->task,
                                            .ref_kind = line->task != 0 ? WP_REF_TASK : WP_REF_NONE, .group = line->group, .indent = line->indent,
                                            .fold = line->fold, .key = line->key, .pinned = line->pinned }));
  for (guint32 s = line->first; s < line->first + line->n; s++)
    for (WpId t = l->plan.strands.data[s].first; t != 0; t = l->trace->tasks.data[t].after)
      {
        if (!line->stray)
          l->row_of[t] = number;
        add_task (l, number, t, line->fold == WP_FOLD_CLOSED);
      }
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  gint64 free_at;
  guint32 lane;
} Lane;

/* A heap of lanes, the one that is free first on top. */
static void
sift_down (Lane *heap, guint32 n)
{
  for (guint32 i = 0;;)
    {
      guint32 child = 2 * i + 1;
      Lane lane = heap[i];

      if (child >= n)
        return;
      if (child + 1 < n && heap[child + 1].free_at < heap[child].free_at)
        child++;
      if (lane.free_at <= heap[child].free_at)
        return;
      heap[i] = heap[child];
      heap[child] = lane;
      i = child;
    }
}

static void
sift_up (Lane *heap, guint32 i)
{
  for (guint32 up = (i - 1) / 2; i > 0 && heap[up].free_at > heap[i].free_at; i = up, up = (i - 1) / 2)
    {
      Lane lane = heap[up];

      heap[up] = heap[i];
      heap[i] = lane;
    }
}

typedef struct
{
  gint64 start;
  WpId op;
} Begin;

WP_DEFINE_COMPARE_2 (compare_begins, Begin, start, op)

/* Overlapping operations of one kind get lanes of their own, as few as do; returns how many. `lanes` is by operation of
 * the task. */
static guint32
find_lanes (const Layout *l, const WpTask *task, WpOpKind kind, guint32 base, guint32 *lanes)
{
  g_autofree Begin *begins = g_new (Begin, task->n_ops);
  WP_ARRAY (Lane) heap = { 0 };
  guint32 n = 0, n_lanes;

  for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
    if (l->trace->ops.data[o].kind == kind)
      begins[n++] = (Begin) { l->trace->ops.data[o].start, o };
  qsort (begins, n, sizeof *begins, compare_begins);
  for (guint32 i = 0; i < n; i++)
    {
      const WpOp *op = &l->trace->ops.data[begins[i].op];

      if (heap.len > 0 && heap.data[0].free_at <= op->start)
        {
          lanes[begins[i].op - task->first_op] = base + heap.data[0].lane;
          heap.data[0].free_at = op->end;
          sift_down (heap.data, heap.len);
          continue;
        }
      n_lanes = heap.len;
      lanes[begins[i].op - task->first_op] = base + n_lanes;
      wp_array_push (&heap, ((Lane) { op->end, n_lanes }));
      sift_up (heap.data, n_lanes);
    }
  n_lanes = heap.len;
  wp_array_clear (&heap);
  return n_lanes;
}

static const struct
{
  WpOpKind op;
  WpBoxKind box;
} device_kinds[] = {
  { WP_OP_DISK, WP_BOX_DISK },
  { WP_OP_DISK_QUEUE, WP_BOX_QUEUE },
  { WP_OP_NET, WP_BOX_NET },
};

static WpId
device_label (Layout *l, const WpOp *op)
{
  char text[WP_OP_LABEL_MAX];

  return wp_strings_intern (l->rows->strings, wp_op_label (l->trace, op, text));
}

static void
add_device (Layout *l, const WpTaskRow *task_row, gboolean first)
{
  const WpTask *task = &l->trace->tasks.data[task_row->task];
  guint32 *lanes = l->lane_of + l->first_lane[task_row->task];
  guint32 number = l->rows->rows.len, n_lanes = 0;

  l->row_of[task_row->task] = number;
  for (guint k = 0; k < G_N_ELEMENTS (device_kinds); k++)
    {
      guint32 more = find_lanes (l, task, device_kinds[k].op, n_lanes, lanes);
      const char *name = wp_trace_task_name (l->trace, task_row->task);
      gboolean queue = device_kinds[k].op == WP_OP_DISK_QUEUE;
      g_autofree char *text = queue ? g_strdup_printf (_("%s queue"), name) : g_strdup (name);

      for (guint32 i = 0; i < more; i++)
        wp_array_push (&l->rows->rows, ((WpRow) { .label = i == 0 ? wp_strings_intern (l->rows->strings, text) : 0,
                                                  .ref = task_row->task, .ref_kind = WP_REF_TASK,
                                                  .group = first && n_lanes + i == 0 }));
      n_lanes += more;
      for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
        if (l->trace->ops.data[o].kind == device_kinds[k].op)
          add_box (l, number + lanes[o - task->first_op], o, l->trace->ops.data[o].start, l->trace->ops.data[o].end,
                   device_kinds[k].box, device_label (l, &l->trace->ops.data[o]));
    }
}

static void
add_devices (Layout *l)
{
  guint32 n = 0;

  for (guint32 i = 0; i < l->devices.len; i++)
    {
      l->first_lane[l->devices.data[i].task] = n;
      n += l->trace->tasks.data[l->devices.data[i].task].n_ops;
    }
  l->lane_of = g_new0 (guint32, MAX (n, 1));
  for (guint32 i = 0; i < l->devices.len; i++)
    add_device (l, &l->devices.data[i], i == 0);
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static guint32
row_of_op (const Layout *l, WpId id)
{
  const WpOp *op = &l->trace->ops.data[id];
  guint32 row = l->row_of[op->task];

  if (row != NO_ROW && l->trace->tasks.data[op->task].kind != WP_TASK_THREAD)
    row += l->lane_of[l->first_lane[op->task] + id - l->trace->tasks.data[op->task].first_op];
  return row;
}

/* The link that set off a run: its own (exec), or the one that ended the sleep before it. */
static WpId
set_off_by (const WpTrace *trace, WpId run)
{
  WpId before;

  if (trace->ops.data[run].link != 0)
    return trace->ops.data[run].link;
  before = wp_trace_prev_op (trace, run);
  return before != 0 ? trace->ops.data[before].link : 0;
}

static int
compare_link_starts (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpLink *links = data;
  gint64 x = links[*(const WpId *) a].start, y = links[*(const WpId *) b].start;

  return x != y ? (x < y ? -1 : 1) : *(const WpId *) a < *(const WpId *) b ? -1 : 1;
}

/* By link: the link whose source is shown and that led to it through hidden tasks (itself where its own source is
 * shown), or 0. Of those with a hidden source earlier ones are worked out first, so each takes one step. */
static WpId *
find_origins (const Layout *l)
{
  const WpTrace *trace = l->trace;
  WpId *origins = g_new0 (WpId, MAX (trace->links.len, 1));
  WpIdArray hidden = { 0 };

  for (WpId k = 1; k < trace->links.len; k++)
    if (trace->links.data[k].source == 0)
      continue;
    else if (row_of_op (l, trace->links.data[k].source) != NO_ROW)
      origins[k] = k;
    else
      wp_array_push (&hidden, k);
  if (hidden.len > 1)
    g_qsort_with_data (hidden.data, hidden.len, sizeof *hidden.data, compare_link_starts, trace->links.data);
  for (guint32 i = 0; i < hidden.len; i++)
    {
      WpId before = set_off_by (trace, trace->links.data[hidden.data[i]].source);

      if (before != 0)
        origins[hidden.data[i]] = origins[before];
    }
  wp_array_clear (&hidden);
  return origins;
}

static gboolean
add_lines (Layout *l, WpProgress *progress, GError **error)
{
  const WpTrace *trace = l->trace;
  g_autofree WpId *origins = find_origins (l);

  wp_array_reserve (&l->rows->lines, trace->links.len);
  for (WpId k = 1; k < trace->links.len; k++)
    {
      const WpLink *link = &trace->links.data[k];
      guint32 from, to;

      if (k % PROGRESS_EVERY == 0 && !wp_progress_step (progress, (double) k / trace->links.len, error))
        return FALSE;
      if (origins[k] == 0 || link->target == 0)
        continue;
      from = row_of_op (l, trace->links.data[origins[k]].source);
      to = row_of_op (l, link->target);
      if (to != NO_ROW && from != to)
        wp_array_push (&l->rows->lines, ((WpLine) { .start = trace->links.data[origins[k]].start,
                                                    .end = MAX (link->start, trace->ops.data[link->target].start),
                                                    .from_row = from, .to_row = to, .link = k }));
    }
  return TRUE;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static gboolean
find_cpu_runs (Layout *l, WpProgress *progress, GError **error)
{
  WpCpuRuns waits = { 0 };
  gboolean going_on;

  for (guint32 i = 0; i < l->plan.strands.len && l->options->show_sleeps; i++)
    for (WpId t = l->plan.strands.data[i].first; t != 0; t = l->trace->tasks.data[t].after)
      for (WpId o = l->trace->tasks.data[t].first_op; o < l->trace->tasks.data[t].first_op + l->trace->tasks.data[t].n_ops; o++)
        {
          WpCpuRun wait;

          if (l->trace->ops.data[o].kind == WP_OP_SLEEP && wp_cpu_wait_of (l->trace, o, wp_trace_woken (l->trace, o), &wait))
            wp_array_push (&waits, wait);
        }
  going_on = wp_cpu_runs_find (l->trace, &waits, &l->cpu_runs, progress, error);
  wp_array_clear (&waits);
  return going_on;
}

static gboolean
fill (Layout *l, WpProgress *progress, GError **error)
{
  wp_task_plan_init (&l->plan, l->trace, l->options);
  choose_devices (l);
  wp_losses_find (l->trace, &l->losses);
  if (!find_cpu_runs (l, progress, error))
    return FALSE;
  wp_array_reserve (&l->gather.boxes, l->trace->ops.len); /* what grows bit by bit is copied; room that nobody touches is none */
  wp_array_reserve (&l->gather.rows, l->trace->ops.len);
  for (guint32 i = 0; i < l->plan.lines.len; i++)
    {
      if (!wp_progress_step (progress, (double) i / l->plan.lines.len, error))
        return FALSE;
      add_task_line (l, &l->plan.lines.data[i]);
    }
  add_devices (l);
  if (!add_lines (l, progress, error))
    return FALSE;
  wp_array_trim (&l->rows->lines);
  wp_gather_finish (&l->gather, l->rows);
  l->rows->shaded = l->rows->of_recording = TRUE;
  l->rows->end = l->trace->end;
  wp_rows_finish (l->rows);
  return wp_progress_step (progress, 1, error);
}

WpRows *
wp_layout_processes (const WpTrace *trace, const WpProcessesOptions *options, WpProgress *progress, GError **error)
{
  static const WpProcessesOptions plain = { 0 };
  g_autoptr (WpRows) rows = wp_rows_new ();
  Layout l = { .trace = trace, .options = options != NULL ? options : &plain, .rows = rows };
  gboolean done;

  if (l.options->by_cpu)
    return wp_layout_cpus (trace, options, progress, error);
  wp_progress_phase (progress, "Laying out the processes");
  l.row_of = g_new (guint32, trace->tasks.len);
  memset (l.row_of, 0xff, trace->tasks.len * sizeof *l.row_of);
  l.first_lane = g_new0 (guint32, trace->tasks.len);
  l.labels = g_new0 (WpId, trace->functions.len);
  l.runnable = wp_strings_intern (rows->strings, _("runnable"));
  l.lost = wp_strings_intern (rows->strings, _("events lost"));
  l.paused = wp_strings_intern (rows->strings, _("recording paused"));
  done = fill (&l, progress, error);
  wp_task_plan_clear (&l.plan);
  wp_array_clear (&l.losses);
  wp_array_clear (&l.cpu_runs);
  wp_array_clear (&l.devices);
  wp_array_clear (&l.gather.boxes);
  wp_array_clear (&l.gather.rows);
  g_free (l.row_of);
  g_free (l.lane_of);
  g_free (l.first_lane);
  g_free (l.labels);
  return done ? g_steal_pointer (&rows) : NULL;
}
