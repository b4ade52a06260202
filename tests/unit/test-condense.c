/* Condensing: recordings whose stack bytes become frames; made of the registers and stack bytes of the test itself. */
#include "../common/stack-bytes.h"
#include "perf-maker.h"
#include "read/perf/condense.h"
#include "unwind-capture.h"
#include "unwind-victim.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SECRET G_GUINT64_CONSTANT (0x5ec2e75ec2e75ec2)

/* A sample with registers and stack bytes; `id` and `raw` as maker_sample() has them. */
static void
stack_sample (GByteArray *out, guint64 id, gint32 pid, guint64 time, gsize room, GByteArray *raw)
{
  static const guint64 kernel[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x220 };
  gsize start = out->len;
  guint16 size;

  if (raw == NULL)
    raw = g_byte_array_new ();
  while (raw->len % 8 != 4) /* as the kernel pads it */
    maker_bytes (raw, "", 1);
  maker_sample (out, id, pid, time, 0, kernel, 3, raw);
  maker_u64 (out, PERF_SAMPLE_REGS_ABI_64);
  maker_bytes (out, captured.registers, sizeof captured.registers);
  maker_u64 (out, room);
  maker_bytes (out, captured.stack, room);
  maker_u64 (out, MIN (room, captured.size));
  size = (guint16) (out->len - start);
  memcpy (out->data + start + 6, &size, 2);
}

static void
stack_switch (GByteArray *out, guint64 time, gint32 prev, gint32 next, gsize room)
{
  GByteArray *raw = maker_raw (MAKER_SWITCH, 0, prev);

  maker_text (raw, "victim", 16);
  maker_u32 (raw, (guint32) prev);
  maker_u32 (raw, 120);
  maker_u64 (raw, 1);
  maker_text (raw, "victim", 16);
  maker_u32 (raw, (guint32) next);
  maker_u32 (raw, 120);
  stack_sample (out, 1, prev, time, room, raw);
}

static void
map_record (guint64 start, guint64 size, guint64 offset, const char *path, gpointer data)
{
  maker_mmap2 (data, 11, start, size, offset, path, 0);
}

static void
ask_for_stacks (GByteArray *stream, guint which)
{
  gsize at = 16 + which * (8 + sizeof (struct perf_event_attr) + 8) + 8;
  struct perf_event_attr attr;

  memcpy (&attr, stream->data + at, sizeof attr);
  attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr.exclude_callchain_user = 1;
  attr.sample_regs_user = CAPTURE_MASK;
  attr.sample_stack_user = 8192;
  memcpy (stream->data + at, &attr, sizeof attr);
}

/* Two tasks of one process; of the events, switches and CPU samples come with stack bytes, wakings do not. */
static GByteArray *
make_recording (void)
{
  GByteArray *records = g_byte_array_new (), *stream;
  volatile guint64 secret[2] = { SECRET, SECRET };

  maker_comm (records, 11, "victim", FALSE, 0, 0);
  maker_comm (records, 12, "victim", FALSE, 0, 0);
  each_mapping (map_record, records);
  maker_fork (records, 11, 12, 500);
  maker_waking (records, 900, 0, 0, 11, "victim", 0);
  for (guint i = 0; i < 40; i++)
    {
      victim_recurse ((int) i / 2, capture);
      stack_switch (records, 1000 + 1000 * i, 11 + i % 2, 12 - i % 2, 8192);
      stack_sample (records, 3, 12 - i % 2, 1500 + 1000 * i, i % 3 == 2 ? 512 : 8192, NULL);
      maker_waking (records, 1700 + 1000 * i, 0, 12 - i % 2, 11 + i % 2, "victim", 0);
    }
  g_assert_cmphex (secret[0], ==, SECRET);
  stream = maker_stream (records, FALSE);
  ask_for_stacks (stream, 0);
  ask_for_stacks (stream, 2);
  return stream;
}

/* Without tracepoints, whose made-up formats perf would not take. */
static GByteArray *
make_samples (void)
{
  GByteArray *out = g_byte_array_new (), *body = g_byte_array_new ();

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  maker_attr (body, maker_events[2].type, maker_events[2].config, FALSE);
  maker_u64 (body, 3);
  maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
  ask_for_stacks (out, 0);
  maker_comm (out, 11, "victim", FALSE, 0, 0);
  each_mapping (map_record, out);
  for (guint i = 0; i < 40; i++)
    {
      victim_recurse ((int) i, capture);
      stack_sample (out, 3, 11, 1500 + 1000 * i, 16384, NULL);
    }
  return out;
}

typedef struct
{
  char *folder, *from, *to;
} Files;

static Files
write_files (const guint8 *data, gsize n)
{
  Files self = { .folder = g_dir_make_tmp ("wakepath-condense-XXXXXX", NULL) };

  self.from = g_build_filename (self.folder, "from.data", NULL);
  self.to = g_build_filename (self.folder, "to.data", NULL);
  g_assert_true (g_file_set_contents (self.from, (const char *) data, (gssize) n, NULL));
  return self;
}

static void
remove_files (Files *self)
{
  g_unlink (self->from);
  g_unlink (self->to);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->from);
  g_free (self->to);
  g_free (self->folder);
}

static void
assert_same_stack (const WpTrace *a, WpId x, const WpTrace *b, WpId y)
{
  while (x != 0 && y != 0)
    {
      const WpFrame *p = &a->frames.data[a->stacks.data[x].frame], *q = &b->frames.data[b->stacks.data[y].frame];

      g_assert_cmpstr (wp_trace_string (a, a->modules.data[p->module].path), ==,
                       wp_trace_string (b, b->modules.data[q->module].path));
      g_assert_cmphex (p->offset, ==, q->offset);
      g_assert_cmpstr (wp_trace_function_name (a, p->function), ==, wp_trace_function_name (b, q->function));
      x = a->stacks.data[x].parent;
      y = b->stacks.data[y].parent;
    }
  g_assert_cmpint (x, ==, y);
}

static void
assert_same_trace (const WpTrace *a, const WpTrace *b)
{
  guint32 deep = 0;

  g_assert_cmpint (a->samples.len, ==, b->samples.len);
  g_assert_cmpint (a->ops.len, ==, b->ops.len);
  g_assert_cmpint (a->diagnostics.n[WP_DIAG_EVENTS], ==, b->diagnostics.n[WP_DIAG_EVENTS]);
  g_assert_cmpint (b->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  for (guint32 i = 1; i < a->samples.len; i++)
    assert_same_stack (a, a->samples.data[i].stack, b, b->samples.data[i].stack);
  for (guint32 i = 1; i < a->ops.len; i++)
    if (a->ops.data[i].kind == WP_OP_SLEEP)
      {
        assert_same_stack (a, a->ops.data[i].detail, b, b->ops.data[i].detail);
        for (WpId s = a->ops.data[i].detail, n = 0; s != 0; s = a->stacks.data[s].parent)
          deep += ++n == 20;
      }
  g_assert_cmpint (deep, >, 10);
}

static gboolean
condense (const Files *files, WpCondenseStats *stats, WpProgress *progress, GError **error)
{
  int fd = open (files->to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gboolean done;

  g_assert_cmpint (fd, >=, 0);
  done = wp_condense_into (files->from, fd, files->to, NULL, stats, progress, error);
  close (fd);
  return done;
}

static gboolean
has_stack_bytes (const char *path)
{
  g_autofree char *data = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &data, &n, NULL));
  return stream_has_stack_bytes ((const guint8 *) data, n);
}

static gboolean
holds_secret (const char *path)
{
  static const guint64 secret = SECRET;
  g_autofree char *data = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &data, &n, NULL));
  return memmem (data, n, &secret, sizeof secret) != NULL;
}

static void
test_condense (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  Files files = write_files (stream->data, stream->len);
  WpCondenseStats stats;
  GError *error = NULL;
  GStatBuf st;
  WpTrace *before, *after;

  g_assert_true (has_stack_bytes (files.from));
  g_assert_true (condense (&files, &stats, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (has_stack_bytes (files.to));
  g_assert_cmpint (stats.stacks, ==, 80);
  g_assert_cmpint (stats.whole + stats.completed, >=, 60);
  g_assert_cmpint (stats.completed, >, 0);
  g_assert_cmpint (stats.bytes_in, ==, stream->len);
  g_assert_cmpint (g_stat (files.to, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, stats.bytes_out);
  g_assert_true (holds_secret (files.from));
  g_assert_false (holds_secret (files.to));

  before = wp_read (files.from, NULL, NULL, &error);
  g_assert_no_error (error);
  after = wp_read (files.to, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_same_trace (before, after);
  g_assert_cmpint (before->diagnostics.n[WP_DIAG_STACKS_COMPLETED], ==, stats.completed);
  wp_trace_free (before);
  wp_trace_free (after);

  remove_files (&files);
}

/* What perf makes of it: as many frames of the recursion as there were. */
static void
test_condense_for_perf (void)
{
  g_autofree char *perf = g_find_program_in_path ("perf"), *output = NULL;
  g_autoptr (GByteArray) stream = NULL;
  guint frames = 0;
  Files files;

  if (perf == NULL)
    {
      g_test_skip ("there is no perf here (package linux-perf)");
      return;
    }
  stream = make_samples ();
  files = write_files (stream->data, stream->len);
  g_assert_true (condense (&files, NULL, NULL, NULL));
  g_assert_true (g_spawn_sync (NULL, (char *[]){ perf, "script", "-F", "comm,event,ip,sym", "-i", files.to, NULL }, NULL,
                               G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL, NULL, NULL));
  for (const char *at = output; (at = strstr (at, "victim_recurse")) != NULL; at++)
    frames++;
  g_assert_cmpint (frames, ==, 40 * 41 / 2);
  remove_files (&files);
}

static void
test_condense_cancelled (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  Files files = write_files (stream->data, stream->len);
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (condense (&files, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  remove_files (&files);
}

/* Cut off anywhere, it is condensed up to the cut; damaged anywhere, nothing crashes, and no stack bytes get through. */
static void
test_condense_damaged (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  guint64 stacks = 0;

  for (gsize n = 17; n < stream->len; n += 4711)
    {
      Files files = write_files (stream->data, n);
      WpCondenseStats stats;

      g_assert_true (condense (&files, &stats, NULL, NULL));
      g_assert_cmpint (stats.stacks, >=, stacks);
      stacks = stats.stacks;
      remove_files (&files);
    }
  for (guint round = 0; round < 60; round++)
    {
      g_autofree guint8 *copy = g_memdup2 (stream->data, stream->len);
      Files files;

      for (guint i = 0; i < 1 + round; i++)
        copy[g_rand_int_range (random, 1200, (gint32) stream->len)] = (guint8) g_rand_int (random);
      files = write_files (copy, stream->len);
      condense (&files, NULL, NULL, NULL);
      remove_files (&files);
    }
}

/* A recording that grows beyond the addresses that are kept for it. */
static void
test_too_large (void)
{
  static const guint8 nothing[1] = { 0 };
  Files files = write_files (nothing, sizeof nothing);
  int from = open (files.from, O_RDONLY | O_CLOEXEC), to = open (files.to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  WpCondensing *condensing = wp_condensing_new (from, to, 0);
  g_autoptr (GError) error = NULL;
  guint64 written;

  g_assert_false (wp_condensing_go_on (condensing, (G_GUINT64_CONSTANT (1) << 37) + 1, 0, &written, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED);
  wp_condensing_free (condensing);
  close (from);
  close (to);
  remove_files (&files);
}

int
main (int argc, char **argv)
{
  capture_begin ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/condense/same-stacks", test_condense);
  g_test_add_func ("/condense/for-perf", test_condense_for_perf);
  g_test_add_func ("/condense/cancelled", test_condense_cancelled);
  g_test_add_func ("/condense/damaged", test_condense_damaged);
  g_test_add_func ("/condense/too-large", test_too_large);
  return g_test_run ();
}
