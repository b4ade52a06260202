/* A trace is the same, with all its ids, however many threads read the recording. */
#include "perf-maker.h"
#include "read-maker.h"

#include <glib/gstdio.h>

#define CPUS 3
#define TASKS 40 /* processes that there are at a time */
#define FIRST_TASK 100
#define BLOCKS 60
#define BLOCK_EVENTS 80 /* of one CPU, before another one's stand in the file */

static const guint thread_numbers[] = { 1, 2, 3, 8 };

static char *folder;

/* --- two traces --------------------------------------------------------------------------------------------------- */

/* A table of the trace. What is behind the last member of a row says nothing. */
typedef struct
{
  const char *name;
  gsize at, row, used;
} Column;

#define COLUMN(table, last)                                                                                                              \
  {                                                                                                                                      \
    #table, G_STRUCT_OFFSET (WpTrace, table), sizeof *((WpTrace *) NULL)->table.data,                                                    \
      (gsize) &((__typeof__ (((WpTrace *) NULL)->table.data)) NULL)->last                                                                \
        + sizeof ((__typeof__ (((WpTrace *) NULL)->table.data)) NULL)->last                                                              \
  }

static const Column columns[] = {
  COLUMN (tasks, flags),       COLUMN (ops, cpu),        COLUMN (links, device),    COLUMN (samples, event), COLUMN (stacks, frame),
  COLUMN (frames, flags),      COLUMN (functions, flags), COLUMN (modules, absent), COLUMN (disks, file),    COLUMN (nets, handshake),
  COLUMN (lost, paused),       COLUMN (interrupts, cpu), COLUMN (rates, rate),      COLUMN (marks, name),
};

typedef WP_ARRAY (guint8) Bytes;

static void
compare_column (const WpTrace *a, const WpTrace *b, const Column *column)
{
  const Bytes *x = G_STRUCT_MEMBER_P (a, column->at), *y = G_STRUCT_MEMBER_P (b, column->at);

  g_assert_cmpuint (x->len, ==, y->len);
  for (gsize i = 0; i < x->len; i++)
    if (memcmp (x->data + i * column->row, y->data + i * column->row, column->used) != 0)
      g_error ("%s: row %" G_GSIZE_FORMAT " is another", column->name, i);
}

static void
compare_traces (const WpTrace *a, const WpTrace *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    compare_column (a, b, &columns[i]);
  g_assert_cmpmem (a->devices.data, a->devices.len * sizeof (WpId), b->devices.data, b->devices.len * sizeof (WpId));
  g_assert_cmpuint (a->events.len, ==, b->events.len);
  for (guint32 i = 0; i < a->events.len; i++)
    {
      g_assert_cmpuint (a->events.data[i].name, ==, b->events.data[i].name);
      g_assert_cmpuint (a->events.data[i].count, ==, b->events.data[i].count);
    }
  g_assert_cmpuint (wp_strings_count (a->strings), ==, wp_strings_count (b->strings));
  for (WpId id = 1; id < wp_strings_count (a->strings); id++)
    g_assert_cmpstr (wp_trace_string (a, id), ==, wp_trace_string (b, id));
  g_assert_cmpmem (a->diagnostics.n, sizeof a->diagnostics.n, b->diagnostics.n, sizeof b->diagnostics.n);
  g_assert_cmpint (a->end, ==, b->end);
  g_assert_cmpint (a->clock_start, ==, b->clock_start);
  g_assert_cmpuint (a->n_cpus, ==, b->n_cpus);
}

/* How many events it has; 0: it cannot be read, with any number of threads. */
static guint64
read_in_turns (const char *path, gboolean all_samples)
{
  g_autoptr (WpTrace) first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (thread_numbers); i++)
    {
      const WpReadOptions options = { .threads = thread_numbers[i], .all_samples = all_samples, .no_fetching = TRUE };
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = wp_read (path, &options, NULL, &error);

      g_assert_true (i == 0 || (first == NULL) == (trace == NULL));
      if (i == 0)
        first = g_steal_pointer (&trace);
      else if (trace != NULL)
        compare_traces (first, trace);
    }
  return first != NULL ? first->diagnostics.n[WP_DIAG_EVENTS] : 0;
}

/* --- a recording of everything that changes what an address means -------------------------------------------------------- */

typedef struct
{
  GByteArray *out;
  GRand *rand;
  guint64 time;
  gint32 running[CPUS];
} Load;

static guint32
any (Load *self, guint32 n)
{
  return g_rand_int_range (self->rand, 0, n);
}

static gint32
any_task (Load *self)
{
  return FIRST_TASK + any (self, TASKS);
}

/* Most chains are a few that come again and again, others come once. */
static gsize
make_chain (Load *self, guint64 chain[16])
{
  guint32 kinds = any (self, 4) == 0 ? 2000 : 20;
  gsize n = 0;

  chain[n++] = PERF_CONTEXT_KERNEL;
  for (guint i = any (self, 3) + 1; i > 0; i--)
    chain[n++] = MAKER_KERNEL + 0x100 * any (self, 5) + any (self, kinds) % 0x100;
  chain[n++] = PERF_CONTEXT_USER;
  for (guint i = any (self, 4); i > 0; i--)
    chain[n++] = MAKER_USER + 16 * any (self, kinds);
  return n;
}

static void
add_events (Load *self, guint32 cpu)
{
  gint32 prev = self->running[cpu], next = any (self, 5) == 0 ? 0 : any_task (self), woken = any_task (self);
  guint64 chain[16];
  gsize n = make_chain (self, chain);

  maker_waking (self->out, self->time += 100, cpu, prev, woken, "worker", 0);
  if (any (self, 3) == 0)
    maker_sample (self->out, 3, prev, self->time += 100, cpu, chain, n, NULL);
  n = make_chain (self, chain);
  maker_switch_at (self->out, self->time += 100, cpu, prev, "worker", any (self, 3), next, "worker", chain, prev != 0 ? n : 2);
  self->running[cpu] = next;
}

/* Those of the maker are on the first CPU. */
static void
change_spaces (Load *self)
{
  static const char *const files[] = { "/usr/bin/nobody-has-this", "/usr/lib/nor-this.so" };

  self->time += 100;
  switch (any (self, 5))
    {
    case 0:
      maker_fork (self->out, any_task (self), any_task (self), self->time);
      break;
    case 1:
      maker_comm (self->out, any_task (self), "changed", any (self, 2) == 0, self->time, 0);
      break;
    case 2:
      maker_exit (self->out, any_task (self), self->time);
      break;
    case 3:
      maker_lost (self->out, 3, self->time, 0);
      break;
    default:
      maker_mmap2 (self->out, any_task (self), MAKER_USER + 0x1000 * any (self, 4), 0x4000, 0x1000 * any (self, 2), files[any (self, 2)],
                   self->time);
      break;
    }
}

/* CPUs stand in the file in turns, a block each; their times overlap. */
static GByteArray *
make_load (void)
{
  Load load = { .out = g_byte_array_new (), .rand = g_rand_new_with_seed (7) };

  for (gint32 task = FIRST_TASK; task < FIRST_TASK + TASKS; task++)
    {
      maker_comm (load.out, task, "worker", FALSE, 0, 0);
      if (task % 3 != 0)
        maker_mmap2 (load.out, task, MAKER_USER, 0x10000, 0, "/usr/bin/nobody-has-this", 0);
    }
  for (guint block = 0; block < BLOCKS; block++)
    for (guint32 cpu = 0; cpu < CPUS; cpu++)
      {
        load.time = 1000000 + (guint64) block * 100000 + 7 * cpu;
        for (guint i = 0; i < BLOCK_EVENTS; i++)
          {
            add_events (&load, cpu);
            if (cpu == 0 && any (&load, 8) == 0)
              change_spaces (&load);
          }
      }
  g_rand_free (load.rand);
  return load.out;
}

static void
read_made (GByteArray *bytes)
{
  g_autofree char *path = g_build_filename (folder, "made.data", NULL);

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  g_byte_array_unref (bytes);
  g_assert_cmpuint (read_in_turns (path, FALSE), >, 2 * BLOCKS * CPUS * BLOCK_EVENTS);
  g_assert_cmpuint (read_in_turns (path, TRUE), >, 2 * BLOCKS * CPUS * BLOCK_EVENTS);
  g_unlink (path);
}

static void
test_stream (void)
{
  read_made (maker_stream (make_load (), FALSE));
}

static void
test_file (void)
{
  read_made (maker_file (make_load ()));
}

/* Whole and damaged, with frame pointers, with stack bytes, compressed. */
static void
test_corpus (void)
{
  const char *corpus = g_getenv ("WP_CORPUS"), *name;
  g_autoptr (GDir) dir = g_dir_open (corpus, 0, NULL);
  guint n_read = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (corpus, name, NULL);

      n_read += read_in_turns (path, FALSE) > 0;
      read_in_turns (path, TRUE);
    }
  g_assert_cmpuint (n_read, >=, 10);
}

static void
cancel_half_way (const char *phase, double fraction, gpointer data)
{
  WpProgress *progress = data;

  progress->last_told = 0; /* at each step */
  if (fraction > 0.5)
    g_cancellable_cancel (progress->cancellable);
}

/* Who gives up in between leaves nothing behind. */
static void
test_cancelled (void)
{
  g_autofree char *path = g_build_filename (folder, "cancelled.data", NULL);
  g_autoptr (GByteArray) bytes = maker_stream (make_load (), FALSE);

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (thread_numbers); i++)
    {
      const WpReadOptions options = { .threads = thread_numbers[i], .no_fetching = TRUE };
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      WpProgress progress = { .cancellable = cancellable, .func = cancel_half_way, .user_data = &progress };

      g_assert_null (wp_read (path, &options, &progress, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("wp-threads-XXXXXX", NULL);
  g_test_add_func ("/read-threads/stream", test_stream);
  g_test_add_func ("/read-threads/file", test_file);
  g_test_add_func ("/read-threads/corpus", test_corpus);
  g_test_add_func ("/read-threads/cancelled", test_cancelled);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
