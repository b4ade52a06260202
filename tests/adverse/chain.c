#include "chain.h"

#include "paths/tree.h"
#include "profile/model/document.h"
#include "profile/perun/perun.h"

#include <glib/gstdio.h>
#include <string.h>

static void
wrong (ChainResult *result, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
wrong (ChainResult *result, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (result->wrong == NULL)
    result->wrong = g_strdup_vprintf (format, args);
  va_end (args);
}

static void
hold (ChainResult *result, const char *what, char *broken)
{
  if (broken != NULL)
    wrong (result, "%s: %s", what, broken);
  g_free (broken);
}

static gint64
sum_of (const WpExplanation *explanation)
{
  gint64 sum = 0;

  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    sum += explanation->ns[c];
  return sum;
}

static gboolean
same_file (const char *a, const char *b)
{
  g_autofree char *x = NULL, *y = NULL;
  gsize n, m;

  return g_file_get_contents (a, &x, &n, NULL) && g_file_get_contents (b, &y, &m, NULL) && n == m && memcmp (x, y, n) == 0;
}

/* A saved profile says the same, and saves as the same. */
static void
check_saving (const WpPaths *paths, const WpExplanation *explanation, const char *folder, ChainResult *result)
{
  g_autofree char *first = g_build_filename (folder, "first.perf", NULL), *second = g_build_filename (folder, "second.perf", NULL);
  g_autoptr (WpTrace) trace = NULL;
  g_autoptr (WpPaths) again = NULL;
  g_autoptr (WpExplanation) explained = NULL;
  g_autoptr (GError) error = NULL;

  if (!wp_perun_save (first, paths, explanation, NULL, &error) || !wp_perun_load (first, &trace, &again, NULL, &error))
    {
      wrong (result, "saved and reopened: %s", error->message);
      return;
    }
  hold (result, "reopened paths", wp_paths_check (again));
  explained = wp_explain (again, 0, G_MAXINT64, NULL, NULL);
  if (memcmp (explained->ns, explanation->ns, sizeof explanation->ns) != 0)
    wrong (result, "%s: a reopened profile explains otherwise", paths->name);
  if (!wp_perun_save (second, again, explained, NULL, &error))
    wrong (result, "saved again: %s", error->message);
  else if (!same_file (first, second))
    wrong (result, "%s: saving a reopened profile gives another file", paths->name);
  g_clear_pointer (&again, wp_paths_free);
}

static void
check_explanation (const WpPaths *paths, const WpExplanation *explanation, ChainResult *result)
{
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);
  gint64 rows = 0;

  for (guint32 i = 0; i < explanation->rows.len; i++)
    rows += explanation->rows.data[i].ns;
  if (sum_of (explanation) != explanation->total || rows != explanation->total)
    wrong (result, "%s: the categories do not sum to the total", paths->name);
  if (tree->nodes.data[0].total != explanation->total)
    wrong (result, "%s: the call tree has another total", paths->name);
}

/* Explains the process that these tasks are; of interest: what comes out goes into the result. */
static void
explain (const WpTrace *trace, const WpIdArray *tasks, const char *folder, gboolean of_interest, ChainResult *result)
{
  g_autoptr (WpPaths) paths = wp_paths_new (trace, tasks->data, tasks->len, NULL, NULL, NULL);
  g_autoptr (WpExplanation) explanation = NULL;

  hold (result, "paths", wp_paths_check (paths));
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  check_explanation (paths, explanation, result);
  check_saving (paths, explanation, folder, result);
  result->tasks_checked++;
  if (of_interest)
    {
      memcpy (result->ns, explanation->ns, sizeof result->ns);
      result->total = explanation->total;
      result->wall = explanation->wall;
    }
}

static int
more_operations (const void *a, const void *b, void *trace)
{
  const WpTask *tasks = ((const WpTrace *) trace)->tasks.data;
  WpId x = *(const WpId *) a, y = *(const WpId *) b;

  return tasks[x].n_ops != tasks[y].n_ops ? (tasks[x].n_ops < tasks[y].n_ops) - (tasks[x].n_ops > tasks[y].n_ops) : (x > y) - (x < y);
}

static void
explain_others (WpTrace *trace, const ChainOptions *options, const char *folder, ChainResult *result)
{
  WpIdArray order = { 0 };

  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      wp_array_push (&order, t);
  if (order.len > 0)
    g_qsort_with_data (order.data, order.len, sizeof *order.data, (GCompareDataFunc) more_operations, trace);
  for (guint32 i = 0; i < MIN (order.len, options->others); i++)
    {
      WpIdArray tasks = { 0 };

      wp_paths_process_of (trace, order.data[i], &tasks);
      explain (trace, &tasks, folder, FALSE, result);
      wp_array_clear (&tasks);
    }
  wp_array_clear (&order);
}

void
chain_run (const guint8 *data, gsize size, const char *folder, const ChainOptions *options, ChainResult *result)
{
  g_autofree char *path = g_build_filename (folder, "damaged.data", NULL);
  WpReadOptions reading = { .idle_task = options->idle_task };
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (GError) error = NULL;
  WpIdArray tasks = { 0 };

  *result = (ChainResult) { 0 };
  g_unlink (path); /* what is written over a longer file keeps that one's end */
  if (!g_file_set_contents_full (path, (const char *) data, size, G_FILE_SET_CONTENTS_NONE, 0600, &error))
    {
      wrong (result, "%s", error->message);
      return;
    }
  document = wp_document_open (path, &reading, NULL, &error);
  if (document == NULL)
    {
      if (strstr (error->message, path) == NULL)
        wrong (result, "a message that does not name the file: %s", error->message);
      return;
    }
  result->opened = TRUE;
  if (options->symbols)
    wp_read_symbols (document->trace, &reading, NULL, NULL);
  hold (result, "trace", wp_trace_check (document->trace));
  for (guint d = 0; d < WP_DIAG_COUNT; d++)
    result->diagnostics[d] = document->trace->diagnostics.n[d];
  result->found = wp_paths_find_tasks (document->trace, options->task, &tasks, NULL) && tasks.len > 0;
  if (result->found)
    explain (document->trace, &tasks, folder, TRUE, result);
  explain_others (document->trace, options, folder, result);
  wp_array_clear (&tasks);
}

void
chain_result_clear (ChainResult *self)
{
  g_clear_pointer (&self->wrong, g_free);
}
