/* Pictures of hand-built rows against reference pictures. Differences in how fonts are rendered are tolerated: a few
 * pixels may differ, most only a little, and never many that touch one another. Where more does, the picture and a map of the
 * differences are left in the folder for temporary files. WAKEPATH_UPDATE_GOLDEN=1 writes the references anew. */
#include "difference.h"
#include "paint/paint.h"
#include "profile/model/document.h"
#include "scenes.h"
#include "plots/plots.h"
#include "view/viewport.h"

#include <pango/pangocairo.h>

#define DIFFERENT 0.006 /* so great a share of the pixels may differ … */
#define REGION 60       /* … and so many that touch one another: those of a letter, not of a box's outline */
#define WIDTH 760
#define NAMES 120
#define AXIS 24
#define LEGEND 28
#define MINIMAP 40

static const char *folder;

typedef struct
{
  const char *name;
  WpRows *(*scene) (void);
  WpTheme theme;
  double row_height;
  double zoom, at;   /* at this pixel */
  gboolean selected, faded, marked;
} Case;

static const Case cases[] = {
  { "kinds-light", scene_kinds, WP_THEME_LIGHT, 22, 1, 0 },
  { "kinds-dark", scene_kinds, WP_THEME_DARK, 22, 1, 0 },
  { "kinds-light-contrast", scene_kinds, WP_THEME_LIGHT_CONTRAST, 22, 1, 0 },
  { "kinds-dark-contrast", scene_kinds, WP_THEME_DARK_CONTRAST, 22, 1, 0 },
  { "flame-light", scene_flame, WP_THEME_LIGHT, 22, 1, 0, .selected = TRUE },
  { "flame-dark", scene_flame, WP_THEME_DARK, 20, 1, 0, .marked = TRUE },
  { "flame-zoomed", scene_flame, WP_THEME_LIGHT, 22, 6, 400 },
  { "flame-faded", scene_flame, WP_THEME_LIGHT, 22, 1, 0, .faded = TRUE },
  { "consolidated", scene_consolidated, WP_THEME_LIGHT, 22, 1, 0 },
  { "dense", scene_dense, WP_THEME_LIGHT, 22, 1, 0 },
  { "shares", scene_shares, WP_THEME_LIGHT, 22, 1, 0 },
  { "shares-dark", scene_shares, WP_THEME_DARK, 22, 1, 0 },
  { "dense-zoomed", scene_dense, WP_THEME_DARK, 22, 60, 300 },
  { "diff-light", scene_diff, WP_THEME_LIGHT, 22, 1, 0 },
  { "diff-dark", scene_diff, WP_THEME_DARK, 22, 1, 0 },
  { "names", scene_names, WP_THEME_LIGHT, 22, 1, 0 },
};

static WpPainter *
painter_new (WpTheme theme)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("DejaVu Sans");
  WpPainter *painter;

  pango_context_set_font_description (context, font);
  pango_cairo_context_set_resolution (context, 96);
  painter = wp_painter_new (context, theme);
  pango_font_description_free (font);
  g_object_unref (context);
  return painter;
}

/* Everything the painter has, one below the other. */
static cairo_surface_t *
paint (const Case *c)
{
  g_autoptr (WpRows) rows = c->scene ();
  g_autoptr (WpPainter) painter = painter_new (c->theme);
  g_autofree guint8 *highlight = g_new0 (guint8, rows->boxes.len);
  WpViewport vp = { .width = WIDTH - NAMES, .row_height = c->row_height };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  double ground = c->theme == WP_THEME_DARK || c->theme == WP_THEME_DARK_CONTRAST ? 0.15 : 0.95;
  cairo_surface_t *surface;
  cairo_t *cr;

  wp_viewport_fit (&vp, rows);
  vp.height = wp_rows_y (rows, &vp, rows->rows.len);
  if (c->zoom != 1)
    wp_viewport_zoom (&vp, rows, c->zoom, c->at);
  if (c->selected)
    {
      state.selected = 4;
      state.hovered = 7;
    }
  for (guint32 i = 0; i < rows->boxes.len; i += 3)
    highlight[i] = 1;
  if (c->faded)
    state.highlight = highlight;
  if (c->marked)
    {
      state.mark_start = 3000000;
      state.mark_end = 5000000;
    }
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, (int) (AXIS + vp.height + LEGEND + MINIMAP));
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, ground, ground, ground);
  cairo_paint (cr);
  cairo_translate (cr, NAMES, 0);
  wp_painter_axis (painter, cr, rows, &vp, AXIS);
  cairo_translate (cr, 0, AXIS);
  wp_painter_boxes (painter, cr, rows, &vp, &state);
  cairo_translate (cr, -NAMES, 0);
  wp_painter_row_names (painter, cr, rows, &vp, NAMES);
  cairo_translate (cr, 0, vp.height);
  wp_painter_minimap (painter, cr, rows, &vp, WIDTH, MINIMAP);
  cairo_translate (cr, 0, MINIMAP);
  wp_painter_legend (painter, cr, rows, LEGEND);
  cairo_destroy (cr);
  return surface;
}

static void
leave (cairo_surface_t *surface, const char *name, const char *what)
{
  g_autofree char *file = g_strdup_printf ("wakepath-golden-%s-%s.png", name, what);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), file, NULL);

  cairo_surface_write_to_png (surface, path);
  g_test_message ("%s: %s", what, path);
}

/* Whether there is a reference of that size. */
static gboolean
has_reference (cairo_surface_t *expected, cairo_surface_t *actual)
{
  return cairo_surface_status (expected) == CAIRO_STATUS_SUCCESS
         && cairo_image_surface_get_width (actual) == cairo_image_surface_get_width (expected)
         && cairo_image_surface_get_height (actual) == cairo_image_surface_get_height (expected);
}

static void
compare (const char *name, cairo_surface_t *actual, cairo_surface_t *expected)
{
  cairo_surface_t *map = cairo_image_surface_create (CAIRO_FORMAT_RGB24, cairo_image_surface_get_width (actual),
                                                     cairo_image_surface_get_height (actual));
  Difference difference = picture_difference (actual, expected, map);

  g_test_message ("%s: %.3f %% of the pixels differ, at most %u that touch", name, difference.share * 100, difference.region);
  if (difference.share > DIFFERENT || difference.region > REGION)
    {
      leave (actual, name, "actual");
      leave (map, name, "difference");
      g_test_fail_printf ("%s differs from its reference", name);
    }
  cairo_surface_destroy (map);
}

/* Takes the picture. */
static void
check (const char *name, cairo_surface_t *actual)
{
  g_autofree char *file = g_strconcat (name, ".png", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  cairo_surface_t *expected;

  if (g_getenv ("WAKEPATH_UPDATE_GOLDEN") != NULL)
    g_assert_cmpint (cairo_surface_write_to_png (actual, path), ==, CAIRO_STATUS_SUCCESS);
  expected = cairo_image_surface_create_from_png (path);
  if (has_reference (expected, actual))
    compare (name, actual, expected);
  else
    {
      leave (actual, name, "actual");
      g_test_fail_printf ("%s is missing, or of another size; WAKEPATH_UPDATE_GOLDEN=1 writes it: look at it then", path);
    }
  cairo_surface_destroy (actual);
  cairo_surface_destroy (expected);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;

  check (c->name, paint (c));
}

static const struct
{
  const char *name;
  WpTheme theme;
  gint64 other_path; /* ns */
  WpCategory chosen;
} graphs[] = {
  { "cumulative-light", WP_THEME_LIGHT, 60, WP_CATEGORY_BLOCKING_IO },
  { "cumulative-dark", WP_THEME_DARK, 60, WP_CATEGORY_COUNT },
  { "cumulative-one-path", WP_THEME_LIGHT, 0, WP_CATEGORY_COUNT },
};

/* The graph of the explanation, twice: as wide as the panel, and in a very narrow one; on the theme's ground. */
static void
test_graph (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  WpExplanation explanation = { .ns = { [WP_CATEGORY_UNDERSTOOD] = 50, [WP_CATEGORY_BLOCKING_IO] = 25,
                                        [WP_CATEGORY_NOT_SAMPLED] = 3, [WP_CATEGORY_SCHEDULER] = 9,
                                        [WP_CATEGORY_TIMED_OUT] = 11, [WP_CATEGORY_UNACCOUNTED] = 2 } };
  g_autoptr (WpPainter) painter = painter_new (graphs[i].theme);
  double ground = graphs[i].theme == WP_THEME_DARK ? 0.15 : 0.95;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 340, 200);
  cairo_t *cr = cairo_create (surface);
  WpCumulative shares;

  explanation.ns[WP_CATEGORY_OTHER_PATH] = graphs[i].other_path;
  explanation.total = 100 + graphs[i].other_path;
  wp_cumulative_init (&shares, &explanation);
  cairo_set_source_rgb (cr, ground, ground, ground);
  cairo_paint (cr);
  cairo_translate (cr, 10, 6);
  wp_painter_cumulative (painter, cr, &shares, graphs[i].chosen, 320, 110);
  cairo_translate (cr, 0, 124);
  wp_painter_cumulative (painter, cr, &shares, graphs[i].chosen, 90, 60);
  cairo_destroy (cr);
  check (graphs[i].name, surface);
}

/* Views of real profiles of other collectors: charts, and the boxes of a heap map. */
static const struct
{
  const char *name, *file;
  WpPlot kind;
  WpTheme theme;
  WpPlotOptions options;
} views[] = {
  { "view-scatter", "models.perf", WP_PLOT_SCATTER, WP_THEME_LIGHT, { 0 } },
  { "view-bars-stacked", "memory.perf", WP_PLOT_BARS, WP_THEME_LIGHT, { .stacked = TRUE } },
  { "view-bars-grouped", "memory.perf", WP_PLOT_BARS, WP_THEME_DARK, { .per = "subtype", .by = "uid:function" } },
  { "view-flow", "memory.perf", WP_PLOT_FLOW, WP_THEME_DARK, { .stacked = TRUE, .accumulate = TRUE, .by = "uid:function" } },
  { "view-heat-map", "memory.perf", WP_PLOT_HEAT_MAP, WP_THEME_LIGHT_CONTRAST, { 0 } },
  { "view-heap-map", "memory.perf", WP_PLOT_HEAP_MAP, WP_THEME_LIGHT, { .snapshot = 190 } },
  { "view-flame", "memory.perf", WP_PLOT_FLAME, WP_THEME_LIGHT, { 0 } },
};

static void
paint_rows (cairo_t *cr, WpPainter *painter, const WpRows *rows, const WpPaintState *state)
{
  WpViewport vp = { .width = WIDTH - NAMES, .row_height = 22 };

  wp_viewport_fit (&vp, rows);
  vp.height = MAX (22, wp_rows_y (rows, &vp, rows->rows.len));
  cairo_translate (cr, NAMES, 0);
  wp_painter_axis (painter, cr, rows, &vp, AXIS);
  cairo_translate (cr, 0, AXIS);
  wp_painter_boxes (painter, cr, rows, &vp, state);
  cairo_translate (cr, -NAMES, 0);
  wp_painter_row_names (painter, cr, rows, &vp, NAMES);
}

static void
test_view (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *path = g_build_filename (folder, "..", "data", "kinds", views[i].file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpPlots) kinds = wp_plots_open (path, NULL, &error);
  g_autoptr (WpPlotPicture) picture = NULL;
  g_autoptr (WpPainter) painter = painter_new (views[i].theme);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, 420);
  cairo_t *cr = cairo_create (surface);
  WpChartView whole;

  g_assert_no_error (error);
  picture = wp_plots_draw (kinds, views[i].kind, &views[i].options, NULL, &error);
  g_assert_no_error (error);
  if (picture->chart != NULL)
    {
      whole = wp_chart_whole (picture->chart);
      wp_painter_chart (painter, cr, &(WpChartPlace) { picture->chart, &whole, WIDTH, 420 }, 2);
    }
  else
    paint_rows (cr, painter, picture->rows, NULL);
  cairo_destroy (cr);
  check (views[i].name, surface);
}

/* One process at each depth. */
static const struct
{
  const char *name;
  WpDepth depth;
  gboolean consolidated;
  WpTheme theme;
  int height;
  const char *scenario; /* NULL: fork-wait-file */
  WpColors colors;
  const char *hide; /* functions whose names match are hidden, charged to their callers; or NULL */
  gboolean folds;       /* boxes can be opened */
  gboolean legend;      /* also with another scenario */
} depths[] = {
  { "depth-waits", WP_DEPTH_WAITS, FALSE, WP_THEME_LIGHT, 240 },
  { "depth-waits-dark", WP_DEPTH_WAITS, FALSE, WP_THEME_DARK, 240 },
  { "depth-functions", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT, 400 },
  { "depth-everything", WP_DEPTH_ALL, FALSE, WP_THEME_LIGHT, 980 },
  { "depth-notches", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_DARK, 200, "at-least-here" },
  { "depth-waits-consolidated", WP_DEPTH_WAITS, TRUE, WP_THEME_LIGHT, 240 },
  { "depth-functions-consolidated", WP_DEPTH_FUNCTIONS, TRUE, WP_THEME_DARK, 400 },
  { "depth-functions-dark", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_DARK, 400 },
  { "depth-functions-contrast", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT_CONTRAST, 400 },
  { "depth-functions-dark-contrast", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_DARK_CONTRAST, 400 },
  { "hidden", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT, 400, .hide = "^(load|wait4)$" },
  { "hidden-consolidated", WP_DEPTH_ALL, TRUE, WP_THEME_DARK, 400, .hide = "schedule|^do_|entry_" },
  { "depth-functions-state", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT, 400, .colors = WP_COLORS_STATE },
  { "depth-functions-state-dark", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_DARK, 400, .colors = WP_COLORS_STATE },
  { "depth-waits-state-consolidated", WP_DEPTH_WAITS, TRUE, WP_THEME_LIGHT, 240, .colors = WP_COLORS_STATE },
  { "depth-functions-code", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT, 400, .colors = WP_COLORS_CODE },
  { "depth-everything-code-dark", WP_DEPTH_ALL, TRUE, WP_THEME_DARK, 640, .colors = WP_COLORS_CODE },
  { "depth-functions-module", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_LIGHT, 300, "modules", .colors = WP_COLORS_MODULE, .legend = TRUE },
  { "depth-everything-module-dark", WP_DEPTH_ALL, TRUE, WP_THEME_DARK, 640, .colors = WP_COLORS_MODULE },
  { "depth-functions-module-contrast", WP_DEPTH_FUNCTIONS, FALSE, WP_THEME_DARK_CONTRAST, 400, .colors = WP_COLORS_MODULE },
  { "depth-folds", WP_DEPTH_FUNCTIONS, TRUE, WP_THEME_LIGHT, 400, .folds = TRUE },
};

static WpRows *
rows_at (const WpPaths *paths, WpDepthChoice depth, gboolean consolidated)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  const WpTreeOptions options = { .depth = depth, .explanation = explanation };
  g_autoptr (WpTree) tree = wp_tree_new (paths, &options, NULL, NULL);
  WpModuleHues modules;
  WpBodies bodies;
  WpRows *rows;

  if (!consolidated)
    return wp_layout_flame (paths, explanation, depth, NULL, NULL);
  if (depth.by_module)
    {
      wp_module_hues_init (&modules, paths);
      rows = wp_layout_tree_by_module (tree, FALSE, &modules);
      wp_module_hues_clear (&modules);
      return rows;
    }
  wp_bodies_of_paths (&bodies, paths);
  rows = wp_layout_tree (tree, FALSE, &bodies);
  wp_bodies_clear (&bodies);
  return rows;
}

static void
test_depth (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *file = g_strconcat (depths[i].scenario != NULL ? depths[i].scenario : "fork-wait-file", ".trace", NULL);
  g_autofree char *path = g_build_filename (folder, "..", "scenarios", file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, &error);
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpRows) rows = NULL;
  g_autoptr (WpPainter) painter = painter_new (depths[i].theme);
  WpPaintState folds = { .selected = G_MAXUINT32, .hovered = G_MAXUINT32, .folds = TRUE, .fold_hovered = TRUE };
  double ground = depths[i].theme == WP_THEME_DARK || depths[i].theme == WP_THEME_DARK_CONTRAST ? 0.15 : 0.95;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, depths[i].height);
  cairo_t *cr = cairo_create (surface);
  g_auto (WpHideRules) rules = { 0 };
  WpIdArray tasks = { 0 };

  g_assert_no_error (error);
  g_assert_true (wp_paths_find_tasks (trace, "A", &tasks, NULL));
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  if (depths[i].hide != NULL)
    g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_MATCHING, depths[i].hide, NULL));
  rows = rows_at (paths, (WpDepthChoice) { .depth = depths[i].depth, .hide = &rules, .by_module = depths[i].colors == WP_COLORS_MODULE }, depths[i].consolidated);
  wp_painter_set_colors (painter, depths[i].colors);
  cairo_set_source_rgb (cr, ground, ground, ground);
  cairo_paint (cr);
  for (guint32 b = 0; b < rows->boxes.len && folds.hovered == G_MAXUINT32; b++)
    if (rows->boxes.data[b].hidden != 0)
      folds.hovered = b; /* its mark is pointed at */
  cairo_save (cr);
  paint_rows (cr, painter, rows, depths[i].folds ? &folds : NULL);
  cairo_restore (cr);
  if (depths[i].scenario == NULL || depths[i].legend)
    {
      cairo_translate (cr, 0, depths[i].height - wp_painter_legend_lines (painter, NULL, rows, WIDTH, LEGEND));
      wp_painter_legend_lines (painter, cr, rows, WIDTH, LEGEND);
    }
  cairo_destroy (cr);
  wp_array_clear (&tasks);
  check (depths[i].name, surface);
}

/* The wait chain: of a scenario, and of the sample recording, far away and near. */
static const struct
{
  const char *name, *file, *task;
  WpTheme theme;
  double zoom; /* about the middle */
  WpColors colors;
} strips[] = {
  { "strip-light", "tests/scenarios/fork-wait-file.trace", "A", WP_THEME_LIGHT, 1 },
  { "strip-dark", "tests/scenarios/fork-wait-file.trace", "A", WP_THEME_DARK, 1 },
  { "strip-sample", "data/sample.perf", NULL, WP_THEME_LIGHT, 1 },
  { "strip-sample-near", "data/sample.perf", NULL, WP_THEME_DARK_CONTRAST, 8 },
  { "strip-state", "tests/scenarios/fork-wait-file.trace", "A", WP_THEME_LIGHT, 1, WP_COLORS_STATE },
};

static WpPaths *
paths_of (const WpDocument *document, const char *task)
{
  WpIdArray tasks = { 0 };
  WpPaths *paths;

  g_assert_true (wp_paths_find_tasks (document->trace, task, &tasks, NULL));
  paths = wp_paths_new (document->trace, tasks.data, tasks.len, NULL, NULL, NULL);
  wp_array_clear (&tasks);
  return paths;
}

static void
test_strip (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *path = g_build_filename (folder, "..", "..", strips[i].file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, &error);
  g_autoptr (WpPaths) own = NULL;
  g_autoptr (WpExplanation) explanation = NULL;
  g_autoptr (WpRows) strip = NULL;
  g_autoptr (WpPainter) painter = painter_new (strips[i].theme);
  WpViewport vp = { .width = WIDTH - NAMES, .row_height = 22 };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  cairo_surface_t *surface;
  cairo_t *cr;

  g_assert_no_error (error);
  own = document->saved == NULL ? paths_of (document, strips[i].task) : NULL;
  explanation = wp_explain (own != NULL ? own : document->saved, 0, G_MAXINT64, NULL, NULL);
  strip = wp_layout_strip (own != NULL ? own : document->saved, explanation);
  wp_painter_set_colors (painter, strips[i].colors);
  wp_viewport_fit (&vp, strip);
  wp_viewport_zoom (&vp, strip, strips[i].zoom, vp.width / 2);
  state.hovered = 2;
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, AXIS + (int) wp_strip_height (strip));
  cr = cairo_create (surface);
  cairo_translate (cr, 0, AXIS);
  wp_painter_strip_names (painter, cr, strip, NAMES);
  cairo_translate (cr, NAMES, -AXIS);
  wp_painter_axis (painter, cr, strip, &vp, AXIS);
  cairo_translate (cr, 0, AXIS);
  wp_painter_strip (painter, cr, strip, &vp, &state);
  cairo_destroy (cr);
  check (strips[i].name, surface);
}

static const struct
{
  const char *name;
  WpTheme theme;
  double scale;
  guint32 selected; /* those around it keep their colours */
} diagrams[] = {
  { "diagram-light", WP_THEME_LIGHT, 1, WP_NO_NODE },
  { "diagram-dark", WP_THEME_DARK, 1, 3 },
  { "diagram-contrast", WP_THEME_LIGHT_CONTRAST, 1, 1 },
  { "diagram-far", WP_THEME_LIGHT, 0.2, WP_NO_NODE },
};

static void
test_diagram (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (WpDiagram) diagram = scene_diagram ();
  g_autoptr (WpPainter) painter = painter_new (diagrams[i].theme);
  g_autofree guint8 *near = g_new0 (guint8, diagram->nodes.len);
  WpDiagramState state = WP_DIAGRAM_STATE_DEFAULT;
  WpDiagramPlace place = { .scale = diagrams[i].scale, .width = 640, .height = 520 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 640, 520);
  cairo_t *cr = cairo_create (surface);

  wp_diagram_pan (diagram, &place, 0, 0);
  state.selected = diagrams[i].selected;
  if (state.selected != WP_NO_NODE)
    state.highlight = near;
  for (guint32 e = 0; e < diagram->edges.len; e++)
    near[diagram->edges.data[e].to] |= diagram->edges.data[e].from == state.selected || diagram->edges.data[e].to == state.selected;
  wp_painter_diagram (painter, cr, diagram, &place, &state);
  cairo_translate (cr, 500, 400);
  wp_painter_diagram_small (painter, cr, diagram, 130, 110);
  wp_painter_diagram_frame (painter, cr, diagram, &place, 130, 110);
  cairo_destroy (cr);
  check (diagrams[i].name, surface);
}

/* A box without its outline, or with another label's colour, is seen; a pixel here and there is not. */
static void
test_what_is_seen (void)
{
  cairo_surface_t *with = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, 420), *map, *without;
  cairo_t *cr = cairo_create (with);
  Difference difference;

  map = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, 420);
  without = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, 420);
  for (int i = 0; i < 20; i++)
    cairo_rectangle (cr, 30 * i, 15 * i, 1, 1);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_fill (cr);
  difference = picture_difference (with, without, map);
  g_assert_cmpuint (difference.region, ==, 1);
  g_assert_cmpfloat_with_epsilon (difference.share, 20.0 / (WIDTH * 420), 1e-9);
  cairo_rectangle (cr, 100.5, 300.5, 24, 22);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  difference = picture_difference (with, without, map);
  g_assert_cmpuint (difference.region, ==, 2 * 24 + 2 * 22);
  g_assert_cmpuint (difference.region, >, REGION);
  g_assert_cmpfloat (difference.share, <, DIFFERENT);
  cairo_destroy (cr);
  cairo_surface_destroy (with);
  cairo_surface_destroy (without);
  cairo_surface_destroy (map);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* all that differ are told */
  folder = argc > 1 ? argv[1] : ".";
  g_test_add_func ("/golden/what-is-seen", test_what_is_seen);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", cases[i].name, NULL);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", graphs[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_graph);
    }
  for (guint i = 0; i < G_N_ELEMENTS (diagrams); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", diagrams[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_diagram);
    }
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", depths[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_depth);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strips); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", strips[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_strip);
    }
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *name = g_strconcat ("/golden/", views[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_view);
    }
  return g_test_run ();
}
