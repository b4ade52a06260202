/* Reading perf.data made by hand: both modes, order of time, stacks, what the kernel and the recorder say, and
 * damage. */
#include "paths/explain.h"
#include "paths/paths.h"
#include "read/perf/perf-parts.h"
#include "read/symbols/kernel-symbols.h"
#include "read/raw-events.h"
#include "read/read.h"

#include "perf-maker.h"
#include "read-maker.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *path;

static const WpTask *
find_task (const WpTrace *trace, gint32 tid)
{
  return &trace->tasks.data[task_of (trace, tid)];
}

/* What both modes must make of the exchange: CPUs merged, the switches' times, the stack cut where it leaves the
 * program. */
static void
check_exchange (const WpTrace *trace)
{
  const WpTask *pass = find_task (trace, 11);
  const WpOp *ops = &trace->ops.data[pass->first_op];
  g_autofree char *stack = NULL;

  g_assert_cmpint (trace->clock_start, ==, 1000);
  g_assert_cmpint (trace->end, ==, 5000);
  g_assert_cmpuint (trace->n_cpus, ==, 2);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_UNORDERED], ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], ==, 10);
  g_assert_cmpuint (trace->events.len, ==, 3);
  g_assert_cmpint (pass->pid, ==, 11);
  g_assert_cmpuint (ops[1].kind, ==, WP_OP_RUN);
  g_assert_cmpint (ops[1].end, ==, 1500);
  g_assert_cmpint (ops[2].kind, ==, WP_OP_SLEEP);
  g_assert_cmpint (ops[2].end, ==, 3500);
  g_assert_cmpint (ops[2].cause, ==, WP_CAUSE_TASK);
  g_assert_cmpint (wp_trace_woken (trace, pass->first_op + 2), ==, 3000);
  stack = stack_text (trace, ops[2].detail);
  g_assert_cmpstr (stack, ==, "__schedule<schedule<pass+0x1150<pass+0x125f");
  g_assert_cmpuint (trace->samples.len, ==, 2);
}

static void
test_stream (void)
{
  g_autoptr (WpTrace) trace = maker_read_whole (path, maker_stream (maker_exchange (), FALSE));

  check_exchange (trace);
  g_assert_cmpstr (trace->format, ==, "perf.data stream");
  g_assert_cmpstr (trace->kernel, ==, "v9.9");
  g_assert_cmpstr (trace->command, ==, "a b");
  g_assert_cmpint (trace->command_pid, ==, 11);
  g_assert_cmpstr (g_hash_table_lookup (trace->extra, "commit"), ==, "abc");
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_THINNED_EVENTS], ==, 0);
}

static void
assert_raw (const WpRawEvents *events, guint32 row, gint64 time, guint32 cpu, const char *event, const char *fields)
{
  const WpRawEvent *r = &events->rows.data[row];

  g_assert_cmpuint (row, <, events->rows.len);
  g_assert_cmpint (r->time, ==, time);
  g_assert_cmpuint (r->cpu, ==, cpu + 1);
  g_assert_cmpstr (wp_strings_get (events->strings, r->event), ==, event);
  g_assert_cmpstr (wp_strings_get (events->strings, r->fields), ==, fields);
}

/* Of a stretch of time, both modes: all CPUs in the order of time, with their fields as they stand there. */
static void
test_raw (void)
{
  for (guint mode = 0; mode < 2; mode++)
    {
      g_autoptr (WpTrace) trace = maker_read_whole (path, mode == 0 ? maker_stream (maker_exchange (), FALSE) : maker_file (maker_exchange ()));
      g_autoptr (WpRawEvents) events = wp_raw_events_read (path, 1500, 4001, 100, NULL, NULL);
      g_autoptr (WpRawEvents) first = wp_raw_events_read (path, 1500, 4001, 2, NULL, NULL);
      g_autoptr (WpRawEvents) none = wp_raw_events_read (path, 1501, 1502, 100, NULL, NULL);

      g_assert_cmpuint (events->rows.len, ==, 5);
      g_assert_false (events->more);
      assert_raw (events, 0, 1500, 0, "cpu-clock", "frames=3");
      assert_raw (events, 1, 2000, 0, "sched:sched_waking", "comm=pass pid=12 prio=120 target_cpu=0");
      assert_raw (events, 2, 2200, 1, "sched:sched_switch",
                  "prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=0 next_comm=pass next_pid=12 next_prio=120");
      assert_raw (events, 4, 4000, 1, "sched:sched_waking", "comm=pass pid=11 prio=120 target_cpu=0");
      g_assert_cmpint (events->rows.data[2].tid, ==, 0);
      g_assert_cmpuint (first->rows.len, ==, 2);
      g_assert_true (first->more);
      g_assert_cmpuint (none->rows.len, ==, 0);
    }
}

static void
test_file (void)
{
  g_autoptr (WpTrace) trace = maker_read_whole (path, maker_file (maker_exchange ()));

  check_exchange (trace);
  g_assert_cmpstr (trace->format, ==, "perf.data file");
  g_assert_cmpstr (trace->host, ==, "host");
}

static void
test_thinned (void)
{
  g_autoptr (WpTrace) trace = maker_read_whole (path, maker_stream (maker_exchange (), TRUE));

  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_THINNED_EVENTS], ==, 2);
}

/* As perf writes what it records of one command: each event starts with its exec, or has no CPU. */
static void
test_chosen_processes (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      GByteArray *stream = maker_stream (maker_exchange (), FALSE);
      guint8 *record = stream->data + 16;

      for (guint i = 0; i < G_N_ELEMENTS (maker_events); i++, record += 8 + sizeof (struct perf_event_attr) + 8)
        {
          struct perf_event_attr *attr = (struct perf_event_attr *) (record + 8);

          attr->enable_on_exec = kind == 1 || (kind == 2 && i == 0);
        }
      g_autoptr (WpTrace) trace = maker_read_whole (path, stream);
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_CHOSEN_PROCESSES], ==, kind == 1);
    }
}

static guint
count_held_back (const WpTrace *trace, gint32 tid)
{
  guint n = 0;

  for (WpId i = 1; i < trace->samples.len; i++)
    n += trace->samples.data[i].stack == 0
         && trace->tasks.data[trace->ops.data[trace->samples.data[i].run].task].tid == tid;
  return n;
}

static void
check_not_sampled (const WpTrace *trace, const WpTask *task, gint64 understood, gint64 not_sampled)
{
  WpId id = task - trace->tasks.data;
  g_autoptr (WpPaths) paths = wp_paths_new (trace, &id, 1, NULL, NULL, NULL);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  g_assert_cmpint (explanation->ns[WP_CATEGORY_UNDERSTOOD], ==, understood);
  g_assert_cmpint (explanation->ns[WP_CATEGORY_NOT_SAMPLED], ==, not_sampled);
}

/* Where the kernel held samples back, nobody knows what ran: neither in the run where that began, behind the sample that was too many, nor
 * in the one that came then. A tracepoint that is said to be throttled and a range that never ends are nothing of that kind. */
static void
test_throttled (void)
{
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x210 };
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_switch (records, 1000000, 0, 0, "swapper/0", 0, 11, "a");
  for (guint i = 1; i <= 3; i++)
    maker_sample (records, 3, 11, 1000000 + i * 10000, 0, chain, 2, NULL);
  maker_throttle (records, TRUE, 1, 11, 1035000, 0);
  maker_throttle (records, TRUE, 3, 11, 1039999, 0);
  maker_sample (records, 3, 11, 1040000, 0, chain, 2, NULL);
  maker_switch (records, 1080000, 0, 11, "a", 1, 12, "b");
  maker_throttle (records, FALSE, 3, 12, 1100000, 0);
  maker_sample (records, 3, 12, 1112000, 0, chain, 2, NULL);
  maker_switch (records, 1120000, 0, 12, "b", 1, 13, "c");
  maker_throttle (records, TRUE, 3, 13, 1121000, 0);
  maker_sample (records, 3, 13, 1121001, 0, chain, 2, NULL);
  maker_sample (records, 3, 13, 1180000, 0, chain, 2, NULL);
  maker_switch (records, 1190000, 0, 13, "c", 1, 0, "swapper/0");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_THROTTLED], ==, 2);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK], ==, 6);
  g_assert_cmpuint (count_held_back (trace, 11), ==, 4);
  g_assert_cmpuint (count_held_back (trace, 12), ==, 2);
  g_assert_cmpuint (count_held_back (trace, 13), ==, 0);
  check_not_sampled (trace, find_task (trace, 11), 40000, 40000);
  check_not_sampled (trace, find_task (trace, 12), 13334, 26666);
}

/* How many are held back goes by the rate since it was changed. What makes no sense is damage, and what was so before the first event says nothing. */
static void
test_rates (void)
{
  static const gint64 rates[][2] = { { 1035000, 50000 }, { 1085000, 100000 }, { 900000, 1000 }, { 1000000, 0 }, { 1000000, 100001 }, { -1, 5 } };
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x210 };
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_switch (records, 1000000, 0, 0, "swapper/0", 0, 11, "a");
  for (guint i = 1; i <= 3; i++)
    maker_sample (records, 3, 11, 1000000 + i * 10000, 0, chain, 2, NULL);
  maker_throttle (records, TRUE, 3, 11, 1039999, 0);
  maker_sample (records, 3, 11, 1040000, 0, chain, 2, NULL);
  maker_switch (records, 1080000, 0, 11, "a", 1, 12, "b");
  maker_throttle (records, FALSE, 3, 12, 1081000, 0);
  maker_throttle (records, TRUE, 3, 12, 1090000, 0);
  maker_switch (records, 1120000, 0, 12, "b", 1, 0, "swapper/0");
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    maker_own_feature (records, WP_PERF_FEATURE_RATE, rates[i], sizeof rates[i]);
  maker_own_feature (records, WP_PERF_FEATURE_RATE, rates, 8);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 4);
  g_assert_cmpuint (trace->rates.len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (trace->rates.data[i].time, ==, rates[i][0] - 1000000);
      g_assert_cmpint (trace->rates.data[i].rate, ==, rates[i][1]);
    }
  g_assert_cmpuint (count_held_back (trace, 11), ==, 2);
  g_assert_cmpuint (count_held_back (trace, 12), ==, 3);
}

/* What a file says is held back takes no more memory than what is there allows. */
static void
test_throttled_by_a_liar (void)
{
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_switch (records, 1000000, 0, 0, "swapper/0", 0, 11, "a");
  for (guint64 i = 0; i < 1000; i++)
    {
      maker_throttle (records, TRUE, 3, 11, 2000000 + i * 1000000000, 0);
      maker_throttle (records, FALSE, 3, 11, 2000000 + i * 1000000000 + 900000000, 0);
    }
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_THROTTLED], ==, 1000);
  g_assert_cmpuint (trace->samples.len, <, 4096);
}

/* Within one CPU records come late: by a little, and by more than the repair reaches. */
static void
test_disorder (void)
{
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 0; i < 500; i++)
    maker_switch (records, 10000 + i * 10, 0, i % 2 ? 11 : 0, "a", 1, i % 2 ? 0 : 11, "a");
  maker_switch (records, 5000, 0, 0, "swapper/0", 0, 12, "early");
  maker_switch (records, 5005, 0, 12, "early", 1, 0, "swapper/0");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpint (trace->clock_start, ==, 5000);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_UNORDERED], ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_INFERRED_SWITCHES], ==, 0);
}

/* Times that no recording can hold are damage, on either side, and so is one beyond what fits in 63 bits; what else there is stays as it
 * would be without them. */
static void
test_impossible_times (void)
{
  const gint64 begin = G_GINT64_CONSTANT (1) << 55;
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_switch (records, 17, 0, 0, "swapper/0", 0, 13, "before");
  for (guint i = 0; i < 100; i++)
    maker_switch (records, begin + i * 10, 0, i % 2 ? 11 : 0, "a", 1, i % 2 ? 0 : 11, "a");
  maker_switch (records, 2 * begin, 0, 0, "swapper/0", 0, 14, "after");
  maker_switch (records, G_MAXINT64, 0, 0, "swapper/0", 0, 15, "never");
  maker_switch (records, G_MAXUINT64, 0, 0, "swapper/0", 0, 16, "negative");
  maker_switch (records, 3 * begin, 1, 0, "swapper/1", 0, 17, "alone on its CPU");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 5);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], ==, 100);
  g_assert_cmpint (trace->clock_start, ==, begin);
  g_assert_cmpint (trace->end, ==, 990);
  for (WpId i = 1; i < trace->tasks.len; i++)
    g_assert_cmpint (trace->tasks.data[i].tid, <, 13);
}

static void
test_lost (void)
{
  GByteArray *records = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;

  maker_lost (records, 23, 9000, 1);
  maker_switch (records, 9500, 1, 0, "swapper/1", 0, 12, "pass");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_LOST], ==, 23);
  g_assert_cmpuint (trace->lost.len, ==, 1);
  g_assert_cmpint (trace->lost.data[0].start, ==, 4000);
  g_assert_cmpint (trace->lost.data[0].end, ==, 8000);
  g_assert_cmpuint (trace->lost.data[0].cpu, ==, 1);
}

/* What was measured of branches stands before registers and stack, whatever it is. */
static void
test_branches (void)
{
  static const guint64 measured[] = { 0, PERF_SAMPLE_BRANCH_HW_INDEX, WP_PERF_SAMPLE_BRANCH_COUNTERS,
                                      PERF_SAMPLE_BRANCH_HW_INDEX | WP_PERF_SAMPLE_BRANCH_COUNTERS };

  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      WpPerfAttr attr = { .attr = { .sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
                                    .branch_sample_type = measured[i], .sample_regs_user = 3 } };
      g_autoptr (GByteArray) record = g_byte_array_new ();
      GByteArray *body = g_byte_array_new ();
      WpPerfSample sample;

      maker_u64 (body, 2); /* branches */
      if (measured[i] & PERF_SAMPLE_BRANCH_HW_INDEX)
        maker_u64 (body, 0xa0);
      for (guint k = 0; k < 6; k++)
        maker_u64 (body, 0xb0 + k);
      for (guint k = 0; k < 2 && measured[i] & WP_PERF_SAMPLE_BRANCH_COUNTERS; k++)
        maker_u64 (body, 0xc0 + k);
      maker_u64 (body, PERF_SAMPLE_REGS_ABI_64);
      maker_u64 (body, 0x1111);
      maker_u64 (body, 0x2222);
      maker_u64 (body, 8); /* stack */
      maker_u64 (body, 0x3333);
      maker_u64 (body, 8);
      maker_record (record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body);
      g_assert_true (wp_perf_sample (&attr, (const WpPerfRecord *) record->data, &sample));
      g_assert_cmpuint (wp_read_u64 (sample.user.registers), ==, 0x1111);
      g_assert_cmpuint (wp_read_u64 (sample.user.registers + 8), ==, 0x2222);
      g_assert_cmpuint (sample.user.stack_size, ==, 8);
      g_assert_cmpuint (wp_read_u64 (sample.user.stack), ==, 0x3333);
      g_assert_true (sample.behind_user == record->data + record->len);
    }
}

/* What perf has counted at its end was told before, but for what no record came after; what a filter left out is no loss. */
static void
test_lost_in_all (void)
{
  static const struct
  {
    guint64 told, counted[2], lost;
  } rows[] = { { 23, { 20, 3 }, 23 }, { 23, { 30, 5 }, 35 }, { 0, { 0, 4 }, 4 }, { 23, { 0, 0 }, 23 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GByteArray *records = maker_exchange ();
      g_autoptr (WpTrace) trace = NULL;

      if (rows[i].told > 0)
        maker_lost (records, rows[i].told, 9000, 1);
      maker_switch (records, 9500, 1, 0, "swapper/1", 0, 12, "pass");
      for (guint k = 0; k < 2; k++)
        if (rows[i].counted[k] > 0)
          maker_lost_samples (records, rows[i].counted[k], k + 1, 0);
      maker_lost_samples (records, 1000, 3, WP_PERF_MISC_LOST_SAMPLES_BPF);
      trace = maker_read_whole (path, maker_stream (records, FALSE));
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_LOST], ==, rows[i].lost);
      g_assert_cmpuint (trace->lost.len, ==, rows[i].told > 0);
    }
}

/* Pauses stand anywhere in a stream, each in any number of pieces, and the last one may be its end. What lies before the first event is no part of
 * it; what makes no sense is damage. */
static void
test_paused (void)
{
  static const gint64 pauses[][2] = { { 6000, 6500 }, { 100, 200 }, { 2200, 2400 }, { 50000, 55000 }, { 9, 8 }, { 6500, 7000 }, { 50000, 60000 },
                                        { 6100, 6200 }, { 1, G_MAXINT64 } };
  static const gint64 expected[][2] = { { 2200, 2400 }, { 6000, 7000 }, { 50000, 60000 } };
  GByteArray *records = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++)
    maker_own_feature (records, WP_PERF_FEATURE_PAUSE, pauses[i], sizeof pauses[i]);
  maker_own_feature (records, WP_PERF_FEATURE_PAUSE, pauses, 8);
  maker_switch (records, 9500, 1, 0, "swapper/1", 0, 12, "pass");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 3);
  g_assert_cmpint (trace->clock_start, ==, 1000);
  g_assert_cmpint (trace->end, ==, 60000 - 1000);
  g_assert_cmpuint (trace->lost.len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (trace->lost.data[i].paused);
      g_assert_cmpint (trace->lost.data[i].start, ==, expected[i][0] - 1000);
      g_assert_cmpint (trace->lost.data[i].end, ==, expected[i][1] - 1000);
    }
}

/* The first sleep of who ran is what the recorder saw; who did not run slept in that all the time, unless it had ended or is not that process' any more. What is no name of the
 * kernel's is none; of who did not sleep nobody knows in what it did later; what is cut is damage. */
static void
test_asleep (void)
{
  static const struct
  {
    gint32 tid;
    const char *wait;
    gsize length;
    guint32 n_ops;
    const char *state, *text;
  } tasks[] = {
    { 11, "S\0read\0pipe_read", 17, 5, NULL, NULL },
    { 31, "S\0epoll_wait\0do_epoll_wait", 27, 1, "S", "sleeper: asleep all the time, in epoll_wait" },
    { 32, "D\0\0folio_wait_bit", 18, 1, "D", "sleeper: asleep all the time, in folio_wait_bit" },
    { 33, "t\0\0", 4, 1, "T", "sleeper: asleep all the time" },
    { 34, "R\0read\0vfs_read", 16, 1, "S", "sleeper: asleep all the time" },
    { 35, "S\0<b>\0a\nb", 10, 1, "S", "sleeper: asleep all the time" },
    { 36, "I\0\0worker_thread.isra.0", 24, 1, "I", "sleeper: asleep all the time, in worker_thread.isra.0" },
    { 37, "S\0po", 4, 1, "S", "sleeper: asleep all the time, in po" },
    { 41, "S\0\0ksys_read;vfs_read;schedule", 30, 1, "S", "sleeper: asleep all the time, in ksys_read" },
    { 42, "S\0read\0vfs_read;;schedule", 25, 1, "S", "sleeper: asleep all the time, in read" },
    { 43, "S\0\0vfs_read;<b>;schedule", 24, 1, "S", "sleeper: asleep all the time" },
    { 44, "?\0\0", 4, 0, NULL, NULL },
    { 38, "S", 1, 0, NULL, NULL },
    { 39, "S\0poll\0", 8, 0, NULL, NULL },
    { 40, "", 0, 0, NULL, NULL },
  };
  GByteArray *records = g_byte_array_new (), *exchange = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL, awake = NULL;
  g_autofree char *several = NULL, *empty_one = NULL;

  for (guint i = 1; i < G_N_ELEMENTS (tasks); i++)
    maker_comm (records, tasks[i].tid, "sleeper", FALSE, 0, 0);
  maker_bytes (records, exchange->data, exchange->len);
  g_byte_array_unref (exchange);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    maker_wait (records, tasks[i].tid, tasks[i].tid, tasks[i].wait, tasks[i].length);
  maker_wait (records, 77, 40, "S\0poll\0", 8);
  maker_wait (records, 78, 78, "S\0poll\0", 8);
  maker_exit (records, 39, 500);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 2);
  awake = maker_read_whole (path, maker_stream (maker_exchange (), FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_STACKS], ==, awake->diagnostics.n[WP_DIAG_STACKS]);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      const WpTask *task = find_task (trace, tasks[i].tid);
      const WpOp *op = &trace->ops.data[task->first_op];
      g_autofree char *text = tasks[i].text != NULL ? wp_trace_describe_op (trace, task->first_op) : NULL;

      g_assert_cmpuint (task->n_ops, ==, tasks[i].n_ops);
      if (i == 0)
        {
          g_autofree char *told = wp_trace_describe_op (trace, task->first_op);

          g_assert_true (wp_told_before (op) && !wp_slept_throughout (op));
          g_assert_cmpstr (told, ==, "pass: sleep in read");
        }
      g_assert_cmpstr (text, ==, tasks[i].text);
      if (text == NULL)
        continue;
      g_assert_true (wp_slept_throughout (op));
      g_assert_cmpint (op->start, ==, 0);
      g_assert_cmpint (op->end, ==, trace->end);
      g_assert_cmpstr (wp_state_id (op->state), ==, tasks[i].state);
    }
  several = stack_text (trace, trace->ops.data[find_task (trace, 41)->first_op].detail);
  g_assert_cmpstr (several, ==, "schedule<vfs_read<ksys_read");
  empty_one = stack_text (trace, trace->ops.data[find_task (trace, 42)->first_op].detail);
  g_assert_cmpstr (empty_one, ==, "schedule<vfs_read<read");
}

/* A shell waits for a child, and the child for one of two. */
static void
test_children (void)
{
  static const struct
  {
    gint32 tid;
    const char *wait;
    gsize length;
    gint32 waits_for;
  } tasks[] = {
    { 31, "S\0wait4\0do_wait\0" "0", 18, 32 }, { 32, "S\0wait4\0do_wait\0" "31", 19, 0 }, { 33, "S\0read\0pipe_read\0" "32", 20, 0 },
    { 34, "S\0wait4\0do_wait\0" "32", 19, 0 }, { 35, "S\0wait4\0do_wait\0", 17, 0 }, { 36, "S\0read\0pipe_read\0" "35", 20, 0 },
    { 37, "S\0read\0pipe_read\0" "x", 19, 0 }, { 38, "S\0wait4\0do_wait\0" "38", 19, 0 },
    { 39, "S\0\0kernel_wait4;do_wait;schedule\0" "0", 35, 40 }, { 40, "S\0\0vfs_read;schedule\0" "39", 23, 0 },
  };
  GByteArray *records = g_byte_array_new (), *exchange = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    maker_comm (records, tasks[i].tid, "sh", FALSE, 0, 0);
  maker_bytes (records, exchange->data, exchange->len);
  g_byte_array_unref (exchange);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    maker_wait (records, tasks[i].tid, tasks[i].tid, tasks[i].wait, tasks[i].length);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      WpId by = trace->ops.data[find_task (trace, tasks[i].tid)->first_op].explained_by;

      g_assert_cmpint (by != 0 ? trace->tasks.data[trace->ops.data[by].task].tid : 0, ==, tasks[i].waits_for);
    }
}

/* What was lost is a part of the recording, and so is what follows, though no sample came before. */
static void
test_lost_first (void)
{
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_lost (records, 23, 1000, 0);
  maker_comm (records, 20, "new", TRUE, 2000, 0);
  maker_switch (records, 3000, 0, 20, "new", 16, 0, "swapper/0");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpint (trace->clock_start, ==, 1000);
  g_assert_cmpuint (find_task (trace, 20)->after, !=, 0);
}

/* A fork shares the parent's mappings; an exec ends them, and the names say so. */
static void
test_fork_exec (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170 };
  GByteArray *records = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;
  g_autofree char *inherited = NULL, *own = NULL;

  maker_switch (records, 6500, 0, 0, "swapper/0", 0, 11, "pass");
  maker_fork (records, 11, 20, 7000);
  maker_switch (records, 7100, 0, 11, "pass", 0, 20, "pass");
  maker_sample (records, 3, 20, 7200, 0, user, 2, NULL);
  maker_comm (records, 20, "new", TRUE, 7300, 0);
  maker_sample (records, 3, 20, 7400, 0, user, 2, NULL);
  maker_mmap2 (records, 20, MAKER_USER, 0x1000, 0, "/nowhere/new", 7500);
  maker_sample (records, 3, 20, 7600, 0, user, 2, NULL);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->samples.len, ==, 5);
  inherited = stack_text (trace, trace->samples.data[2].stack);
  own = stack_text (trace, trace->samples.data[4].stack);
  g_assert_cmpstr (inherited, ==, "pass+0x1170");
  g_assert_cmpuint (trace->samples.data[3].stack, ==, 0);
  g_assert_cmpstr (own, ==, "new+0x170");
  g_assert_cmpint (find_task (trace, 20)->pid, ==, 20);
  g_assert_cmpuint (find_task (trace, 20)->after, !=, 0);
  g_assert_cmpuint (find_task (trace, 20)->forked_by, !=, 0);
}

/* One byte of a record's length is wrong: the records before and after it are there all the same. */
static void
test_damaged_record (void)
{
  GByteArray *records = maker_exchange ();
  guint at = records->len;
  g_autoptr (WpTrace) trace = NULL;

  maker_switch (records, 6500, 0, 0, "swapper/0", 0, 11, "pass");
  maker_switch (records, 7000, 0, 11, "pass", 1, 0, "swapper/0");
  maker_switch (records, 7100, 0, 0, "swapper/0", 0, 11, "pass");
  maker_switch (records, 7200, 0, 11, "pass", 1, 0, "swapper/0");
  records->data[at + 6] = 4;
  records->data[at + 7] = 0;
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 1);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], ==, 13);
}

/* Cut anywhere: it opens up to the cut, or says that there is nothing yet. */
static void
test_cut (gboolean file_mode)
{
  GByteArray *whole = file_mode ? maker_file (maker_exchange ()) : maker_stream (maker_exchange (), FALSE);
  guint opened = 0;

  for (guint n = 1; n < whole->len; n += 3)
    {
      GByteArray *part = g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = NULL;

      g_byte_array_append (part, whole->data, n);
      trace = maker_read (path, part, &error);
      g_assert_true ((trace == NULL) == (error != NULL));
      g_assert_true (error == NULL || strstr (error->message, path) != NULL);
      opened += trace != NULL;
    }
  g_byte_array_unref (whole);
  g_assert_cmpuint (opened, >, file_mode ? 0 : 300);
}

static void
test_cut_stream (void)
{
  test_cut (FALSE);
}

static void
test_cut_file (void)
{
  test_cut (TRUE);
}

/* Who is born of a kernel thread is one; a program's child, and one whose parent nobody knows, are none. */
static void
test_kernel_children (void)
{
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_comm (records, 2, "kthreadd", FALSE, 0, 0);
  maker_comm (records, 11, "a", FALSE, 0, 0);
  maker_mmap2 (records, 11, MAKER_USER, 0x1000, 0, "/nowhere/a", 0);
  maker_switch (records, 1000, 0, 0, "swapper/0", 0, 2, "kthreadd");
  maker_fork (records, 2, 20, 1100);
  maker_switch (records, 1200, 0, 2, "kthreadd", 1, 11, "a");
  maker_fork (records, 11, 21, 1300);
  maker_fork (records, 99, 22, 1350);
  maker_switch (records, 1400, 0, 11, "a", 1, 20, "kthreadd");
  maker_switch (records, 1500, 0, 20, "kthreadd", 1, 21, "a");
  maker_switch (records, 1600, 0, 21, "a", 1, 22, "b");
  maker_switch (records, 1700, 0, 22, "b", 1, 0, "swapper/0");
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  for (gint32 tid = 20; tid <= 22; tid++)
    g_assert_cmpint ((find_task (trace, tid)->flags & WP_TASK_KERNEL) != 0, ==, tid == 20);
}

/* What our recorder says of itself, as a feature of a file that has no other above number 3. */
static GByteArray *
with_recorder (GByteArray *file, const char *json)
{
  guint64 table, entry[2], where[] = { 0, strlen (json) + 1 };
  guint64 high = 1 << (WP_PERF_FEATURE_RECORDER - 192);
  GByteArray *out;

  memcpy (entry, file->data + 40, sizeof entry); /* where the records are */
  table = entry[0] + entry[1];
  memcpy (file->data + 96, &high, sizeof high);
  for (guint i = 0; i < 2; i++)
    {
      memcpy (entry, file->data + table + 16 * i, sizeof entry);
      entry[0] += sizeof where;
      memcpy (file->data + table + 16 * i, entry, sizeof entry);
    }
  where[0] = file->len + sizeof where;
  out = g_byte_array_new ();
  maker_bytes (out, file->data, table + 32);
  maker_bytes (out, where, sizeof where);
  maker_bytes (out, file->data + table + 32, file->len - table - 32);
  maker_bytes (out, json, where[1]);
  g_byte_array_unref (file);
  return out;
}

/* Nobody recurses over what is nested. */
static void
test_recorder_nested (void)
{
  g_autoptr (GString) json = g_string_new ("{\"commit\": \"abc\", \"a\": ");
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 0; i < 200000; i++)
    g_string_append_c (json, '[');
  for (guint i = 0; i < 200000; i++)
    g_string_append_c (json, ']');
  g_string_append (json, ", \"pid\": 12}");
  trace = maker_read_whole (path, with_recorder (maker_file (maker_exchange ()), json->str));
  g_assert_cmpstr (g_hash_table_lookup (trace->extra, "commit"), ==, "abc");
  g_assert_cmpint (trace->command_pid, ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 1);
}

/* Each kind of value it may have; what is no text stands as it does there. */
static void
test_recorder_values (void)
{
  g_autoptr (WpTrace) trace = maker_read_whole (path, with_recorder (maker_file (maker_exchange ()),
    "{\"rate\": 99, \"none\": null, \"list\": [1, {\"a\": \"]\"}],\n \"pid\": 12, \"devices\": {\"8:1\": 3, \"8:2\": \"sdb\"},"
    "\"files\": {\"8:2\": {\"5\": [], \"6\": \"/a\"}, \"no\": {}}, \"born\": 7, \"missing\": \"a\\nb\","
    "\"arguments\": {\"12\": \"/usr/bin/a one\", \"13\": 5, \"x\": \"y\", \"-1\": \"z\"}}"));

  g_assert_cmpstr (g_hash_table_lookup (trace->extra, "rate"), ==, "99");
  g_assert_cmpstr (g_hash_table_lookup (trace->extra, "none"), ==, "null");
  g_assert_cmpstr (g_hash_table_lookup (trace->extra, "list"), ==, "[1, {\"a\": \"]\"}]");
  g_assert_null (g_hash_table_lookup (trace->extra, "devices"));
  g_assert_cmpuint (g_hash_table_size (trace->arguments), ==, 1);
  g_assert_cmpstr (trace->missing, ==, "a\nb");
  g_assert_cmpint (trace->command_pid, ==, 12);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
}

/* Of a folder of files that belong together one alone says nothing. */
static void
test_part_of_folder (void)
{
  static const guint64 version = 1;
  GByteArray *records = maker_exchange ();
  g_autoptr (GError) error = NULL;

  maker_feature (records, WP_PERF_FEATURE_DIR_FORMAT, &version, sizeof version);
  g_assert_null (maker_read (path, maker_stream (records, FALSE), &error));
  g_assert_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS);
  g_assert_nonnull (strstr (error->message, "--threads"));
}

/* Names are any bytes: some are no text, some are cut within a letter, some would end the line or turn it around. */
static void
test_odd_names (void)
{
  static const struct
  {
    const char *name, *shown;
  } names[] = { { "caf\303\251", "caf\303\251" }, { "\377\376 a", "\357\277\275\357\277\275 a" },
                { "14 letters: n\303", "14 letters: n\357\277\275" }, { "a\nb\t\033[1m", "a b  [1m" }, { "\342\200\256abc", " abc" } };
  GByteArray *records = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      maker_switch (records, 1000 + 200 * i, 0, 0, "swapper/0", 0, 11 + i, names[i].name);
      maker_switch (records, 1100 + 200 * i, 0, 11 + i, names[i].name, 1, 0, "swapper/0");
    }
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (wp_trace_task_name (trace, task_of (trace, 11 + i)), ==, names[i].shown);
}

/* A copy of the sample at this place, by another event and 3 ns later. */
static void
tell_again (GByteArray *records, gsize at, guint64 id)
{
  gsize n = records->len - at;
  g_autofree guint8 *copy = g_memdup2 (records->data + at, n);
  guint64 time;

  memcpy (copy + 8, &id, sizeof id);
  memcpy (&time, copy + 32, sizeof time);
  time += 3;
  memcpy (copy + 32, &time, sizeof time);
  g_byte_array_append (records, copy, n);
}

/* Two event types are of one tracepoint. What both tell of is one switch; what one of them tells twice is two, with one between them that
 * nobody saw. */
static void
test_told_twice (void)
{
  static const struct
  {
    gint32 prev, next;
  } switches[] = { { 0, 11 }, { 11, 12 }, { 12, 11 }, { 11, 12 }, { 11, 12 }, { 12, 0 } };
  GByteArray *records = g_byte_array_new (), *attr = g_byte_array_new ();
  g_autoptr (WpTrace) trace = NULL;

  maker_attr (attr, PERF_TYPE_TRACEPOINT, MAKER_SWITCH, FALSE);
  maker_u64 (attr, 4);
  maker_record (records, WP_PERF_RECORD_ATTR, 0, attr);
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      gsize at = records->len;

      maker_switch (records, 1000 * (i + 1), 0, switches[i].prev, "a", 1, switches[i].next, "a");
      tell_again (records, at, 4);
    }
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], ==, 12);
  g_assert_cmpuint (find_task (trace, 11)->n_ops, ==, 7);
  g_assert_cmpuint (find_task (trace, 12)->n_ops, ==, 7);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_INFERRED_SWITCHES], ==, 2);
}

/* Every event says that all of the file are its ids: the second is believed no more. */
static void
test_ids_twice (void)
{
  GByteArray *bytes = maker_file (maker_exchange ());
  const guint n = G_N_ELEMENTS (maker_events);
  const guint64 ids[] = { 0, bytes->len };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = NULL;

  for (guint i = 1; i <= n; i++)
    memcpy (bytes->data + 104 + n * 8 + i * (sizeof (struct perf_event_attr) + 16) - sizeof ids, ids, sizeof ids);
  trace = maker_read (path, bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], >=, n - 1);
}

/* Every 32-bit word in turn says 2 GiB. */
static void
test_lengths (gboolean file_mode)
{
  static const guint8 huge[] = { 0, 0, 0, 0x80 };
  GByteArray *whole = file_mode ? maker_file (maker_exchange ()) : maker_stream (maker_exchange (), FALSE);

  for (guint at = 8; at + 4 <= whole->len; at += 4)
    {
      GByteArray *changed = g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = NULL;

      g_byte_array_append (changed, whole->data, whole->len);
      memcpy (changed->data + at, huge, 4);
      trace = maker_read (path, changed, &error);
      g_assert_true ((trace == NULL) == (error != NULL));
    }
  g_byte_array_unref (whole);
}

static void
test_lengths_stream (void)
{
  test_lengths (FALSE);
}

static void
test_lengths_file (void)
{
  test_lengths (TRUE);
}

static __attribute__ ((noinline)) void
known_function (guint64 *address)
{
  *address = (guint64) __builtin_return_address (0);
  __asm__ volatile ("" ::: "memory");
}

/* An address within this very program gets its name from the ELF file. */
__attribute__ ((noinline)) static guint64
ask_for_address (void)
{
  guint64 address;

  known_function (&address);
  __asm__ volatile ("" ::: "memory");
  return address;
}

static gboolean
find_mapping (guint64 address, guint64 *start, guint64 *end, guint64 *offset, char file[512])
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  gboolean found = FALSE;
  char line[1024];

  while (!found && fgets (line, sizeof line, maps) != NULL)
    found = sscanf (line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %*s %" G_GINT64_MODIFIER "x %*s %*s %511s",
                    start, end,
                    offset, file) == 4 && address >= *start && address < *end;
  fclose (maps);
  return found;
}

static void
test_symbols (void)
{
  guint64 address = ask_for_address (), start, end, offset, chain[2] = { PERF_CONTEXT_USER, address };
  GByteArray *records = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  WpReadOptions options = { .symbol_root = "/nowhere" };
  char file[512];

  g_assert_true (find_mapping (address, &start, &end, &offset, file));
  maker_mmap2 (records, 11, start, end - start, offset, file, 6000);
  maker_sample (records, 3, 11, 6100, 0, chain, 2, NULL);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  before = stack_text (trace, trace->samples.data[2].stack);
  g_assert_nonnull (strstr (before, "+0x"));
  g_assert_cmpuint (wp_read_symbols (trace, &options, NULL, &error), ==, 0);
  g_assert_cmpuint (wp_read_symbols (trace, NULL, NULL, &error), >=, 1);
  g_assert_no_error (error);
  after = stack_text (trace, trace->samples.data[2].stack);
  g_assert_cmpstr (after, ==, "ask_for_address");
}

/* Two processes made code at the same address; only one says what. */
static void
test_jit (void)
{
  static const guint64 chain[] = { PERF_CONTEXT_USER, 0x7f0000001010 };
  gint32 pid = getpid ();
  g_autofree char *map = g_strdup_printf ("/tmp/perf-%d.map", pid), *ours = NULL, *other = NULL;
  GByteArray *records = maker_exchange ();
  g_autoptr (WpTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (map, "7f0000001000 80 made\n", -1, NULL));
  maker_mmap2 (records, pid, 0x7f0000001000, 0x1000, 0, "//anon", 0);
  maker_mmap2 (records, 11, 0x7f0000001000, 0x1000, 0, "//anon", 6000);
  maker_switch (records, 6100, 0, 0, "swapper/0", 0, 11, "pass");
  maker_sample (records, 3, 11, 6200, 0, chain, 2, NULL);
  maker_switch (records, 6300, 0, 11, "pass", 1, pid, "jit");
  maker_sample (records, 3, pid, 6400, 0, chain, 2, NULL);
  trace = maker_read_whole (path, maker_stream (records, FALSE));
  wp_read_symbols (trace, NULL, NULL, &error);
  g_assert_no_error (error);
  other = stack_text (trace, trace->samples.data[trace->samples.len - 2].stack);
  ours = stack_text (trace, trace->samples.data[trace->samples.len - 1].stack);
  g_assert_cmpint (g_unlink (map), ==, 0);
  g_assert_cmpstr (other, ==, "[anon:11]+0x7f0000001010");
  g_assert_cmpstr (ours, ==, "made");
}

/* A system call without arguments has two names at one address, in whichever order. */
static void
test_kernel_names (void)
{
  static const char text[] = "ffffffff81000100 T __ia32_sys_pause\nffffffff81000100 T __x64_sys_pause\n"
                             "ffffffff81000200 T __x64_sys_sync\nffffffff81000200 T __ia32_sys_sync\n";
  static const char *const expected[] = { "__x64_sys_pause", "__x64_sys_sync" };
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpKernelSymbols *symbols = wp_kernel_symbols_new (trace, NULL);

  wp_kernel_symbols_set_text (symbols, text, strlen (text));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      WpId frame = wp_kernel_symbols_frame (symbols, MAKER_KERNEL + 0x100 * (i + 1) + 5);

      g_assert_cmpstr (wp_trace_function_name (trace, trace->frames.data[frame].function), ==, expected[i]);
    }
  wp_kernel_symbols_free (symbols);
}

int
main (int argc, char **argv)
{
  int status, fd;

  g_test_init (&argc, &argv, NULL);
  fd = g_file_open_tmp ("wp-read-perf-XXXXXX", &path, NULL);
  close (fd);
  g_test_add_func ("/read/perf/stream", test_stream);
  g_test_add_func ("/read/perf/file", test_file);
  g_test_add_func ("/read/perf/raw", test_raw);
  g_test_add_func ("/read/perf/thinned", test_thinned);
  g_test_add_func ("/read/perf/chosen-processes", test_chosen_processes);
  g_test_add_func ("/read/perf/throttled", test_throttled);
  g_test_add_func ("/read/perf/rates", test_rates);
  g_test_add_func ("/read/perf/throttled-by-a-liar", test_throttled_by_a_liar);
  g_test_add_func ("/read/perf/disorder", test_disorder);
  g_test_add_func ("/read/perf/impossible-times", test_impossible_times);
  g_test_add_func ("/read/perf/lost", test_lost);
  g_test_add_func ("/read/perf/lost-in-all", test_lost_in_all);
  g_test_add_func ("/read/perf/branches", test_branches);
  g_test_add_func ("/read/perf/paused", test_paused);
  g_test_add_func ("/read/perf/asleep", test_asleep);
  g_test_add_func ("/read/perf/children", test_children);
  g_test_add_func ("/read/perf/lost-first", test_lost_first);
  g_test_add_func ("/read/perf/fork-exec", test_fork_exec);
  g_test_add_func ("/read/perf/damaged-record", test_damaged_record);
  g_test_add_func ("/read/perf/cut/stream", test_cut_stream);
  g_test_add_func ("/read/perf/cut/file", test_cut_file);
  g_test_add_func ("/read/perf/told-twice", test_told_twice);
  g_test_add_func ("/read/perf/odd-names", test_odd_names);
  g_test_add_func ("/read/perf/recorder/nested", test_recorder_nested);
  g_test_add_func ("/read/perf/recorder/values", test_recorder_values);
  g_test_add_func ("/read/perf/part-of-folder", test_part_of_folder);
  g_test_add_func ("/read/perf/kernel-children", test_kernel_children);
  g_test_add_func ("/read/perf/ids-twice", test_ids_twice);
  g_test_add_func ("/read/perf/lengths/stream", test_lengths_stream);
  g_test_add_func ("/read/perf/lengths/file", test_lengths_file);
  g_test_add_func ("/read/perf/symbols", test_symbols);
  g_test_add_func ("/read/perf/jit", test_jit);
  g_test_add_func ("/read/perf/kernel-names", test_kernel_names);
  status = g_test_run ();
  g_unlink (path);
  g_free (path);
  return status;
}
