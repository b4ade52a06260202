/* CPU time of a frame at 1920 × 1080 and at 3840 × 2160 of both flame views of a process with 500,000 runs, at each depth: zooming in and out, and panning where
 * much is seen, as the canvas does it. Prints how long laying out took, and the median and the worst frame; the median of the smaller size must stay within
 * 16 ms. */
#include "figures.h"
#include "large-trace.h"
#include "measure.h"
#include "paint/paint.h"
#include "paths/tree.h"
#include "view/layout.h"
#include "view/viewport.h"

#define N_RUNS 500000
#define LIMIT_MS 16.0
#define WORST_MS 40.0
#define STEPS 60 /* of zooming, and as many of panning */

/* Goals of the larger one are twice as high. */
static const struct
{
  const char *name;
  double width, height, goal;
} screens[] = { { "", 1920, 1080, 1 }, { " at 3840 × 2160", 3840, 2160, 2 } };

static struct
{
  double median, pan_median, longest; /* the worst of all views, ms */
} worst[G_N_ELEMENTS (screens)];

static void
move (WpViewport *vp, const WpRows *rows, guint step)
{
  if (step < STEPS)
    wp_viewport_zoom (vp, rows, step < STEPS / 2 ? 1.5 : 1 / 1.5, 700);
  else if (step == STEPS)
    wp_viewport_zoom (vp, rows, 20, 700);
  else
    wp_viewport_pan (vp, rows, vp->width / 20.0, 0);
}

static void
measure_size (const WpRows *rows, guint size)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpPlate *plate = wp_plate_new ();
  WpViewport vp = { .width = screens[size].width, .height = screens[size].height, .row_height = 22 };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  double times[2 * STEPS], median, pan_median;

  state.folds = TRUE;
  wp_viewport_fit (&vp, rows);
  for (guint i = 0; i < 2 * STEPS; i++)
    {
      double before = wp_bench_cpu_ms ();

      wp_viewport_snap (&vp, rows);
      wp_plate_show (plate, painter, rows, &vp, &state, 1);
      times[i] = wp_bench_cpu_ms () - before;
      move (&vp, rows, i);
    }
  pan_median = wp_bench_median (times + STEPS, STEPS);
  median = wp_bench_median (times, 2 * STEPS);
  g_print ("    %.0f × %.0f: a frame: median %4.1f ms, worst %4.1f ms; while panning: median %4.1f ms\n", vp.width, vp.height, median, times[2 * STEPS - 1],
           pan_median);
  worst[size].median = MAX (worst[size].median, median);
  worst[size].pan_median = MAX (worst[size].pan_median, pan_median);
  worst[size].longest = MAX (worst[size].longest, times[2 * STEPS - 1]);
  wp_plate_free (plate);
}

static void
measure (const char *name, const WpRows *rows, double ready)
{
  g_print ("  %-24s %8u boxes, %3u rows, ready after %5.0f ms\n", name, rows->boxes.len, rows->rows.len, ready);
  for (guint size = 0; size < G_N_ELEMENTS (screens); size++)
    measure_size (rows, size);
}

static void
measure_depth (const WpPaths *paths, const WpExplanation *explanation, WpDepth depth)
{
  const WpTreeOptions options = { .depth = { .depth = depth }, .explanation = explanation };
  double begin = wp_bench_cpu_ms (), flame_ready;
  g_autoptr (WpRows) flame = wp_layout_flame (paths, explanation, options.depth, NULL, NULL), consolidated = NULL;
  g_autoptr (WpTree) tree = NULL;
  g_autofree char *of_flame = g_strdup_printf ("flame, %s", wp_depth_id (depth)), *of_tree = g_strdup_printf ("consolidated, %s", wp_depth_id (depth));

  flame_ready = wp_bench_cpu_ms ();
  measure (of_flame, flame, flame_ready - begin);
  begin = wp_bench_cpu_ms ();
  tree = wp_tree_new (paths, &options, NULL, NULL);
  consolidated = wp_layout_tree (tree, FALSE, NULL);
  measure (of_tree, consolidated, wp_bench_cpu_ms () - begin);
}

int
main (void)
{
  static const char *const names[LARGE_TRACE_COUNT] = { "client and server", "pool of 128 threads", "tree of forks" };

  for (LargeTrace kind = 0; kind < LARGE_TRACE_COUNT; kind++)
    {
      WpTrace *trace = large_trace_new (kind, N_RUNS);
      WpIdArray tasks = { 0 };
      g_autoptr (WpPaths) paths = NULL;
      g_autoptr (WpExplanation) explanation = NULL;

      wp_paths_process_of (trace, 1, &tasks);
      paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
      explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      g_print ("%s\n", names[kind]);
      for (WpDepth depth = 0; depth < WP_DEPTH_COUNT; depth++)
        measure_depth (paths, explanation, depth);
      wp_array_clear (&tasks);
      g_clear_pointer (&paths, wp_paths_free);
      wp_trace_free (trace);
    }
  for (guint size = 0; size < G_N_ELEMENTS (screens); size++)
    {
      g_autofree char *median = g_strdup_printf ("flame views at each depth%s: worst median of frames", screens[size].name);
      g_autofree char *pan_median = g_strdup_printf ("flame views at each depth%s: worst median of frames while panning", screens[size].name);
      g_autofree char *longest = g_strdup_printf ("flame views at each depth%s: worst frame", screens[size].name);

      wp_bench_figure (median, worst[size].median, "ms", LIMIT_MS * screens[size].goal);
      wp_bench_figure (pan_median, worst[size].pan_median, "ms", LIMIT_MS * screens[size].goal);
      wp_bench_figure (longest, worst[size].longest, "ms", WORST_MS * screens[size].goal);
    }
  g_print ("worst median: %.1f ms of at most %.0f\n", worst[0].median, LIMIT_MS);
  return worst[0].median > LIMIT_MS;
}
