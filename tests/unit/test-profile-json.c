/* The JSON reader and writer: exact numbers, checked strings, errors that name the place. */
#include "base/json-reader.h"
#include "base/json-writer.h"
#include "profile-fixture.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

static char *path;

static void
write_text (const char *text, gssize len)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, len, &error);
  g_assert_no_error (error);
}

static WpJsonReader *
open_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  WpJsonReader *reader;

  write_text (text, -1);
  reader = wp_json_reader_open (path, NULL, &error);
  g_assert_no_error (error);
  return reader;
}

/* Reads {"a": [VALUE]} with `read`; NULL when it went well, else the message without the file's name. */
static char *
problem_of (const char *value, void (*read) (WpJsonReader *reader, gpointer result), gpointer result)
{
  g_autofree char *text = g_strdup_printf ("{\"a\": [%s]}", value);
  g_autoptr (WpJsonReader) reader = open_text (text);
  g_autoptr (GError) error = NULL;

  if (wp_json_reader_object (reader))
    while (wp_json_reader_key (reader) != NULL)
      if (wp_json_reader_array (reader))
        while (wp_json_reader_item (reader))
          read (reader, result);
  if (wp_json_reader_finish (reader, &error))
    return NULL;
  g_assert_true (g_str_has_prefix (error->message, path));
  return g_strdup (error->message + strlen (path) + 2);
}

static void
assert_problem (const char *value, void (*read) (WpJsonReader *reader, gpointer result), const char *expected)
{
  guint64 result[64];
  g_autofree char *problem = problem_of (value, read, result);

  g_assert_cmpstr (problem, ==, expected);
}

static void
read_int (WpJsonReader *reader, gpointer result)
{
  *(gint64 *) result = wp_json_reader_int (reader, G_MININT64, G_MAXINT64);
}

static void
read_uint (WpJsonReader *reader, gpointer result)
{
  *(guint64 *) result = wp_json_reader_uint (reader, G_MAXUINT64);
}

static void
read_small (WpJsonReader *reader, gpointer result)
{
  *(gint64 *) result = wp_json_reader_int (reader, -5, 5);
}

static void
read_bool (WpJsonReader *reader, gpointer result)
{
  *(guint64 *) result = (guint64) wp_json_reader_bool (reader);
}

static void
read_string (WpJsonReader *reader, gpointer result)
{
  g_strlcpy (result, wp_json_reader_string (reader), 512);
}

static void
skip (WpJsonReader *reader, gpointer result)
{
  wp_json_reader_skip (reader);
}

static void
read_number (WpJsonReader *reader, gpointer result)
{
  gint64 whole;
  double real;

  *(WpJsonNumber *) result = wp_json_reader_number (reader, &whole, &real);
}

/* Of as many digits as a document may have, wherever its buffers end; of more the message says so. */
static void
test_long_numbers (void)
{
  GString *most = g_string_new (NULL);
  g_autofree char *problem = NULL;
  WpJsonNumber kind;

  while (most->len < WP_JSON_MAX_NUMBER)
    g_string_append_c (most, '9');
  g_assert_null (problem_of (most->str, read_number, &kind));
  g_assert_cmpint (kind, ==, WP_JSON_DIGITS);
  while (most->len < 300000)
    g_string_append_c (most, '9');
  problem = problem_of (most->str, read_number, &kind);
  g_assert_nonnull (problem);
  g_assert_nonnull (strstr (problem, "a[0]: a number of more than 64 KiB"));
  g_string_free (most, TRUE);
}

static void
test_numbers (void)
{
  gint64 value;
  guint64 large;

  g_assert_null (problem_of ("-9223372036854775808", read_int, &value));
  g_assert_cmpint (value, ==, G_MININT64);
  g_assert_null (problem_of (" 9223372036854775807 ", read_int, &value));
  g_assert_cmpint (value, ==, G_MAXINT64);
  g_assert_null (problem_of ("18446744073709551615", read_uint, &large));
  g_assert_cmpuint (large, ==, G_MAXUINT64);
  g_assert_null (problem_of ("-0", read_uint, &large));
  g_assert_cmpuint (large, ==, 0);
  assert_problem ("9223372036854775808", read_int, "a[0]: out of range");
  assert_problem ("-9223372036854775809", read_int, "a[0]: out of range");
  assert_problem ("18446744073709551616", read_uint, "a[0]: out of range");
  assert_problem ("99999999999999999999999999", read_uint, "a[0]: out of range");
  assert_problem ("-1", read_uint, "a[0]: out of range");
  assert_problem ("5, -5, 6", read_small, "a[2]: out of range");
  assert_problem ("1.0", read_int, "a[0]: not a whole number");
  assert_problem ("1e400", read_int, "a[0]: not a whole number");
  assert_problem ("\"1\"", read_int, "a[0]: not a number");
  assert_problem ("null", read_int, "a[0]: not a number");
  assert_problem ("1, [], 3", read_int, "a[1]: not a number");
  assert_problem ("01", read_int, "a[0]: not a number at byte 9");
  assert_problem ("-", read_int, "a[0]: not a number at byte 8");
  assert_problem ("1.", read_int, "a[0]: not a number at byte 9");
  assert_problem ("1e", read_int, "a[0]: not a number at byte 9");
}

static void
test_other_values (void)
{
  guint64 value;

  g_assert_null (problem_of ("true", read_bool, &value));
  g_assert_cmpuint (value, ==, TRUE);
  g_assert_null (problem_of ("false", read_bool, &value));
  g_assert_cmpuint (value, ==, FALSE);
  assert_problem ("0", read_bool, "a[0]: neither true nor false");
  assert_problem ("tru", read_bool, "a[0]: not a JSON value at byte 10");
  g_assert_null (problem_of ("null, 1, -2.5e+10, \"x\", {\"b\": {\"c\": []}}, [[], [1, {}]], NaN, Infinity, -Infinity, -1",
                             skip, NULL));
  assert_problem ("--1", skip, "a[0]: not a number at byte 8");
  assert_problem ("-", skip, "a[0]: not a number at byte 8");
  assert_problem ("-Inf", skip, "a[0]: not a JSON value at byte 11");
  assert_problem ("[1, 2", skip, "a[0]: a comma or ] is missing at byte 13");
  assert_problem ("{\"b\" 1}", skip, "a[0].b: a colon is missing at byte 12");
  assert_problem ("{1: 1}", skip, "a[0]: a key is missing at byte 8");
  assert_problem ("1 2", skip, "a[0]: a comma or ] is missing at byte 9");
  assert_problem ("1,", skip, "a[1]: not a JSON value at byte 9");
  assert_problem ("nul", skip, "a[0]: not a JSON value at byte 10");
}

static void
test_strings (void)
{
  char text[512];

  g_assert_null (problem_of ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00 größe\"", read_string, text));
  g_assert_cmpstr (text, ==, "\"\\/\b\f\n\r\té😀 größe");
  g_assert_null (problem_of ("\"a\\u0000b\"", read_string, text));
  g_assert_cmpstr (text, ==, "a\\x00b");
  assert_problem ("\"\\uD83D\\u00\"", read_string, "a[0]: an escape that is no character at byte 18");
  assert_problem ("\"\\uD83D\\x\"", read_string, "a[0]: an unknown escape at byte 15");
  assert_problem ("\"\\uD83D", read_string, "a[0]: the file ends within a string at byte 16");
  assert_problem ("\"\\u12g4\"", read_string, "a[0]: an escape that is no character at byte 12");
  assert_problem ("\"\\x\"", read_string, "a[0]: an unknown escape at byte 9");
  assert_problem ("\"a\nb\"", read_string, "a[0]: a control character in a string at byte 9");
  assert_problem ("\"\xff\"", read_string, "a[0]: a string that is not UTF-8 at byte 10");
  assert_problem ("17", read_string, "a[0]: not a string");
}

static void
test_documents (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "", "the file ends too early at byte 0" },
    { "\xef\xbb\xbf", "the file ends too early at byte 3" },
    { "\xef\xbb\xbf[]", "not an object" },
    { "\xef\xbb\xbf{}{}", "something follows the end of the document at byte 5" },
    { "{}\xef\xbb\xbf", "something follows the end of the document at byte 2" },
    { "{", "the file ends too early at byte 1" },
    { "[]", "not an object" },
    { "{} {}", "something follows the end of the document at byte 3" },
    { "{}]", "something follows the end of the document at byte 2" },
    { "{\"a\"", "a: the file ends too early at byte 4" },
    { "{\"a", "the file ends within a string at byte 3" },
    { "{\"a\": 1 \"b\": 2}", "a: a comma or } is missing at byte 8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (WpJsonReader) reader = open_text (rows[i].text);
      g_autoptr (GError) error = NULL;

      if (wp_json_reader_object (reader))
        while (wp_json_reader_key (reader) != NULL)
          wp_json_reader_skip (reader);
      g_assert_false (wp_json_reader_finish (reader, &error));
      g_assert_cmpstr (error->message + strlen (path) + 2, ==, rows[i].message);
    }
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (wp_json_reader_open ("/no/such/file", NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_true (g_str_has_prefix (error->message, "/no/such/file: "));
  g_clear_error (&error);
  g_assert_null (wp_json_reader_open ("/", NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  g_assert_true (g_str_has_prefix (error->message, "/: "));
}

static void
test_deep (void)
{
  GString *text = g_string_new (NULL);
  g_autofree char *problem = NULL;

  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, i % 2 ? "[" : "{\"x\":");
  problem = problem_of (text->str, skip, NULL);
  g_assert_nonnull (strstr (problem, "nested too deeply"));
  g_string_free (text, TRUE);
}

static glong
peak_kilobytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* What is not wanted costs no memory, however much it is; a string is limited. */
static void
test_large (void)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  WpJsonWriter *writer = wp_json_writer_new (fd);
  g_autoptr (WpJsonReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  glong before;

  wp_json_writer_object (writer, NULL, WP_JSON_LINES);
  wp_json_writer_array (writer, "large", WP_JSON_LINES);
  for (guint i = 0; i < 1500000; i++)
    wp_json_writer_string (writer, NULL, "forty characters that nobody wants to keep");
  wp_json_writer_end (writer);
  wp_json_writer_end (writer);
  g_assert_cmpint (wp_json_writer_finish (writer), ==, 0);
  wp_json_writer_free (writer);
  close (fd);
  before = peak_kilobytes ();
  reader = wp_json_reader_open (path, NULL, NULL);
  g_assert_true (wp_json_reader_object (reader));
  while (wp_json_reader_key (reader) != NULL)
    wp_json_reader_skip (reader);
  g_assert_true (wp_json_reader_finish (reader, &error));
  g_assert_cmpint (peak_kilobytes () - before, <, 4096);
}

static void
test_long_string (void)
{
  g_autofree char *word = g_strnfill (2 * WP_JSON_MAX_STRING, 'x'), *value = g_strdup_printf ("\"%s\"", word);
  g_autofree char *problem = problem_of (value, skip, NULL);

  g_assert_true (g_str_has_prefix (problem, "a[0]: a string of more than a megabyte"));
}

static void
test_writer (void)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  WpJsonWriter *writer = wp_json_writer_new (fd);
  g_autofree char *text = NULL;

  wp_json_writer_object (writer, NULL, WP_JSON_LINES);
  wp_json_writer_string (writer, "text", "q\" b\\ n\n \x01\x7f bad \xff\xc3 good ü");
  wp_json_writer_string (writer, "none", NULL);
  wp_json_writer_int (writer, "min", G_MININT64);
  wp_json_writer_uint (writer, "max", G_MAXUINT64);
  wp_json_writer_array (writer, "list", WP_JSON_TIGHT);
  wp_json_writer_bool (writer, NULL, TRUE);
  wp_json_writer_bool (writer, NULL, FALSE);
  wp_json_writer_end (writer);
  wp_json_writer_array (writer, "empty", WP_JSON_LINES);
  wp_json_writer_end (writer);
  wp_json_writer_end (writer);
  g_assert_cmpint (wp_json_writer_finish (writer), ==, 0);
  wp_json_writer_free (writer);
  close (fd);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "{\n\"text\": \"q\\\" b\\\\ n\\n \\u0001\\u007f bad \xef\xbf\xbd\xef\xbf\xbd good ü\",\n\"none\": \"\",\n"
                   "\"min\": -9223372036854775808,\n\"max\": 18446744073709551615,\n\"list\": [true, false],\n"
                   "\"empty\": []\n}\n");
}

static void
test_writer_fails (void)
{
  int fd = open ("/dev/full", O_WRONLY);
  WpJsonWriter *writer = wp_json_writer_new (fd);

  wp_json_writer_array (writer, NULL, WP_JSON_LINES);
  for (guint i = 0; i < 100000; i++)
    wp_json_writer_uint (writer, NULL, i);
  wp_json_writer_end (writer);
  g_assert_cmpint (wp_json_writer_finish (writer), ==, ENOSPC);
  wp_json_writer_free (writer);
  close (fd);
}

/* Two blanks more for each object that is spread out, from the line that it was opened in; tight ones and those of files add none. */
static void
test_writer_lines (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  WpJsonWriter *writer = wp_json_writer_new_text (out);

  wp_json_writer_object (writer, NULL, WP_JSON_SPACED);
  wp_json_writer_int (writer, "one", 1);
  wp_json_writer_array (writer, "near", WP_JSON_SPACED);
  wp_json_writer_line (writer);
  wp_json_writer_int (writer, NULL, 2);
  wp_json_writer_line (writer);
  wp_json_writer_end (writer);
  wp_json_writer_line (writer);
  wp_json_writer_array (writer, "list", WP_JSON_SPACED);
  for (guint i = 0; i < 2; i++)
    {
      wp_json_writer_line (writer);
      wp_json_writer_object (writer, NULL, WP_JSON_SPACED);
      wp_json_writer_uint (writer, "i", i);
      wp_json_writer_end (writer);
    }
  wp_json_writer_end (writer);
  wp_json_writer_array (writer, "tight", WP_JSON_TIGHT);
  wp_json_writer_line (writer);
  wp_json_writer_object (writer, NULL, WP_JSON_TIGHT);
  wp_json_writer_int (writer, "a", 1);
  wp_json_writer_int (writer, "b", 2);
  wp_json_writer_end (writer);
  wp_json_writer_end (writer);
  wp_json_writer_array (writer, "none", WP_JSON_SPACED);
  wp_json_writer_end (writer);
  wp_json_writer_line (writer);
  wp_json_writer_end (writer);
  wp_json_writer_free (writer);
  g_assert_cmpstr (out->str, ==,
                   "{ \"one\": 1, \"near\": [\n  2\n],\n  \"list\": [\n    { \"i\": 0 },\n    { \"i\": 1 } ], \"tight\": [\n"
                   "  {\"a\": 1, \"b\": 2}], \"none\": []\n}\n");
}

/* Values of one's own format, and several on the top level, between which the text may be emptied. */
static void
test_writer_text (void)
{
  g_autoptr (GString) out = g_string_new ("before ");
  WpJsonWriter *writer = wp_json_writer_new_text (out);

  wp_json_writer_array (writer, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (writer, NULL, "q\" b\\ n\n r\r t\t \x01\x7f bad \xff\xc3 good ü");
  wp_json_writer_string_or_null (writer, NULL, NULL);
  wp_json_writer_string_or_null (writer, NULL, "");
  g_string_append (wp_json_writer_value (writer, NULL), "0.50");
  wp_json_writer_end (writer);
  g_assert_cmpstr (out->str, ==,
                   "before [\"q\\\" b\\\\ n\\u000a r\\u000d t\\u0009 \\u0001\\u007f bad \xef\xbf\xbd\xef\xbf\xbd good ü\", null, \"\", 0.50]\n");
  g_string_truncate (out, 0);
  wp_json_writer_object (writer, NULL, WP_JSON_TIGHT);
  wp_json_writer_int (writer, "a", 1);
  g_string_truncate (out, 0);
  wp_json_writer_int (writer, "b", 2);
  wp_json_writer_end (writer);
  wp_json_writer_string (writer, NULL, "alone");
  wp_json_writer_free (writer);
  g_assert_cmpstr (out->str, ==, ", \"b\": 2}\n\"alone\"");
}

static void
test_writer_real (void)
{
  static const struct
  {
    double value;
    const char *text;
  } rows[] = {
    { 0, "0" }, { -3, "-3" }, { 1e15, "1000000000000000" }, { 8999999999999999.0, "8999999999999999" }, { 0.5, "0.5" },
    { 0.1, "0.10000000000000001" }, { 1e300, "1.0000000000000001e+300" }, { NAN, "null" }, { -INFINITY, "null" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (WpJsonWriter) writer = wp_json_writer_new_text (out);

      wp_json_writer_real (writer, NULL, rows[i].value);
      g_assert_cmpstr (out->str, ==, rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  char *folder;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  path = g_build_filename (folder, "test.json", NULL);
  g_test_add_func ("/json/numbers", test_numbers);
  g_test_add_func ("/json/long-numbers", test_long_numbers);
  g_test_add_func ("/json/other-values", test_other_values);
  g_test_add_func ("/json/strings", test_strings);
  g_test_add_func ("/json/documents", test_documents);
  g_test_add_func ("/json/no-file", test_no_file);
  g_test_add_func ("/json/deep", test_deep);
  g_test_add_func ("/json/large", test_large);
  g_test_add_func ("/json/long-string", test_long_string);
  g_test_add_func ("/json/writer", test_writer);
  g_test_add_func ("/json/writer-lines", test_writer_lines);
  g_test_add_func ("/json/writer-text", test_writer_text);
  g_test_add_func ("/json/writer-real", test_writer_real);
  g_test_add_func ("/json/writer-fails", test_writer_fails);
  status = g_test_run ();
  g_free (path);
  fixture_remove (folder);
  g_free (folder);
  return status;
}
