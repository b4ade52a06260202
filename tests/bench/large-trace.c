#include "large-trace.h"

#include "base/own-mappings.h"
#include "trace/assembler.h"

#define N_STACKS 64
#define SAMPLE_EVERY 16 /* runs of some 15 µs, 4,000 samples a second */

typedef struct
{
  WpTrace *trace;
  WpAssembler *assembler;
  WpId run_stacks[N_STACKS], sleep_stacks[N_STACKS];
  gint64 time;
  guint32 random;
  guint32 n, n_runs; /* runs so far, and wanted */
} Maker;

static guint32
next_random (Maker *self)
{
  self->random = self->random * 1664525 + 1013904223;
  return self->random >> 8;
}

/* A stack of 6 to 21 frames of the program, for a sleep with six of the kernel on top. */
static WpId
make_stack (Maker *self, guint seed, gboolean sleep)
{
  static const char *const kernel_frames[]
    = { "entry_SYSCALL_64_after_hwframe", "do_syscall_64", "do_futex", "futex_wait", "futex_do_wait", "schedule", "__schedule" };
  WpId kernel = wp_trace_module (self->trace, "[kernel]", NULL), program = wp_trace_module (self->trace, "/usr/bin/program", NULL);
  WpId stack = 0;

  for (guint i = 0; i < 6 + seed % 16; i++)
    {
      char name[32];

      g_snprintf (name, sizeof name, "function_%u", i < 4 ? i : i * 31 + seed % (2 * i));
      stack = wp_trace_stack (self->trace, stack, wp_trace_named_frame (self->trace, program, name));
    }
  for (guint i = 0; sleep && i < G_N_ELEMENTS (kernel_frames); i++)
    stack = wp_trace_stack (self->trace, stack, wp_trace_kernel_frame (self->trace, kernel, kernel_frames[i]));
  return stack;
}

static void
maker_init (Maker *self, guint32 n_runs)
{
  *self = (Maker) { .trace = wp_trace_new (), .random = 1, .n_runs = n_runs };
  self->assembler = wp_assembler_new (self->trace, NULL);
  for (guint i = 0; i < N_STACKS; i++)
    {
      self->run_stacks[i] = make_stack (self, i, FALSE);
      self->sleep_stacks[i] = make_stack (self, i, TRUE);
    }
}

static void
know (Maker *self, gint32 tid, gint32 pid, const char *name)
{
  wp_assembler_known_task (self->assembler, tid, pid, wp_strings_intern (self->trace->strings, name), FALSE);
}

static void
switch_to (Maker *self, guint32 cpu, gint32 prev, guint32 state, gint32 next)
{
  WpEvent event = { .time = self->time, .tid = prev, .pid = -1, .cpu = cpu, .kind = WP_EVENT_SWITCH,
                    .stack = self->sleep_stacks[next_random (self) % N_STACKS],
                    .sw = { .prev_tid = prev, .next_tid = next, .prev_state = state } };

  wp_assembler_event (self->assembler, &event);
  self->n++;
}

static void
wake (Maker *self, guint32 cpu, gint32 who, gint32 whom)
{
  WpEvent event = { .time = self->time, .tid = who, .pid = -1, .cpu = cpu, .kind = WP_EVENT_WAKING, .has_irq_flags = TRUE,
                    .wake = { .tid = whom } };

  wp_assembler_event (self->assembler, &event);
}

static void
sample (Maker *self, guint32 cpu, gint32 tid)
{
  WpEvent event = { .time = self->time, .tid = tid, .pid = -1, .cpu = cpu, .kind = WP_EVENT_SAMPLE,
                    .stack = self->run_stacks[next_random (self) % N_STACKS] };

  wp_assembler_event (self->assembler, &event);
}

/* Some time goes by, and now and then there is a sample in it. */
static void
work (Maker *self, guint32 cpu, gint32 tid)
{
  self->time += 2000 + next_random (self) % 12000;
  if (next_random (self) % SAMPLE_EVERY == 0)
    sample (self, cpu, tid);
  self->time += 1000;
}

/* Runs of a client, as many of its server. */
static void
make_client (Maker *self)
{
  know (self, 1, 1, "client");
  know (self, 2, 2, "server");
  switch_to (self, 0, 0, 0, 1);
  while (self->n < 2 * self->n_runs)
    {
      work (self, 0, 1);
      wake (self, 0, 1, 2);
      switch_to (self, 0, 1, 1, 2);
      work (self, 0, 2);
      wake (self, 0, 2, 1);
      switch_to (self, 0, 2, 1, 1);
    }
}

/* 128 threads on two CPUs: whoever runs wakes one that waits, then waits itself or is preempted. Six are always runnable. */
static void
make_pool (Maker *self)
{
  enum { THREADS = 128, QUEUE = 6 };
  gint32 queue[QUEUE], on[2] = { 1, 2 }, asleep[THREADS];
  guint n_asleep = 0, head = 0;

  for (gint32 tid = 1; tid <= THREADS; tid++)
    know (self, tid, 1, "pool");
  for (gint32 i = 0; i < THREADS; i++)
    if (i < 2)
      switch_to (self, i, 0, 0, on[i]);
    else if (i < 2 + QUEUE)
      queue[i - 2] = i + 1;
    else
      asleep[n_asleep++] = i + 1;
  while (self->n < self->n_runs)
    {
      guint32 cpu = next_random (self) % 2, preempted = next_random (self) % 8 == 0;
      gint32 tid = on[cpu], woken = tid;

      work (self, cpu, tid);
      if (!preempted)
        {
          guint32 which = next_random (self) % n_asleep;

          woken = asleep[which];
          asleep[which] = tid;
          wake (self, cpu, tid, woken);
        }
      on[cpu] = queue[head];
      switch_to (self, cpu, tid, preempted ? 0 : 1, queue[head]);
      queue[head] = woken;
      head = (head + 1) % QUEUE;
    }
}

static void
fork_child (Maker *self, guint32 cpu, gint32 parent, gint32 child)
{
  WpEvent event = { .time = self->time, .tid = parent, .pid = -1, .cpu = cpu, .kind = WP_EVENT_FORK,
                    .fork = { .parent_tid = parent, .child_tid = child, .child_pid = child } };

  wp_assembler_event (self->assembler, &event);
}

static void
exec (Maker *self, guint32 cpu, gint32 tid)
{
  WpEvent event = { .time = self->time, .tid = tid, .pid = tid, .cpu = cpu, .kind = WP_EVENT_COMM,
                    .program = { .tid = tid, .old_tid = tid, .exec = TRUE,
                                 .comm = wp_strings_intern (self->trace->strings, tid % 3 ? "cc" : "as") } };

  wp_assembler_event (self->assembler, &event);
}

/* A process forks a child, which becomes a program, forks one of its own and waits for it; each is waited for. */
static void
make_forks (Maker *self)
{
  gint32 tid = 1;

  know (self, 1, 1, "make");
  switch_to (self, 0, 0, 0, 1);
  while (self->n < self->n_runs)
    {
      gint32 depth = 1 + next_random (self) % 4;

      for (gint32 d = 0; d < depth; d++)
        {
          gint32 parent = d == 0 ? 1 : tid;

          work (self, 0, parent);
          fork_child (self, 0, parent, ++tid);
          work (self, 0, parent);
          switch_to (self, 0, parent, 1, tid);
          exec (self, 0, tid);
        }
      for (gint32 d = depth; d > 0; d--, tid--)
        {
          gint32 parent = d == 1 ? 1 : tid - 1;

          for (guint i = 0; i < 12; i++)
            {
              work (self, 0, tid);
              switch_to (self, 0, tid, 0, 99999999);
              work (self, 0, 99999999);
              switch_to (self, 0, 99999999, 0, tid);
            }
          work (self, 0, tid);
          wake (self, 0, tid, parent);
          switch_to (self, 0, tid, 16, parent);
        }
      tid += depth;
    }
}

WpTrace *
large_trace_new (LargeTrace kind, guint32 n_runs)
{
  static void (*const makers[LARGE_TRACE_COUNT]) (Maker *self)
    = { [LARGE_TRACE_CLIENT] = make_client, [LARGE_TRACE_POOL] = make_pool, [LARGE_TRACE_FORKS] = make_forks };
  Maker maker;

  wp_use_own_mappings (); /* as the program does */
  maker_init (&maker, n_runs);
  makers[kind] (&maker);
  wp_assembler_finish (maker.assembler);
  return maker.trace;
}
