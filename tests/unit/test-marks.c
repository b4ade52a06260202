/* Marks of programs: lines of their files, which of them stand at a moment beside a slow search, and what thousands of
 * overlapping ones cost; how a program says them. */
#include "../../data/wakepath-marks.h"
#include "base/thread-time.h"
#include "trace/marks.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

static void
test_lines (void)
{
  static const struct
  {
    const char *line;
    gint64 start, end;
    const char *name; /* NULL: it is no mark */
  } lines[] = {
    { "1 2 a", 1, 2, "a" },
    { "5 5 with blanks  in it ", 5, 5, "with blanks  in it " },
    { "0 9223372036854775807 x", 0, G_MAXINT64, "x" },
    { "0 9223372036854775808 x" }, { "2 1 reversed" }, { "-1 2 x" }, { "+1 2 x" }, { "1  2 x" }, { " 1 2 x" }, { "1 2 " }, { "1 2" }, { "1\t2\tx" },
    { "0x1 2 x" }, { "99999999999999999999 1 x" }, { "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const char *name = NULL;
      gint64 start, end;

      g_assert_cmpint (wp_mark_parse (lines[i].line, &start, &end, &name), ==, lines[i].name != NULL);
      g_assert_cmpstr (name, ==, lines[i].name);
      if (name != NULL)
        g_assert_true (start == lines[i].start && end == lines[i].end);
    }
}

static void
add (WpTrace *trace, gint64 start, gint64 end, gint32 pid, gint32 tid, const char *name)
{
  wp_array_push (&trace->marks, ((WpMarkSpan) { start, end, pid, tid, wp_strings_intern (trace->strings, name) }));
}

static char *
names_at (const WpTrace *trace, WpMarkTimes *times, gint32 pid, gint32 tid, gint64 time)
{
  GString *out = g_string_new (NULL);
  WpId names[2 * WP_MARKS_DEEP];
  guint n = wp_mark_times_names (times, wp_mark_times_at (times, pid, tid, time), names);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", wp_trace_string (trace, names[i]));
  return g_string_free (out, FALSE);
}

/* Both ways to ask say the same. */
static void
check_at (const WpTrace *trace, WpMarkTimes *times, gint32 pid, gint32 tid, gint64 time, const char *expected)
{
  g_autofree char *found = names_at (trace, times, pid, tid, time);
  WpId slow[2 * WP_MARKS_DEEP], fast[2 * WP_MARKS_DEEP];
  guint n = wp_trace_marks_at (trace, pid, tid, time, slow);

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (wp_mark_times_names (times, wp_mark_times_at (times, pid, tid, time), fast), ==, n);
  g_assert_cmpmem (slow, n * sizeof *slow, fast, n * sizeof *fast);
}

#define CHECK_AT(pid, tid, time, expected) check_at (trace, times, (pid), (tid), (time), (expected))

static void
test_times (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpMarkTimes) times = NULL;

  trace->clock_start = 1000;
  trace->end = 500;
  add (trace, 1100, 1200, 7, 7, "inner");
  add (trace, 1100, 1300, 7, 7, "outer");
  add (trace, 1150, 1250, 7, 7, "over");
  add (trace, 1160, 1160, 7, 7, "nothing");
  add (trace, 900, 1400, 7, 0, "process");
  add (trace, 1450, 9999, 7, 8, "late");
  add (trace, 10, 20, 7, 7, "before");
  add (trace, 1501, 1600, 7, 7, "behind");
  wp_trace_place_marks (trace);
  g_assert_cmpuint (trace->marks.len, ==, 6);
  g_assert_true (trace->marks.data[0].start == 0 && trace->marks.data[0].end == 400); /* of what was before, what is within */
  times = wp_mark_times_new (trace);
  CHECK_AT (7, 7, 50, "process");
  CHECK_AT (7, 7, 99, "process");
  CHECK_AT (7, 7, 100, "process outer inner");
  CHECK_AT (7, 7, 160, "process outer inner over");
  CHECK_AT (7, 7, 199, "process outer inner over");
  CHECK_AT (7, 7, 200, "process outer over");
  CHECK_AT (7, 7, 250, "process outer");
  CHECK_AT (7, 7, 399, "process");
  CHECK_AT (7, 7, 400, "");
  CHECK_AT (7, 9, 160, "process");
  CHECK_AT (7, 8, 460, "late");
  CHECK_AT (8, 7, 160, "");
}

/* So many marks all of which stand at once, or one behind the other: each begins within the ones before. Returns what it took of this thread, in µs,
 * the least of three times. */
static gint64
cost_of (guint n)
{
  gint64 least = G_MAXINT64;

  for (guint k = 0; k < 3; k++)
    {
      g_autoptr (WpTrace) trace = wp_trace_new ();
      g_autoptr (WpMarkTimes) times = NULL;
      double began;

      trace->end = 10 * (gint64) n;
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *name = g_strdup_printf ("%u", i);

          add (trace, i, 5 * (gint64) n + (i * 7919) % n, 1, 1, name);
        }
      began = wp_thread_seconds ();
      wp_trace_place_marks (trace);
      times = wp_mark_times_new (trace);
      least = MIN (least, (gint64) ((wp_thread_seconds () - began) * G_USEC_PER_SEC));
      CHECK_AT (1, 1, n, "0 1 2 3 4 5 6 7");
      CHECK_AT (1, 1, 7 * (gint64) n, "");
    }
  return least;
}

/* As many as a recording keeps, beside a sixteenth of them: were each compared with all that stand they would take 256 times as long. */
static void
test_many (void)
{
  const guint n = 200000;
  gint64 few = cost_of (n / 16), many = cost_of (n);

  g_test_message ("%u marks: %d µs; %u marks: %d µs", n / 16, (int) few, n, (int) many);
  g_assert_cmpint (many, <, 100 * MAX (few, 1000));
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (WpTrace) trace = wp_trace_new ();
      g_autoptr (WpMarkTimes) times = NULL;
      guint n = 1 + round % WP_MARKS_DEEP;

      trace->end = 100;
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *name = g_strdup_printf ("%u", i);
          gint64 start = g_rand_int_range (rand, 0, 50);

          add (trace, start, start + g_rand_int_range (rand, 0, 50), 1, 1, name);
        }
      wp_trace_place_marks (trace);
      times = wp_mark_times_new (trace);
      for (gint64 t = 0; t < 101; t++)
        {
          g_autoptr (GString) expected = g_string_new (NULL);

          for (guint i = 0; i < n; i++)
            if (trace->marks.data[i].start <= t && t < trace->marks.data[i].end)
              g_string_append_printf (expected, "%s%s", expected->len > 0 ? " " : "", wp_trace_string (trace, trace->marks.data[i].name));
          CHECK_AT (1, 1, t, expected->str);
        }
    }
}

static char *
file_of (pid_t pid)
{
  return g_strdup_printf ("/tmp/marker-%d-%d.txt", pid, pid);
}

static void
assert_said (const char *path, const char *name)
{
  g_autofree char *text = NULL, *end = g_strdup_printf (" %s\n", name);
  const char *newline;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  newline = strchr (text, '\n');
  g_assert_true (newline != NULL && newline[1] == '\0' && g_str_has_suffix (text, end));
}

/* What another process of that number left does not stand in the way; a child has a file of its own. */
static void
test_saying (void)
{
  g_autofree char *own = file_of (getpid ()), *childs = NULL;
  pid_t child;
  int status;

  g_assert_true (g_file_set_contents (own, "left over\n", -1, NULL));
  mark_end (mark_now (), "parent");
  child = fork ();
  if (child == 0)
    {
      mark_end (mark_now (), "child");
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  childs = file_of (child);
  assert_said (own, "parent");
  assert_said (childs, "child");
  g_unlink (own);
  g_unlink (childs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/marks/lines", test_lines);
  g_test_add_func ("/marks/times", test_times);
  g_test_add_func ("/marks/many", test_many);
  g_test_add_func ("/marks/random", test_random);
  g_test_add_func ("/marks/saying", test_saying);
  return g_test_run ();
}
