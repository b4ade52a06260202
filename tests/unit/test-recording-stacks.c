/* Recordings that are opened as stacks with values: with task switches and without, perf.data and text. */
#include "read/read.h"
#include "trace/trace-stacks.h"
#include "workspace/stacks/open-stacks.h"

#include "perf-maker.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

static char *path;

static void
write_bytes (const void *data, gsize n)
{
  FILE *file = fopen (path, "we");

  g_assert_cmpuint (fwrite (data, 1, n, file), ==, n);
  g_assert_cmpint (fclose (file), ==, 0);
}

static WpStacks *
open_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  WpStacks *stacks;

  write_bytes (text, strlen (text));
  stacks = wp_open_stacks (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return stacks;
}

/* Takes the bytes. */
static WpStacks *
open_bytes (GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;
  WpStacks *stacks;

  write_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
  stacks = wp_open_stacks (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return stacks;
}

/* "cpu-clock/nanoseconds …", the default one with a star. */
static char *
types_of (const WpStacks *stacks)
{
  GString *out = g_string_new (NULL);

  for (guint32 t = 0; t < stacks->types.len; t++)
    g_string_append_printf (out, "%s%s/%s%s", t > 0 ? " " : "", wp_stacks_text (stacks, stacks->types.data[t].type),
                            wp_stacks_text (stacks, stacks->types.data[t].unit), t == wp_stacks_default_type (stacks) ? "*" : "");
  return g_string_free (out, FALSE);
}

static void
append_stack (const WpStacks *stacks, WpId stack, GString *out)
{
  const WpFrames *frames = stacks->frames;
  WpIdArray locations = { 0 };

  wp_frames_stack (frames, stack, &locations);
  for (guint32 i = 0; i < locations.len; i++)
    {
      const WpLocation *location = &frames->locations.data[locations.data[i]];

      g_string_append (out, i > 0 ? "<" : "");
      if (location->n_lines > 0)
        g_string_append (out, wp_stacks_text (stacks, frames->functions.data[frames->lines.data[location->first_line].function].name));
      else
        g_string_append_printf (out, "%s+%" G_GINT64_MODIFIER "x", wp_stacks_text (stacks, frames->modules.data[location->module].file),
                                location->address);
    }
  wp_array_clear (&locations);
}

/* A line for each row: "process/thread pid/tid @moment values stack". */
static char *
rows_of (const WpStacks *stacks)
{
  GString *out = g_string_new (NULL);

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      const WpStackThread *thread = &stacks->threads.data[stacks->sample_threads.data[i]];

      g_string_append_printf (out, "%s/%s %d/%d ", wp_stacks_text (stacks, thread->process), wp_stacks_text (stacks, thread->name),
                              (int) thread->pid, (int) thread->tid);
      if (stacks->moments.len > 0)
        g_string_append_printf (out, "@%d ", (int) stacks->moments.data[i]);
      for (guint32 t = 0; t < stacks->types.len; t++)
        g_string_append_printf (out, "%d ", (int) stacks->values[t].data[i]);
      append_stack (stacks, stacks->sample_stacks.data[i], out);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

/* "key=text key=7" */
static char *
labels_of (const WpStacks *stacks, guint32 sample)
{
  const WpLabelSet *set = &stacks->labels->sets.data[stacks->sample_labels.data[sample]];
  GString *out = g_string_new (NULL);

  for (guint32 i = set->first; i < set->first + set->n; i++)
    {
      const WpLabel *label = &stacks->labels->labels.data[i];

      g_string_append_printf (out, "%s%s=", i > set->first ? " " : "", wp_stacks_text (stacks, label->key));
      if (label->is_number)
        g_string_append_printf (out, "%d", (int) label->number);
      else
        g_string_append (out, wp_stacks_text (stacks, label->text));
    }
  return g_string_free (out, FALSE);
}

static void
assert_stacks (WpStacks *stacks, const char *types, const char *rows)
{
  g_autofree char *got_types = types_of (stacks), *got_rows = rows_of (stacks);

  g_assert_cmpstr (got_types, ==, types);
  g_assert_cmpstr (got_rows, ==, rows);
}

/* --- perf.data without task switches ------------------------------------------------------------------------------ */

#define PLAIN (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

typedef struct
{
  guint32 type;
  guint64 config;
} Event;

/* Wraps records as a stream with these events, whose ids are 1 …; takes the records. */
static GByteArray *
plain_stream (guint64 sample_type, const Event *events, guint n, GByteArray *records)
{
  GByteArray *out = g_byte_array_new ();

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  for (guint i = 0; i < n; i++)
    {
      struct perf_event_attr attr = { .type = events[i].type, .size = sizeof attr, .config = events[i].config, .sample_type = sample_type,
                                      .sample_period = 4000, .sample_id_all = sample_type == PLAIN, .comm = 1 };
      GByteArray *body = g_byte_array_new ();

      maker_bytes (body, &attr, sizeof attr);
      maker_u64 (body, i + 1);
      maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
    }
  maker_tracing (out, maker_tracing_data ());
  maker_bytes (out, records->data, records->len);
  g_byte_array_unref (records);
  return out;
}

static void
plain_sample (GByteArray *out, guint64 id, guint64 ip, gint32 pid, gint32 tid, guint64 time, guint64 period, guint16 misc)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, id);
  maker_u64 (body, ip);
  maker_u32 (body, pid);
  maker_u32 (body, tid);
  maker_u64 (body, time);
  maker_u64 (body, 0);
  maker_u64 (body, period);
  maker_record (out, PERF_RECORD_SAMPLE, misc, body);
}

/* The end of every other record, in the order of PLAIN. */
static void
plain_tail (GByteArray *body, gint32 pid, gint32 tid, guint64 time)
{
  maker_u32 (body, pid);
  maker_u32 (body, tid);
  maker_u64 (body, time);
  maker_u64 (body, 0);
  maker_u64 (body, time != 0 ? 1 : 0);
}

static void
plain_fork (GByteArray *out, gint32 pid, gint32 parent, gint32 tid, gint32 parent_tid, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, pid);
  maker_u32 (body, parent);
  maker_u32 (body, tid);
  maker_u32 (body, parent_tid);
  maker_u64 (body, time);
  plain_tail (body, parent, parent_tid, time);
  maker_record (out, PERF_RECORD_FORK, 0, body);
}

static void
plain_comm (GByteArray *out, gint32 pid, gint32 tid, const char *name, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, pid);
  maker_u32 (body, tid);
  maker_text (body, name, 16);
  plain_tail (body, pid, tid, time);
  maker_record (out, PERF_RECORD_COMM, 0, body);
}

static const Event clock_and_faults[] = { { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK }, { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS } };

static GByteArray *
two_events (void)
{
  GByteArray *out = g_byte_array_new ();

  plain_comm (out, 11, 11, "server", 0);
  maker_mmap2 (out, 11, MAKER_USER, 0x1000, 0x1000, "/nowhere/server", 0);
  plain_sample (out, 2, MAKER_USER + 0x10, 11, 11, 1000, 1, PERF_RECORD_MISC_USER);
  plain_fork (out, 11, 11, 12, 11, 1100);
  plain_sample (out, 1, MAKER_USER + 0x20, 11, 12, 1200, 500, PERF_RECORD_MISC_USER);
  plain_comm (out, 11, 12, "worker", 1300);
  plain_sample (out, 1, MAKER_KERNEL + 0x110, 11, 12, 1400, 700, PERF_RECORD_MISC_KERNEL);
  plain_sample (out, 1, MAKER_KERNEL + 0x210, 0, 0, 1500, 900, PERF_RECORD_MISC_KERNEL);
  plain_sample (out, 1, MAKER_KERNEL + 0x110, 11, 11, 1600, 100, PERF_RECORD_MISC_GUEST_KERNEL);
  return plain_stream (PLAIN, clock_and_faults, 2, out);
}

/* Each event counts for itself, each sample for whoever it was then; what a virtual machine did has no stack. */
static void
test_plain (void)
{
  g_autoptr (WpStacks) stacks = open_bytes (two_events ());
  g_autofree char *labels = labels_of (stacks, 2);
  const WpFrames *frames = stacks->frames;

  assert_stacks (stacks, "cpu-clock_samples/count cpu-clock/nanoseconds* page-faults/count",
                 "server/server 11/11 @0 0 0 1 /nowhere/server+1010\n"
                 "server/server 11/12 @200 1 500 0 /nowhere/server+1020\n"
                 "server/worker 11/12 @400 1 700 0 __schedule\n"
                 "swapper/swapper 0/0 @500 1 900 0 schedule\n"
                 "server/server 11/11 @600 1 100 0 \n");
  g_assert_cmpstr (labels, ==, "process=server thread=worker pid=11 tid=12");
  g_assert_true (stacks->header.of_recording);
  g_assert_cmpuint (frames->modules.len, ==, 3);
  g_assert_cmpint (frames->modules.data[1].has, ==, 0);
  g_assert_cmpint (frames->modules.data[2].has, ==, WP_MODULE_HAS_FUNCTIONS);
}

/* A machine of 32 bits: its kernel's addresses have no highest bit. */
static void
test_plain_32 (void)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (WpStacks) stacks = NULL;

  maker_mmap2 (out, 11, 0x8048000, 0x1000, 0, "/nowhere/server", 0);
  plain_sample (out, 1, 0x8048010, 11, 11, 1000, 500, PERF_RECORD_MISC_USER);
  plain_sample (out, 1, 0xc0100110, 11, 11, 1200, 700, PERF_RECORD_MISC_KERNEL);
  stacks = open_bytes (plain_stream (PLAIN, clock_and_faults, 1, out));
  assert_stacks (stacks, "samples/count cpu-clock/nanoseconds*",
                 "/ 11/11 @0 1 500 /nowhere/server+10\n/ 11/11 @200 1 700 [unknown]\n"); /* the names are of another kernel */
}

/* To an explanation nothing comes of it, and it says what to do. */
static void
test_not_explained (void)
{
  GByteArray *bytes = two_events ();
  g_autoptr (GError) error = NULL;

  write_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
  g_assert_null (wp_read (path, NULL, NULL, &error));
  g_assert_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS);
  g_assert_nonnull (strstr (error->message, "Open it as stacks"));
}

/* One event, and neither when nor where. Its period is the same for all. */
static void
test_least (void)
{
  static const Event cycles[] = { { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES } };
  GByteArray *out = g_byte_array_new ();
  g_autoptr (WpStacks) stacks = NULL;

  for (guint i = 0; i < 2; i++)
    {
      GByteArray *body = g_byte_array_new ();

      maker_u64 (body, MAKER_KERNEL + 0x110);
      maker_u32 (body, 7);
      maker_u32 (body, 7);
      maker_record (out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, body);
    }
  stacks = open_bytes (plain_stream (PERF_SAMPLE_IP | PERF_SAMPLE_TID, cycles, 1, out));
  assert_stacks (stacks, "samples/count cycles/count*", "/ 7/7 1 4000 __schedule\n/ 7/7 1 4000 __schedule\n");
}

/* Records of several CPUs stand in the file in turns, and do not say which is whose; damaged times may be anywhere. */
static void
test_loose (void)
{
  static const Event cycles[] = { { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES } };
  GByteArray *out = g_byte_array_new ();
  g_autoptr (WpStacks) stacks = NULL;

  for (guint i = 0; i < 3000; i++)
    {
      GByteArray *body = g_byte_array_new ();
      guint round = i / 300, cpu = i / 100 % 3; /* each CPU has a hundred in a row */

      maker_u64 (body, MAKER_KERNEL + 0x110);
      maker_u32 (body, 7);
      maker_u32 (body, 7);
      maker_u64 (body, i < 2700 ? 1000 + round * 300 + i % 100 * 3 + cpu : 5000 - i);
      maker_record (out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, body);
    }
  stacks = open_bytes (plain_stream (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME, cycles, 1, out));
  g_assert_cmpuint (stacks->n_samples, ==, 3000);
  for (guint i = 1; i < 3000; i++)
    g_assert_cmpint (stacks->moments.data[i - 1], <=, stacks->moments.data[i]);
  g_assert_cmpint (stacks->moments.data[2999], ==, 3699 - 1000);
}

/* A recording in which nothing happened says so. */
static void
test_no_sample (void)
{
  GByteArray *bytes = plain_stream (PLAIN, clock_and_faults, 2, g_byte_array_new ());
  g_autoptr (GError) error = NULL;

  write_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
  g_assert_null (wp_open_stacks (path, NULL, NULL, NULL, &error));
  g_assert_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED);
}

/* --- with task switches ------------------------------------------------------------------------------------------- */

/* A run's samples share it; a sleep's time is its stack's; what began before the recording is no sleep that anything is known of. Nobody's time is
 * what the idle task was sampled for. */
static void
test_switches (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x180 }, kernel[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x210 };
  GByteArray *records = maker_exchange ();
  g_autoptr (WpStacks) stacks = NULL;

  maker_sample (records, 3, 11, 2100, 0, user, 2, NULL);
  maker_sample (records, 3, 0, 3000, 0, kernel, 2, NULL);
  stacks = open_bytes (maker_stream (records, FALSE));
  assert_stacks (stacks, "cpu-clock/nanoseconds on-cpu/nanoseconds* off-cpu/nanoseconds",
                 "swapper/swapper 0/0 @2000 1 0 0 schedule\n"
                 "pass/pass 11/11 @500 1 750 0 /nowhere/pass+1170</nowhere/pass+125f\n"
                 "pass/pass 11/11 @1100 1 750 0 /nowhere/pass+1180\n"
                 "pass/pass 11/11 @1500 0 0 2000 __schedule<schedule</nowhere/pass+1150</nowhere/pass+125f\n"
                 "pass/pass 11/11 @3500 0 1500 0 \n"
                 "pass/pass 12/12 @0 0 100 0 \n"
                 "pass/pass 12/12 @100 0 0 1100 __schedule<schedule</nowhere/pass+1150</nowhere/pass+125f\n"
                 "pass/pass 12/12 @1200 0 2800 0 \n"
                 "pass/pass 12/12 @4000 0 0 1000 __schedule<schedule</nowhere/pass+1150</nowhere/pass+125f\n");
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Without a CPU, with a period or without one; one frame on the line or many below it. */
static void
test_text (void)
{
  g_autoptr (WpStacks) stacks = open_text (
    "make 10 1.000000: 250000 cpu-clock:ppp: \n\tffffffff81000110 __schedule+0x10 ([kernel.kallsyms])\n\t401136 main+0x6 (/usr/bin/make)\n\n"
    "make 10 1.000100: 1 page-faults: 401140 main+0x10 (/usr/bin/make)\n"
    "cc 10 1.000200: 500000 cpu-clock:ppp: \n\t401136 main+0x6 (/usr/bin/make)\n\n");

  assert_stacks (stacks, "cpu-clock:ppp_samples/count cpu-clock:ppp/nanoseconds* page-faults/count",
                 "make/make 0/10 @0 1 250000 0 __schedule<main\n"
                 "make/make 0/10 @100000 0 0 1 main\n"
                 "cc/cc 0/10 @200000 1 500000 0 main\n");
}

/* Of many events those that count one by one share a type. */
static void
test_many_events (void)
{
  g_autoptr (GString) lines = g_string_new ("a 1 1.000000: 5000 cpu-clock: 401136 main+0x6 (/bin/a)\n");
  g_autoptr (WpStacks) stacks = NULL;
  g_autofree char *types = NULL, *labels = NULL;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (lines, "a 1 1.0001%02u: 1 some:event_%u: 401136 main+0x6 (/bin/a)\n", i, i % 20);
  stacks = open_text (lines->str);
  types = types_of (stacks);
  labels = labels_of (stacks, 23);
  g_assert_cmpstr (types, ==, "cpu-clock_samples/count cpu-clock/nanoseconds* events/count");
  g_assert_cmpstr (labels, ==, "event=some:event_2 process=a thread=a tid=1");
  g_assert_cmpuint (stacks->labels->sets.len, ==, 22);
  g_assert_cmpint (stacks->values[2].data[23], ==, 1);
}

/* What is no recording is opened by what it says of itself. */
static void
test_others (void)
{
  g_autoptr (WpStacks) stacks = open_text ("main;work 3\nmain 1\n");

  g_assert_cmpuint (stacks->n_samples, ==, 2);
}

int
main (int argc, char **argv)
{
  int fd = g_file_open_tmp ("wakepath-recording-stacks-XXXXXX", &path, NULL), status;

  close (fd);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-stacks/plain", test_plain);
  g_test_add_func ("/recording-stacks/plain-32", test_plain_32);
  g_test_add_func ("/recording-stacks/not-explained", test_not_explained);
  g_test_add_func ("/recording-stacks/least", test_least);
  g_test_add_func ("/recording-stacks/loose", test_loose);
  g_test_add_func ("/recording-stacks/no-sample", test_no_sample);
  g_test_add_func ("/recording-stacks/switches", test_switches);
  g_test_add_func ("/recording-stacks/text", test_text);
  g_test_add_func ("/recording-stacks/many-events", test_many_events);
  g_test_add_func ("/recording-stacks/others", test_others);
  status = g_test_run ();
  g_unlink (path);
  g_free (path);
  return status;
}
