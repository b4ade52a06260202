/* Waits in words, and the answer that is made of them: the words of the kernel's stacks, and that every number is a sum of the explanation's. */
#include "paths-maker.h"
#include "profile/model/document.h"
#include "profile/model/summary.h"

/* The sleep of 1 in a chain of three, with this stack, innermost function first. */
static char *
words_of_stack (const char *functions)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_auto (GStrv) names = g_strsplit (functions, " ", 0);
  WpWaitWords words;
  char *text;

  make_chain (&m);
  paths = make_paths (m.trace, 1, NULL);
  for (WpId o = 1; o < m.trace->ops.len; o++)
    {
      WpOp *op = &m.trace->ops.data[o];

      if (op->kind != WP_OP_SLEEP || op->cause != WP_CAUSE_TASK || m.trace->tasks.data[op->task].tid != 1)
        continue;
      op->detail = 0;
      for (guint i = g_strv_length (names); i-- > 0;)
        op->detail = wp_trace_stack (m.trace, op->detail, wp_trace_kernel_frame (m.trace, wp_trace_module (m.trace, "[kernel]", NULL), names[i]));
      wp_strings_intern (m.trace->strings, "server");
      m.trace->tasks.data[m.trace->ops.data[m.trace->links.data[op->link].source].task].name = wp_strings_find (m.trace->strings, "server");
      wp_wait_words_init (&words, paths);
      text = g_strdup (wp_strings_get (words.strings, wp_wait_words_of (&words, o)));
      wp_wait_words_clear (&words);
      wp_trace_free (m.trace);
      return text;
    }
  g_assert_not_reached ();
}

static void
test_words (void)
{
  static const struct
  {
    const char *stack, *words;
  } cases[] = {
    { "__schedule schedule anon_pipe_read vfs_read ksys_read do_syscall_64 entry_SYSCALL_64_after_hwframe", "reads pipe from server" },
    { "__schedule schedule pipe_read vfs_read ksys_read do_syscall_64", "reads pipe from server" },
    { "schedule do_wait kernel_wait4 __x64_sys_wait4 do_syscall_64", "waits for child server" },
    { "schedule futex_do_wait __futex_wait futex_wait do_futex __x64_sys_futex do_syscall_64", "waits on futex for server" },
    { "schedule schedule_hrtimeout_range_clock poll_schedule_timeout.constprop.0 do_sys_poll __x64_sys_poll", "waits in poll for server" },
    { "schedule do_epoll_wait __x64_sys_epoll_wait do_syscall_64", "waits in epoll for server" },
    { "schedule do_sigtimedwait.isra.0 __x64_sys_rt_sigtimedwait", "waits for signal from server" },
    /* The lock in a call says more than the call; fsync is fsync, whatever it does inside. */
    { "schedule __mutex_lock pipe_read vfs_read ksys_read", "waits for lock in the kernel held by server" },
    { "io_schedule folio_wait_bit ext4_sync_file do_fsync __x64_sys_fsync", "fsync" },
    { "schedule jbd2_log_wait_commit ext4_sync_file do_fsync", "fsync" },
    /* A page fault within a read is a page fault. */
    { "io_schedule filemap_fault __do_fault exc_page_fault asm_exc_page_fault filemap_read vfs_read ksys_read", "takes a page fault" },
    { "schedule something_new do_syscall_64", "waits for server" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = words_of_stack (cases[i].stack);

      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

/* What the recorder saw before says the system call, which says what `wchan` does not; and what had not ended is another wait. */
static void
test_open_words (void)
{
  static const struct
  {
    const char *call, *function, *words;
  } cases[] = {
    { "poll", "poll_schedule_timeout.constprop.0", "still waits in poll" }, { "read", "pipe_read", "still reads a pipe" },
    { "accept4", NULL, "still waits for a connection" }, { "recvfrom", "wait_woken", "still receives from a socket" },
    { "clock_nanosleep", "hrtimer_nanosleep", "still sleeps on purpose" }, { "landlock_wait", NULL, "still waits in landlock_wait" },
    { NULL, NULL, "still waits" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      g_autoptr (WpPaths) paths = NULL;
      WpWaitWords words;
      WpId stack = 0;

      trace_maker_init (&m);
      trace_maker_know (&m, 1, 1, "service");
      if (cases[i].call != NULL)
        stack = wp_trace_stack (m.trace, 0, wp_trace_named_frame (m.trace, wp_trace_module (m.trace, WP_MODULE_SYSTEM_CALL, NULL), cases[i].call));
      if (cases[i].function != NULL)
        stack = wp_trace_stack (m.trace, stack, wp_trace_kernel_frame (m.trace, wp_trace_module (m.trace, "[kernel]", NULL), cases[i].function));
      trace_maker_wait (&m, 1, 1, WP_STATE_SLEEPING, stack);
      trace_maker_switch (&m, 0, 0, 0, 0, 2);
      trace_maker_switch (&m, 1000 * US, 0, 2, 16, 0);
      trace_maker_finish (&m);
      paths = make_paths (m.trace, 1, NULL);
      wp_wait_words_init (&words, paths);
      g_assert_cmpstr (wp_strings_get (words.strings, wp_wait_words_of (&words, m.trace->tasks.data[1].first_op)), ==, cases[i].words);
      wp_wait_words_clear (&words);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (m.trace);
    }
}

/* A thousand idle threads, and one that runs and then waits for what never comes: all of it is said. */
static void
test_idle_pool (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  g_autoptr (WpAnswer) answer = NULL;
  g_autofree char *most = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "server");
  for (gint32 tid = 100; tid < 1100; tid++)
    {
      trace_maker_know (&m, tid, 1, "pool");
      trace_maker_wait (&m, tid, 1, WP_STATE_SLEEPING, trace_maker_stack (&m, "do_futex"));
    }
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  m.stack = trace_maker_stack (&m, "tcp_recvmsg");
  trace_maker_switch (&m, 5000 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 10000 * US, 0, 0, 0, 2);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  g_assert_cmpuint (paths->base_tasks.len, ==, 1001);
  g_assert_cmpuint (paths->paths.data[1].lane, ==, 0); /* of the one that ran */
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  answer = wp_answer_new (paths, e, NULL, NULL);
  g_assert_cmpuint (answer->clauses.len, ==, 4);
  g_assert_cmpstr (answer->clauses.data[1].text, ==, "It still waits on a futex when the recording stops, for 10.0 s so far.");
  g_assert_cmpstr (answer->clauses.data[2].text, ==, "For 5.00 ms it runs, too briefly to be sampled.");
  most = wp_most_say (&answer->most);
  g_assert_cmpstr (most, ==, "mostly still waits on a futex");
  g_assert_cmpstr (answer->clauses.data[3].text, ==, "It still receives over TCP when the recording stops, for 5.00 ms so far.");
  m.trace->goes_on = TRUE;
  g_clear_pointer (&answer, wp_answer_free);
  answer = wp_answer_new (paths, e, NULL, NULL);
  g_assert_cmpstr (answer->clauses.data[1].text, ==, "It still waits on a futex, for 10.0 s so far.");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* What is clipped to a range is clipped in both. */
static gint64
clipped (const WpExplanation *e, gint64 start, gint64 end)
{
  return MAX (MIN (end, e->to) - MAX (start, e->from), 0);
}

/* One line says no more than the largest thing, or all that waited for one disk. */
static void
assert_most (const WpPaths *paths, const WpAnswer *answer, gint64 base)
{
  g_autofree gint64 *by_disk = g_new0 (gint64, paths->trace->tasks.len);
  g_autofree char *said = answer->most.words.words != NULL ? wp_most_say (&answer->most) : NULL;
  gint64 largest = 0;
  gboolean found = FALSE;

  for (guint32 i = 0; i < answer->spent.len; i++)
    {
      const WpSpent *spent = &answer->spent.data[i];

      by_disk[spent->device] += spent->ns;
      largest = MAX (largest, MAX (spent->ns, spent->device != 0 ? by_disk[spent->device] : 0));
    }
  g_assert_cmpint (said == NULL, ==, largest <= answer->unknown);
  if (said == NULL)
    return;
  g_assert_cmpuint (answer->most.percent, ==, (guint) (100 * largest / base));
  for (guint32 i = 0; i < answer->spent.len && !found; i++)
    {
      const WpSpent *spent = &answer->spent.data[i];

      found = spent->ns == largest || (spent->device != 0 && by_disk[spent->device] == largest && strstr (said, "waits for ") != NULL);
    }
  g_assert_true (found);
}

/* The parts of a sentence add up to its time; each lies within its part, and the sentence leads to one of them. */
static void
assert_said (const WpPaths *paths, const WpAnswer *answer)
{
  g_autofree gint64 *ns = g_new0 (gint64, answer->clauses.len);
  g_autofree gboolean *led_to = g_new0 (gboolean, answer->clauses.len);

  for (guint32 i = 0; i < answer->said.len; i++)
    {
      const WpSaid *said = &answer->said.data[i];
      const WpPart *part = &paths->parts.data[said->part];

      g_assert_cmpuint (said->clause, <, answer->clauses.len);
      g_assert_cmpuint (said->mention, <=, answer->clauses.data[said->clause].n_mentions);
      g_assert_true (part->start <= said->start && said->start < said->end && said->end <= part->end);
      g_assert_true (i == 0 || answer->said.data[i - 1].part <= said->part);
      if (said->mention > 0)
        continue;
      ns[said->clause] += said->end - said->start;
      led_to[said->clause] |= said->part == answer->clauses.data[said->clause].part;
    }
  for (guint32 i = 1; i < answer->clauses.len; i++)
    {
      g_assert_cmpint (ns[i], ==, answer->clauses.data[i].ns);
      g_assert_true (led_to[i]);
    }
}

static void
assert_sums (const WpPaths *paths, const WpExplanation *e)
{
  g_autoptr (WpAnswer) answer = wp_answer_new (paths, e, NULL, NULL);
  gint64 slept = 0, base = 0, waits = 0, said = 0;

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      const WpPart *part = &paths->parts.data[p];
      const WpOp *op = &paths->trace->ops.data[part->op];
      gboolean counts = op->kind == WP_OP_SLEEP && !(op->flags & WP_OP_LOST);

      slept += counts ? clipped (e, part->start, part->end) : 0;
      if (part->parent == 0 && paths->paths.data[part->path].base)
        base += op->kind == WP_OP_SLEEP || op->kind == WP_OP_RUN ? clipped (e, part->start, part->end) : 0;
    }
  for (guint32 i = 0; i < answer->waits.len; i++)
    {
      const WpWait *wait = &answer->waits.data[i];

      waits += wait->ns;
      g_assert_cmpint (wait->ns, >, 0);
      g_assert_cmpint (wait->longest, <=, wait->ns);
      g_assert_cmpint (wait->ns, <=, wait->longest * wait->count);
      g_assert_true (i == 0 || wait->ns <= answer->waits.data[i - 1].ns);
    }
  g_assert_cmpint (waits, ==, slept);
  for (guint32 i = 1; i < answer->clauses.len; i++)
    said += answer->clauses.data[i].ns;
  g_assert_cmpint (said, ==, base);
  g_assert_cmpint (answer->clauses.data[0].ns, ==, e->wall);
  assert_most (paths, answer, base);
  assert_said (paths, answer);
}

static void
test_sums (gconstpointer folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (WpDocument) document = NULL;

      if (!g_str_has_suffix (name, ".trace"))
        continue;
      document = wp_document_open (path, NULL, NULL, NULL);
      g_assert_nonnull (document);
      for (WpId t = 1; t < document->trace->tasks.len; t++)
        {
          WpIdArray tasks = { 0 };
          g_autoptr (WpPaths) paths = NULL;
          g_autoptr (WpExplanation) whole = NULL, half = NULL;

          wp_paths_process_of (document->trace, t, &tasks);
          paths = wp_paths_new (document->trace, tasks.data, tasks.len, NULL, NULL, NULL);
          whole = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
          half = wp_explain (paths, 0, document->trace->end / 2, NULL, NULL);
          assert_sums (paths, whole);
          assert_sums (paths, half);
          wp_array_clear (&tasks);
          n++;
        }
    }
  g_assert_cmpuint (n, >, 100);
}

/* What the second sentence says of somebody else begins so, and leads to a run of theirs. */
static void
assert_mention (const WpAnswer *answer, const WpPaths *paths, guint i, const char *begins, const char *whose)
{
  const WpClause *clause = &answer->clauses.data[1];
  const WpMention *mention = &clause->mentions[i];
  const WpOp *op = &paths->trace->ops.data[mention->op];

  g_assert_cmpuint (i, <, clause->n_mentions);
  g_assert_true (g_str_has_prefix (clause->text + mention->start, begins));
  g_assert_cmpint (op->kind, ==, WP_OP_RUN);
  g_assert_cmpstr (wp_trace_task_name (paths->trace, op->task), ==, whose);
}

/* 1 waits 3 ms for 2, of which 3 works 1 ms: that is said, with what each of them did. */
static void
test_sentences (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  g_autoptr (WpAnswer) answer = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *most = NULL;

  make_chain (&m);
  for (WpId t = 1; t < m.trace->tasks.len; t++)
    {
      static const char *const names[] = { "idle", "shop", "server", "store" };

      m.trace->tasks.data[t].name = wp_strings_intern (m.trace->strings, names[MIN (m.trace->tasks.data[t].tid, 3)]);
    }
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  answer = wp_answer_new (paths, e, NULL, NULL);
  most = wp_most_say (&answer->most);
  g_assert_cmpstr (most, ==, "mostly reads pipe from server");
  g_assert_cmpuint (answer->most.percent, ==, 60);
  g_assert_cmpuint (answer->clauses.len, ==, 3);
  g_assert_cmpstr (answer->clauses.data[0].text, ==, "shop takes 5.00 ms.");
  g_assert_cmpstr (answer->clauses.data[1].text, ==,
                   "For 3.00 ms it reads pipe from server; meanwhile server runs for 2.00 ms, store runs for 1.00 ms.");
  assert_mention (answer, paths, 0, "server runs for 2.00 ms, store", "server");
  assert_mention (answer, paths, 1, "store runs for 1.00 ms.", "store");
  g_assert_cmpstr (answer->clauses.data[2].text, ==, "For 2.00 ms it runs, too briefly to be sampled.");
  for (guint f = 0; f < WP_REPORT_FORMAT_COUNT; f++)
    {
      g_string_truncate (out, 0);
      wp_summary_write (out, answer, f);
      g_assert_nonnull (strstr (out->str, "reads pipe from server"));
      g_assert_nonnull (strstr (out->str, "reads pipe from store"));
    }
  wp_trace_free (m.trace);
}

/* 1 is pushed off CPU 0 by 2 for 3 ms, and goes on; then it sleeps, is woken, and waits 2 ms for CPU 1, on which 3 runs. What 3 did there
 * before, and what runs on CPU 0 meanwhile, says nothing. */
static void
test_rivals (void)
{
  static const char *const names[] = { "idle", "shop", "server", "store" };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  g_autoptr (WpAnswer) answer = NULL;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 1, 0, 0, 3);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 1000 * US, 0, 1, 0, 2);
  trace_maker_switch (&m, 4000 * US, 0, 2, 1, 1);
  trace_maker_switch (&m, 5000 * US, 0, 1, 1, 2);
  trace_maker_wake (&m, 6000 * US, 0, 2, 1);
  trace_maker_switch (&m, 8000 * US, 1, 3, 0, 1);
  trace_maker_switch (&m, 9000 * US, 1, 1, 16, 3);
  trace_maker_switch (&m, 10000 * US, 0, 2, 16, 0);
  trace_maker_finish (&m);
  for (WpId t = 1; t < m.trace->tasks.len; t++)
    m.trace->tasks.data[t].name = wp_strings_intern (m.trace->strings, names[MIN (m.trace->tasks.data[t].tid, 3)]);
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  answer = wp_answer_new (paths, e, NULL, NULL);
  g_assert_cmpstr (answer->clauses.data[1].text, ==,
                   "For 5.00 ms it waits for a CPU; meanwhile server runs there for 3.00 ms, store runs there for 2.00 ms.");
  assert_mention (answer, paths, 0, "server", "server");
  assert_mention (answer, paths, 1, "store", "store");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* 2 ms it runs, 3 ms are an fsync and 3 ms a read, both of one disk: most of it waits for that. */
static void
test_most_is_a_disk (void)
{
  static const char *const calls[] = { "do_fsync", "filemap_read" };
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  g_autoptr (WpAnswer) answer = NULL;
  g_autofree char *most = NULL;
  gint64 at = 0;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      m.stack = trace_maker_stack (&m, calls[i]);
      trace_maker_disk (&m, at + 1000 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64 * i);
      trace_maker_switch (&m, at + 1000 * US, 0, 1, 2, 0);
      at += 4000 * US;
      trace_maker_disk_done (&m, at, 0, 0, 1, 64 * i);
      trace_maker_switch (&m, at + 200, 0, 0, 0, 1);
    }
  trace_maker_switch (&m, at + 1 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  answer = wp_answer_new (paths, e, NULL, NULL);
  most = wp_most_say (&answer->most);
  g_assert_cmpuint (answer->most.percent, ==, 74);
  g_assert_cmpstr (most, ==, "mostly waits for 8:16");
  g_clear_pointer (&paths, wp_paths_free);
  wp_trace_free (m.trace);
}

/* What is waited for may have a control path of its own: who works there is said all the same. */
static void
test_other_paths (gconstpointer folder)
{
  static const struct
  {
    const char *scenario, *task, *clause;
  } cases[] = {
    { "earlier-call", "10", "For 590 µs it reads pipe from T; meanwhile T runs for 590 µs." },
    { "fork-then-wait", "10", "For 2.90 ms it waits for child B; meanwhile B runs for 1.89 ms, B sleeps on purpose for 1.00 ms." },
    { "path-not-yet-there", "10", "For 890 µs it waits on futex for A; meanwhile A runs for 480 µs." },
    { "two-threads", "10", "For 2.00 ms it waits on futex for worker; meanwhile worker runs for 2.00 ms." },
    { "waiter-behind-waiter", "10", "For 3.75 ms it waits on futex for B; meanwhile B runs for 3.75 ms." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s.trace", (const char *) folder, cases[i].scenario);
      g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, NULL);
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) e = NULL;
      g_autoptr (WpAnswer) answer = NULL;
      WpIdArray tasks = { 0 };
      gboolean found = FALSE;

      g_assert_true (wp_paths_find_tasks (document->trace, cases[i].task, &tasks, NULL));
      paths = wp_paths_new (document->trace, tasks.data, tasks.len, NULL, NULL, NULL);
      e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      answer = wp_answer_new (paths, e, NULL, NULL);
      for (guint32 c = 0; c < answer->clauses.len; c++)
        found |= g_str_equal (answer->clauses.data[c].text, cases[i].clause);
      if (!found)
        g_error ("%s: %s", cases[i].scenario, answer->clauses.data[MIN (1, answer->clauses.len - 1)].text);
      wp_array_clear (&tasks);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer/words", test_words);
  g_test_add_data_func ("/answer/sums", g_getenv ("WP_SCENARIOS"), test_sums);
  g_test_add_func ("/answer/sentences", test_sentences);
  g_test_add_func ("/answer/rivals", test_rivals);
  g_test_add_data_func ("/answer/other-paths", g_getenv ("WP_SCENARIOS"), test_other_paths);
  g_test_add_func ("/answer/most-is-a-disk", test_most_is_a_disk);
  g_test_add_func ("/answer/open-words", test_open_words);
  g_test_add_func ("/answer/idle-pool", test_idle_pool);
  return g_test_run ();
}
