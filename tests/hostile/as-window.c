/* Opens a file as the window does, without a display: the document and its first picture, symbols, the chosen process with all its
 * views both ways up, a range of it, a comparison with itself; of other profiles, each view. What is refused is said; the exit status
 * is 1 when the file itself was.
 *
 * as-window FILE [TASK] — TASK: as --task has it; else the task with most operations. */
#include "base/json-reader.h"
#include "plots/plots.h"
#include "profile/model/document.h"
#include "workspace/file/analysis.h"
#include "workspace/compare/compare-data.h"

#include <stdio.h>

static void
say (const char *what, GError **error)
{
  if (*error != NULL)
    fprintf (stderr, "%s: %s\n", what, (*error)->message);
  g_clear_error (error);
}

static int
open_kinds (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpPlots) kinds = wp_plots_open (path, NULL, &error);

  for (WpPlot k = 0; kinds != NULL && k < WP_PLOT_COUNT; k++)
    if (kinds->offered & 1u << k)
      {
        g_autoptr (WpPlotPicture) picture = wp_plots_draw (kinds, k, &WP_PLOT_OPTIONS_DEFAULT, NULL, &error);

        if (picture != NULL && picture->rows != NULL && picture->rows->boxes.len > 0)
          g_free (wp_plot_describe_box (picture->rows, picture->notes, 0, 40));
        say (wp_plot_id (k), &error);
      }
  say ("opening", &error);
  return kinds == NULL;
}

static void
lay_out_processes (const WpTrace *trace)
{
  for (guint sleeps = 0; sleeps < 2; sleeps++)
    {
      const WpProcessesOptions options = { .show_sleeps = sleeps, .sort = WP_SORT_RELATED };

      wp_rows_free (wp_layout_processes (trace, &options, NULL, NULL));
    }
}

static WpId
choose_task (const WpTrace *trace, const char *spec)
{
  WpIdArray tasks = { 0 };
  WpId best = 0;

  if (spec != NULL && wp_paths_find_tasks (trace, spec, &tasks, NULL) && tasks.len > 0)
    best = tasks.data[0];
  for (WpId t = 1; spec == NULL && t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && !(trace->tasks.data[t].flags & WP_TASK_IDLE)
        && (best == 0 || trace->tasks.data[t].n_ops > trace->tasks.data[best].n_ops))
      best = t;
  wp_array_clear (&tasks);
  return best;
}

static void
explain_range (WpAnalysis *whole)
{
  g_autoptr (GError) error = NULL;
  WpShared *shared = wp_shared_new (whole, wp_analysis_free);
  gint64 end = wp_analysis_trace (whole)->end;
  WpRangeRequest *request = wp_range_request_new (shared, (WpTreeOptions) { .from = end / 4, .to = end / 2 }, NULL, NULL, FALSE);
  gpointer range = wp_range_run (request, NULL, &error);

  say ("range", &error);
  if (range != NULL)
    wp_analysis_free (range);
  wp_range_request_free (request);
  wp_shared_unref (shared);
}

static void
analyse (WpShared *document, WpId task, gboolean inverted)
{
  g_autoptr (GError) error = NULL;
  WpAnalysisRequest *request = wp_analysis_request_new (document, task);
  WpAnalysis *analysis;

  request->tree.inverted = inverted;
  request->tree.depth.depth = inverted ? WP_DEPTH_ALL : WP_DEPTH_FUNCTIONS;
  request->options.started_work = inverted;
  analysis = wp_analysis_run (request, NULL, &error);
  say ("analysing", &error);
  wp_analysis_request_free (request);
  if (analysis != NULL)
    explain_range (analysis);
}

static void
compare (const char *path)
{
  const char *const files[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  WpCompareRequest *request = wp_compare_request_new (files, files, NULL, NULL, FALSE, WP_DEPTH_ALL, NULL, NULL);
  gpointer data = wp_compare_run (request, NULL, &error);

  say ("comparing", &error);
  if (data != NULL)
    wp_compare_data_free (data);
  wp_compare_request_free (request);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  WpDocument *document = argc >= 2 ? wp_document_open (argv[1], NULL, NULL, &error) : NULL;
  WpShared *shared;
  WpId task;

  if (g_error_matches (error, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
    return open_kinds (argv[1]);
  say ("opening", &error);
  if (document == NULL)
    return 1;
  shared = wp_shared_new (document, (GDestroyNotify) wp_document_free);
  lay_out_processes (document->trace);
  wp_read_symbols (document->trace, NULL, NULL, &error);
  say ("symbols", &error);
  task = choose_task (document->trace, argc > 2 ? argv[2] : NULL);
  for (guint inverted = 0; task != 0 && inverted < 2; inverted++)
    analyse (shared, task, inverted);
  wp_shared_unref (shared);
  compare (argv[1]);
  return 0;
}
