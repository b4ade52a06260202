/* Recordings with compressed records, and files packed as a whole: what comes out is what went in, cut off or damaged
 * anywhere, and what would fill the disk is refused. */
#include "base/packed.h"
#include "read/read-private.h"

#include "pack-maker.h"
#include "read-maker.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path;

static void
assert_same (const WpTrace *a, const WpTrace *b)
{
  g_assert_cmpmem (a->ops.data, a->ops.len * sizeof *a->ops.data, b->ops.data, b->ops.len * sizeof *b->ops.data);
  g_assert_cmpmem (a->links.data, a->links.len * sizeof *a->links.data, b->links.data, b->links.len * sizeof *b->links.data);
  g_assert_cmpmem (a->stacks.data, a->stacks.len * sizeof *a->stacks.data, b->stacks.data,
                   b->stacks.len * sizeof *b->stacks.data);
  g_assert_cmpmem (&a->diagnostics, sizeof a->diagnostics, &b->diagnostics, sizeof b->diagnostics);
}

/* Several seconds of two processes that hand work to one another. */
static GByteArray *
long_exchange (void)
{
  GByteArray *records = maker_exchange ();

  for (guint i = 1; i < 200; i++)
    {
      maker_switch (records, i * 10000, 0, 0, "swapper/0", 0, 11, "pass");
      maker_waking (records, i * 10000 + 1000, 0, 11, 12, "pass", 0);
      maker_switch (records, i * 10000 + 2000, 0, 11, "pass", 1, 0, "swapper/0");
    }
  return records;
}

/* --- compressed records ------------------------------------------------------------------------------------------- */

static void
test_compressed (void)
{
  static const PackCompressor how[] = {
    { WP_PERF_RECORD_COMPRESSED, 4096 }, { WP_PERF_RECORD_COMPRESSED, 7 },  { WP_PERF_RECORD_COMPRESSED2, 4096 },
    { WP_PERF_RECORD_COMPRESSED2, 100 }, { WP_PERF_RECORD_COMPRESSED, 100, TRUE },
  };
  g_autoptr (WpTrace) plain = maker_read_whole (path, maker_stream (long_exchange (), FALSE));

  g_assert_cmpuint (plain->diagnostics.n[WP_DIAG_EVENTS], >, 600);
  for (guint i = 0; i < G_N_ELEMENTS (how); i++)
    {
      g_autoptr (WpTrace) stream = maker_read_whole (path, maker_stream (pack_records (long_exchange (), &how[i]), FALSE));
      g_autoptr (WpTrace) file = maker_read_whole (path, maker_file (pack_records (long_exchange (), &how[i])));

      g_test_message ("%u", i);
      assert_same (stream, plain);
      assert_same (file, plain);
    }
}

/* Cut anywhere: what was before the cut is there, and it is said that something is missing. */
static void
test_compressed_cut (void)
{
  static const PackCompressor how = { WP_PERF_RECORD_COMPRESSED, 500 };
  g_autoptr (GByteArray) whole = maker_stream (pack_records (long_exchange (), &how), FALSE);
  guint64 events = 0, all = 0;

  for (gsize n = 1000; n <= whole->len; n += n + 60 < whole->len ? 53 : 1)
    {
      GByteArray *cut = g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = NULL;

      maker_bytes (cut, whole->data, n);
      trace = maker_read (path, cut, &error);
      g_assert_true ((trace == NULL) == (error != NULL));
      if (trace == NULL)
        continue;
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], >=, events);
      events = trace->diagnostics.n[WP_DIAG_EVENTS];
      all++;
    }
  g_assert_cmpuint (all, >, 50);
  g_assert_cmpuint (events, >, 600);
}

/* From a damage on nothing of the stream can be read; another that begins later can. */
static void
test_compressed_damage (void)
{
  static const PackCompressor one = { WP_PERF_RECORD_COMPRESSED, 500 }, many = { WP_PERF_RECORD_COMPRESSED, 500, TRUE };
  guint64 events[2];

  for (guint i = 0; i < 2; i++)
    {
      GByteArray *records = pack_records (long_exchange (), i == 0 ? &one : &many);
      g_autoptr (WpTrace) trace = NULL;

      memset (records->data + records->len / 2, 0xff, 40);
      trace = maker_read_whole (path, maker_stream (records, FALSE));
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], >=, 1);
      events[i] = trace->diagnostics.n[WP_DIAG_EVENTS];
    }
  g_assert_cmpuint (events[0], >, 200);
  g_assert_cmpuint (events[0], <, 500);
  g_assert_cmpuint (events[1], >, 580);
}

/* --- packed files ------------------------------------------------------------------------------------------------- */

typedef GByteArray *(*PackFunc) (const guint8 *data, gsize n, int level);
static const PackFunc packers[] = { pack_gzip, pack_zstd };

static GByteArray *
text_bytes (void)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint i = 1; i < 400; i++)
    {
      g_autofree char *line = g_strdup_printf (
        "pass %u/%u [000] 1.%06u: sched:sched_switch: prev_comm=pass prev_pid=%u prev_prio=120 prev_state=S ==> "
        "next_comm=pass next_pid=%u next_prio=120\n\n", 11 + i % 2, 11 + i % 2, i * 10, 11 + i % 2, 12 - i % 2);

      maker_bytes (bytes, line, strlen (line));
    }
  return bytes;
}

static GByteArray *
bytes_of (guint kind)
{
  static const PackCompressor how = { WP_PERF_RECORD_COMPRESSED, 500 };

  switch (kind)
    {
    case 0:
      return maker_stream (long_exchange (), FALSE);
    case 1:
      return maker_file (long_exchange ());
    case 2:
      return maker_stream (pack_records (long_exchange (), &how), FALSE);
    default:
      return text_bytes ();
    }
}

static void
test_packed (void)
{
  for (guint kind = 0; kind < 4; kind++)
    {
      g_autoptr (WpTrace) plain = maker_read_whole (path, bytes_of (kind));

      for (guint i = 0; i < G_N_ELEMENTS (packers); i++)
        {
          g_autoptr (GByteArray) bytes = bytes_of (kind), second = NULL;
          GByteArray *packed = packers[i](bytes->data, bytes->len / 3, 6); /* in two members */
          g_autoptr (WpTrace) trace = NULL;

          second = packers[i](bytes->data + bytes->len / 3, bytes->len - bytes->len / 3, 6);
          maker_bytes (packed, second->data, second->len);
          trace = maker_read_whole (path, packed);
          assert_same (trace, plain);
          g_assert_cmpstr (trace->format, ==, plain->format);
        }
    }
}

static void
test_packed_cut (void)
{
  for (guint kind = 0; kind < 4; kind += 3)
    for (guint i = 0; i < G_N_ELEMENTS (packers); i++)
      {
        g_autoptr (GByteArray) bytes = bytes_of (kind), packed = packers[i](bytes->data, bytes->len, 1);
        GByteArray *cut = g_byte_array_new (), *head = g_byte_array_new (), *spoiled = g_byte_array_new ();
        g_autoptr (WpTrace) trace = NULL, damaged = NULL;
        g_autoptr (GError) error = NULL, other = NULL;

        maker_bytes (cut, packed->data, packed->len * 9 / 10);
        trace = maker_read (path, cut, &error);
        if (trace != NULL) /* zstd gives whole blocks only */
          {
            g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_TRUNCATED], ==, 1);
            g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_EVENTS], >, 100);
          }
        else
          g_assert_nonnull (strstr (error->message, "cut off"));
        g_assert_true (trace != NULL || packers[i] == pack_zstd);
        maker_bytes (head, packed->data, 15);
        g_assert_null (maker_read (path, head, &other));
        g_assert_nonnull (strstr (other->message, "cut off"));
        g_assert_nonnull (strstr (other->message, path));
        maker_bytes (spoiled, packed->data, packed->len);
        spoiled->data[packed->len - 6] ^= 0xff; /* gzip: the checksum */
        damaged = packers[i] == pack_gzip ? maker_read (path, spoiled, NULL) : NULL;
        g_assert_true (packers[i] != pack_gzip || damaged->diagnostics.n[WP_DIAG_DAMAGED_RECORDS] == 1);
        if (packers[i] != pack_gzip)
          g_byte_array_unref (spoiled);
      }
}

static void
assert_refused (GByteArray *bytes, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (maker_read (path, bytes, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_bomb (void)
{
  g_autoptr (GByteArray) text = text_bytes (), once = NULL;
  gsize n = 300 * 1024 * 1024;
  g_autofree guint8 *much = g_malloc0 (n);

  memcpy (much, text->data, text->len);
  for (guint i = 0; i < G_N_ELEMENTS (packers); i++)
    assert_refused (packers[i](much, n, 9), "256.0");
  once = pack_gzip (text->data, text->len, 6);
  assert_refused (pack_gzip (once->data, once->len, 6), "twice");
}

/* What fills the last piece to its end is whole: nothing is left to come. */
static void
test_full_piece (void)
{
  g_autofree guint8 *zeros = g_malloc0 (1 << 17);

  for (guint i = 0; i < G_N_ELEMENTS (packers); i++)
    for (guint members = 1; members <= 2; members++)
      {
        g_autoptr (GByteArray) one = packers[i](zeros, 1 << 17, 6), packed = g_byte_array_new ();
        g_autoptr (GError) error = NULL;
        WpUnpacked result;
        struct stat info;
        int fd;

        for (guint m = 0; m < members; m++)
          maker_bytes (packed, one->data, one->len);
        fd = wp_unpack ("a file", packed->data, packed->len, &result, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (fstat (fd, &info), ==, 0);
        close (fd);
        g_assert_cmpint (info.st_size, ==, members << 17);
        g_assert_false (result.cut || result.padded || result.damaged);
      }
}

/* Formats of which a part is of no use. */
static void
test_open (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) text = text_bytes (), packed = packers[i](text->data, text->len, 6);
      g_autofree guint8 *buffer = g_malloc (text->len + 1);
      g_autoptr (GError) error = NULL;
      int fd;

      g_assert_true (g_file_set_contents (path, (char *) packed->data, packed->len, NULL));
      fd = wp_open_unpacked (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (read (fd, buffer, text->len + 1), ==, text->len);
      g_assert_cmpmem (buffer, text->len, text->data, text->len);
      close (fd);
      g_assert_true (g_file_set_contents (path, (char *) packed->data, packed->len - 20, NULL));
      g_assert_cmpint (wp_open_unpacked (path, NULL, &error), ==, -1);
      g_assert_nonnull (strstr (error->message, "cut off"));
    }
}

/* Whether a file is unpacked all at once or in steps, nobody can tell from what comes out. */
static void
test_members (void)
{
  static const struct
  {
    guint members;
    gsize less, at;     /* bytes that are missing; how far from the end one is changed, 0: none is */
    const char *behind;
    gsize n_behind;
    WpUnpacked result;  /* but for the place */
    gboolean whole;     /* all that was packed comes out */
  } rows[] = {
    { .members = 1, .whole = TRUE },
    { .members = 2, .whole = TRUE },
    { .members = 1, .behind = "\0\0\0\0\0\0\0", .n_behind = 7, .result = { .padded = TRUE }, .whole = TRUE },
    { .members = 1, .behind = "junk", .n_behind = 4, .result = { .damaged = TRUE }, .whole = TRUE },
    { .members = 1, .at = 4, .result = { .damaged = TRUE }, .whole = TRUE }, /* its size, lowest byte first */
    { .members = 1, .at = 3, .result = { .damaged = TRUE }, .whole = TRUE },
    { .members = 1, .at = 1, .result = { .damaged = TRUE }, .whole = TRUE },
    { .members = 1, .at = 8, .result = { .damaged = TRUE }, .whole = TRUE }, /* its checksum */
    { .members = 2, .at = 4, .result = { .damaged = TRUE }, .whole = TRUE },
    { .members = 1, .less = 1, .result = { .cut = TRUE }, .whole = TRUE },
    { .members = 1, .less = 500, .result = { .cut = TRUE } },
  };
  g_autoptr (GByteArray) text = text_bytes ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) packed = g_byte_array_new ();
      gsize all = rows[i].members * text->len;
      g_autofree guint8 *buffer = g_malloc (all + 1);
      g_autoptr (GError) error = NULL;
      WpUnpacked result;
      gssize n;
      int fd;

      for (guint m = 0; m < rows[i].members; m++)
        {
          g_autoptr (GByteArray) member = pack_gzip (text->data, text->len, 6);

          maker_bytes (packed, member->data, member->len);
        }
      if (rows[i].at > 0)
        packed->data[packed->len - rows[i].at] ^= 0xff;
      g_byte_array_set_size (packed, packed->len - (guint) rows[i].less);
      maker_bytes (packed, rows[i].behind, rows[i].n_behind);
      fd = wp_unpack ("a file", packed->data, packed->len, &result, NULL, &error);
      g_assert_no_error (error);
      n = read (fd, buffer, all + 1);
      close (fd);
      g_test_message ("%u", i);
      g_assert_cmpint (result.cut, ==, rows[i].result.cut);
      g_assert_cmpint (result.damaged, ==, rows[i].result.damaged);
      g_assert_cmpint (result.padded, ==, rows[i].result.padded);
      g_assert_true (rows[i].whole ? n == (gssize) all : n > 0 && n < (gssize) all);
      for (gssize at = 0; at < n; at += (gssize) text->len)
        g_assert_cmpint (memcmp (buffer + at, text->data, MIN (text->len, (gsize) (n - at))), ==, 0);
    }
}

/* A pipe without a writer hangs nobody; one that is held already is read, by whichever of its names. */
static void
test_pipes (void)
{
  g_autofree char *fifo = g_strconcat (path, ".fifo", NULL), *link = g_strconcat (path, ".link", NULL);
  WpReader reader = { .path = fifo };
  const char *const refused[] = { fifo, "/dev/zero", "/", link };
  const char *const names[] = { "/dev/fd", "/proc/self/fd" };

  g_assert_no_errno (mkfifo (fifo, 0600));
  g_assert_no_errno (symlink ("/dev/stdin", link));
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_cmpint (wp_open_unpacked (refused[i], NULL, NULL), ==, -1);
      g_assert_cmpint (wp_sniff (refused[i], NULL), ==, WP_FORMAT_UNKNOWN);
    }
  g_assert_false (wp_reader_open (&reader, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = NULL;
      int ends[2], fd;
      char text[4];

      g_assert_no_errno (pipe (ends));
      g_assert_cmpint (write (ends[1], "text", 4), ==, 4);
      name = g_strdup_printf ("%s/%d", names[i], ends[0]);
      fd = wp_open_unpacked (name, NULL, NULL);
      g_assert_cmpint (read (fd, text, 4), ==, 4);
      close (fd);
      close (ends[0]);
      close (ends[1]);
    }
  g_unlink (fifo);
  g_unlink (link);
}

int
main (int argc, char **argv)
{
  int status, fd;

  g_test_init (&argc, &argv, NULL);
  fd = g_file_open_tmp ("wp-read-packed-XXXXXX", &path, NULL);
  close (fd);
  g_test_add_func ("/packed/compressed", test_compressed);
  g_test_add_func ("/packed/compressed/cut", test_compressed_cut);
  g_test_add_func ("/packed/compressed/damage", test_compressed_damage);
  g_test_add_func ("/packed/file", test_packed);
  g_test_add_func ("/packed/file/cut", test_packed_cut);
  g_test_add_func ("/packed/file/bomb", test_bomb);
  g_test_add_func ("/packed/file/members", test_members);
  g_test_add_func ("/packed/file/full-piece", test_full_piece);
  g_test_add_func ("/packed/file/open", test_open);
  g_test_add_func ("/packed/file/pipes", test_pipes);
  status = g_test_run ();
  g_unlink (path);
  g_free (path);
  return status;
}
