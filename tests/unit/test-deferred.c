/* Stacks in two parts: the kernel's with the sample, the user's in a record of its own, joined by task and cookie. Made by hand, in both modes, and condensed. */
#include "perf-maker.h"
#include "read-maker.h"
#include "base/format.h"
#include "read/perf/condense.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define ATTR_FLAGS 40 /* in a perf_event_attr */
#define KERNEL "__schedule"
#define USER "pass+0x1150<pass+0x125f"

static char *path, *condensed;

static const guint64 user_part[] = { MAKER_USER + 0x150, MAKER_USER + 0x260 };

/* Of a task: its CPU sample in the kernel. */
static void
kernel_sample (GByteArray *out, gint32 pid, guint64 time, guint64 cookie)
{
  const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, WP_PERF_CONTEXT_USER_DEFERRED, cookie };

  maker_sample (out, 3, pid, time, 0, chain, G_N_ELEMENTS (chain), NULL);
}

/* `said` is how many addresses it says that it has. */
static void
part_that_says (GByteArray *out, gint32 pid, guint64 time, guint32 cpu, guint64 cookie, guint64 said, gsize n)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, cookie);
  maker_u64 (body, said);
  maker_bytes (body, user_part, 8 * n);
  maker_tail (body, pid, pid, time, cpu, 3);
  maker_record (out, WP_PERF_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER, body);
}

static void
part (GByteArray *out, gint32 pid, guint64 time, guint32 cpu, guint64 cookie)
{
  part_that_says (out, pid, time, cpu, cookie, 2, 2);
}

static void
add_plain (GByteArray *out)
{
  kernel_sample (out, 11, 1500, 5);
  kernel_sample (out, 11, 1600, 5);
  part (out, 11, 1700, 0, 5);
}

/* In user mode nothing comes before it. */
static void
add_user_mode (GByteArray *out)
{
  const guint64 chain[] = { WP_PERF_CONTEXT_USER_DEFERRED, 5 };

  maker_sample (out, 3, 11, 1500, 0, chain, 2, NULL);
  part (out, 11, 1600, 0, 5);
  kernel_sample (out, 11, 1700, 7);
  part (out, 11, 1800, 0, 7);
}

/* The next one of this task has another cookie. */
static void
add_lost (GByteArray *out)
{
  kernel_sample (out, 11, 1500, 5);
  kernel_sample (out, 11, 1700, 7);
  part (out, 11, 1800, 0, 7);
}

/* One that comes after that with the same cookie is another. */
static void
add_used_again (GByteArray *out)
{
  kernel_sample (out, 11, 1500, 5);
  part (out, 11, 1600, 0, 7);
  kernel_sample (out, 11, 1700, 5);
  part (out, 11, 1800, 0, 5);
}

static void
add_anothers (GByteArray *out)
{
  kernel_sample (out, 11, 1500, 5);
  part (out, 12, 1600, 0, 5);
  part (out, 11, 1400, 0, 5);
  kernel_sample (out, 11, 1700, 5);
}

/* The task went on on another CPU, whose records stand in front. */
static void
add_moved (GByteArray *out)
{
  part (out, 11, 1550, 1, 5);
  part (out, 11, 1750, 1, 6);
  kernel_sample (out, 11, 1500, 5);
  kernel_sample (out, 11, 1700, 6);
}

/* A task that ends has no user part any more. */
static void
add_empty (GByteArray *out)
{
  kernel_sample (out, 11, 1500, 5);
  part_that_says (out, 11, 1600, 0, 5, 0, 0);
  kernel_sample (out, 11, 1700, 5);
  part (out, 11, 1800, 0, 5);
}

/* What was told of it cannot be. */
static void
add_hostile (GByteArray *out)
{
  static const guint64 said[] = { 3, 7, G_MAXUINT64, G_MAXUINT64 / 8 + 1, G_MAXUINT32 };
  guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, WP_PERF_CONTEXT_USER_DEFERRED };

  maker_sample (out, 3, 11, 1500, 0, chain, 3, NULL); /* no cookie */
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    part_that_says (out, 11, 1600, 0, 5, said[i], 2);
  maker_record (out, WP_PERF_RECORD_CALLCHAIN_DEFERRED, 0, g_byte_array_new ());
  kernel_sample (out, 11, 1700, 5);
  part_that_says (out, 11, 1800, 0, 5, 2, 2);
}

static const struct
{
  const char *name;
  void (*add) (GByteArray *out);
  const char *first, *second; /* stacks of the two samples */
  guint damaged;
} cases[] = {
  { "plain", add_plain, KERNEL "<" USER, KERNEL "<" USER },
  { "user mode", add_user_mode, USER, KERNEL "<" USER },
  { "lost", add_lost, KERNEL, KERNEL "<" USER },
  { "used again", add_used_again, KERNEL, KERNEL "<" USER },
  { "another's", add_anothers, KERNEL, KERNEL },
  { "moved", add_moved, KERNEL "<" USER, KERNEL "<" USER },
  { "empty", add_empty, KERNEL, KERNEL "<" USER },
  { "hostile", add_hostile, KERNEL, KERNEL "<" USER, 6 },
};

/* Two samples within a run, and whatever belongs to them. `where`: of the first attribute's flags; `each`: from one to the next. */
static GByteArray *
make (guint i, gboolean file, gboolean deferred)
{
  const guint n = G_N_ELEMENTS (maker_events);
  const gsize where = (file ? 104 + 8 * n : 16 + 8) + ATTR_FLAGS, each = file ? sizeof (struct perf_event_attr) + 16 : 8 + sizeof (struct perf_event_attr) + 8;
  GByteArray *out = g_byte_array_new ();

  maker_comm (out, 11, "pass", FALSE, 0, 0);
  maker_mmap2 (out, 11, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  maker_switch (out, 1000, 0, 0, "swapper/0", 0, 11, "pass");
  cases[i].add (out);
  maker_switch (out, 2500, 0, 11, "pass", 1, 0, "swapper/0");
  out = file ? maker_file (out) : maker_stream (out, FALSE);
  for (guint k = 0; k < n && deferred; k++)
    {
      guint64 flags;

      memcpy (&flags, out->data + where + k * each, 8);
      flags |= WP_PERF_ATTR_DEFER_CALLCHAIN | WP_PERF_ATTR_DEFER_OUTPUT;
      memcpy (out->data + where + k * each, &flags, 8);
    }
  return out;
}

static void
check_samples (const WpTrace *trace, guint i, const char *first, const char *second)
{
  g_autofree char *one = NULL, *two = NULL;

  g_assert_cmpuint (trace->samples.len, ==, 3);
  one = stack_text (trace, trace->samples.data[1].stack);
  two = stack_text (trace, trace->samples.data[2].stack);
  g_test_message ("%s: %s, %s", cases[i].name, one, two);
  g_assert_cmpstr (one, ==, first);
  g_assert_cmpstr (two, ==, second);
}

static void
test_joined (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint file = 0; file < 2; file++)
      {
        g_autoptr (WpTrace) trace = maker_read_whole (path, make (i, file != 0, TRUE));

        check_samples (trace, i, cases[i].first, cases[i].second);
        g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, cases[i].damaged);
      }
}

/* Where no event says that its stacks come so, nothing is joined, and no cookie is an address. */
static void
test_not_said (void)
{
  g_autoptr (WpTrace) trace = maker_read_whole (path, make (0, FALSE, FALSE));

  check_samples (trace, 0, KERNEL, KERNEL);
}

/* Whole stacks, in which nothing is left for who does not know of parts. */
static void
test_condensed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpTrace) before = maker_read_whole (path, make (i, FALSE, TRUE)), after = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *bytes = NULL;
      int fd = open (condensed, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      gsize n;

      g_assert_true (wp_condense_joins (path));
      g_assert_true (wp_condense_into (path, fd, condensed, NULL, NULL, NULL, &error));
      g_assert_no_error (error);
      close (fd);
      g_assert_false (wp_condense_joins (condensed));
      after = wp_read (condensed, NULL, NULL, &error);
      g_assert_no_error (error);
      check_samples (after, i, cases[i].first, cases[i].second);
      g_assert_true (g_file_get_contents (condensed, &bytes, &n, &error));
      for (gsize at = 16; at + 8 <= n;)
        {
          guint32 type, more = 0;
          guint16 size;

          memcpy (&type, bytes + at, 4);
          memcpy (&size, bytes + at + 6, 2);
          g_assert_cmpuint (type, !=, WP_PERF_RECORD_CALLCHAIN_DEFERRED);
          if (type == WP_PERF_RECORD_TRACING_DATA)
            memcpy (&more, bytes + at + 8, 4);
          at += size + (more + 7) / 8 * 8;
        }
    }
}

/* Piece by piece, as a live view has it. */
static void
test_pieces (void)
{
  g_autoptr (WpTrace) before = maker_read_whole (path, make (0, FALSE, TRUE)), after = NULL;
  int from = open (path, O_RDONLY | O_CLOEXEC), to = open (condensed, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  WpCondensing *condensing = wp_condensing_new (from, to, 0);
  g_autoptr (GError) error = NULL;
  guint64 written;

  g_assert_true (wp_condensing_go_on (condensing, (guint64) lseek (from, 0, SEEK_END), WP_NS_PER_S, &written, NULL, &error));
  g_assert_no_error (error);
  wp_condensing_free (condensing);
  close (from);
  close (to);
  after = wp_read (condensed, NULL, NULL, &error);
  g_assert_no_error (error);
  check_samples (after, 0, cases[0].first, cases[0].second);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-deferred-XXXXXX", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (folder, "made.data", NULL);
  condensed = g_build_filename (folder, "condensed.data", NULL);
  g_test_add_func ("/deferred/joined", test_joined);
  g_test_add_func ("/deferred/not-said", test_not_said);
  g_test_add_func ("/deferred/condensed", test_condensed);
  g_test_add_func ("/deferred/pieces", test_pieces);
  status = g_test_run ();
  g_unlink (path);
  g_unlink (condensed);
  g_rmdir (folder);
  g_free (path);
  g_free (condensed);
  return status;
}
