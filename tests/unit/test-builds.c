/* Which build of a file was mapped: what recordings say of it in each of their forms, what is believed, and what the recorder finds out. */
#include "perf-maker.h"
#include "read/read.h"
#include "record/mapped-files.h"
#include "record/inode-paths.h"

#include "program.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#define ID "00112233445566778899aabbccddeeff01234567"
#define OTHER_ID "ff112233445566778899aabbccddeeff01234567"
#define DEV (254u << 20 | 1)

/* --- recordings --------------------------------------------------------------------------------------------------- */

static void
add_hex (GByteArray *out, const char *hex)
{
  for (guint i = 0; i < 20; i++)
    {
      guint8 byte = strlen (hex) > 2 * i ? g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]) : 0;

      maker_bytes (out, &byte, 1);
    }
}

/* PERF_RECORD_MMAP2 with numbers, or where `hex` is not NULL with a build id that says it has `length` bytes. */
static void
add_mapping (GByteArray *out, guint64 start, const char *path, const WpFileNumbers *file, const char *hex, guint8 length, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, 11);
  maker_u32 (body, 11);
  maker_u64 (body, start);
  maker_u64 (body, 0x1000);
  maker_u64 (body, 0x1000);
  if (hex != NULL)
    {
      maker_bytes (body, &length, 1);
      maker_bytes (body, "\0\0\0", 3);
      add_hex (body, hex);
    }
  else
    {
      maker_u32 (body, file->dev >> 20);
      maker_u32 (body, file->dev & 0xfffff);
      maker_u64 (body, file->inode);
      maker_u64 (body, file->generation);
    }
  maker_u64 (body, 5);
  maker_text (body, path, (strlen (path) + 8) / 8 * 8);
  maker_tail (body, 11, 11, time, 0, time != 0 ? 1 : 0);
  maker_record (out, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (hex != NULL ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0), body);
}

/* The record of the table of build ids; `length` 0: an old one, that does not say it. */
static void
add_build_id (GByteArray *out, const char *path, const char *hex, guint8 length)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, G_MAXUINT32);
  add_hex (body, hex);
  maker_bytes (body, &length, 1);
  maker_bytes (body, "\0\0\0", 3);
  maker_text (body, path, (strlen (path) + 64) / 64 * 64);
  maker_record (out, WP_PERF_RECORD_BUILD_ID, PERF_RECORD_MISC_USER | (length != 0 ? WP_PERF_MISC_BUILD_ID_SIZE : 0), body);
}

static WpTrace *
read_bytes (GByteArray *bytes)
{
  g_autofree char *path = program_path ("builds.data");
  g_autoptr (GError) error = NULL;
  WpTrace *trace;

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  g_byte_array_unref (bytes);
  trace = wp_read (path, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* The build id of the module that the sample's innermost frame is of. */
static const char *
sampled_build (const WpTrace *trace)
{
  const WpStack *stack = &trace->stacks.data[trace->samples.data[1].stack];

  return wp_trace_string (trace, trace->modules.data[trace->frames.data[stack->frame].module].build_id);
}

static GByteArray *
with_sample (GByteArray *out, guint64 address)
{
  const guint64 user[] = { PERF_CONTEXT_USER, address };

  maker_comm (out, 11, "pass", FALSE, 0, 0);
  maker_switch (out, 1000, 0, 0, "swapper/0", 0, 11, "pass");
  maker_sample (out, 3, 11, 1500, 0, user, 2, NULL);
  maker_switch (out, 2500, 0, 11, "pass", 1, 0, "swapper/0");
  return out;
}

/* In a stream the build ids come behind everything; in a file they are a feature. */
static void
test_forms (void)
{
  static const WpFileNumbers file = { DEV, 12, 3 };
  static const struct
  {
    const char *mapped, *table, *expected;
    guint8 length, table_length;
    guint damaged;
  } rows[] = {
    { ID, NULL, ID, 20, 0, 0 },
    { ID, OTHER_ID, ID, 20, 20, 0 },
    { ID, NULL, "00112233445566778899aabbccddeeff", 16, 0, 0 },
    { ID, NULL, NULL, 21, 0, 1 },
    { ID, NULL, NULL, 0, 0, 1 },
    { NULL, ID, ID, 0, 20, 0 },
    { NULL, ID, ID, 0, 0, 0 },
    { NULL, ID, "0011223344556677", 0, 8, 0 },
    { NULL, "0011223344556677", "0011223344556677", 0, 0, 0 },
    { NULL, ID, "", 0, 21, 1 },
    { NULL, "", "", 0, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint early = 0; early < 2; early++)
      {
        GByteArray *records = g_byte_array_new ();
        g_autoptr (WpTrace) trace = NULL;

        add_mapping (records, MAKER_USER, "/nowhere/pass", &file, rows[i].mapped, rows[i].length, early ? 0 : 500);
        with_sample (records, MAKER_USER + 0x170);
        if (rows[i].table != NULL)
          add_build_id (records, "/nowhere/pass", rows[i].table, rows[i].table_length);
        trace = read_bytes (maker_stream (records, FALSE));
        g_test_message ("row %u, %s", i, early ? "before the recording" : "in it");
        g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, rows[i].damaged);
        if (rows[i].expected == NULL)
          g_assert_cmpuint (trace->samples.data[1].stack, ==, 0);
        else
          g_assert_cmpstr (sampled_build (trace), ==, rows[i].expected);
      }
}

/* The table says what a path is; nobody knows of which of two files with that path. What is said of their numbers is believed. */
static void
test_two_files (void)
{
  static const WpFileNumbers files[] = { { DEV, 12, 0 }, { DEV, 13, 0 }, { DEV, 13, 5 }, { DEV, 13, 6 } };
  static const char json[] = "{\"builds\": {\"254:1\": {\"13:0\": \"" OTHER_ID "\", \"13:6\": \"-\", \"x:1\": \"aabb\", \"14\": 3, "
                             "\"15:0\": \"../../etc\"}, \"nonsense\": 3}}";
  static const struct
  {
    guint a, b; /* the second is sampled */
    gboolean told;
    const char *expected;
  } rows[] = { { 0, 0, FALSE, ID }, { 1, 2, FALSE, ID }, { 0, 1, FALSE, "" }, { 2, 3, FALSE, "" }, { 0, 1, TRUE, OTHER_ID },
               { 2, 3, TRUE, "-" }, { 1, 0, TRUE, "" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GByteArray *records = g_byte_array_new ();
      g_autoptr (WpTrace) trace = NULL;

      add_mapping (records, MAKER_USER, "/nowhere/pass", &files[rows[i].a], NULL, 0, 500);
      add_mapping (records, MAKER_USER + 0x100000, "/nowhere/pass", &files[rows[i].b], NULL, 0, 600);
      with_sample (records, MAKER_USER + 0x100170);
      add_build_id (records, "/nowhere/pass", ID, 20);
      if (rows[i].told)
        maker_feature (records, WP_PERF_FEATURE_RECORDER, json, sizeof json);
      trace = read_bytes (maker_stream (records, FALSE));
      g_test_message ("row %u", i);
      g_assert_cmpstr (sampled_build (trace), ==, rows[i].expected);
    }
}

/* A file without a build id is the same as long as its size and last change are. */
static void
test_stamps (void)
{
  static const WpFileNumbers file = { DEV, 12, 3 };
  g_autoptr (WpBuilds) builds = wp_builds_new (), later = wp_builds_new (), at_last = wp_builds_new ();
  g_autofree char *path = program_path ("stamped"), *stamp = NULL;
  struct stat found;

  g_assert_true (g_file_set_contents (path, "first", -1, NULL));
  g_assert_cmpint (stat (path, &found), ==, 0);
  stamp = wp_build_stamp (&found);
  for (guint i = 0; i < 3; i++)
    wp_builds_add_file (i == 0 ? builds : i == 1 ? later : at_last, &file, stamp);
  g_assert_null (wp_builds_find (builds, path, &file, TRUE));
  g_assert_true (g_file_set_contents (path, "second", -1, NULL));
  g_assert_cmpstr (wp_builds_find (later, path, &file, TRUE), ==, WP_BUILD_GONE);
  g_assert_null (wp_builds_find (later, path, &file, FALSE)); /* files are looked for elsewhere */
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_null (wp_builds_find (at_last, path, &file, TRUE));
}

/* --- what the recorder finds -------------------------------------------------------------------------------------- */

static WpFileNumbers
numbers_of (const char *path)
{
  struct stat found;

  g_assert_cmpint (stat (path, &found), ==, 0);
  return (WpFileNumbers){ major (found.st_dev) << 20 | minor (found.st_dev), found.st_ino, 0 };
}

static gint64
now (void)
{
  return g_get_real_time () * 1000 + wp_file_names_1970 ();
}

/* `out` becomes a stream; what of `path` in it is told is to be freed with g_free(). */
static char *
found_build (GByteArray *out, const char *path, gboolean *by_path)
{
  g_autofree char *recording = program_path ("mapped.data");
  g_autoptr (WpBuilds) builds = wp_builds_new ();
  WpMappedFiles mapped;
  char *build = NULL;

  g_byte_array_prepend (out, (const guint8 *) "PERFILE2\x10\0\0\0\0\0\0", 16);
  g_assert_true (g_file_set_contents (recording, (const char *) out->data, out->len, NULL));
  g_byte_array_unref (out);
  wp_mapped_files_read (&mapped, recording);
  wp_mapped_files_find (&mapped, builds, now (), NULL);
  for (guint i = 0; i < mapped.files->len; i++)
    {
      const WpMappedFile *row = &g_array_index (mapped.files, WpMappedFile, i);

      if (!g_str_equal (row->path, path))
        continue;
      g_assert_cmpstr (wp_builds_find (builds, path, &row->file, FALSE), ==, g_str_has_prefix (row->build, "stamp") ? NULL : row->build);
      g_free (build);
      build = g_strdup (row->build);
      *by_path = row->by_path;
    }
  wp_mapped_files_clear (&mapped);
  return build;
}

static char *
build_when_mapped (const char *path, const WpFileNumbers *file, gint64 time)
{
  GByteArray *out = g_byte_array_new ();
  gboolean by_path = FALSE;
  char *build;

  add_mapping (out, 0x1000, path, file, NULL, 0, time);
  build = found_build (out, path, &by_path);
  g_assert_cmpint (by_path, ==, wp_is_build_id (build));
  return build;
}

static void
assert_build (const char *path, const WpFileNumbers *file, gint64 time, const char *expected)
{
  g_autofree char *build = build_when_mapped (path, file, time);

  g_test_message ("%s: %s", path, build);
  g_assert_cmpstr (build, ==, expected);
}

static void
compile (const char *name, const char *function, const char *option)
{
  g_autofree char *text = program_path ("test.c"), *source = g_strdup_printf ("int %s (void) { return 1; } int main (void) { return %s (); }",
                                                                              function, function);

  g_assert_true (g_file_set_contents (text, source, -1, NULL));
  program_run ("gcc -O0 %s -o %s test.c", option, name);
}

static void
test_found (void)
{
  g_autofree char *path = program_path ("found");
  WpFileNumbers file, other;

  compile ("found", "first", "-Wl,--build-id=0x" ID);
  file = numbers_of (path);
  assert_build (path, &file, now (), ID);
  assert_build (path, &file, 0, ID); /* before the recording, which began now */
  assert_build (path, &file, 1000, WP_BUILD_GONE); /* it was written since */
  other = (WpFileNumbers){ file.dev, file.inode + 1, 0 };
  assert_build (path, &other, now (), WP_BUILD_GONE);
  other = (WpFileNumbers){ file.dev ^ 1, file.inode, 0 };
  assert_build (path, &other, now (), WP_BUILD_GONE);
}

static void
test_found_otherwise (void)
{
  g_autofree char *path = program_path ("changing"), *bare = program_path ("bare"), *pipe = program_path ("pipe"), *stamp = NULL;
  g_autofree char *link = program_path ("link"), *gone = program_path ("gone");
  WpFileNumbers file;
  struct stat found;

  compile ("bare", "first", "-Wl,--build-id=none");
  g_assert_cmpint (stat (bare, &found), ==, 0);
  file = numbers_of (bare);
  stamp = wp_build_stamp (&found);
  assert_build (bare, &file, now (), stamp);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0); /* nobody waits for it */
  file = numbers_of (pipe);
  assert_build (pipe, &file, now (), WP_BUILD_GONE);
  g_assert_cmpint (symlink (bare, link), ==, 0); /* the kernel names no links */
  file = numbers_of (bare);
  assert_build (link, &file, now (), WP_BUILD_GONE);
  assert_build (gone, &file, now (), WP_BUILD_GONE);
  assert_build ("/usr/bin (deleted)", &file, now (), WP_BUILD_GONE);
  g_assert_true (g_file_set_contents (path, "\177ELF", 4, NULL)); /* damaged */
  file = numbers_of (path);
  g_free (stamp);
  g_assert_cmpint (stat (path, &found), ==, 0);
  stamp = wp_build_stamp (&found);
  assert_build (path, &file, now (), stamp);
}

/* Built anew in the midst of it, perhaps with the same number: each of the two is told by its numbers, if at all. */
static void
test_found_two (void)
{
  g_autofree char *path = program_path ("twice"), *build = NULL;
  GByteArray *out = g_byte_array_new ();
  gboolean by_path = TRUE;
  WpFileNumbers old, file;
  gint64 before = now ();

  compile ("twice", "first", "-Wl,--build-id=0x" OTHER_ID);
  file = numbers_of (path);
  old = (WpFileNumbers){ file.dev, file.inode, 1 };
  file.generation = 2;
  add_mapping (out, 0x1000, path, &old, NULL, 0, before);
  add_mapping (out, 0x1000, path, &file, NULL, 0, now ());
  build = found_build (out, path, &by_path);
  g_assert_false (by_path);
  g_assert_cmpstr (build, ==, OTHER_ID);
  g_free (build);
  out = g_byte_array_new ();
  add_mapping (out, 0x1000, path, &file, NULL, 0, now ());
  add_mapping (out, 0x1000, path, &old, NULL, 0, before - 1);
  add_mapping (out, 0x1000, path, &file, NULL, 0, before);
  build = found_build (out, path, &by_path);
  g_assert_false (by_path);
  g_assert_cmpstr (build, ==, WP_BUILD_GONE); /* the same file, written to in between */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/builds/forms", test_forms);
  g_test_add_func ("/builds/two-files", test_two_files);
  g_test_add_func ("/builds/stamps", test_stamps);
  g_test_add_func ("/builds/found", test_found);
  g_test_add_func ("/builds/found/otherwise", test_found_otherwise);
  g_test_add_func ("/builds/found/two", test_found_two);
  return program_tests ();
}
