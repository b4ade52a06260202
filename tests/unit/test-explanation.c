/* What explains the time of control paths, where no scenario says it: ranges, losses, reasons, samples of a part, kinds of boxes. */
#include "paths-maker.h"

/* What is asked for explains the paths' own time, from the first of them to the last, as far as it lies between. */
static void
test_wall (void)
{
  static const struct
  {
    gint64 from, to, wall;
  } cases[] = { { 0, G_MAXINT64, 4000 }, { 1000, 2000, 1000 }, { 3000, 9000, 2000 }, { 0, 500, 0 }, { 6000, 9000, 0 } };
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explanation/wait-without-end", test_wait_without_end);
  g_test_add_func ("/explanation/wall", test_wall);
  g_test_add_func ("/explanation/many-losses", test_many_losses);
  g_test_add_func ("/explanation/pauses", test_pauses);
  g_test_add_func ("/explanation/reasons", test_reasons);
  g_test_add_func ("/explanation/slices", test_slices);
  g_test_add_func ("/explanation/kinds", test_kinds);
  return g_test_run ();
}
