#include "workspace/live/live-reading.h"

#include <glib/gi18n.h>

#include "base/format.h"
#include "base/sort.h"
#include "base/thread-time.h"
#include "paths/paths.h"
#include "read/symbols/kernel-symbols.h"
#include "view/layout.h"
#include "workspace/live/live-functions.h"
#include "workspace/live/live-order.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROCESSES_MAX 100 /* that are told, to choose from */

struct WpLiveReader
{
  WpLiveStream *stream;
  WpKernelTable *kernel;
  WpSymbolTables *tables;
  WpLiveOrder *order;
  gint32 pid;     /* whose family it is; 0: nobody's */
  gint32 chosen;  /* the process of the last look, so that another one begins with an order of its own */
};

/* --- processes ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 negative; /* ns that it ran */
  gint32 pid;
  WpId leader;
} Ran;

WP_DEFINE_COMPARE_2 (compare_ran, Ran, negative, pid)

typedef WP_ARRAY (Ran) RanArray;

static gboolean
is_thread (const WpTask *task)
{
  return task->kind == WP_TASK_THREAD && !(task->flags & WP_TASK_IDLE) && task->pid > 0 && task->n_ops > 0;
}

static gint64
run_time (const WpTrace *trace, const WpTask *task)
{
  gint64 ns = 0;

  for (WpId op = task->first_op; op < task->first_op + task->n_ops; op++)
    if (trace->ops.data[op].kind == WP_OP_RUN)
      ns += trace->ops.data[op].end - trace->ops.data[op].start;
  return ns;
}

/* Those that ran, the busiest first. */
static void
find_processes (const WpTrace *trace, RanArray *found)
{
  g_autofree gint64 *of_leader = g_new0 (gint64, MAX (trace->tasks.len, 1));

  for (WpId t = 1; t < trace->tasks.len; t++)
    if (is_thread (&trace->tasks.data[t]))
      of_leader[trace->tasks.data[t].leader] += run_time (trace, &trace->tasks.data[t]);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (of_leader[t] > 0)
      wp_array_push (found, ((Ran) { -of_leader[t], trace->tasks.data[t].pid, t }));
  wp_array_sort (found, compare_ran);
}

static void
tell_processes (WpLiveReading *reading, const WpTrace *trace, const RanArray *found)
{
  for (guint32 i = 0; i < found->len && i < PROCESSES_MAX; i++)
    wp_array_push (&reading->processes,
                   ((WpLiveProcess) { found->data[i].pid, g_strdup (wp_trace_task_name (trace, found->data[i].leader)),
                                      -found->data[i].negative }));
}

static gboolean
is_wanted (const WpLiveReader *self, const WpTask *task, gint32 pid)
{
  return is_thread (task) && (task->pid == pid || (pid == self->pid && wp_live_stream_is_family (self->stream, task->pid)));
}

/* Tasks that only sleep tell of nothing that was seen, and would fill the picture: they count where no other does, but for who leads the
 * recorded command. */
static void
find_tasks (const WpLiveReader *self, WpLiveReading *reading, const WpTrace *trace, gint32 pid, WpIdArray *tasks)
{
  gboolean any_ran = FALSE;

  for (WpId t = 1; t < trace->tasks.len && !any_ran; t++)
    any_ran = is_wanted (self, &trace->tasks.data[t], pid) && run_time (trace, &trace->tasks.data[t]) > 0;
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (is_wanted (self, &trace->tasks.data[t], pid)
        && (!any_ran || trace->tasks.data[t].tid == self->pid || run_time (trace, &trace->tasks.data[t]) > 0))
      wp_array_push (tasks, t);
  reading->asleep = tasks->len > 0 && !any_ran;
}

/* --- one look ----------------------------------------------------------------------------------------------------- */

/* What a panel wants to know of paths, without the recording that they refer to. A process is named by the last program that it began. */
static WpPaths *
name_of_paths (const WpPaths *paths, const WpTrace *trace, const WpIdArray *tasks, gint32 pid)
{
  WpPaths *self = g_new0 (WpPaths, 1);
  WpId last = tasks->data[0];

  for (guint32 i = 0; i < tasks->len; i++)
    if (trace->tasks.data[tasks->data[i]].pid == pid)
      last = tasks->data[i];
  self->name = g_strdup (wp_trace_task_name (trace, trace->tasks.data[last].leader));
  wp_array_copy (&self->base_tasks, &paths->base_tasks);
  return self;
}

/* So are its sentences. */
static WpAnswer *
sentences (const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress, GError **error)
{
  WpAnswer *self = wp_answer_new (paths, explanation, progress, error);

  if (self == NULL)
    return NULL;
  for (guint32 i = 0; i < self->clauses.len; i++)
    self->clauses.data[i].part = 0;
  self->waits.len = 0;
  self->words.paths = NULL;
  self->words.trace = NULL;
  return self;
}

/* How many frames without names a box stands for changes from look to look: its name does not. */
static void
name_unnamed (WpTree *tree, const WpTrace *trace)
{
  for (WpId n = 1; n < tree->nodes.len; n++)
    if (tree->nodes.data[n].unnamed != 0)
      tree->nodes.data[n].name = wp_strings_intern (tree->strings, wp_trace_module_name (trace, tree->nodes.data[n].unnamed));
}

static gboolean
show_paths (WpLiveReader *self, WpLiveReading *reading, const WpPaths *paths, WpDepth depth, WpProgress *progress, GError **error)
{
  WpTreeOptions options = { .depth = { .depth = depth } };
  g_autoptr (WpGrid) functions = NULL;
  WpBodies bodies;

  reading->explanation = wp_explain (paths, 0, G_MAXINT64, progress, error);
  if (reading->explanation == NULL)
    return FALSE;
  reading->answer = sentences (paths, reading->explanation, progress, error);
  if (reading->answer == NULL)
    return FALSE;
  options.explanation = reading->explanation;
  reading->tree = wp_tree_new (paths, &options, progress, error);
  functions = reading->tree != NULL ? wp_live_functions (paths, reading->explanation, progress, error) : NULL;
  if (functions == NULL)
    return FALSE;
  name_unnamed (reading->tree, paths->trace);
  wp_live_order_tree (self->order, reading->tree);
  wp_bodies_of_paths (&bodies, paths);
  reading->rows = wp_shared_new (wp_layout_tree (reading->tree, FALSE, &bodies), (GDestroyNotify) wp_rows_free);
  wp_bodies_clear (&bodies);
  reading->functions = wp_shared_new (wp_live_order_grid (self->order, functions, WP_LIVE_NAME, WP_LIVE_MODULE),
                                      (GDestroyNotify) wp_grid_free);
  wp_live_order_explanation (self->order, reading->explanation);
  return TRUE;
}

static gboolean
explain (WpLiveReader *self, WpLiveReading *reading, const WpTrace *trace, gint32 pid, WpDepth depth, WpProgress *progress, GError **error)
{
  const WpPathOptions options = WP_PATH_OPTIONS_DEFAULT;
  g_autoptr (WpPaths) paths = NULL;
  WpIdArray tasks = { 0 };

  if (pid != self->chosen)
    {
      wp_live_order_free (self->order);
      self->order = wp_live_order_new ();
      self->chosen = pid;
    }
  find_tasks (self, reading, trace, pid, &tasks);
  if (tasks.len > 0)
    paths = wp_paths_new (trace, tasks.data, tasks.len, &options, progress, error);
  if (paths != NULL)
    reading->paths = name_of_paths (paths, trace, &tasks, pid);
  reading->pid = pid;
  wp_array_clear (&tasks);
  return reading->paths == NULL ? *error == NULL : show_paths (self, reading, paths, depth, progress, error);
}

static gboolean
look (WpLiveReader *self, WpLiveReading *reading, const WpLiveWish *wish, WpTrace *trace, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .no_fetching = TRUE, .tables = self->tables };
  RanArray ran = { 0 };
  gint32 pid = wish->pid != 0 ? wish->pid : self->pid;

  wp_read_symbols (trace, &options, progress, NULL);
  reading->wall = trace->end;
  find_processes (trace, &ran);
  tell_processes (reading, trace, &ran);
  if (pid == 0 && self->chosen != 0)
    pid = self->chosen;
  else if (pid == 0 && ran.len > 0)
    pid = ran.data[0].pid;
  wp_array_clear (&ran);
  return explain (self, reading, trace, pid, wish->depth, progress, error);
}

/* Nothing recorded in that time is no error. */
static WpTrace *
read_last (WpLiveReader *self, const WpLiveWish *wish, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .no_fetching = TRUE, .kernel = self->kernel };
  int fd = memfd_create ("wakepath-live", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  WpTrace *trace = NULL;

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "there is no memory for a file: %s", g_strerror (errno));
      return NULL;
    }
  if (wp_live_stream_write (self->stream, wish->ns, fd, error))
    trace = wp_read (path, &options, progress, error);
  if (trace != NULL)
    trace->goes_on = TRUE;
  close (fd);
  return trace;
}

gboolean
wp_live_reader_follow (WpLiveReader *self, guint64 whole, WpProgress *progress, GError **error)
{
  GError *problem = NULL;

  if (wp_live_stream_follow (self->stream, whole, 0, progress, &problem))
    return TRUE;
  if (problem->domain != WP_READ_ERROR) /* such as that there is nothing yet */
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  g_error_free (problem);
  return TRUE;
}

WpLiveReading *
wp_live_reader_read (WpLiveReader *self, const WpLiveWish *wish, WpProgress *progress, GError **error)
{
  WpLiveReading *reading = g_new0 (WpLiveReading, 1);
  double since = wp_thread_seconds () + wp_symbol_tables_seconds (self->tables);
  g_autoptr (GError) problem = NULL;
  WpTrace *trace = NULL;
  gboolean done;

  wp_live_stream_choose (self->stream, wish->pid != 0 ? wish->pid : self->pid != 0 ? self->pid : self->chosen);
  done = wp_live_stream_follow (self->stream, wish->whole, wish->ns, progress, &problem);
  if (done)
    trace = read_last (self, wish, progress, &problem);
  if (trace == NULL && problem != NULL && problem->domain == WP_READ_ERROR)
    g_clear_error (&problem);
  done = trace != NULL ? look (self, reading, wish, trace, progress, &problem) : problem == NULL;
  g_clear_pointer (&trace, wp_trace_free);
  reading->seconds = wp_thread_seconds () + wp_symbol_tables_seconds (self->tables) - since;
  if (done)
    return reading;
  g_propagate_error (error, g_steal_pointer (&problem));
  wp_live_reading_free (reading);
  return NULL;
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

char **
wp_live_reading_path (const WpLiveReading *self, guint32 box)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (WpId n = ((const WpRows *) wp_shared_get (self->rows))->boxes.data[box].ref; n != 0; n = self->tree->nodes.data[n].parent)
    g_ptr_array_add (names, g_strdup (wp_strings_get (self->tree->strings, self->tree->nodes.data[n].name)));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

static WpId
child_of (const WpTree *tree, WpId parent, const char *name)
{
  WpId child = tree->nodes.data[parent].first_child;

  while (child != 0 && !g_str_equal (wp_strings_get (tree->strings, tree->nodes.data[child].name), name))
    child = tree->nodes.data[child].next;
  return child;
}

guint32
wp_live_reading_find (const WpLiveReading *self, char *const *path)
{
  const WpRows *rows = wp_shared_get (self->rows);
  guint n = g_strv_length ((char **) path);
  WpId node = 0;

  while (n > 0 && (node = child_of (self->tree, node, path[n - 1])) != 0)
    n--;
  for (guint32 box = 0; n == 0 && box < rows->boxes.len; box++)
    if (rows->boxes.data[box].ref == node && rows->boxes.data[box].frame != WP_FRAME_OF_TOP)
      return box;
  return G_MAXUINT32;
}

char *
wp_live_reading_describe (const WpLiveReading *self, guint32 box)
{
  const WpRows *rows = wp_shared_get (self->rows);
  const WpBox *b = &rows->boxes.data[box];
  gint64 ns = b->end - b->start, total = self->tree->nodes.data[0].total;
  GString *text = g_string_new (wp_rows_string (rows, b->label));
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  g_string_append_printf (text, "\n%s (%s)", wp_format_ns (ns, time), wp_format_share (total > 0 ? (double) ns / (double) total : 0, share));
  if (b->frame != WP_FRAME_OF_TOP)
    g_string_append_printf (text, _("\nSelf %s"), wp_format_ns (self->tree->nodes.data[b->ref].self, time));
  return g_string_free (text, FALSE);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

void
wp_live_reading_free (gpointer reading)
{
  WpLiveReading *self = reading;

  g_clear_pointer (&self->paths, wp_paths_free);
  g_clear_pointer (&self->explanation, wp_explanation_free);
  g_clear_pointer (&self->answer, wp_answer_free);
  g_clear_pointer (&self->tree, wp_tree_free);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->functions);
  for (guint32 i = 0; i < self->processes.len; i++)
    g_free (self->processes.data[i].name);
  wp_array_clear (&self->processes);
  g_free (self);
}

WpLiveReader *
wp_live_reader_new (int fd, const char *output, gint32 pid, GError **error)
{
  WpLiveReader *self = g_new0 (WpLiveReader, 1);

  self->stream = wp_live_stream_new (fd, output, error);
  if (self->stream == NULL)
    {
      g_free (self);
      return NULL;
    }
  self->pid = pid;
  if (pid != 0)
    wp_live_stream_watch_family (self->stream, pid);
  self->kernel = wp_kernel_table_new ();
  self->tables = wp_symbol_tables_new ();
  self->order = wp_live_order_new ();
  return self;
}

void
wp_live_reader_free (WpLiveReader *self)
{
  if (self == NULL)
    return;
  wp_live_stream_free (self->stream);
  wp_kernel_table_free (self->kernel);
  wp_symbol_tables_free (self->tables);
  wp_live_order_free (self->order);
  g_free (self);
}
