/* The three layouts, on tables filled by hand. */
#include "view/layout.h"

#define MS G_GINT64_CONSTANT (1000000)

/* --- making traces ------------------------------------------------------------------------------------------------ */

static WpId
add_task (WpTrace *trace, const char *name, gint32 tid, guint8 kind, guint8 flags)
{
  WpTask *task = wp_array_add (&trace->tasks);

  task->name = wp_strings_intern (trace->strings, name);
  task->tid = task->pid = tid;
  task->kind = kind;
  task->flags = flags;
  task->first_op = trace->ops.len;
  return trace->tasks.len - 1;
}

/* To the task added last. */
static WpId
add_op (WpTrace *trace, gint64 start, gint64 end, WpOpKind kind, WpId detail)
{
  WpOp *op = wp_array_add (&trace->ops);

  *op = (WpOp) { .start = start, .end = end, .task = trace->tasks.len - 1, .kind = kind, .detail = detail };
  if (kind == WP_OP_SLEEP)
    op->state = WP_STATE_SLEEPING;
  trace->tasks.data[trace->tasks.len - 1].n_ops++;
  trace->end = MAX (trace->end, end);
  return trace->ops.len - 1;
}

static WpId
add_link (WpTrace *trace, gint64 start, WpId source, WpId sleep, WpId target)
{
  wp_array_push (&trace->links, ((WpLink) { .start = start, .source = source, .target = target,
                                            .cause = WP_CAUSE_TASK }));
  if (sleep != 0)
    trace->ops.data[sleep].link = trace->links.len - 1;
  return trace->links.len - 1;
}

/* Outermost first, ends with NULL. */
static WpId
stack (WpTrace *trace, ...)
{
  WpId module = wp_trace_module (trace, "/usr/bin/test", NULL), id = 0;
  const char *name;
  va_list names;

  va_start (names, trace);
  while ((name = va_arg (names, const char *)) != NULL)
    id = wp_trace_stack (trace, id, wp_trace_named_frame (trace, module, name));
  va_end (names);
  return id;
}

static void
add_sample (WpTrace *trace, WpId run, WpId stack_id)
{
  WpOp *op = &trace->ops.data[run];

  wp_array_push (&trace->samples, ((WpSample) { .time = op->start, .stack = stack_id, .run = run }));
  if (op->detail == 0)
    op->detail = trace->samples.len - 1;
  op->explained_by = trace->samples.len; /* one after its last */
}

static void
add_interrupt (WpTrace *trace, guint32 cpu, gint64 start, gint64 end)
{
  wp_array_push (&trace->interrupts, ((WpInterrupt) { .start = start, .end = end, .cpu = cpu, .name = wp_strings_intern (trace->strings, "eth0") }));
}

/* --- reading rows ------------------------------------------------------------------------------------------------- */

static char *
show_row (const WpRows *rows, guint32 r)
{
  static const char letters[] = "RSBPDQNOIWU"; /* one for each kind */
  GString *s = g_string_new (NULL);

  for (guint32 i = rows->rows.data[r].first; i < rows->rows.data[r].first + rows->rows.data[r].n; i++)
    {
      const WpBox *b = &rows->boxes.data[i];

      g_string_append_printf (s, "%s%c:%s:%g-%g", s->len > 0 ? " " : "", letters[b->kind],
                              wp_rows_string (rows, b->label), (double) b->start / MS, (double) b->end / MS);
    }
  return g_string_free (s, FALSE);
}

static void
assert_row (const WpRows *rows, guint32 r, const char *label, const char *expected)
{
  g_autofree char *shown = NULL;

  g_assert_cmpuint (r, <, rows->rows.len);
  shown = show_row (rows, r);
  g_assert_cmpstr (wp_rows_string (rows, rows->rows.data[r].label), ==, label);
  g_assert_cmpstr (shown, ==, expected);
}

static void
check_invariants (const WpRows *rows)
{
  guint32 next = 0;

  g_assert_true (rows->finished);
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      g_assert_cmpuint (row->first, ==, next);
      next += row->n;
      for (guint32 i = row->first; i < next; i++)
        {
          g_assert_cmpint (rows->boxes.data[i].start, <, rows->boxes.data[i].end);
          if (i > row->first)
            g_assert_cmpint (rows->boxes.data[i].start, >=, rows->boxes.data[i - 1].end);
        }
    }
  g_assert_cmpuint (next, ==, rows->boxes.len);
  for (guint32 i = 0; i < rows->lines.len; i++)
    {
      g_assert_cmpuint (rows->lines.data[i].from_row, <, rows->rows.len);
      g_assert_cmpuint (rows->lines.data[i].to_row, <, rows->rows.len);
      g_assert_cmpint (rows->lines.data[i].start, <=, rows->lines.data[i].end);
    }
}

/* --- the Process Running View ------------------------------------------------------------------------------------- */

/* tool wakes a helper that hardly runs, which wakes a server; beside them an idle task, a sleeper that never runs and a
 * disk. */
static WpTrace *
small_trace (void)
{
  WpTrace *trace = wp_trace_new ();
  WpId tool_run, tool_sleep, helper_sleep, helper_run, server_sleep, server_run, disk;

  wp_array_resize (&trace->disks, 1);
  wp_array_push (&trace->disks, ((WpDisk) { .sector = 8, .sectors = 16,
                                            .rwbs = wp_strings_intern (trace->strings, "R") }));
  wp_array_push (&trace->disks, ((WpDisk) { .sectors = 0, .rwbs = wp_strings_intern (trace->strings, "FF") }));
  add_task (trace, "swapper", 0, WP_TASK_THREAD, WP_TASK_IDLE);
  add_op (trace, 0, 1000 * MS, WP_OP_RUN, 0);
  add_task (trace, "tool", 10, WP_TASK_THREAD, 0);
  tool_run = add_op (trace, 0, 100 * MS, WP_OP_RUN, 0);
  tool_sleep = add_op (trace, 100 * MS, 900 * MS, WP_OP_SLEEP, stack (trace, "main", "read_all", "read", NULL));
  add_op (trace, 900 * MS, 1000 * MS, WP_OP_RUN, 0);
  add_task (trace, "helper", 11, WP_TASK_THREAD, 0);
  helper_sleep = add_op (trace, 0, 60 * MS, WP_OP_SLEEP, stack (trace, "poll", NULL));
  helper_run = add_op (trace, 60 * MS, 61 * MS, WP_OP_RUN, 0);
  add_op (trace, 61 * MS, 1000 * MS, WP_OP_SLEEP, stack (trace, "poll", NULL));
  add_task (trace, "sleeper", 12, WP_TASK_THREAD, 0);
  add_op (trace, 0, 1000 * MS, WP_OP_SLEEP, 0);
  add_task (trace, "server", 13, WP_TASK_THREAD, 0);
  server_sleep = add_op (trace, 0, 65 * MS, WP_OP_SLEEP, stack (trace, "accept", NULL));
  server_run = add_op (trace, 65 * MS, 800 * MS, WP_OP_RUN, 0);
  add_op (trace, 800 * MS, 1000 * MS, WP_OP_SLEEP, stack (trace, "accept", NULL));
  disk = add_task (trace, "vda", 0, WP_TASK_DISK, 0);
  add_op (trace, 100 * MS, 300 * MS, WP_OP_DISK, 1);
  add_op (trace, 200 * MS, 400 * MS, WP_OP_DISK, 2);
  add_op (trace, 350 * MS, 380 * MS, WP_OP_DISK, 1);
  add_op (trace, 90 * MS, 100 * MS, WP_OP_DISK_QUEUE, 1);
  g_assert_cmpuint (disk, ==, 6);
  add_link (trace, 50 * MS, tool_run, helper_sleep, helper_run);
  add_link (trace, 60 * MS + 500, helper_run, server_sleep, server_run);
  add_link (trace, 790 * MS, server_run, tool_sleep, tool_sleep + 1);
  return trace;
}

static void
test_processes (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_FIRST_SEEN }, NULL,
                                                 NULL);

  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 6); /* three tasks, two lanes of the disk, one of its queue */
  assert_row (rows, 0, "tool (10)", "R:tool:0-100 R:tool:900-1000");
  assert_row (rows, 1, "helper (11)", "R:helper:60-61");
  assert_row (rows, 2, "server (13)", "R:server:65-800");
  assert_row (rows, 3, "vda", "D:read 8 KiB:100-300 D:read 8 KiB:350-380");
  assert_row (rows, 4, "", "D:flush:200-400");
  assert_row (rows, 5, "vda queue", "Q:read 8 KiB:90-100");
  g_assert_true (rows->rows.data[3].group);
  g_assert_cmpuint (rows->lines.len, ==, 3);
  g_assert_cmpuint (rows->lines.data[0].from_row, ==, 0);
  g_assert_cmpuint (rows->lines.data[0].to_row, ==, 1);
  g_assert_cmpint (rows->lines.data[0].end, ==, 60 * MS);
  g_assert_cmpint (rows->end, ==, 1000 * MS);
}

static void
test_sleeps (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &(WpProcessesOptions) { .show_sleeps = TRUE,
                                                                                .sort = WP_SORT_FIRST_SEEN },
                                                 NULL, NULL);

  check_invariants (rows);
  assert_row (rows, 0, "tool (10)", "R:tool:0-100 S:read:100-790 W:runnable:790-900 R:tool:900-1000");
  assert_row (rows, 1, "helper (11)", "S:poll:0-50 W:runnable:50-60 R:helper:60-61 S:poll:61-1000");
}

/* Who slept all the time comes behind all others, each with one box but for what was lost. */
static void
test_sleepers (void)
{
  static const struct
  {
    WpProcessesOptions options;
    guint rows; /* of sleepers */
  } cases[] = { { { .sort = WP_SORT_NAME }, 2 }, { { .sort = WP_SORT_NAME, .show_sleeps = TRUE }, 2 },
                { { .sort = WP_SORT_NAME, .filter = "e" }, 2 }, { { .sort = WP_SORT_NAME, .show_sleeps = TRUE, .summary = TRUE }, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpTrace) trace = wp_trace_new ();
      g_autoptr (WpRows) rows = NULL;

      for (guint t = 0; t < 3; t++)
        {
          WpOp *op;

          add_task (trace, t == 0 ? "agent" : t == 1 ? "early" : "zeta", 10 + (gint32) t, WP_TASK_THREAD, 0);
          op = &trace->ops.data[add_op (trace, 0, 1000 * MS, t < 2 ? WP_OP_SLEEP : WP_OP_RUN, t == 0 ? stack (trace, "epoll_wait", NULL) : 0)];
          op->flags = WP_OP_OPEN_START | WP_OP_OPEN_END;
          op->cause = WP_CAUSE_NONE;
        }
      trace->command_pid = 10;
      wp_array_push (&trace->lost, ((WpLost) { .start = 100 * MS, .end = 200 * MS, .paused = 1 }));
      rows = wp_layout_processes (trace, &cases[i].options, NULL, NULL);
      check_invariants (rows);
      g_assert_cmpuint (rows->rows.len, ==, 1 + cases[i].rows);
      assert_row (rows, 0, "zeta (12)", "R:zeta:0-1000");
      g_assert_true (cases[i].rows == 0 || rows->rows.data[1].group);
      if (cases[i].rows > 0)
        assert_row (rows, 1, "agent (10)", "S:asleep all the time, in epoll_wait:0-100 U:recording paused:100-200 "
                                           "S:asleep all the time, in epoll_wait:200-1000");
      if (cases[i].rows > 1)
        assert_row (rows, 2, "early (11)", "S:asleep all the time:0-100 U:recording paused:100-200 S:asleep all the time:200-1000");
    }
}

/* A thread of the process that `leader` leads. */
static WpId
add_thread (WpTrace *trace, const char *name, gint32 tid, WpId leader)
{
  WpId task = add_task (trace, name, tid, WP_TASK_THREAD, 0);

  trace->tasks.data[task].pid = trace->tasks.data[leader].pid;
  trace->tasks.data[task].leader = leader;
  return task;
}

static void
join_exec (WpTrace *trace, WpId before, WpId after)
{
  trace->tasks.data[before].after = after;
  trace->tasks.data[after].before = before;
}

/* recorder forks sh, which becomes make and has a thread that never ran and two that did; make forks cc. Three others have nothing to do with
 * it, one wakes make, three slept all the time. */
static WpTrace *
family_trace (void)
{
  WpTrace *trace = wp_trace_new ();
  WpId recorder, sh, make, cc, fork, fork_cc, waker;

  recorder = add_task (trace, "recorder", 5, WP_TASK_THREAD, 0);
  fork = add_op (trace, 0, 100 * MS, WP_OP_RUN, 0);
  sh = add_task (trace, "sh", 10, WP_TASK_THREAD, 0);
  trace->tasks.data[sh].forked_by = fork;
  add_op (trace, 10 * MS, 20 * MS, WP_OP_RUN, 0);
  make = add_task (trace, "make", 10, WP_TASK_THREAD, 0);
  join_exec (trace, sh, make);
  fork_cc = add_op (trace, 20 * MS, 40 * MS, WP_OP_RUN, 0);
  add_op (trace, 40 * MS, 60 * MS, WP_OP_SLEEP, 0);
  add_op (trace, 60 * MS, 70 * MS, WP_OP_RUN, 0);
  add_thread (trace, "late", 12, make);
  add_op (trace, 50 * MS, 65 * MS, WP_OP_RUN, 0);
  add_thread (trace, "early", 11, make);
  add_op (trace, 30 * MS, 35 * MS, WP_OP_RUN, 0);
  cc = add_task (trace, "cc", 13, WP_TASK_THREAD, 0);
  trace->tasks.data[cc].forked_by = fork_cc;
  add_op (trace, 40 * MS, 80 * MS, WP_OP_RUN, 0);
  waker = add_task (trace, "daemon", 20, WP_TASK_THREAD, 0);
  add_op (trace, 55 * MS, 61 * MS, WP_OP_RUN, 0);
  for (gint32 i = 0; i < 3; i++)
    {
      add_task (trace, "other", 30 + i, WP_TASK_THREAD, 0);
      add_op (trace, i * 20 * MS, i * 20 * MS + 10 * MS, WP_OP_RUN, 0);
    }
  for (gint32 i = 0; i < 3; i++)
    {
      WpId op;

      add_task (trace, "asleep", 40 + i, WP_TASK_THREAD, 0);
      op = add_op (trace, 0, 100 * MS, WP_OP_SLEEP, 0);
      trace->ops.data[op].flags = WP_OP_OPEN_START | WP_OP_OPEN_END;
      trace->ops.data[op].cause = WP_CAUSE_NONE;
    }
  add_link (trace, 60 * MS, trace->tasks.data[waker].first_op, fork_cc + 1, fork_cc + 2);
  g_assert_cmpuint (recorder, ==, 1);
  trace->command_pid = 10;
  return trace;
}

static void
assert_rows (const WpTrace *trace, const WpProcessesOptions *options, const char *expected)
{
  g_autoptr (WpRows) rows = wp_layout_processes (trace, options, NULL, NULL);
  g_autoptr (GString) shown = g_string_new (NULL);

  check_invariants (rows);
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      g_string_append_printf (shown, "%s%*s%s%s%s", r > 0 ? "\n" : "", row->indent * 2, "", row->fold == WP_FOLD_OPEN ? "- " : row->fold ? "+ " : "",
                              row->pinned ? "^" : "", wp_rows_string (rows, row->label));
    }
  g_assert_cmpstr (shown->str, ==, expected);
}

/* Threads stand under their process, an exec stays on its row; who has nothing to do with the command, the recorder among them, and who slept all the
 * time are behind rows that open. Each fold turns by its key, and pinned processes stand at the top. */
static void
test_folds (void)
{
  g_autoptr (WpTrace) trace = family_trace ();
  static const gint32 closed[] = { 10 }, opened[] = { WP_FOLD_OTHERS, WP_FOLD_SLEEPERS }, pins[] = { 31, 13 };
  const WpProcessesOptions plain = { .sort = WP_SORT_FIRST_SEEN };
  const WpProcessesOptions one_row = { .sort = WP_SORT_FIRST_SEEN, .turned = closed, .n_turned = 1 };

  assert_rows (trace, &plain, "- make (10)\n  early (11)\n  late (12)\ncc (13)\ndaemon (20)\n+ 4 other tasks\n+ 3 processes asleep");
  assert_rows (trace, &one_row, "+ make (10) · 3 threads\ncc (13)\ndaemon (20)\n+ 4 other tasks\n+ 3 processes asleep");
  assert_rows (trace, &(WpProcessesOptions) { .sort = WP_SORT_FIRST_SEEN, .turned = opened, .n_turned = 2 },
               "- make (10)\n  early (11)\n  late (12)\ncc (13)\ndaemon (20)\n- 4 other tasks\n  recorder (5)\n  other (30)\n  other (31)\n  other (32)\n"
               "- 3 processes asleep\n  asleep (40)\n  asleep (41)\n  asleep (42)");
  assert_rows (trace, &(WpProcessesOptions) { .sort = WP_SORT_CPU_TIME, .pinned = pins, .n_pinned = 2 },
               "^other (31)\n^cc (13)\n- make (10)\n  early (11)\n  late (12)\ndaemon (20)\n+ 3 other tasks\n+ 3 processes asleep");
  assert_rows (trace, &(WpProcessesOptions) { .sort = WP_SORT_FIRST_SEEN, .filter = "E" },
               "- make (10)\n  early (11)\n  late (12)\ndaemon (20)\nrecorder (5)\nother (30)\nother (31)\nother (32)\nasleep (40)\nasleep (41)\nasleep (42)");
  {
    g_autoptr (WpRows) rows = wp_layout_processes (trace, &plain, NULL, NULL), closed_rows = wp_layout_processes (trace, &one_row, NULL, NULL);

    assert_row (rows, 0, "make (10)", "R:sh:10-20 R:make:20-40 R:make:60-70");
    assert_row (rows, 5, "4 other tasks", "R:recorder:0-100");
    assert_row (closed_rows, 0, "make (10) · 3 threads", "R:sh:10-20 R:make:20-40 R:late:50-65 R:make:65-70");
  }
}

/* Processes of one name are told apart by their arguments, as far as those are known and are of that program; others are not lengthened by them. */
static void
test_arguments (void)
{
  static const struct
  {
    gint32 tid;
    const char *name, *line, *row;
  } rows[] = {
    { 20, "git", "/usr/lib/git-core/git index-pack --stdin -v", "git index-pack (20)" },
    { 21, "git", "git clone https://example.org/a/rather/long/name.git somewhere", "git clone (21)" },
    { 22, "git", "sh -c git status", "git (22)" }, /* before its exec */
    { 23, "git", "git", "git (23)" },
    { 32, "git", "git unpack-objects-from-far-away", "git unpack-objects-f… (32)" },
    { 24, "git", NULL, "git (24)" },
    { 25, "sh", "-sh /home/me/bin/run.sh", "sh run.sh (25)" },
    { 26, "sh", "sh", "sh (26)" },
    { 27, "a-name-of-many-", "/usr/bin/a-name-of-many-letters one", "a-name-of-many- one (27)" },
    { 28, "a-name-of-many-", "python3 /usr/bin/a-name-of-many-letters two", "a-name-of-many- two (28)" },
    { 29, "postgres", "postgres: checkpointer ", "postgres checkpointer (29)" },
    { 30, "postgres", "/usr/bin/postgres -D /var/lib/data", "postgres -D data (30)" },
    { 31, "alone", "alone with arguments", "alone (31)" },
  };
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) shown = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WpId task = add_task (trace, rows[i].name, rows[i].tid, WP_TASK_THREAD, 0);

      trace->tasks.data[task].leader = task;
      add_op (trace, i * MS, i * MS + MS, WP_OP_RUN, 0);
      if (rows[i].line != NULL)
        wp_trace_set_arguments (trace, rows[i].tid, rows[i].line);
    }
  g_assert_cmpstr (wp_trace_arguments (trace, 1), ==, rows[0].line);
  g_assert_null (wp_trace_arguments (trace, 3));
  shown = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_FIRST_SEEN }, NULL, NULL);
  g_assert_cmpuint (shown->rows.len, ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (wp_rows_string (shown, shown->rows.data[i].label), ==, rows[i].row);
}

/* A row for each CPU that somebody had, with its share, and one for what interrupted there; a filter leaves whom it names. */
static void
test_cpus (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (WpRows) rows = NULL, filtered = NULL;

  for (WpId o = 1; o < trace->ops.len; o++)
    if (trace->ops.data[o].kind == WP_OP_RUN)
      trace->ops.data[o].cpu = trace->ops.data[o].task == 5 ? 4 : 1; /* the server's */
  add_interrupt (trace, 4, 70 * MS, 72 * MS);
  add_interrupt (trace, 4, 850 * MS, 851 * MS); /* while it was idle */
  rows = wp_layout_processes (trace, &(WpProcessesOptions) { .by_cpu = TRUE }, NULL, NULL);
  filtered = wp_layout_processes (trace, &(WpProcessesOptions) { .by_cpu = TRUE, .filter = "SERV" }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 3);
  assert_row (rows, 0, "CPU 0 · 20.1 % busy", "R:tool:0-100 R:tool:900-1000"); /* the helper ran at the same time, by mistake */
  assert_row (rows, 1, "CPU 3 · 73.5 % busy", "R:server:65-800");
  assert_row (rows, 2, "interrupts", "I:eth0:70-72 I:eth0:850-851");
  g_assert_cmpuint (rows->bodies.len, ==, 3);
  g_assert_cmpstr (wp_rows_string (rows, rows->bodies.data[0].label), ==, "server");
  check_invariants (filtered);
  g_assert_cmpuint (filtered->rows.len, ==, 1);
  assert_row (filtered, 0, "CPU 3 · 73.5 % busy", "R:server:65-800");
}

/* The helper ran 1 ms of 1000: less than 1/300. Its link is joined with the one that woke it. */
static void
test_summary (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &(WpProcessesOptions) { .summary = TRUE,
                                                                                .sort = WP_SORT_FIRST_SEEN },
                                                 NULL, NULL);

  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 5);
  assert_row (rows, 1, "server (13)", "R:server:65-800");
  g_assert_cmpuint (rows->lines.len, ==, 2);
  g_assert_cmpint (rows->lines.data[0].start, ==, 50 * MS);
  g_assert_cmpint (rows->lines.data[0].end, ==, 65 * MS);
  g_assert_cmpuint (rows->lines.data[0].from_row, ==, 0);
  g_assert_cmpuint (rows->lines.data[0].to_row, ==, 1);
  g_assert_cmpuint (rows->lines.data[0].link, ==, 2);
}

static void
test_filter_and_sort (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (WpRows) filtered = wp_layout_processes (trace, &(WpProcessesOptions) { .filter = "SER" }, NULL, NULL);
  g_autoptr (WpRows) by_name = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_NAME }, NULL, NULL);
  g_autoptr (WpRows) by_time = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_CPU_TIME }, NULL,
                                                    NULL);

  g_assert_cmpuint (filtered->rows.len, ==, 1);
  assert_row (filtered, 0, "server (13)", "R:server:65-800");
  g_assert_cmpuint (filtered->lines.len, ==, 0);
  g_assert_cmpstr (wp_rows_string (by_name, by_name->rows.data[0].label), ==, "helper (11)");
  g_assert_cmpstr (wp_rows_string (by_name, by_name->rows.data[2].label), ==, "tool (10)");
  g_assert_cmpstr (wp_rows_string (by_time, by_time->rows.data[0].label), ==, "server (13)");
  g_assert_cmpstr (wp_rows_string (by_time, by_time->rows.data[1].label), ==, "tool (10)");
  check_invariants (by_name);
  check_invariants (by_time);
}

/* a and c wake each other often, b and d once; b1 and b2 have one name. */
static void
test_related (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  static const char *const names[] = { "a", "b", "c", "d", "b" };
  static const char *const expected[] = { "a (1)", "c (3)", "b (2)", "b (5)", "d (4)" };
  WpId runs[5];
  g_autoptr (WpRows) rows = NULL;

  for (guint i = 0; i < 5; i++)
    {
      add_task (trace, names[i], i + 1, WP_TASK_THREAD, 0);
      runs[i] = add_op (trace, i * MS, 100 * MS, WP_OP_RUN, 0);
    }
  for (guint i = 0; i < 9; i++)
    add_link (trace, 10 * MS, runs[0], 0, runs[2]);
  add_link (trace, 10 * MS, runs[1], 0, runs[3]);
  rows = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_RELATED }, NULL, NULL);
  check_invariants (rows);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpstr (wp_rows_string (rows, rows->rows.data[i].label), ==, expected[i]);
  g_assert_true (rows->rows.data[2].group);
  g_assert_false (rows->rows.data[1].group);
  g_assert_false (rows->rows.data[3].group);
}

/* Whatever it is related to, the recorded command comes first, by its last name; what is next to it follows. */
static void
test_related_command (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  static const char *const names[] = { "launcher", "daemon", "launcher", "make", "far", "near" };
  static const int pids[] = { 1, 2, 4, 4, 5, 6 };
  static const char *const expected[] = { "make (4)", "launcher (1)", "launcher (4)", "near (6)", "daemon (2)", "far (5)" };
  WpId runs[6];
  g_autoptr (WpRows) rows = NULL;

  for (guint i = 0; i < 6; i++)
    {
      add_task (trace, names[i], pids[i], WP_TASK_THREAD, 0);
      trace->tasks.data[i + 1].pid = pids[i];
      runs[i] = add_op (trace, i * MS, 100 * MS, WP_OP_RUN, 0);
    }
  trace->command_pid = 4;
  for (guint i = 0; i < 9; i++)
    {
      add_link (trace, 10 * MS, runs[1], 0, runs[0]);
      add_link (trace, 10 * MS, runs[5], 0, runs[4]);
    }
  for (guint i = 0; i < 5; i++)
    add_link (trace, 10 * MS, runs[0], 0, runs[3]);
  add_link (trace, 10 * MS, runs[3], 0, runs[5]);
  rows = wp_layout_processes (trace, &(WpProcessesOptions) { .sort = WP_SORT_RELATED }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 6);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (wp_rows_string (rows, rows->rows.data[i].label), ==, expected[i]);
}

/* Related order must not take long where there is much of everything. */
static void
test_related_many (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (GTimer) timer = g_timer_new ();
  g_autoptr (WpRows) rows = NULL;

  for (guint i = 0; i < 40000; i++)
    {
      char name[32];

      g_snprintf (name, sizeof name, "task%u", i);
      add_task (trace, name, i + 1, WP_TASK_THREAD, 0);
      add_op (trace, i, 100 * MS, WP_OP_RUN, 0);
    }
  for (guint i = 0; i < 400000; i++)
    add_link (trace, i, 1 + (i * 7919u) % 40000, 0, 1 + (i * 104729u + 13) % 40000);
  g_timer_start (timer);
  rows = wp_layout_processes (trace, NULL, NULL, NULL);
  g_assert_cmpuint (rows->rows.len, ==, 40000);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 20);
}

static void
test_cancelled (void)
{
  g_autoptr (WpTrace) trace = small_trace ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  WpProgress progress = { .cancellable = cancellable };

  g_cancellable_cancel (cancellable);
  g_assert_null (wp_layout_processes (trace, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_nothing (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = wp_layout_processes (trace, NULL, NULL, NULL);
  WpPaths paths = { .trace = trace };
  g_autoptr (WpRows) flame = NULL;

  wp_array_resize (&paths.parts, 1);
  wp_array_resize (&paths.paths, 1);
  flame = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  g_assert_cmpuint (rows->rows.len + flame->rows.len, ==, 0);
  wp_array_clear (&paths.parts);
  wp_array_clear (&paths.paths);
}

/* --- the Flame View ----------------------------------------------------------------------------------------------- */

static WpId
add_part (WpPaths *paths, WpId op, gint64 start, gint64 end, WpId parent, WpId before, WpId path)
{
  WpId id = paths->parts.len;

  wp_array_push (&paths->parts, ((WpPart) { .start = start, .end = end, .op = op, .parent = parent, .path = path }));
  if (before != 0)
    paths->parts.data[before].next = id;
  else if (parent != 0)
    paths->parts.data[parent].first_child = id;
  else
    paths->paths.data[path].first_part = id;
  return id;
}

static void
paths_init (WpPaths *paths, const WpTrace *trace, guint32 n)
{
  *paths = (WpPaths) { .trace = trace, .options = WP_PATH_OPTIONS_DEFAULT, .n_lanes = n };
  wp_array_resize (&paths->parts, 1);
  wp_array_resize (&paths->paths, 1);
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&paths->paths, ((WpPath) { .lane = i, .base = i == 0 }));
}

static void
paths_clear (WpPaths *paths)
{
  wp_array_clear (&paths->parts);
  wp_array_clear (&paths->paths);
}

/* A: main>work (two samples: f, g), sleeps in main>wait, runs main>work>g; on the sleep B: main>serve, overflowing by
 * 0.05 ms. */
static void
test_flame (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL;
  WpPaths paths;
  WpId a1, a2, a3, b1, b2, p1, p2;

  add_task (trace, "A", 1, WP_TASK_THREAD, 0);
  a1 = add_op (trace, 0, 10 * MS, WP_OP_RUN, 0);
  a2 = add_op (trace, 10 * MS, 20 * MS, WP_OP_SLEEP, stack (trace, "main", "wait", NULL));
  a3 = add_op (trace, 20 * MS, 30 * MS, WP_OP_RUN, 0);
  add_sample (trace, a1, stack (trace, "main", "work", "f", NULL));
  add_sample (trace, a1, stack (trace, "main", "work", "g", NULL));
  add_sample (trace, a3, stack (trace, "main", "work", "g", NULL));
  add_task (trace, "B", 2, WP_TASK_THREAD, 0);
  b2 = add_op (trace, 0, 9950000, WP_OP_SLEEP, 0);
  b1 = add_op (trace, 9950000, 19 * MS, WP_OP_RUN, 0);
  add_sample (trace, b1, stack (trace, "main", "serve", NULL));
  add_link (trace, 9900000, a1, b2, b1);
  add_link (trace, 19 * MS, b1, a2, a3);
  paths_init (&paths, trace, 1);
  paths.paths.data[1].task = 1;
  p1 = add_part (&paths, a1, 0, 10 * MS, 0, 0, 1);
  p2 = add_part (&paths, a2, 10 * MS, 20 * MS, 0, p1, 1);
  add_part (&paths, a3, 20 * MS, 30 * MS, 0, p2, 1);
  add_part (&paths, b1, 9950000, 19 * MS, p2, 0, 1);
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 6);
  assert_row (rows, 5, "A", "P:A:0-30");
  assert_row (rows, 4, "", "B:main:0-30");
  assert_row (rows, 3, "", "R:work:0-10 S:wait:10-20 R:work:20-30");
  assert_row (rows, 2, "", "R:f:0-5 R:g:5-10 P:B:10-19 R:g:20-30"); /* B overflows into g: cut by 0.05 ms */
  assert_row (rows, 1, "", "R:main:9.95-19");
  assert_row (rows, 0, "", "R:serve:9.95-19");
  g_assert_cmpuint (rows->rows.data[5].ref_kind, ==, WP_REF_PATH);
  g_assert_cmpuint (rows->lines.len, ==, 2);
  g_assert_true (rows->lines.data[0].quiet);
  g_assert_cmpuint (rows->lines.data[0].from_row, ==, 5);
  g_assert_cmpuint (rows->lines.data[0].to_row, ==, 2);
  paths_clear (&paths);
}

/* Interrupts stand on what they interrupted, which goes on below them: one within a sample's share, one from there into the next. A run that was
 * not sampled has one, too; that of another CPU is not there. */
static void
test_flame_interrupts (void)
{
  static const WpDepthChoice waits = { .depth = WP_DEPTH_WAITS };
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL, plain = NULL;
  WpPaths paths;
  WpId run, unsampled, p1;

  add_task (trace, "A", 1, WP_TASK_THREAD, 0);
  run = add_op (trace, 0, 10 * MS, WP_OP_RUN, 0);
  add_op (trace, 10 * MS, 20 * MS, WP_OP_SLEEP, 0);
  unsampled = add_op (trace, 20 * MS, 30 * MS, WP_OP_RUN, 0);
  trace->ops.data[run].cpu = trace->ops.data[unsampled].cpu = 2;
  add_sample (trace, run, stack (trace, "main", "f", NULL));
  add_sample (trace, run, stack (trace, "main", "g", "h", NULL));
  add_interrupt (trace, 1, 1 * MS, 9 * MS);
  add_interrupt (trace, 2, 2 * MS, 3 * MS);
  add_interrupt (trace, 2, 4 * MS, 6 * MS);
  add_interrupt (trace, 2, 22 * MS, 23 * MS);
  g_assert_cmpstr (wp_trace_check (trace), ==, NULL);
  paths_init (&paths, trace, 1);
  paths.paths.data[1].task = 1;
  p1 = add_part (&paths, run, 0, 10 * MS, 0, 0, 1);
  add_part (&paths, unsampled, 20 * MS, 30 * MS, 0, p1, 1);
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 5);
  assert_row (rows, 4, "A", "P:A:0-10 P:A:20-30");
  assert_row (rows, 3, "", "R:main:0-10 R:(not sampled):20-30");
  assert_row (rows, 2, "", "R:f:0-5 R:g:5-10 I:interrupt: eth0:22-23");
  assert_row (rows, 1, "", "I:interrupt: eth0:2-3 I:interrupt: eth0:4-5 R:h:5-10");
  assert_row (rows, 0, "", "I:interrupt: eth0:5-6");
  plain = wp_layout_flame (&paths, NULL, waits, NULL, NULL);
  check_invariants (plain);
  assert_row (plain, 1, "", "R:runs:0-10 R:runs:20-30");
  assert_row (plain, 0, "", "I:interrupt: eth0:2-3 I:interrupt: eth0:4-6 I:interrupt: eth0:22-23");
  paths_clear (&paths);
}

/* A task whose only run lasted no time, alone in each of its lanes: their rows are there, with nothing in them. What joins such
 * runs stays within the rows. */
static void
test_flame_moments (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL;
  WpPaths paths;
  WpId ops[3];

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      add_task (trace, "moment", 1 + i, WP_TASK_THREAD, 0);
      ops[i] = add_op (trace, 5 * MS, i == 1 ? 6 * MS : 5 * MS, WP_OP_RUN, 0);
      add_sample (trace, ops[i], stack (trace, "main", "work", NULL));
    }
  add_link (trace, 5 * MS, ops[0], 0, ops[2]);
  paths_init (&paths, trace, G_N_ELEMENTS (ops) + 1); /* nothing is in the last one */
  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      paths.paths.data[1 + i].task = 1 + i;
      add_part (&paths, ops[i], trace->ops.data[ops[i]].start, trace->ops.data[ops[i]].end, 0, 0, 1 + i);
    }
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 5);
  assert_row (rows, 0, "moment", "");
  assert_row (rows, 1, "", "R:work:5-6");
  assert_row (rows, 3, "moment", "P:moment:5-6");
  assert_row (rows, 4, "moment", "");
  g_assert_cmpuint (rows->home, ==, 0);
  g_assert_cmpuint (rows->lines.len, ==, 1);
  g_assert_cmpuint (rows->lines.data[0].from_row, ==, 0);
  g_assert_cmpuint (rows->lines.data[0].to_row, ==, 4);
  paths_clear (&paths);
}

/* What stands on a sleep: a disk operation on its queue, a wait for another path in a lane of its own, time to be
 * scheduled. */
static void
test_flame_kinds (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL, again = NULL;
  g_autoptr (GArray) ghosts = g_array_new (FALSE, FALSE, sizeof (WpId));
  WpPaths paths;
  WpId s1, s2, q, d, w, p1, p2, p3;

  wp_array_resize (&trace->disks, 1);
  wp_array_push (&trace->disks, ((WpDisk) { .sectors = 8, .rwbs = wp_strings_intern (trace->strings, "WS") }));
  add_task (trace, "A", 1, WP_TASK_THREAD, 0);
  s1 = add_op (trace, 0, 10 * MS, WP_OP_SLEEP, stack (trace, "main", "fsync", NULL));
  add_op (trace, 10 * MS, 11 * MS, WP_OP_RUN, 0);
  s2 = add_op (trace, 11 * MS, 20 * MS, WP_OP_SLEEP, stack (trace, "main", "join", NULL));
  add_task (trace, "W", 2, WP_TASK_THREAD, 0);
  w = add_op (trace, 5 * MS, 18 * MS, WP_OP_RUN, 0);
  add_task (trace, "vda", 0, WP_TASK_DISK, 0);
  d = add_op (trace, 4 * MS, 9 * MS, WP_OP_DISK, 1);
  q = add_op (trace, 1 * MS, 4 * MS, WP_OP_DISK_QUEUE, 1);
  add_link (trace, 18 * MS, w, s2, 0);
  paths_init (&paths, trace, 2);
  paths.paths.data[1].task = 1;
  paths.paths.data[2].task = 2;
  p1 = add_part (&paths, s1, 0, 10 * MS, 0, 0, 1);
  p2 = add_part (&paths, s2 - 1, 10 * MS, 11 * MS, 0, p1, 1);
  p3 = add_part (&paths, s2, 11 * MS, 20 * MS, 0, p2, 1);
  paths.parts.data[p3].waits_path = 2;
  p2 = add_part (&paths, q, 1 * MS, 4 * MS, p1, 0, 1);
  add_part (&paths, d, 4 * MS, 9 * MS, p1, p2, 1);
  add_part (&paths, w, 5 * MS, 18 * MS, 0, 0, 2);
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 6);
  assert_row (rows, 0, "",
              "Q:vda: write 4 KiB, queued:1-4 D:vda: write 4 KiB:4-9 O:waiting on W:11-18 W:runnable:18-20");
  assert_row (rows, 1, "", "S:fsync:0-10 R:(not sampled, at least here):10-11 S:join:11-20");
  assert_row (rows, 2, "", "B:main:0-20");
  assert_row (rows, 3, "A", "P:A:0-20");
  assert_row (rows, 4, "", "R:(not sampled):5-18");
  assert_row (rows, 5, "W", "P:W:5-18");
  g_assert_true (rows->rows.data[4].group);

  /* The same lane again on the wait, as long as that lasts. */
  g_array_append_val (ghosts, s2);
  again = wp_layout_flame (&paths, NULL, (WpDepthChoice) { .ghosts = ghosts }, NULL, NULL);
  check_invariants (again);
  g_assert_cmpuint (again->rows.len, ==, 8);
  assert_row (again, 0, "", "R:(not sampled):11-18");
  assert_row (again, 1, "", "P:W:11-18");
  assert_row (again, 6, "", "R:(not sampled):5-18");
  assert_row (again, 7, "W", "P:W:5-18");
  for (guint32 i = 0; i < again->boxes.len; i++)
    g_assert_cmpint (again->boxes.data[i].ghost, ==, wp_rows_row_of (again, i) < 2);
  g_assert_cmpuint (again->lines.len, ==, rows->lines.len);
  for (guint32 i = 0; i < rows->lines.len; i++) /* links lead to the lane, not to the ghost */
    g_assert_cmpuint (again->lines.data[i].from_row, ==, rows->lines.data[i].from_row + 2);
  paths_clear (&paths);
}

/* Two processes of one name that do the same, the second from the moment on in which the first ends: two stacks. */
static void
test_flame_processes_apart (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL;
  WpPaths paths;
  WpId sleep, ops[2], part, before = 0;

  add_task (trace, "sh", 1, WP_TASK_THREAD, 0);
  sleep = add_op (trace, 0, 20 * MS, WP_OP_SLEEP, stack (trace, "main", NULL));
  paths_init (&paths, trace, 1);
  paths.paths.data[1].task = 1;
  part = add_part (&paths, sleep, 0, 20 * MS, 0, 0, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      add_task (trace, "curl", 2 + i, WP_TASK_THREAD, 0);
      ops[i] = add_op (trace, i * 10 * MS, (i + 1) * 10 * MS, WP_OP_RUN, 0);
      add_sample (trace, ops[i], stack (trace, "main", NULL));
      before = add_part (&paths, ops[i], i * 10 * MS, (i + 1) * 10 * MS, part, before, 1);
    }
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  check_invariants (rows);
  g_assert_cmpuint (rows->rows.len, ==, 4);
  assert_row (rows, 1, "", "P:curl:0-10 P:curl:10-20");
  assert_row (rows, 0, "", "R:main:0-10 R:main:10-20");
  paths_clear (&paths);
}

/* A chain of a million parts, each on the one before it. */
static void
test_flame_deep (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpRows) rows = NULL;
  const guint32 depth = 1000000;
  WpPaths paths;
  WpId before = 0;

  add_task (trace, "deep", 1, WP_TASK_THREAD, 0);
  for (guint32 i = 0; i < depth; i++)
    add_op (trace, i, 3 * depth - i, WP_OP_SLEEP, 0);
  paths_init (&paths, trace, 1);
  for (guint32 i = 0; i < depth; i++)
    before = add_part (&paths, 1 + i, i, 3 * depth - i, before, 0, 1);
  rows = wp_layout_flame (&paths, NULL, (WpDepthChoice) { 0 }, NULL, NULL);
  g_assert_cmpuint (rows->rows.len, ==, depth);
  g_assert_cmpuint (rows->boxes.len, ==, depth);
  g_assert_cmpint (rows->boxes.data[0].start, ==, depth - 1);
  paths_clear (&paths);
}

/* --- the consolidated view ---------------------------------------------------------------------------------------- */

static WpId
add_node (WpTree *tree, WpId parent, WpId before, const char *name, WpFrameKind kind, gint64 total, gint64 extra)
{
  WpNode *node = wp_array_add (&tree->nodes);
  WpId id = tree->nodes.len - 1;

  *node = (WpNode) { .name = wp_strings_intern (tree->strings, name), .parent = parent, .total = total * MS,
                     .extra = extra * MS,
                     .kind = kind };
  if (before != 0)
    tree->nodes.data[before].next = id;
  else
    tree->nodes.data[parent].first_child = id;
  return id;
}

/* Adds own time to a node and all below it. */
static void
add_self (WpTree *tree, WpId node, WpFrameKind kind, gint64 ns)
{
  tree->nodes.data[node].self += ns * MS;
  for (WpId n = node;; n = tree->nodes.data[n].parent)
    {
      tree->nodes.data[n].ns[kind] += ns * MS;
      if (n == 0)
        return;
    }
}

static void
test_tree (void)
{
  WpTree tree = { .strings = wp_strings_new () };
  WpId a, main_, read_, work, b, serve, c;
  g_autoptr (WpRows) flame = NULL;
  g_autoptr (WpRows) icicle = NULL;

  wp_array_resize (&tree.nodes, 1);
  tree.nodes.data[0].total = 33 * MS;
  a = add_node (&tree, 0, 0, "A", WP_FRAME_PROCESS, 22, 2);
  main_ = add_node (&tree, a, 0, "main", WP_FRAME_SLEEP, 22, 2);
  read_ = add_node (&tree, main_, 0, "read", WP_FRAME_RUN, 15, 2); /* sleeps, but mostly B runs on it */
  work = add_node (&tree, main_, read_, "work", WP_FRAME_RUN, 7, 0);
  b = add_node (&tree, read_, 0, "B", WP_FRAME_PROCESS, 12, 0);
  serve = add_node (&tree, b, 0, "serve", WP_FRAME_RUN, 12, 0);
  c = add_node (&tree, 0, a, "C", WP_FRAME_PROCESS, 11, 0);
  add_self (&tree, serve, WP_FRAME_RUN, 12);
  add_self (&tree, read_, WP_FRAME_OTHER_PATH, 3);
  add_self (&tree, work, WP_FRAME_RUN, 7);
  add_self (&tree, c, WP_FRAME_SLEEP, 11);
  flame = wp_layout_tree (&tree, FALSE, NULL);
  icicle = wp_layout_tree (&tree, TRUE, NULL);
  check_invariants (flame);
  check_invariants (icicle);
  g_assert_false (flame->is_time);
  g_assert_cmpint (flame->end, ==, 33 * MS);
  g_assert_cmpuint (flame->rows.len, ==, 5);
  assert_row (flame, 4, "", "P:A:0-20 P:C:22-33");
  assert_row (flame, 3, "", "B:main:0-20");
  assert_row (flame, 2, "", "S:read:0-13 R:work:15-22");
  assert_row (flame, 1, "", "P:B:0-12 O:waiting for another lane:12-15");
  assert_row (flame, 0, "", "R:serve:0-12");
  assert_row (icicle, 0, "", "P:A:0-20 P:C:22-33");
  assert_row (icicle, 4, "", "R:serve:0-12");
  wp_array_clear (&tree.nodes);
  wp_strings_free (tree.strings);
}

/* What a sleep waited for stands on it in the colours that the flame view has, one beside the other, and where events were lost that is seen. */
static void
test_tree_kinds (void)
{
  WpTree tree = { .strings = wp_strings_new () };
  WpId a, poll, lost, words, work, handler;
  g_autoptr (WpRows) flame = NULL;

  wp_array_resize (&tree.nodes, 1);
  tree.nodes.data[0].total = 23 * MS;
  a = add_node (&tree, 0, 0, "A", WP_FRAME_PROCESS, 23, 0);
  poll = add_node (&tree, a, 0, "poll", WP_FRAME_SLEEP, 10, 0);
  lost = add_node (&tree, a, poll, "lost", WP_FRAME_SLEEP, 6, 0);
  words = add_node (&tree, a, lost, "waits for a CPU", WP_FRAME_RUNNABLE, 4, 0);
  work = add_node (&tree, a, words, "work", WP_FRAME_RUN, 3, 0);
  handler = add_node (&tree, work, 0, "eth0", WP_FRAME_HARDWARE, 1, 0);
  add_self (&tree, poll, WP_FRAME_SLEEP, 4);
  add_self (&tree, poll, WP_FRAME_RUNNABLE, 3);
  add_self (&tree, poll, WP_FRAME_HARDWARE, 2);
  add_self (&tree, poll, WP_FRAME_OTHER_PATH, 1);
  add_self (&tree, lost, WP_FRAME_UNKNOWN, 6);
  add_self (&tree, words, WP_FRAME_RUNNABLE, 4);
  add_self (&tree, work, WP_FRAME_RUN, 2);
  add_self (&tree, handler, WP_FRAME_RUN, 1);
  flame = wp_layout_tree (&tree, FALSE, NULL);
  check_invariants (flame);
  g_assert_cmpuint (flame->rows.len, ==, 3);
  assert_row (flame, 1, "", "S:poll:0-10 U:lost:10-16 W:waits for a CPU:16-20 R:work:20-23"); /* interrupted, it runs */
  assert_row (flame, 0, "", "O:waiting for another lane:0-1 W:runnable:1-4 I:interrupt:4-6 I:eth0:20-21");
  g_assert_true (wp_layout_shows (&flame->boxes.data[1], WP_CATEGORY_SCHEDULER));
  g_assert_false (wp_layout_shows (&flame->boxes.data[1], WP_CATEGORY_KERNEL_BLOCK));
  wp_array_clear (&tree.nodes);
  wp_strings_free (tree.strings);
}

/* Turned over, what ran runs, with its callers up to its process; whoever waited for that slept. */
static void
test_tree_inverted (void)
{
  WpTree tree = { .strings = wp_strings_new (), .inverted = TRUE };
  WpId above;
  g_autoptr (WpRows) rows = NULL;

  wp_array_resize (&tree.nodes, 1);
  tree.nodes.data[0].total = 10 * MS;
  above = add_node (&tree, 0, 0, "work", WP_FRAME_RUN, 10, 0);
  above = add_node (&tree, above, 0, "main", WP_FRAME_RUN, 10, 0);
  above = add_node (&tree, above, 0, "B", WP_FRAME_PROCESS, 10, 0);
  above = add_node (&tree, above, 0, "read", WP_FRAME_RUN, 10, 0);
  above = add_node (&tree, above, 0, "A", WP_FRAME_PROCESS, 10, 0);
  add_self (&tree, above, WP_FRAME_RUN, 10);
  rows = wp_layout_tree (&tree, TRUE, NULL);
  assert_row (rows, 0, "", "R:work:0-10");
  assert_row (rows, 1, "", "R:main:0-10");
  assert_row (rows, 3, "", "S:read:0-10");
  wp_array_clear (&tree.nodes);
  wp_strings_free (tree.strings);
}

static void
test_tree_deep (void)
{
  WpTree tree = { .strings = wp_strings_new () };
  g_autoptr (WpRows) rows = NULL;
  const guint32 depth = 1000000;

  wp_array_resize (&tree.nodes, 1);
  tree.nodes.data[0].total = MS;
  for (guint32 i = 0; i < depth; i++)
    add_node (&tree, i, 0, "f", WP_FRAME_RUN, 1, 0);
  rows = wp_layout_tree (&tree, FALSE, NULL);
  g_assert_cmpuint (rows->rows.len, ==, depth);
  wp_array_clear (&tree.nodes);
  wp_strings_free (tree.strings);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/processes/arguments", test_arguments);
  g_test_add_func ("/processes/cpus", test_cpus);
  g_test_add_func ("/processes/folds", test_folds);
  g_test_add_func ("/processes/runs-and-devices", test_processes);
  g_test_add_func ("/processes/sleeps", test_sleeps);
  g_test_add_func ("/processes/sleepers", test_sleepers);
  g_test_add_func ("/processes/summary", test_summary);
  g_test_add_func ("/processes/filter-and-sort", test_filter_and_sort);
  g_test_add_func ("/processes/related", test_related);
  g_test_add_func ("/processes/related-command", test_related_command);
  g_test_add_func ("/processes/related-many", test_related_many);
  g_test_add_func ("/processes/cancelled", test_cancelled);
  g_test_add_func ("/layouts/nothing", test_nothing);
  g_test_add_func ("/flame/stacks", test_flame);
  g_test_add_func ("/flame/interrupts", test_flame_interrupts);
  g_test_add_func ("/flame/moments", test_flame_moments);
  g_test_add_func ("/flame/kinds", test_flame_kinds);
  g_test_add_func ("/flame/processes-apart", test_flame_processes_apart);
  g_test_add_func ("/flame/deep", test_flame_deep);
  g_test_add_func ("/tree/both-ways", test_tree);
  g_test_add_func ("/tree/kinds", test_tree_kinds);
  g_test_add_func ("/tree/inverted", test_tree_inverted);
  g_test_add_func ("/tree/deep", test_tree_deep);
  return g_test_run ();
}
