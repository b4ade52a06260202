/* Everything that can be done to a document with a trace. */
#include "traced.h"

#include "pictures.h"
#include "profiled.h"
#include "profile/compare/compare.h"
#include "profile/perun/perun.h"
#include "profile/model/report.h"
#include "trace/trace-stacks.h"
#include "view/layout.h"
#include "view/text.h"

#include <unistd.h>

#define EXPLAINED_MAX 48 /* processes of one input; which, is left to chance where there are more */

static gboolean saves; /* what is explained is saved, too */

static void
no_fault (char *fault)
{
  if (fault != NULL)
    g_error ("%s", fault);
}

/* --- one process ------------------------------------------------------------------------------------------------------ */

static void
check_explanation (const WpExplanation *explanation)
{
  gint64 sum = 0, rows = 0, pieces = 0;

  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    sum += explanation->ns[c];
  for (guint32 i = 0; i < explanation->rows.len; i++)
    rows += explanation->rows.data[i].ns;
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    pieces += explanation->pieces.data[i].end - explanation->pieces.data[i].start;
  g_assert_cmpint (sum, ==, explanation->total);
  g_assert_cmpint (rows, ==, explanation->total);
  g_assert_cmpint (pieces, ==, explanation->total);
}

static WpDepthChoice
choose_depth (const WpHideRules *hide, FuzzRandom *choice)
{
  return (WpDepthChoice) { .depth = fuzz_below (choice, WP_DEPTH_COUNT), .hide = fuzz_one_in (choice, 2) ? hide : NULL };
}

static void
show_trees (const WpPaths *paths, const WpExplanation *explanation, const WpHideRules *hide, gboolean draw, FuzzRandom *choice)
{
  guint drawn = fuzz_below (choice, 8);

  for (guint i = 0; i < 4; i++)
    {
      WpTreeOptions options = { .inverted = i & 1, .collapse_recursion = i & 2, .explanation = i == 0 ? explanation : NULL,
                                .depth = choose_depth (hide, choice) };
      g_autoptr (WpTree) tree = NULL;
      g_autoptr (WpRows) rows = NULL;
      g_autoptr (GString) folded = g_string_new (NULL);

      if (i > 1 && fuzz_one_in (choice, 2))
        {
          options.from = paths->wall_start + (paths->wall_end - paths->wall_start) / 3;
          options.to = paths->wall_end;
        }
      tree = wp_tree_new (paths, &options, NULL, NULL);
      wp_tree_folded (tree, folded);
      rows = wp_layout_tree (tree, drawn & 4, NULL);
      if (draw && i == drawn % 4)
        fuzz_show_rows (rows, choice);
    }
}

static void
show (WpDocument *document, const WpPaths *paths, const WpExplanation *explanation, gboolean draw, FuzzRandom *choice)
{
  g_auto (WpHideRules) hide = { 0 };
  g_autoptr (WpRows) rows = NULL;
  g_autoptr (GString) report = g_string_new (NULL);

  g_assert_true (wp_hide_rules_add (&hide, WP_HIDE_MATCHING, "[a-m]$", NULL));
  rows = wp_layout_flame (paths, explanation, choose_depth (&hide, choice), NULL, NULL);
  wp_report_write (report, document, explanation, paths, fuzz_below (choice, WP_REPORT_FORMAT_COUNT));
  g_assert_true (g_utf8_validate (report->str, (gssize) report->len, NULL));
  if (draw)
    fuzz_show_rows (rows, choice);
  show_trees (paths, explanation, &hide, draw, choice);
}

static char *
describe (const WpPaths *paths, const WpExplanation *explanation)
{
  GString *text = g_string_new (NULL);
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);

  g_autofree char *folded = NULL;

  wp_tree_folded (tree, text);
  folded = g_utf8_make_valid (text->str, (gssize) text->len); /* as it is saved */
  g_string_assign (text, folded);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    g_string_append_printf (text, "%s %" G_GINT64_FORMAT "\n", wp_category_id (c), explanation->ns[c]);
  return g_string_free (text, FALSE);
}

/* What was saved is opened and says the same. */
static void
save (const WpPaths *paths, const WpExplanation *explanation)
{
  g_autofree char *path = fuzz_path ("saved.perf");
  g_autofree char *before = describe (paths, explanation), *after = NULL;
  const char *files[] = { path, NULL };
  const WpCompareOptions options = { .files = { files, files } };
  g_autoptr (WpDocument) saved = NULL;
  g_autoptr (WpExplanation) again = NULL;
  g_autoptr (WpComparison) comparison = NULL;
  g_autoptr (WpRows) rows = NULL;
  g_autoptr (GError) error = NULL;

  if (!wp_perun_save (path, paths, explanation, NULL, &error))
    return;
  saved = wp_document_open (path, NULL, NULL, &error);
  g_assert_no_error (error);
  again = wp_explain (saved->saved, 0, G_MAXINT64, NULL, NULL);
  after = describe (saved->saved, again);
  g_assert_cmpstr (before, ==, after);
  comparison = wp_compare (&options, NULL, &error);
  g_assert_no_error (error);
  rows = wp_layout_diff (comparison, WP_DIFF_B, FALSE);
}

static void
explain_one (WpDocument *document, const WpPaths *paths, gboolean more, FuzzRandom *choice)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  no_fault (wp_paths_check (paths));
  check_explanation (explanation);
  show (document, paths, explanation, more, choice);
  if (more && saves)
    save (paths, explanation);
}

/* --- all of them ------------------------------------------------------------------------------------------------------ */

static void
explain_task (WpDocument *document, WpId task, gboolean more, FuzzRandom *choice)
{
  WpPathOptions options = WP_PATH_OPTIONS_DEFAULT;
  WpIdArray tasks = { 0 }, cuts = { 0 };
  g_autoptr (WpPaths) paths = NULL;

  options.merge_threads = fuzz_one_in (choice, 2);
  options.started_work = fuzz_one_in (choice, 2);
  if (fuzz_one_in (choice, 4))
    {
      wp_array_push (&cuts, 1 + fuzz_below (choice, document->trace->ops.len - 1));
      options.cuts = &cuts;
    }
  wp_paths_process_of (document->trace, task, &tasks);
  paths = wp_paths_new (document->trace, tasks.data, tasks.len, &options, NULL, NULL);
  explain_one (document, paths, more, choice);
  wp_array_clear (&tasks);
  wp_array_clear (&cuts);
}

/* What lists of tasks offer. */
static gboolean
is_process (const WpTask *task)
{
  return task->kind == WP_TASK_THREAD && !(task->flags & WP_TASK_IDLE) && task->n_ops > 0;
}

static void
explain_tasks (WpDocument *document, FuzzRandom *choice)
{
  const WpTrace *trace = document->trace;
  guint32 n = trace->tasks.len - 1, explained = MIN (n, EXPLAINED_MAX), more = fuzz_below (choice, explained);

  for (guint32 i = 0; i < explained; i++)
    {
      WpId task = n <= EXPLAINED_MAX ? i + 1 : 1 + fuzz_below (choice, n);

      if (is_process (&trace->tasks.data[task]))
        explain_task (document, task, i == more, choice);
    }
}

static void
show_processes (const WpTrace *trace, FuzzRandom *choice)
{
  const WpProcessesOptions options = { .show_sleeps = fuzz_one_in (choice, 2), .summary = fuzz_one_in (choice, 2),
                                       .sort = fuzz_below (choice, WP_SORT_FIRST_SEEN + 1), .filter = fuzz_one_in (choice, 4) ? "s" : NULL };
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &options, NULL, NULL);

  fuzz_show_rows (rows, choice);
}

static void
use_all (WpDocument *document, FuzzRandom *choice)
{
  WpIdArray tasks = { 0 };

  show_processes (document->trace, choice);
  for (guint i = 0; i < 10; i++)
    g_free (wp_op_text (document->trace, fuzz_below (choice, document->trace->ops.len)));
  wp_paths_find_tasks (document->trace, NULL, &tasks, NULL);
  wp_array_clear (&tasks);
  if (document->saved != NULL)
    explain_one (document, document->saved, TRUE, choice);
  else
    explain_tasks (document, choice);
}

void
fuzz_explain_all (WpDocument *document, FuzzRandom *choice)
{
  saves = TRUE;
  use_all (document, choice);
}

void
fuzz_see_all (WpDocument *document, FuzzRandom *choice)
{
  saves = FALSE;
  use_all (document, choice);
}

/* --- as stacks ---------------------------------------------------------------------------------------------------------- */

static void
check_stacks (const WpTrace *trace, const WpStacks *stacks)
{
  guint64 samples = 0, counted = 0;

  for (guint32 i = 1; i < trace->samples.len; i++)
    samples += trace->samples.data[i].event != 0;
  for (guint32 i = 0; i < trace->events.len; i++)
    counted += trace->events.data[i].count;
  g_assert_cmpuint (samples, <=, counted);
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      g_assert_cmpuint (stacks->sample_stacks.data[i], <, stacks->frames->nodes.len);
      g_assert_cmpuint (stacks->sample_threads.data[i], <, stacks->threads.len);
    }
}

static gboolean
see_as_stacks (const char *path, FuzzRandom *choice)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder (), .all_samples = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = wp_read (path, &options, NULL, &error);
  g_autoptr (WpStacks) stacks = NULL;

  g_assert_true ((trace == NULL) == (error != NULL));
  if (trace == NULL)
    return FALSE;
  no_fault (wp_trace_check (trace));
  stacks = wp_trace_stacks (trace, NULL, NULL);
  check_stacks (trace, stacks);
  if (stacks->types.len > 0)
    fuzz_use_stacks (stacks, choice);
  return TRUE;
}

gboolean
fuzz_run_trace (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () };
  FuzzRandom choice = fuzz_choice (data, n);
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (path, &options, NULL, &error);
  gboolean seen;

  g_assert_true ((document == NULL) == (error != NULL));
  if (document != NULL)
    {
      g_autofree char *fault = wp_trace_check (document->trace);

      g_assert_cmpstr (fault, ==, NULL);
      if (document->saved == NULL)
        wp_read_symbols (document->trace, &options, NULL, NULL);
      fuzz_explain_all (document, &choice);
    }
  seen = fuzz_one_in (&choice, document != NULL ? 8 : 1) && see_as_stacks (path, &choice);
  close (fd);
  return document != NULL || seen;
}

gboolean
fuzz_parse_trace (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () }, all_samples = { .symbol_root = fuzz_folder (), .all_samples = TRUE };
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (WpDocument) document = wp_document_open (path, &options, NULL, NULL);
  g_autoptr (WpTrace) trace = document == NULL ? wp_read (path, &all_samples, NULL, NULL) : NULL;

  close (fd);
  return document != NULL || trace != NULL;
}
