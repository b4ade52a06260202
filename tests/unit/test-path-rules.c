/* Rules of control paths that no scenario reaches: how far a part may reach, what overlaps, in which lanes paths stand. */
#include "paths-maker.h"
#include "trace/files.h"

/* The waker's run begins 100 µs before the sleep: it stands on it whole. If it begins earlier, only what lies in the sleep does. */
static void
test_grace (void)
{
  for (guint early = 0; early < 2; early++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;

      trace_maker_init (&m);
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      trace_maker_switch (&m, 0, 1, 2, 1, 0);
      trace_maker_switch (&m, 900 * US - early, 1, 0, 0, 2);
      trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
      trace_maker_wake (&m, 2000 * US, 1, 2, 1);
      trace_maker_switch (&m, 2100 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 2200 * US + early, 1, 2, 1, 0);
      trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      assert_path (paths, 1, early ? "1 run 0-1000, 1 sleep 1000-2100 [2 run 1000-2100], 1 run 2100-3000"
                                   : "1 run 0-1000, 1 sleep 1000-2100 [2 run 900-2200], 1 run 2100-3000");
      wp_trace_free (m.trace);
    }
}

/* A run shorter than 100 µs between two sleeps of one call, the first of which timed out, does not end the wait. */
static void
test_short_run (void)
{
  for (guint shorter = 0; shorter < 2; shorter++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 500 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, 500 * US, 0, 1, 1, 0);
      trace_maker_time_out (&m, 1000 * US, 0, 0, 1);
      trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 1100 * US - shorter, 0, 1, 1, 0);
      trace_maker_wake (&m, 2000 * US, 1, 2, 1);
      trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
      trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      assert_path (paths, 1, shorter ? "1 run 0-500, 1 sleep 500-1000 [2 run 500-1100], 1 run 1000-1100, "
                                       "1 sleep 1100-2000 [2 run 1100-2000], 1 run 2000-3000"
                                     : "1 run 0-500, 1 sleep 500-1000, 1 run 1000-1100, 1 sleep 1100-2000 [2 run 1100-2000], "
                                       "1 run 2000-3000");
      wp_trace_free (m.trace);
    }
}

/* A request waits while the device does one thing after the other, the latest first: what overlaps those stands on nothing. */
static void
test_busy_device (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 0, 1, 0, 0, 2);
  trace_maker_disk (&m, 100 * US, 1, 2, WP_EVENT_RQ_ISSUE, 0);    /* until 900 */
  trace_maker_disk (&m, 200 * US, 1, 2, WP_EVENT_RQ_ISSUE, 8);    /* until 400: over as ours is asked for */
  trace_maker_disk (&m, 300 * US, 1, 2, WP_EVENT_RQ_ISSUE, 16);   /* until 1200 */
  trace_maker_disk (&m, 400 * US, 1, 2, WP_EVENT_RQ_COMPLETE, 8);
  trace_maker_disk (&m, 400 * US, 0, 1, WP_EVENT_IO_START, 64);
  trace_maker_switch (&m, 400 * US, 0, 1, 2, 0);
  trace_maker_disk (&m, 900 * US, 1, 2, WP_EVENT_RQ_COMPLETE, 0);
  trace_maker_disk (&m, 1000 * US, 1, 2, WP_EVENT_RQ_ISSUE, 24);  /* until 1500, beside the one before */
  trace_maker_disk (&m, 1200 * US, 1, 2, WP_EVENT_RQ_COMPLETE, 16);
  trace_maker_disk (&m, 1450 * US, 1, 2, WP_EVENT_IO_START, 32);  /* it waits, too, but is not what the device does */
  trace_maker_disk (&m, 1500 * US, 1, 2, WP_EVENT_RQ_COMPLETE, 24);
  trace_maker_disk (&m, 1500 * US, 1, 2, WP_EVENT_RQ_ISSUE, 32);  /* from where that ends */
  trace_maker_disk (&m, 1900 * US, 1, 2, WP_EVENT_RQ_COMPLETE, 32);
  trace_maker_disk (&m, 2000 * US, 1, 2, WP_EVENT_RQ_ISSUE, 64);
  trace_maker_disk_done (&m, 3000 * US, 0, 0, 1, 64);
  trace_maker_switch (&m, 3100 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 4000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_path (paths, 1, "1 run 0-400, 1 sleep 400-3100 [0 disk-queue 400-2000 [0 disk 400-900, 0 disk 1000-1500, 0 disk 1500-1900], 0 disk 2000-3000], "
                         "1 run 3100-4000");
  wp_trace_free (m.trace);
}

/* Two threads wait for work that a server did before they slept, each of which is another path. The first thread's is found first, but is
 * later: both share a lane, that of the earlier one. */
static void
test_lanes (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "client");
  trace_maker_know (&m, 2, 1, "client");
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 0, 1, 0, 0, 2);
  for (gint64 t = 0, i = 0; i < 2; i++, t += 5000 * US)
    {
      gint32 client = i == 0 ? 2 : 1, server = 3 + i;
      guint cpu = i == 0 ? 1 : 0;

      trace_maker_wake (&m, t + 1000 * US, cpu, client, server);
      trace_maker_switch (&m, t + 1000 * US, 2, 0, 0, server);
      trace_maker_switch (&m, t + 2000 * US, cpu, client, 1, 0);
      trace_maker_wake (&m, t + 3000 * US, 2, server, client);
      trace_maker_switch (&m, t + 3000 * US, cpu, 0, 0, client);
      trace_maker_switch (&m, t + 3000 * US, 2, server, 1, 0);
    }
  trace_maker_switch (&m, 9000 * US, 0, 1, 16, 0);
  trace_maker_switch (&m, 9000 * US, 1, 2, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  g_assert_cmpuint (paths->paths.len, ==, 5);
  assert_path (paths, 3, "4 run 6000-8000");
  assert_path (paths, 4, "3 run 1000-3000");
  g_assert_cmpuint (paths->n_lanes, ==, 3);
  g_assert_cmpuint (paths->paths.data[3].lane, ==, 2);
  g_assert_cmpuint (paths->paths.data[4].lane, ==, 2);
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* A request to a device that is a file becomes requests for that file, to the device that holds it: those stand on it, others' do not. */
static void
test_backing (void)
{
  enum { LOOP = 7 << 20, DISK = 8 << 20 | 16 };
  static const guint64 inodes[] = { 70, 80 };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  WpEvent loop, event;

  trace_maker_begin (&m);
  trace_maker_switch (&m, 0, 1, 0, 0, 2);
  wp_trace_set_backing (m.trace, LOOP, "/image");
  wp_trace_set_file_name (m.trace, DISK, 70, "/image", WP_FILE_SEEN_LAST);
  wp_trace_set_file_name (m.trace, DISK, 80, "/other", WP_FILE_SEEN_LAST);
  loop = trace_maker_event (WP_EVENT_IO_START, 100 * US, 0, 1, 0);
  loop.block.dev = LOOP;
  loop.block.sectors = 8;
  wp_assembler_event (m.assembler, &loop);
  loop.time = 200 * US;
  loop.kind = WP_EVENT_RQ_ISSUE;
  wp_assembler_event (m.assembler, &loop);
  trace_maker_switch (&m, 200 * US, 0, 1, 2, 0);
  for (guint i = 0; i < G_N_ELEMENTS (inodes); i++)
    {
      event = trace_maker_event (WP_EVENT_FILE, (300 + i * 300) * US, 1, 2, 0);
      event.file.dev = DISK;
      event.file.inode = inodes[i];
      event.file.writes = TRUE;
      wp_assembler_event (m.assembler, &event);
      trace_maker_disk (&m, (310 + i * 300) * US, 1, 2, WP_EVENT_BIO_QUEUE, 64);
      trace_maker_disk (&m, (320 + i * 300) * US, 1, 2, WP_EVENT_RQ_ISSUE, 64);
      trace_maker_disk (&m, (500 + i * 300) * US, 1, 2, WP_EVENT_RQ_COMPLETE, 64);
    }
  loop = trace_maker_event (WP_EVENT_RQ_COMPLETE, 1000 * US, 0, 0, WP_IRQ_SOFT);
  loop.block.dev = LOOP;
  loop.block.sectors = 8;
  wp_assembler_event (m.assembler, &loop);
  event = trace_maker_event (WP_EVENT_WAKING, 1000 * US, 0, 0, WP_IRQ_SOFT);
  event.stack = trace_maker_stack (&m, "blk_update_request");
  event.wake.tid = 1;
  wp_assembler_event (m.assembler, &event);
  trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 2000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_path (paths, 1, "1 run 0-200, 1 sleep 200-1000 [0 disk 200-1000 [0 disk 320-500]], 1 run 1000-2000");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* A call in the nanosecond in which its caller goes to sleep: nothing of the sleep lies before it, so that it waits for nothing else. The time
 * until who is called runs stands on it, unless that sleep is cut. */
static void
test_call_at_once (void)
{
  TraceMaker m;
  WpIdArray cuts = { 0 };
  WpPathOptions cut = { .grace = WP_GRACE_DEFAULT, .cuts = &cuts };
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_begin (&m);
  trace_maker_wake (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 1010 * US, 1, 0, 0, 2);
  trace_maker_wake (&m, 2000 * US, 1, 2, 1);
  trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 [2 sleep 1000-1010, 2 run 1010-2000], 1 run 2000-3000");
  g_clear_pointer (&paths, wp_paths_free);
  for (WpId o = 1; o < m.trace->ops.len; o++)
    if (m.trace->ops.data[o].kind == WP_OP_SLEEP && m.trace->ops.data[o].end == 1010 * US)
      wp_array_push (&cuts, o);
  g_assert_cmpuint (cuts.len, ==, 1);
  paths = make_paths (m.trace, 1, &cut);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 [2 run 1010-2000], 1 run 2000-3000");
  g_clear_pointer (&paths, wp_paths_free);
  wp_array_clear (&cuts);
  wp_trace_free (m.trace);
}

/* Between two sleeps of one wait, with grace made less than the run between: what reaches over the end of the earlier one by just so much
 * stays whole, and what begins in that run is cut to the later one. */
static void
test_grace_within_wait (void)
{
  static const struct
  {
    gint64 grace;
    const char *first;
  } cases[] = { { 30 * US, "2 sleep 700-1030" }, { 30 * US - 1, "2 sleep 700-1000" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpPathOptions options = { .grace = cases[i].grace };
      g_autoptr (WpPaths) paths = NULL;
      g_autofree char *expected = g_strdup_printf ("1 run 0-500, 1 sleep 500-1000 [2 run 500-700, %s], 1 run 1000-1080, "
                                                   "1 sleep 1080-2000 [2 run 1080-2000], 1 run 2000-3000", cases[i].first);

      trace_maker_begin (&m);
      trace_maker_switch (&m, 500 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, 500 * US, 0, 1, 1, 0);
      trace_maker_switch (&m, 700 * US, 1, 2, 1, 0);
      trace_maker_time_out (&m, 1000 * US, 0, 0, 1);
      trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 1030 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, 1080 * US, 0, 1, 1, 0);
      trace_maker_wake (&m, 2000 * US, 1, 2, 1);
      trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
      trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, &options);
      assert_path (paths, 1, expected);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* Who wakes in the nanosecond in which it was switched in itself, and in which the sleep is over, does nothing within it. */
static void
test_waker_at_end (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_begin (&m);
  trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 2000 * US, 1, 0, 0, 2);
  trace_maker_wake (&m, 2000 * US, 1, 2, 1);
  trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 2050 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 [2 sleep 1000-2000], 1 run 2000-3000");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* Forked by another in the nanosecond in which the sleep begins: that is within it, so that who forked takes part. It was called by us before,
 * which is another path. */
static void
test_fork_at_start (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_begin (&m);
  trace_maker_wake (&m, 500 * US, 0, 1, 3);
  trace_maker_switch (&m, 500 * US, 1, 0, 0, 3);
  trace_maker_fork (&m, 1000 * US, 1, 3, 4);
  trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 1100 * US, 2, 0, 0, 4);
  trace_maker_switch (&m, 1200 * US, 1, 3, 1, 0);
  trace_maker_wake (&m, 2000 * US, 2, 4, 1);
  trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 2000 * US, 2, 4, 16, 0);
  trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  g_assert_cmpuint (paths->paths.len, ==, 3);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 waits 2 [4 sleep 1000-1100, 4 run 1100-2000], 1 run 2000-3000");
  assert_path (paths, 2, "3 run 500-1200");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* A thread that was called goes on by itself until it sleeps and nobody knows what ended that: what it does then may be for anybody. */
static void
test_started_until (void)
{
  static const WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_begin (&m);
  trace_maker_wake (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1010 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 1500 * US, 1, 2, 0, 0);
  trace_maker_switch (&m, 1600 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 3000 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 4000 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 5000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (paths->paths.len, ==, 3);
  assert_path (paths, 2, "2 sleep 1000-1010, 2 run 1010-1500, 2 sleep 1500-1600, 2 run 1600-2000");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* What a thread that was called does after it has slept for a time that it asked for is still ours; what it does after a timeout is not. */
static void
test_started_after_timer (void)
{
  static const WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  static const char *const functions[] = { "hrtimer_nanosleep", "futex_do_wait" };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;

      trace_maker_begin (&m);
      m.stack = trace_maker_stack (&m, functions[i]);
      trace_maker_wake (&m, 1000 * US, 0, 1, 2);
      trace_maker_switch (&m, 1000 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
      trace_maker_time_out (&m, 3000 * US, 1, 0, 2);
      trace_maker_switch (&m, 3000 * US, 1, 0, 0, 2);
      trace_maker_switch (&m, 4000 * US, 1, 2, 16, 0);
      trace_maker_switch (&m, 5000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, &started);
      g_assert_cmpuint (paths->paths.len, ==, 3);
      assert_path (paths, 2, i == 0 ? "2 run 1000-2000, 2 sleep 2000-3000, 2 run 3000-4000" : "2 run 1000-2000");
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* One run of a server ends sleeps of two threads in turn: each gets what lies in its own, whether that comes before or after what is placed. */
static void
test_shared_run (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "client");
  trace_maker_know (&m, 2, 1, "client");
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 0, 1, 0, 0, 2);
  trace_maker_switch (&m, 0, 2, 0, 0, 3);
  for (guint i = 0; i < 3; i++)
    {
      gint32 client = i == 1 ? 2 : 1, cpu = client - 1;

      trace_maker_switch (&m, (1000 + 2000 * i) * US, cpu, client, 1, 0);
      trace_maker_wake (&m, (2000 + 2000 * i) * US, 2, 3, client);
      trace_maker_switch (&m, (2000 + 2000 * i) * US, cpu, 0, 0, client);
    }
  trace_maker_switch (&m, 8000 * US, 0, 1, 16, 0);
  trace_maker_switch (&m, 8000 * US, 1, 2, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  g_assert_cmpuint (paths->paths.len, ==, 3);
  assert_path (paths, 1, "1 run 0-1000, 1 sleep 1000-2000 [3 run 1000-2000], 1 run 2000-5000, 1 sleep 5000-6000 [3 run 5000-6000], "
                         "1 run 6000-8000");
  assert_path (paths, 2, "2 run 0-3000, 2 sleep 3000-4000 [3 run 3000-4000], 2 run 4000-8000");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* What one run calls becomes paths in the order in which that began, not in the order of the calls. */
static void
test_started_in_order (void)
{
  static const WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  static const gint32 called[] = { 3, 4, 5, 6 }, began[] = { 4, 6, 5, 3 };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_begin (&m);
  trace_maker_wake (&m, 1000 * US, 0, 1, 2);
  trace_maker_switch (&m, 1000 * US, 1, 0, 0, 2);
  for (guint i = 0; i < G_N_ELEMENTS (called); i++)
    trace_maker_wake (&m, (1100 + i) * US, 1, 2, called[i]);
  for (guint i = 0; i < G_N_ELEMENTS (began); i++)
    trace_maker_switch (&m, (1500 + 100 * i) * US, 2 + i, 0, 0, began[i]);
  for (guint i = 0; i < G_N_ELEMENTS (began); i++)
    trace_maker_switch (&m, (2500 + 100 * i) * US, 2 + i, began[i], 16, 0);
  trace_maker_switch (&m, 4000 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 5000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, &started);
  g_assert_cmpuint (paths->paths.len, ==, 3 + G_N_ELEMENTS (began));
  for (guint i = 0; i < G_N_ELEMENTS (began); i++)
    g_assert_cmpint (m.trace->tasks.data[paths->paths.data[3 + i].task].tid, ==, began[i]);
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paths/grace", test_grace);
  g_test_add_func ("/paths/short-run", test_short_run);
  g_test_add_func ("/paths/busy-device", test_busy_device);
  g_test_add_func ("/paths/lanes", test_lanes);
  g_test_add_func ("/paths/backing", test_backing);
  g_test_add_func ("/paths/call-at-once", test_call_at_once);
  g_test_add_func ("/paths/grace/within-wait", test_grace_within_wait);
  g_test_add_func ("/paths/waker-at-end", test_waker_at_end);
  g_test_add_func ("/paths/fork-at-start", test_fork_at_start);
  g_test_add_func ("/paths/started-until", test_started_until);
  g_test_add_func ("/paths/shared-run", test_shared_run);
  g_test_add_func ("/paths/started-after-timer", test_started_after_timer);
  g_test_add_func ("/paths/started-in-order", test_started_in_order);
  return g_test_run ();
}
