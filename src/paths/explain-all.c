/* All parts explained, by several threads: each explains as many parts, and what they made is put together in the order of parts, so that it is the same for
 * any number of threads. */
#include "paths/explain-private.h"

#include "base/beside.h"
#include "base/free-aside.h"
#include "base/hash.h"

/* Rows from one look at the progress to the next. */
#define STEP 16384
/* Parts that are worth several threads, and of these at most so many. */
#define MANY 65536
#define THREADS_MAX 4

static void
count_processes (const WpTrace *trace, const guint8 *takes_part, WpExplanation *out)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);

  for (WpId t = 1; t < trace->tasks.len; t++)
    if (takes_part[t] && trace->tasks.data[t].kind == WP_TASK_THREAD)
      g_hash_table_add (seen, GINT_TO_POINTER (trace->tasks.data[t].pid > 0 ? trace->tasks.data[t].pid : -trace->tasks.data[t].tid));
  out->processes = g_hash_table_size (seen);
}

/* Which base path a task is of; 0: none. Free with g_free(). */
static WpId *
paths_of_tasks (const WpPaths *paths)
{
  WpId *of_task = g_new0 (WpId, paths->trace->tasks.len);

  for (WpId p = 1; p < paths->paths.len; p++)
    for (WpId t = paths->paths.data[p].base ? paths->paths.data[p].task : 0; t != 0 && of_task[t] == 0; t = paths->trace->tasks.data[t].after)
      of_task[t] = p;
  return of_task;
}

/* Children come after their parents, and in the order of time. */
static gboolean
find_last_children (WpExplainerTables *self, const WpPaths *paths, WpProgress *progress, GError **error)
{
  const WpPart *parts = paths->parts.data;

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      self->last_children[parts[p].parent] = p;
      if (!wp_progress_row (progress, p, error))
        return FALSE;
    }
  return TRUE;
}

/* Waits and runs are both by CPU, then time: one look at each says where the runs of each wait begin. */
static gboolean
find_near (WpExplainerTables *self, const WpCpuRuns *waits, WpProgress *progress, GError **error)
{
  const WpCpuRun *runs = self->cpu_runs.data;
  guint32 r = 0;

  for (guint32 i = 0; i < waits->len; i++)
    {
      const WpCpuRun *wait = &waits->data[i];

      while (r < self->cpu_runs.len && (runs[r].cpu < wait->cpu || (runs[r].cpu == wait->cpu && runs[r].end <= wait->start)))
        r++;
      self->near[wait->op] = r;
      if (!wp_progress_row (progress, i, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_cpu_runs (WpExplainerTables *self, const WpPaths *paths, WpProgress *progress, GError **error)
{
  WpCpuRuns waits = { 0 }; /* `op` is the part */
  gboolean going_on = TRUE;

  for (WpId p = 1; p < paths->parts.len && going_on; p++)
    {
      WpCpuRun wait;
      WpId op = paths->parts.data[p].op;

      going_on = wp_progress_row (progress, p, error);
      if (paths->trace->ops.data[op].kind == WP_OP_SLEEP && wp_cpu_wait_of (paths->trace, op, wp_paths_woken (paths, op), &wait))
        {
          wait.op = p;
          wp_array_push (&waits, wait);
        }
    }
  going_on = going_on && wp_cpu_runs_find (paths->trace, &waits, &self->cpu_runs, progress, error) && find_near (self, &waits, progress, error);
  wp_array_clear (&waits);
  return going_on;
}

/* Who had a CPU lies anywhere: the runs that a wait will meet are asked for early, so that nobody waits for the memory. Always inline: a function that has no
 * other effect is left out by gcc. */
static inline __attribute__ ((always_inline)) void
fetch_ahead (const WpExplainer *self, WpId part)
{
  enum { FAR = 16, LINE = 64, LINES = 3 };
  const char *run;

  if (part + FAR >= self->paths->parts.len || self->tables->near[part + FAR] == 0)
    return;
  run = (const char *) &self->tables->cpu_runs.data[self->tables->near[part + FAR]];
  for (guint i = 0; i < LINES; i++)
    __builtin_prefetch (run + i * LINE);
}

/* Of one thread. */
static gboolean
explain_parts (gpointer data, WpProgress *progress, GError **error)
{
  WpExplainer *self = data;
  const WpPart *parts = self->paths->parts.data;

  for (WpId p = self->first; p < self->end; p++)
    {
      fetch_ahead (self, p);
      self->takes_part[self->trace->ops.data[parts[p].op].task] = 1;
      wp_explain_part (self, p);
      if (p % STEP == 0 && !wp_progress_step (progress, (double) (p - self->first) / (self->end - self->first), error))
        return FALSE;
    }
  return TRUE;
}

/* --- on several threads ------------------------------------------------------------------------------------------- */

static void
explainer_init (WpExplainer *self, const WpPaths *paths, const WpExplainerTables *tables, gint64 from, gint64 to)
{
  *self = (WpExplainer) { .paths = paths, .trace = paths->trace, .tables = tables, .out = g_new0 (WpExplanation, 1) };
  self->out->from = from;
  self->out->to = to;
  self->wait_ends = g_new0 (guint8, paths->parts.len);
  self->takes_part = g_new0 (guint8, paths->trace->tasks.len);
}

static void
explainer_clear (WpExplainer *self)
{
  wp_explanation_free (self->out);
  g_free (self->wait_ends);
  g_free (self->takes_part);
  wp_pair_map_clear (&self->rows);
  wp_pair_map_clear (&self->files);
  wp_array_clear (&self->names);
  wp_array_clear (&self->slices);
  wp_array_clear (&self->holders);
}

/* What the others made comes behind what the first one did, in the order of parts. */
static gboolean
append_all (WpExplainer *explainers, guint n, WpProgress *progress, GError **error)
{
  for (guint i = 1; i < n; i++)
    {
      if (!wp_explain_append (&explainers[0], explainers[i].out, explainers[i].names.data, progress, error))
        return FALSE;
      for (WpId t = 0; t < explainers[0].trace->tasks.len; t++)
        explainers[0].takes_part[t] |= explainers[i].takes_part[t];
    }
  return TRUE;
}

/* Each thread takes as many parts; this one the first. NULL when cancelled. */
static WpExplanation *
explain_on_threads (guint n, const WpPaths *paths, const WpExplainerTables *tables, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  g_autofree WpExplainer *explainers = g_new (WpExplainer, n);
  g_autofree WpBeside *beside = g_new (WpBeside, n);
  guint32 n_parts = paths->parts.len - 1;
  WpExplanation *out = NULL;
  gboolean done;

  for (guint i = 0; i < n; i++)
    {
      explainer_init (&explainers[i], paths, tables, from, to);
      explainers[i].first = 1 + (WpId) ((guint64) n_parts * i / n);
      explainers[i].end = 1 + (WpId) ((guint64) n_parts * (i + 1) / n);
    }
  for (guint i = 1; i < n; i++)
    wp_beside_start (&beside[i], explain_parts, &explainers[i], progress);
  done = explain_parts (&explainers[0], progress, error);
  for (guint i = 1; i < n; i++)
    done = wp_beside_join (&beside[i], error) && done;
  if (done && append_all (explainers, n, progress, error))
    {
      out = g_steal_pointer (&explainers[0].out);
      count_processes (paths->trace, explainers[0].takes_part, out);
    }
  for (guint i = 0; i < n; i++)
    explainer_clear (&explainers[i]);
  return out;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static WpExplainerTables *
tables_new (const WpPaths *paths)
{
  WpExplainerTables *self = g_new0 (WpExplainerTables, 1);

  self->near = g_new0 (guint32, paths->parts.len);
  self->base_paths = paths_of_tasks (paths);
  self->last_children = g_new0 (WpId, paths->parts.len);
  wp_losses_find (paths->trace, &self->lost);
  return self;
}

static void
tables_free (gpointer data)
{
  WpExplainerTables *self = data;

  g_free (self->near);
  g_free (self->base_paths);
  g_free (self->last_children);
  wp_array_clear (&self->lost);
  wp_array_clear (&self->cpu_runs);
  g_free (self);
}

/* Two tables that have nothing to do with each other. */
typedef struct
{
  WpExplainerTables *tables;
  const WpPaths *paths;
} TableWork;

static gboolean
last_children_beside (gpointer data, WpProgress *progress, GError **error)
{
  const TableWork *work = data;

  return find_last_children (work->tables, work->paths, progress, error);
}

static gboolean
fill_tables (WpExplainerTables *tables, const WpPaths *paths, WpProgress *progress, GError **error)
{
  TableWork work = { tables, paths };
  WpBeside beside;
  gboolean done;

  if (paths->parts.len < MANY)
    return find_last_children (tables, paths, progress, error) && find_cpu_runs (tables, paths, progress, error);
  wp_beside_start (&beside, last_children_beside, &work, progress);
  done = find_cpu_runs (tables, paths, progress, error);
  return wp_beside_join (&beside, error) && done;
}

WpExplanation *
wp_explain_finish (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error)
{
  out->wall = MAX (0, MIN (paths->wall_end, out->to) - MAX (paths->wall_start, out->from));
  out->control_paths = paths->paths.len - 1;
  if (wp_explain_sort_rows (out, progress, error) && wp_explain_latency (paths, out, progress, error))
    return out;
  wp_explanation_free (out);
  return NULL;
}

WpExplanation *
wp_explain_on (guint n_threads, const WpPaths *paths, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  WpExplainerTables *tables = tables_new (paths);
  WpExplanation *out = NULL;

  wp_progress_phase (progress, "Explaining");
  if (fill_tables (tables, paths, progress, error))
    out = explain_on_threads (n_threads, paths, tables, from, to, progress, error);
  wp_free_many_aside (tables, paths->parts.len, tables_free);
  return out != NULL ? wp_explain_finish (paths, out, progress, error) : NULL;
}

WpExplanation *
wp_explain (const WpPaths *paths, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  return wp_explain_on (paths->parts.len < MANY ? 1 : MIN (g_get_num_processors (), THREADS_MAX), paths, from, to, progress, error);
}
