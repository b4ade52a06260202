/* A stream becomes a file, compressed or not, which says the same and has what other readers look for. */
#include "perf-maker.h"
#include "read/perf/pack.h"
#include "trace-text.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define CALLCHAIN_FREE 4 /* the id of another sched_switch, without stacks */
#define COMMAND_LINE "\1\0\0\0\10\0\0\0command"

/* --- streams ------------------------------------------------------------------------------------------------------ */

static guint64
number (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, 8);
  return value;
}

/* As our recorder writes them: samples without an address, and those of one event without a stack. */
static void
append_stripped (GByteArray *out, const GByteArray *records)
{
  for (gsize at = 0; at < records->len;)
    {
      const guint8 *record = records->data + at;
      const guint8 *chain = record + 8 + 48;
      guint16 said, left;
      guint32 size;

      memcpy (&said, record + 6, 2);
      size = said != 0 ? said : 1 << 16; /* before it is stripped the longest has 8 bytes too many */
      at += size;
      if (record[0] != PERF_RECORD_SAMPLE)
        {
          maker_bytes (out, record, size);
          continue;
        }
      left = (guint16) (size - 8 - (number (record + 8) == CALLCHAIN_FREE ? 8 : 0));
      maker_bytes (out, record, 6);
      maker_bytes (out, &left, 2);
      maker_bytes (out, record + 8, 8);
      maker_bytes (out, record + 24, (gsize) (chain - record) - 24);
      if (number (record + 8) == CALLCHAIN_FREE)
        chain += 8;
      maker_bytes (out, chain, (gsize) (record + size - chain));
    }
}

static void
add_attr (GByteArray *out, guint32 type, guint64 config, guint64 id)
{
  struct perf_event_attr attr = { .type = type, .size = sizeof attr, .config = config, .sample_period = 1, .sample_id_all = 1,
                                  .sample_type = MAKER_TYPE & ~(guint64) PERF_SAMPLE_IP };
  GByteArray *body = g_byte_array_new ();

  if (id == CALLCHAIN_FREE)
    attr.sample_type &= ~(guint64) PERF_SAMPLE_CALLCHAIN;
  maker_bytes (body, &attr, sizeof attr);
  maker_u64 (body, id);
  maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
}

/* A switch of the event without stacks. */
static void
add_bare_switch (GByteArray *records, guint64 time)
{
  const gsize at = records->len;

  maker_switch_at (records, time, 1, 12, "b", 0, 0, "swapper/1", NULL, 0);
  records->data[at + 8] = CALLCHAIN_FREE;
}

static GByteArray *
make_stream (const GByteArray *more)
{
  GByteArray *out = g_byte_array_new (), *records = maker_exchange ();

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  for (guint i = 0; i < G_N_ELEMENTS (maker_events); i++)
    add_attr (out, maker_events[i].type, maker_events[i].config, i + 1);
  add_attr (out, PERF_TYPE_TRACEPOINT, MAKER_SWITCH, CALLCHAIN_FREE);
  maker_tracing (out, maker_tracing_data ());
  maker_feature (out, WP_PERF_FEATURE_CMDLINE, COMMAND_LINE, 16);
  maker_feature (out, WP_PERF_FEATURE_HOSTNAME, "\10\0\0\0machine\0\0\0\0", 16);
  add_bare_switch (records, 6900);
  if (more != NULL)
    maker_bytes (records, more->data, more->len);
  append_stripped (out, records);
  g_byte_array_unref (records);
  return out;
}

typedef struct
{
  char *stream, *file;
} Fixture;

static char *
make_path (void)
{
  char *path;
  int fd = g_file_open_tmp ("wakepath-pack-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  return path;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->stream = make_path ();
  self->file = make_path ();
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->stream);
  g_unlink (self->file);
  g_free (self->stream);
  g_free (self->file);
}

static void
write_stream (const Fixture *self, GByteArray *stream)
{
  g_assert_true (g_file_set_contents (self->stream, (const char *) stream->data, (gssize) stream->len, NULL));
  g_byte_array_unref (stream);
}

static gboolean
pack (const Fixture *self, gboolean compress, GError **error)
{
  int fd = open (self->file, O_RDWR | O_TRUNC | O_CLOEXEC);
  gboolean done = wp_pack_into (self->stream, fd, self->file, compress, NULL, error);

  close (fd);
  return done;
}

static GByteArray *
packed (const Fixture *self, gboolean compress)
{
  GError *error = NULL;
  char *data;
  gsize n;

  g_assert_true (pack (self, compress, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (self->file, &data, &n, NULL));
  return g_byte_array_new_take ((guint8 *) data, n);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void
check_same (const Fixture *self)
{
  g_autofree char *before = trace_text (self->stream);

  g_assert_nonnull (strstr (before, "__schedule([kernel])"));
  g_assert_nonnull (strstr (before, "sched:sched_switch"));
  for (int compress = FALSE; compress <= TRUE; compress++)
    {
      g_autoptr (GByteArray) file = packed (self, compress);
      g_autofree char *after = trace_text (self->file);

      g_assert_cmpstr (after, ==, before);
    }
}

static void
test_same (Fixture *self, gconstpointer data)
{
  write_stream (self, make_stream (NULL));
  check_same (self);
}

/* Symbols come in any order. */
static void
test_symbols (Fixture *self, gconstpointer data)
{
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL - 0xf0, MAKER_KERNEL + 0x210 };
  g_autoptr (GByteArray) more = g_byte_array_new ();
  g_autofree char *before = NULL;
  GByteArray *stream;

  maker_sample (more, 3, 11, 8000, 0, chain, G_N_ELEMENTS (chain), NULL);
  stream = make_stream (more);
  memcpy (memmem (stream->data, stream->len, "ffffffffc0000000 t nf_hook", 26), "ffffffff80ffff00", 16);
  write_stream (self, stream);
  before = trace_text (self->stream);
  g_assert_nonnull (strstr (before, "nf_hook"));
  check_same (self);
}

/* More than what is packed at once, and what cannot be made smaller: records of a stream's pieces are split. */
static void
test_large (Fixture *self, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GByteArray) more = g_byte_array_new ();
  guint64 chain[1000];

  for (guint i = 0; i < 200; i++)
    {
      chain[0] = PERF_CONTEXT_USER;
      for (guint k = 1; k < G_N_ELEMENTS (chain); k++)
        chain[k] = ((guint64) g_rand_int (random) << 16 | g_rand_int (random)) & 0x7fffffffffff;
      maker_sample (more, 3, 11, 8000 + 10 * i, 0, chain, G_N_ELEMENTS (chain), NULL);
    }
  write_stream (self, make_stream (more));
  check_same (self);
}

/* Two attributes of one event are one, with the ids of both; all have an address and a stack. */
static void
test_attributes (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) file = NULL;
  const guint8 *attrs;
  guint64 attr_size, size;

  write_stream (self, make_stream (NULL));
  file = packed (self, TRUE);
  attr_size = number (file->data + 16);
  attrs = file->data + number (file->data + 24);
  size = number (file->data + 32);
  g_assert_cmpuint (attr_size, ==, sizeof (struct perf_event_attr) + 16);
  g_assert_cmpuint (size / attr_size, ==, 3);
  g_assert_cmpuint (size % attr_size, ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      const guint8 *ids = file->data + number (attrs + (i + 1) * attr_size - 16);
      struct perf_event_attr attr;

      memcpy (&attr, attrs + i * attr_size, sizeof attr);
      g_assert_cmpuint (attr.size, ==, sizeof attr);
      g_assert_cmphex (attr.sample_type, ==, MAKER_TYPE);
      g_assert_cmpuint (number (attrs + (i + 1) * attr_size - 8), ==, i == 0 ? 16 : 8);
      g_assert_cmpuint (number (ids), ==, i + 1);
      g_assert_true (i > 0 || number (ids + 8) == CALLCHAIN_FREE);
    }
}

/* Where a feature is; NULL: the file has none. */
static const guint8 *
find_feature (const GByteArray *file, guint wanted, guint64 *size)
{
  const guint8 *row = file->data + number (file->data + 40) + number (file->data + 48);

  for (guint i = 0; i < 256; i++)
    if (file->data[72 + i / 8] >> (i % 8) & 1)
      {
        *size = number (row + 8);
        if (i == wanted)
          return file->data + number (row);
        row += 16;
      }
  return NULL;
}

/* In tables of the file; of texts no more than their length says. The formats are without the kernel's symbols. */
static void
test_features (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) file = NULL;
  const guint8 *formats;
  guint64 size;

  write_stream (self, make_stream (NULL));
  file = packed (self, TRUE);
  g_assert_cmpmem (find_feature (file, WP_PERF_FEATURE_CMDLINE, &size), 16, COMMAND_LINE, 16);
  g_assert_nonnull (find_feature (file, WP_PERF_FEATURE_HOSTNAME, &size));
  g_assert_cmpuint (size, ==, 12);
  g_assert_nonnull (find_feature (file, WP_PERF_FEATURE_VERSION, &size));
  g_assert_nonnull (find_feature (file, WP_PERF_FEATURE_CPUID, &size));
  formats = find_feature (file, WP_PERF_FEATURE_TRACING_DATA, &size);
  g_assert_null (memmem (formats, size, "ffffffff81000100", 16));
  g_assert_nonnull (memmem (formats, size, "sched_waking", 12));
  g_assert_nonnull (find_feature (file, WP_PERF_FEATURE_COMPRESSED, &size));
  g_assert_cmpuint (size, ==, 20);
  g_byte_array_unref (file);
  file = packed (self, FALSE);
  g_assert_null (find_feature (file, WP_PERF_FEATURE_COMPRESSED, &size));
}

/* The first sample of an event that a file that is not compressed has, behind its header. */
static const guint8 *
find_sample (const GByteArray *file, guint64 id, guint64 time)
{
  const guint8 *at = file->data + number (file->data + 40), *end = at + number (file->data + 48);

  for (guint16 size; at < end; at += size)
    {
      memcpy (&size, at + 6, 2);
      if (at[0] == PERF_RECORD_SAMPLE && number (at + 8) == id && number (at + 32) == time)
        return at + 8;
    }
  g_assert_not_reached ();
}

static void
test_addresses (Fixture *self, gconstpointer data)
{
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x330, PERF_CONTEXT_USER, MAKER_USER };
  static const guint64 marks[] = { PERF_CONTEXT_KERNEL, PERF_CONTEXT_USER };
  g_autoptr (GByteArray) more = g_byte_array_new (), file = NULL;

  maker_sample (more, 3, 11, 8000, 0, chain, G_N_ELEMENTS (chain), NULL);
  maker_sample (more, 3, 11, 8010, 0, marks, G_N_ELEMENTS (marks), NULL);
  write_stream (self, make_stream (more));
  file = packed (self, FALSE);
  g_assert_cmphex (number (find_sample (file, 3, 8000) + 8), ==, MAKER_KERNEL + 0x330);
  g_assert_cmphex (number (find_sample (file, 3, 8010) + 8), ==, 0);
  g_assert_cmphex (number (find_sample (file, CALLCHAIN_FREE, 6900) + 8), ==, 0);
  g_assert_cmpuint (number (find_sample (file, CALLCHAIN_FREE, 6900) + 48), ==, 0);
}

/* A record of 65,528 bytes has no room for an address: its outermost frame goes. One frame less has. */
static void
test_longest (Fixture *self, gconstpointer data)
{
  const guint n_most = (65528 - 8 - 48 - 8) / 8; /* header, fixed part without the address, the raw part */
  g_autofree guint64 *chain = g_new (guint64, n_most);
  g_autoptr (GByteArray) more = g_byte_array_new (), file = NULL;
  const guint8 *sample;

  chain[0] = PERF_CONTEXT_USER;
  for (guint i = 1; i < n_most; i++)
    chain[i] = MAKER_USER + i;
  for (guint i = 0; i < 2; i++)
    maker_sample (more, 3, 11, 8000 + i, 0, chain, n_most - i, NULL);
  write_stream (self, make_stream (more));
  file = packed (self, FALSE);
  for (guint i = 0; i < 2; i++)
    {
      sample = find_sample (file, 3, 8000 + i);
      g_assert_cmphex (number (sample + 8), ==, MAKER_USER + 1);
      g_assert_cmpuint (number (sample + 48), ==, n_most - 1);
      g_assert_cmphex (number (sample + 56 + 8 * (n_most - 2)), ==, MAKER_USER + n_most - 2);
    }
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  GByteArray *stream = make_stream (NULL);
  const gsize whole = stream->len;
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (stream, (guint) whole - 8);
  write_stream (self, stream);
  g_assert_false (pack (self, TRUE, &error));
  g_assert_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED);
  g_assert_nonnull (strstr (error->message, "is damaged or cut off (at byte "));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (self->stream, "PERFILE2 and more than that", -1, NULL));
  g_assert_false (pack (self, TRUE, &error));
  g_assert_nonnull (strstr (error->message, "is no perf.data stream"));
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/pack/same", test_same);
  ADD ("/pack/symbols", test_symbols);
  ADD ("/pack/large", test_large);
  ADD ("/pack/attributes", test_attributes);
  ADD ("/pack/features", test_features);
  ADD ("/pack/addresses", test_addresses);
  ADD ("/pack/longest", test_longest);
  ADD ("/pack/refused", test_refused);
  return g_test_run ();
}
