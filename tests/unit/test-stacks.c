/* Stacks with values: how they are made, filtered, written and counted, where tests/check-pprof-data has no file for it. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "stacks/filter.h"
#include "stacks/formats.h"
#include "stacks/measure.h"
#include "stacks/merge.h"
#include "stacks/tags.h"
#include "stacks/trim.h"

static WpId
text (WpStacksMaker *maker, const char *s)
{
  return wp_strings_intern (maker->stacks->strings, s);
}

/* A function of a name, and the location that is in it. */
static WpId
location (WpStacksMaker *maker, const char *name)
{
  WpFrames *frames = maker->stacks->frames;
  WpId id = text (maker, name);

  for (WpId i = 1; i < frames->functions.len; i++)
    if (frames->functions.data[i].name == id)
      return i;
  wp_array_push (&frames->functions, ((WpStackFunction) { .name = id, .system_name = id }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
  return frames->locations.len - 1;
}

/* "main;work;read 30" by sample: stacks with values, outermost first; "key=text" in front are labels. */
static WpStacks *
make (const char *const *samples)
{
  g_auto (WpStacksMaker) maker = { 0 };

  wp_stacks_maker_init (&maker);
  wp_stacks_maker_type (&maker, text (&maker, "cpu"), text (&maker, "ms"));
  for (; *samples != NULL; samples++)
    {
      g_auto (GStrv) words = g_strsplit (*samples, " ", -1);
      guint n = g_strv_length (words);
      g_auto (GStrv) names = g_strsplit (words[n - 2], ";", -1);
      gint64 value = g_ascii_strtoll (words[n - 1], NULL, 10);
      WpIdArray stack = { 0 };

      for (guint i = 0; names[i] != NULL; i++)
        wp_array_push (&stack, location (&maker, names[i]));
      for (guint i = 0; i + 2 < n; i++)
        {
          g_auto (GStrv) label = g_strsplit (words[i], "=", 2);

          wp_stacks_maker_label (&maker, text (&maker, label[0]), text (&maker, label[1]));
        }
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, stack.data, stack.len), &value);
      wp_array_clear (&stack);
    }
  return wp_stacks_maker_take (&maker);
}

/* The same text of stacks, without labels. */
static char *
describe (const WpStacks *stacks)
{
  GString *out = g_string_new (NULL);
  WpIdArray stack = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      wp_frames_stack (stacks->frames, stacks->sample_stacks.data[i], &stack);
      g_string_append (out, i > 0 ? ", " : "");
      for (guint32 l = stack.len; l-- > 0;)
        {
          const WpLocation *row = &stacks->frames->locations.data[stack.data[l]];

          g_string_append_printf (out, "%s%s", wp_stacks_text (stacks, stacks->frames->functions.data[stacks->frames->lines.data[row->first_line].function].name),
                                  l > 0 ? ";" : "");
        }
      g_string_append_printf (out, " %" G_GINT64_FORMAT, stacks->values[0].data[i]);
    }
  wp_array_clear (&stack);
  return g_string_free (out, FALSE);
}

static void
assert_filtered (WpStacks *stacks, const char *filter, const char *expected)
{
  WpFilter steps = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) result = NULL;
  g_autofree char *found = NULL;

  g_assert_true (wp_filter_parse (&steps, filter, &error));
  result = wp_filter_apply (&steps, stacks, NULL, &error);
  g_assert_no_error (error);
  found = describe (result);
  g_assert_cmpstr (found, ==, expected);
  wp_filter_clear (&steps);
}

static void
test_filters (void)
{
  g_autoptr (WpStacks) stacks
    = make ((const char *const[]) { "req=a main;serve;read 1", "req=b main;serve;parse;alloc 2", "main;idle 4", "req=b main;serve;read 8", NULL });

  assert_filtered (stacks, "", "main;serve;read 1, main;serve;parse;alloc 2, main;idle 4, main;serve;read 8");
  assert_filtered (stacks, "focus=serve ignore=parse", "main;serve;read 1, main;serve;read 8");
  assert_filtered (stacks, "hide='^(main|serve)$'", "read 1, parse;alloc 2, idle 4, read 8");
  assert_filtered (stacks, "show='read|alloc'", "read 1, alloc 2, read 8");
  assert_filtered (stacks, "show_from=serve", "serve;read 1, serve;parse;alloc 2, serve;read 8");
  assert_filtered (stacks, "prune_from=parse", "main;serve;read 1, main;serve;parse 2, main;idle 4, main;serve;read 8");
  assert_filtered (stacks, "tagfocus=req=b tagignore=nothing", "main;serve;parse;alloc 2, main;serve;read 8");
  assert_filtered (stacks, "tagroot=req focus=^b$", "b;main;serve;parse;alloc 2, b;main;serve;read 8");
  assert_filtered (stacks, "tagleaf=req", "main;serve;read;a 1, main;serve;parse;alloc;b 2, main;idle; 4, main;serve;read;b 8");
  assert_filtered (stacks, "focus=read focus=main hide=serve", "main;read 1, main;read 8");
}

static void
test_filter_text (void)
{
  WpFilter steps = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;

  wp_filter_add (&steps, WP_FILTER_FOCUS, "a b'c");
  wp_filter_add (&steps, WP_FILTER_TAG_FOCUS, "key=4kb:");
  written = wp_filter_text (&steps);
  wp_filter_clear (&steps);
  g_assert_true (wp_filter_parse (&steps, written, &error));
  g_assert_cmpuint (steps.len, ==, 2);
  g_assert_cmpint (steps.data[0].kind, ==, WP_FILTER_FOCUS);
  g_assert_cmpstr (steps.data[0].pattern, ==, "a b'c");
  g_assert_cmpstr (steps.data[1].pattern, ==, "key=4kb:");
  wp_filter_clear (&steps);
  g_assert_true (wp_filter_parse (&steps, "", &error));
  g_assert_cmpuint (steps.len, ==, 0);
  g_assert_false (wp_filter_parse (&steps, "focus", &error));
  g_assert_cmpstr (error->message, ==, "“focus” is no step of a filter; one is written like focus=PATTERN");
  g_clear_error (&error);
  g_assert_false (wp_filter_parse (&steps, "focus='a", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  wp_filter_clear (&steps);
}

static void
test_wrong_pattern (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main 1", NULL });

  for (WpFilterKind kind = WP_FILTER_FOCUS; kind < WP_FILTER_KIND_COUNT; kind++)
    {
      WpFilter steps = { 0 };
      g_autoptr (GError) error = NULL;

      wp_filter_add (&steps, kind, "a(");
      g_assert_null (wp_filter_apply (&steps, stacks, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "a("));
      wp_filter_clear (&steps);
    }
}

/* What is derived keeps what it shares alive, and the first one as it was. */
static void
test_shared (void)
{
  WpStacks *stacks = make ((const char *const[]) { "main;a 1", "main;b 2", NULL });
  WpFilter steps = { 0 };
  WpStacks *less;
  g_autofree char *found = NULL;

  wp_filter_add (&steps, WP_FILTER_FOCUS, "b");
  less = wp_filter_apply (&steps, stacks, NULL, NULL);
  g_assert_true (less->frames == stacks->frames);
  wp_stacks_unref (stacks);
  found = describe (less);
  g_assert_cmpstr (found, ==, "main;b 2");
  wp_stacks_unref (less);
  wp_filter_clear (&steps);
}

/* Locations beyond two bytes, and stacks that were there before them. */
static void
test_many_locations (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  WpIdArray stack = { 0 };
  gint64 value = 1;

  wp_stacks_maker_init (&maker);
  wp_stacks_maker_type (&maker, text (&maker, "samples"), text (&maker, "count"));
  for (guint32 i = 1; i <= 70000; i++)
    {
      wp_array_push (&maker.stacks->frames->locations, ((WpLocation) { .address = i }));
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, (WpId[]) { i, i / 2 + 1, 1 }, 3), &value);
    }
  stacks = wp_stacks_maker_take (&maker);
  g_assert_null (stacks->frames->runs.narrow);
  for (guint32 i = 1; i <= 70000; i++)
    {
      wp_frames_stack (stacks->frames, stacks->sample_stacks.data[i - 1], &stack);
      g_assert_cmpuint (stack.len, ==, 3);
      g_assert_cmpuint (stack.data[0], ==, 1);
      g_assert_cmpuint (stack.data[1], ==, i / 2 + 1);
      g_assert_cmpuint (stack.data[2], ==, i);
    }
  wp_array_clear (&stack);
}

/* A stack on top of another one is the one that was made so before; equal stacks have one id, in a million calls, too. */
static void
test_stacks_once (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  WpId outer, inner;

  wp_stacks_maker_init (&maker);
  for (guint i = 0; i < 4; i++)
    wp_array_add (&maker.stacks->frames->locations);
  outer = wp_stacks_maker_stack (&maker, 0, (WpId[]) { 1, 2 }, 2);
  inner = wp_stacks_maker_stack (&maker, outer, (WpId[]) { 3 }, 1);
  g_assert_cmpuint (wp_stacks_maker_stack (&maker, 0, (WpId[]) { 1, 2 }, 2), ==, outer);
  g_assert_cmpuint (wp_stacks_maker_stack (&maker, outer, (WpId[]) { 3 }, 1), ==, inner);
  g_assert_cmpuint (wp_stacks_maker_stack (&maker, outer, NULL, 0), ==, outer);
  g_assert_cmpuint (outer, <, inner);
}

static void
test_measure (void)
{
  static const struct
  {
    gint64 value;
    const char *from, *to, *text;
  } cases[] = {
    { 0, "ns", "auto", "0" },
    { 999, "nanoseconds", "auto", "999ns" },
    { 1500000000, "ns", "auto", "1.50s" },
    { -1500000, "nanoseconds", "auto", "-1.50ms" },
    { 7200, "seconds", "auto", "2hrs" },
    { 65536, "bytes", "auto", "64kB" },
    { 1, "kilobytes", "bytes", "1024B" },
    { 5, "ms", "bytes", "0.01s" }, /* of another kind: what its own is told in */
    { 12, "count", "auto", "12" },
    { 12, "widgets", "parsec", "12parsec" },
    { 3, "Seconds", "auto", "3s" },
    { G_MININT64, "ns", "ns", "-9223372036854775808ns" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = wp_measure_text (cases[i].value, cases[i].from, cases[i].to);

      g_assert_cmpstr (found, ==, cases[i].text);
    }
}

static void
test_share (void)
{
  char share[WP_FORMAT_MAX];

  g_assert_cmpstr (wp_measure_share (1, 1, share), ==, "  100%");
  g_assert_cmpstr (wp_measure_share (9995, 10000, share), ==, "  100%");
  g_assert_cmpstr (wp_measure_share (9994, 10000, share), ==, "99.94%");
  g_assert_cmpstr (wp_measure_share (1, 100, share), ==, " 1.00%");
  g_assert_cmpstr (wp_measure_share (1, 1000, share), ==, "  0.1%");
  g_assert_cmpstr (wp_measure_share (0, 0, share), ==, "    0%");
  g_assert_cmpstr (wp_measure_share (-1, 2, share), ==, "50.00%");
}

/* A function that calls itself counts once. */
static void
test_graph_recursion (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main;walk;walk;walk 3", "main;walk 4", "main 5", NULL });
  const WpGraphOptions options = { .type = 0 };
  g_autoptr (WpGraph) graph = wp_graph_new (stacks, &options, NULL, NULL);

  g_assert_cmpuint (graph->nodes.len, ==, 2);
  g_assert_cmpstr (graph->nodes.data[1].frame->name, ==, "walk");
  g_assert_cmpint (graph->nodes.data[1].flat.sum, ==, 7);
  g_assert_cmpint (graph->nodes.data[1].cum.sum, ==, 7);
  g_assert_cmpint (graph->nodes.data[0].cum.sum, ==, 12);
  g_assert_cmpint (graph->total, ==, 12);
  g_assert_cmpuint (graph->edges.len, ==, 1);
  g_assert_cmpint (graph->edges.data[0].weight.sum, ==, 7);
}

static void
test_merge_units (void)
{
  g_autoptr (WpStacks) a = make ((const char *const[]) { "main 2", NULL }), b = make ((const char *const[]) { "main 500", "idle 0", NULL });
  g_autoptr (WpStacks) merged = NULL, difference = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL, *other = NULL;

  b->types.data[0].unit = wp_strings_intern (b->strings, "us");
  merged = wp_stacks_merge ((WpStacks *[]) { a, b }, 2, NULL, &error);
  g_assert_no_error (error);
  found = describe (merged);
  g_assert_cmpstr (found, ==, "main 2500");
  g_assert_cmpstr (wp_stacks_text (merged, merged->types.data[0].unit), ==, "us");
  difference = wp_stacks_subtract (a, b, WP_DIFFERENCE_OF_BASE, FALSE, NULL, &error);
  other = describe (difference);
  g_assert_cmpstr (other, ==, "main 2000, main -500");
  b->types.data[0].unit = wp_strings_intern (b->strings, "bytes");
  g_assert_null (wp_stacks_merge ((WpStacks *[]) { a, b }, 2, NULL, &error));
  g_assert_cmpstr (error->message, ==, "the profiles cannot be put together: cpu is counted in “ms” and in “bytes”");
}

static void
test_tags (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "req=a main 1", "req=b main 2", "req=a main 4", "main 8", NULL });
  g_autoptr (WpTags) tags = wp_tags_new (stacks, 0, "auto");

  g_assert_cmpuint (tags->tags.len, ==, 1);
  g_assert_cmpstr (tags->tags.data[0].key, ==, "req");
  g_assert_cmpint (tags->tags.data[0].sum, ==, 7);
  g_assert_cmpstr (tags->tags.data[0].values.data[0].text, ==, "a");
  g_assert_cmpint (tags->tags.data[0].values.data[0].sum, ==, 5);
}

static void
test_types (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main 1", NULL });
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (wp_stacks_find_type (stacks, "cpu", &error), ==, 0);
  g_assert_cmpint (wp_stacks_find_type (stacks, "0", &error), ==, 0);
  g_assert_cmpint (wp_stacks_find_type (stacks, "inuse_cpu", &error), ==, 0);
  g_assert_no_error (error);
  g_assert_cmpint (wp_stacks_find_type (stacks, "1", &error), ==, -1);
  g_assert_cmpstr (error->message, ==, "there is no sample type “1”; there are: cpu");
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
test_saved (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-stacks-XXXXXX", NULL), *path = g_build_filename (folder, "x.pb.gz", NULL);
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "k=v main;a 1", "k= main;b 2", "main;a;b;c;d 3", NULL }), again = NULL;
  const WpStacksFormat *format;
  g_autoptr (GError) error = NULL;
  g_autofree char *before = describe (stacks), *after = NULL;

  g_assert_true (wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), path, NULL, &error));
  again = wp_stacks_open (path, &format, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (format->id, ==, "pprof");
  after = describe (again);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (again->labels->sets.len, ==, 3); /* an empty value is one, too */
  g_remove (path);
  g_rmdir (folder);
}

static void
test_full_device (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main 1", NULL });
  int fd = g_open ("/dev/full", O_WRONLY, 0);

  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (format->write (stacks, fd, NULL, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
    }
  close (fd);
}

static void
test_cancelled (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-stacks-XXXXXX", NULL), *path = g_build_filename (folder, "x.pb.gz", NULL);
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main;a 1", NULL });
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  const WpGraphOptions options = { 0 };
  GError *error = NULL;

  g_assert_true (wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), path, NULL, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_null (wp_stacks_open (path, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (wp_graph_new (stacks, &options, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (wp_stacks_merge ((WpStacks *[]) { stacks, stacks }, 2, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_remove (path);
  g_rmdir (folder);
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

static void
test_zeros_in_texts (void)
{
  g_autoptr (WpStrings) strings = wp_strings_new (), copy = NULL;
  WpId plain = wp_strings_intern_bytes (strings, "a", 1), zeros = wp_strings_intern_bytes (strings, "a\0b", 3);
  WpId others = wp_strings_intern_bytes (strings, "a\0c", 3), cut = wp_strings_intern_n (strings, "a\0b", 3);
  gsize n;

  g_assert_cmpuint (cut, ==, plain);
  g_assert_cmpuint (zeros, !=, others);
  g_assert_cmpuint (wp_strings_intern_bytes (strings, "a\0b", 3), ==, zeros);
  g_assert_cmpmem (wp_strings_bytes (strings, zeros, &n), 3, "a\0b", 3);
  g_assert_cmpuint (n, ==, 3);
  wp_strings_bytes (strings, plain, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (wp_strings_compare (strings, plain, zeros), <, 0);
  g_assert_cmpint (wp_strings_compare (strings, others, zeros), >, 0);
  copy = wp_strings_copy (strings);
  g_assert_cmpuint (wp_strings_intern_bytes (copy, "a\0c", 3), ==, others);
  g_assert_cmpuint (wp_strings_count (copy), ==, wp_strings_count (strings));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stacks/filters", test_filters);
  g_test_add_func ("/stacks/filter-text", test_filter_text);
  g_test_add_func ("/stacks/wrong-pattern", test_wrong_pattern);
  g_test_add_func ("/stacks/shared", test_shared);
  g_test_add_func ("/stacks/many-locations", test_many_locations);
  g_test_add_func ("/stacks/once", test_stacks_once);
  g_test_add_func ("/stacks/measure", test_measure);
  g_test_add_func ("/stacks/share", test_share);
  g_test_add_func ("/stacks/graph-recursion", test_graph_recursion);
  g_test_add_func ("/stacks/merge-units", test_merge_units);
  g_test_add_func ("/stacks/tags", test_tags);
  g_test_add_func ("/stacks/types", test_types);
  g_test_add_func ("/stacks/saved", test_saved);
  g_test_add_func ("/stacks/full-device", test_full_device);
  g_test_add_func ("/stacks/cancelled", test_cancelled);
  g_test_add_func ("/stacks/zeros-in-texts", test_zeros_in_texts);
  return g_test_run ();
}
