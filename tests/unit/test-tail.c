/* The last part of a stream that grows: what is cut off changes nothing of what is left, and memory and file stay small. */
#include "perf-maker.h"
#include "read-maker.h"
#include "record/flight.h"
#include "record/recorder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A stream under way, and what is written of its end. */
typedef struct
{
  char *folder, *from, *to;
  int fd;
  guint64 bytes;
  WpTail *tail;
} Fixture;

static void
add_bytes (Fixture *self, const guint8 *data, gsize n)
{
  g_assert_cmpint (write (self->fd, data, n), ==, (gssize) n);
  self->bytes += n;
}

/* Takes `records`; ends the round. */
static void
add_round (Fixture *self, GByteArray *records)
{
  maker_u32 (records, WP_PERF_RECORD_FINISHED_ROUND);
  maker_u32 (records, 8 << 16);
  add_bytes (self, records->data, records->len);
  g_byte_array_unref (records);
}

static void
follow (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  wp_tail_follow (self->tail, self->bytes, &error);
  g_assert_no_error (error);
}

/* The head of a stream, tasks that were there before, and more of them in `records`, which it takes. */
static void
set_up_with (Fixture *self, GByteArray *records)
{
  GByteArray *stream;

  maker_comm (records, 11, "pass", FALSE, 0, 0);
  maker_comm (records, 12, "pass", FALSE, 0, 0);
  maker_mmap2 (records, 11, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  maker_mmap2 (records, 12, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  stream = maker_stream (records, FALSE);
  *self = (Fixture) { .folder = g_dir_make_tmp ("wakepath-tail-XXXXXX", NULL) };
  self->from = g_build_filename (self->folder, "from.data", NULL);
  self->to = g_build_filename (self->folder, "to.data", NULL);
  self->fd = open (self->from, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_cmpint (self->fd, >=, 0);
  add_bytes (self, stream->data, stream->len);
  g_byte_array_unref (stream);
  self->tail = wp_tail_new (self->fd);
}

static void
set_up (Fixture *self)
{
  set_up_with (self, g_byte_array_new ());
}

static void
tear_down (Fixture *self)
{
  wp_tail_free (self->tail);
  close (self->fd);
  g_unlink (self->from);
  g_unlink (self->to);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->from);
  g_free (self->to);
}

static void
write_last (Fixture *self, gint64 ns)
{
  int fd = open (self->to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_autoptr (GError) error = NULL;

  wp_tail_write (self->tail, ns, fd, &error);
  g_assert_no_error (error);
  close (fd);
}

static WpTrace *
read_last (Fixture *self, gint64 ns)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *broken = NULL;
  WpTrace *trace;

  write_last (self, ns);
  trace = wp_read (self->to, NULL, NULL, &error);
  g_assert_no_error (error);
  broken = wp_trace_check (trace);
  g_assert_cmpstr (broken, ==, NULL);
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  return trace;
}

/* 11 and 12 hand work to one another on two CPUs, 5000 ns a round; the records of CPU 1 stand behind those of CPU 0. */
static GByteArray *
exchange (guint64 t)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170, MAKER_USER + 0x260 };
  GByteArray *out = g_byte_array_new ();

  maker_switch (out, t + 1000, 0, 0, "swapper/0", 0, 11, "pass");
  maker_sample (out, 3, 11, t + 1500, 0, user, 3, NULL);
  maker_waking (out, t + 2000, 0, 11, 12, "pass", 0);
  maker_switch (out, t + 2500, 0, 11, "pass", 1, 0, "swapper/0");
  maker_switch (out, t + 2200, 1, 0, "swapper/1", 0, 12, "pass");
  maker_waking (out, t + 4000, 1, 12, 11, "pass", 0);
  maker_switch (out, t + 5000, 1, 12, "pass", 1, 0, "swapper/1");
  return out;
}

/* It looks like a fork. */
static void
add_exit (GByteArray *out, gint32 parent, gint32 pid, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, (guint32) pid);
  maker_u32 (body, (guint32) parent);
  maker_u32 (body, (guint32) pid);
  maker_u32 (body, (guint32) parent);
  maker_u64 (body, time);
  maker_tail (body, pid, pid, time, 0, 1);
  maker_record (out, PERF_RECORD_EXIT, 0, body);
}

static guint32
count_ops (const WpTrace *trace, WpOpKind kind, guint flags)
{
  guint32 n = 0;

  for (guint32 i = 1; i < trace->ops.len; i++)
    n += trace->ops.data[i].kind == kind && (trace->ops.data[i].flags & flags) == flags;
  return n;
}

/* --- cutting ------------------------------------------------------------------------------------------------------ */

static void
test_all (void)
{
  g_autoptr (WpTrace) whole = NULL, last = NULL;
  Fixture self;

  set_up (&self);
  for (guint i = 0; i < 4; i++)
    add_round (&self, exchange (i * 5000));
  follow (&self);
  g_assert_cmpint (wp_tail_start (self.tail), ==, 1000);
  g_assert_cmpint (wp_tail_end (self.tail), ==, 20000);
  whole = wp_read (self.from, NULL, NULL, NULL);
  last = read_last (&self, G_MAXINT64 / 4);
  g_assert_cmpuint (last->ops.len, ==, whole->ops.len);
  g_assert_cmpuint (last->links.len, ==, whole->links.len);
  for (guint32 i = 1; i < whole->ops.len; i++)
    {
      g_assert_cmpint (last->ops.data[i].start, ==, whole->ops.data[i].start);
      g_assert_cmpint (last->ops.data[i].end, ==, whole->ops.data[i].end);
      g_assert_cmpint (last->ops.data[i].flags, ==, whole->ops.data[i].flags);
    }
  tear_down (&self);
}

/* The cut goes through the middle of a round: no CPU's records begin before it. */
static void
test_cut (void)
{
  g_autoptr (WpTrace) last = NULL;
  g_autofree char *stack = NULL;
  WpId task;
  Fixture self;

  set_up (&self);
  for (guint i = 0; i < 8; i++)
    {
      add_round (&self, exchange (i * 5000));
      follow (&self);
    }
  last = read_last (&self, 10500);
  g_assert_cmpint (last->clock_start, ==, 30000); /* what is at 29500 is cut off */
  g_assert_cmpint (last->clock_start + last->end, ==, 40000);
  g_assert_cmpuint (last->samples.len, ==, 1 + 2);
  task = task_of (last, 12);
  g_assert_cmpstr (wp_trace_task_name (last, task), ==, "pass");
  g_assert_cmpuint (count_ops (last, WP_OP_SLEEP, WP_OP_LOST), ==, 0);
  stack = stack_text (last, last->samples.data[1].stack);
  g_assert_cmpstr (stack, ==, "pass+0x1170<pass+0x125f");
  tear_down (&self);
}

/* --- what stands -------------------------------------------------------------------------------------------------- */

/* Forked under its parent's name, with its mappings; one that ended is not there any more. */
static void
test_tasks (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170 };
  g_autoptr (WpTrace) last = NULL;
  g_autofree char *stack = NULL;
  GByteArray *round = exchange (5000);
  Fixture self;

  set_up (&self);
  add_round (&self, exchange (0));
  maker_fork (round, 11, 21, 5100);
  maker_fork (round, 11, 22, 5200);
  maker_comm (round, 22, "other", TRUE, 5300, 0);
  maker_mmap2 (round, 22, MAKER_USER, 0x1000, 0, "/nowhere/other", 5400);
  maker_fork (round, 11, 23, 5500);
  add_exit (round, 11, 23, 5600);
  add_round (&self, round);
  round = exchange (15000);
  maker_sample (round, 3, 21, 19000, 0, user, 2, NULL);
  maker_sample (round, 3, 22, 19100, 0, user, 2, NULL);
  add_round (&self, round);
  add_round (&self, exchange (20000));
  follow (&self);
  last = read_last (&self, 10000);
  g_assert_cmpstr (wp_trace_task_name (last, task_of (last, 21)), ==, "pass");
  g_assert_cmpstr (wp_trace_task_name (last, task_of (last, 22)), ==, "other");
  for (guint32 i = 1; i < last->tasks.len; i++)
    {
      g_assert_cmpint (last->tasks.data[i].tid, !=, 23);
      g_assert_cmpuint (last->tasks.data[i].flags & WP_TASK_KERNEL, ==, 0);
    }
  tear_down (&self);
}

/* "asleep all the time, in …"; what ran, or nobody knows, is NULL. Free with g_free(). */
static char *
asleep_text (const WpTrace *trace, gint32 tid)
{
  const WpTask *task = &trace->tasks.data[task_of (trace, tid)];
  g_autofree char *text = NULL;

  if (task->n_ops != 1 || !wp_slept_throughout (&trace->ops.data[task->first_op]))
    return NULL;
  text = wp_trace_describe_op (trace, task->first_op);
  return g_strdup (strchr (text, ' ') + 1);
}

static void
assert_asleep (Fixture *self, gint64 ns, gint32 tid, const char *expected)
{
  g_autoptr (WpTrace) last = read_last (self, ns);
  g_autofree char *text = asleep_text (last, tid);

  g_assert_cmpstr (text, ==, expected);
}

/* Of those that were there before: one never acts, one runs and sleeps anew, one goes on running, one loses its CPU, one comes too
 * late; a new one is a child of the second. */
static GByteArray *
sleepers (void)
{
  static const char wait[] = "S\0epoll_wait\0do_epoll_wait\0" "11";
  GByteArray *records = g_byte_array_new ();

  for (gint32 tid = 31; tid <= 35; tid++)
    {
      maker_comm (records, tid, "sleeper", FALSE, 0, 0);
      maker_wait (records, tid, tid, wait, sizeof wait);
    }
  return records;
}

static GByteArray *
stirring (void)
{
  static const guint64 wait[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x220, MAKER_KERNEL + 0x430, PERF_CONTEXT_USER,
                                  MAKER_USER + 0x150 };
  static const guint64 read[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x220, MAKER_KERNEL + 0x500 + 0x100,
                                  PERF_CONTEXT_USER, MAKER_USER + 0x150 };
  GByteArray *round = exchange (5000);

  maker_fork (round, 32, 41, 5100);
  maker_switch_at (round, 6400, 2, 32, "sleeper", 1, 0, "swapper/2", read, G_N_ELEMENTS (read));
  maker_switch (round, 6500, 2, 0, "swapper/2", 0, 32, "sleeper");
  maker_switch_at (round, 7000, 2, 32, "sleeper", 1, 41, "sleeper", wait, G_N_ELEMENTS (wait));
  maker_switch_at (round, 7500, 2, 41, "sleeper", 2, 34, "sleeper", read, G_N_ELEMENTS (read));
  maker_switch (round, 8000, 2, 34, "sleeper", 0, 33, "sleeper");
  maker_switch (round, 14500, 3, 0, "swapper/3", 0, 35, "sleeper");
  maker_switch_at (round, 19500, 3, 35, "sleeper", 1, 0, "swapper/3", wait, G_N_ELEMENTS (wait));
  return round;
}

static void
assert_sleepers (Fixture *self)
{
  g_autoptr (WpTrace) last = NULL;
  g_autofree char *stack = NULL;
  const WpOp *waits;

  assert_asleep (self, 10000, 31, "asleep all the time, in epoll_wait");
  assert_asleep (self, 10000, 32, "asleep all the time, in do_wait");
  assert_asleep (self, 10000, 33, NULL);
  assert_asleep (self, 10000, 34, NULL);
  assert_asleep (self, 10000, 35, NULL); /* it runs until 19500 */
  assert_asleep (self, 5200, 35, "asleep all the time, in do_wait");
  assert_asleep (self, 10000, 35, NULL);
  assert_asleep (self, 10000, 41, "asleep all the time, in ksys_read");
  last = read_last (self, 10000);
  waits = &last->ops.data[last->tasks.data[task_of (last, 32)].first_op];
  stack = stack_text (last, waits->detail);
  g_assert_cmpstr (stack, ==, "__schedule<schedule<do_wait");
  g_assert_cmpint (last->tasks.data[last->ops.data[waits->explained_by].task].tid, ==, 41);
}

static void
test_asleep (void)
{
  Fixture self;

  set_up_with (&self, sleepers ());
  add_round (&self, exchange (0));
  follow (&self);
  assert_asleep (&self, 10000, 32, "asleep all the time, in epoll_wait");
  add_round (&self, stirring ());
  add_round (&self, exchange (15000));
  add_round (&self, exchange (20000));
  follow (&self);
  assert_sleepers (&self);
  wp_tail_forget (self.tail, 11000, FALSE); /* to within the second round */
  assert_sleepers (&self);
  tear_down (&self);
  set_up_with (&self, sleepers ());
  add_round (&self, stirring ());
  for (guint i = 4; i < 20; i++)
    add_round (&self, exchange (i * 5000));
  follow (&self);
  wp_tail_forget (self.tail, 10000, TRUE); /* to behind it */
  assert_asleep (&self, 10000, 31, "asleep all the time, in epoll_wait");
  assert_asleep (&self, 10000, 32, "asleep all the time, in do_wait");
  assert_asleep (&self, 10000, 33, NULL);
  assert_asleep (&self, 10000, 35, "asleep all the time, in do_wait");
  tear_down (&self);
}

/* Whoever slept before a pause may have run in it. */
static void
test_asleep_paused (void)
{
  static const gint64 pause[2] = { 10100, 10900 };
  GByteArray *round = g_byte_array_new ();
  Fixture self;

  set_up_with (&self, sleepers ());
  maker_own_feature (round, WP_PERF_FEATURE_PAUSE, pause, sizeof pause);
  add_round (&self, stirring ());
  add_round (&self, round);
  add_round (&self, exchange (20000));
  follow (&self);
  for (gint32 tid = 31; tid <= 34; tid++)
    assert_asleep (&self, 10000, tid, NULL);
  assert_asleep (&self, 5200, 35, "asleep all the time, in do_wait");
  tear_down (&self);
}

/* Who belongs to 11 is known by numbers, which others get when they are free again. */
static void
test_family (void)
{
  GByteArray *round = exchange (0);
  Fixture self;

  set_up (&self);
  wp_tail_watch_family (self.tail, 11);
  maker_fork (round, 3, 11, 900); /* its own beginning */
  maker_fork (round, 11, 21, 1100);
  maker_fork (round, 21, 22, 1200);
  maker_fork (round, 11, 23, 1300);
  add_exit (round, 11, 21, 2100);
  add_exit (round, 21, 22, 2200);
  add_exit (round, 11, 23, 2300);
  maker_fork (round, 11, 24, 2400);
  add_round (&self, round);
  round = exchange (5000);
  maker_fork (round, 11, 21, 6100); /* again one of them */
  maker_fork (round, 3, 22, 6200);  /* a stranger */
  maker_fork (round, 22, 25, 6300); /* and its child */
  add_round (&self, round);
  add_round (&self, exchange (10000));
  follow (&self);
  for (gint32 pid = 11; pid < 30; pid++)
    g_assert_cmpint (wp_tail_is_family (self.tail, pid), ==, pid == 11 || pid == 21 || pid == 23 || pid == 24);
  wp_tail_forget (self.tail, 5000, FALSE);
  for (gint32 pid = 11; pid < 30; pid++)
    g_assert_cmpint (wp_tail_is_family (self.tail, pid), ==, pid == 11 || pid == 21 || pid == 24);
  tear_down (&self);
}

/* What was mapped over something else, in part. */
static void
test_maps (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170, MAKER_USER + 0x450, MAKER_USER + 0x850 };
  g_autoptr (WpTrace) last = NULL;
  g_autofree char *stack = NULL;
  GByteArray *round = exchange (0);
  Fixture self;

  set_up (&self);
  maker_mmap2 (round, 11, MAKER_USER + 0x400, 0x100, 0x7000, "/nowhere/library", 3000);
  add_round (&self, round);
  round = exchange (10000);
  maker_sample (round, 3, 11, 12400, 0, user, 4, NULL);
  add_round (&self, round);
  follow (&self);
  last = read_last (&self, 4500);
  stack = stack_text (last, last->samples.data[2].stack);
  g_assert_cmpstr (stack, ==, "pass+0x1170<library+0x704f<pass+0x184f");
  tear_down (&self);
}

/* --- losses and pauses -------------------------------------------------------------------------------------------- */

/* A loss that is told of by the first record of its CPU goes back to the beginning, not beyond. */
static void
test_loss (void)
{
  g_autoptr (WpTrace) last = NULL;
  GByteArray *round;
  Fixture self;

  set_up (&self);
  add_round (&self, exchange (0));
  round = exchange (10000);
  maker_waking (round, 15300, 0, 0, 12, "pass", 0);
  maker_lost (round, 7, 15500, 1);
  add_round (&self, round);
  add_round (&self, exchange (20000));
  follow (&self);
  last = read_last (&self, 9800); /* since 15200 */
  g_assert_cmpuint (last->lost.len, ==, 1);
  g_assert_cmpuint (last->lost.data[0].events, ==, 7);
  g_assert_cmpint (last->lost.data[0].end + last->clock_start, ==, 15500);
  g_assert_cmpint (last->lost.data[0].start + last->clock_start, ==, 15300); /* the first event */
  tear_down (&self);
}

static void
test_pause (void)
{
  static const gint64 pause[2] = { 6000, 19000 };
  g_autoptr (WpTrace) first = NULL, last = NULL;
  GByteArray *round = g_byte_array_new ();
  Fixture self;

  set_up (&self);
  add_round (&self, exchange (0));
  maker_own_feature (round, WP_PERF_FEATURE_PAUSE, pause, sizeof pause);
  add_round (&self, round);
  add_round (&self, exchange (20000));
  follow (&self);
  first = read_last (&self, G_MAXINT64 / 4);
  g_assert_cmpuint (first->lost.len, ==, 1);
  g_assert_cmpuint (first->lost.data[0].paused, ==, 1);
  last = read_last (&self, 15000); /* since 10000: nothing was recorded before it */
  g_assert_cmpint (last->clock_start, ==, 21000);
  g_assert_cmpuint (last->lost.len, ==, 0);
  tear_down (&self);
}

/* A recording that is paused still, its pause told in pieces: what came before is kept, however long it lasts. */
static void
test_pause_at_end (void)
{
  static const gint64 pieces[][2] = { { 6000, 19000 }, { 19000, 30000 } };
  g_autoptr (WpTrace) last = NULL;
  Fixture self;

  set_up (&self);
  add_round (&self, exchange (0));
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      GByteArray *round = g_byte_array_new ();

      maker_own_feature (round, WP_PERF_FEATURE_PAUSE, pieces[i], sizeof pieces[i]);
      add_round (&self, round);
    }
  follow (&self);
  g_assert_cmpint (wp_tail_end (self.tail), ==, 5000);
  last = read_last (&self, 3500); /* since 1500 */
  g_assert_cmpint (last->clock_start, ==, 1500);
  g_assert_cmpuint (last->lost.len, ==, 1);
  g_assert_cmpint (last->lost.data[0].start + last->clock_start, ==, 6000);
  g_assert_cmpint (last->lost.data[0].end + last->clock_start, ==, 30000);
  tear_down (&self);
}

/* --- forgetting --------------------------------------------------------------------------------------------------- */

static char *
contents (const char *path, gsize *n)
{
  char *data;

  g_assert_true (g_file_get_contents (path, &data, n, NULL));
  return data;
}

/* What was forgotten is not missed, and the file gets its room back. */
static void
test_forget (void)
{
  g_autofree char *before = NULL, *after = NULL;
  struct stat full, holed;
  gsize n_before, n_after;
  gboolean makes_holes;
  Fixture self;

  set_up (&self);
  for (guint i = 0; i < 2000; i++)
    add_round (&self, exchange (i * 5000));
  follow (&self);
  write_last (&self, 100000);
  before = contents (self.to, &n_before);
  g_assert_cmpint (fsync (self.fd), ==, 0);
  g_assert_cmpint (fstat (self.fd, &full), ==, 0);
  makes_holes = wp_tail_forget (self.tail, 200000, TRUE);
  g_assert_cmpint (wp_tail_start (self.tail), ==, 9800000);
  write_last (&self, 100000);
  after = contents (self.to, &n_after);
  g_assert_cmpmem (before, n_before, after, n_after);
  g_assert_cmpint (fstat (self.fd, &holed), ==, 0);
  g_assert_cmpint (holed.st_size, ==, full.st_size);
  if (makes_holes)
    g_assert_cmpint (holed.st_blocks, <, full.st_blocks / 4);
  else
    g_test_message ("the file system makes no holes");
  for (guint i = 2000; i < 2010; i++)
    add_round (&self, exchange (i * 5000));
  follow (&self);
  wp_tail_forget (self.tail, 200000, TRUE);
  wp_trace_free (read_last (&self, G_MAXINT64 / 4));
  g_assert_cmpint (wp_tail_start (self.tail), ==, 9850000);
  tear_down (&self);
}

/* Tasks that come and go for a long time leave nothing behind. */
static void
test_bounded (void)
{
  g_autofree char *data = NULL;
  gsize n_first = 0, n;
  Fixture self;

  set_up (&self);
  for (guint i = 0; i < 3000; i++)
    {
      guint64 t = i * 5000;
      gint32 child = 1000 + (gint32) i;
      GByteArray *round = exchange (t);

      maker_fork (round, 11, child, t + 1100);
      maker_comm (round, child, "child", TRUE, t + 1200, 0);
      maker_mmap2 (round, child, MAKER_USER, 0x1000, 0, "/nowhere/child", t + 1300);
      add_exit (round, 11, child, t + 1400);
      add_round (&self, round);
      follow (&self);
      wp_tail_forget (self.tail, 20000, FALSE);
      if (i != 10 && i != 2999)
        continue;
      write_last (&self, 20000);
      g_free (data);
      data = contents (self.to, &n);
      n_first = n_first == 0 ? n : n_first;
    }
  g_assert_cmpuint (n, <=, n_first + 64);
  tear_down (&self);
}

/* --- hostile ------------------------------------------------------------------------------------------------------ */

/* What came before the damage is saved, and it is told once. */
static void
test_flight (void)
{
  g_autoptr (WpFlight) flight = NULL;
  g_autoptr (WpTrace) last = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *nothing = NULL, *missing = NULL, *both = NULL, *again = NULL;
  Fixture self;
  int fd;

  set_up (&self);
  flight = wp_flight_new (self.fd, 10);
  for (guint i = 0; i < 4; i++)
    add_round (&self, exchange (i * 5000));
  wp_flight_follow (flight, self.bytes);
  nothing = wp_flight_missing (flight, NULL);
  g_assert_null (nothing);
  add_bytes (&self, (const guint8 *) "no record at all", 16);
  add_round (&self, exchange (20000));
  fd = open (self.to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_assert_true (wp_flight_save (flight, self.bytes, fd, &error));
  g_assert_no_error (error);
  close (fd);
  last = wp_read (self.to, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (last->clock_start + last->end, ==, 20000);
  missing = wp_flight_missing (flight, NULL);
  g_assert_nonnull (strstr (missing, "damaged at byte"));
  both = wp_flight_missing (flight, "one thing");
  g_assert_true (g_str_has_prefix (both, "one thing\n"));
  again = wp_flight_missing (flight, both);
  g_assert_cmpstr (again, ==, both);
  tear_down (&self);
}

/* Where nothing is given back that is known before, and a recording under way ends; what there is is saved. */
static void
test_stuck (void)
{
  g_autoptr (WpFlight) flight = NULL;
  g_autoptr (GError) error = NULL, refused = NULL;
  g_autofree char *missing = NULL, *again = NULL;
  Fixture self;
  int fd;

  set_up (&self);
  fd = open (self.from, O_RDONLY | O_CLOEXEC); /* in which nobody makes holes */
  g_assert_false (wp_flight_check (fd, self.from, &refused));
  g_assert_error (refused, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT);
  g_assert_nonnull (strstr (refused->message, self.folder));
  flight = wp_flight_new (fd, 10);
  for (guint i = 0; i < 100; i++)
    add_round (&self, exchange (i * G_GUINT64_CONSTANT (1000000000)));
  g_assert_false (wp_flight_is_stuck (flight));
  wp_flight_follow (flight, self.bytes);
  while (!wp_flight_is_stuck (flight))
    g_usleep (1000);
  missing = wp_flight_missing (flight, "one thing");
  g_assert_true (g_str_has_prefix (missing, "one thing\nthe end: "));
  again = wp_flight_missing (flight, missing);
  g_assert_cmpstr (again, ==, missing);
  close (fd);
  fd = open (self.to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_assert_true (wp_flight_save (flight, self.bytes, fd, &error));
  g_assert_no_error (error);
  close (fd);
  tear_down (&self);
}

/* Whatever stands there, nothing is read beyond the end, and nothing is looked at for ever. */
static void
test_damage (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);

  for (guint i = 0; i < 200; i++)
    {
      GByteArray *round = exchange (0);
      Fixture self;

      set_up (&self);
      for (guint k = 0; k < 1 + i % 8; k++)
        round->data[g_rand_int_range (random, 0, (gint32) round->len)] = (guint8) g_rand_int (random);
      add_round (&self, round);
      if (wp_tail_follow (self.tail, self.bytes - i % 3, NULL))
        wp_tail_forget (self.tail, 1000, i % 2 == 0);
      write_last (&self, 2000);
      tear_down (&self);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tail/all", test_all);
  g_test_add_func ("/tail/cut", test_cut);
  g_test_add_func ("/tail/tasks", test_tasks);
  g_test_add_func ("/tail/asleep", test_asleep);
  g_test_add_func ("/tail/asleep-paused", test_asleep_paused);
  g_test_add_func ("/tail/family", test_family);
  g_test_add_func ("/tail/maps", test_maps);
  g_test_add_func ("/tail/loss", test_loss);
  g_test_add_func ("/tail/pause", test_pause);
  g_test_add_func ("/tail/pause-at-end", test_pause_at_end);
  g_test_add_func ("/tail/forget", test_forget);
  g_test_add_func ("/tail/stuck", test_stuck);
  g_test_add_func ("/tail/bounded", test_bounded);
  g_test_add_func ("/tail/flight", test_flight);
  g_test_add_func ("/tail/damage", test_damage);
  return g_test_run ();
}
