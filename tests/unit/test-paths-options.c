/* Control paths as they are asked for: work that was started and not waited for, cuts by hand, threads merged. */
#include "paths-maker.h"
#include "profile/perun/perun.h"

#include <glib/gstdio.h>
#include <sys/socket.h>

static gint64
assert_sums (const WpPaths *paths)
{
  g_autoptr (WpExplanation) e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);
  gint64 sum = 0;

  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    sum += e->ns[c];
  g_assert_cmpint (sum, ==, e->total);
  g_assert_cmpint (tree->nodes.data[0].total, ==, e->total);
  return e->total;
}

static const WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };

/* 1 forks 2 and works on; 2 does what it does by itself: works, sleeps until a timer, works, ends. */
static void
test_forked (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) plain = NULL, all = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_fork (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1200 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
  trace_maker_time_out (&m, 4000 * US, 1, 0, 2);
  trace_maker_switch (&m, 4010 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 5000 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 6000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  plain = make_paths (m.trace, 1, NULL);
  g_assert_cmpuint (plain->paths.len, ==, 2);
  g_assert_cmpint (assert_sums (plain), ==, 6000 * US);
  all = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (all->paths.len, ==, 3);
  assert_path (all, 1, "1 run 0-6000");
  assert_path (all, 2, "2 sleep 1000-1200, 2 run 1200-2000, 2 sleep 2000-4010, 2 run 4010-5000");
  g_assert_true (all->paths.data[2].started && !all->paths.data[2].base);
  g_assert_false (all->paths.data[1].started);
  g_assert_cmpint (assert_sums (all), ==, 6000 * US + 4000 * US);
  g_assert_cmpint (all->wall_end, ==, 6000 * US);
  wp_trace_free (m.trace);
}

/* 1 calls the server 2, which asks 3 and waits for it; then it sleeps until somebody else calls. Neither what it did before
 * nor what it does for 9 is ours; 3 is waited for, so that it has no path of its own. */
static void
test_called (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 1, 0, 0, 2);
  trace_maker_switch (&m, 100 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 200 * US, 0, 0, 0, 1);
  trace_maker_wake (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1010 * US, 1, 0, 0, 2);
  trace_maker_wake (&m, 1500 * US, 1, 2, 3);
  trace_maker_switch (&m, 1600 * US, 1, 2, 1, 3);
  trace_maker_wake (&m, 2500 * US, 1, 3, 2);
  trace_maker_switch (&m, 2510 * US, 1, 3, 1, 2);
  trace_maker_switch (&m, 3000 * US, 1, 2, 1, 9);
  trace_maker_wake (&m, 4000 * US, 1, 9, 2);
  trace_maker_switch (&m, 4010 * US, 1, 9, 1, 2);
  trace_maker_switch (&m, 5000 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 6000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (paths->paths.len, ==, 3);
  assert_path (paths, 2,
               "2 sleep 1000-1010, 2 run 1010-1600, 2 sleep 1600-2510 [3 run 1600-2510], 2 run 2510-3000");
  assert_sums (paths);
  wp_trace_free (m.trace);
}

/* The server answers, then writes a log, for which nobody waits: twice. Both tails are paths, which share a lane below. */
static void
test_after_the_answer (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  gint64 t = 0;

  trace_maker_init (&m);
  trace_maker_switch (&m, t, 0, 0, 0, 1);
  for (guint i = 0; i < 2; i++, t += 10000 * US)
    {
      trace_maker_wake (&m, t + 1000 * US, 0, 1, 2);
      trace_maker_switch (&m, t + 1000 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, t + 1000 * US, 0, 1, 1, 0);
      trace_maker_wake (&m, t + 2000 * US, 1, 2, 1);
      trace_maker_switch (&m, t + 2010 * US, 0, 0, 0, 1);
      trace_maker_disk (&m, t + 3000 * US, 1, 2, WP_EVENT_IO_START, 64 + i * 8);
      trace_maker_disk (&m, t + 3000 * US, 1, 2, WP_EVENT_RQ_ISSUE, 64 + i * 8);
      trace_maker_switch (&m, t + 3000 * US, 1, 2, 2, 0);
      trace_maker_disk_done (&m, t + 4000 * US, 1, 0, 2, 64 + i * 8);
      trace_maker_switch (&m, t + 4010 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, t + 4500 * US, 1, 2, 1, 0);
    }
  trace_maker_switch (&m, t, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (paths->paths.len, ==, 4);
  assert_path (paths, 2, "2 run 2010-3000, 2 sleep 3000-4010 [0 disk 3000-4000], 2 run 4010-4500");
  assert_path (paths, 3, "2 run 12010-13000, 2 sleep 13000-14010 [0 disk 13000-14000], 2 run 14010-14500");
  g_assert_cmpuint (paths->n_lanes, ==, 2);
  g_assert_cmpuint (paths->paths.data[2].lane, ==, 1);
  g_assert_cmpuint (paths->paths.data[3].lane, ==, 1);
  assert_sums (paths);
  wp_trace_free (m.trace);
}

/* Other paths have their lanes above those that were started: 1 forks 2, whose work it waits for later, and 3. */
static void
test_lanes (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_fork (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1010 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 3000 * US, 0, 1, 1, 0);
  trace_maker_wake (&m, 4000 * US, 1, 2, 1);
  trace_maker_switch (&m, 4010 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 4020 * US, 1, 2, 16, 0);
  trace_maker_fork (&m, 5000 * US, 0, 1, 3);
  trace_maker_switch (&m, 5010 * US, 1, 0, 0, 3);
  trace_maker_switch (&m, 6000 * US, 1, 3, 16, 0);
  trace_maker_switch (&m, 7000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (paths->paths.len, ==, 4);
  assert_path (paths, 2, "2 sleep 1000-1010, 2 run 1010-4020");
  g_assert_false (paths->paths.data[2].started);
  assert_path (paths, 3, "3 sleep 5000-5010, 3 run 5010-6000");
  g_assert_true (paths->paths.data[3].started);
  for (WpId p = 1; p < 4; p++)
    g_assert_cmpuint (paths->paths.data[p].lane, ==, p - 1);
  wp_trace_free (m.trace);
}

/* --- cuts ---------------------------------------------------------------------------------------------------------- */

static WpId
op_at (const WpTrace *trace, gint32 tid, gint64 time)
{
  for (WpId o = 1; o < trace->ops.len; o++)
    if (trace->tasks.data[trace->ops.data[o].task].tid == tid && trace->ops.data[o].start <= time && time < trace->ops.data[o].end)
      return o;
  return 0;
}

static gint64
ns_of_row (const WpPaths *paths, const char *name)
{
  g_autoptr (WpExplanation) e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  gint64 ns = 0;

  for (guint32 i = 0; i < e->rows.len; i++)
    if (g_str_equal (e->rows.data[i].name, name))
      ns += e->rows.data[i].ns;
  return ns;
}

static void
test_cut (void)
{
  static const struct
  {
    gint32 tid;
    gint64 time;
    const char *expected;
    gint64 cut;
  } cases[] = {
    { 0, 0, "1 run 0-1000, 1 sleep 1000-4000 [2 run 1000-2000, 2 sleep 2000-3000 [3 run 2000-3000], 2 run 3000-4000], "
            "1 run 4000-5000", 0 },
    { 2, 3500, "1 run 0-1000, 1 sleep 1000-4000, 1 run 4000-5000", 3000 },
    { 2, 2500, "1 run 0-1000, 1 sleep 1000-4000 [2 run 3000-4000], 1 run 4000-5000", 2000 },
    { 2, 1500, "1 run 0-1000, 1 sleep 1000-4000 [2 sleep 2000-3000 [3 run 2000-3000], 2 run 3000-4000], 1 run 4000-5000", 1000 },
    { 3, 2500, "1 run 0-1000, 1 sleep 1000-4000 [2 run 1000-2000, 2 sleep 2000-3000, 2 run 3000-4000], 1 run 4000-5000", 1000 },
    /* of the base there is nothing to cut */
    { 1, 500, "1 run 0-1000, 1 sleep 1000-4000 [2 run 1000-2000, 2 sleep 2000-3000 [3 run 2000-3000], 2 run 3000-4000], "
              "1 run 4000-5000", 0 },
  };
  TraceMaker m;

  make_chain (&m);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WpIdArray cuts = { 0 };
      WpPathOptions options = { .grace = WP_GRACE_DEFAULT, .cuts = &cuts };
      g_autoptr (WpPaths) paths = NULL;

      if (cases[i].tid != 0)
        wp_array_push (&cuts, op_at (m.trace, cases[i].tid, cases[i].time * US));
      paths = make_paths (m.trace, 1, &options);
      assert_path (paths, 1, cases[i].expected);
      g_assert_cmpint (assert_sums (paths), ==, 5000 * US);
      g_assert_cmpint (ns_of_row (paths, "cut by hand"), ==, cases[i].cut * US);
      wp_array_clear (&cuts);
      g_assert_cmpuint (paths->cuts.len, ==, cases[i].tid != 0); /* the paths have their own list */
    }
  wp_trace_free (m.trace);
}

/* A request that was cut leaves the sleep it ended unexplained; a cut call starts nothing. */
static void
test_cut_others (void)
{
  TraceMaker m;
  WpIdArray cuts = { 0 };
  WpPathOptions options = { .grace = WP_GRACE_DEFAULT, .cuts = &cuts, .started_work = TRUE };
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_wake (&m, 500 * US, 0, 1, 2);
  trace_maker_switch (&m, 500 * US, 1, 0, 0, 2);
  trace_maker_disk (&m, 1000 * US, 0, 1, WP_EVENT_IO_START, 64);
  trace_maker_disk (&m, 1000 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64);
  trace_maker_switch (&m, 1000 * US, 0, 1, 2, 0);
  trace_maker_disk_done (&m, 2000 * US, 0, 0, 1, 64);
  trace_maker_switch (&m, 2010 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 3000 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 4000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &options);
  g_assert_cmpuint (paths->paths.len, ==, 3);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2010 [0 disk 1000-2000], 1 run 2010-4000");
  g_clear_pointer (&paths, wp_paths_free);
  for (WpId o = 1; o < m.trace->ops.len; o++)
    if (m.trace->ops.data[o].kind == WP_OP_DISK || o == op_at (m.trace, 2, 600 * US))
      wp_array_push (&cuts, o);
  g_assert_cmpuint (cuts.len, ==, 2);
  paths = make_paths (m.trace, 1, &options);
  g_assert_cmpuint (paths->paths.len, ==, 2);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2010, 1 run 2010-4000");
  g_assert_cmpint (ns_of_row (paths, "cut by hand"), ==, 1000 * US + 100);
  wp_array_clear (&cuts);
  wp_trace_free (m.trace);
}

/* Saved with both options and opened again: the same paths, options and explanation; saved again: the same file. */
static void
test_saved (void)
{
  TraceMaker m;
  WpIdArray cuts = { 0 };
  WpPathOptions options = { .grace = 50 * US, .cuts = &cuts, .started_work = TRUE };
  g_autofree char *folder = g_dir_make_tmp ("wakepath-options-XXXXXX", NULL);
  char *files[] = { g_build_filename (folder, "a.perf", NULL), g_build_filename (folder, "b.perf", NULL) };
  char *texts[2] = { NULL, NULL };
  g_autoptr (WpPaths) paths = NULL, reopened = NULL;
  g_autoptr (WpTrace) trace = NULL;
  g_autoptr (WpExplanation) e = NULL, again = NULL;
  g_autoptr (GString) expected = g_string_new (NULL);

  make_chain (&m);
  wp_array_push (&cuts, op_at (m.trace, 2, 2500 * US));
  paths = make_paths (m.trace, 1, &options);
  g_assert_cmpuint (paths->paths.len, >, 2); /* what was cut was started, too */
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_assert_true (wp_perun_save (files[0], paths, e, NULL, NULL));
  g_assert_true (wp_perun_load (files[0], &trace, &reopened, NULL, NULL));
  g_assert_true (reopened->options.started_work);
  g_assert_cmpuint (reopened->cuts.len, ==, 1);
  g_assert_true (reopened->options.cuts == &reopened->cuts);
  g_assert_cmpint (trace->ops.data[reopened->cuts.data[0]].start, ==, 2000 * US);
  g_assert_cmpuint (reopened->paths.len, ==, paths->paths.len);
  for (WpId p = 1; p < paths->paths.len; p++)
    {
      g_string_truncate (expected, 0);
      describe_parts (expected, paths, paths->paths.data[p].first_part);
      assert_path (reopened, p, expected->str);
      g_assert_cmpint (reopened->paths.data[p].started, ==, paths->paths.data[p].started);
    }
  g_assert_cmpint (ns_of_row (reopened, "cut by hand"), ==, 2000 * US);
  again = wp_explain (reopened, 0, G_MAXINT64, NULL, NULL);
  g_assert_true (wp_perun_save (files[1], reopened, again, NULL, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (g_file_get_contents (files[i], &texts[i], NULL, NULL));
      g_unlink (files[i]);
    }
  g_assert_cmpstr (texts[0], ==, texts[1]);
  for (guint i = 0; i < 2; i++)
    {
      g_free (texts[i]);
      g_free (files[i]);
    }
  g_rmdir (folder);
  wp_array_clear (&cuts);
  wp_trace_free (m.trace);
}

/* --- by what a waking came ------------------------------------------------------------------------------------------- */

/* Packets arrive in a softirq, within their sender's send or whoever is there: what that task wakes by itself right after came by none of them.
 * What it sends to a Unix socket is ready within its own call. */
static void
test_channels (void)
{
  static const guint8 families[] = { AF_UNIX, AF_INET };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      TraceMaker m;
      WpEvent ready = { .time = 100 * US, .tid = 1, .pid = 1, .kind = WP_EVENT_NET_READY, .has_irq_flags = TRUE,
                        .net = { .socket = 0x1000, .length = -1, .family = families[i], .protocol = i > 0 ? 6 : 0 } };

      trace_maker_init (&m);
      trace_maker_switch (&m, 0, 1, 2, 1, 0);
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      ready.irq_flags = i > 0 ? WP_IRQ_SOFT : 0;
      wp_assembler_event (m.assembler, &ready);
      trace_maker_wake (&m, 102 * US, 0, 1, 2);
      trace_maker_switch (&m, 110 * US, 1, 0, 0, 2);
      trace_maker_finish (&m);
      g_assert_cmpuint (m.trace->links.len, ==, 2);
      g_assert_cmpint (m.trace->links.data[1].cause, ==, WP_CAUSE_TASK);
      g_assert_cmpint (m.trace->links.data[1].device != 0, ==, families[i] == AF_UNIX);
      wp_trace_free (m.trace);
    }
}

/* --- threads merged ------------------------------------------------------------------------------------------------ */

/* Threads 1 and 2 of one process wait for each other: boxes, rows and what is waited for are named by thread, or all by the
 * process. Every thread is a base path either way. */
static void
test_merged (void)
{
  TraceMaker m;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "server");
  trace_maker_know (&m, 2, 1, "worker");
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_wake (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1000 * US, 0, 1, 1, 2);
  trace_maker_wake (&m, 2000 * US, 0, 2, 1);
  trace_maker_switch (&m, 2000 * US, 0, 2, 1, 1);
  trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  for (guint merged = 0; merged < 2; merged++)
    {
      WpPathOptions options = { .grace = WP_GRACE_DEFAULT, .merge_threads = merged };
      g_autoptr (WpPaths) paths = make_paths (m.trace, 1, &options);

      g_assert_cmpuint (paths->paths.len, ==, 3);
      g_assert_true (paths->paths.data[1].base && paths->paths.data[2].base);
      assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 waits 2, 1 run 2000-3000");
      g_assert_cmpstr (wp_part_name (paths, paths->paths.data[2].first_part), ==, merged ? "server" : "worker");
      g_assert_cmpint (ns_of_row (paths, "worker"), ==, merged ? 0 : 2000 * US);
      g_assert_cmpint (ns_of_row (paths, "server"), ==, merged ? 5000 * US : 3000 * US); /* 1 ms of it waits for its first wakeup */
    }
  wp_trace_free (m.trace);
}

/* --- a wait in several sleeps -------------------------------------------------------------------------------------- */

/* Waits for the disk with a timeout, twice in vain: what of the request lies within each of the three sleeps stands on it. */
static void
test_device_window (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_disk (&m, 1000 * US, 0, 1, WP_EVENT_IO_START, 64);
  trace_maker_disk (&m, 1000 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64);
  for (guint i = 0; i < 2; i++)
    {
      trace_maker_switch (&m, (1000 + i * 1000) * US, 0, 1, 1, 0);
      trace_maker_time_out (&m, (1980 + i * 1000) * US, 0, 0, 1);
      trace_maker_switch (&m, (1990 + i * 1000) * US, 0, 0, 0, 1);
    }
  trace_maker_switch (&m, 3000 * US, 0, 1, 1, 0);
  trace_maker_disk_done (&m, 4000 * US, 0, 0, 1, 64);
  trace_maker_switch (&m, 4010 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 5000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-1990 [0 disk 1000-1990], 1 run 1990-2000, 1 sleep 2000-2990 [0 disk 2000-2990], "
                         "1 run 2990-3000, 1 sleep 3000-4010 [0 disk 3000-4000], 1 run 4010-5000");
  wp_trace_free (m.trace);
}

/* --- recursion --------------------------------------------------------------------------------------------------- */

static WpId
add_frame (TraceMaker *m, WpId parent, const char *function)
{
  return wp_trace_stack (m->trace, parent, wp_trace_kernel_frame (m->trace, wp_trace_module (m->trace, "[kernel]", NULL), function));
}

static void
assert_folded (const WpPaths *paths, WpTreeOptions options, const char *expected)
{
  g_autoptr (WpTree) tree = wp_tree_new (paths, &options, NULL, NULL);
  g_autoptr (GString) out = g_string_new (NULL);

  wp_tree_folded (tree, out);
  g_assert_cmpstr (out->str, ==, expected);
}

/* work() calls itself twice, then wait(), which calls work(). A program that is named as a function is none. */
static void
test_recursion (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "work");
  m.stack = add_frame (&m, add_frame (&m, add_frame (&m, add_frame (&m, add_frame (&m, 0, "work"), "work"), "work"), "wait"), "work");
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
  trace_maker_time_out (&m, 3000 * US, 0, 0, 1);
  trace_maker_switch (&m, 3000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 4000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_folded (paths, (WpTreeOptions) { 0 }, "work;work;work;work;wait;work 2000000\nwork;(not sampled) 2000000\n");
  assert_folded (paths, (WpTreeOptions) { .collapse_recursion = TRUE }, "work;work;wait;work 2000000\nwork;(not sampled) 2000000\n");
  assert_folded (paths, (WpTreeOptions) { .collapse_recursion = TRUE, .inverted = TRUE },
                 "work;wait;work;work 2000000\n(not sampled);work 2000000\n");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paths/started/forked", test_forked);
  g_test_add_func ("/paths/started/called", test_called);
  g_test_add_func ("/paths/started/after-the-answer", test_after_the_answer);
  g_test_add_func ("/paths/started/lanes", test_lanes);
  g_test_add_func ("/paths/cut", test_cut);
  g_test_add_func ("/paths/cut/others", test_cut_others);
  g_test_add_func ("/paths/saved", test_saved);
  g_test_add_func ("/paths/channels", test_channels);
  g_test_add_func ("/paths/merged", test_merged);
  g_test_add_func ("/paths/recursion", test_recursion);
  g_test_add_func ("/paths/device-window", test_device_window);
  return g_test_run ();
}
