/* Hand-written traces, each with its operations, links, control paths and categories worked out by hand.
 *
 * NAME.trace is `perf script` text; NAME.expected is what must come out, in µs from the first event:
 *   operations    task kind start-end, for sleeps state, cause and when woken
 *   links         cause source@start > target@start at time, by an interrupt or a socket
 *   paths TASK    one line a part: its depth as dots, task, kind, start-end, "waits N" for the path it waits on
 *   categories TASK, and total
 *   rows TASK     where it is there: category, time, what of
 *   tree TASK     where it is there: the call tree, its depth as dots, name, total and what of it is the node's own, what overflows it
 * For every task of every trace the invariants must hold, too: operations tile its life, no part is placed twice, categories
 * and the folded stacks sum to the total, saving and reopening changes nothing.
 */
#include "paths/tree.h"
#include "profile/model/document.h"
#include "profile/perun/perun.h"

#include <glib/gstdio.h>
#include <stdlib.h>

static void
append_us (GString *out, gint64 ns)
{
  g_string_append_printf (out, "%" G_GINT64_FORMAT, ns / 1000);
  if (ns % 1000 != 0)
    g_string_append_printf (out, ".%03d", (int) (ns % 1000));
}

static void
append_span (GString *out, gint64 start, gint64 end)
{
  append_us (out, start);
  g_string_append_c (out, '-');
  append_us (out, end);
}

static void
append_end_of_link (GString *out, const WpTrace *trace, WpId op)
{
  if (op == 0)
    {
      g_string_append_c (out, '-');
      return;
    }
  g_string_append_printf (out, "%s@", wp_trace_task_name (trace, trace->ops.data[op].task));
  append_us (out, trace->ops.data[op].start);
}

/* What a request or an exchange was about, where that is known. */
static void
append_subject (GString *out, const WpTrace *trace, const WpOp *op)
{
  WpId name = op->kind == WP_OP_NET ? trace->nets.data[op->detail].remote
              : op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE ? trace->disks.data[op->detail].file : 0;

  if (op->kind == WP_OP_NET && trace->nets.data[op->detail].handshake)
    g_string_append (out, " handshake");
  if (name != 0)
    g_string_append_printf (out, " %s", wp_trace_string (trace, name));
}

static void
dump_trace (GString *out, const WpTrace *trace)
{
  g_string_append (out, "operations\n");
  for (WpId o = 1; o < trace->ops.len; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      g_string_append_printf (out, "%s %s ", wp_trace_task_name (trace, op->task), wp_op_kind_id (op->kind));
      append_span (out, op->start, op->end);
      if (op->kind == WP_OP_SLEEP)
        {
          g_string_append_printf (out, " %s %s ", wp_state_id (op->state), wp_cause_id (op->cause));
          append_us (out, wp_trace_woken (trace, o));
        }
      append_subject (out, trace, op);
      g_string_append (out, op->flags & WP_OP_INFERRED ? " inferred\n" : "\n");
    }
  g_string_append (out, "links\n");
  for (WpId l = 1; l < trace->links.len; l++)
    {
      const WpLink *link = &trace->links.data[l];

      g_string_append_printf (out, "%s ", wp_cause_id (link->cause));
      append_end_of_link (out, trace, link->source);
      g_string_append (out, " > ");
      append_end_of_link (out, trace, link->target);
      g_string_append (out, " at ");
      append_us (out, link->start);
      if (link->device != 0)
        g_string_append_printf (out, " by %s", wp_trace_string (trace, trace->devices.data[link->device]));
      g_string_append_c (out, '\n');
    }
}

/* A part and all that stands on it; parts come in the order of the picture. */
static void
dump_parts (GString *out, const WpPaths *paths, WpId first)
{
  guint depth = 0;
  WpId part = first;

  while (part != 0)
    {
      const WpPart *p = &paths->parts.data[part];
      const WpOp *op = &paths->trace->ops.data[p->op];

      for (guint i = 0; i < depth; i++)
        g_string_append (out, ". ");
      g_string_append_printf (out, "%s %s ", wp_part_name (paths, part), wp_op_kind_id (op->kind));
      append_span (out, p->start, p->end);
      if (p->waits_path != 0)
        g_string_append_printf (out, " waits %u", p->waits_path);
      g_string_append_c (out, '\n');
      if (p->first_child != 0)
        {
          part = p->first_child;
          depth++;
          continue;
        }
      while (part != 0 && paths->parts.data[part].next == 0)
        {
          part = paths->parts.data[part].parent;
          depth -= part != 0;
        }
      if (part != 0)
        part = paths->parts.data[part].next;
    }
}

static void
dump_paths (GString *out, const WpPaths *paths)
{
  g_string_append_printf (out, "paths %s\n", paths->name);
  for (WpId p = 1; p < paths->paths.len; p++)
    {
      g_string_append_printf (out, "path %u%s\n", p, paths->paths.data[p].base ? " base" : "");
      dump_parts (out, paths, paths->paths.data[p].first_part);
    }
}

static void
dump_categories (GString *out, const WpPaths *paths, const WpExplanation *e)
{
  g_string_append_printf (out, "categories %s\n", paths->name);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    if (e->ns[c] != 0)
      {
        g_string_append_printf (out, "%s ", wp_category_id (c));
        append_us (out, e->ns[c]);
        g_string_append_c (out, '\n');
      }
  g_string_append (out, "total ");
  append_us (out, e->total);
  g_string_append_c (out, '\n');
}

static void
dump_rows (GString *out, const WpPaths *paths, const WpExplanation *e)
{
  g_string_append_printf (out, "rows %s\n", paths->name);
  for (guint32 i = 0; i < e->rows.len; i++)
    {
      g_string_append_printf (out, "%s ", wp_category_id (e->rows.data[i].category));
      append_us (out, e->rows.data[i].ns);
      g_string_append_printf (out, " %s\n", e->rows.data[i].name);
    }
}

static void
dump_node (GString *out, const WpTree *tree, const WpNode *node, guint depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (out, ". ");
  g_string_append_printf (out, "%s ", wp_strings_get (tree->strings, node->name));
  append_us (out, node->total);
  g_string_append (out, " own ");
  append_us (out, node->self);
  if (node->extra != 0)
    {
      g_string_append (out, " extra ");
      append_us (out, node->extra);
    }
  g_string_append_c (out, '\n');
}

static void
dump_tree (GString *out, const WpPaths *paths)
{
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);
  const WpNode *nodes = tree->nodes.data;
  WpId node = nodes[0].first_child;
  guint depth = 0;

  g_string_append_printf (out, "tree %s\n", paths->name);
  while (node != 0)
    {
      dump_node (out, tree, &nodes[node], depth);
      if (nodes[node].first_child != 0)
        {
          node = nodes[node].first_child;
          depth++;
          continue;
        }
      for (; node != 0 && nodes[node].next == 0; depth -= depth > 0)
        node = nodes[node].parent;
      if (node != 0)
        node = nodes[node].next;
    }
}

static gint64
folded_sum (const char *folded)
{
  gint64 sum = 0;

  for (const char *line = folded; *line != '\0';)
    {
      const char *end = strchr (line, '\n'), *space = end;

      while (*space != ' ')
        space--;
      sum += g_ascii_strtoll (space + 1, NULL, 10);
      line = end + 1;
    }
  return sum;
}

static void
assert_same_after_reopening (const WpPaths *paths, const WpExplanation *explanation, const char *folded)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-scenario-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "saved.perf", NULL);
  g_autoptr (WpTrace) trace = NULL;
  g_autoptr (WpPaths) reopened = NULL;
  g_autoptr (WpExplanation) again = NULL;
  g_autoptr (WpTree) tree = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  wp_perun_save (file, paths, explanation, NULL, &error);
  g_assert_no_error (error);
  wp_perun_load (file, &trace, &reopened, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wp_paths_check (reopened), ==, NULL);
  again = wp_explain (reopened, 0, G_MAXINT64, NULL, NULL);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    g_assert_cmpint (again->ns[c], ==, explanation->ns[c]);
  g_assert_cmpint (again->wall, ==, explanation->wall);
  g_assert_cmpuint (again->rows.len, ==, explanation->rows.len);
  for (guint32 i = 0; i < again->rows.len; i++)
    {
      g_assert_cmpstr (again->rows.data[i].name, ==, explanation->rows.data[i].name);
      g_assert_cmpint (again->rows.data[i].ns, ==, explanation->rows.data[i].ns);
    }
  tree = wp_tree_new (reopened, NULL, NULL, NULL);
  wp_tree_folded (tree, out);
  g_assert_cmpstr (out->str, ==, folded);
  g_unlink (file);
  g_rmdir (folder);
}

static void
check_invariants (const WpPaths *paths, const WpExplanation *explanation)
{
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);
  g_autoptr (GString) folded = g_string_new (NULL);
  gint64 sum = 0, rows = 0;

  g_assert_cmpstr (wp_paths_check (paths), ==, NULL);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    sum += explanation->ns[c];
  g_assert_cmpint (sum, ==, explanation->total);
  for (guint32 i = 0; i < explanation->rows.len; i++)
    rows += explanation->rows.data[i].ns;
  g_assert_cmpint (rows, ==, explanation->total);
  wp_tree_folded (tree, folded);
  g_assert_cmpint (folded_sum (folded->str), ==, explanation->total);
  g_assert_cmpint (tree->nodes.data[0].total, ==, explanation->total);
  assert_same_after_reopening (paths, explanation, folded->str);
}

static gboolean
has_section (const char *expected, const char *section, const char *task)
{
  g_autofree char *line = g_strdup_printf ("\n%s %s\n", section, task);

  return strstr (expected, line) != NULL;
}

/* The paths of one task; with `out`, described there, with the rows and the tree if `expected` has them. */
static void
explain_task (const WpTrace *trace, const char *spec, GString *out, const char *expected)
{
  WpIdArray tasks = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) explanation = NULL;

  wp_paths_find_tasks (trace, spec, &tasks, &error);
  g_assert_no_error (error);
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, &error);
  g_assert_no_error (error);
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  if (out != NULL)
    {
      dump_paths (out, paths);
      dump_categories (out, paths, explanation);
      if (has_section (expected, "rows", spec))
        dump_rows (out, paths, explanation);
      if (has_section (expected, "tree", spec))
        dump_tree (out, paths);
    }
  check_invariants (paths, explanation);
  wp_array_clear (&tasks);
}

static WpTrace *
read_scenario (const char *name)
{
  g_autofree char *file = g_strdup_printf ("%s/%s.trace", g_getenv ("WP_SCENARIOS"), name);
  g_autoptr (GError) error = NULL;
  WpTrace *trace = wp_read (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (wp_trace_check (trace), ==, NULL);
  return trace;
}

static void
test_scenario (gconstpointer name)
{
  g_autoptr (WpTrace) trace = read_scenario (name);
  g_autofree char *file = g_strdup_printf ("%s/%s.expected", g_getenv ("WP_SCENARIOS"), (const char *) name);
  g_autofree char *expected = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *section;

  g_file_get_contents (file, &expected, NULL, &error);
  g_assert_no_error (error);
  dump_trace (out, trace);
  for (section = strstr (expected, "\npaths "); section != NULL; section = strstr (section, "\npaths "))
    {
      g_autofree char *task = NULL;

      section += strlen ("\npaths ");
      task = g_strndup (section, strcspn (section, "\n"));
      explain_task (trace, task, out, expected);
    }
  if (!g_str_equal (out->str, expected))
    g_test_message ("%s.expected differs; what came out:\n%s", (const char *) name, out->str);
  g_assert_true (g_str_equal (out->str, expected));
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      {
        g_autofree char *tid = g_strdup_printf ("%d", trace->tasks.data[t].tid);

        explain_task (trace, tid, NULL, NULL);
      }
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;
  guint n = 0;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_open (g_getenv ("WP_SCENARIOS"), 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".trace"))
      {
        char *scenario = g_strndup (name, strlen (name) - strlen (".trace"));
        g_autofree char *path = g_strdup_printf ("/scenarios/%s", scenario);

        g_test_add_data_func_full (path, scenario, test_scenario, g_free);
        n++;
      }
  if (n == 0)
    g_error ("no scenarios in WP_SCENARIOS");
  return g_test_run ();
}
