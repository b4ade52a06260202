/* The call graph as a window shows it, without a display: made when it is wanted, with other limits from the same analysis, with another filter anew. Its
 * nodes are the frames of the other views, with the same totals. A file that is a call graph is shown as it is. */
#include "calls/renderers.h"
#include "stacks/maker.h"
#include "view/rows.h"
#include "workspace/file/open-file.h"
#include "workspace/stacks/calls-model.h"

#include <glib/gstdio.h>

#define RUN_UNTIL(condition)                 \
  while (!(condition))                       \
  g_main_context_iteration (NULL, TRUE)

static const char *const folded = "main;parse;read 30\nmain;parse 10\nmain;draw;read 20\nmain;idle 35\nmain;draw;draw;flush 4\nmain;rare 1\n";

typedef struct
{
  WpStacksModel *stacks;
  WpCallsModel *calls;
} Fixture;

static WpOpened *
open_text (const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wakepath-calls-XXXXXX", NULL);
  const WpViewOptions options = { 0 };
  WpOpened *opened;
  int fd = g_mkstemp (path);

  g_assert_true (fd >= 0 && g_close (fd, NULL) && g_file_set_contents (path, text, -1, NULL));
  opened = wp_open_file (path, &options, NULL, error);
  g_unlink (path);
  return opened;
}

static void
set_up (Fixture *self, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = open_text (folded, &error);

  g_assert_no_error (error);
  self->stacks = wp_stacks_model_new (opened->stacks);
  self->calls = wp_calls_model_new (self->stacks);
}

/* An object of 7 bytes in line 3 of main(), with labels. */
static void
set_up_labelled (Fixture *self, gconstpointer unused)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpShared) shared = NULL;
  WpStrings *strings;
  WpFrames *frames;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  frames = maker.stacks->frames;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "objects"), wp_strings_intern (strings, "count"));
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "space"), wp_strings_intern (strings, "bytes"));
  wp_array_push (&frames->functions, ((WpStackFunction) { .name = wp_strings_intern (strings, "main") }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = 1, .line = 3 }));
  wp_array_push (&frames->locations, ((WpLocation) { .n_lines = 1 }));
  wp_stacks_maker_label (&maker, wp_strings_intern (strings, "process"), wp_strings_intern (strings, "shop"));
  wp_stacks_maker_label (&maker, wp_strings_intern (strings, "order"), wp_strings_intern (strings, "17"));
  wp_stacks_maker_whole_sample (&maker, &(WpId) { 1 }, 1, (const gint64[]) { 1, 7 });
  shared = wp_shared_new (wp_stacks_maker_take (&maker), (GDestroyNotify) wp_stacks_unref);
  self->stacks = wp_stacks_model_new (shared);
  self->calls = wp_calls_model_new (self->stacks);
}

static void
tear_down (Fixture *self, gconstpointer unused)
{
  g_object_unref (self->calls);
  g_clear_object (&self->stacks);
}

static const WpCallsPicture *
picture_of (Fixture *self)
{
  RUN_UNTIL ((self->stacks == NULL || !wp_stacks_model_busy (self->stacks)) && !wp_calls_model_busy (self->calls));
  g_assert_cmpstr (wp_calls_model_failure (self->calls), ==, NULL);
  return wp_shared_get (wp_calls_model_picture (self->calls));
}

static guint32
node_named (const WpCallsPicture *picture, const char *name)
{
  for (guint32 i = 0; i < picture->diagram->nodes.len; i++)
    if (g_str_equal (wp_strings_get (picture->diagram->strings, picture->diagram->nodes.data[i].name), name))
      return i;
  return WP_NO_NODE;
}

static void
check_table (const WpCallsPicture *picture, const char *node, gboolean callees, const char *expected)
{
  g_autoptr (WpShared) table = wp_calls_picture_table (picture, node_named (picture, node), callees);
  const WpGrid *grid = wp_shared_get (table);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint32 r = 0; r < grid->n_rows; r++)
    g_string_append_printf (found, "%s%s=%g", r > 0 ? " " : "", wp_grid_text (grid, 0, r), grid->columns.data[1].numbers[r]);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_nodes (Fixture *self, gconstpointer unused)
{
  const WpCallsPicture *picture;
  const WpStacksViews *views;
  guint32 parse;

  g_assert_null (picture_of (self)); /* nobody has looked */
  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  views = wp_shared_get (wp_stacks_model_views (self->stacks));
  g_assert_cmpuint (picture->diagram->nodes.len + picture->n_hidden, ==, views->graph->nodes.len);
  for (guint32 i = 0; i < views->graph->nodes.len; i++)
    {
      guint32 frame = (guint32) (views->graph->nodes.data[i].frame - views->graph->names->names.data), node = wp_calls_picture_node (picture, frame);
      const WpCalls *calls = wp_shared_get (picture->calls);

      if (node != WP_NO_NODE)
        g_assert_cmpfloat (wp_calls_real (calls, calls->nodes.data[picture->diagram->nodes.data[node].ref].total), ==,
                           (double) wp_graph_value (views->graph->nodes.data[i].cum));
    }
  parse = node_named (picture, "parse");
  check_table (picture, "parse", FALSE, "main=40");
  check_table (picture, "parse", TRUE, "read=30 (itself)=10");
  check_table (picture, "main", FALSE, "(nobody)=100");
  g_assert_cmpuint (wp_calls_picture_row_node (picture, parse, TRUE, 0), ==, node_named (picture, "read"));
  g_assert_cmpuint (wp_calls_picture_row_node (picture, parse, TRUE, 1), ==, WP_NO_NODE);
  g_assert_cmpfloat (picture->diagram->nodes.data[node_named (picture, "main")].y, <, picture->diagram->nodes.data[parse].y);
}

/* Limits hide nodes and keep the analysis; a filter makes it anew. */
static void
test_limits (Fixture *self, gconstpointer unused)
{
  WpCallsChoice choice = { .hide_self = { 0, 1 }, .hide_subs = { 0, 1 } };
  g_autoptr (WpShared) analysis = NULL;
  const WpCallsPicture *picture;

  wp_calls_model_choose (self->calls, &choice);
  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  g_assert_cmpuint (picture->n_hidden, ==, 0);
  g_assert_cmpuint (node_named (picture, "rare"), !=, WP_NO_NODE);
  analysis = wp_shared_ref (picture->calls);

  choice.hide_self = (WpCallsLimit) { 5, 100 };
  choice.hide_subs = (WpCallsLimit) { 1, 1 };
  wp_calls_model_choose (self->calls, &choice);
  picture = picture_of (self);
  g_assert_true (picture->calls == analysis);
  g_assert_cmpuint (node_named (picture, "rare"), ==, WP_NO_NODE);
  g_assert_cmpuint (node_named (picture, "read"), !=, WP_NO_NODE);

  wp_stacks_model_add_step (self->stacks, WP_FILTER_FOCUS, "^draw$");
  picture = picture_of (self);
  g_assert_true (picture->calls != analysis);
  g_assert_cmpuint (node_named (picture, "idle"), ==, WP_NO_NODE);
  choice.hide_self = choice.hide_subs = (WpCallsLimit) { 0, 1 };
  wp_calls_model_choose (self->calls, &choice);
  picture = picture_of (self);
  check_table (picture, "draw", FALSE, "main=22 draw=2"); /* a sample's time is divided by how often the other end stands there */
}

static void
test_around (Fixture *self, gconstpointer unused)
{
  g_autoptr (GRegex) pattern = g_regex_new ("^(read|draw)$", 0, 0, NULL);
  g_autofree guint8 *around = NULL, *found = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GRegex) rare = g_regex_new ("^ra|^read", 0, 0, NULL);
  const WpCallsPicture *picture;
  guint32 n, n_all;

  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  around = wp_calls_picture_around (picture, node_named (picture, "parse"));
  g_assert_true (around[node_named (picture, "main")] && around[node_named (picture, "read")] && around[node_named (picture, "parse")]);
  g_assert_false (around[node_named (picture, "draw")]);
  found = wp_calls_picture_find (picture, pattern, &n, &n_all);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (n_all, ==, 2);
  g_assert_cmpuint (node_named (picture, "rare"), ==, WP_NO_NODE);
  g_free (wp_calls_picture_find (picture, rare, &n, &n_all));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (n_all, ==, 2); /* with that which is hidden */
  g_assert_true (found[node_named (picture, "read")] && found[node_named (picture, "draw")] && !found[node_named (picture, "main")]);
  text = wp_calls_picture_describe (picture, node_named (picture, "parse"), WP_NO_NODE);
  g_assert_true (g_str_has_prefix (text, "parse\n"));
  g_assert_nonnull (strstr (text, "10.0 %"));
  g_assert_nonnull (strstr (text, "40.0 %"));
}

/* What is selected stays what it is in another picture: with other limits, behind a filter, where nodes have other numbers. Lines are no functions. */
static void
test_same (Fixture *self, gconstpointer unused)
{
  WpCallsChoice choice = { .hide_self = { 0, 1 }, .hide_subs = { 0, 1 } };
  g_autoptr (WpShared) shared = NULL;
  const WpCallsPicture *before, *now;

  wp_calls_model_choose (self->calls, &choice);
  wp_calls_model_set_wanted (self->calls, TRUE);
  before = picture_of (self);
  shared = wp_shared_ref (wp_calls_model_picture (self->calls));
  g_assert_cmpuint (wp_calls_picture_same (before, NULL, 0), ==, WP_NO_NODE);
  g_assert_cmpuint (wp_calls_picture_same (NULL, before, 0), ==, WP_NO_NODE);
  g_assert_cmpuint (wp_calls_picture_same (before, before, WP_NO_NODE), ==, WP_NO_NODE);

  wp_stacks_model_add_step (self->stacks, WP_FILTER_FOCUS, "^draw$");
  now = picture_of (self);
  g_assert_cmpuint (now->diagram->nodes.len, <, before->diagram->nodes.len);
  for (guint32 i = 0; i < before->diagram->nodes.len; i++)
    g_assert_cmpuint (wp_calls_picture_same (now, before, i), ==,
                      node_named (now, wp_strings_get (before->diagram->strings, before->diagram->nodes.data[i].name)));
  choice.lines = TRUE;
  wp_calls_model_choose (self->calls, &choice);
  now = picture_of (self);
  g_assert_cmpuint (node_named (now, "draw"), !=, WP_NO_NODE);
  g_assert_cmpuint (wp_calls_picture_same (now, before, node_named (before, "draw")), ==, WP_NO_NODE);
}

/* Nodes have the colours that the other views give them. */
static void
test_kinds (Fixture *self, gconstpointer unused)
{
  const WpCallsPicture *picture;

  wp_stacks_model_add_step (self->stacks, WP_FILTER_TAG_ROOT, "process,order");
  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  g_assert_cmpuint (picture->diagram->nodes.data[node_named (picture, "shop")].kind, ==, WP_BOX_PROCESS);
  g_assert_cmpuint (picture->diagram->nodes.data[node_named (picture, "17")].kind, ==, WP_BOX_LABEL);
  g_assert_cmpuint (picture->diagram->nodes.data[node_named (picture, "main")].kind, ==, WP_BOX_PROGRAM);
  check_table (picture, "17", FALSE, "shop=7");
}

/* A line is called by its function and number, as a node and among those that a node calls. */
static void
test_lines (Fixture *self, gconstpointer unused)
{
  WpCallsChoice choice = WP_CALLS_CHOICE_DEFAULT;
  const WpCallsPicture *picture;

  choice.lines = TRUE;
  wp_calls_model_choose (self->calls, &choice);
  wp_stacks_model_add_step (self->stacks, WP_FILTER_TAG_ROOT, "process");
  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  check_table (picture, "shop", TRUE, "main:3=7");
  check_table (picture, "main:3", FALSE, "shop=7");
}

/* Where other views show means, this one says that it has sums. */
static void
test_means (Fixture *self, gconstpointer unused)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->stacks);
  const WpCallsPicture *picture;

  wp_calls_model_set_wanted (self->calls, TRUE);
  g_assert_false (picture_of (self)->not_means);
  choice.mean = TRUE;
  wp_stacks_model_choose (self->stacks, &choice);
  picture = picture_of (self);
  g_assert_true (picture->not_means);
  check_table (picture, "main", FALSE, "(nobody)=7");
}

static void
test_graph (Fixture *self, gconstpointer unused)
{
  const WpCallsShowOptions options = WP_CALLS_SHOW_DEFAULT;
  WpCallsChoice choice = { .hide_self = { 5, 100 }, .hide_subs = { 1, 1 } };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WpOpened) opened = NULL;
  g_autoptr (GError) error = NULL;
  const WpCallsPicture *picture;

  wp_calls_model_set_wanted (self->calls, TRUE);
  wp_calls_append_json (wp_shared_get (picture_of (self)->calls), &options, text);
  opened = open_text (text->str, &error);
  g_assert_no_error (error);
  g_assert_true (opened->calls != NULL && opened->stacks == NULL && opened->plots == NULL);
  tear_down (self, NULL);
  self->stacks = NULL;
  self->calls = wp_calls_model_new_of_graph (opened->calls);
  g_assert_false (wp_calls_model_has_stacks (self->calls));
  wp_calls_model_set_wanted (self->calls, TRUE);
  picture = picture_of (self);
  check_table (picture, "parse", TRUE, "read=30 (itself)=10");
  g_assert_cmpuint (picture->frames[node_named (picture, "parse")], ==, G_MAXUINT32);
  wp_calls_model_choose (self->calls, &choice);
  picture = picture_of (self);
  g_assert_cmpuint (node_named (picture, "rare"), ==, WP_NO_NODE);
  g_assert_true (picture->calls == opened->calls);

  g_string_truncate (text, text->len / 2);
  g_assert_null (open_text (text->str, &error));
  g_assert_nonnull (strstr (error->message, "wakepath-calls-"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/workspace-calls/nodes", Fixture, NULL, set_up, test_nodes, tear_down);
  g_test_add ("/workspace-calls/limits", Fixture, NULL, set_up, test_limits, tear_down);
  g_test_add ("/workspace-calls/around", Fixture, NULL, set_up, test_around, tear_down);
  g_test_add ("/workspace-calls/same", Fixture, NULL, set_up, test_same, tear_down);
  g_test_add ("/workspace-calls/kinds", Fixture, NULL, set_up_labelled, test_kinds, tear_down);
  g_test_add ("/workspace-calls/lines", Fixture, NULL, set_up_labelled, test_lines, tear_down);
  g_test_add ("/workspace-calls/means", Fixture, NULL, set_up_labelled, test_means, tear_down);
  g_test_add ("/workspace-calls/graph", Fixture, NULL, set_up, test_graph, tear_down);
  return g_test_run ();
}
