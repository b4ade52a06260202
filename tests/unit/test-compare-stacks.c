/* Stacks with values compared: types, units, modules, what is said of them, and frames counted by two ways. */
#include <glib/gstdio.h>

#include "profile/compare/compare-private.h"
#include "stacks/formats.h"
#include "stacks/graph.h"
#include "stacks/maker.h"
#include "stacks/merge.h"

static WpId
text (WpStacksMaker *maker, const char *s)
{
  return wp_strings_intern (maker->stacks->strings, s);
}

static WpId
module (WpStacksMaker *maker, const char *file)
{
  WpFrames *frames = maker->stacks->frames;
  WpId id = text (maker, file);

  if (*file == '\0')
    return 0;
  for (WpId i = 1; i < frames->modules.len; i++)
    if (frames->modules.data[i].file == id)
      return i;
  wp_array_push (&frames->modules, ((WpStackModule) { .file = id }));
  return frames->modules.len - 1;
}

/* "read@/lib/libc.so" is a function in a module. */
static WpId
location (WpStacksMaker *maker, const char *frame)
{
  WpFrames *frames = maker->stacks->frames;
  g_auto (GStrv) parts = g_strsplit (frame, "@", 2);
  WpId name = text (maker, parts[0]);

  wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1,
                                                     .module = module (maker, parts[1] != NULL ? parts[1] : "") }));
  return frames->locations.len - 1;
}

/* Types as "cpu/ms samples/count", samples as "main;work 30 3": a value of each type. */
static WpStacks *
make (const char *types, const char *const *samples)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_auto (GStrv) named = g_strsplit (types, " ", -1);

  wp_stacks_maker_init (&maker);
  for (char **type = named; *type != NULL; type++)
    {
      g_auto (GStrv) parts = g_strsplit (*type, "/", 2);

      wp_stacks_maker_type (&maker, text (&maker, parts[0]), text (&maker, parts[1]));
    }
  maker.stacks->header.default_type = maker.stacks->types.data[0].type;
  for (; *samples != NULL; samples++)
    {
      g_auto (GStrv) words = g_strsplit (*samples, " ", -1), frames = g_strsplit (words[0], ";", -1);
      gint64 values[8] = { 0 };
      WpIdArray stack = { 0 };

      for (guint i = 0; frames[i] != NULL; i++)
        wp_array_push (&stack, location (&maker, frames[i]));
      for (guint i = 0; words[i + 1] != NULL; i++)
        values[i] = g_ascii_strtoll (words[i + 1], NULL, 10);
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, stack.data, stack.len), values);
      wp_array_clear (&stack);
    }
  return wp_stacks_maker_take (&maker);
}

#define STACKS(...) ((const char *const[]) { __VA_ARGS__, NULL })
static const char *const nothing[] = { NULL };

/* Takes both. */
static WpComparison *
compare (WpStacks *a, WpStacks *b, const char *type, GError **error)
{
  const WpCompareOptions options = { .sample_index = type };
  WpStacksFile files[] = { { .side = WP_SIDE_A, .said = { .path = (char *) "a" }, .stacks = a },
                           { .side = WP_SIDE_B, .said = { .path = (char *) "b" }, .stacks = b } };
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  gboolean done = wp_comparer_add_stacks (comparer, files, 2, &options, NULL, error);

  wp_stacks_unref (files[WP_SIDE_A].stacks);
  wp_stacks_unref (files[WP_SIDE_B].stacks);
  return done ? wp_comparer_finish (comparer, FALSE) : NULL;
}

static const WpComparedFrame *
frame_of (const WpComparison *c, const char *name, const char *module_name)
{
  for (WpId f = 1; f < c->frames.len; f++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), name)
        && g_str_equal (wp_strings_get (c->strings, c->frames.data[f].module), module_name))
      return &c->frames.data[f];
  g_error ("no frame %s of “%s”", name, module_name);
}

static void
assert_change (const WpChange *change, double a, double b)
{
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_A], a, 1e-6);
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_B], b, 1e-6);
}

static void
assert_warning (const WpComparison *c, guint i, const char *sentence)
{
  g_assert_cmpuint (c->warnings->len, >, i);
  g_assert_cmpstr (c->warnings->pdata[i], ==, sentence);
}

/* Each type that both have is a row, in a unit that both share. */
static void
test_types (void)
{
  g_autoptr (WpComparison) c = compare (make ("cpu/ms samples/count", STACKS ("main;work 30 3", "main;main;read 5 1")),
                                        make ("wall/ns samples/count cpu/us", STACKS ("main;work 7 4 40000", "main;idle 100 1 0")), NULL, NULL);
  g_autofree char *samples = NULL;

  g_assert_cmpuint (c->rows.len, ==, 2);
  g_assert_cmpstr (c->rows.data[0].name, ==, "cpu");
  assert_change (&c->rows.data[0].change, 35e6, 40e6);
  g_assert_cmpint (c->rows.data[0].unit, ==, WP_UNIT_TIME);
  g_assert_cmpstr (c->rows.data[1].name, ==, "samples");
  assert_change (&c->rows.data[1].change, 4, 5);
  samples = wp_compared_amount (c->rows.data[1].unit, c->rows.data[1].unit_name, 5, FALSE);
  g_assert_cmpstr (samples, ==, "5");
  assert_change (&frame_of (c, "work", "")->self, 30e6, 40e6);
  assert_change (&frame_of (c, "main", "")->total, 35e6, 40e6); /* recursion counts once */
  g_assert_cmpint (wp_frame_presence (frame_of (c, "read", "")), ==, WP_PRESENCE_VANISHED);
  g_assert_cmpfloat (c->nodes.data[0].total[WP_SIDE_B], ==, 40e6);
  g_assert_cmpuint (c->warnings->len, ==, 1);
  assert_warning (c, 0, "Types of values that not all profiles have are left out: wall (B)");
  g_assert_cmpuint (c->types.len, ==, 2);
  g_assert_cmpstr (c->types.data[0].name, ==, "cpu");
  g_assert_cmpstr (c->types.data[0].shown, ==, "cpu");
  g_assert_cmpstr (c->types.data[1].name, ==, "samples");
  g_assert_cmpuint (c->type, ==, 0);
}

static void
test_chosen_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpComparison) c = compare (make ("cpu/ms samples/count", STACKS ("main 30 3")), make ("cpu/ms samples/count", STACKS ("main 40 2")), "samples", NULL);

  g_assert_cmpstr (c->rows.data[0].name, ==, "samples");
  g_assert_cmpuint (c->types.len, ==, 2);
  g_assert_cmpuint (c->type, ==, 1);
  assert_change (&frame_of (c, "main", "")->self, 3, 2);
  assert_change (&c->rows.data[1].change, 30e6, 40e6);
  g_assert_null (compare (make ("cpu/ms", STACKS ("main 30")), make ("cpu/ms", STACKS ("main 30")), "wall", &error));
  g_assert_cmpstr (error->message, ==, "a: there is no sample type “wall”; there are: cpu");
}

/* Where no type is in both, the default types are compared if that makes sense. */
static void
test_other_types (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpComparison) c = compare (make ("cpu/ms", STACKS ("main 30")), make ("wall/s", STACKS ("main 2")), NULL, NULL);

  assert_change (&c->rows.data[0].change, 30e6, 2e9);
  assert_warning (c, 0, "Values of different types are compared: cpu and wall");
  g_assert_null (compare (make ("cpu/ms", STACKS ("main 30")), make ("space/bytes", STACKS ("main 2")), NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "a has values of cpu in ms, but b of space in bytes; compare profiles that have a type of value in common");
}

/* Functions of one name in two modules are two, wherever their files lie; where one side knows no modules, names alone count. */
static void
test_modules (void)
{
  const char *const with[] = { "main@/old/demo;read@/lib/libc.so 10", "main@/old/demo;read@/old/demo 1", NULL };
  const char *const moved[] = { "main@/new/demo;read@/new/demo 2", "main@/new/demo;read@/usr/lib/libc.so 20", NULL };
  g_autoptr (WpComparison) both = compare (make ("cpu/ns", with), make ("cpu/ns", moved), NULL, NULL);
  g_autoptr (WpComparison) one = compare (make ("cpu/ns", with), make ("cpu/ns", STACKS ("main;read 22")), NULL, NULL);

  assert_change (&frame_of (both, "read", "libc.so")->self, 10, 20);
  assert_change (&frame_of (both, "read", "demo")->self, 1, 2);
  assert_change (&frame_of (both, "main", "demo")->total, 11, 22);
  g_assert_cmpuint (both->nodes.len, ==, 4);
  assert_change (&frame_of (one, "read", "")->self, 11, 22);
  g_assert_cmpuint (one->nodes.len, ==, 3);
}

/* Addresses say nothing: what has no symbol is one frame, and counts once where it calls itself. */
static void
test_no_symbols (void)
{
  g_autoptr (WpComparison) c = compare (make ("cpu/ns", STACKS ("main@/bin/demo;libc.so+0x10@/lib/libc.so;libc.so+0x20@/lib/libc.so 10")),
                                        make ("cpu/ns", STACKS ("main@/bin/demo;libc.so+0x99@/usr/lib/libc.so 12")), NULL, NULL);

  assert_change (&frame_of (c, "(no symbol)", "libc.so")->total, 10, 12);
  assert_change (&frame_of (c, "(no symbol)", "libc.so")->self, 10, 12);
  g_assert_cmpuint (c->frames.len, ==, 3);
}

static void
test_empty (void)
{
  g_autoptr (WpComparison) none = compare (make ("cpu/ms", STACKS ("main 30")), make ("cpu/ms", nothing), NULL, NULL);
  g_autoptr (WpComparison) both = compare (make ("cpu/ms", nothing), make ("cpu/ms", nothing), NULL, NULL);
  char by[32];

  wp_format_change (&none->rows.data[0].change, by);
  g_assert_cmpstr (by, ==, "vanished");
  assert_warning (none, 0, "b has no values of cpu other than zero");
  g_assert_cmpint (wp_comparison_verdict (none, 0.05), ==, WP_VERDICT_OPTIMIZATION);
  assert_change (&both->rows.data[0].change, 0, 0);
  g_assert_cmpuint (both->nodes.len, ==, 1);
  g_assert_cmpint (wp_comparison_verdict (both, 0.05), ==, WP_VERDICT_NO_CHANGE);
}

/* Of a difference that was saved: figures and frames have signs, widths have none. */
static void
test_negative (void)
{
  g_autoptr (WpComparison) c = compare (make ("cpu/ns", STACKS ("main;work 10")), make ("cpu/ns", STACKS ("main;work -30", "main;read 20")), NULL, NULL);

  assert_change (&c->rows.data[0].change, 10, -10);
  assert_change (&frame_of (c, "work", "")->self, 10, -30);
  assert_change (&frame_of (c, "main", "")->total, 10, -10);
  g_assert_cmpfloat (c->nodes.data[0].total[WP_SIDE_B], ==, 50);
  assert_warning (c, 0, "b has negative values of cpu: flame views show them without their sign");
  g_assert_cmpint (wp_comparison_verdict (c, 0.05), ==, WP_VERDICT_OPTIMIZATION);
}

/* B − A, by comparing and by subtracting. */
static void
test_two_ways (void)
{
  const char *const before[] = { "main;work;read 30", "main;work 12", "main;work;main 4", "main;sort;swap 9", NULL };
  const char *const after[] = { "main;work;read 25", "main;work 15", "main;cache;read 6", "main;work;main 5", NULL };
  g_autoptr (WpStacks) a = make ("cpu/ns", before), b = make ("cpu/ns", after);
  g_autoptr (WpStacks) difference = wp_stacks_subtract (b, a, WP_DIFFERENCE_PLAIN, FALSE, NULL, NULL);
  const WpGraphOptions options = { .type = 0 };
  g_autoptr (WpGraph) graph = wp_graph_new (difference, &options, NULL, NULL);
  g_autoptr (WpComparison) c = compare (wp_stacks_ref (a), wp_stacks_ref (b), NULL, NULL);

  g_assert_cmpuint (graph->nodes.len, ==, 6); /* main, work, read, sort, swap, cache */
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[i];
      const WpComparedFrame *frame = frame_of (c, node->frame->name, "");

      g_assert_cmpfloat (wp_change_absolute (&frame->self), ==, (double) node->flat.sum);
      g_assert_cmpfloat (wp_change_absolute (&frame->total), ==, (double) node->cum.sum);
    }
}

/* --- from files ------------------------------------------------------------------------------------------------------- */

static char *
write_file (const char *folder, const char *name, const char *bytes)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, -1, NULL));
  return path;
}

static WpComparison *
compare_files (const char *a, const char *b, GError **error)
{
  const char *const files[WP_N_SIDES][2] = { { a, NULL }, { b, NULL } };
  const WpCompareOptions options = { .files = { files[WP_SIDE_A], files[WP_SIDE_B] } };

  return wp_compare (&options, NULL, error);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", NULL);
  g_autofree char *a = write_file (folder, "a.folded", "main;work 3\n"), *b = write_file (folder, "b.folded", "main;work 4\n");
  g_autofree char *picture = write_file (folder, "picture.svg", "<svg/>");
  /* a key that Perun's profiles have, too */
  g_autofree char *chrome = write_file (folder, "trace.json", "{\"origin\": \"x\", \"traceEvents\": [{\"ph\": \"X\", \"ts\": 0, \"dur\": 5, \"pid\": 1, \"tid\": 1, \"name\": \"f\"}]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (WpComparison) c = compare_files (a, b, &error), traces = compare_files (chrome, chrome, NULL);

  g_assert_no_error (error);
  assert_change (&c->rows.data[0].change, 3, 4);
  g_assert_cmpstr (c->profiles[WP_SIDE_B].data[0].facts[WP_FACT_LABEL], ==, "b.folded");
  assert_change (&frame_of (traces, "f", "")->self, 5000, 5000);
  g_assert_null (compare_files (a, picture, &error));
  g_assert_nonnull (strstr (error->message, "picture.svg is a picture"));
  for (guint i = 0; i < 4; i++)
    g_remove (((char *const[]) { a, b, picture, chrome })[i]);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare-stacks/types", test_types);
  g_test_add_func ("/compare-stacks/chosen-type", test_chosen_type);
  g_test_add_func ("/compare-stacks/other-types", test_other_types);
  g_test_add_func ("/compare-stacks/modules", test_modules);
  g_test_add_func ("/compare-stacks/no-symbols", test_no_symbols);
  g_test_add_func ("/compare-stacks/empty", test_empty);
  g_test_add_func ("/compare-stacks/negative", test_negative);
  g_test_add_func ("/compare-stacks/two-ways", test_two_ways);
  g_test_add_func ("/compare-stacks/files", test_files);
  return g_test_run ();
}
