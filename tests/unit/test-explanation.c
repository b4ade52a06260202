/* What explains the time of control paths, where no scenario says it: ranges, losses, reasons, samples of a part, kinds of boxes. */
#include "paths-maker.h"
#include "paths/terms.h"

/* What is asked for explains the paths' own time, from the first of them to the last, as far as it lies between. */
static void
test_wall (void)
{
  static const struct
  {
    gint64 from, to, wall;
  } cases[] = { { 0, G_MAXINT64, 5000 }, { 1000, 2000, 1000 }, { 3000, 9000, 2000 }, { 0, 500, 500 }, { 6000, 9000, 0 } };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 1, 0, 0, 3);
  trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 5000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpExplanation) e = wp_explain (paths, cases[i].from * US, MIN (cases[i].to, G_MAXINT64 / US) * US, NULL, NULL);

      g_assert_cmpint (e->wall, ==, cases[i].wall * US);
    }
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* A wait in several sleeps timed out where its last sleep did. Where nobody knows how that ended, nobody knows what any of them was for; but a run
 * of 100 µs begins another wait. */
static void
test_wait_without_end (void)
{
  for (guint shorter = 0; shorter < 2; shorter++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 500 * US, 0, 1, 1, 0);
      trace_maker_time_out (&m, 1000 * US, 0, 0, 1);
      trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 1100 * US - shorter, 0, 1, 1, 0);
      trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      g_assert_cmpint (e->ns[WP_CATEGORY_TIMED_OUT], ==, shorter ? 0 : 500 * US);
      g_assert_cmpint (e->ns[WP_CATEGORY_UNACCOUNTED], ==, shorter ? 1400 * US + 1 : 900 * US);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* Task 1 is pushed off, and n times 2 has its CPU for 3 ms and 3 for 1 ms. Up to 256 runs they have the time that they ran; of more, as many
 * equal stretches are divided, and the shares stay about the same. */
static void
test_many_rivals (void)
{
  for (gint64 n = 128; n <= 1000; n += 872)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;
      gint64 wait = n * 4000 * US, of[2] = { 0 };
      guint32 pieces = 0;

      trace_maker_init (&m);
      trace_maker_know (&m, 2, 2, "fz");
      trace_maker_know (&m, 3, 3, "cc");
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      for (gint64 i = 0; i < n; i++)
        {
          trace_maker_switch (&m, (1000 + i * 4000) * US, 0, i == 0 ? 1 : 3, i == 0 ? 0 : 1, 2);
          trace_maker_switch (&m, (4000 + i * 4000) * US, 0, 2, 1, 3);
        }
      trace_maker_switch (&m, 1000 * US + wait, 0, 3, 1, 1);
      trace_maker_switch (&m, 2000 * US + wait, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      for (guint32 i = 0; i < e->rows.len; i++)
        if (e->rows.data[i].category == WP_CATEGORY_INVOLUNTARY)
          {
            g_assert_cmpuint (e->rows.data[i].rival, !=, 0);
            of[e->rows.data[i].ns < wait / 2] += e->rows.data[i].ns;
            pieces += e->rows.data[i].pieces;
          }
      g_assert_cmpint (of[0] + of[1], ==, wait);
      g_assert_cmpuint (pieces, <=, 256);
      g_assert_cmpint (ABS (of[0] - wait / 4 * 3), <=, n == 128 ? 0 : wait / 10);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* A sleep is divided by at most 64 losses: if there were more, all between the first and the last is unknown. */
static void
test_many_losses (void)
{
  for (gint64 n = 64; n <= 65; n++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 500 * US, 0, 1, 1, 0);
      for (gint64 i = 0; i < n; i++)
        {
          WpEvent event = trace_maker_event (WP_EVENT_LOST, (1100 + i * 1000) * US, 2, -1, 0);

          event.lost.events = 1;
          event.lost.since = event.time - 100 * US;
          wp_assembler_event (m.assembler, &event);
          event = trace_maker_event (WP_EVENT_OTHER, (1900 + i * 1000) * US, 2, 0, 0);
          wp_assembler_event (m.assembler, &event);
        }
      trace_maker_time_out (&m, 100000 * US, 0, 0, 1);
      trace_maker_switch (&m, 100000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 100500 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      g_assert_cmpuint (m.trace->lost.len, ==, n);
      paths = make_paths (m.trace, 1, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      g_assert_cmpint (e->ns[WP_CATEGORY_UNACCOUNTED], ==, (n == 64 ? 600 + 63 * 200 : 65100 - 500) * US);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* The name of a row, category: ns. */
static void
assert_rows (const WpExplanation *e, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < e->rows.len; i++)
    g_string_append_printf (text, "%s%s: %s %" G_GINT64_FORMAT, i > 0 ? "; " : "", wp_category_id (e->rows.data[i].category),
                            e->rows.data[i].name, e->rows.data[i].ns / US);
  g_assert_cmpstr (text->str, ==, expected);
}

/* What a thread slept in all the time says what the recorder saw before, but where recording was paused: it is there beside those that ran. Who was
 * stopped waited for nobody. */
static void
test_asleep (void)
{
  static const struct
  {
    gint32 tid;
    WpState state;
    const char *function;
  } threads[] = { { 20, WP_STATE_SLEEPING, "do_epoll_wait" }, { 21, WP_STATE_SLEEPING, "hrtimer_nanosleep" }, { 22, WP_STATE_DISK, "io_schedule" },
                  { 23, WP_STATE_STOPPED, "do_signal_stop" }, { 24, WP_STATE_SLEEPING, NULL }, { 25, WP_STATE_SLEEPING, "do_epoll_wait" },
                  { 1, WP_STATE_SLEEPING, "do_epoll_wait" } };
  TraceMaker m;
  WpEvent pause = trace_maker_event (WP_EVENT_PAUSE, 5000 * US, 0, -1, 0);
  g_autoptr (GError) error = NULL;

  trace_maker_init (&m);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      trace_maker_know (&m, threads[i].tid, threads[i].tid == 1 ? 1 : 20, "service");
      trace_maker_wait (&m, threads[i].tid, threads[i].tid == 1 ? 1 : 20, threads[i].state,
                        threads[i].function != NULL ? trace_maker_stack (&m, threads[i].function) : 0);
    }
  trace_maker_know (&m, 30, 30, "worker");
  trace_maker_know (&m, 31, 30, "idler");
  trace_maker_wait (&m, 31, 30, WP_STATE_SLEEPING, trace_maker_stack (&m, "do_epoll_wait"));
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 500 * US, 0, 1, 1, 30);
  trace_maker_switch (&m, 1000 * US, 0, 30, 1, 0);
  pause.lost.since = 4000 * US;
  wp_assembler_event (m.assembler, &pause);
  wp_assembler_ended (m.assembler, 25);
  trace_maker_switch (&m, 10000 * US, 0, 0, 0, 30);
  trace_maker_finish (&m);
  for (guint worker = 0; worker < 2; worker++)
    {
      WpIdArray tasks = { 0 };
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;
      g_autofree char *wrong = NULL;

      g_assert_true (wp_paths_find_tasks (m.trace, worker ? "31" : "24", &tasks, &error));
      paths = wp_paths_new (m.trace, tasks.data, tasks.len, NULL, NULL, NULL);
      wrong = wp_paths_check (paths);
      g_assert_cmpstr (wrong, ==, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      g_assert_cmpuint (paths->base_tasks.len, ==, worker ? 2 : 5);
      g_assert_cmpint (e->wall, ==, 10000 * US);
      if (worker)
        assert_rows (e, "not-sampled: worker 500; unfinished: do_epoll_wait 9000; unaccounted: no wakeup seen 8500; "
                        "unaccounted: recording was paused 2000");
      else
        assert_rows (e, "kernel-block: stopped 9000; unfinished: do_epoll_wait 9000; unfinished: hrtimer_nanosleep 9000; "
                        "unfinished: io_schedule 9000; unfinished: unknown function 9000; unaccounted: recording was paused 5000");
      wp_array_clear (&tasks);
    }
  m.trace->command_pid = 99;
  g_assert_false (wp_paths_find_tasks (m.trace, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "the recorded process, 99, did nothing while it was recorded; name another one");
  wp_trace_free (m.trace);
}

/* Time of a pause is unaccounted for by that name, that of a loss by its own, and none of it twice: a loss reaches over a pause and out of it on
 * both sides. */
static void
test_pauses (void)
{
  static const struct
  {
    WpEventKind kind;
    gint64 since, end; /* us */
  } stretches[] = { { WP_EVENT_PAUSE, 2000, 3000 }, { WP_EVENT_LOST, 1500, 3500 }, { WP_EVENT_PAUSE, 5000, 6000 } };
  TraceMaker m;
  WpEvent seen = trace_maker_event (WP_EVENT_OTHER, 1500 * US, 2, 0, 0);
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  gint64 paused = 0, lost = 0;

  trace_maker_begin (&m);
  trace_maker_switch (&m, 500 * US, 0, 1, 1, 0);
  wp_assembler_event (m.assembler, &seen);
  for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
    {
      WpEvent event = trace_maker_event (stretches[i].kind, stretches[i].end * US, 2, -1, 0);

      event.lost.events = stretches[i].kind == WP_EVENT_LOST;
      event.lost.since = stretches[i].since * US;
      wp_assembler_event (m.assembler, &event);
    }
  trace_maker_time_out (&m, 9000 * US, 0, 0, 1);
  trace_maker_switch (&m, 9000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 9500 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  for (guint32 i = 0; i < e->rows.len; i++)
    {
      paused += g_str_equal (e->rows.data[i].name, "recording was paused") ? e->rows.data[i].ns : 0;
      lost += g_str_equal (e->rows.data[i].name, "events were lost") ? e->rows.data[i].ns : 0;
    }
  g_assert_cmpint (paused, ==, 2000 * US);
  g_assert_cmpint (lost, ==, 1000 * US);
  g_assert_cmpint (e->ns[WP_CATEGORY_UNACCOUNTED], ==, 3000 * US);
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* What nothing explains is told apart by what is known of the wakeup. */
static void
test_reasons (void)
{
  static const struct
  {
    guint8 irq_flags;
    gboolean woken;
    const char *function, *row;
  } cases[] = {
    { 0, FALSE, NULL, "no wakeup seen" },
    { WP_IRQ_SOFT, TRUE, "tcp_data_queue", "waiting for something outside" },
    { WP_IRQ_SOFT, TRUE, NULL, "the waker's cause is unknown" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_WAKING, 2000 * US, 0, 0, cases[i].irq_flags);
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;
      gboolean found = FALSE;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
      event.stack = cases[i].function != NULL ? trace_maker_stack (&m, cases[i].function) : 0;
      event.wake.tid = 1;
      if (cases[i].woken)
        wp_assembler_event (m.assembler, &event);
      trace_maker_switch (&m, 2000 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 3000 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      for (guint32 r = 0; r < e->rows.len; r++)
        if (e->rows.data[r].category == WP_CATEGORY_UNACCOUNTED)
          {
            found = TRUE;
            g_assert_cmpstr (e->rows.data[r].name, ==, cases[i].row);
            g_assert_cmpint (e->rows.data[r].ns, ==, 1000 * US);
          }
      g_assert_true (found);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

static void
sample (TraceMaker *m, gint64 time, const char *function)
{
  WpEvent event = trace_maker_event (WP_EVENT_SAMPLE, time, 1, 2, 0);

  event.stack = trace_maker_stack (m, function);
  wp_assembler_event (m->assembler, &event);
}

/* Of a run with eight samples, each stands for an eighth, in whatever part of the run is placed: the last half, and 5 ns of what is before. What
 * only touches what is asked for is not there. */
static void
test_slices (void)
{
  static const char *const functions[] = { "one", "two", "three", "four", "five", "six", "seven", "eight" };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpTree) tree = NULL;
  g_autoptr (GString) folded = g_string_new (NULL);

  trace_maker_begin (&m);
  trace_maker_switch (&m, 1000 * US, 1, 0, 0, 2);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      if (i == 4)
        trace_maker_switch (&m, 3000 * US - 5, 0, 1, 1, 0);
      sample (&m, (1100 + 500 * i) * US, functions[i]);
    }
  trace_maker_wake (&m, 5000 * US, 1, 2, 1);
  trace_maker_switch (&m, 5000 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 5000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 6000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  tree = wp_tree_new (paths, NULL, NULL, NULL);
  wp_tree_folded (tree, folded);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autofree char *line = g_strdup_printf (";%s %s\n", functions[i], i == 3 ? "5" : "500000");

      g_assert_cmpint (strstr (folded->str, line) != NULL, ==, i >= 3);
    }
  g_clear_pointer (&tree, wp_tree_free);
  tree = wp_tree_new (paths, &(WpTreeOptions) { .from = 3500 * US, .to = 4000 * US }, NULL, NULL); /* nothing but the sixth's */
  g_assert_cmpint (tree->nodes.data[0].total, ==, 500 * US);
  g_assert_cmpuint (tree->sources.len, ==, 1);
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

static WpFrameKind
kind_of (const WpTree *tree, const char *name)
{
  for (WpId n = 1; n < tree->nodes.len; n++)
    if (g_str_equal (wp_strings_get (tree->strings, tree->nodes.data[n].name), name))
      return tree->nodes.data[n].kind;
  g_assert_not_reached ();
}

/* A function's box is a run's if it ran for more than half of its time; boxes of processes and devices stay what they are. */
static void
test_kinds (void)
{
  for (guint more = 0; more < 2; more++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_SAMPLE, 500 * US, 0, 1, 0);
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpTree) tree = NULL;

      trace_maker_begin (&m);
      trace_maker_know (&m, 1, 1, "program");
      event.stack = m.stack;
      wp_assembler_event (m.assembler, &event);
      trace_maker_switch (&m, 1000 * US, 0, 1, 1, 0);
      trace_maker_time_out (&m, 2000 * US - more, 0, 0, 1);
      trace_maker_switch (&m, 2000 * US - more, 0, 0, 0, 1);
      m.stack = trace_maker_stack (&m, "read_file");
      trace_maker_disk (&m, 3000 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64);
      trace_maker_switch (&m, 3000 * US, 0, 1, 2, 0);
      trace_maker_disk_done (&m, 9000 * US, 0, 0, 1, 64);
      trace_maker_switch (&m, 9001 * US, 0, 0, 0, 1);
      trace_maker_switch (&m, 9002 * US, 0, 1, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      tree = wp_tree_new (paths, NULL, NULL, NULL);
      g_assert_cmpint (kind_of (tree, "anon_pipe_read"), ==, more ? WP_FRAME_RUN : WP_FRAME_SLEEP);
      g_assert_cmpint (kind_of (tree, "program"), ==, WP_FRAME_PROCESS);
      g_assert_cmpint (kind_of (tree, "8:16"), ==, WP_FRAME_DISK);
      g_assert_cmpint (kind_of (tree, "read_file"), ==, WP_FRAME_SLEEP);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

static gint64
latency_of (const WpExplanation *e, WpCategory category, const char *name)
{
  gint64 latency = 0;

  for (guint32 i = 0; i < e->rows.len; i++)
    if (e->rows.data[i].category == category && g_str_equal (e->rows.data[i].name, name))
      latency += e->rows.data[i].latency;
  return latency;
}

/* The stretches of a piece have its latency together, however it is cut. */
static void
assert_stretches (const WpExplanation *e)
{
  gint64 sum = 0;

  for (guint32 i = 0; i < e->pieces.len; i++)
    {
      const WpPiece *piece = &e->pieces.data[i];
      gint64 step = MAX (1, (piece->end - piece->start) / 7), latency = 0;

      for (gint64 at = piece->start; at < piece->end; at += step)
        latency += wp_explanation_latency (e, piece, at, MIN (at + step, piece->end));
      g_assert_cmpint (latency, ==, piece->latency);
      sum += latency;
    }
  g_assert_cmpint (sum, ==, e->wall);
}

/* One runs beside the other from 0 to 1 ms, then alone. */
static void
assert_within (const WpPaths *paths)
{
  g_autoptr (WpExplanation) e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  guint32 i = 0;

  while (e->pieces.data[i].start != 0 || !g_str_equal (e->rows.data[e->pieces.data[i].row].name, "one"))
    g_assert_cmpuint (++i, <, e->pieces.len);
  g_assert_cmpint (e->pieces.data[i].end, >=, 2000 * US);
  g_assert_cmpint (wp_explanation_latency (e, &e->pieces.data[i], 0, 1000 * US), ==, 500 * US);
  g_assert_cmpint (wp_explanation_latency (e, &e->pieces.data[i], 1000 * US, 2000 * US), ==, 1000 * US);
  g_assert_cmpint (wp_explanation_latency (e, &e->pieces.data[i], 500 * US, 1500 * US), ==, 750 * US);
}

/* Two threads of a process: both run, one runs alone, both run again, both sleep, one runs to the end. Who runs beside another answers for half of
 * that time, who runs alone for all of it, who waits only for what nobody ran in. */
static void
test_latency (void)
{
  static const struct
  {
    gint64 from, to, one, two, wall;
  } cases[] = { { 0, 7000 * US, 3750 * US, 1250 * US, 6000 * US }, { 0, 1000 * US + 1, 500 * US + 1, 500 * US, 1000 * US + 1 },
                { 1000 * US, 2000 * US, 1000 * US, 0, 1000 * US }, { 0, 3, 1, 2, 3 } };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "one");
  trace_maker_know (&m, 2, 1, "two");
  trace_maker_switch (&m, 1000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 1000 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 2000 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 3000 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 4000 * US, 1, 2, 1, 0);
  trace_maker_switch (&m, 4000 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 5000 * US, 1, 0, 0, 2);
  trace_maker_switch (&m, 5000 * US, 0, 0, 0, 1);
  trace_maker_switch (&m, 5500 * US, 1, 2, 16, 0);
  trace_maker_switch (&m, 7000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpExplanation) e = wp_explain (paths, cases[i].from, cases[i].to, NULL, NULL);
      gint64 sum = 0, rows = 0;

      for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
        sum += e->latency[c];
      for (guint32 r = 0; r < e->rows.len; r++)
        rows += e->rows.data[r].latency;
      g_assert_cmpint (e->wall, ==, cases[i].wall);
      assert_stretches (e);
      g_assert_cmpint (sum, ==, cases[i].wall);
      g_assert_cmpint (rows, ==, cases[i].wall);
      g_assert_cmpint (latency_of (e, WP_CATEGORY_NOT_SAMPLED, "one"), ==, cases[i].one);
      g_assert_cmpint (latency_of (e, WP_CATEGORY_NOT_SAMPLED, "two"), ==, cases[i].two);
    }
  assert_within (paths);
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* Of a table: those with time first, in their own order or the longest first. */
static void
test_order (void)
{
  static const WpExplanation e = { .ns = { [WP_CATEGORY_UNDERSTOOD] = 1, [WP_CATEGORY_SCHEDULER] = 3, [WP_CATEGORY_HARDWARE] = 3,
                                           [WP_CATEGORY_UNACCOUNTED] = 2 } };
  static const WpCategory expected[2][5] = {
    { WP_CATEGORY_UNDERSTOOD, WP_CATEGORY_SCHEDULER, WP_CATEGORY_HARDWARE, WP_CATEGORY_UNACCOUNTED, WP_CATEGORY_BLOCKING_IO },
    { WP_CATEGORY_SCHEDULER, WP_CATEGORY_HARDWARE, WP_CATEGORY_UNACCOUNTED, WP_CATEGORY_UNDERSTOOD, WP_CATEGORY_BLOCKING_IO },
  };

  for (guint longest_first = 0; longest_first < 2; longest_first++)
    {
      WpCategory order[WP_CATEGORY_COUNT];

      g_assert_cmpuint (wp_explanation_order (&e, longest_first, order), ==, 4);
      for (guint i = 0; i < 5; i++)
        g_assert_cmpint (order[i], ==, expected[longest_first][i]);
    }
}

/* The words that people read: another one is another word in manuals, tests and heads. */
static void
test_names (void)
{
  static const char *const names[WP_CATEGORY_COUNT] = {
    [WP_CATEGORY_UNDERSTOOD] = "Running, function known",
    [WP_CATEGORY_NOT_SAMPLED] = "Running, too brief to sample",
    [WP_CATEGORY_BLOCKING_IO] = "Waiting for disk or network",
    [WP_CATEGORY_INTERRUPTS] = "Interrupted by a device",
    [WP_CATEGORY_IO_QUEUE] = "Queued for the disk",
    [WP_CATEGORY_SCHEDULER] = "Ready, waiting for a CPU",
    [WP_CATEGORY_INVOLUNTARY] = "Pushed off the CPU",
    [WP_CATEGORY_HARDWARE] = "Ended by an unexplained interrupt",
    [WP_CATEGORY_KERNEL_BLOCK] = "Blocked in the kernel",
    [WP_CATEGORY_DELIBERATE_SLEEP] = "Sleeping on purpose",
    [WP_CATEGORY_TIMED_OUT] = "Waited until a time limit",
    [WP_CATEGORY_OTHER_PATH] = "Waiting for work shown in another lane",
    [WP_CATEGORY_UNFINISHED] = "Still waiting when the recording stopped",
    [WP_CATEGORY_UNACCOUNTED] = "Unexplained",
  };

  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    g_assert_cmpstr (wp_category_name (c), ==, names[c]);
  g_assert_cmpstr (wp_term_name (WP_TERM_CHAIN), ==, "Chain of work");
  g_assert_cmpstr (wp_term_name (WP_TERM_TOOK), ==, "Took");
  g_assert_cmpstr (wp_term_name (WP_TERM_COUNTED), ==, "Time counted, parallel included");
  g_assert_cmpstr (wp_term_help_of ("uninterruptible sleep"), ==, wp_term_help (WP_TERM_UNINTERRUPTIBLE));
  g_assert_null (wp_term_help_of ("main"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explanation/wait-without-end", test_wait_without_end);
  g_test_add_func ("/explanation/wall", test_wall);
  g_test_add_func ("/explanation/many-rivals", test_many_rivals);
  g_test_add_func ("/explanation/many-losses", test_many_losses);
  g_test_add_func ("/explanation/pauses", test_pauses);
  g_test_add_func ("/explanation/asleep", test_asleep);
  g_test_add_func ("/explanation/reasons", test_reasons);
  g_test_add_func ("/explanation/slices", test_slices);
  g_test_add_func ("/explanation/kinds", test_kinds);
  g_test_add_func ("/explanation/latency", test_latency);
  g_test_add_func ("/explanation/order", test_order);
  g_test_add_func ("/explanation/names", test_names);
  return g_test_run ();
}
