/* Reading, by format and content: what is refused and with which words, and perf script text. */
#include "read-maker.h"
#include "read/raw-events.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static char *
write_file (const char *name, const void *data, gssize n)
{
  char *path = g_build_filename (folder, name, NULL);
  gsize length = n < 0 ? strlen (data) : (gsize) n;
  FILE *file = fopen (path, "we");

  g_assert_cmpuint (fwrite (data, 1, length, file), ==, length);
  g_assert_cmpint (fclose (file), ==, 0);
  return path;
}

static WpTrace *
read_text (const char *text)
{
  g_autofree char *path = write_file ("text", text, -1);
  g_autoptr (GError) error = NULL;
  WpTrace *trace = wp_read (path, NULL, NULL, &error);
  g_autofree char *broken = trace != NULL ? wp_trace_check (trace) : NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (broken, ==, NULL);
  return trace;
}

/* --- formats ------------------------------------------------------------------------------------------------------ */

static void
test_formats (void)
{
  static const struct
  {
    const char *data;
    gssize n;
    WpFormat format;
    const char *words; /* of the message */
  } cases[] = {
    { "PERFILE2\x10\0\0\0\0\0\0\0", 16, WP_FORMAT_PERF_STREAM, NULL },
    { "PERFILE2\x68\0\0\0\0\0\0\0", 16, WP_FORMAT_PERF_FILE, NULL },
    { "PERFILE2\x68\0", 10, WP_FORMAT_UNKNOWN, "byte 10" },
    { "PERFILE2\xff\xff\xff\xff\0\0\0\0", 16, WP_FORMAT_UNKNOWN, "byte 8" },
    { "2ELIFREP\0\0\0\0\0\0\0\x68", 16, WP_FORMAT_UNKNOWN, "byte order" },
    { "a 1 [000] 1.000000: sched:sched_switch: x\n", -1, WP_FORMAT_PERF_SCRIPT, NULL },
    { "# made by hand\n\na b 1/2 [000] 1.000000: cycles:\n", -1, WP_FORMAT_PERF_SCRIPT, NULL },
    { "{\"origin\": \"\", \"header\": {}}", -1, WP_FORMAT_PERUN, NULL },
    { "\xef\xbb\xbf{\"header\": {}}", -1, WP_FORMAT_PERUN, NULL },
    { "{\"a\": 1}", -1, WP_FORMAT_UNKNOWN, "JSON" },
    { "\x1f\x8b\x08\0", 4, WP_FORMAT_UNKNOWN, "gzip" },
    { "\x28\xb5\x2f\xfd", 4, WP_FORMAT_UNKNOWN, "zstd" },
    { "\x7f" "ELF\2\1", 6, WP_FORMAT_UNKNOWN, "program" },
    { "\x17\x08\x44tracing6\0", 12, WP_FORMAT_UNKNOWN, "trace-cmd" },
    { "\x0a\x04\x08\x01\x10\0", 6, WP_FORMAT_UNKNOWN, "pprof" },
    { "hello, this is a letter\n", -1, WP_FORMAT_UNKNOWN, "text" },
    { "\x80\xfe\x80\0\1", 5, WP_FORMAT_UNKNOWN, "format" },
    { "\xff\xfe" "a\0 \0", 6, WP_FORMAT_UNKNOWN, "UTF-16" },
    { "\xfe\xff\0a\0 ", 6, WP_FORMAT_UNKNOWN, "UTF-16" },
    { "", 0, WP_FORMAT_UNKNOWN, "empty" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_file ("sniffed", cases[i].data, cases[i].n);
      g_autoptr (GError) error = NULL;

      g_test_message ("case %u", i);
      g_assert_cmpint (wp_sniff (path, &error), ==, cases[i].format);
      if (cases[i].words == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_nonnull (error);
          g_assert_nonnull (strstr (error->message, cases[i].words));
          g_assert_nonnull (strstr (error->message, path));
        }
    }
}

static void
assert_refused (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (wp_read (path, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_unreadable (void)
{
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autofree char *secret = write_file ("secret", "PERFILE2", -1);
  g_autofree char *profile = write_file ("profile", "{\"origin\": \"\", \"header\": {}}", -1);
  g_autofree char *quiet = write_file ("quiet", "a 1 [000] 1.000000: cycles: \n\n", -1);

  assert_refused (folder, "folder");
  assert_refused (missing, "No such file");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  assert_refused (pipe, "pipe");
  assert_refused (profile, "saved profile");
  assert_refused (quiet, "sched_switch");
  g_assert_cmpint (chmod (folder, 0755), ==, 0);
  g_assert_cmpint (chmod (secret, 0), ==, 0);
  if (getuid () == 0) /* root may read everything; nobody may not */
    g_assert_cmpint (seteuid (65534), ==, 0);
  assert_refused (secret, "ermission denied");
  if (getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
}

/* --- perf script -------------------------------------------------------------------------------------------------- */

static const char exchange[] =
  "pass 4711/4711 [000] 1.000100: sched:sched_switch: prev_comm=pass prev_pid=4711 prev_prio=120 prev_state=S ==> "
  "next_comm=swapper/0 next_pid=0 next_prio=120\n"
  "\tffffffff81000010 __schedule+0x10 ([kernel.kallsyms])\n"
  "\t      ffffffff81 schedule ([kernel.kallsyms])\n"
  "\t     7f0012345678 read+0x10 (/usr/lib/libc.so.6)\n"
  "\t           401136 _ZN3foo3barEi+0x6 (/tmp/pass)\n"
  "\t           401236 [unknown] (/tmp/pass)\n"
  "\t           401336 main (/tmp/pass)\n"
  "\t 9fffffffffffffff [unknown] ([unknown])\n"
  "\t           401436 never (/tmp/pass)\n"
  "\n"
  "Web Content 99/4800 [001] 1.000200:          1   sched:sched_waking: comm=pass pid=4711 prio=120 target_cpu=000\n"
  "\n"
  "swapper     0 [000]  1.000300: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
  "next_comm=pass next_pid=4711 next_prio=120\n"
  "\n"
  "pass  4711 [000]     1.000400:     250000 cpu-clock: \n"
  "\t           401337 main+0x1 (/tmp/pass)\n"
  "\n";

static void
test_script (void)
{
  g_autoptr (WpTrace) trace = read_text (exchange);
  WpId task = task_of (trace, 4711);
  const WpTask *row = &trace->tasks.data[task];
  const WpOp *sleep = &trace->ops.data[row->first_op + 1];
  g_autofree char *stack = stack_text (trace, sleep->detail);

  g_assert_cmpstr (trace->format, ==, "perf script");
  g_assert_cmpint (trace->clock_start, ==, 1000100000);
  g_assert_cmpint (trace->end, ==, 300000);
  g_assert_cmpuint (trace->n_cpus, ==, 2);
  g_assert_cmpint (row->pid, ==, 4711);
  g_assert_cmpstr (wp_trace_task_name (trace, task), ==, "pass");
  g_assert_cmpuint (row->n_ops, ==, 3);
  g_assert_cmpint (sleep->kind, ==, WP_OP_SLEEP);
  g_assert_cmpint (sleep->state, ==, WP_STATE_SLEEPING);
  g_assert_cmpint (sleep->end, ==, 200000);
  g_assert_cmpint (wp_trace_woken (trace, row->first_op + 1), ==, 100000);
  g_assert_cmpstr (stack, ==, "__schedule<schedule<read<foo::bar(int)<pass+0x401236<main");
  g_assert_cmpstr (wp_trace_task_name (trace, task_of (trace, 4800)), ==, "Web Content");
  g_assert_cmpint (trace->tasks.data[task_of (trace, 4800)].pid, ==, 99);
  g_assert_cmpuint (trace->samples.len, ==, 2);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], ==, 4);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_STACKS], ==, 2);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_STACKS_WHOLE], ==, 2);
}

/* Older print formats, no column of pids, carriage returns, nanoseconds. */
static void
test_script_old (void)
{
  g_autoptr (WpTrace) trace = read_text (
    "pass [000] 1.000000100: sched:sched_switch: pass:11 [120] D ==> swapper:0 [120]\r\n\r\n"
    "swapper [000] 1.000000200: sched:sched_wakeup: pass:11 [120] success=1 CPU:000\r\n\r\n"
    "swapper [000] 1.000000300: sched:sched_switch: swapper:0 [120] R ==> pass:11 [120]\r\n\r\n"
    "pass [000] 1.000000400: sched:sched_switch: pass:11 [120] R+ ==> a b:c:12 [120]\r\n\r\n");
  const WpTask *row = &trace->tasks.data[task_of (trace, 11)];
  const WpOp *ops = &trace->ops.data[row->first_op];

  g_assert_cmpuint (row->n_ops, ==, 4);
  g_assert_cmpint (ops[1].state, ==, WP_STATE_DISK);
  g_assert_cmpint (ops[1].start, ==, 0);
  g_assert_cmpint (ops[1].end, ==, 200);
  g_assert_cmpint (wp_trace_woken (trace, row->first_op + 1), ==, 100);
  g_assert_cmpint (ops[3].state, ==, WP_STATE_PREEMPTED);
  g_assert_cmpstr (wp_trace_task_name (trace, task_of (trace, 12)), ==, "a b:c");
}

static void
test_script_fields (void)
{
  g_autoptr (WpTrace) trace = read_text (
    "a 7/7 [000] 1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120\n\n"
    "a 7/7 [000] 1.000001: PERF_RECORD_FORK(8:8):(7:7)\n"
    "a 7/7 [000] 1.000002: sched:sched_process_fork: comm=a pid=7 child_comm=child of a child_pid=8\n\n"
    "a 7/7 [000] 1.000003: block:block_bio_queue: 254,1 RA 512 + 8 [a]\n\n"
    "a 7/7 [000] 1.000004: block:block_rq_issue: 254,1 RA 4096 () 512 + 8 0x2,0,4 [a]\n\n"
    "a 7/7 [000] 1.000005: irq:irq_handler_entry: irq=36 name=virtio1-req.0\n\n"
    "a 7/7 [000] 1.000006: irq:irq_handler_exit: irq=36 ret=handled\n\n"
    "a 7/7 [000] 1.000006: block:block_rq_complete: 254,1 RA () 512 + 8 0x2,0,4 [0]\n\n"
    "a 7/7 [000] 1.000007: block:block_rq_issue: 254,1 FF 0 () 0 + 0 0x2,0,4 [a]\n\n"
    "a 7/7 [000] 1.000009: block:block_rq_complete: 254,1 FF () 18446744073709551615 + 0 0x2,0,4 [0]\n\n"
    "a 7/7 [000] 1.000010: sched:sched_process_exec: filename=/bin/b pid=7 old_pid=7\n\n"
    "b 7/7 [000] 1.000011: PERF_RECORD_COMM exec: b:7/7\n"
    "b 7/7 [000] 1.000012: PERF_RECORD_LOST lost 17\n"
    "b 7/7 [000] 1.000013: sock:sock_send_length: sk address = 0xffff888104e19f80, family = 0x1 protocol = 0x0, length = 1, error = 0, flags = 0x0\n\n");

  g_assert_cmpint (trace->tasks.data[task_of (trace, 8)].pid, ==, 8);
  g_assert_cmpstr (wp_trace_task_name (trace, task_of (trace, 8)), ==, "child of a");
  g_assert_cmpuint (trace->disks.len, ==, 3);
  g_assert_cmpuint (trace->disks.data[1].dev, ==, 254 << 20 | 1);
  g_assert_cmpuint (trace->disks.data[1].sector, ==, 512);
  g_assert_cmpuint (trace->disks.data[1].sectors, ==, 8);
  g_assert_cmpstr (wp_trace_string (trace, trace->disks.data[1].rwbs), ==, "RA");
  g_assert_cmpint (trace->ops.data[trace->disks.data[1].active].end, ==, 6000);
  g_assert_cmpuint (trace->interrupts.len, ==, 1);
  g_assert_cmpstr (wp_trace_string (trace, trace->interrupts.data[0].name), ==, "virtio1-req.0");
  g_assert_cmpint (trace->interrupts.data[0].start, ==, 5000);
  g_assert_cmpint (trace->interrupts.data[0].end, ==, 6000);
  g_assert_cmpint (trace->ops.data[trace->disks.data[2].active].end, ==, 9000);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_LOST], ==, 17);
  g_assert_cmpuint (trace->lost.len, ==, 1);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
}

/* Unknown lines are skipped and counted; a cut last line is told apart from them. */
static void
test_script_damage (void)
{
  g_autofree char *text = g_strconcat ("garbage\n\torphan frame\n", exchange,
                                       "pass 4711 [000] 1.0005: sched:sched_switch: prev_comm=pass prev_pid=x\n\n",
                                       "pass 4711 [000] 1.00", NULL);
  g_autoptr (WpTrace) trace = read_text (text);

  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 3);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_TRUNCATED], ==, 1);
  g_assert_cmpuint (trace->tasks.data[task_of (trace, 4711)].n_ops, ==, 3);
}

/* Any prefix of a text can be read, or is refused with a message. */
static void
test_script_prefixes (void)
{
  for (gsize n = 0; n <= strlen (exchange); n++)
    {
      g_autofree char *path = write_file ("prefix", exchange, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, &error);

      g_assert_true ((trace == NULL) == (error != NULL));
    }
}

static void
test_cancel (void)
{
  g_autofree char *path = write_file ("cancelled", exchange, -1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  WpProgress progress = { .cancellable = cancellable };

  g_cancellable_cancel (cancellable);
  g_assert_null (wp_read (path, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
cut_off (const char *phase, double fraction, gpointer user_data)
{
  if (g_strcmp0 (phase, "Reading") == 0)
    g_assert_cmpint (truncate (user_data, 4000), ==, 0);
}

/* Somebody records over a file that is being read. */
static void
test_cut_while_read (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  WpProgress progress = { .func = cut_off };

  while (text->len < 100000)
    g_string_append (text, exchange);
  progress.user_data = path = write_file ("cut-off", text->str, text->len);
  g_assert_null (wp_read (path, NULL, &progress, &error));
  g_assert_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED);
  g_assert_nonnull (strstr (error->message, "while it was read"));
}

static void
remove_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

/* Columns that come and go, lines between the frames, what a header says. */
static void
test_script_columns (void)
{
  static const char text[] =
    "# hostname : elsewhere\n# os release : 4.9.0\n# cmdline : /usr/bin/perf record -a\n"
    "pass 7 11 [000] K     1.000100: sched_switch: prev_comm=pass 7 prev_pid=11 prev_prio=120 prev_state=S ==> "
    "next_comm=swapper/0 next_pid=0 next_prio=120\n\tffffffff81000010 __schedule+0x10 ([kernel.kallsyms])\n"
    "  core.c:12\n|12         schedule ();\n\t        401136 small (inlined)\n\t        401136 large+0x6 (/tmp/pass)\n"
    "  pass.c:7\n\t        7f1136 poll@@GLIBC_2.2.5+0x6 (/lib/libc.so.6)\n\t        401020 poll@plt+0x6 (/tmp/pass)\n\n"
    "swapper 0 [000] HK    1.000200: sched_waking: comm=pass 7 pid=11 prio=120 target_cpu=000\n\n"
    "swapper 0 [000] K     1.000300: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
    "next_comm=pass 7 next_pid=11 next_prio=120\n\n";
  g_autoptr (WpTrace) trace = read_text (text);
  const WpTask *task = &trace->tasks.data[task_of (trace, 11)];
  g_autofree char *stack = stack_text (trace, trace->ops.data[task->first_op + 1].detail);

  g_assert_cmpstr (wp_trace_string (trace, task->name), ==, "pass 7");
  g_assert_cmpstr (stack, ==, "__schedule<large<poll<poll@plt");
  g_assert_cmpstr (trace->host, ==, "elsewhere");
  g_assert_cmpstr (trace->kernel, ==, "4.9.0");
  g_assert_cmpstr (trace->command, ==, "/usr/bin/perf record -a");
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
}

/* With --deltatime each event has the time since the one before: nothing can be made of that. */
static void
test_script_distances (void)
{
  g_autofree char *path = NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "%s [000] 0.0000%u: sched:sched_switch: prev_comm=%s prev_prio=120 prev_state=S ==> "
                            "next_comm=%s next_prio=120\n\n", i % 2 != 0 ? "b 12" : "a 11", i % 2 != 0 ? 20 : 70,
                            i % 2 != 0 ? "b prev_pid=12" : "a prev_pid=11", i % 2 != 0 ? "a next_pid=11" : "b next_pid=12");
  path = write_file ("distances", text->str, text->len);
  assert_refused (path, "--deltatime");
  g_string_free (text, TRUE);
}

/* Without a column of tids a number at the end of a name is part of it. */
static void
test_script_without_tids (void)
{
  static const char text[] =
    "pass 7 [000] 1.000100: sched:sched_switch: prev_comm=pass 7 prev_pid=11 prev_prio=120 prev_state=S ==> "
    "next_comm=swapper/0 next_pid=0 next_prio=120\n\n"
    "swapper [000] 1.000300: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
    "next_comm=pass 7 next_pid=11 next_prio=120\n\n"
    "pass 7 [000] 1.000400: cpu-clock: \n\n";
  g_autoptr (WpTrace) trace = read_text (text);

  for (WpId i = 1; i < trace->tasks.len; i++)
    g_assert_cmpint (trace->tasks.data[i].tid, !=, 7);
  g_assert_cmpuint (trace->tasks.data[task_of (trace, 11)].n_ops, ==, 3);
}

/* The largest tid there can be; sanitizers see that nothing is added to it. */
static void
test_script_largest_tid (void)
{
  static const char text[] =
    "pass [000] 1.000100: sched:sched_switch: prev_comm=pass prev_pid=11 prev_prio=120 prev_state=S ==> "
    "next_comm=last next_pid=2147483647 next_prio=120\n\n"
    "last [000] 1.000200: cpu-clock: \n\n"
    "last [000] 1.000300: sched:sched_switch: prev_comm=last prev_pid=2147483647 prev_prio=120 prev_state=S ==> "
    "next_comm=pass next_pid=11 next_prio=120";
  g_autoptr (WpTrace) trace = read_text (text);

  g_assert_cmpuint (trace->tasks.data[task_of (trace, 11)].n_ops, >=, 1);
}

/* Root is told of a file that is somebody else's; nobody else can make one. */
static void
test_owner (void)
{
  static const char text[] = "a 1 [000] 1.000000: sched:sched_switch: prev_comm=a prev_pid=1 prev_state=S ==> next_comm=b next_pid=2\n";
  g_autofree char *path = write_file ("owner", text, -1);
  const gboolean root = geteuid () == 0;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);

      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_STRANGERS_FILE], ==, root && i == 1);
      g_assert_cmpint (chown (path, root ? 65534 : geteuid (), (gid_t) -1), ==, 0);
    }
}

/* What is missing is named. */
static void
test_script_missing (void)
{
  static const struct
  {
    const char *text, *words;
  } cases[] = {
    { "a 1 [000] sched:sched_switch: prev_comm=a prev_pid=1 prev_state=S ==> next_comm=b next_pid=2\n", "without times" },
    { "a 1 [000] 1.000000: prev_comm=a prev_pid=1 prev_state=S ==> next_comm=b next_pid=2\n", "-F +event" },
    { "a 1 [000] 1.000000: sched:sched_switch: \n\na 1 [000] 1.100000: sched:sched_switch: \n", "-F +trace" },
    { "a 1 1.000000: sched:sched_switch: prev_comm=a prev_pid=1 prev_state=S ==> next_comm=b next_pid=2\n", "-F +cpu" },
    { "     0.000 ( 0.004 ms): sleep/123 brk() = 0x55\n", "perf script" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_file ("missing", cases[i].text, -1);

      assert_refused (path, cases[i].words);
    }
}

/* The lines of a stretch of time, and what they say; a saved profile has none. */
static void
test_raw (void)
{
  static const char text[] = "# comment\n"
                             "my tool 11/12 [003] 1.000001: sched:sched_waking: comm=a b pid=7 prio=120\n\tffff f (k)\n\n"
                             "swapper 0/0 [000] 1.000002:     250000 cpu-clock:ppp: \n\tffff f (k)\n\n"
                             "swapper 0/0 [000] 1.000009: sched:sched_switch: prev_comm=x prev_pid=0 ==> next_pid=1\n";
  g_autofree char *path = write_file ("raw", text, -1), *profile = write_file ("profile", "{\"header\": {}}", -1);
  g_autoptr (WpRawEvents) events = wp_raw_events_read (path, 1000001000, 1000009000, 10, NULL, NULL);
  g_autoptr (WpRawEvents) refused = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (events->rows.len, ==, 2);
  g_assert_cmpint (events->rows.data[0].time, ==, 1000001000);
  g_assert_cmpint (events->rows.data[0].tid, ==, 12);
  g_assert_cmpuint (events->rows.data[0].cpu, ==, 4);
  g_assert_cmpstr (wp_strings_get (events->strings, events->rows.data[0].task), ==, "my tool");
  g_assert_cmpstr (wp_strings_get (events->strings, events->rows.data[0].event), ==, "sched:sched_waking");
  g_assert_cmpstr (wp_strings_get (events->strings, events->rows.data[0].fields), ==, "comm=a b pid=7 prio=120");
  g_assert_cmpstr (wp_strings_get (events->strings, events->rows.data[1].event), ==, "cpu-clock:ppp");
  g_assert_cmpuint (events->rows.data[1].fields, ==, 0);
  refused = wp_raw_events_read (profile, 0, G_MAXINT64, 10, NULL, &error);
  g_assert_null (refused);
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("wp-read-XXXXXX", NULL);
  g_test_add_func ("/read/formats", test_formats);
  g_test_add_func ("/read/unreadable", test_unreadable);
  g_test_add_func ("/read/script", test_script);
  g_test_add_func ("/read/script/old", test_script_old);
  g_test_add_func ("/read/script/fields", test_script_fields);
  g_test_add_func ("/read/script/damage", test_script_damage);
  g_test_add_func ("/read/script/prefixes", test_script_prefixes);
  g_test_add_func ("/read/script/columns", test_script_columns);
  g_test_add_func ("/read/script/without-tids", test_script_without_tids);
  g_test_add_func ("/read/script/largest-tid", test_script_largest_tid);
  g_test_add_func ("/read/script/distances", test_script_distances);
  g_test_add_func ("/read/script/missing", test_script_missing);
  g_test_add_func ("/read/raw", test_raw);
  g_test_add_func ("/read/owner", test_owner);
  g_test_add_func ("/read/cancel", test_cancel);
  g_test_add_func ("/read/cut-while-read", test_cut_while_read);
  status = g_test_run ();
  remove_folder ();
  return status;
}
