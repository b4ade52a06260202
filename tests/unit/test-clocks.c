/* CPUs whose clocks do not agree: tasks on several CPUs that wake one another, with a clock that is set meanwhile. What comes out must be
 * what a recording with true clocks gives, and true clocks must never be taken for wrong ones. */
#include "read/read.h"

#include "perf-maker.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define MS (G_GINT64_CONSTANT (1000) * 1000)
#define CPUS_MAX 3
#define BEGIN (1000 * MS)

/* From the round on, the clock of the CPU is ahead by so much more. */
typedef struct
{
  guint round, cpu;
  gint64 ahead;
} Step;

typedef struct
{
  const char *name;
  guint cpus, rounds, steps; /* how many steps must be found */
  gint64 pause, jitter;      /* ns of each turn: at least, and more at random */
  double lost;               /* share of events */
  Step step[2];
} Case;

static char *path;

typedef struct
{
  const Case *of;
  GRand *rand;
  GByteArray *lanes[CPUS_MAX];
  gint64 ahead[CPUS_MAX];
  gboolean true_clocks;
} Maker;

static gboolean
is_lost (Maker *self)
{
  return g_rand_double (self->rand) < self->of->lost;
}

static void
add_switch (Maker *self, gint64 time, guint cpu, gint32 prev, gint32 next)
{
  if (!is_lost (self))
    maker_switch (self->lanes[cpu], BEGIN + time + self->ahead[cpu], cpu, prev, prev ? "work" : "swapper", prev ? 1 : 0, next,
                  next ? "work" : "swapper");
}

static void
add_waking (Maker *self, gint64 time, guint cpu, gint32 by, gint32 woken)
{
  if (!is_lost (self))
    maker_waking (self->lanes[cpu], BEGIN + time + self->ahead[cpu], cpu, by, woken, "work", 0);
}

static void
set_clocks (Maker *self, guint round)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->of->step); i++)
    if (!self->true_clocks && self->of->step[i].ahead != 0 && self->of->step[i].round == round)
      self->ahead[self->of->step[i].cpu] += self->of->step[i].ahead;
}

/* One task on each CPU; whoever has the turn works, wakes the next and sleeps. */
static WpTrace *
read_rounds (const Case *of, gboolean true_clocks)
{
  Maker self = { .of = of, .rand = g_rand_new_with_seed (7), .true_clocks = true_clocks };
  GByteArray *records = g_byte_array_new (), *bytes;
  g_autoptr (GError) error = NULL;
  g_autofree char *broken = NULL;
  WpTrace *trace;
  gint64 time = 0;

  for (guint i = 0; i < of->cpus; i++)
    self.lanes[i] = g_byte_array_new ();
  set_clocks (&self, 0);
  add_switch (&self, time, 0, 0, 11);
  for (guint round = 0; round < of->rounds; round++)
    {
      guint cpu = round % of->cpus, next = (round + 1) % of->cpus;
      gint64 latency = 15000 + g_rand_int_range (self.rand, 0, 30000);

      if (round > 0)
        set_clocks (&self, round);
      time += of->pause + (of->jitter > 0 ? g_rand_int_range (self.rand, 0, of->jitter) : 0);
      add_waking (&self, time, cpu, 11 + cpu, 11 + next);
      add_switch (&self, time + latency, next, 0, 11 + next);
      add_switch (&self, time + latency + 1000, cpu, 11 + cpu, 0);
      time += latency + 1000;
    }
  for (guint i = 0; i < of->cpus; i++)
    {
      maker_bytes (records, self.lanes[i]->data, self.lanes[i]->len);
      g_byte_array_unref (self.lanes[i]);
    }
  g_rand_free (self.rand);
  bytes = maker_stream (records, FALSE);
  g_file_set_contents (path, (const char *) bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  g_byte_array_unref (bytes);
  trace = wp_read (path, NULL, NULL, &error);
  g_assert_no_error (error);
  broken = wp_trace_check (trace);
  g_assert_cmpstr (broken, ==, NULL);
  return trace;
}

static const WpTask *
task_of (const WpTrace *trace, gint32 tid)
{
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].tid == tid)
      return &trace->tasks.data[t];
  g_assert_not_reached ();
}

static gint64
sum_of (const WpTrace *trace, const WpTask *task, WpOpKind kind)
{
  gint64 sum = 0;

  for (guint32 i = 1; i + 1 < task->n_ops; i++)
    if (trace->ops.data[task->first_op + i].kind == kind)
      sum += trace->ops.data[task->first_op + i].end - trace->ops.data[task->first_op + i].start;
  return sum;
}

static guint
woken_by_tasks (const WpTrace *trace, const WpTask *task)
{
  guint n = 0;

  for (guint32 i = 0; i < task->n_ops; i++)
    n += trace->ops.data[task->first_op + i].cause == WP_CAUSE_TASK;
  return n;
}

/* Each task runs and sleeps for as long as it did, and others wake it as often, but for what is about the step itself. */
static void
assert_same (const WpTrace *trace, const WpTrace *truth, const Case *of)
{
  for (guint i = 0; i < of->cpus; i++)
    {
      const WpTask *a = task_of (trace, 11 + i), *b = task_of (truth, 11 + i);
      gint64 allowed = 3 * (of->pause + of->jitter);

      g_assert_cmpint (ABS ((int) a->n_ops - (int) b->n_ops), <=, 6);
      g_assert_cmpint (ABS ((int) woken_by_tasks (trace, a) - (int) woken_by_tasks (truth, b)), <=, 3);
      g_assert_cmpint (ABS (sum_of (trace, a, WP_OP_RUN) - sum_of (truth, b, WP_OP_RUN)), <=, allowed);
      g_assert_cmpint (ABS (sum_of (trace, a, WP_OP_SLEEP) - sum_of (truth, b, WP_OP_SLEEP)), <=, allowed);
    }
}

static void
test_case (gconstpointer data)
{
  const Case *of = data;
  g_autoptr (WpTrace) trace = read_rounds (of, FALSE), truth = read_rounds (of, TRUE);

  g_assert_cmpuint (truth->diagnostics.n[WP_DIAG_CLOCK_STEPS], ==, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_CLOCK_STEPS], ==, of->steps);
  if (of->steps > 0)
    assert_same (trace, truth, of);
}

int
main (int argc, char **argv)
{
  static const Case cases[] = {
    { "sound", 2, 400, 0, MS / 5, 5 * MS },
    { "sound/periodic", 3, 400, 0, 3 * MS, 0 },
    { "back", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, -2 * MS } } },
    { "back/other", 2, 400, 1, MS / 5, 5 * MS, 0, { { 201, 0, -2 * MS } } },
    { "back/short", 2, 400, 1, MS / 5, MS / 2, 0, { { 200, 1, -2 * MS } } },
    { "back/little", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, -MS / 5 } } },
    { "back/far", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, -50 * MS } } },
    { "back/very-far", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, -1000 * MS } } },
    { "forward/very-far", 2, 400, 1, 20 * MS, 20 * MS, 0, { { 200, 1, 1000 * MS } } },
    { "forward", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, 2 * MS } } },
    { "forward/far", 2, 400, 1, MS / 5, 5 * MS, 0, { { 200, 1, 50 * MS } } },
    { "there-and-back", 2, 600, 2, MS / 5, 5 * MS, 0, { { 200, 1, 2 * MS }, { 400, 1, -2 * MS } } },
    { "always", 2, 400, 1, MS / 5, 5 * MS, 0, { { 0, 1, 2 * MS } } },
    { "three", 3, 600, 1, MS / 5, 5 * MS, 0, { { 300, 2, -2 * MS } } },
    { "two-of-three", 3, 900, 2, MS / 5, 5 * MS, 0, { { 300, 2, -2 * MS }, { 600, 1, 7 * MS } } },
    { "lost", 2, 600, 0, MS / 5, 5 * MS, 0.2 },
    { "lost/periodic", 2, 600, 0, 3 * MS, 0, 0.2 },
    { "lost/half", 3, 900, 0, MS, 0, 0.5 },
  };
  g_autoptr (GError) error = NULL;
  int fd, result;

  g_test_init (&argc, &argv, NULL);
  fd = g_file_open_tmp ("wakepath-clocks-XXXXXX", &path, &error);
  g_assert_no_error (error);
  close (fd);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/clocks/%s", cases[i].name);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  result = g_test_run ();
  g_unlink (path);
  g_free (path);
  return result;
}
