/* Assembling and control paths on traces that no hand would write: random ones, whose invariants must hold whatever comes, and
 * huge ones. */
#include "paths/stacks.h"
#include "paths/tree.h"
#include "trace-maker.h"

/* "frame;frame" → ns, of all samples. */
static GHashTable *
sum_stacks (const WpStacks *stacks)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const WpFrames *frames = stacks->frames;
  WpIdArray stack = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      GString *text = g_string_new (NULL);
      gint64 *sum;

      wp_frames_stack (frames, stacks->sample_stacks.data[i], &stack);
      for (guint32 l = stack.len; l-- > 0;)
        g_string_append_printf (text, "%s%s", wp_stacks_text (stacks, frames->functions.data[frames->lines.data[frames->locations.data[stack.data[l]].first_line].function].name),
                                l > 0 ? ";" : "");
      sum = g_hash_table_lookup (sums, text->str);
      if (sum == NULL)
        g_hash_table_insert (sums, g_strdup (text->str), sum = g_new0 (gint64, 1));
      *sum += stacks->values[WP_TIME_RUNNING].data[i] + stacks->values[WP_TIME_WAITING].data[i];
      g_string_free (text, TRUE);
    }
  wp_array_clear (&stack);
  return sums;
}

/* The tree of the stacks is that of the paths. */
static void
check_tree_of_stacks (const WpStacks *stacks, const char *folded)
{
  g_autoptr (WpTree) both = wp_tree_of_stacks (stacks, WP_TREE_BOTH_TYPES, NULL, NULL, NULL);
  g_autoptr (WpTree) running = wp_tree_of_stacks (stacks, WP_TIME_RUNNING, NULL, NULL, NULL);
  g_autoptr (WpTree) waiting = wp_tree_of_stacks (stacks, WP_TIME_WAITING, &(WpTreeOptions) { .inverted = TRUE }, NULL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true (wp_stacks_are_explained (stacks));
  wp_tree_folded (both, text);
  g_assert_cmpstr (text->str, ==, folded);
  g_assert_cmpint (running->nodes.data[0].total + waiting->nodes.data[0].total, ==, both->nodes.data[0].total);
}

/* As stacks and as a tree it is the same. */
static void
check_stacks (const WpPaths *paths, const WpExplanation *explanation, const WpTree *tree)
{
  g_autoptr (WpStacks) stacks = wp_paths_stacks (paths, explanation, (WpDepthChoice) { 0 }, NULL, NULL);
  g_autoptr (GHashTable) sums = sum_stacks (stacks);
  g_autoptr (GString) folded = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  wp_tree_folded (tree, folded);
  lines = g_strsplit (folded->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++, n++)
    {
      char *blank = strrchr (lines[i], ' ');
      const gint64 *sum;

      *blank = '\0';
      sum = g_hash_table_lookup (sums, lines[i]);
      g_assert_nonnull (sum);
      g_assert_cmpint (*sum, ==, g_ascii_strtoll (blank + 1, NULL, 10));
    }
  g_assert_cmpuint (g_hash_table_size (sums), ==, n);
  g_assert_cmpuint (stacks->moments.len, ==, stacks->n_samples);
  check_tree_of_stacks (stacks, folded->str);
  g_assert_cmpuint (stacks->sample_threads.len, ==, stacks->n_samples);
}

static void
check_task (const WpTrace *trace, WpId task, const WpPathOptions *options)
{
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) explanation = NULL;
  g_autoptr (WpTree) tree = NULL;
  gint64 sum = 0, first = 0, second = 0;

  wp_paths_process_of (trace, task, &tasks);
  paths = wp_paths_new (trace, tasks.data, tasks.len, options, NULL, NULL);
  wp_array_clear (&tasks);
  g_assert_cmpstr (wp_paths_check (paths), ==, NULL);
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    sum += explanation->ns[c];
  g_assert_cmpint (sum, ==, explanation->total);
  tree = wp_tree_new (paths, NULL, NULL, NULL);
  g_assert_cmpint (tree->nodes.data[0].total, ==, explanation->total);
  check_stacks (paths, explanation, tree);
  if (trace->end > 2)
    { /* two halves explain as much as the whole */
      g_autoptr (WpExplanation) a = wp_explain (paths, 0, trace->end / 2, NULL, NULL);
      g_autoptr (WpExplanation) b = wp_explain (paths, trace->end / 2, G_MAXINT64, NULL, NULL);

      first = a->total;
      second = b->total;
      g_assert_cmpint (first + second, ==, explanation->total);
    }
}

/* Any sequence of events at all, sensible or not. */
static void
random_event (TraceMaker *self, GRand *rand, gint64 time)
{
  gint32 a = g_rand_int_range (rand, -1, 12), b = g_rand_int_range (rand, 0, 12);
  guint32 cpu = g_rand_int_range (rand, 0, 3);
  static const guint32 states[] = { 0, 1, 2, 4, 16, 32, 256, 0x80 };
  WpEvent event = { .time = time, .tid = a, .pid = a, .cpu = cpu, .kind = g_rand_int_range (rand, 0, WP_EVENT_KIND_COUNT),
                    .irq_flags = g_rand_boolean (rand) ? 0 : WP_IRQ_SOFT, .has_irq_flags = TRUE,
                    .stack = g_rand_boolean (rand) ? self->stack : 0 };

  switch ((WpEventKind) event.kind)
    {
    case WP_EVENT_SWITCH:
      event.sw.prev_tid = a;
      event.sw.next_tid = b;
      event.sw.prev_state = states[g_rand_int_range (rand, 0, G_N_ELEMENTS (states))];
      break;
    case WP_EVENT_FORK:
      event.fork.parent_tid = a;
      event.fork.child_tid = b;
      event.fork.child_pid = b;
      break;
    case WP_EVENT_COMM:
    case WP_EVENT_EXEC:
      event.program.tid = a;
      event.program.old_tid = g_rand_int_range (rand, 0, 8) == 0 ? b : a;
      event.program.exec = g_rand_boolean (rand);
      break;
    case WP_EVENT_LOST:
      event.lost.events = 3;
      event.lost.since = time - 50;
      break;
    case WP_EVENT_THROTTLE:
      event.throttle.on = g_rand_boolean (rand);
      event.throttle.pace = g_rand_int_range (rand, 0, 2) * 100;
      break;
    case WP_EVENT_NET_STATE:
    case WP_EVENT_NET_READY:
    case WP_EVENT_NET_SEND:
      event.net.socket = g_rand_int_range (rand, 0, 4);
      event.net.length = g_rand_int_range (rand, 0, 3);
      event.net.new_state = g_rand_int_range (rand, 0, 8);
      break;
    case WP_EVENT_BIO_QUEUE:
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
    case WP_EVENT_RQ_ISSUE:
    case WP_EVENT_RQ_COMPLETE:
    case WP_EVENT_RQ_MERGE:
    case WP_EVENT_RQ_REQUEUE:
      event.block.dev = 8 << 20 | 1000;
      event.block.sector = g_rand_int_range (rand, 0, 6) * 8;
      event.block.sectors = 8;
      event.block.flush = g_rand_int_range (rand, 0, 5) == 0;
      break;
    default:
      event.wake.tid = b;
      break;
    }
  wp_assembler_event (self->assembler, &event);
}

/* What was started, and cuts anywhere: the parts of what was started come on top of what is waited for, unless cuts stand
 * in its way. */
static void
check_options (const WpTrace *trace, WpId task, GRand *rand)
{
  WpIdArray cuts = { 0 };
  WpPathOptions started = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  WpPathOptions cut = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE, .cuts = &cuts };

  check_task (trace, task, &started);
  for (WpId o = 1; o < trace->ops.len; o++)
    if (g_rand_int_range (rand, 0, 10) == 0)
      wp_array_push (&cuts, o);
  check_task (trace, task, &cut);
  wp_array_clear (&cuts);
}

/* Sanitizers make it four times as slow, and see the same in fewer. */
#ifdef __SANITIZE_ADDRESS__
#define RANDOM_TRACES 100u
#else
#define RANDOM_TRACES 400u
#endif

static void
test_random (void)
{
  for (guint seed = 0; seed < RANDOM_TRACES; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      TraceMaker maker;
      gint64 time = 1000;

      trace_maker_init (&maker);
      for (guint i = 0; i < 300; i++)
        {
          random_event (&maker, rand, time);
          time += g_rand_int_range (rand, 0, 4) == 0 ? 300000 : g_rand_int_range (rand, -2, 5000);
        }
      trace_maker_finish (&maker);
      for (WpId t = 1; t < maker.trace->tasks.len; t++)
        if (maker.trace->tasks.data[t].kind == WP_TASK_THREAD && maker.trace->tasks.data[t].n_ops > 0)
          {
            check_task (maker.trace, t, NULL);
            check_task (maker.trace, t, &(WpPathOptions) { .grace = 0 });
            check_options (maker.trace, t, rand);
          }
      wp_trace_free (maker.trace);
    }
}

/* Each of 200,000 tasks calls the next and waits for its answer: all of it stands on the first one's only sleep. */
static void
test_deep (void)
{
  enum { DEPTH = 200000 };
  TraceMaker maker;
  gint64 time = 0;
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) explanation = NULL;
  g_autoptr (WpTree) tree = NULL;

  trace_maker_init (&maker);
  trace_maker_switch (&maker, time, 0, 0, 0, 1);
  for (gint32 i = 1; i < DEPTH; i++)
    {
      trace_maker_wake (&maker, time += 1000, 0, i, i + 1);
      trace_maker_switch (&maker, time += 1000, 0, i, 1, i + 1);
    }
  for (gint32 i = DEPTH; i > 1; i--)
    {
      trace_maker_wake (&maker, time += 1000, 0, i, i - 1);
      trace_maker_switch (&maker, time += 1000, 0, i, 16, i - 1);
    }
  trace_maker_switch (&maker, time += 1000, 0, 1, 16, 0);
  trace_maker_finish (&maker);
  wp_paths_process_of (maker.trace, 1, &tasks);
  paths = wp_paths_new (maker.trace, tasks.data, tasks.len, NULL, NULL, NULL);
  g_assert_cmpstr (wp_paths_check (paths), ==, NULL);
  g_assert_cmpuint (paths->paths.len, ==, 2);
  g_assert_cmpuint (paths->parts.len, >, 2 * DEPTH);
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_assert_cmpint (explanation->total, ==, time);
  g_assert_cmpint (explanation->ns[WP_CATEGORY_UNACCOUNTED], ==, 0);
  tree = wp_tree_new (paths, NULL, NULL, NULL);
  g_assert_cmpint (tree->nodes.data[0].total, ==, time);
  g_assert_cmpuint (tree->depth, >=, DEPTH);
  wp_array_clear (&tasks);
  wp_trace_free (maker.trace);
}

/* A million turns of two tasks. */
static void
test_long (void)
{
  TraceMaker maker;
  gint64 time = 0;

  trace_maker_init (&maker);
  trace_maker_switch (&maker, time, 0, 0, 0, 1);
  for (guint i = 0; i < 500000; i++)
    {
      trace_maker_wake (&maker, time += 1000, 0, 1, 2);
      trace_maker_switch (&maker, time += 1000, 0, 1, 1, 2);
      trace_maker_wake (&maker, time += 1000, 0, 2, 1);
      trace_maker_switch (&maker, time += 1000, 0, 2, 1, 1);
    }
  trace_maker_finish (&maker);
  g_assert_cmpuint (maker.trace->ops.len, >, 2000000);
  check_task (maker.trace, 1, NULL);
  wp_trace_free (maker.trace);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  TraceMaker maker;
  gint64 time = 0;
  WpId task = 1;

  trace_maker_init (&maker);
  trace_maker_switch (&maker, time, 0, 0, 0, 1);
  for (guint i = 0; i < 50000; i++)
    {
      trace_maker_wake (&maker, time += 1000, 0, 1, 2);
      trace_maker_switch (&maker, time += 1000, 0, 1, 1, 2);
      trace_maker_wake (&maker, time += 1000, 0, 2, 1);
      trace_maker_switch (&maker, time += 1000, 0, 2, 1, 1);
    }
  trace_maker_finish (&maker);
  g_cancellable_cancel (cancellable);
  g_assert_null (wp_paths_new (maker.trace, &task, 1, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wp_trace_free (maker.trace);
}

/* Names, NAME:TID and TIDs; near misses are told. */
static void
test_find_tasks (void)
{
  TraceMaker maker;
  WpIdArray tasks = { 0 };
  g_autoptr (GError) error = NULL;

  trace_maker_init (&maker);
  wp_assembler_known_task (maker.assembler, 1, 1, wp_strings_intern (maker.trace->strings, "worker"), FALSE);
  wp_assembler_known_task (maker.assembler, 2, 2, wp_strings_intern (maker.trace->strings, "worker"), FALSE);
  wp_assembler_known_task (maker.assembler, 3, 1, wp_strings_intern (maker.trace->strings, "helper"), FALSE);
  wp_assembler_known_task (maker.assembler, 5, 5, wp_strings_intern (maker.trace->strings, "7zip"), FALSE);
  wp_assembler_known_task (maker.assembler, 6, 6, wp_strings_intern (maker.trace->strings, "3"), FALSE);
  wp_assembler_known_task (maker.assembler, 4, 4, wp_strings_intern (maker.trace->strings, "absent"), FALSE);
  trace_maker_switch (&maker, 0, 0, 0, 0, 1);
  trace_maker_switch (&maker, 10, 0, 1, 1, 2);
  trace_maker_switch (&maker, 20, 0, 2, 1, 3);
  trace_maker_switch (&maker, 30, 0, 3, 1, 5);
  trace_maker_switch (&maker, 40, 0, 5, 1, 6);
  trace_maker_switch (&maker, 50, 0, 6, 1, 0);
  trace_maker_finish (&maker);
  g_assert_true (wp_paths_find_tasks (maker.trace, "worker", &tasks, NULL));
  g_assert_cmpuint (tasks.len, ==, 2); /* with its thread "helper" */
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, 1);
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[1]].tid, ==, 3);
  tasks.len = 0;
  g_assert_true (wp_paths_find_tasks (maker.trace, "worker:2", &tasks, NULL));
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, 2);
  tasks.len = 0;
  g_assert_true (wp_paths_find_tasks (maker.trace, "5", &tasks, NULL));
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, 5);
  tasks.len = 0;
  g_assert_true (wp_paths_find_tasks (maker.trace, "7zip", &tasks, NULL));
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, 5);
  tasks.len = 0;
  g_assert_true (wp_paths_find_tasks (maker.trace, "3", &tasks, NULL)); /* names come first */
  g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, 6);
  g_assert_false (wp_paths_find_tasks (maker.trace, "absent", &tasks, NULL)); /* nothing is known of it but its name */
  g_assert_false (wp_paths_find_tasks (maker.trace, "4", &tasks, NULL));
  g_assert_false (wp_paths_find_tasks (maker.trace, "4294967301", &tasks, NULL)); /* 5 and 2³² */
  g_assert_false (wp_paths_find_tasks (maker.trace, "workers", &tasks, &error));
  g_assert_nonnull (strstr (error->message, "did you mean worker"));
  wp_array_clear (&tasks);
  wp_trace_free (maker.trace);
}

/* Of several tasks of one name the earliest of those that have run counts, a process' first thread before its others, the recorded command before
 * all. */
static void
test_find_by_name (void)
{
  static const struct
  {
    gint32 command_pid, found;
  } cases[] = { { 0, 12 }, { 13, 13 }, { 99, 12 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker maker;
      WpIdArray tasks = { 0 };

      trace_maker_init (&maker);
      trace_maker_know (&maker, 10, 9, "work"); /* another's thread */
      trace_maker_know (&maker, 11, 11, "work"); /* it is only woken */
      trace_maker_know (&maker, 13, 13, "work");
      trace_maker_know (&maker, 12, 12, "work");
      trace_maker_fork (&maker, 0, 0, 1, 11);
      trace_maker_fork (&maker, 5, 0, 1, 12);
      trace_maker_know (&maker, 11, 11, "work");
      trace_maker_know (&maker, 12, 12, "work");
      trace_maker_switch (&maker, 10, 0, 1, 1, 10);
      trace_maker_switch (&maker, 20, 0, 10, 1, 12);
      trace_maker_fork (&maker, 30, 0, 12, 13);
      trace_maker_know (&maker, 13, 13, "work");
      trace_maker_switch (&maker, 40, 0, 12, 1, 13);
      trace_maker_switch (&maker, 50, 0, 13, 1, 0);
      trace_maker_finish (&maker);
      maker.trace->command_pid = cases[i].command_pid;
      g_assert_true (wp_paths_find_tasks (maker.trace, "work", &tasks, NULL));
      g_assert_cmpint (maker.trace->tasks.data[tasks.data[0]].tid, ==, cases[i].found);
      for (guint empty = 0; empty < 2; empty++) /* nothing is asked for: the command, if it is known */
        {
          tasks.len = 0;
          g_assert_true (wp_paths_find_tasks (maker.trace, empty ? "" : NULL, &tasks, NULL) == (cases[i].command_pid == 13));
          g_assert_true (tasks.len == 0 || maker.trace->tasks.data[tasks.data[0]].tid == 13);
        }
      wp_array_clear (&tasks);
      wp_trace_free (maker.trace);
    }
}

/* A thread that is gone when its process begins another program is none of that, nor is one that comes when the program is gone, even where that
 * is the same nanosecond. */
static void
test_find_program (void)
{
  static const struct
  {
    const char *name;
    guint tasks;
  } cases[] = { { "old", 3 }, { "new", 1 } };
  TraceMaker maker;
  WpEvent exec = trace_maker_event (WP_EVENT_EXEC, 1000, 0, 20, 0), fork = trace_maker_event (WP_EVENT_FORK, 2000, 0, 20, 0);

  trace_maker_init (&maker);
  trace_maker_know (&maker, 20, 20, "old");
  trace_maker_know (&maker, 21, 20, "thread");
  trace_maker_switch (&maker, 0, 0, 0, 0, 20);
  trace_maker_switch (&maker, 0, 1, 0, 0, 21);
  trace_maker_switch (&maker, 1000, 1, 21, 16, 0);
  exec.program.tid = exec.program.old_tid = 20;
  exec.program.comm = wp_strings_intern (maker.trace->strings, "new");
  wp_assembler_event (maker.assembler, &exec);
  fork.fork.parent_tid = fork.fork.child_pid = 20;
  fork.fork.child_tid = 22;
  wp_assembler_event (maker.assembler, &fork);
  trace_maker_switch (&maker, 2000, 0, 20, 16, 0);
  trace_maker_switch (&maker, 3000, 1, 0, 0, 22);
  trace_maker_switch (&maker, 4000, 1, 22, 16, 0);
  trace_maker_finish (&maker);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WpIdArray tasks = { 0 };

      g_assert_true (wp_paths_find_tasks (maker.trace, cases[i].name, &tasks, NULL));
      g_assert_cmpuint (tasks.len, ==, cases[i].tasks);
      wp_array_clear (&tasks);
    }
  wp_trace_free (maker.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paths/random", test_random);
  g_test_add_func ("/paths/deep", test_deep);
  g_test_add_func ("/paths/long", test_long);
  g_test_add_func ("/paths/cancel", test_cancel);
  g_test_add_func ("/paths/find-tasks", test_find_tasks);
  g_test_add_func ("/paths/find-tasks/by-name", test_find_by_name);
  g_test_add_func ("/paths/find-tasks/program", test_find_program);
  return g_test_run ();
}
