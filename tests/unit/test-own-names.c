/* Names that a recording brings along: written, read, damaged, and whose they are. */
#include "perf-maker.h"
#include "read/read.h"
#include "trace/carried-names.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define FRAMES 20000

static WpId
add_frame (WpTrace *trace, const char *path, const char *build_id, guint64 offset, const char *name)
{
  WpId module = wp_trace_module (trace, path, build_id), frame = wp_trace_user_frame (trace, module, offset);

  if (name != NULL)
    wp_trace_name_frame (trace, frame, wp_trace_function (trace, module, name, 0));
  return frame;
}

static WpCarriedNames *
read_texts (const GPtrArray *texts)
{
  WpCarriedNames *names = wp_carried_names_new ();

  for (guint i = 0; i < texts->len; i++)
    {
      const GByteArray *text = texts->pdata[i];

      g_assert_cmpuint (text->len, <=, WP_CARRIED_NAMES_MAX);
      g_assert_true (wp_carried_names_add (names, text->data, text->len));
    }
  return names;
}

/* Of few functions with many frames and of many with one. */
static void
test_round_trip (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (GPtrArray) texts = NULL;
  WpCarriedNames *names;

  for (guint i = 1; i < FRAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("function %u", i % 3 == 0 ? i : i % 3);

      add_frame (trace, i % 2 != 0 ? "/a" : "/b", i % 2 != 0 ? "aabbcc" : NULL, G_MAXUINT64 - i, name);
    }
  add_frame (trace, "/a", "aabbcc", 7, NULL);
  texts = wp_carried_names_write (trace);
  g_assert_cmpuint (texts->len, >, 4);
  names = read_texts (texts);
  for (guint i = 1; i < FRAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("function %u", i % 3 == 0 ? i : i % 3);

      g_assert_cmpstr (wp_carried_names_find (names, i % 2 != 0 ? "/a" : "/b", i % 2 != 0 ? "aabbcc" : "", G_MAXUINT64 - i), ==, name);
      g_assert_null (wp_carried_names_find (names, i % 2 != 0 ? "/b" : "/a", i % 2 != 0 ? "" : "aabbcc", G_MAXUINT64 - i));
    }
  g_assert_null (wp_carried_names_find (names, "/a", "aabbcc", 7));
  g_assert_null (wp_carried_names_find (names, "/a", "aabb", G_MAXUINT64 - 1));
  g_assert_null (wp_carried_names_find (names, "/c", "", 1));
  wp_carried_names_free (names);
}

/* A function with a name that is too long for a text is left out, and nothing else. */
static void
test_long_name (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autofree char *name = g_strnfill (WP_CARRIED_NAMES_MAX, 'x');
  g_autoptr (GPtrArray) texts = NULL;
  WpCarriedNames *names;

  add_frame (trace, "/a", NULL, 1, "before");
  add_frame (trace, "/a", NULL, 2, name);
  add_frame (trace, "/a", NULL, 3, "behind");
  texts = wp_carried_names_write (trace);
  names = read_texts (texts);
  g_assert_cmpstr (wp_carried_names_find (names, "/a", "", 1), ==, "before");
  g_assert_null (wp_carried_names_find (names, "/a", "", 2));
  g_assert_cmpstr (wp_carried_names_find (names, "/a", "", 3), ==, "behind");
  wp_carried_names_free (names);
}

/* Without a build id a file is known by its path: what was replaced since is that, unless there were two of them. */
static void
test_whose (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (GPtrArray) texts = NULL;
  WpCarriedNames *names;

  add_frame (trace, "/one", NULL, 1, "one");
  add_frame (trace, "/two", NULL, 1, "two");
  add_frame (trace, "/two", "-", 1, NULL);
  add_frame (trace, "/two", "aabb", 1, "third");
  texts = wp_carried_names_write (trace);
  names = read_texts (texts);
  g_assert_cmpstr (wp_carried_names_find (names, "/one", "", 1), ==, "one");
  g_assert_cmpstr (wp_carried_names_find (names, "/one", "-", 1), ==, "one");
  g_assert_null (wp_carried_names_find (names, "/one", "ccdd", 1));
  g_assert_null (wp_carried_names_find (names, "/two", "", 1));
  g_assert_null (wp_carried_names_find (names, "/two", "-", 1));
  g_assert_cmpstr (wp_carried_names_find (names, "/two", "aabb", 1), ==, "third");
  wp_carried_names_free (names);
}

/* Cut anywhere, in memory of just that size. */
static void
test_damaged (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (GPtrArray) texts = NULL;
  const GByteArray *text;

  add_frame (trace, "/a", "aabb", 1, "first");
  add_frame (trace, "/a", "aabb", 2, "second");
  add_frame (trace, "/a", "aabb", 3, "second");
  texts = wp_carried_names_write (trace);
  g_assert_cmpuint (texts->len, ==, 1);
  text = texts->pdata[0];
  for (guint n = 0; n <= text->len; n++)
    {
      g_autofree guint8 *part = g_memdup2 (text->data, n);
      WpCarriedNames *names = wp_carried_names_new ();
      const char *second;

      g_assert_cmpint (wp_carried_names_add (names, part, n), ==, n == text->len);
      second = wp_carried_names_find (names, "/a", "aabb", 3);
      g_assert_cmpstr (second, ==, n + 1 >= text->len ? "second" : NULL);
      wp_carried_names_free (names);
    }
}

/* Of a program that is nowhere; and damage is counted. */
static void
test_recording (void)
{
  g_autofree char *path = g_strdup_printf ("%s/own-names-%d.data", g_get_tmp_dir (), getpid ());
  g_autoptr (WpTrace) source = wp_trace_new ();
  g_autoptr (GPtrArray) texts = NULL;
  const GByteArray *text;

  add_frame (source, "/nowhere/pass", NULL, 0x1170, "innermost");
  add_frame (source, "/nowhere/pass", NULL, 0x125f, "caller");
  texts = wp_carried_names_write (source);
  text = texts->pdata[0];
  for (guint damage = 0; damage < 2; damage++)
    {
      GByteArray *records = maker_exchange (), *stream;
      g_autoptr (GError) error = NULL;
      g_autoptr (WpTrace) trace = NULL;
      const WpStack *stack;

      maker_own_feature (records, WP_PERF_FEATURE_OWN_NAMES, text->data, text->len - damage);
      stream = maker_stream (records, FALSE);
      g_assert_true (g_file_set_contents (path, (const char *) stream->data, stream->len, NULL));
      g_byte_array_unref (stream);
      trace = wp_read (path, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (wp_read_symbols (trace, NULL, NULL, &error), >=, 2);
      g_assert_no_error (error);
      stack = &trace->stacks.data[trace->samples.data[1].stack];
      g_assert_cmpstr (wp_trace_function_name (trace, trace->frames.data[stack->frame].function), ==, "innermost");
      stack = &trace->stacks.data[stack->parent];
      g_assert_cmpstr (wp_trace_function_name (trace, trace->frames.data[stack->frame].function), ==, "caller");
      g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, damage);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/own-names/round-trip", test_round_trip);
  g_test_add_func ("/own-names/long-name", test_long_name);
  g_test_add_func ("/own-names/whose", test_whose);
  g_test_add_func ("/own-names/damaged", test_damaged);
  g_test_add_func ("/own-names/recording", test_recording);
  return g_test_run ();
}
