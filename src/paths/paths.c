#include "paths/paths-private.h"

#include "base/beside.h"
#include "base/free-aside.h"
#include "base/hash.h"
#include "trace/kernel-names.h"

gboolean
wp_maker_go_on (WpMaker *self)
{
  if (!self->cancelled && ++self->steps % 4096 == 0)
    self->cancelled = !wp_progress_step (self->progress, 1.0 - (double) self->work.len / (double) (self->steps + self->work.len),
                                         self->error);
  return !self->cancelled;
}

gboolean
wp_maker_look (WpMaker *self, double fraction)
{
  if (!self->cancelled)
    self->cancelled = !wp_progress_step (self->progress, fraction, self->error);
  return !self->cancelled;
}

/* --- base paths -------------------------------------------------------------------------------------------------------------- */

/* The sleeps of a path's bottom become work, the first on top. */
static void
push_path (WpMaker *self, WpId path)
{
  guint32 from = self->work.len;
  const WpPaths *paths = self->paths;
  WpId first = paths->paths.data[path].first_part;
  WpId chain = 0, thread = 0;

  for (WpId p = first; p != 0 && wp_maker_go_on (self); p = paths->parts.data[p].next)
    {
      const WpOp *op = &self->trace->ops.data[paths->parts.data[p].op];

      if (op->kind != WP_OP_SLEEP)
        continue;
      if (chain == 0 || self->threads[op->task] != thread)
        {
          thread = self->threads[op->task];
          chain = wp_maker_chain (self, 0, thread);
        }
      wp_maker_push_work (self, p, chain);
    }
  wp_maker_reverse_work (self, from);
}

/* Whether it is a stretch of its task's life. Who was buried asleep is dead since nobody knows when. */
static gboolean
is_lived (const WpOp *op)
{
  return op->kind == WP_OP_RUN || (op->flags & WP_OP_NEW_TASK) || (op->start < op->end && op->state != WP_STATE_DEAD);
}

/* Runs and sleeps of all its life within the recording. Nothing but a sleep that nobody saw begin is no life: who is dead may be woken once more. */
static void
place_base (WpMaker *self, WpId path, WpId task)
{
  const WpTask *t = &self->trace->tasks.data[task];
  WpId from = t->first_op, to = t->first_op + t->n_ops;
  const WpOp *ops = self->trace->ops.data;

  self->is_base[task] = 1;
  if (t->n_ops == 1 && wp_start_unseen (&ops[from]))
    return;
  if (from < to && !is_lived (&ops[from]))
    from++;
  if (from < to && !is_lived (&ops[to - 1]))
    to--;
  for (WpId o = from; o < to && wp_maker_go_on (self); o++)
    wp_maker_place (self, o, ops[o].start, ops[o].end, 0, path);
}

/* The thread that begins with this task, through its execs. */
static void
make_base_path (WpMaker *self, WpId first, GHashTable *done)
{
  WpId path = wp_maker_new_path (self);

  self->paths->paths.data[path].base = TRUE;
  for (WpId task = first; task != 0 && g_hash_table_add (done, GUINT_TO_POINTER (task));
       task = self->trace->tasks.data[task].after)
    place_base (self, path, task);
  if (self->paths->paths.data[path].first_part == 0)
    self->paths->paths.len--;
  else
    wp_array_push (&self->paths->base_tasks, first);
}

/* One base path for each thread: execs do not end it. */
static void
make_base_paths (WpMaker *self, const WpId *tasks, guint n)
{
  g_autoptr (GHashTable) done = g_hash_table_new (wp_hash_pointer, NULL), wanted = g_hash_table_new (wp_hash_pointer, NULL);
  guint64 n_ops = 0;

  for (guint i = 0; i < n; i++)
    if (g_hash_table_add (wanted, GUINT_TO_POINTER (tasks[i])))
      n_ops += self->trace->tasks.data[tasks[i]].n_ops;
  wp_array_reserve (&self->paths->parts, n_ops + 1);
  wp_array_reserve (&self->op_next, n_ops + 1);
  wp_array_reserve (&self->last_child, n_ops + 1);
  for (guint i = 0; i < n; i++)
    if (!g_hash_table_contains (wanted, GUINT_TO_POINTER (self->trace->tasks.data[tasks[i]].before)))
      make_base_path (self, tasks[i], done);
}

/* All other paths grow from the base paths. */
static void
measure_base_paths (WpMaker *self)
{
  WpPaths *paths = self->paths;

  paths->wall_start = paths->paths.len > 1 ? G_MAXINT64 : 0;
  for (WpId p = 1; p < paths->paths.len; p++)
    {
      paths->wall_start = MIN (paths->wall_start, paths->paths.data[p].start);
      paths->wall_end = MAX (paths->wall_end, paths->paths.data[p].end);
      wp_array_push (&self->new_paths, p);
    }
}

/* --- the work list -------------------------------------------------------------------------------------------------------------- */

/* Where nobody saw the wakeup, and the call is one that may have a time limit, it is a timer's that is missing: those fire where there
 * is nothing to do, and that is where events are missed. */
static gboolean
ended_by_timeout (const WpTrace *trace, const WpOp *op)
{
  if (op->kind != WP_OP_SLEEP)
    return FALSE;
  return op->cause == WP_CAUSE_TIMER
         || (op->cause == WP_CAUSE_NONE && op->state == WP_STATE_SLEEPING
             && (wp_kernel_stack_roles (trace, op->detail) & WP_ROLE_MAY_TIME_OUT) != 0);
}

/* Fills `window` with the sleeps that are one wait together with `part`, in time order: those before it with the same
 * stack that timed out, separated by short runs. */
static void
find_window (WpMaker *self, WpId part)
{
  const WpPart *parts = self->paths->parts.data;
  const WpOp *ops = self->trace->ops.data;
  WpId first = part, stack = ops[parts[part].op].detail;

  self->window.len = 0;
  for (;;)
    {
      const WpPart *here = &parts[first];
      const WpOp *sleep = &ops[here->op];
      WpId task_first = self->trace->tasks.data[sleep->task].first_op, before;

      wp_array_push (&self->window, first);
      if (here->start > sleep->start || here->op < task_first + 2 || (stack == 0 && !wp_start_unseen (sleep)))
        break;
      if (!ended_by_timeout (self->trace, sleep - 2) || !wp_sleep_is_in_call (sleep - 2, &stack)
          || !wp_run_is_short (self->paths, &sleep[-1]))
        break;
      before = wp_maker_part_overlapping (self, here->op - 2, sleep[-2].start, sleep[-2].end + 1);
      if (before == 0 || parts[before].parent != here->parent || parts[before].path != here->path
          || parts[before].end < sleep[-2].end)
        break;
      first = before;
    }
  for (guint32 i = 0, j = self->window.len - 1; i < j; i++, j--)
    {
      WpId swap = self->window.data[i];

      self->window.data[i] = self->window.data[j];
      self->window.data[j] = swap;
    }
}

static void
explain_sleep (WpMaker *self, WpWork work)
{
  const WpPart *part = &self->paths->parts.data[work.part];
  const WpOp *op = &self->trace->ops.data[part->op];
  WpId waker;

  if (part->start >= wp_sleep_end_time (self->sleep_ends, self->trace, part->op))
    return; /* runnable all the time, as after a preemption or a fork */
  if (op->state == WP_STATE_STOPPED)
    return; /* it waited for nobody's work */
  if ((op->cause == WP_CAUSE_DISK || op->cause == WP_CAUSE_NET) && op->explained_by != 0)
    {
      find_window (self, work.part);
      for (guint32 i = 0; i < self->window.len; i++)
        wp_maker_place_device (self, self->window.data[i], op->explained_by);
    }
  else if ((op->cause == WP_CAUSE_TASK || op->cause == WP_CAUSE_SIGNAL) && (waker = wp_maker_waker (self, part->op)) != 0)
    {
      find_window (self, work.part);
      wp_maker_walk (self, waker, work.chain);
    }
  else if (wp_unfinished (op) && op->explained_by != 0)
    {
      find_window (self, work.part);
      wp_maker_walk (self, op->explained_by, work.chain);
    }
}

/* Who ended a sleep lies anywhere: what the walk will ask first is asked for early, so that nobody waits for the memory. Always inline: a function
 * that has no other effect is left out by gcc. */
static inline __attribute__ ((always_inline)) void
fetch_ahead (const WpMaker *self)
{
  enum { NEAR = 16, FAR = 32 };
  const WpPart *parts = self->paths->parts.data;
  WpId waker;

  if (self->work.len < FAR)
    return;
  waker = self->sleep_ends[parts[self->work.data[self->work.len - FAR].part].op].source;
  __builtin_prefetch (&self->trace->ops.data[waker]);
  __builtin_prefetch (&self->op_parts[waker]);
  waker = self->sleep_ends[parts[self->work.data[self->work.len - NEAR].part].op].source;
  __builtin_prefetch (&parts[self->op_parts[waker]]);
}

void
wp_maker_work_through (WpMaker *self)
{
  for (; wp_maker_go_on (self); fetch_ahead (self))
    if (self->work.len > 0)
      explain_sleep (self, self->work.data[--self->work.len]);
    else if (self->done_paths < self->new_paths.len)
      push_path (self, self->new_paths.data[self->done_paths++]);
    else
      return;
}

/* --- all of it -------------------------------------------------------------------------------------------------------------------- */

/* The first task of a tid stands for the thread. */
static WpId *
find_threads (const WpTrace *trace)
{
  WpId *threads = g_new0 (WpId, trace->tasks.len);

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      WpId before = trace->tasks.data[t].before;

      threads[t] = before != 0 && before < t ? threads[before] : t;
    }
  return threads;
}

static gboolean
is_call (const WpLink *link)
{
  return link->source != 0 && link->target != 0 && !link->horizontal;
}

/* Sorts the calls by whoever made them: those of operation o are calls[first_call[o]] … calls[first_call[o + 1] - 1]. Links come
 * in the order of time, so each operation's do, too. On a thread beside the maker's: these two columns are all that it writes. */
static gboolean
index_calls (gpointer data, WpProgress *progress, GError **error)
{
  WpMaker *self = data;
  const WpTrace *trace = self->trace;
  const WpLink *links = trace->links.data;
  guint32 *first = g_new0 (guint32, (gsize) trace->ops.len + 1);
  guint32 sum = 0;
  gboolean going_on = TRUE;

  self->first_call = first;
  for (guint32 i = 1; i < trace->links.len && going_on; i++)
    {
      first[links[i].source] += is_call (&links[i]);
      going_on = wp_progress_row (progress, i, error);
    }
  for (guint32 o = 0; o <= trace->ops.len && going_on; o++)
    {
      sum += first[o];
      first[o] = sum;
      going_on = wp_progress_row (progress, o, error);
    }
  self->calls = g_new (WpCall, sum);
  for (guint32 i = trace->links.len; i-- > 1 && going_on;)
    {
      if (is_call (&links[i]))
        self->calls[--first[links[i].source]] = (WpCall) { .time = links[i].start, .target = links[i].target };
      going_on = wp_progress_row (progress, i, error);
    }
  return going_on;
}

/* FALSE when cancelled. */
static gboolean
maker_init (WpMaker *self, WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  WpBeside beside;

  self->paths = paths;
  self->trace = trace;
  wp_beside_start (&beside, index_calls, self, self->progress);
  self->threads = find_threads (trace);
  self->op_parts = g_new0 (WpId, trace->ops.len);
  self->on_chain = g_new0 (guint32, trace->tasks.len);
  wp_array_resize (&self->op_next, 1);
  wp_array_resize (&self->last_child, 1);
  wp_array_resize (&self->chains, 1);
  wp_bitmap_init (&self->placed, trace->ops.len);
  wp_bitmap_init (&self->called, trace->ops.len);
  wp_bitmap_init (&self->unseen, trace->ops.len);
  for (WpId op = 1; op < trace->ops.len && (op % WP_MAKER_STEP != 0 || wp_maker_look (self, 0)); op++)
    if (wp_end_unseen (&trace->ops.data[op]))
      wp_bitmap_add (&self->unseen, op);
  self->is_base = g_new0 (guint8, trace->tasks.len);
  self->sleep_ends = paths->sleep_ends = self->cancelled ? NULL : wp_sleep_ends_new (trace, self->progress, self->error);
  self->cancelled = !wp_beside_join (&beside, self->error) || self->sleep_ends == NULL;
  return !self->cancelled;
}

static void
maker_free (gpointer data)
{
  WpMaker *self = data;

  g_free (self->threads);
  g_free (self->op_parts);
  g_free (self->on_chain);
  g_free (self->first_call);
  g_free (self->calls);
  g_free (self->is_base);
  g_free (self->latest_end);
  wp_bitmap_clear (&self->placed);
  wp_bitmap_clear (&self->called);
  wp_bitmap_clear (&self->unseen);
  wp_array_clear (&self->disks);
  wp_array_clear (&self->op_next);
  wp_array_clear (&self->last_child);
  wp_array_clear (&self->chains);
  wp_array_clear (&self->work);
  wp_array_clear (&self->new_paths);
  wp_array_clear (&self->window);
  wp_array_clear (&self->found);
  g_free (self);
}

/* The caller's list may go before the paths do. */
static void
copy_cuts (WpPaths *self)
{
  const WpIdArray *cuts = self->options.cuts;

  self->options.cuts = NULL;
  for (guint32 i = 0; cuts != NULL && i < cuts->len; i++)
    if (i == 0 || cuts->data[i] != cuts->data[i - 1])
      wp_array_push (&self->cuts, cuts->data[i]);
  if (self->cuts.len > 0)
    self->options.cuts = &self->cuts;
}

WpPaths *
wp_paths_new (const WpTrace *trace, const WpId *tasks, guint n_tasks, const WpPathOptions *options, WpProgress *progress,
              GError **error)
{
  WpPaths *self = g_new0 (WpPaths, 1);
  WpMaker *maker = g_new0 (WpMaker, 1);
  gboolean cancelled;

  self->trace = trace;
  self->options = options != NULL ? *options : WP_PATH_OPTIONS_DEFAULT;
  copy_cuts (self);
  wp_array_resize (&self->parts, 1);
  wp_array_resize (&self->paths, 1);
  self->name = g_strdup (n_tasks > 0 ? wp_trace_task_name (trace, tasks[0]) : "");
  wp_progress_phase (progress, "Following what was waited for");
  maker->progress = progress;
  maker->error = error;
  if (maker_init (maker, self))
    {
      make_base_paths (maker, tasks, n_tasks);
      measure_base_paths (maker);
      wp_maker_work_through (maker);
      if (self->options.started_work)
        wp_maker_start_work (maker);
    }
  cancelled = maker->cancelled;
  wp_free_many_aside (maker, trace->ops.len, maker_free);
  if (cancelled)
    {
      wp_paths_free (self);
      return NULL;
    }
  wp_paths_assign_lanes (self);
  wp_array_trim (&self->parts);
  return self;
}

void
wp_paths_free (WpPaths *self)
{
  if (self == NULL)
    return;
  wp_free_many_aside (self->sleep_ends, self->parts.len, g_free);
  wp_array_clear_aside (&self->parts);
  wp_array_clear (&self->paths);
  wp_array_clear (&self->base_tasks);
  wp_array_clear (&self->cuts);
  g_free (self->name);
  g_free (self);
}
