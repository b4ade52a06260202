/* Each limit of trace/thresholds.h, from both of its sides: what comes exactly at the limit is within it, what comes a nanosecond later is
 * not; where a rule says otherwise, its test does. */
#include "rule-maker.h"
#include "trace/files.h"
#include "trace/reliability.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* --- wakeups ------------------------------------------------------------------------------------------------------- */

/* The kernel reports a signal at most 200 µs after the wakeup that it made. */
static void
test_signal (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_SIGNAL, 100 * US + 200 * US + late, 0, 1, 0);

      event.wake.tid = 2;
      trace_maker_begin (&m);
      trace_maker_wake (&m, 100 * US, 0, 1, 2);
      wp_assembler_event (m.assembler, &event);
      end (&m, 400 * US);
      g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, late ? WP_CAUSE_TASK : WP_CAUSE_SIGNAL);
      wp_trace_free (m.trace);
    }
}

/* A wakeup by another CPU at most 100 µs before the switch ends the sleep that begins there. */
static void
test_early_wakeup (void)
{
  for (guint early = 0; early < 2; early++)
    {
      TraceMaker m;

      trace_maker_init (&m);
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      trace_maker_switch (&m, 0, 1, 0, 0, 2);
      trace_maker_wake (&m, 100 * US, 0, 1, 2);
      trace_maker_switch (&m, 200 * US + early, 1, 2, 1, 0);
      end (&m, 300 * US);
      g_assert_cmpint (cause_at (m.trace, 2, 250 * US), ==, early ? WP_CAUSE_NONE : WP_CAUSE_TASK);
      wp_trace_free (m.trace);
    }
}

/* A wakeup in the nanosecond in which the task was switched in belongs to that run; one before belongs to none. */
static void
test_early_wakeup_of_run (void)
{
  TraceMaker m;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 100 * US, 1, 0, 0, 2);
  trace_maker_wake (&m, 100 * US, 0, 1, 2);
  trace_maker_switch (&m, 150 * US, 1, 2, 1, 0);
  end (&m, 300 * US);
  g_assert_cmpint (cause_at (m.trace, 2, 200 * US), ==, WP_CAUSE_TASK);
  wp_trace_free (m.trace);
}

/* An interrupt whose stack says nothing is a device's if that device's handler began less than 1 ms ago. */
static void
test_device (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_IRQ_ENTRY, 100 * US, 0, 1, WP_IRQ_HARD);

      trace_maker_begin (&m);
      event.irq.name = wp_strings_intern (m.trace->strings, "keyboard");
      wp_assembler_event (m.assembler, &event);
      interrupt_wakes (&m, 100 * US + MS - 1 + late, 0, 1, 2, WP_IRQ_HARD, NULL);
      end (&m, 2 * MS);
      g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, late ? WP_CAUSE_UNKNOWN : WP_CAUSE_DEVICE);
      wp_trace_free (m.trace);
    }
}

/* A wakeup at most 1 ms after a request's end is by that request, whoever asked for it. */
static void
test_completion (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;

      trace_maker_begin (&m);
      trace_maker_disk (&m, 50 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64);
      trace_maker_disk (&m, 100 * US, 0, 1, WP_EVENT_RQ_COMPLETE, 64);
      interrupt_wakes (&m, 100 * US + MS + late, 0, 1, 2, WP_IRQ_SOFT, "blk_update_request");
      end (&m, 2 * MS);
      g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, WP_CAUSE_DISK);
      g_assert_cmpint (sleep_at (m.trace, 2, 50 * US)->explained_by != 0, ==, !late);
      wp_trace_free (m.trace);
    }
}

/* What arrived at most 1 ms before made the wakeup; what arrived earlier only where nothing else was there in between. */
static void
test_receive (void)
{
  for (guint late = 0; late < 2; late++)
    for (guint alone = 0; alone < 2; alone++)
      {
        TraceMaker m;
        WpEvent event = trace_maker_event (WP_EVENT_NET_SEND, 50 * US, 0, 1, 0);

        trace_maker_begin (&m);
        event.net.socket = 0x1000;
        event.net.protocol = IPPROTO_TCP;
        wp_assembler_event (m.assembler, &event);
        event.kind = WP_EVENT_NET_READY;
        event.time = 100 * US;
        event.irq_flags = WP_IRQ_SOFT;
        event.net.length = 10;
        wp_assembler_event (m.assembler, &event);
        if (!alone)
          other (&m, 200 * US, 0, 1);
        interrupt_wakes (&m, 100 * US + MS + late, 0, 1, 2, WP_IRQ_SOFT, "tcp_data_queue");
        end (&m, 2 * MS);
        g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, WP_CAUSE_NET);
        g_assert_cmpint (sleep_at (m.trace, 2, 50 * US)->explained_by != 0, ==, alone || !late);
        wp_trace_free (m.trace);
      }
}

/* What was put into a Unix socket is named by a wakeup at most 50 µs later. */
static void
test_unix_socket (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_NET_READY, 100 * US, 0, 1, 0);

      trace_maker_begin (&m);
      event.net.socket = 0x1000;
      event.net.length = -1;
      event.net.family = AF_UNIX;
      wp_assembler_event (m.assembler, &event);
      other (&m, 110 * US, 0, 1);
      trace_maker_wake (&m, 150 * US + late, 0, 1, 2);
      end (&m, 200 * US);
      g_assert_cmpint (m.trace->links.data[sleep_at (m.trace, 2, 50 * US)->link].device != 0, ==, !late);
      wp_trace_free (m.trace);
    }
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

static void
sample (TraceMaker *m, gint64 time, guint32 cpu, gint32 tid)
{
  WpEvent event = trace_maker_event (WP_EVENT_SAMPLE, time, cpu, tid, 0);

  event.stack = m->stack;
  wp_assembler_event (m->assembler, &event);
}

/* A sample at most 20 µs after the end of a run is that run's. After that it shows that its task is back. */
static void
test_late_sample (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 100 * US, 0, 1, 1, 3);
      sample (&m, 120 * US + late, 0, 1);
      trace_maker_switch (&m, 200 * US, 0, late ? 1 : 3, 1, 0);
      end (&m, 300 * US);
      g_assert_cmpuint (m.trace->samples.len, ==, 2);
      assert_life (m.trace, 1, late ? "run 0-100, sleep 100-120.001 none 120.001, run 120.001-200, sleep 200-300 none 300"
                                    : "run 0-100, sleep 100-300 none 300");
      wp_trace_free (m.trace);
    }
}

/* … but not within 20 µs of another one's switch-in there: that belongs to nobody, unless its task was woken since. */
static void
test_dropped_sample (void)
{
  static const struct
  {
    gint64 time;
    gboolean woken, dropped;
  } cases[] = { { 220 * US, FALSE, TRUE }, { 220 * US + 1, FALSE, FALSE }, { 220 * US, TRUE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;

      trace_maker_begin (&m);
      trace_maker_switch (&m, 100 * US, 0, 1, 1, 0);
      trace_maker_switch (&m, 200 * US, 0, 0, 0, 3);
      if (cases[i].woken)
        trace_maker_wake (&m, 210 * US, 0, 3, 1);
      sample (&m, cases[i].time, 0, 1);
      end (&m, 300 * US);
      g_assert_cmpuint (m.trace->samples.len, ==, cases[i].dropped ? 1 : 2);
      g_assert_cmpuint (m.trace->diagnostics.n[WP_DIAG_LATE_SAMPLES_DROPPED], ==, cases[i].dropped);
      wp_trace_free (m.trace);
    }
}

/* How often a task is sampled shows from one sample to the next while it runs. One in the nanosecond of its switch-in does not count: what it
 * is measured from may have been whoever left. While the kernel holds samples back, as many are missing. */
static void
test_pace (void)
{
  static const gint64 samples[] = { 100 * US, 150 * US, 160 * US };
  TraceMaker m;
  WpEvent event = trace_maker_event (WP_EVENT_THROTTLE, 160 * US, 0, 3, 0);

  trace_maker_begin (&m);
  trace_maker_switch (&m, 100 * US, 0, 1, 1, 3);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    sample (&m, samples[i], 0, 3);
  event.throttle.on = TRUE;
  wp_assembler_event (m.assembler, &event);
  trace_maker_switch (&m, 265 * US, 0, 3, 1, 0);
  end (&m, 300 * US);
  g_assert_cmpuint (m.trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK], ==, 11);
  wp_trace_free (m.trace);
}

/* --- network ------------------------------------------------------------------------------------------------------- */

/* A UDP socket without a far end of its own sends where its thread looked up a route for: in the same run whenever that is, in
 * another at most 1 ms later. */
static void
test_send_by_route (void)
{
  static const struct
  {
    gint64 send;
    gboolean away, known; /* it was off its CPU in between; the far end is known */
  } cases[] = { { 5 * MS, FALSE, TRUE }, { 100 * US + MS, TRUE, TRUE }, { 100 * US + MS + 1, TRUE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpEvent route = trace_maker_event (WP_EVENT_NET_ROUTE, 100 * US, 0, 1, 0);
      WpEvent packet = trace_maker_event (WP_EVENT_NET_SEND, cases[i].send, 0, 1, 0);

      trace_maker_begin (&m);
      route.net.protocol = packet.net.protocol = IPPROTO_UDP;
      route.net.local = wp_strings_intern (m.trace->strings, "10.0.0.1:4000");
      route.net.remote = wp_strings_intern (m.trace->strings, "10.0.0.9:53");
      packet.net.socket = 0x1000;
      wp_assembler_event (m.assembler, &route);
      if (cases[i].away)
        {
          trace_maker_switch (&m, 200 * US, 0, 1, 0, 0);
          trace_maker_switch (&m, 300 * US, 0, 0, 0, 1);
        }
      wp_assembler_event (m.assembler, &packet);
      packet = trace_maker_event (WP_EVENT_NET_READY, 6 * MS, 0, 1, WP_IRQ_SOFT);
      packet.net.socket = 0x1000;
      packet.net.length = 10;
      wp_assembler_event (m.assembler, &packet);
      interrupt_wakes (&m, 6 * MS, 0, 1, 2, WP_IRQ_SOFT, "udp_queue_rcv_skb");
      end (&m, 7 * MS);
      g_assert_cmpuint (m.trace->nets.len, ==, 2);
      g_assert_cmpstr (wp_trace_string (m.trace, m.trace->nets.data[1].remote), ==, cases[i].known ? "10.0.0.9:53" : "");
      wp_trace_free (m.trace);
    }
}

/* --- disk ---------------------------------------------------------------------------------------------------------- */

/* A read is for the file of which a page came into the cache at most 20 ms before. */
static void
test_read (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;
      WpEvent file = trace_maker_event (WP_EVENT_FILE, 100 * US, 0, 1, 0), bio = trace_maker_event (WP_EVENT_BIO_QUEUE, 100 * US + 20 * MS + late, 0, 1, 0);

      trace_maker_begin (&m);
      file.file.inode = 7;
      file.file.dev = bio.block.dev = 8 << 20 | 16;
      file.file.reads = TRUE;
      bio.block.sector = 64;
      bio.block.sectors = 8;
      bio.block.rwbs = wp_strings_intern (m.trace->strings, "R");
      wp_assembler_event (m.assembler, &file);
      wp_assembler_event (m.assembler, &bio);
      trace_maker_disk (&m, 30 * MS, 0, 1, WP_EVENT_RQ_ISSUE, 64);
      end (&m, 31 * MS);
      g_assert_cmpuint (m.trace->disks.len, ==, 2);
      g_assert_cmpstr (wp_trace_string (m.trace, m.trace->disks.data[1].file), ==, late ? "" : "file 7 of 8:16");
      wp_trace_free (m.trace);
    }
}

/* A request that ends within the first second, and of which nothing else was seen, has been under way since before the recording. */
static void
test_old_request (void)
{
  for (guint late = 0; late < 2; late++)
    {
      TraceMaker m;
      const WpOp *op;

      trace_maker_begin (&m);
      trace_maker_disk (&m, 1000 * MS + late, 0, 1, WP_EVENT_RQ_COMPLETE, 64);
      end (&m, 1001 * MS);
      g_assert_cmpuint (m.trace->disks.len, ==, 2);
      op = &m.trace->ops.data[m.trace->disks.data[1].active];
      g_assert_cmpint (op->start, ==, late ? 1000 * MS + 1 : 0);
      g_assert_cmpint (op->end, ==, 1000 * MS + late);
      wp_trace_free (m.trace);
    }
}

/* --- what cannot be believed --------------------------------------------------------------------------------------- */

/* Of 128 switches, 32 may contradict others. What is more makes the stretch unreliable, and what is left behind the last stretch. */
static void
test_unreliable (void)
{
  for (guint more = 0; more < 2; more++)
    {
      TraceMaker m;
      WpReliability reliability = { 0 };

      trace_maker_begin (&m);
      end (&m, 1000);
      for (guint i = 1; i <= 300; i++)
        {
          if (i > 128 && i <= 128 + 32 + more)
            wp_reliability_contradiction (&reliability, 1);
          wp_reliability_switch (&reliability, i);
        }
      wp_reliability_contradiction (&reliability, 44);
      wp_reliability_finish (&reliability, m.trace);
      g_assert_cmpuint (m.trace->diagnostics.n[WP_DIAG_UNRELIABLE], ==, more);
      g_assert_cmpuint (m.trace->lost.len, ==, more);
      if (more)
        {
          g_assert_cmpint (m.trace->lost.data[0].start, ==, 128);
          g_assert_cmpint (m.trace->lost.data[0].end, ==, 1000);
        }
      wp_trace_free (m.trace);
    }
}

/* Of an unreliable stretch and a sound one behind it only the first is lost; two that follow one another are one. */
static void
test_unreliable_stretches (void)
{
  TraceMaker m;
  WpReliability reliability = { 0 };

  trace_maker_begin (&m);
  end (&m, 1000);
  for (guint i = 1; i <= 4 * 128; i++)
    {
      if (i % 2 == 0 && i <= 2 * 128)
        wp_reliability_contradiction (&reliability, 1);
      wp_reliability_switch (&reliability, i);
    }
  wp_reliability_finish (&reliability, m.trace);
  g_assert_cmpuint (m.trace->lost.len, ==, 1);
  g_assert_cmpint (m.trace->lost.data[0].start, ==, 0);
  g_assert_cmpint (m.trace->lost.data[0].end, ==, 2 * 128);
  wp_trace_free (m.trace);
}

/* --- files --------------------------------------------------------------------------------------------------------- */

/* The file that has the number at the end was made at 20 ms, by a clock that is up to 10 ms slow: so what came before 30 ms may have been
 * for another one. Where its making was seen, that is known, unless it was made still later. */
static void
test_slow_clock (void)
{
  static const struct
  {
    gint64 made, request;
    gboolean known;
  } cases[] = {
    { 0, 30 * MS - 1, FALSE }, { 0, 30 * MS, TRUE }, { 10 * MS, 11 * MS, TRUE }, { 10 * MS - 1, 11 * MS, FALSE },
    { 25 * MS, 26 * MS, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_FILE, cases[i].made, 0, 1, 0);

      trace_maker_begin (&m);
      event.file.inode = 7;
      event.file.dev = DEVICE;
      event.file.created = TRUE;
      if (cases[i].made > 0)
        wp_assembler_event (m.assembler, &event);
      read_file (&m, cases[i].request, 7);
      wp_trace_set_file_name (m.trace, DEVICE, 7, "/last", WP_FILE_SEEN_LAST);
      wp_trace_set_file_born (m.trace, DEVICE, 7, 20 * MS);
      end (&m, 40 * MS);
      g_assert_cmpstr (file_at (m.trace, cases[i].request), ==, cases[i].known ? "/last" : "file 7 of 8:16");
      wp_trace_free (m.trace);
    }
}

/* At most 128 flushes are under way on one device: of more, the first is over, though its end was not seen. */
static void
test_flushes (void)
{
  TraceMaker m;
  const WpOp *first, *second;

  trace_maker_begin (&m);
  for (guint i = 1; i <= 129; i++)
    {
      WpEvent event = trace_maker_event (WP_EVENT_RQ_ISSUE, i * US, 0, 1, 0);

      event.block.dev = DEVICE;
      event.block.flush = TRUE;
      wp_assembler_event (m.assembler, &event);
    }
  end (&m, 200 * US);
  first = &m.trace->ops.data[m.trace->disks.data[1].active];
  second = &m.trace->ops.data[m.trace->disks.data[2].active];
  g_assert_cmpint (first->end, ==, 129 * US);
  g_assert_cmpint (second->end, ==, 200 * US);
  g_assert_true (second->flags & WP_OP_OPEN_END);
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/limits/signal", test_signal);
  g_test_add_func ("/limits/early-wakeup", test_early_wakeup);
  g_test_add_func ("/limits/early-wakeup/of-run", test_early_wakeup_of_run);
  g_test_add_func ("/limits/device", test_device);
  g_test_add_func ("/limits/completion", test_completion);
  g_test_add_func ("/limits/receive", test_receive);
  g_test_add_func ("/limits/unix-socket", test_unix_socket);
  g_test_add_func ("/limits/late-sample", test_late_sample);
  g_test_add_func ("/limits/dropped-sample", test_dropped_sample);
  g_test_add_func ("/limits/pace", test_pace);
  g_test_add_func ("/limits/send-by-route", test_send_by_route);
  g_test_add_func ("/limits/read", test_read);
  g_test_add_func ("/limits/old-request", test_old_request);
  g_test_add_func ("/limits/unreliable", test_unreliable);
  g_test_add_func ("/limits/unreliable/stretches", test_unreliable_stretches);
  g_test_add_func ("/limits/flushes", test_flushes);
  g_test_add_func ("/limits/slow-clock", test_slow_clock);
  return g_test_run ();
}
