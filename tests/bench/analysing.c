/* How long it takes to analyse one process of interest with one, three and ten million runs — control paths, explanation, call tree —, how much memory
 * that needs at most, and how soon it stops when it is cancelled. How much memory a trace needs for an operation. And how long the window waits for new rows
 * when an option changes, on a million runs. Three processes: a client that asks a server, a pool of 128 threads that wait for one another, and one that forks a
 * tree of others; of the first and the last what they started is analysed, too.
 *
 * Times are those of a clock, since the work is done by several threads. */
#include "base/free-aside.h"
#include "figures.h"
#include "large-trace.h"
#include "measure.h"
#include "paths/tree.h"
#include "workspace/file/analysis.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_MS 1500.0 /* of a million */
#define GOAL_MS 3000 /* of ten */
#define GOAL_CANCEL_MS 100
#define GOAL_OPTION_MS 150
#define LIMIT_BYTES 60.0
#define CANCELLED_AT 6 /* moments */
#define ROUNDS 5

static const struct
{
  const char *name;
  LargeTrace kind;
  gboolean started;
} processes[] = {
  { "client and server", LARGE_TRACE_CLIENT, TRUE },
  { "pool of 128 threads", LARGE_TRACE_POOL, FALSE },
  { "tree of forks", LARGE_TRACE_FORKS, TRUE },
};
#define N_PROCESSES G_N_ELEMENTS (processes)

static double
clock_ms (void)
{
  return (double) g_get_monotonic_time () / 1e3;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

#define BYTES(a) ((double) (a).cap * sizeof *(a).data)

/* All columns of the trace, with what names take. */
static double
bytes_of (const WpTrace *trace)
{
  double strings = 0;

  for (guint32 i = 0; i < wp_strings_count (trace->strings); i++)
    strings += strlen (wp_strings_get (trace->strings, i)) + 1 + 2 * sizeof (guint32);
  return BYTES (trace->tasks) + BYTES (trace->ops) + BYTES (trace->links) + BYTES (trace->samples) + BYTES (trace->stacks)
         + BYTES (trace->frames) + BYTES (trace->functions) + BYTES (trace->modules) + BYTES (trace->disks)
         + BYTES (trace->nets) + BYTES (trace->devices) + BYTES (trace->lost) + BYTES (trace->events) + strings;
}

/* A line of /proc/self/status, in bytes. */
static double
memory (const char *line)
{
  g_autofree char *status = NULL;
  const char *found;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL) || (found = strstr (status, line)) == NULL)
    return 0;
  return g_ascii_strtod (found + strlen (line), NULL) * 1024;
}

/* From now on the most of memory counts. */
static void
forget_peak (void)
{
  int file = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  if (file < 0)
    return;
  if (write (file, "5", 1) != 1)
    g_printerr ("the peak of memory is that of everything before, too\n");
  close (file);
}

/* --- analysing ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  double paths, explained, tree, all; /* ms */
  guint32 parts, pieces;
} Times;

/* All three steps; FALSE when cancelled. */
static gboolean
analyse (const WpTrace *trace, gboolean started, WpProgress *progress, Times *times)
{
  const WpPathOptions options = { .grace = WP_GRACE_DEFAULT, .started_work = started };
  WpIdArray tasks = { 0 };
  double begin = clock_ms (), made, explained;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) explanation = NULL;
  g_autoptr (WpTree) tree = NULL;

  wp_paths_process_of (trace, 1, &tasks);
  paths = wp_paths_new (trace, tasks.data, tasks.len, &options, progress, NULL);
  wp_array_clear (&tasks);
  made = clock_ms ();
  explanation = paths != NULL ? wp_explain (paths, 0, G_MAXINT64, progress, NULL) : NULL;
  explained = clock_ms ();
  tree = explanation != NULL ? wp_tree_new (paths, &(WpTreeOptions) { .explanation = explanation }, progress, NULL) : NULL;
  if (tree == NULL)
    return FALSE;
  g_assert_cmpint (tree->nodes.data[0].total, ==, explanation->total);
  *times = (Times) { made - begin, explained - made, clock_ms () - explained, clock_ms () - begin, paths->parts.len - 1, explanation->pieces.len };
  return TRUE;
}

/* Returns how long it takes, the median. `peak`: the most of memory on top of the trace's, bytes an operation. */
static double
measure (const WpTrace *trace, guint process, double *peak)
{
  double before, all[ROUNDS], median;
  Times times;

  wp_free_aside_settle ();
  malloc_trim (0);
  before = memory ("VmRSS:");
  forget_peak ();
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_assert_true (analyse (trace, processes[process].started, NULL, &times));
      all[i] = times.all;
      wp_free_aside_settle ();
    }
  median = wp_bench_median (all, ROUNDS);
  *peak = (memory ("VmHWM:") - before) / trace->ops.len;
  g_print ("%-20s %9u operations, %9u parts, %9u pieces: paths %5.0f ms, explanation %5.0f ms, tree %5.0f ms, all %5.0f ms; %.0f bytes an operation\n",
           processes[process].name, trace->ops.len - 1, times.parts, times.pieces, times.paths, times.explained, times.tree, median, *peak);
  return median;
}

/* --- cancelling --------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpTrace *trace;
  gboolean started;
  GCancellable *cancellable;
} Job;

static gpointer
work (gpointer data)
{
  const Job *job = data;
  WpProgress progress = { .cancellable = job->cancellable };
  Times times;

  analyse (job->trace, job->started, &progress, &times);
  return NULL;
}

/* The longest from asking to the end of the thread, who has its memory given back by another one, of some moments spread over the work. */
static double
cancel (const WpTrace *trace, gboolean started, double takes)
{
  double worst = 0;

  for (guint i = 1; i <= CANCELLED_AT; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Job job = { trace, started, cancellable };
      GThread *thread = g_thread_new ("analysing", work, &job);
      double asked;

      g_usleep ((gulong) (takes * 1e3 * i / (CANCELLED_AT + 1)));
      asked = clock_ms ();
      g_cancellable_cancel (cancellable);
      g_thread_join (thread);
      g_print ("  cancelled after %.0f ms: %.1f ms\n", takes * i / (CANCELLED_AT + 1), clock_ms () - asked);
      worst = MAX (worst, clock_ms () - asked);
    }
  return worst;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

enum
{
  DEPTH,
  INVERTED,
  MERGED,
  RANGE,
  N_OPTIONS
};

static WpShared *
ask (WpShared *document, const WpAnalysisRequest *like, WpShared *before, double *ms)
{
  WpAnalysisRequest *request = wp_analysis_request_new (document, 1);
  double begin = clock_ms ();
  WpAnalysis *analysis;

  request->options = like->options;
  request->tree = like->tree;
  request->before = wp_shared_ref (before);
  analysis = wp_analysis_run (request, NULL, NULL);
  g_assert_nonnull (analysis);
  *ms = clock_ms () - begin;
  wp_analysis_request_free (request);
  return wp_shared_new (analysis, wp_analysis_free);
}

static double
mark_range (WpShared *analysis, WpTreeOptions tree)
{
  const WpPaths *paths = ((const WpAnalysis *) wp_shared_get (analysis))->paths;
  gint64 length = paths->wall_end - paths->wall_start;
  double begin = clock_ms ();
  WpRangeRequest *request;
  WpAnalysis *range;

  tree.from = paths->wall_start + length / 4;
  tree.to = paths->wall_start + length / 2;
  request = wp_range_request_new (analysis, tree, NULL, NULL, FALSE);
  range = wp_range_run (request, NULL, NULL);
  g_assert_nonnull (range);
  begin = clock_ms () - begin;
  wp_analysis_free (range);
  wp_range_request_free (request);
  return begin;
}

/* The trace is the caller's. */
static void
keep (gpointer document)
{
}

static const char *const names[N_OPTIONS] = { "depth", "inverted", "threads merged", "range" };

/* What a worker does from each change of an option until new rows are there. */
static void
change_options (WpTrace *trace, guint process, double worst[N_OPTIONS])
{
  double times[N_OPTIONS][ROUNDS];
  WpDocument document = { .trace = trace };
  WpShared *shared = wp_shared_new (&document, keep);
  const WpAnalysisRequest plain = { .options = { .grace = WP_GRACE_DEFAULT, .started_work = processes[process].started },
                                    .tree = { .depth = { .depth = WP_DEPTH_FUNCTIONS } } };
  WpAnalysisRequest changed[N_OPTIONS];
  double first;
  WpShared *before = ask (shared, &plain, NULL, &first);

  for (guint i = 0; i < N_OPTIONS; i++)
    changed[i] = plain;
  changed[DEPTH].tree.depth.depth = WP_DEPTH_ALL;
  changed[INVERTED].tree.inverted = TRUE;
  changed[MERGED].options.merge_threads = TRUE;
  for (guint r = 0; r < ROUNDS; r++)
    {
      for (guint i = 0; i < RANGE; i++)
        {
          wp_shared_unref (ask (shared, &changed[i], before, &times[i][r]));
          wp_free_aside_settle ();
        }
      times[RANGE][r] = mark_range (before, plain.tree);
    }
  g_print ("%-20s opened in %.0f ms;", processes[process].name, first);
  for (guint i = 0; i < N_OPTIONS; i++)
    {
      double median = wp_bench_median (times[i], ROUNDS);

      worst[i] = MAX (worst[i], median);
      g_print (" %s %.0f ms%s", names[i], median, i + 1 < N_OPTIONS ? "," : "\n");
    }
  wp_shared_unref (before);
  wp_shared_unref (shared);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

int
main (void)
{
  static const double sizes[] = { 1e6, 3e6, 1e7 };
  enum { LAST = G_N_ELEMENTS (sizes) - 1 };
  double times[N_PROCESSES][LAST + 1], peak = 0, bytes = 0, cancelled = 0, options[N_OPTIONS] = { 0 };
  double longest[LAST + 1] = { 0 };

  for (guint p = 0; p < N_PROCESSES; p++)
    for (guint i = 0; i <= LAST; i++)
      {
        WpTrace *trace = large_trace_new (processes[p].kind, (guint32) sizes[i]);
        double needed;

        bytes = MAX (bytes, bytes_of (trace) / trace->ops.len);
        times[p][i] = measure (trace, p, &needed);
        longest[i] = MAX (longest[i], times[p][i]);
        peak = MAX (peak, needed);
        if (i == 0)
          change_options (trace, p, options);
        if (i == LAST && p == 0)
          cancelled = cancel (trace, processes[p].started, times[p][i]);
        wp_trace_free (trace);
      }
  wp_bench_figure ("one process of 10 million runs", longest[LAST], "ms", GOAL_MS);
  wp_bench_figure ("one process of 10 million runs: until it stops when it is cancelled, worst", cancelled, "ms", GOAL_CANCEL_MS);
  wp_bench_figure ("a million runs: new rows at another depth", options[DEPTH], "ms", GOAL_OPTION_MS);
  wp_bench_figure ("a million runs: new rows when stacks are turned over", options[INVERTED], "ms", GOAL_OPTION_MS);
  wp_bench_figure ("a million runs: new rows when threads are merged", options[MERGED], "ms", GOAL_OPTION_MS);
  wp_bench_figure ("a million runs: new rows of a range", options[RANGE], "ms", GOAL_OPTION_MS);
  wp_bench_figure ("memory of an operation", bytes, "bytes", LIMIT_BYTES);
  wp_bench_figure ("memory to analyse it, at most, an operation", peak, "bytes", 200);
  for (guint p = 0; p < N_PROCESSES; p++)
    wp_bench_growth (processes[p].name, sizes, times[p], LAST + 1);
  return longest[0] < LIMIT_MS && bytes <= LIMIT_BYTES ? 0 : 1;
}
