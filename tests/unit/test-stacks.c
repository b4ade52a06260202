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

/* Marks stand within one another; values of other labels are one frame. */
static void
test_marks (void)
{
  g_autoptr (WpStacks) stacks
    = make ((const char *const[]) { "mark=all mark=load p=x p=y main;read 1", "p=x main;idle 2", "mark=all p=x main;read 4", NULL });

  assert_filtered (stacks, "tagroot=mark", "all;load;main;read 1, main;idle 2, all;main;read 4");
  assert_filtered (stacks, "tagroot=p,mark", "x,y;all;load;main;read 1, x;main;idle 2, x;all;main;read 4");
  assert_filtered (stacks, "tagleaf=mark", "main;read;all;load 1, main;idle 2, main;read;all 4");
  assert_filtered (stacks, "tagfocus=mark=load", "main;read 1");
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
  const WpGraphOptions options = { .type = 0, .calls = TRUE };
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

/* "8 latency=1500nanoseconds": a sample of each value, with a number for a label. */
static WpStacks *
make_numbers (const char *unit, const char *const *samples)
{
  g_auto (WpStacksMaker) maker = { 0 };

  wp_stacks_maker_init (&maker);
  wp_stacks_maker_type (&maker, text (&maker, "cpu"), text (&maker, unit));
  for (; *samples != NULL; samples++)
    {
      g_auto (GStrv) words = g_strsplit_set (*samples, " =", 3);
      WpId stack = location (&maker, "main");
      gint64 value = g_ascii_strtoll (words[0], NULL, 10);
      char *label_unit;
      gint64 number = g_ascii_strtoll (words[2], &label_unit, 10);

      wp_stacks_maker_number (&maker, text (&maker, words[1]), number, text (&maker, label_unit));
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, &stack, 1), &value);
    }
  return wp_stacks_maker_take (&maker);
}

/* "thread=12 thread=12 1": each value with the filter for it and its sum, and what the filter leaves has that sum. */
static void
assert_numbers (WpStacks *stacks, const char *expected)
{
  g_autoptr (WpTags) tags = wp_tags_new (stacks, 0, "auto");
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint32 t = 0; t < tags->tags.len; t++)
    for (guint32 v = 0; v < tags->tags.data[t].values.len; v++)
      {
        const WpTagValue *value = &tags->tags.data[t].values.data[v];
        g_autofree char *pattern = g_strdup_printf ("%s=%s", tags->tags.data[t].key, value->pattern);
        g_autoptr (WpStacks) left = NULL;
        WpFilter filter = { 0 };

        wp_filter_add (&filter, WP_FILTER_TAG_FOCUS, pattern);
        left = wp_filter_apply (&filter, stacks, NULL, NULL);
        g_assert_cmpint (wp_stacks_total (left, 0, FALSE), ==, value->sum);
        g_string_append_printf (found, "%s%s=%s %s %" G_GINT64_FORMAT, found->len > 0 ? ", " : "", tags->tags.data[t].key, value->text, value->pattern, value->sum);
        wp_filter_clear (&filter);
      }
  g_assert_cmpstr (found->str, ==, expected);
}

/* Numbers are found by what they are shown as, whatever their unit: also by those of no kind, as the key is where there is none. */
static void
test_number_tags (void)
{
  g_autoptr (WpStacks) plain = make_numbers ("ns", (const char *const[]) { "4 thread_id=12", "2 thread_id=-3", "1 thread_id=9223372036854775807", NULL });
  g_autoptr (WpStacks) times = make_numbers ("bytes", (const char *const[]) { "8 latency=1501nanoseconds", "4 latency=3000nanoseconds",
                                                                              "2 latency=1504nanoseconds", "1 latency=1506nanoseconds", NULL });
  g_autoptr (WpStacks) letters = make_numbers ("count", (const char *const[]) { "4 wait=5μs", "2 wait=7μs", NULL });
  g_autoptr (WpStacks) unknown = make_numbers ("count", (const char *const[]) { "4 cost=5µ$", "2 cost=7µ$", NULL });

  assert_numbers (plain, "thread_id=12 12 4, thread_id=-3 -3 2, thread_id=9223372036854775808 9223372036854775807 1");
  assert_numbers (times, "latency=1.50us 1501nanoseconds:1504nanoseconds 10, latency=3us 3000nanoseconds 4, latency=1.51us 1506nanoseconds 1");
  assert_numbers (letters, "wait=5 5 4, wait=7 7 2");
  assert_numbers (unknown, "cost=5 5 4, cost=7 7 2");
}

static void
assert_frames (WpStacks *stacks, const char *keys, const char *unit, const char *expected)
{
  WpFilter filter = { 0 };
  g_autoptr (WpStacks) rooted = NULL;
  g_autofree char *found = NULL;

  wp_filter_add (&filter, WP_FILTER_TAG_ROOT, keys);
  rooted = wp_filter_apply_in (&filter, stacks, unit, NULL, NULL);
  found = describe (rooted);
  g_assert_cmpstr (found, ==, expected);
  wp_filter_clear (&filter);
}

/* Numbers of labels become frames in the unit that is asked for; those without a unit have none. */
static void
test_label_frames (void)
{
  g_autoptr (WpStacks) stacks = make_numbers ("ns", (const char *const[]) { "8 size=10240bytes", "4 size=20480bytes", "2 thread=12", NULL });

  assert_frames (stacks, "size", "auto", "10kB;main 8, 20kB;main 4, ;main 2");
  assert_frames (stacks, "size", "b", "10240B;main 8, 20480B;main 4, ;main 2");
  assert_frames (stacks, "size,thread", "ms", "10240B;;main 8, 20480B;;main 4, ;12;main 2");
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

/* What a window calls types: their values say themselves that they are times or bytes, but not what they count. */
static void
test_types_shown (void)
{
  static const struct
  {
    const char *type, *unit, *shown;
  } types[] = { { "samples", "count", "samples (count)" }, { "cpu", "nanoseconds", "cpu" }, { "alloc_space", "bytes", "alloc_space" },
                { "energy", "joules", "energy (joules)" }, { "plain", "", "plain" }, { "twice", "ms", "twice (ms)" }, { "twice", "bytes", "twice (bytes)" } };
  WpStacksMaker maker;
  g_autoptr (WpStacks) stacks = NULL;

  wp_stacks_maker_init (&maker);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    wp_stacks_maker_type (&maker, wp_strings_intern (maker.stacks->strings, types[i].type), wp_strings_intern (maker.stacks->strings, types[i].unit));
  stacks = wp_stacks_maker_take (&maker);
  wp_stacks_maker_clear (&maker);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *shown = wp_stacks_type_shown (stacks, i);

      g_assert_cmpstr (shown, ==, types[i].shown);
    }
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

static WpStacks *
read_text (const char *content, const char *format, GError **error)
{
  const WpInput input = { .data = (const guint8 *) content, .n = strlen (content) };
  const WpStacksFormat *found = wp_stacks_format_of (input.data, input.n);

  g_assert_nonnull (found);
  g_assert_cmpstr (found->id, ==, format);
  return found->read ("input", &input, NULL, error);
}

/* A format is told by what stands at the beginning and at the end, however long the tables between are. */
static void
test_large_racket (void)
{
  g_autoptr (GString) text = g_string_new ("{ \"cpu_time\": 5, \"functions\": [");
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%s{ \"id\": \"function%u\", \"src\": null }", i > 0 ? ", " : "", i);
  g_string_append (text, "], \"samples\": [");
  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%s{ \"thread\": 0, \"time\": %u, \"stack\": [%u] }", i > 0 ? ", " : "", i, i);
  g_string_append (text, "] }");
  stacks = read_text (text->str, "racket", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stacks->n_samples, ==, 5000);
}

/* What a format writes. */
static char *
written (const WpStacks *stacks, const char *format)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-stacks-XXXXXX", NULL), *path = g_build_filename (folder, "x", NULL);
  char *content = NULL;

  g_assert_true (wp_stacks_save (stacks, wp_stacks_format_named (format), path, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_remove (path);
  g_rmdir (folder);
  return content;
}

static void
test_folded (void)
{
  static const char content[] = "main;work;read_[k] 30\nmain;work;inner_[i] 5\nmain;work 12\nmain;work 3\nplain;name with blanks 1\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text (content, "folded", &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (stacks->n_samples, ==, 5);
  g_assert_cmpuint (stacks->frames->modules.len, ==, 2);
  again = written (stacks, "folded");
  g_assert_cmpstr (again, ==, "main;work 15\nmain;work;inner_[i] 5\nmain;work;read_[k] 30\nplain;name with blanks 1\n");
}

/* Names that a terminal would obey are written so that it does not. */
static void
test_terminal (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main;\x1b[31mred 1", NULL });
  g_autofree char *folded = written (stacks, "folded"), *raw = written (stacks, "raw");

  g_assert_cmpstr (folded, ==, "main;\\u001b[31mred 1\n");
  g_assert_nonnull (strstr (raw, "\\u001b[31mred"));
  g_assert_null (strchr (raw, '\x1b'));
}

static void
test_folded_without_values (void)
{
  g_autoptr (WpStacks) stacks = read_text ("a;b\na;b\nc;d\n", "folded", NULL);
  g_autofree char *again = written (stacks, "folded");

  g_assert_cmpstr (again, ==, "a;b 2\nc;d 1\n");
}

static void
test_folded_difference (void)
{
  g_autoptr (WpStacks) stacks = read_text ("a;b 10 12\nc;d 0 7\n", "folded", NULL);

  g_assert_cmpuint (stacks->types.len, ==, 2);
  g_assert_cmpint (stacks->values[0].data[0], ==, 10);
  g_assert_cmpint (stacks->values[1].data[1], ==, 7);
  g_assert_cmpuint (wp_stacks_default_type (stacks), ==, 1);
}

/* No text, or text of another kind. */
static void
test_no_folded (void)
{
  static const char *const others[] = { "", "Hello, world\n", "{ \"a\": 1 }\n", "<xml>;</xml>\n", "# comment;only 1\n", "perf  12 [000] 1.0: cycles: \n\tffff main 1\n",
                                        "\x01;a 1\n" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const WpStacksFormat *format = wp_stacks_format_of ((const guint8 *) others[i], strlen (others[i]));

      g_assert_true (format == NULL || !g_str_equal (format->id, "folded"));
    }
}

#define SCHEMA "\"$schema\": \"https://www.speedscope.app/file-format-schema.json\""

/* Profiles of two kinds before the frames that they name, and members in any order. */
static void
test_speedscope (void)
{
  static const char content[] = "{" SCHEMA ", \"profiles\": ["
    "{\"type\": \"sampled\", \"name\": \"one\", \"unit\": \"milliseconds\", \"startValue\": 5, \"endValue\": 8,"
    " \"samples\": [[0, 1], [0]], \"weights\": [1, 2.5]},"
    "{\"events\": [{\"type\": \"O\", \"frame\": 0, \"at\": 10}, {\"type\": \"O\", \"frame\": 1, \"at\": 12}, {\"type\": \"C\", \"frame\": 1, \"at\": 15},"
    " {\"type\": \"C\", \"frame\": 0, \"at\": 15}], \"name\": \"two\", \"unit\": \"seconds\", \"startValue\": 10, \"endValue\": 15, \"type\": \"evented\"}],"
    "\"shared\": {\"frames\": [{\"name\": \"main\", \"file\": \"m.c\", \"line\": 3}, {\"name\": \"work\"}]}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text (content, "speedscope", &error), again = NULL;
  g_autofree char *found = NULL, *text = NULL, *other = NULL;

  g_assert_no_error (error);
  found = describe (stacks);
  g_assert_cmpstr (found, ==, "main;work 1000000, main 2500000, main 2000000000, main;work 3000000000");
  g_assert_cmpuint (stacks->types.len, ==, 1);
  g_assert_cmpstr (wp_stacks_text (stacks, stacks->types.data[0].unit), ==, "nanoseconds");
  g_assert_cmpint (stacks->moments.data[1], ==, 6000000);
  g_assert_cmpint (stacks->moments.data[3], ==, 12 * G_GINT64_CONSTANT (1000000000));
  g_assert_cmpstr (wp_stacks_text (stacks, stacks->threads.data[stacks->sample_threads.data[3]].name), ==, "two");
  g_assert_cmpint (stacks->frames->lines.data[0].line, ==, 3);
  text = written (stacks, "speedscope");
  again = read_text (text, "speedscope", &error);
  g_assert_no_error (error);
  other = describe (again);
  g_assert_cmpstr (found, ==, other);
}

static void
test_wrong_speedscope (void)
{
  static const struct
  {
    const char *rest, *message;
  } cases[] = {
    { "\"profiles\": [{\"type\": \"sampled\", \"samples\": [[0]], \"weights\": [1, 2]}]}", "1 samples have 2 weights" },
    { "\"profiles\": [{\"type\": \"sampled\", \"samples\": [[7]], \"weights\": [1]}]}", "there are 0 frames, and a profile names number 7" },
    { "\"profiles\": [{\"type\": \"evented\", \"events\": [{\"type\": \"C\", \"frame\": 0, \"at\": 1}]}]}", "closes frame 0" },
    { "\"profiles\": [{\"type\": \"evented\", \"events\": [{\"type\": \"O\", \"frame\": 0, \"at\": 2}, {\"type\": \"O\", \"frame\": 0, \"at\": 1}]}]}",
      "event 1 is earlier" },
    { "\"profiles\": [{\"type\": \"evented\", \"events\": [{\"frame\": 0, \"at\": 1}]}]}", "an event opens (O) or closes (C) a frame" },
    { "\"profiles\": [{\"unit\": \"weeks\"}]}", "not a unit" },
    { "\"profiles\": [{\"samples\": [[", "input" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *content = g_strdup_printf ("{%s, %s", SCHEMA, cases[i].rest);
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (content, "speedscope", &error));
      g_assert_nonnull (error);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: %s", cases[i].rest, error->message);
    }
}

/* B with E, X within, what does not end, an end without a beginning, and another thread. */
static void
test_chrome (void)
{
  static const char content[] = "{\"traceEvents\": ["
    "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 2, \"args\": {\"name\": \"worker\"}},"
    "{\"name\": \"main\", \"ph\": \"B\", \"pid\": 1, \"tid\": 2, \"ts\": 10},"
    "{\"name\": \"inner\", \"ph\": \"X\", \"pid\": 1, \"tid\": 2, \"ts\": 12, \"dur\": 3.5},"
    "{\"name\": \"main\", \"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 20},"
    "{\"name\": \"gone\", \"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 21},"
    "{\"name\": \"other\", \"ph\": \"X\", \"pid\": 1, \"tid\": 3, \"ts\": 0, \"dur\": 1},"
    "{\"name\": \"open\", \"ph\": \"B\", \"pid\": 1, \"tid\": 2, \"ts\": 30},"
    "{\"name\": \"last\", \"ph\": \"X\", \"pid\": 1, \"tid\": 2, \"ts\": 31, \"dur\": 1},"
    "{\"name\": \"counter\", \"ph\": \"C\", \"pid\": 1, \"ts\": 31, \"args\": {\"value\": 1}}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text (content, "chrome", &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = describe (stacks);
  g_assert_cmpstr (found, ==, "main 2000, main;inner 3500, main 4500, open 1000, open;last 1000, other 1000");
  g_assert_cmpstr (wp_stacks_text (stacks, stacks->threads.data[stacks->sample_threads.data[0]].name), ==, "worker");
  g_assert_cmpint (stacks->moments.data[1], ==, 12000);
  g_assert_cmpint (stacks->threads.data[stacks->sample_threads.data[5]].tid, ==, 3);
}

/* An array that was cut off behind an event, as of a program that was killed; not in the middle of one. */
static void
test_cut_chrome (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text ("[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2},\n", "chrome", &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = describe (stacks);
  g_assert_cmpstr (found, ==, "a 2000");
  g_assert_null (read_text ("[{\"ph\": 1x, \"name\": \"a\"}]", "chrome", &error));
  g_assert_nonnull (error);
}

/* Chunks of a profiler, and a profile by itself: a sample lasts until the next one. */
static void
test_chrome_profile (void)
{
  static const char chunks[] = "[{\"ph\": \"P\", \"name\": \"Profile\", \"id\": \"0x1\", \"pid\": 1, \"tid\": 2, \"ts\": 5, \"args\": {\"data\": {\"startTime\": 100}}},"
    "{\"ph\": \"P\", \"name\": \"ProfileChunk\", \"id\": \"0x1\", \"pid\": 1, \"tid\": 9, \"args\": {\"data\": {\"cpuProfile\": {\"nodes\": ["
    "{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\"}}, {\"id\": 2, \"parent\": 1, \"callFrame\": {\"functionName\": \"f\", \"url\": \"a.js\", \"lineNumber\": 4}},"
    "{\"id\": 3, \"parent\": 2, \"callFrame\": {\"functionName\": \"\"}}], \"samples\": [2, 3]}, \"timeDeltas\": [10, 20]}}},"
    "{\"ph\": \"P\", \"name\": \"ProfileChunk\", \"id\": \"0x1\", \"pid\": 1, \"tid\": 9, \"args\": {\"data\": {\"cpuProfile\": {\"samples\": [3]}, \"timeDeltas\": [5]}}}]";
  static const char whole[] = "{\"nodes\": [{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\"}, \"children\": [2]},"
    "{\"id\": 2, \"callFrame\": {\"functionName\": \"f\"}}], \"startTime\": 0, \"samples\": [2, 2, 1], \"timeDeltas\": [0, 7, 3]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text (chunks, "chrome", &error), other = NULL;
  g_autofree char *found = describe (stacks), *found_other = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, "f 20000, f;(anonymous) 5000");
  g_assert_cmpint (stacks->moments.data[0], ==, 110000);
  g_assert_cmpint (stacks->frames->lines.data[stacks->frames->locations.data[2].first_line].line, ==, 5);
  other = read_text (whole, "chrome", &error);
  g_assert_no_error (error);
  found_other = describe (other);
  g_assert_cmpstr (found_other, ==, "f 7000, f 3000");
}

static void
assert_chrome (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_text (text, "chrome", &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = describe (stacks);
  g_assert_cmpstr (found, ==, expected);
}

/* The last sample lasts until the end of the profile, where its beginning is known, too: else the end says nothing of how long that was. */
static void
test_chrome_end (void)
{
#define NODES "\"nodes\": [{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\"}, \"children\": [2]}, {\"id\": 2, \"callFrame\": {\"functionName\": \"f\"}}]"
  assert_chrome ("{" NODES ", \"startTime\": 0, \"endTime\": 1000, \"samples\": [2], \"timeDeltas\": [0]}", "f 1000000");
  assert_chrome ("{" NODES ", \"startTime\": 5000, \"endTime\": 5100, \"samples\": [2, 2], \"timeDeltas\": [10, 30]}", "f 30000, f 60000");
  assert_chrome ("{" NODES ", \"startTime\": 5000, \"endTime\": 5000, \"samples\": [2, 2], \"timeDeltas\": [10, 30]}", "f 30000");
  assert_chrome ("{" NODES ", \"endTime\": 5100, \"samples\": [2, 2], \"timeDeltas\": [10, 30]}", "f 30000");
  assert_chrome ("[{\"ph\": \"P\", \"name\": \"Profile\", \"id\": \"0x1\", \"pid\": 1, \"tid\": 2, \"ts\": 5, \"args\": {\"data\": {\"startTime\": 100}}},"
                 "{\"ph\": \"P\", \"name\": \"ProfileChunk\", \"id\": \"0x1\", \"pid\": 1, \"args\": {\"data\": {\"cpuProfile\": {" NODES ", \"samples\": [2]}, "
                 "\"timeDeltas\": [10]}}},"
                 "{\"ph\": \"P\", \"name\": \"ProfileChunk\", \"id\": \"0x1\", \"pid\": 1, \"args\": {\"data\": {\"endTime\": 150}}}]", "f 40000");
  assert_chrome ("{\"traceEvents\": [{\"ph\": \"P\", \"name\": \"ProfileChunk\", \"id\": \"0x1\", \"pid\": 1, \"args\": {\"data\": {\"cpuProfile\": {" NODES ", \"samples\": [2, 2]}, "
                 "\"timeDeltas\": [10, 10]}}}]}", "f 10000"); /* what the last event says is taken once */
#undef NODES
}

static void
test_full_device (void)
{
  g_autoptr (WpStacks) stacks = make ((const char *const[]) { "main 1", NULL });
  int fd = g_open ("/dev/full", O_WRONLY, 0);

  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    {
      g_autoptr (GError) error = NULL;

      if (format->write == NULL)
        continue;
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
  g_test_add_func ("/stacks/marks", test_marks);
  g_test_add_func ("/stacks/large-racket", test_large_racket);
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
  g_test_add_func ("/stacks/number-tags", test_number_tags);
  g_test_add_func ("/stacks/label-frames", test_label_frames);
  g_test_add_func ("/stacks/types", test_types);
  g_test_add_func ("/stacks/types-shown", test_types_shown);
  g_test_add_func ("/stacks/saved", test_saved);
  g_test_add_func ("/stacks/folded", test_folded);
  g_test_add_func ("/stacks/terminal", test_terminal);
  g_test_add_func ("/stacks/folded-without-values", test_folded_without_values);
  g_test_add_func ("/stacks/folded-difference", test_folded_difference);
  g_test_add_func ("/stacks/no-folded", test_no_folded);
  g_test_add_func ("/stacks/speedscope", test_speedscope);
  g_test_add_func ("/stacks/wrong-speedscope", test_wrong_speedscope);
  g_test_add_func ("/stacks/chrome", test_chrome);
  g_test_add_func ("/stacks/cut-chrome", test_cut_chrome);
  g_test_add_func ("/stacks/chrome-profile", test_chrome_profile);
  g_test_add_func ("/stacks/chrome-end", test_chrome_end);
  g_test_add_func ("/stacks/full-device", test_full_device);
  g_test_add_func ("/stacks/cancelled", test_cancelled);
  g_test_add_func ("/stacks/zeros-in-texts", test_zeros_in_texts);
  return g_test_run ();
}
