/* Call trees of stacks with values: what they draw is what the functions say that were counted another way. Takes the folder of tests/data/pprof. */
#include "stacks/filter.h"
#include "stacks/formats.h"
#include "stacks/graph.h"
#include "stacks/maker.h"
#include "stacks/stack-tree.h"

#include <glib/gstdio.h>

static WpStacks *
read_text (const char *content)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wakepath-tree-XXXXXX", NULL);
  GError *error = NULL;
  int fd = g_mkstemp (path);
  WpStacks *stacks;

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  stacks = wp_stacks_open (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return stacks;
}

/* "a 60[b 40[c 10]] …": names, totals, and children in their order. */
static void
describe_node (const WpTree *tree, WpId node, GString *out)
{
  for (WpId child = tree->nodes.data[node].first_child; child != 0; child = tree->nodes.data[child].next)
    {
      const WpNode *row = &tree->nodes.data[child];

      g_string_append_printf (out, "%s%s %" G_GINT64_FORMAT, child != tree->nodes.data[node].first_child ? " " : "",
                              wp_strings_get (tree->strings, row->name), row->total);
      if (row->first_child == 0)
        continue;
      g_string_append_c (out, '[');
      describe_node (tree, child, out);
      g_string_append_c (out, ']');
    }
}

static void
check (const WpStacks *stacks, const WpStackTreeOptions *options, const char *expected)
{
  g_autoptr (WpFrameNames) names = wp_frame_names_new (stacks, &(WpFrameNameOptions) { 0 });
  GError *error = NULL;
  g_autoptr (WpTree) tree = wp_stack_tree_new (stacks, names, options, NULL, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  describe_node (tree, 0, found);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_shapes (void)
{
  g_autoptr (WpStacks) stacks = read_text ("main;work;read 10\nmain;work 20\nmain;idle 5\nmain;work;work;read 3\nother 1\n");

  check (stacks, &(WpStackTreeOptions) { 0 }, "main 38[work 33[read 10 work 3[read 3]] idle 5] other 1");
  check (stacks, &(WpStackTreeOptions) { .collapse_recursion = TRUE }, "main 38[work 33[read 13] idle 5] other 1");
  check (stacks, &(WpStackTreeOptions) { .inverted = TRUE },
         "work 20[main 20] read 13[work 13[main 10 work 3[main 3]]] idle 5[main 5] other 1");
  check (stacks, &(WpStackTreeOptions) { .inverted = TRUE, .collapse_recursion = TRUE },
         "work 20[main 20] read 13[work 13[main 13]] idle 5[main 5] other 1");
}

/* Stacks that stand on one another, as formats make them that tell when functions begin and end. */
static void
test_prefixes (void)
{
  g_autoptr (WpStacks) stacks
      = read_text ("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", \"shared\": {\"frames\": [{\"name\": \"a\"}, {\"name\": \"b\"},"
                   "{\"name\": \"c\"}]}, \"profiles\": [{\"type\": \"evented\", \"unit\": \"none\", \"name\": \"x\", \"startValue\": 0, \"endValue\": 9, \"events\": ["
                   "{\"type\": \"O\", \"frame\": 0, \"at\": 0}, {\"type\": \"O\", \"frame\": 1, \"at\": 2}, {\"type\": \"O\", \"frame\": 2, \"at\": 3},"
                   "{\"type\": \"C\", \"frame\": 2, \"at\": 7}, {\"type\": \"C\", \"frame\": 1, \"at\": 8}, {\"type\": \"C\", \"frame\": 0, \"at\": 9}]}]}");

  check (stacks, &(WpStackTreeOptions) { 0 }, "a 9[b 6[c 4]]");
  check (stacks, &(WpStackTreeOptions) { .inverted = TRUE }, "c 4[b 4[a 4]] a 3 b 2[a 2]");
}

/* What a difference says counts without its sign: it is a change, wherever it goes. */
static void
test_negative (void)
{
  g_autoptr (WpStacks) stacks = read_text ("main;more 30\nmain;less -10\n");

  check (stacks, &(WpStackTreeOptions) { 0 }, "main 40[more 30 less 10]");
}

/* So many roots that no screen shows them all: those that are larger stay, the others become one box. */
static void
test_too_small (void)
{
  GString *text = g_string_new ("large;leaf 1000000\n");
  g_autoptr (WpFrameNames) names = NULL;
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpTree) tree = NULL;
  WpId first;

  for (guint i = 0; i < WP_STACK_TREE_ROW + 1; i++)
    g_string_append_printf (text, "small%u;leaf 1\n", i);
  stacks = read_text (text->str);
  names = wp_frame_names_new (stacks, &(WpFrameNameOptions) { 0 });
  tree = wp_stack_tree_new (stacks, names, &(WpStackTreeOptions) { 0 }, NULL, NULL);
  first = tree->nodes.data[0].first_child;
  g_assert_cmpint (tree->nodes.data[0].total, ==, 1000000 + WP_STACK_TREE_ROW + 1);
  g_assert_cmpint (tree->nodes.data[first].total, ==, 1000000);
  g_assert_cmpint (tree->nodes.data[tree->nodes.data[first].first_child].total, ==, 1000000);
  g_assert_cmpint (tree->nodes.data[tree->nodes.data[first].next].total, ==, WP_STACK_TREE_ROW + 1);
  g_assert_cmpuint (tree->nodes.data[tree->nodes.data[first].next].function, ==, 0);
  g_assert_cmpuint (tree->nodes.data[tree->nodes.data[first].next].next, ==, 0);
  g_string_free (text, TRUE);
}

static void
test_kinds (void)
{
  static const struct
  {
    const char *module;
    WpFrameKind kind;
  } cases[] = {
    { "", WP_FRAME_OF_PROGRAM },
    { "/usr/bin/make", WP_FRAME_OF_PROGRAM },
    { "/usr/lib/libc.so.6", WP_FRAME_OF_LIBRARY },
    { "[vdso]", WP_FRAME_OF_LIBRARY },
    { "[kernel.kallsyms]_stext", WP_FRAME_OF_KERNEL },
    { "/lib/modules/6.1/kernel/fs/ext4/ext4.ko", WP_FRAME_OF_KERNEL },
    { "[process]", WP_FRAME_PROCESS },
    { "[disk queue]", WP_FRAME_QUEUE },
    { "[network]", WP_FRAME_NET },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (wp_module_frame_kind (cases[i].module), ==, cases[i].kind);
}

/* What filters make of labels is no code. */
static void
test_labels (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL, rooted = NULL;
  g_autoptr (WpFrameNames) names = NULL;
  g_autoptr (WpTree) tree = NULL;
  WpFilter filter = { 0 };
  WpStrings *strings;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "cpu"), 0);
  wp_array_push (&maker.stacks->frames->locations, ((WpLocation) { .address = 1 }));
  wp_stacks_maker_label (&maker, wp_strings_intern (strings, "process"), wp_strings_intern (strings, "cc1"));
  wp_stacks_maker_label (&maker, wp_strings_intern (strings, "thread"), wp_strings_intern (strings, "worker"));
  wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, &(WpId) { 1 }, 1), &(gint64) { 7 });
  stacks = wp_stacks_maker_take (&maker);
  wp_filter_add (&filter, WP_FILTER_TAG_ROOT, "process,thread");
  rooted = wp_filter_apply (&filter, stacks, NULL, NULL);
  wp_filter_clear (&filter);
  names = wp_frame_names_new (rooted, &(WpFrameNameOptions) { 0 });
  tree = wp_stack_tree_new (rooted, names, &(WpStackTreeOptions) { 0 }, NULL, NULL);
  g_assert_cmpuint (tree->nodes.len, ==, 4);
  g_assert_cmpstr (wp_strings_get (tree->strings, tree->nodes.data[1].name), ==, "cc1");
  g_assert_cmpint (tree->nodes.data[1].kind, ==, WP_FRAME_PROCESS);
  g_assert_cmpint (tree->nodes.data[2].kind, ==, WP_FRAME_OF_LABEL);
  g_assert_cmpint (tree->nodes.data[3].kind, ==, WP_FRAME_OF_PROGRAM);
}

/* --- trees and functions say the same ----------------------------------------------------------------------------- */

/* Whether a node stands on another one of its function. */
static gboolean
is_recursion (const WpTree *tree, WpId node)
{
  for (WpId at = tree->nodes.data[node].parent; at != 0; at = tree->nodes.data[at].parent)
    if (tree->nodes.data[at].function == tree->nodes.data[node].function)
      return TRUE;
  return FALSE;
}

static void
add (WpGraphValue *value, gint64 sum, gint64 divisor)
{
  value->sum += sum;
  value->divisor += divisor;
}

static void
assert_same (WpGraphValue tree, WpGraphValue graph, const char *name, const char *path)
{
  if (tree.sum != graph.sum || tree.divisor != graph.divisor)
    g_error ("%s: of %s the tree has %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT ", the functions %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT, path, name,
             tree.sum, tree.divisor, graph.sum, graph.divisor);
}

static void
compare_sums (const WpStacks *stacks, guint32 type, gboolean inverted, const char *path)
{
  g_autoptr (WpGraph) graph = wp_graph_new (stacks, &(WpGraphOptions) { .type = type, .mean = TRUE }, NULL, NULL);
  g_autoptr (WpTree) tree
      = wp_stack_tree_new (stacks, graph->names, &(WpStackTreeOptions) { .type = type, .mean = TRUE, .inverted = inverted }, NULL, NULL);
  guint32 n = graph->names->names.len;
  g_autofree WpGraphValue *self = g_new0 (WpGraphValue, n), *total = g_new0 (WpGraphValue, n);

  if (tree->nodes.data[0].total == G_MAXINT64)
    return; /* sums of functions go around, as pprof's */
  for (WpId node = 1; node < tree->nodes.len; node++)
    {
      const WpNode *row = &tree->nodes.data[node];

      if (!inverted)
        add (&self[row->function - 1], row->self, row->self_divisor);
      else if (row->parent == 0)
        add (&self[row->function - 1], row->total, row->total_divisor);
      if (!is_recursion (tree, node))
        add (&total[row->function - 1], row->total, row->total_divisor);
    }
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      guint32 name = (guint32) (graph->nodes.data[i].frame - graph->names->names.data);

      assert_same (self[name], graph->nodes.data[i].flat, graph->nodes.data[i].frame->name, path);
      assert_same (total[name], graph->nodes.data[i].cum, graph->nodes.data[i].frame->name, path);
    }
}

static gboolean
has_negative (const WpStacks *stacks, guint32 type)
{
  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (stacks->values[type].data[i] < 0 || stacks->values[0].data[i] < 0)
      return TRUE;
  return FALSE;
}

static void
test_two_ways (gconstpointer folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  guint compared = 0;

  g_assert_nonnull (files);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (WpStacks) stacks = wp_stacks_open (path, NULL, NULL, NULL);

      for (guint32 type = 0; stacks != NULL && type < stacks->types.len; type++)
        if (!has_negative (stacks, type))
          {
            compare_sums (stacks, type, FALSE, path);
            compare_sums (stacks, type, TRUE, path);
            compared++;
          }
    }
  g_assert_cmpuint (compared, >=, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stack-tree/shapes", test_shapes);
  g_test_add_func ("/stack-tree/prefixes", test_prefixes);
  g_test_add_func ("/stack-tree/negative", test_negative);
  g_test_add_func ("/stack-tree/kinds", test_kinds);
  g_test_add_func ("/stack-tree/labels", test_labels);
  g_test_add_func ("/stack-tree/too-small", test_too_small);
  g_test_add_data_func ("/stack-tree/two-ways", argv[1], test_two_ways);
  return g_test_run ();
}
