/* Comparisons of explained processes at each depth, and under rules that hide: other frames, the same figures. */
#include "profile-fixture.h"
#include "profile/compare/compare-private.h"
#include "stacks/tree.h"
#include "workspace/stacks/open-stacks.h"

#include <glib/gstdio.h>

/* --- what must be the same -------------------------------------------------------------------------------------------- */

/* Names of processes and devices of both sides. */
static GHashTable *
bases_of (const WpDocument *const *documents)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint side = 0; side < WP_N_SIDES; side++)
    for (WpId t = 1; t < documents[side]->trace->tasks.len; t++)
      {
        const char *name = wp_trace_task_name (documents[side]->trace, t);

        g_hash_table_add (names, g_strdup (name));
        g_hash_table_add (names, g_strdup_printf ("%s queue", name));
      }
  return names;
}

/* "A/B" → what both sides spent there, whatever stands between. */
static GHashTable *
by_process (const WpComparison *c, GHashTable *bases)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) keys = g_new0 (char *, c->nodes.len + 1);

  keys[0] = g_strdup ("");
  for (WpId n = 1; n < c->nodes.len; n++)
    {
      const WpComparedNode *node = &c->nodes.data[n];
      const WpComparedFrame *frame = &c->frames.data[node->frame];
      const char *name = wp_strings_get (c->strings, frame->name);
      gboolean base = *wp_strings_get (c->strings, frame->module) == '\0' && g_hash_table_contains (bases, name);
      double *sum;

      keys[n] = base ? g_strdup_printf ("%s/%s", keys[node->parent], name) : g_strdup (keys[node->parent]);
      sum = g_hash_table_lookup (sums, keys[n]);
      if (sum == NULL)
        g_hash_table_insert (sums, g_strdup (keys[n]), sum = g_new0 (double, WP_N_SIDES));
      for (guint side = 0; side < WP_N_SIDES; side++)
        sum[side] += node->self[side];
    }
  return sums;
}

static void
assert_same_processes (const WpComparison *a, const WpComparison *b, GHashTable *bases)
{
  g_autoptr (GHashTable) expected = by_process (a, bases), sums = by_process (b, bases);
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpuint (g_hash_table_size (expected), ==, g_hash_table_size (sums));
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const double *x = value, *y = g_hash_table_lookup (sums, key);

      g_assert_nonnull (y);
      g_assert_cmpfloat (x[WP_SIDE_A], ==, y[WP_SIDE_A]);
      g_assert_cmpfloat (x[WP_SIDE_B], ==, y[WP_SIDE_B]);
    }
}

/* The explanation's rows have the kinds, and differences are those of the means. */
static void
assert_same_figures (const WpComparison *a, const WpComparison *b)
{
  g_assert_cmpuint (a->rows.len, ==, b->rows.len);
  for (guint32 r = 0; r < a->rows.len; r++)
    {
      g_assert_cmpstr (a->rows.data[r].id, ==, b->rows.data[r].id);
      g_assert_cmpstr (a->rows.data[r].name, ==, b->rows.data[r].name);
      for (guint side = 0; side < WP_N_SIDES; side++)
        g_assert_cmpfloat (a->rows.data[r].change.mean[side], ==, b->rows.data[r].change.mean[side]);
    }
  g_assert_cmpuint (a->answer.len, ==, b->answer.len);
  for (guint32 i = 0; i < a->answer.len; i++)
    g_assert_cmpstr (a->answer.data[i].text, ==, b->answer.data[i].text);
  for (guint side = 0; side < WP_N_SIDES; side++)
    g_assert_cmpfloat (a->nodes.data[0].total[side], ==, b->nodes.data[0].total[side]);
}

/* --- comparing -------------------------------------------------------------------------------------------------------- */

static WpComparison *
compare_at (const WpDocument *const *documents, const WpPaths *const *paths, WpDepthChoice depth)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);

  for (guint side = 0; side < WP_N_SIDES; side++)
    g_assert_true (wp_comparer_add_paths (comparer, side, documents[side], paths[side], depth, NULL, NULL, NULL));
  return wp_comparer_finish (comparer, FALSE);
}

static gboolean
has_frame (const WpComparison *c, const char *name, const char *module)
{
  for (WpId f = 1; f < c->frames.len; f++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), name)
        && g_str_equal (wp_strings_get (c->strings, c->frames.data[f].module), module))
      return TRUE;
  return FALSE;
}

static guint
check_pair (const WpDocument *const *documents, WpId task)
{
  g_autoptr (WpPaths) a = fixture_paths (documents[WP_SIDE_A]->trace, task), b = fixture_paths (documents[WP_SIDE_B]->trace, task);
  const WpPaths *const paths[] = { a, b };
  g_autoptr (WpComparison) all = compare_at (documents, paths, (WpDepthChoice) { 0 });
  g_autoptr (GHashTable) bases = bases_of (documents);
  g_auto (WpHideRules) rules = { 0 };
  guint fewer = 0;

  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_MATCHING, "^(main|__schedule|[a-m].*)$", NULL));
  g_assert_true (all->has_depths);
  for (WpDepth d = 0; d < WP_DEPTH_COUNT; d++)
    {
      g_autoptr (WpComparison) plain = compare_at (documents, paths, (WpDepthChoice) { .depth = d });
      g_autoptr (WpComparison) hidden = compare_at (documents, paths, (WpDepthChoice) { .depth = d, .hide = &rules });

      assert_same_figures (all, plain);
      assert_same_processes (all, plain, bases);
      assert_same_figures (all, hidden);
      assert_same_processes (all, hidden, bases);
      g_assert_false (has_frame (hidden, "__schedule", "[kernel.kallsyms]"));
      fewer += hidden->nodes.len < plain->nodes.len || plain->nodes.len < all->nodes.len;
    }
  return fewer;
}

/* Each scenario with the one before it. */
static void
test_scenarios (gconstpointer folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (WpDocument) before = NULL;
  guint fewer = 0;

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      WpDocument *document = g_str_has_suffix (name, ".trace") ? wp_document_open (path, NULL, NULL, NULL) : NULL;

      if (document == NULL)
        continue;
      for (WpId t = 1; before != NULL && t < MIN (before->trace->tasks.len, document->trace->tasks.len); t++)
        fewer += check_pair ((const WpDocument *const[]) { before, document }, t);
      g_clear_pointer (&before, wp_document_free);
      before = document;
    }
  g_assert_cmpuint (fewer, >, 50);
}

/* --- what becomes of frames ------------------------------------------------------------------------------------------- */

/* A runs, first in `n` functions without names on top of main(), of as many samples; then it reads a pipe. */
static char *
write_unnamed (const char *folder, const char *name, guint n)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) text = g_string_new (" swapper 0/0 [000] 1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
                                           "next_comm=A next_pid=10 next_prio=120\n\n       A 10/10 [000] 1.000100: 250000 cpu-clock:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "\t%x [unknown] (/usr/bin/work)\n", 0x403000 + 16 * i);
  g_string_append (text, "\t401100 main (/usr/bin/work)\n\n       A 10/10 [000] 1.000900: sched:sched_switch: prev_comm=A prev_pid=10 prev_prio=120 "
                         "prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n\tffffffff81000000 __schedule ([kernel.kallsyms])\n"
                         "\tffffffff81001000 schedule ([kernel.kallsyms])\n\tffffffff81002000 anon_pipe_read ([kernel.kallsyms])\n"
                         "\tffffffff81003000 vfs_read ([kernel.kallsyms])\n\tffffffff81004000 do_syscall_64 ([kernel.kallsyms])\n"
                         "\t7f0000001000 read (/usr/lib/libc.so.6)\n\t401100 main (/usr/bin/work)\n\n"
                         " swapper 0/0 [000] 1.000950: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=B "
                         "next_pid=11 next_prio=120\n\n       B 11/11 [000] 1.001000: sched:sched_waking: comm=A pid=10 prio=120 target_cpu=000\n\n"
                         "       B 11/11 [000] 1.001000: sched:sched_switch: prev_comm=B prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=A next_pid=10 "
                         "next_prio=120\n\n       A 10/10 [000] 1.001100: sched:sched_switch: prev_comm=A prev_pid=10 prev_prio=120 prev_state=X ==> next_comm=B "
                         "next_pid=11 next_prio=120\n");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

typedef struct
{
  char *folder, *a, *b;
} Files;

static void
set_up (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  self->folder = g_dir_make_tmp ("wakepath-depths.XXXXXX", NULL);
  self->a = write_unnamed (self->folder, "a.trace", 2);
  self->b = write_unnamed (self->folder, "b.trace", 5);
}

static void
tear_down (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  g_remove (self->a);
  g_remove (self->b);
  g_rmdir (self->folder);
  g_free (self->a);
  g_free (self->b);
  g_free (self->folder);
}

static WpComparison *
compare_files (const Files *self, WpDepthChoice depth, const char *sample_index)
{
  const WpCompareOptions options = { .files = { (const char *const[]) { self->a, NULL }, (const char *const[]) { self->b, NULL } },
                                     .task = "A", .depth = depth, .sample_index = sample_index, .open_stacks = wp_open_stacks };
  g_autoptr (GError) error = NULL;
  WpComparison *c = wp_compare (&options, NULL, &error);

  g_assert_no_error (error);
  return c;
}

static WpComparison *
compare_opened (const Files *self, WpDepth depth, const WpNamedStacks *opened)
{
  const WpCompareOptions options = { .files = { (const char *const[]) { self->a, NULL }, (const char *const[]) { self->b, NULL } },
                                     .task = "A", .depth = { .depth = depth }, .opened = opened };

  return wp_compare (&options, NULL, NULL);
}

/* How many they are is nothing that two profiles have in common: they are what they are at any other depth. */
static void
test_unnamed (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  for (WpDepth d = WP_DEPTH_ALL; d <= WP_DEPTH_FUNCTIONS; d++)
    {
      g_autoptr (WpComparison) c = compare_files (self, (WpDepthChoice) { .depth = d }, NULL);
      guint found = 0;

      for (WpId f = 1; f < c->frames.len; f++)
        if (g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), WP_COMPARED_NO_SYMBOL))
          {
            found++;
            g_assert_cmpstr (wp_strings_get (c->strings, c->frames.data[f].module), ==, "work");
            g_assert_cmpfloat (c->frames.data[f].self.mean[WP_SIDE_A], ==, c->frames.data[f].self.mean[WP_SIDE_B]);
            g_assert_cmpfloat (c->frames.data[f].self.mean[WP_SIDE_A], >, 0);
          }
      g_assert_cmpuint (found, ==, 1);
    }
}

/* Words are frames of no module; what is hidden is no frame. */
static void
test_words (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (WpHideRules) rules = { 0 };
  g_autoptr (WpComparison) waits = compare_files (self, (WpDepthChoice) { .depth = WP_DEPTH_WAITS }, NULL);
  g_autoptr (WpComparison) all = compare_files (self, (WpDepthChoice) { 0 }, NULL), hidden = NULL;

  g_assert_true (has_frame (waits, "reads pipe from B", ""));
  g_assert_true (has_frame (waits, "runs", ""));
  g_assert_false (has_frame (waits, "main", "work"));
  g_assert_true (has_frame (all, "main", "work"));
  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_MODULE, "work", NULL));
  hidden = compare_files (self, (WpDepthChoice) { .hide = &rules }, NULL);
  g_assert_false (has_frame (hidden, "main", "work"));
  g_assert_true (has_frame (hidden, "read", "libc.so.6"));
  assert_same_figures (all, hidden);
}

/* As stacks, with all types and each of them. */
static void
test_types (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const types[] = { "total", "running", "waiting" };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_autoptr (WpComparison) all = compare_files (self, (WpDepthChoice) { 0 }, types[t]);

      g_assert_true (all->has_depths);
      for (WpDepth d = WP_DEPTH_FUNCTIONS; d < WP_DEPTH_COUNT; d++)
        {
          g_autoptr (WpComparison) c = compare_files (self, (WpDepthChoice) { .depth = d }, types[t]);

          assert_same_figures (all, c);
          g_assert_cmpuint (c->nodes.len, <, all->nodes.len);
        }
    }
}

/* --- folds ------------------------------------------------------------------------------------------------------------ */

/* The stack of `functions`, outermost first, of module `modules`; opened. */
static WpNamedStacks *
opened_stack (const char *const *functions, const char *const *modules)
{
  WpNamedStacks *opened = wp_named_stacks_new ();
  WpId stack = 0;

  for (guint i = 0; functions[i] != NULL; i++)
    stack = wp_named_stacks_add (opened, stack, functions[i], modules[i]);
  opened->stacks.data[stack].opened = 1;
  return opened;
}

static WpId
find_node (const WpComparison *c, const char *name)
{
  WpId n = 1;

  while (n < c->nodes.len && !g_str_equal (wp_strings_get (c->strings, c->frames.data[c->nodes.data[n].frame].name), name))
    n++;
  g_assert_cmpuint (n, <, c->nodes.len);
  return n;
}

/* "main;read" of a stack of the comparison, down to before `outer`. */
static char *
names_between (const WpComparison *c, WpId inner, WpId outer)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (WpId s = inner; s != outer; s = c->stacks->stacks.data[s].parent)
    {
      g_autofree char *rest = g_strdup (text->str);
      const WpNamedFunction *function = &c->stacks->functions.data[c->stacks->stacks.data[s].function];

      g_string_printf (text, "%s%s%s", wp_strings_get (c->stacks->strings, function->name), *rest != '\0' ? ";" : "", rest);
    }
  return g_strdup (text->str);
}

/* What a box hides is told by names, once for both sides; opened by these names, it is shown on both, and nothing but that. */
static void
test_folds (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const functions[] = { "main", "read", "do_syscall_64", "vfs_read", "anon_pipe_read", "schedule", "__schedule", NULL };
  static const char *const modules[] = { "work", "libc.so.6", "[kernel]", "[kernel]", "[kernel]", "[kernel]", "[kernel]" };
  g_autoptr (WpComparison) folded = compare_files (self, (WpDepthChoice) { .depth = WP_DEPTH_FUNCTIONS }, NULL), shown = NULL;
  g_autoptr (WpComparison) all = compare_files (self, (WpDepthChoice) { 0 }, NULL);
  g_autoptr (WpNamedStacks) opened = opened_stack (functions, modules);
  const WpComparedNode *words = &folded->nodes.data[find_node (folded, "reads pipe from B")];
  const WpHidden *hidden = &folded->hidden.data[words->hidden];
  g_autofree char *names = NULL;

  g_assert_cmpuint (words->hidden, !=, 0);
  g_assert_cmpuint (hidden->next, ==, 0);
  names = names_between (folded, hidden->inner, hidden->outer);
  g_assert_cmpstr (names, ==, "do_syscall_64;vfs_read;anon_pipe_read;schedule;__schedule");
  g_assert_cmpuint (all->hidden.len, ==, 0);
  g_assert_false (has_frame (folded, "vfs_read", "[kernel]"));

  shown = compare_opened (self, WP_DEPTH_FUNCTIONS, opened);
  g_assert_true (has_frame (shown, "vfs_read", "[kernel]") && has_frame (shown, "__schedule", "[kernel]"));
  g_assert_cmpuint (shown->hidden.len, <, folded->hidden.len);
  for (guint side = 0; side < WP_N_SIDES; side++)
    g_assert_cmpfloat (shown->nodes.data[find_node (shown, "vfs_read")].total[side], ==, words->total[side]);
  assert_same_figures (folded, shown);
}

/* A stack of other names is another one, however long the common part. */
static void
test_other_names (Files *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const functions[][8] = { { "main", "read", "do_syscall_64", "vfs_read", "pipe_read", "schedule", "__schedule", NULL },
                                              { "main", "read", "do_syscall_64", "vfs_read", NULL },
                                              { "start", "main", "read", "do_syscall_64", "vfs_read", "anon_pipe_read", "schedule", NULL } };
  static const char *const modules[] = { "work", "libc.so.6", "[kernel]", "[kernel]", "[kernel]", "[kernel]", "[kernel]" };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (WpNamedStacks) opened = opened_stack (functions[i], modules);
      g_autoptr (WpComparison) c = compare_opened (self, WP_DEPTH_FUNCTIONS, opened);

      g_assert_false (has_frame (c, "vfs_read", "[kernel]"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/compare-depths/scenarios", g_getenv ("WP_SCENARIOS"), test_scenarios);
  g_test_add ("/compare-depths/unnamed", Files, NULL, set_up, test_unnamed, tear_down);
  g_test_add ("/compare-depths/words", Files, NULL, set_up, test_words, tear_down);
  g_test_add ("/compare-depths/folds", Files, NULL, set_up, test_folds, tear_down);
  g_test_add ("/compare-depths/other-names", Files, NULL, set_up, test_other_names, tear_down);
  g_test_add ("/compare-depths/types", Files, NULL, set_up, test_types, tear_down);
  return g_test_run ();
}
