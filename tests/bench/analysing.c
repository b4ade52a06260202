/* How long it takes to analyse one process of interest with one, three and ten million runs — control paths, explanation, call tree — and
 * how much memory its trace needs for an operation. Three processes: a client that asks a server, a pool of 128 threads
 * that wait for one another, and one that forks a tree of others. */
#include "figures.h"
#include "large-trace.h"
#include "measure.h"
#include "paths/tree.h"

#define ROUNDS 5
#define LIMIT_MS 1000.0 /* of a million */
#define GOAL_MS 3000 /* of ten */
#define LIMIT_BYTES 60.0

/* --- measuring ----------------------------------------------------------------------------------------------------- */

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

/* Returns the median of all three steps together. */
static double
analyse (const char *name, const WpTrace *trace, const WpPathOptions *options)
{
  double paths_ms[ROUNDS], explain_ms[ROUNDS], tree_ms[ROUNDS], all_ms[ROUNDS];
  WpIdArray tasks = { 0 };
  guint32 parts = 0, n_paths = 0;

  wp_paths_process_of (trace, 1, &tasks);
  for (guint i = 0; i < ROUNDS; i++)
    {
      double begin = wp_bench_cpu_ms (), made, explained, done;
      g_autoptr (WpPaths) paths = wp_paths_new (trace, tasks.data, tasks.len, options, NULL, NULL);
      g_autoptr (WpExplanation) explanation = NULL;
      g_autoptr (WpTree) tree = NULL;

      made = wp_bench_cpu_ms ();
      explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      explained = wp_bench_cpu_ms ();
      tree = wp_tree_new (paths, &(WpTreeOptions) { .explanation = explanation }, NULL, NULL);
      done = wp_bench_cpu_ms ();
      g_assert_cmpint (tree->nodes.data[0].total, ==, explanation->total);
      paths_ms[i] = made - begin;
      explain_ms[i] = explained - made;
      tree_ms[i] = done - explained;
      all_ms[i] = done - begin;
      parts = paths->parts.len - 1;
      n_paths = paths->paths.len - 1;
    }
  wp_array_clear (&tasks);
  g_print ("%-24s %8u parts, %7u paths: paths %4.0f ms, explanation %4.0f ms, tree %4.0f ms, all %4.0f ms\n", name, parts,
           n_paths, wp_bench_median (paths_ms, ROUNDS), wp_bench_median (explain_ms, ROUNDS), wp_bench_median (tree_ms, ROUNDS),
           wp_bench_median (all_ms, ROUNDS));
  return wp_bench_median (all_ms, ROUNDS);
}

/* The longest of three processes of so many runs, each without and with what it started. Most bytes an operation go to `bytes`. */
static double
analyse_all (guint n_runs, double *bytes)
{
  static const struct
  {
    const char *name;
    LargeTrace kind;
  } processes[] = {
    { "client and server", LARGE_TRACE_CLIENT },
    { "pool of 128 threads", LARGE_TRACE_POOL },
    { "tree of forks", LARGE_TRACE_FORKS },
  };
  static const WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  double worst = 0;

  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      WpTrace *trace = large_trace_new (processes[i].kind, n_runs);
      double each = bytes_of (trace) / trace->ops.len;

      g_print ("%s: %u tasks, %u operations, %u links, %u samples; %.1f bytes an operation\n", processes[i].name,
               trace->tasks.len - 1, trace->ops.len - 1, trace->links.len - 1, trace->samples.len - 1, each);
      *bytes = MAX (*bytes, each);
      worst = MAX (worst, analyse ("  waited for", trace, NULL));
      worst = MAX (worst, analyse ("  and what was started", trace, &started));
      wp_trace_free (trace);
    }
  return worst;
}

int
main (void)
{
  static const double sizes[] = { 1e6, 3e6, 1e7 };
  double times[G_N_ELEMENTS (sizes)], bytes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    times[i] = analyse_all ((guint) sizes[i], &bytes);
  wp_bench_figure ("one process of 10 million runs", times[2], "ms", GOAL_MS);
  wp_bench_figure ("memory of an operation", bytes, "bytes", LIMIT_BYTES);
  wp_bench_growth ("analysing", sizes, times, G_N_ELEMENTS (sizes));
  return times[0] < LIMIT_MS && bytes <= LIMIT_BYTES ? 0 : 1;
}
