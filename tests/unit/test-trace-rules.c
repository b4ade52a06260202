/* Rules of the trace's tables that no scenario reaches: what is said of sockets and files by halves, ties, and what a recording's end or beginning
 * cuts. */
#include "rule-maker.h"
#include "trace/files.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* --- runs and sleeps ----------------------------------------------------------------------------------------------- */

/* Switched in twice on one CPU: in between it left after its own last event. What is seen of the idle task then ends its second run. */
static void
test_switched_in_twice (void)
{
  TraceMaker m;

  trace_maker_begin (&m);
  trace_maker_switch (&m, 100 * US, 0, 1, 1, 3);
  other (&m, 150 * US, 0, 3);
  trace_maker_switch (&m, 200 * US, 0, 0, 0, 3);
  other (&m, 250 * US, 0, 3);
  trace_maker_switch (&m, 300 * US, 0, -1, 0, 3);
  other (&m, 350 * US, 0, 3);
  other (&m, 400 * US, 0, 0);
  end (&m, 500 * US);
  assert_life (m.trace, 3, "sleep 0-100 none 100, run 100-150, sleep 150-200 none 200, run 200-250, sleep 250-300 none 300, "
                           "run 300-350, sleep 350-500 none 500");
  wp_trace_free (m.trace);
}

/* A task that comes, goes and comes again ran twice, whoever was there in between. */
static void
test_switched_in_again (void)
{
  TraceMaker m;

  trace_maker_begin (&m);
  trace_maker_switch (&m, 100 * US, 0, 1, 1, 3);
  trace_maker_switch (&m, 200 * US, 0, 3, 1, 4);
  trace_maker_switch (&m, 300 * US, 0, 4, 1, 3);
  trace_maker_switch (&m, 400 * US, 0, 3, 16, 0);
  end (&m, 500 * US);
  assert_life (m.trace, 3, "sleep 0-100 none 100, run 100-200, sleep 200-300 none 300, run 300-400");
  assert_life (m.trace, 4, "sleep 0-200 none 200, run 200-300, sleep 300-500 none 500");
  wp_trace_free (m.trace);
}

/* Woken, but not switched in before the recording ends: what ended the sleep is known. */
static void
test_woken_at_last (void)
{
  TraceMaker m;

  trace_maker_begin (&m);
  trace_maker_wake (&m, 100 * US, 0, 1, 2);
  trace_maker_switch (&m, 200 * US, 0, 1, 1, 0);
  trace_maker_finish (&m);
  assert_life (m.trace, 1, "run 0-200");
  assert_life (m.trace, 2, "sleep 0-200 task 100");
  wp_trace_free (m.trace);
}

/* Without any wakeup nothing ends a sleep early, in the first 100 µs of a recording neither. */
static void
test_first_sleep (void)
{
  TraceMaker m;

  trace_maker_init (&m);
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 50 * US, 0, 1, 1, 0);
  trace_maker_switch (&m, 80 * US, 0, 0, 0, 1);
  trace_maker_finish (&m);
  g_assert_cmpint (cause_at (m.trace, 1, 60 * US), ==, WP_CAUSE_NONE);
  g_assert_false (sleep_at (m.trace, 1, 60 * US)->flags & WP_OP_WOKEN_INFERRED);
  wp_trace_free (m.trace);
}

/* A sleep in the kernel's own business that a task ends: a user's task has a reason to, a kernel thread or nobody is the kernel. */
static void
test_kernel_block (void)
{
  static const struct
  {
    gint32 waker;
    WpCause cause;
  } cases[] = { { 1, WP_CAUSE_TASK }, { 5, WP_CAUSE_KERNEL }, { 0, WP_CAUSE_KERNEL } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;

      trace_maker_init (&m);
      m.stack = trace_maker_stack (&m, "synchronize_rcu");
      wp_assembler_known_task (m.assembler, 5, 5, wp_strings_intern (m.trace->strings, "rcu"), TRUE);
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      trace_maker_switch (&m, 0, 2, 0, 0, 5);
      trace_maker_switch (&m, 0, 1, 2, 1, 0);
      trace_maker_wake (&m, 100 * US, cases[i].waker == 1 ? 0 : cases[i].waker == 5 ? 2 : 3, cases[i].waker, 2);
      end (&m, 200 * US);
      g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, cases[i].cause);
      wp_trace_free (m.trace);
    }
}

/* What ends in the nanosecond in which a loss begins, or begins where it ends, is known. */
static void
test_beside_loss (void)
{
  TraceMaker m;
  WpEvent event = trace_maker_event (WP_EVENT_LOST, 300 * US, 2, -1, 0);
  static const gint64 times[] = { 100, 200, 300 };

  event.lost.events = 1;
  event.lost.since = 200 * US;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      trace_maker_begin (&m);
      trace_maker_switch (&m, times[i] * US, 0, 1, 1, 0);
      other (&m, MAX (times[i], 200) * US, 2, 0);
      event.time = 300 * US;
      if (times[i] <= 200)
        trace_maker_switch (&m, (times[i] + 100) * US, 0, 0, 0, 1);
      wp_assembler_event (m.assembler, &event);
      if (times[i] > 200)
        trace_maker_switch (&m, (times[i] + 100) * US, 0, 0, 0, 1);
      trace_maker_finish (&m);
      g_assert_cmpint (m.trace->lost.data[0].start, ==, 200 * US);
      g_assert_cmpint (m.trace->lost.data[0].end, ==, 300 * US);
      g_assert_cmpint ((sleep_at (m.trace, 1, (times[i] + 50) * US)->flags & WP_OP_LOST) != 0, ==, times[i] == 200);
      wp_trace_free (m.trace);
    }
}

/* A pause is a loss on all CPUs: who runs is not known any more, and a sleep that it lies in is unknown, unless it is over before. Runs on
 * both sides of it stay what they are. */
static void
test_pause (void)
{
  TraceMaker m;
  WpEvent event = trace_maker_event (WP_EVENT_PAUSE, 800 * US, 0, -1, 0);

  event.lost.since = 300 * US;
  trace_maker_begin (&m);
  trace_maker_switch (&m, 100 * US, 1, 0, 0, 3);
  trace_maker_switch (&m, 200 * US, 1, 3, 1, 4);
  wp_assembler_event (m.assembler, &event);
  trace_maker_switch (&m, 900 * US, 1, 5, 0, 2);
  other (&m, 1000 * US, 0, 1);
  trace_maker_finish (&m);
  assert_life (m.trace, 1, "run 0-300, sleep 300-800 none 800, run 800-1000");
  assert_life (m.trace, 4, "sleep 0-200 none 200, run 200-300, sleep 300-1000 none 1000");
  g_assert_cmpuint (m.trace->lost.len, ==, 1);
  g_assert_cmpint (m.trace->lost.data[0].start, ==, 300 * US);
  g_assert_cmpint (m.trace->lost.data[0].end, ==, 800 * US);
  g_assert_true (m.trace->lost.data[0].paused);
  g_assert_cmpuint (m.trace->diagnostics.n[WP_DIAG_LOST], ==, 0);
  for (gint32 tid = 1; tid <= 4; tid++)
    g_assert_cmpuint (sleep_at (m.trace, tid, 500 * US)->flags & (WP_OP_LOST | WP_OP_PAUSED), ==, WP_OP_LOST | WP_OP_PAUSED);
  g_assert_cmpuint (sleep_at (m.trace, 3, 50 * US)->flags & (WP_OP_LOST | WP_OP_PAUSED), ==, 0);
  wp_trace_free (m.trace);
}

static void
interrupt (TraceMaker *m, WpEventKind kind, gint64 time, guint32 cpu)
{
  WpEvent event = trace_maker_event (kind, time, cpu, cpu == 0 ? 1 : 0, WP_IRQ_HARD);

  event.irq.irq = 7;
  event.irq.name = wp_strings_intern (m->trace->strings, "eth0");
  wp_assembler_event (m->assembler, &event);
}

/* Handlers during which something was lost: nobody knows whether the end is that of the one that began. On another CPU nothing was lost, but a pause is one
 * on all of them. */
static void
test_lost_interrupts (void)
{
  static const WpEventKind kinds[] = { WP_EVENT_LOST, WP_EVENT_PAUSE };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (kinds[i], 150 * US, 0, -1, 0);

      event.lost.since = 140 * US;
      trace_maker_begin (&m);
      interrupt (&m, WP_EVENT_IRQ_ENTRY, 100 * US, 0);
      interrupt (&m, WP_EVENT_IRQ_ENTRY, 100 * US, 1);
      wp_assembler_event (m.assembler, &event);
      interrupt (&m, WP_EVENT_IRQ_EXIT, 200 * US, 0);
      interrupt (&m, WP_EVENT_IRQ_EXIT, 200 * US, 1);
      interrupt (&m, WP_EVENT_IRQ_ENTRY, 300 * US, 0);
      interrupt (&m, WP_EVENT_IRQ_EXIT, 310 * US, 0);
      end (&m, 400 * US);
      g_assert_cmpuint (m.trace->interrupts.len, ==, kinds[i] == WP_EVENT_LOST ? 2 : 1);
      g_assert_cmpint (m.trace->interrupts.data[0].start, ==, 300 * US);
      if (kinds[i] == WP_EVENT_LOST)
        g_assert_cmpuint (m.trace->interrupts.data[1].cpu, ==, 2);
      wp_trace_free (m.trace);
    }
}

/* The kernel may hold samples back from the first event on. The sample that was too many comes right after; another one says that it is over. */
static void
test_throttled_from_start (void)
{
  for (guint n = 0; n <= 2; n++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_THROTTLE, 1000, 0, 0, 0);

      trace_maker_init (&m);
      event.throttle.on = TRUE;
      event.throttle.pace = 10 * US;
      wp_assembler_event (m.assembler, &event);
      for (guint i = 0; i < n; i++)
        {
          event = trace_maker_event (WP_EVENT_SAMPLE, 1010 + i, 0, 0, 0);
          wp_assembler_event (m.assembler, &event);
        }
      trace_maker_switch (&m, 1000 + 100 * US, 0, 0, 0, 3);
      trace_maker_switch (&m, 1000 + 200 * US, 0, 3, 1, 0);
      trace_maker_finish (&m);
      g_assert_cmpuint (m.trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK], ==, n < 2 ? 10 : 0);
      wp_trace_free (m.trace);
    }
}

/* --- sockets ------------------------------------------------------------------------------------------------------- */

/* What a link came by is named by what is known of the socket. */
static void
test_socket_names (void)
{
  static const struct
  {
    guint8 family, protocol;
    const char *local, *remote, *name;
  } cases[] = {
    { AF_UNIX, 0, NULL, NULL, "Unix socket" },
    { AF_INET, IPPROTO_TCP, "10.0.0.1:80", NULL, "TCP 10.0.0.1:80" },
    { AF_INET, IPPROTO_TCP, NULL, "10.0.0.9:4000", "TCP 10.0.0.9:4000" },
    { AF_INET, IPPROTO_UDP, "10.0.0.1:80", "10.0.0.9:4000", "UDP 10.0.0.9:4000 – 10.0.0.1:80" },
    { AF_INET, 0, NULL, NULL, "socket" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_NET_READY, 100 * US, 0, 1, WP_IRQ_SOFT);

      trace_maker_begin (&m);
      event.net.socket = 0x1000;
      event.net.family = cases[i].family;
      event.net.protocol = cases[i].protocol;
      event.net.local = cases[i].local != NULL ? wp_strings_intern (m.trace->strings, cases[i].local) : 0;
      event.net.remote = cases[i].remote != NULL ? wp_strings_intern (m.trace->strings, cases[i].remote) : 0;
      wp_assembler_event (m.assembler, &event);
      event = trace_maker_event (WP_EVENT_WAKING, 110 * US, 0, 1, 0);
      event.has_irq_flags = FALSE;
      event.wake.tid = 2;
      wp_assembler_event (m.assembler, &event);
      end (&m, 200 * US);
      g_assert_cmpstr (wp_trace_string (m.trace, m.trace->devices.data[m.trace->links.data[1].device]), ==, cases[i].name);
      wp_trace_free (m.trace);
    }
}

/* A send that is reported when it is over began at its thread's event before; that may be the first of the recording. */
static void
test_send_at_start (void)
{
  TraceMaker m;
  WpEvent event = trace_maker_event (WP_EVENT_NET_SEND, 100 * US, 0, 1, 0);

  trace_maker_begin (&m);
  event.net.socket = 0x1000;
  event.net.after = TRUE;
  wp_assembler_event (m.assembler, &event);
  event = trace_maker_event (WP_EVENT_NET_READY, 150 * US, 0, 1, WP_IRQ_SOFT);
  event.net.socket = 0x1000;
  event.net.length = 10;
  wp_assembler_event (m.assembler, &event);
  interrupt_wakes (&m, 160 * US, 0, 1, 2, WP_IRQ_SOFT, "tcp_data_queue");
  end (&m, 200 * US);
  g_assert_cmpint (m.trace->ops.data[sleep_at (m.trace, 2, 50 * US)->explained_by].start, ==, 0);
  wp_trace_free (m.trace);
}

/* A socket is known by its address before its ends: another one may have had those. */
static void
test_socket_address (void)
{
  static const struct
  {
    WpEventKind kind;
    guint64 socket;
    gboolean ends;
  } events[] = { { WP_EVENT_NET_SEND, 0x1000, TRUE }, { WP_EVENT_NET_SEND, 0x2000, FALSE }, { WP_EVENT_NET_READY, 0x2000, TRUE } };
  TraceMaker m;

  trace_maker_begin (&m);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      WpEvent event = trace_maker_event (events[i].kind, (50 + i * 10) * US, 0, 1, i == 2 ? WP_IRQ_SOFT : 0);

      event.net.socket = events[i].socket;
      event.net.protocol = IPPROTO_TCP;
      event.net.length = 10;
      event.net.local = events[i].ends ? wp_strings_intern (m.trace->strings, "10.0.0.1:80") : 0;
      event.net.remote = events[i].ends ? wp_strings_intern (m.trace->strings, "10.0.0.9:4000") : 0;
      wp_assembler_event (m.assembler, &event);
    }
  interrupt_wakes (&m, 75 * US, 0, 1, 2, WP_IRQ_SOFT, "tcp_data_queue");
  end (&m, 200 * US);
  g_assert_cmpint (m.trace->ops.data[sleep_at (m.trace, 2, 50 * US)->explained_by].start, ==, 60 * US);
  wp_trace_free (m.trace);
}

/* Where a UDP socket's last packet went says nothing of where the next one comes from: what ksoftirqd takes from the queue of this machine's
 * own packets is its doing. Where the event says who sent, that counts. */
static void
test_receive_by_route (void)
{
  for (guint told = 0; told < 2; told++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_NET_ROUTE, 100 * US, 0, 1, 0);

      trace_maker_begin (&m);
      wp_assembler_known_task (m.assembler, 5, 5, wp_strings_intern (m.trace->strings, "ksoftirqd"), TRUE);
      trace_maker_switch (&m, 50 * US, 2, 0, 0, 5);
      event.net.protocol = IPPROTO_UDP;
      event.net.local = wp_strings_intern (m.trace->strings, "10.0.0.1:4000");
      event.net.remote = wp_strings_intern (m.trace->strings, "10.0.0.9:53");
      wp_assembler_event (m.assembler, &event);
      event = trace_maker_event (WP_EVENT_NET_SEND, 110 * US, 0, 1, 0);
      event.net.socket = 0x1000;
      event.net.protocol = IPPROTO_UDP;
      wp_assembler_event (m.assembler, &event);
      event = trace_maker_event (WP_EVENT_NET_READY, 200 * US, 2, 5, WP_IRQ_SOFT);
      event.net.socket = 0x1000;
      event.net.protocol = IPPROTO_UDP;
      event.net.remote = told ? wp_strings_intern (m.trace->strings, "10.0.0.9:53") : 0;
      wp_assembler_event (m.assembler, &event);
      event = trace_maker_event (WP_EVENT_WAKING, 210 * US, 2, 5, WP_IRQ_SOFT);
      event.stack = wp_trace_stack (m.trace, trace_maker_stack (&m, "process_backlog"),
                                    wp_trace_kernel_frame (m.trace, wp_trace_module (m.trace, "[kernel]", NULL), "udp_queue_rcv_skb"));
      event.wake.tid = 2;
      wp_assembler_event (m.assembler, &event);
      end (&m, 300 * US);
      g_assert_cmpint (cause_at (m.trace, 2, 50 * US), ==, told ? WP_CAUSE_NET : WP_CAUSE_TASK);
      wp_trace_free (m.trace);
    }
}

/* --- disk ---------------------------------------------------------------------------------------------------------- */

/* A sleep whose wakeup nobody saw was for what its request has become a part of, which has become a part of another one. */
static void
test_whole_request (void)
{
  TraceMaker m;
  WpEvent event = trace_maker_event (WP_EVENT_RQ_ISSUE, 200 * US, 0, 1, 0);

  trace_maker_begin (&m);
  m.stack = trace_maker_stack (&m, "io_schedule");
  trace_maker_switch (&m, 0, 2, 0, 0, 3);
  trace_maker_switch (&m, 0, 3, 0, 0, 4);
  trace_maker_disk (&m, 100 * US, 0, 1, WP_EVENT_IO_START, 64);
  trace_maker_disk (&m, 110 * US, 2, 3, WP_EVENT_IO_START, 72);
  trace_maker_disk (&m, 120 * US, 3, 4, WP_EVENT_IO_START, 80);
  trace_maker_disk (&m, 130 * US, 3, 4, WP_EVENT_RQ_ABSORBED, 80);
  trace_maker_disk (&m, 140 * US, 2, 3, WP_EVENT_RQ_ABSORBED, 72);
  trace_maker_switch (&m, 150 * US, 2, 3, 2, 0);
  trace_maker_switch (&m, 160 * US, 3, 4, 2, 0);
  event.block.dev = DEVICE;
  event.block.sector = 64;
  event.block.sectors = 24;
  wp_assembler_event (m.assembler, &event);
  event.kind = WP_EVENT_RQ_COMPLETE;
  event.time = 500 * US;
  wp_assembler_event (m.assembler, &event);
  trace_maker_switch (&m, 600 * US, 2, 0, 0, 3);
  trace_maker_switch (&m, 700 * US, 3, 0, 0, 4);
  end (&m, 800 * US);
  for (gint32 tid = 3; tid <= 4; tid++)
    {
      const WpOp *sleep = sleep_at (m.trace, tid, 300 * US);

      g_assert_cmpint (sleep->cause, ==, WP_CAUSE_DISK);
      g_assert_cmpuint (sleep->explained_by, ==, m.trace->disks.data[1].active);
      g_assert_cmpint (m.trace->links.data[sleep->link].start, ==, 500 * US);
    }
  wp_trace_free (m.trace);
}

/* It was not for a request that was over when it began. */
static void
test_request_before (void)
{
  for (guint after = 0; after < 2; after++)
    {
      TraceMaker m;

      trace_maker_begin (&m);
      m.stack = trace_maker_stack (&m, "io_schedule");
      trace_maker_disk (&m, 100 * US, 0, 1, WP_EVENT_RQ_ISSUE, 64);
      if (after)
        trace_maker_switch (&m, 200 * US, 0, 1, 2, 0);
      trace_maker_disk (&m, 200 * US + after, 1, 0, WP_EVENT_RQ_COMPLETE, 64);
      if (!after)
        trace_maker_switch (&m, 200 * US, 0, 1, 2, 0);
      trace_maker_switch (&m, 300 * US, 0, 0, 0, 1);
      end (&m, 400 * US);
      g_assert_cmpint (cause_at (m.trace, 1, 250 * US), ==, after ? WP_CAUSE_DISK : WP_CAUSE_NONE);
      wp_trace_free (m.trace);
    }
}

/* --- what operations are called ------------------------------------------------------------------------------------ */

static void
test_descriptions (void)
{
  static const struct
  {
    const char *letters;
    gboolean flush;
    const char *name;
  } cases[] = {
    { "RA", FALSE, "8:16: read of 8 sectors at 64" },
    { "WS", FALSE, "8:16: write of 8 sectors at 64" },
    { "FF", TRUE, "8:16: flush" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_RQ_ISSUE, 100 * US, 0, 1, 0);
      g_autofree char *active = NULL, *queue = NULL, *queued = g_strconcat (cases[i].name, ", queued", NULL);

      trace_maker_begin (&m);
      event.block.dev = DEVICE;
      event.block.sector = 64;
      event.block.sectors = cases[i].flush ? 0 : 8;
      event.block.flush = cases[i].flush;
      event.block.rwbs = wp_strings_intern (m.trace->strings, cases[i].letters);
      wp_assembler_event (m.assembler, &event);
      end (&m, 200 * US);
      active = wp_trace_describe_op (m.trace, m.trace->disks.data[1].active);
      queue = wp_trace_describe_op (m.trace, m.trace->disks.data[1].queue);
      g_assert_cmpstr (active, ==, cases[i].name);
      g_assert_cmpstr (queue, ==, queued);
      wp_trace_free (m.trace);
    }
}

/* --- tasks and files ----------------------------------------------------------------------------------------------- */

/* A task that plays the idle task is part of nothing: what it wakes, nobody woke. */
static void
test_idle_task (void)
{
  const WpAssemblerOptions options[] = { { .idle_task = NULL }, { .idle_task = "spinner" } };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      TraceMaker m;

      trace_maker_init (&m);
      wp_assembler_free (m.assembler);
      m.assembler = wp_assembler_new (m.trace, &options[i]);
      trace_maker_know (&m, 1, 1, "spinner");
      trace_maker_switch (&m, 0, 0, 0, 0, 1);
      trace_maker_switch (&m, 0, 1, 2, 1, 0);
      trace_maker_wake (&m, 100 * US, 0, 1, 2);
      end (&m, 200 * US);
      g_assert_cmpint (m.trace->links.data[sleep_at (m.trace, 2, 50 * US)->link].source != 0, ==, i == 0);
      wp_trace_free (m.trace);
    }
}

/* A number was seen at two paths while the recording went on. They may be two files, unless it was seen that one was made before both: then
 * they are two paths of one. */
static void
test_two_paths (void)
{
  for (guint made = 0; made < 2; made++)
    {
      TraceMaker m;
      WpEvent event = trace_maker_event (WP_EVENT_FILE, 10 * US, 0, 1, 0);

      trace_maker_begin (&m);
      event.file.inode = 7;
      event.file.dev = DEVICE;
      event.file.created = TRUE;
      if (made)
        wp_assembler_event (m.assembler, &event);
      read_file (&m, 100 * US, 7);
      read_file (&m, 200 * US, 8);
      wp_trace_set_file_name (m.trace, DEVICE, 7, "/one", 150 * US);
      wp_trace_set_file_name (m.trace, DEVICE, 7, "/other", 160 * US);
      wp_trace_set_file_name (m.trace, DEVICE, 8, "/same", 150 * US);
      wp_trace_set_file_name (m.trace, DEVICE, 8, "/same", 160 * US);
      end (&m, 300 * US);
      g_assert_cmpstr (file_at (m.trace, 100 * US), ==, made ? "/one" : "file 7 of 8:16");
      g_assert_cmpstr (file_at (m.trace, 200 * US), ==, "/same");
      wp_trace_free (m.trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/switched-in-twice", test_switched_in_twice);
  g_test_add_func ("/trace/switched-in-again", test_switched_in_again);
  g_test_add_func ("/trace/woken-at-last", test_woken_at_last);
  g_test_add_func ("/trace/first-sleep", test_first_sleep);
  g_test_add_func ("/trace/kernel-block", test_kernel_block);
  g_test_add_func ("/trace/beside-loss", test_beside_loss);
  g_test_add_func ("/trace/pause", test_pause);
  g_test_add_func ("/trace/lost-interrupts", test_lost_interrupts);
  g_test_add_func ("/trace/throttled-from-start", test_throttled_from_start);
  g_test_add_func ("/trace/socket-names", test_socket_names);
  g_test_add_func ("/trace/send-at-start", test_send_at_start);
  g_test_add_func ("/trace/whole-request", test_whole_request);
  g_test_add_func ("/trace/request-before", test_request_before);
  g_test_add_func ("/trace/descriptions", test_descriptions);
  g_test_add_func ("/trace/socket-address", test_socket_address);
  g_test_add_func ("/trace/receive-by-route", test_receive_by_route);
  g_test_add_func ("/trace/idle-task", test_idle_task);
  g_test_add_func ("/trace/two-paths", test_two_paths);
  return g_test_run ();
}
