/* What is found in JSON before it is read: all ways of looking find what a look at each byte finds, and documents that are read by it have the
 * values, and the errors, of those that are read without. */
#include "base/json-scan.h"
#include "base/json-spans.h"
#include "profile/model/profile.h"

#include <string.h>

static const char *data_folder;

/* --- looking at blocks ------------------------------------------------------------------------------------------------ */

/* What stands in a text, byte by byte. */
typedef struct
{
  gboolean in_string, escaped;
  GArray *brackets; /* guint16 */
  GByteArray *special;
} Expected;

static void
look_at_each (Expected *self, const guint8 *data, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const guint8 c = data[i], special = c == '"' || c == '\\' || c < ' ' || c > 127;
      const guint16 at = (guint16) i;
      const gboolean escaped = self->escaped;

      g_byte_array_append (self->special, &special, 1);
      self->escaped = c == '\\' && !escaped;
      if (c == '"' && !escaped)
        self->in_string = !self->in_string;
      else if (!self->in_string && strchr ("{}[]", c) != NULL && c != '\0')
        g_array_append_val (self->brackets, at);
    }
}

static void
assert_found (const WpJsonScan *scan, const Expected *expected, gsize n, const char *way)
{
  g_test_message ("%s, %" G_GSIZE_FORMAT " bytes", way, n);
  g_assert_cmpint (scan->in_string, ==, expected->in_string);
  g_assert_cmpint (scan->escaped, ==, expected->escaped);
  g_assert_cmpmem (scan->brackets, scan->n_brackets * sizeof *scan->brackets, expected->brackets->data, expected->brackets->len * sizeof (guint16));
  for (gsize i = 0, next = n; i < n; i++)
    {
      for (next = i; next < n && !expected->special->data[next]; next++)
        continue;
      g_assert_cmpuint (wp_json_scan_special (scan, i, n), ==, next);
      i = next;
    }
}

/* In pieces of `piece` bytes, as a reader's buffer has them; the bytes stand `shift` behind an aligned address. */
static void
check_scans (const guint8 *data, gsize n, gsize piece, gsize shift)
{
  static guint8 room[64 + WP_JSON_SCAN_MAX + WP_JSON_SCAN_BLOCK] __attribute__ ((aligned (64)));
  static WpJsonScan scan_room, *scan = &scan_room;
  guint n_ways;
  const WpJsonScanWay *ways = wp_json_scan_ways (&n_ways);

  for (guint i = 0; i < n_ways; i++)
    {
      Expected expected = { .brackets = g_array_new (FALSE, FALSE, sizeof (guint16)), .special = g_byte_array_new () };

      if (!ways[i].works ())
        continue;
      scan->in_string = scan->escaped = FALSE;
      for (gsize at = 0; at < n; at += piece)
        {
          const gsize step = MIN (piece, n - at);

          memcpy (room + shift, data + at, step);
          memset (room + shift + step, ' ', WP_JSON_SCAN_BLOCK);
          memset (scan->blocks, 0x55, (step + WP_JSON_SCAN_BLOCK - 1) / WP_JSON_SCAN_BLOCK * sizeof *scan->blocks);
          g_array_set_size (expected.brackets, 0);
          g_byte_array_set_size (expected.special, 0);
          look_at_each (&expected, data + at, step);
          wp_json_scan (scan, room + shift, step, &ways[i]);
          assert_found (scan, &expected, step, ways[i].name);
        }
      g_array_unref (expected.brackets);
      g_byte_array_unref (expected.special);
    }
}

static void
test_ways (void)
{
  guint n;
  const WpJsonScanWay *ways = wp_json_scan_ways (&n);

  g_assert_cmpstr (ways[n - 1].name, ==, "plain");
  g_assert_true (ways[n - 1].works ());
#ifdef __x86_64__
  g_assert_cmpstr (ways[0].name, ==, "avx2");
  g_assert_cmpint (ways[0].works (), ==, __builtin_cpu_supports ("avx2") != 0);
  g_assert_true (ways[1].works ());
#endif
}

/* Of few kinds of bytes, so that each meets each on every boundary; and of all. */
static void
test_random_bytes (void)
{
  static const char *const kinds[] = { "\"\\", "\"\\{}[] ", "{}[]", "\\", "\"", "\"\\{\x1f\x20\x7f\x80\xff[a]}\n", "[{\",\\\"}]" };
  guint8 data[400];

  for (guint round = 0; round < 4000; round++)
    {
      const gsize n = (gsize) g_test_rand_int_range (0, sizeof data + 1), kind = round % (G_N_ELEMENTS (kinds) + 1);

      for (gsize i = 0; i < n; i++)
        data[i] = kind < G_N_ELEMENTS (kinds) ? (guint8) kinds[kind][g_test_rand_int_range (0, (gint32) strlen (kinds[kind]))]
                                              : (guint8) g_test_rand_int_range (0, 256);
      check_scans (data, n, (gsize) g_test_rand_int_range (1, sizeof data), round % 64);
    }
}

/* One of each byte at each place of three blocks, within a string and outside. */
static void
test_each_byte (void)
{
  guint8 data[192];

  for (guint c = 0; c < 256; c++)
    for (gsize at = 0; at < sizeof data; at++)
      {
        memset (data, 'x', sizeof data);
        data[c & 1 ? 0 : sizeof data - 1] = '"';
        data[at] = (guint8) c;
        check_scans (data, sizeof data, sizeof data, at % 64);
      }
}

/* Runs of backslashes of each length across the boundary of two blocks, and of two pieces. */
static void
test_backslashes (void)
{
  guint8 data[256];

  for (gsize from = 40; from < 130; from++)
    for (gsize n = 1; n < 100; n++)
      {
        memset (data, '{', sizeof data);
        memset (data + from, '\\', n);
        data[0] = data[from + n] = '"';
        check_scans (data, sizeof data, sizeof data, 0);
        check_scans (data, sizeof data, 128, 0);
        check_scans (data, sizeof data, 100, 3);
      }
}

/* --- documents -------------------------------------------------------------------------------------------------------- */

/* All of what is read, as text; or why it is not. */
static char *
read_as_text (const char *text, gsize n, gboolean spans)
{
  g_autoptr (WpValues) values = wp_values_new ();
  g_autoptr (WpJsonReader) reader = wp_json_reader_new ("text", text, n, NULL);
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  WpValue value;

  if (spans)
    wp_json_reader_find_spans (reader);
  value = wp_values_read (values, reader);
  if (wp_json_reader_finish (reader, &error))
    wp_value_write (values, value, -1, out);
  else
    g_string_assign (out, error->message);
  return g_string_free (out, FALSE);
}

static void
assert_same (const char *text, gsize n)
{
  g_autofree char *with = read_as_text (text, n, TRUE), *without = read_as_text (text, n, FALSE);

  if (!g_str_equal (with, without))
    g_test_message ("%.2000s", text);
  g_assert_cmpstr (with, ==, without);
}

/* A document like a profile: resources of a few shapes with frames of a few kinds, now and then something odd. */
static const char *const odd[] = { "\"\\u0000\"", "\"\\ud83d\"", "\"a \\\"quote\\\" }]\"", "1e400", "-0", "123456789012345678901", "NaN",
                                   "\"\xc3\xa4\"", "\"[{\"", "{}", "[]",
                                   "[[[[{\"a\": []}]]]]", "{\"a\": 1, \"b\": 2, \"a\": 3}", "\"\\\\\"", "null", " [ 1 , 2 ] ", "0.5", "\"\"" };
static const char *const wrong[] = { "nul", "01", "\"\t\"", "\"\\x\"", "[1,]", "{\"a\"}", "{\"a\": 1,}", "]", "}", "\"", "\\", "\"\xff\"",
                                     "{1: 2}", "[1 2]", "" };
static const char *const keys[] = { "\"amount\"", "\"uid\"", "\"type\" ", "\"a\\u0062\"", "\"ab\"", "\"\xc3\xa4\"", "\"\"", "\"}\"" };

static void
append_value (GString *text, gboolean with_wrong)
{
  const gint32 kind = g_test_rand_int_range (0, 100);

  if (with_wrong && g_test_rand_int_range (0, 400) == 0)
    g_string_append (text, wrong[g_test_rand_int_range (0, G_N_ELEMENTS (wrong))]);
  else if (kind < 10)
    g_string_append (text, odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))]);
  else if (kind < 50)
    {
      g_string_append_c (text, '[');
      for (guint i = 0, n = (guint) g_test_rand_int_range (1, 6); i < n; i++)
        {
          const gint32 f = g_test_rand_int_range (0, 6);

          g_string_append_printf (text, "%s{\"function\": \"f%d\", \"source\": \"/a%d.c\", \"line\": %d}", i > 0 ? ", " : "", f, f, f * 7);
        }
      g_string_append_c (text, ']');
    }
  else
    g_string_append_printf (text, kind < 70 ? "%d" : "\"name %d\"", g_test_rand_int_range (0, 1000));
}

static GString *
random_document (gboolean with_wrong)
{
  GString *text = g_string_new ("[");
  const guint n = (guint) g_test_rand_int_range (1, 600), n_keys = (guint) g_test_rand_int_range (1, G_N_ELEMENTS (keys));

  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", {" : "{");
      for (guint k = 0; k < n_keys; k++)
        {
          const gboolean other = g_test_rand_int_range (0, 20) == 0;

          g_string_append_printf (text, "%s%s:%s", k > 0 ? ", " : "", keys[other ? g_test_rand_int_range (0, G_N_ELEMENTS (keys)) : (gint32) k],
                                  other ? "" : " ");
          append_value (text, with_wrong);
        }
      g_string_append_c (text, '}');
    }
  g_string_append_c (text, ']');
  return text;
}

static void
test_random_documents (void)
{
  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (GString) text = random_document (FALSE);
      g_autofree char *value = read_as_text (text->str, text->len, TRUE);

      g_assert_true (*value == '[');
      assert_same (text->str, text->len);
    }
}

/* Some thing wrong, a byte changed, or cut off: the same message, about the same place. */
static void
test_random_damage (void)
{
  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (GString) text = random_document (round % 3 == 0);
      const gsize at = (gsize) g_test_rand_int_range (0, (gint32) text->len);

      if (round % 3 == 1)
        text->str[at] = "\"\\{}[],:x\x01\xff 0"[g_test_rand_int_range (0, 13)];
      else if (round % 3 == 2)
        g_string_truncate (text, at);
      assert_same (text->str, text->len);
    }
}

/* The same bytes, once where there is room for their depth, once where there is not; keys that come first in one object and later in another. */
static void
test_places (void)
{
  static const char *const texts[] = { "[{\"a\": 1, \"b\": 2}, {, \"b\": 2}]", "[{\"a\": 1, \"b\": 2}, {\"a\": 1\"a\": 2}]",
                                       "\xef\xbb\xbf[{\"a\": 1}, {\"a\": 1}]", "", "  ", "3 4" };

  for (guint depth = 0; depth < 70; depth++)
    {
      g_autoptr (GString) text = g_string_new ("[[[[[1]]]], ");

      for (guint i = 0; i < depth; i++)
        g_string_append_c (text, '[');
      g_string_append (text, "[[[[1]]]]");
      for (guint i = 0; i < depth; i++)
        g_string_append_c (text, ']');
      g_string_append_c (text, ']');
      assert_same (text->str, text->len);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_same (texts[i], strlen (texts[i]));
}

static WpJsonReader *
open_object (const char *text)
{
  WpJsonReader *reader = wp_json_reader_new ("text", text, strlen (text), NULL);

  wp_json_reader_find_spans (reader);
  g_assert_true (wp_json_reader_object (reader));
  return reader;
}

/* A key is taken for one that stood there before only in the same place: first in its object, or behind a comma. */
static void
test_keys (void)
{
  g_autoptr (WpJsonReader) one = open_object ("{\"a\": 1, \"b\":  2}"), same = open_object ("{\"a\": 3, \"b\":  4}");
  g_autoptr (WpJsonReader) other = open_object ("{\"b\": 5\"a\": 6}");
  WpJsonKeyText a, b;

  g_assert_cmpstr (wp_json_reader_key (one), ==, "a");
  wp_json_reader_key_text (one, &a);
  g_assert_cmpint (wp_json_reader_int (one, 0, 9), ==, 1);
  g_assert_cmpstr (wp_json_reader_key (one), ==, "b");
  wp_json_reader_key_text (one, &b);
  g_assert_cmpmem (b.text, b.n, ", \"b\":  ", 8);
  g_assert_true (!wp_json_reader_key_as (same, &b) && wp_json_reader_key_as (same, &a));
  g_assert_cmpint (wp_json_reader_int (same, 0, 9), ==, 3);
  g_assert_true (!wp_json_reader_key_as (same, &a) && wp_json_reader_key_as (same, &b));
  g_assert_cmpint (wp_json_reader_int (same, 0, 9), ==, 4);
  g_assert_cmpstr (wp_json_reader_key (other), ==, "b");
  g_assert_cmpint (wp_json_reader_int (other, 0, 9), ==, 5);
  g_assert_false (wp_json_reader_key_as (other, &a));
}

/* So many objects of which none comes again that nobody asks for their spans any more, with what comes again in them. What is written is what was read. */
static void
test_many (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  g_autofree char *written = NULL;

  for (guint i = 0; i < 40000; i++)
    {
      g_string_append_printf (text, "%s{\"n\": %u, \"%s\": [{\"f\": \"%u\"}, {\"f\": \"b\"}], \"x\": ", i > 0 ? ", " : "", i, i % 1000 ? "t" : "u", i % 7);
      g_string_append_printf (text, i % 50 == 0 ? "{\"n\": {\"n\": %u}}}" : i % 3 == 0 ? "[[], {}, %u]}" : "%u}", i % 100);
    }
  g_string_append_c (text, ']');
  written = read_as_text (text->str, text->len, TRUE);
  g_assert_cmpuint (strlen (written), ==, text->len);
  g_assert_true (g_str_equal (written, text->str));
}

static void
check_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  g_test_message ("%s", path);
  assert_same (text, n);
  check_scans ((const guint8 *) text, n, WP_JSON_SCAN_MAX, 0);
  check_scans ((const guint8 *) text, MIN (n, 100000), 777, 5);
}

static void
check_folder (const char *path, guint *n)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  g_assert_nonnull (folder);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        check_folder (inner, n);
      else
        check_file (inner), ++*n;
    }
}

static void
test_files (void)
{
  static const char *const folders[] = { "data/perun/profiles", "data/kinds", "data/saved", "fuzz/corpus/profile", "fuzz/found/profile" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (data_folder, folders[i], NULL);
      guint n = 0;

      check_folder (path, &n);
      g_assert_cmpuint (n, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  data_folder = argv[1];
  g_test_add_func ("/json-scan/ways", test_ways);
  g_test_add_func ("/json-scan/random-bytes", test_random_bytes);
  g_test_add_func ("/json-scan/each-byte", test_each_byte);
  g_test_add_func ("/json-scan/backslashes", test_backslashes);
  g_test_add_func ("/json-scan/random-documents", test_random_documents);
  g_test_add_func ("/json-scan/random-damage", test_random_damage);
  g_test_add_func ("/json-scan/places", test_places);
  g_test_add_func ("/json-scan/many", test_many);
  g_test_add_func ("/json-scan/keys", test_keys);
  g_test_add_func ("/json-scan/files", test_files);
  return g_test_run ();
}
