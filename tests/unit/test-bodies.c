/* Which colour processes have: the same in all pictures of one process of interest, another for each as long as there are
 * colours. */
#include "paths-maker.h"

#include "profile/model/document.h"
#include "view/layout.h"

static WpDocument *
open_document (const char *path)
{
  g_autoptr (GError) error = NULL;
  WpDocument *document = wp_document_open (path, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

/* The name on a box tells its colour. */
static void
check_names (const WpBodies *bodies, const WpRows *rows)
{
  guint n = 0;

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (rows->boxes.data[i].kind == WP_BOX_PROCESS)
      {
        g_assert_cmpuint (rows->boxes.data[i].body, !=, WP_BODY_NONE);
        g_assert_cmpuint (rows->boxes.data[i].body, ==, wp_bodies_of_name (bodies,
                                                                           wp_rows_string (rows, rows->boxes.data[i].label)));
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

/* A part's boxes in the flame view and in the wait chain have the colour of its process. */
static void
check_parts (const WpPaths *paths, const WpBodies *bodies, const WpRows *rows)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];

      if (box->ref_kind == WP_REF_PART)
        g_assert_cmpuint (box->body, ==, wp_bodies_of_task (bodies, paths->trace->ops.data[paths->parts.data[box->ref].op].task));
    }
}

/* As many of the processes that come first as there are hues have hues of their own, so that neighbours differ. */
static void
check_first (const WpRows *rows)
{
  guint seen = 0;

  for (guint32 i = 0; i < rows->bodies.len && i < WP_BODY_OF_MODULE - WP_BODY_FIRST; i++)
    {
      guint8 body = rows->bodies.data[i].body;

      if (body == WP_BODY_NEUTRAL)
        continue;
      g_assert_cmpuint (seen & 1u << body, ==, 0);
      seen |= 1u << body;
    }
}

static void
check_all (const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpRows) strip = wp_layout_strip (paths, explanation);
  WpBodies bodies;

  wp_bodies_of_paths (&bodies, paths);
  check_parts (paths, &bodies, strip);
  for (WpDepth depth = 0; depth < WP_DEPTH_COUNT; depth++)
    {
      WpTreeOptions options = { .depth = { depth }, .explanation = explanation };
      g_autoptr (WpRows) flame = wp_layout_flame (paths, explanation, options.depth, NULL, NULL);
      g_autoptr (WpTree) tree = wp_tree_new (paths, &options, NULL, NULL);
      g_autoptr (WpRows) consolidated = wp_layout_tree (tree, FALSE, &bodies);

      check_parts (paths, &bodies, flame);
      check_names (&bodies, flame);
      check_names (&bodies, consolidated);
      check_first (flame);
    }
  wp_bodies_clear (&bodies);
}

static void
test_scenarios (void)
{
  static const char *const scenarios[][2] = { { "fork-wait-file.trace", "A" }, { "exec.trace", "sh" },
                                              { "two-threads.trace", "A" },
                                              { "fork-then-wait.trace", "A" } };

  for (guint i = 0; i < G_N_ELEMENTS (scenarios); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("WP_SCENARIOS"), scenarios[i][0], NULL);
      g_autoptr (WpDocument) document = open_document (path);
      g_autoptr (WpPaths) paths = paths_of (document->trace, scenarios[i][1], NULL);

      check_all (paths);
    }
}

static void
test_sample (void)
{
  g_autoptr (WpDocument) document = open_document (g_getenv ("WP_SAMPLE"));
  g_autoptr (WpPaths) own = document->saved == NULL ? paths_of (document->trace, NULL, NULL) : NULL;

  check_all (own != NULL ? own : document->saved);
}

/* Kernel code, and words for what is asked of it, are pale; the program's own functions are not, nor is what just runs. */
static void
test_pale (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_SCENARIOS"), "fork-wait-file.trace", NULL);
  g_autoptr (WpDocument) document = open_document (path);
  g_autoptr (WpPaths) paths = paths_of (document->trace, "A", NULL);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  for (WpDepth depth = 0; depth < WP_DEPTH_COUNT; depth++)
    {
      g_autoptr (WpRows) rows = wp_layout_flame (paths, explanation, (WpDepthChoice) { depth }, NULL, NULL);
      guint pale = 0, own = 0;

      for (guint32 i = 0; i < rows->boxes.len; i++)
        {
          const WpBox *box = &rows->boxes.data[i];
          const char *label = wp_rows_string (rows, box->label);

          if (g_str_equal (label, "runs") || g_str_equal (label, "main") || box->kind == WP_BOX_PROCESS)
            g_assert_false (box->pale);
          pale += box->pale;
          own += !box->pale && box->body != WP_BODY_NONE;
        }
      g_assert_cmpuint (pale, >, 0);
      g_assert_cmpuint (own, >, 0);
    }
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* A tree of stacks, "A f g", each with some time. */
static void
add_stack (WpTree *tree, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, " ", -1);
  WpId parent = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      gboolean process = g_ascii_isupper (names[i][0]);

      wp_array_push (&tree->nodes, ((WpNode) { .name = wp_strings_intern (tree->strings, names[i]), .parent = parent, .total = 10,
                                               .kind = process ? WP_FRAME_PROCESS : WP_FRAME_RUN, .function = process ? 0 : 1 }));
      parent = tree->nodes.len - 1;
    }
  tree->nodes.data[parent].self = 10;
  tree->nodes.data[parent].ns[WP_FRAME_RUN] = 10;
  tree->nodes.data[0].total += 10;
}

static guint8
body_of (const WpRows *rows, const char *label)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), label))
      return rows->boxes.data[i].body;
  g_assert_not_reached ();
}

/* Turned over, a function has the colour of the process that stands on it; of several that share it, none's. */
static void
test_inverted (void)
{
  g_autoptr (WpTree) tree = wp_tree_alloc ();
  g_autoptr (WpRows) rows = NULL;
  WpId shared;

  tree->inverted = TRUE;
  add_stack (tree, "one A");
  add_stack (tree, "two B one_more A");
  add_stack (tree, "shared A");
  shared = tree->nodes.data[tree->nodes.len - 1].parent;
  wp_array_push (&tree->nodes, ((WpNode) { .name = wp_strings_intern (tree->strings, "B"), .parent = shared, .total = 5,
                                           .kind = WP_FRAME_PROCESS }));
  wp_tree_link (tree);
  rows = wp_layout_tree (tree, TRUE, NULL);
  g_assert_cmpuint (body_of (rows, "A"), !=, body_of (rows, "B"));
  g_assert_cmpuint (body_of (rows, "one"), ==, body_of (rows, "A"));
  g_assert_cmpuint (body_of (rows, "one_more"), ==, body_of (rows, "A"));
  g_assert_cmpuint (body_of (rows, "two"), ==, body_of (rows, "B"));
  g_assert_cmpuint (body_of (rows, "shared"), ==, WP_BODY_NEUTRAL);
}

/* A name has its colour wherever it comes; who is used later gives way. */
static void
test_stable (void)
{
  g_autofree guint8 *alone = g_new0 (guint8, 26);
  WpBodies bodies;
  guint collided = 0;

  for (char c = 'A'; c <= 'Z'; c++)
    {
      g_autoptr (WpTree) tree = wp_tree_alloc ();

      add_stack (tree, (char[]) { c, '\0' });
      wp_bodies_of_tree (&bodies, tree);
      alone[c - 'A'] = wp_bodies_of_name (&bodies, (char[]) { c, '\0' });
      wp_bodies_clear (&bodies);
    }
  for (char c = 'B'; c <= 'Z'; c++)
    {
      g_autoptr (WpTree) tree = wp_tree_alloc ();

      add_stack (tree, "A");
      add_stack (tree, (char[]) { c, '\0' });
      wp_bodies_of_tree (&bodies, tree);
      g_assert_cmpuint (wp_bodies_of_name (&bodies, "A"), ==, alone[0]);
      if (alone[c - 'A'] == alone[0])
        collided++;
      else
        g_assert_cmpuint (wp_bodies_of_name (&bodies, (char[]) { c, '\0' }), ==, alone[c - 'A']);
      g_assert_cmpuint (wp_bodies_of_name (&bodies, (char[]) { c, '\0' }), !=, alone[0]);
      wp_bodies_clear (&bodies);
    }
  g_assert_cmpuint (collided, >, 0);
}

/* The hue of the box with a name; of all of them it must be one. */
static guint8
hue_of (const WpRows *rows, const char *name, gboolean pale)
{
  guint n = 0;
  guint8 body = WP_BODY_NONE;

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), name))
      {
        if (n++ > 0)
          g_assert_cmpuint (body, ==, rows->boxes.data[i].body);
        body = rows->boxes.data[i].body;
        g_assert_cmpint (rows->boxes.data[i].pale, ==, pale);
      }
  g_assert_cmpuint (n, >, 0);
  return body;
}

/* main() and work() are the program's, f0 … f8 of a library each, the first ones longest. */
static void
check_modules (const WpRows *rows)
{
  guint seen = 1u << hue_of (rows, "main", FALSE);

  g_assert_true (rows->by_module);
  g_assert_cmpuint (rows->bodies.len, ==, WP_MODULE_HUES + 1);
  g_assert_cmpstr (wp_rows_string (rows, rows->bodies.data[0].label), ==, "work");
  g_assert_cmpstr (wp_rows_string (rows, rows->bodies.data[1].label), ==, "libc.so.6");
  g_assert_cmpstr (wp_rows_string (rows, rows->bodies.data[WP_MODULE_HUES].label), ==, "Other modules");
  g_assert_cmpuint (hue_of (rows, "work", FALSE), ==, hue_of (rows, "main", FALSE));
  g_assert_cmpuint (hue_of (rows, "clock_nanosleep", FALSE), ==, hue_of (rows, "f0", FALSE));
  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);
      guint8 body = hue_of (rows, name, FALSE);

      g_assert_cmpint (body == WP_BODY_NEUTRAL, ==, i >= WP_MODULE_HUES - 1);
      g_assert_true (body == WP_BODY_NEUTRAL || !(seen & 1u << body));
      seen |= 1u << body;
    }
  g_assert_cmpuint (hue_of (rows, "clear_page", TRUE), ==, WP_BODY_NEUTRAL);
  g_assert_cmpuint (hue_of (rows, "A", FALSE), ==, WP_BODY_NONE);
}

/* The largest modules have hues of their own, the same in both views, however stacks are shown; the others, the kernel and processes have none. */
static void
test_modules (void)
{
  static const WpDepthChoice depth = { .depth = WP_DEPTH_ALL, .by_module = TRUE };
  g_autofree char *path = g_build_filename (g_getenv ("WP_SCENARIOS"), "modules.trace", NULL);
  g_autoptr (WpDocument) document = open_document (path);
  g_autoptr (WpPaths) paths = paths_of (document->trace, "A", NULL);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpRows) flame = wp_layout_flame (paths, explanation, depth, NULL, NULL);
  WpModuleHues hues;

  check_modules (flame);
  wp_module_hues_init (&hues, paths);
  for (gboolean inverted = FALSE; inverted <= TRUE; inverted++)
    {
      const WpTreeOptions options = { .depth = depth, .explanation = explanation, .inverted = inverted };
      g_autoptr (WpTree) tree = wp_tree_new (paths, &options, NULL, NULL);
      g_autoptr (WpRows) consolidated = wp_layout_tree_by_module (tree, FALSE, &hues);

      check_modules (consolidated);
      for (guint i = 0; i < 9; i++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", i);

          g_assert_cmpuint (hue_of (consolidated, name, FALSE), ==, hue_of (flame, name, FALSE));
        }
    }
  wp_module_hues_clear (&hues);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bodies/scenarios", test_scenarios);
  g_test_add_func ("/bodies/sample", test_sample);
  g_test_add_func ("/bodies/pale", test_pale);
  g_test_add_func ("/bodies/inverted", test_inverted);
  g_test_add_func ("/bodies/stable", test_stable);
  g_test_add_func ("/bodies/modules", test_modules);
  return g_test_run ();
}
