/* Explaining on several threads makes no difference: on all scenarios, whatever task is explained. Nor does it where a range is cut out of what is explained
 * as a whole. And where runs of a CPU are
 * sought near others the same are found from anywhere. */
#include "paths/explain-private.h"
#include "read/read.h"

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void
assert_same_rows (const WpExplanation *one, const WpExplanation *other)
{
  g_assert_cmpuint (one->rows.len, ==, other->rows.len);
  for (guint32 i = 0; i < one->rows.len; i++)
    {
      const WpExplanationRow *a = &one->rows.data[i], *b = &other->rows.data[i];

      g_assert_cmpuint (a->category, ==, b->category);
      g_assert_cmpstr (a->name, ==, b->name);
      g_assert_cmpint (a->ns, ==, b->ns);
      g_assert_cmpint (a->latency, ==, b->latency);
      g_assert_cmpuint (a->pieces, ==, b->pieces);
      g_assert_cmpuint (a->rival, ==, b->rival);
    }
}

static void
assert_same (const WpExplanation *one, const WpExplanation *other)
{
  g_assert_cmpint (one->total, ==, other->total);
  g_assert_cmpint (one->wall, ==, other->wall);
  g_assert_cmpuint (one->processes, ==, other->processes);
  g_assert_cmpuint (one->undivided_to, ==, other->undivided_to);
  g_assert_cmpmem (one->ns, sizeof one->ns, other->ns, sizeof other->ns);
  g_assert_cmpmem (one->latency, sizeof one->latency, other->latency, sizeof other->latency);
  g_assert_cmpuint (one->pieces.len, ==, other->pieces.len);
  for (guint32 i = 0; i < one->pieces.len; i++)
    {
      const WpPiece *a = &one->pieces.data[i], *b = &other->pieces.data[i];

      g_assert_true (a->start == b->start && a->end == b->end && a->part == b->part && a->row == b->row && a->latency == b->latency);
    }
  assert_same_rows (one, other);
}

static void
check_task (const WpTrace *trace, WpId task)
{
  static const guint threads[] = { 2, 3, 8 };
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) whole = NULL;

  wp_paths_process_of (trace, task, &tasks);
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  whole = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  for (guint range = 0; range < 2; range++)
    {
      gint64 from = range == 0 ? 0 : trace->end / 3, to = range == 0 ? G_MAXINT64 : trace->end / 3 * 2;
      g_autoptr (WpExplanation) one = wp_explain_on (1, paths, from, to, NULL, NULL);
      g_autoptr (WpExplanation) cut = wp_explain_range (paths, whole, from, to, NULL, NULL);

      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        {
          g_autoptr (WpExplanation) other = wp_explain_on (threads[i], paths, from, to, NULL, NULL);

          assert_same (one, other);
        }
      assert_same (one, cut);
    }
  wp_array_clear (&tasks);
}

static void
test_file (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, &error);

  g_assert_no_error (error);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      check_task (trace, t);
}

/* Whoever cancels it is told so by whichever thread. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("WP_SCENARIOS"), "fork-wait-file.trace", NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) paths = NULL;

  wp_paths_process_of (trace, 1, &tasks);
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (wp_explain_on (3, paths, 0, G_MAXINT64, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wp_array_clear (&tasks);
}

/* --- runs of a CPU ------------------------------------------------------------------------------------------------ */

static void
assert_same_runs (const WpCpuRuns *one, const WpCpuRuns *other)
{
  g_assert_cmpuint (one->len, ==, other->len);
  for (guint32 i = 0; i < one->len; i++)
    {
      const WpCpuRun *a = &one->data[i], *b = &other->data[i];

      g_assert_true (a->start == b->start && a->end == b->end && a->op == b->op && a->task == b->task && a->cpu == b->cpu);
    }
}

static void
test_near (void)
{
  WpCpuRuns runs = { 0 }, known = { 0 }, found = { 0 };

  for (guint32 i = 0; i < 40; i++)
    wp_array_push (&runs, ((WpCpuRun) { .start = i % 20 * 10, .end = i % 20 * 10 + 7, .op = i + 1, .task = i + 100, .cpu = i / 20 * 2 + 1 }));
  for (guint32 cpu = 0; cpu < 5; cpu++)
    for (gint64 start = 0; start < 220; start += 3)
      {
        WpCpuRun wait = { .start = start, .end = start + 25, .cpu = cpu };
        guint32 first = 0;

        wp_cpu_runs_holders (&runs, &wait, &first, &known);
        for (guint32 i = 0; i < 45; i++)
          {
            guint32 near = i < 44 ? i : G_MAXUINT32;

            wp_cpu_runs_holders (&runs, &wait, &near, &found);
            g_assert_cmpuint (near, ==, first);
            assert_same_runs (&known, &found);
          }
        for (guint32 i = 0; i < found.len; i++)
          g_assert_cmpuint (found.data[i].task, ==, found.data[i].op != 0 ? found.data[i].op + 99 : 0);
      }
  wp_array_clear (&runs);
  wp_array_clear (&known);
  wp_array_clear (&found);
}

/* A file may give its CPUs any numbers. */
static void
test_numbers (void)
{
  static const guint32 cpus[] = { 1, 65535, 65536, G_MAXUINT32 };

  for (guint32 i = 0; i < G_N_ELEMENTS (cpus); i++)
    {
      g_autoptr (WpTrace) trace = wp_trace_new ();
      WpCpuRuns waits = { 0 }, runs = { 0 };

      wp_array_resize (&trace->tasks, 2);
      for (gint64 start = 40; start >= 0; start -= 10)
        {
          wp_array_push (&trace->ops, ((WpOp) { .start = start, .end = start + 5, .task = 1, .kind = WP_OP_RUN, .cpu = cpus[i] }));
          wp_array_push (&waits, ((WpCpuRun) { .start = start + 1, .end = start + 3, .cpu = start == 20 ? 1 : cpus[i] }));
        }
      g_assert_true (wp_cpu_runs_find (trace, &waits, &runs, NULL, NULL));
      g_assert_cmpuint (runs.len, ==, cpus[i] == 1 ? 5 : 4);
      for (guint32 k = 0; k < runs.len; k++)
        g_assert_true (runs.data[k].cpu == cpus[i] && (k == 0 || runs.data[k - 1].end <= runs.data[k].start));
      wp_array_clear (&waits);
      wp_array_clear (&runs);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explain-threads/cancelled", test_cancelled);
  g_test_add_func ("/explain-threads/near", test_near);
  g_test_add_func ("/explain-threads/numbers", test_numbers);
  folder = g_dir_open (g_getenv ("WP_SCENARIOS"), 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".trace"))
      {
        g_autofree char *test = g_strdup_printf ("/explain-threads/scenarios/%s", name);

        g_test_add_data_func_full (test, g_build_filename (g_getenv ("WP_SCENARIOS"), name, NULL), test_file, g_free);
      }
  return g_test_run ();
}
