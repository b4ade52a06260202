/* Recordings that contradict themselves: tasks on several CPUs that wake one another, while a clock is set, or while events are missing that
 * nobody reports. What is unreliable must be found where it is, and nothing else. */
#include "read/read.h"

#include "perf-maker.h"

#include <glib/gstdio.h>
#include <time.h>
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
  guint cpus, rounds;
  guint least, most;         /* per cent of the time that must be unreliable */
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
    if (self->of->step[i].ahead != 0 && self->of->step[i].round == round)
      self->ahead[self->of->step[i].cpu] += self->of->step[i].ahead;
}

/* In the attributes, which are the first records. */
static void
set_one_clock (GByteArray *bytes)
{
  for (gsize at = 16; ((struct perf_event_header *) (bytes->data + at))->type == 64;)
    {
      struct perf_event_header *header = (struct perf_event_header *) (bytes->data + at);
      struct perf_event_attr *attr = (struct perf_event_attr *) (header + 1);

      attr->use_clockid = 1;
      attr->clockid = CLOCK_MONOTONIC;
      at += header->size;
    }
}

/* One task on each CPU; whoever has the turn works, wakes the next and sleeps. */
static WpTrace *
read_rounds (const Case *of, gboolean one_clock)
{
  Maker self = { .of = of, .rand = g_rand_new_with_seed (7) };
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
  if (one_clock)
    set_one_clock (bytes);
  g_file_set_contents (path, (const char *) bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  g_byte_array_unref (bytes);
  trace = wp_read (path, NULL, NULL, &error);
  g_assert_no_error (error);
  broken = wp_trace_check (trace);
  g_assert_cmpstr (broken, ==, NULL);
  return trace;
}

static void
test_case (gconstpointer data)
{
  const Case *of = data;
  g_autoptr (WpTrace) trace = read_rounds (of, FALSE);
  const WpDiagnostics *found = &trace->diagnostics;
  gint64 unreliable = 0;

  for (guint32 i = 0; i < trace->lost.len; i++)
    unreliable += trace->lost.data[i].end - trace->lost.data[i].start;
  g_assert_cmpuint (found->n[WP_DIAG_UNRELIABLE], ==, trace->lost.len);
  g_assert_cmpint (unreliable * 100, >=, trace->end * of->least);
  g_assert_cmpint (unreliable * 100, <=, trace->end * of->most);
  g_assert_cmpuint (found->n[WP_DIAG_OWN_CLOCKS], ==, of->least > 0);
}

/* Of a recording with one clock nobody is told to record with one. */
static void
test_one_clock (void)
{
  static const Case lossy = { "", 2, 600, 0, 0, MS / 5, 5 * MS, 0.3 };
  g_autoptr (WpTrace) trace = read_rounds (&lossy, TRUE);

  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_UNRELIABLE], >, 0);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_OWN_CLOCKS], ==, 0);
}

int
main (int argc, char **argv)
{
  static const Case cases[] = {
    { "sound", 2, 400, 0, 0, MS / 5, 5 * MS },
    { "sound/periodic", 3, 400, 0, 0, 3 * MS, 0 },
    { "back", 2, 400, 35, 60, MS / 5, 5 * MS, 0, { { 200, 1, -2 * MS } } },
    { "back/other", 2, 400, 35, 60, MS / 5, 5 * MS, 0, { { 201, 0, -2 * MS } } },
    { "back/far", 2, 400, 35, 60, MS / 5, 5 * MS, 0, { { 200, 1, -50 * MS } } },
    { "back/once", 2, 400, 0, 0, MS / 5, 5 * MS, 0, { { 200, 1, -2 * MS }, { 204, 1, 2 * MS } } },
    { "forward", 2, 400, 35, 60, MS / 5, 5 * MS, 0, { { 200, 1, 2 * MS } } },
    { "there-and-back", 2, 900, 20, 50, MS / 5, 5 * MS, 0, { { 300, 1, 2 * MS }, { 600, 1, -2 * MS } } },
    { "always", 2, 400, 90, 100, MS / 5, 5 * MS, 0, { { 0, 1, 2 * MS } } },
    { "missing/few", 2, 600, 0, 0, MS / 5, 5 * MS, 0.01 },
    { "missing/many", 2, 600, 80, 100, MS / 5, 5 * MS, 0.3 },
    { "missing/half", 3, 900, 80, 100, MS, 0, 0.5 },
  };
  g_autoptr (GError) error = NULL;
  int fd, result;

  g_test_init (&argc, &argv, NULL);
  fd = g_file_open_tmp ("wakepath-reliability-XXXXXX", &path, &error);
  g_assert_no_error (error);
  close (fd);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/reliability/%s", cases[i].name);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/reliability/one-clock", test_one_clock);
  result = g_test_run ();
  g_unlink (path);
  g_free (path);
  return result;
}
