/* Profiles of any kind: each is asked, converted, drawn in every view, given models, checked, and compared with itself and with what
 * becomes of it. What a recording was saved as is explained, too. */
#include "pictures.h"
#include "traced.h"

#include "base/json-reader.h"
#include "plots/compare-grids.h"
#include "plots/plots.h"
#include "profile/checks/checks.h"
#include "profile/model/figures.h"
#include "profile/model/flame-lines.h"
#include "profile/model/profile-stacks.h"
#include "profile/model/scatter.h"
#include "profile/perun/perun.h"
#include "stacks/perun.h"
#include "stacks/proportion.h"
#include "view/layout.h"

#include <string.h>
#include <unistd.h>

static void
ignore (const char *text, gsize n, gpointer data)
{
  (void) text, (void) n, (void) data;
}

/* --- asking and converting -------------------------------------------------------------------------------------------- */

static void
ask (WpProfile *profile)
{
  static const char *const keys[] = { "uid", "uid:function", "trace::function", "amount", "", "::" };
  WpIdArray found = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      wp_query_unique_resource_values (profile, keys[i], &found);
      wp_query_unique_model_values (profile, keys[i], &found);
    }
  wp_query_fields (profile, FALSE, &found);
  wp_query_fields (profile, TRUE, &found);
  wp_array_clear (&found);
}

static void
convert (WpProfile *profile)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (profile, NULL, NULL);
  g_autoptr (WpHeapMap) heap = wp_heap_map_new (profile, NULL);
  g_autoptr (WpHeatMap) heat = wp_heat_map_new (profile, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  WpIdArray rows = { 0 };

  for (guint func = 0; table != NULL && func < WP_N_GROUP_FUNCS; func++)
    {
      WpBarArray bars = { 0 };

      wp_bars (table, func, "amount", "snapshots", "uid", &bars, NULL);
      wp_array_clear (&bars);
      wp_flow_free (wp_flow_new (table, func, "amount", "structure-unit-size", "uid", TRUE, NULL));
    }
  for (guint format = WP_RESOURCE_TABLE_CSV; table != NULL && format <= WP_RESOURCE_TABLE_JSON; format++)
    wp_resource_table_write (table, format, ignore, NULL);
  for (guint32 i = 0; heap != NULL && i < heap->snapshots.len && i < 100; i++)
    wp_heap_map_at (heap, i, &rows);
  for (guint32 i = 0; i < profile->resources.len; i++)
    for (guint order = WP_FLAME_AUTO; order <= WP_FLAME_UID_FIRST; order++)
      wp_flame_line (profile, i, order, lines);
  wp_array_clear (&rows);
}

/* Stacks in Perun's format are the same stacks when they are read again. */
static void
stack (const WpProfile *profile)
{
  g_autoptr (WpStacks) stacks = wp_profile_stacks (profile, NULL, NULL), again = NULL;
  g_autoptr (WpProfile) kept = NULL;
  g_autoptr (GString) text = NULL;

  if (stacks == NULL || !wp_stacks_check_proportion (stacks, WP_EACH_SAMPLE, NULL))
    return;
  text = wp_perun_text (stacks, "fuzz", NULL, NULL);
  kept = wp_profile_parse ("fuzz", text->str, text->len, NULL, NULL);
  g_assert_nonnull (kept);
  again = wp_profile_stacks (kept, NULL, NULL);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->n_samples, ==, stacks->n_samples);
  g_assert_cmpuint (again->types.len, ==, stacks->types.len);
}

static void
read_figures (const guint8 *data, gsize n)
{
  static const char *const texts[] = { "total", "wall", "accounted", "understood", "self:f", "total:f", "sum:amount", "mean:amount", "max:amount" };
  WpFigure figures[G_N_ELEMENTS (texts)];
  WpFigureValue values[G_N_ELEMENTS (texts)];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_true (wp_figure_parse (texts[i], &figures[i], NULL));
  for (guint whole = 0; whole < 2; whole++)
    wp_figures_read (figures, G_N_ELEMENTS (texts), NULL, "fuzz", (const char *) data, n, whole, values, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    wp_figure_clear (&figures[i]);
}

/* --- the views -------------------------------------------------------------------------------------------------------- */

/* A field of the profile; sometimes none, and the view takes its own. */
static const char *
field (GStrv fields, FuzzRandom *choice)
{
  guint n = g_strv_length (fields);

  return n == 0 || fuzz_one_in (choice, 3) ? NULL : fields[fuzz_below (choice, n)];
}

static void
show_grid (const WpGrid *grid, FuzzRandom *choice)
{
  guint32 n;
  g_autofree guint32 *order = wp_grid_order (grid, fuzz_one_in (choice, 2) ? "a" : NULL,
                                             fuzz_one_in (choice, 2) ? fuzz_below (choice, grid->columns.len) : G_MAXUINT32,
                                             fuzz_one_in (choice, 2), &n, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[WP_FORMAT_MAX];

  for (guint32 c = 0; c < grid->columns.len; c++)
    for (guint32 i = 0; i < n && i < 100; i++)
      wp_grid_shown (grid, c, order[i], buffer);
  wp_grid_write (grid, order, n, text);
  wp_grid_write_csv (grid, order, n, text);
}

static void
draw (WpPlots *kinds, WpPlot kind, FuzzRandom *choice)
{
  WpPlotOptions options = WP_PLOT_OPTIONS_DEFAULT;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpPlotPicture) picture = NULL;

  options.func = fuzz_below (choice, WP_N_GROUP_FUNCS);
  options.of = field (fuzz_one_in (choice, 4) ? kinds->fields : kinds->numeric, choice);
  options.per = field (kinds->fields, choice);
  options.by = field (kinds->fields, choice);
  options.stacked = fuzz_one_in (choice, 2);
  options.accumulate = fuzz_one_in (choice, 2);
  options.icicle = fuzz_one_in (choice, 2);
  options.inverted = fuzz_one_in (choice, 2);
  options.snapshot = fuzz_below (choice, kinds->n_snapshots + 2);
  options.mode = fuzz_below (choice, WP_N_ALLOCATIONS);
  picture = wp_plots_draw (kinds, kind, &options, NULL, &error);
  g_assert_true ((picture == NULL) == (error != NULL));
  if (picture == NULL)
    return;
  if (picture->rows != NULL)
    {
      fuzz_show_rows (picture->rows, choice);
      for (guint32 i = 0; i < picture->rows->boxes.len && i < 20; i++)
        g_free (wp_plot_describe_box (picture->rows, picture->notes, i, 5));
    }
  if (picture->chart != NULL)
    fuzz_show_chart (picture->chart, choice);
  if (picture->grid != NULL)
    show_grid (picture->grid, choice);
}

/* Takes the profile. */
static void
view (WpProfile *profile, FuzzRandom *choice)
{
  g_autoptr (WpPlots) kinds = wp_plots_new (profile, NULL, NULL);

  if (kinds == NULL)
    return;
  wp_plots_first (kinds);
  for (WpPlot kind = 0; kind < WP_PLOT_COUNT; kind++)
    {
      const char *along = wp_plot_along (kinds, kind);

      g_assert_true (along == NULL || *along != '\0' || g_strv_contains ((const char *const *) kinds->fields, along));
      draw (kinds, kind, choice);
    }
}

/* --- what becomes of it ----------------------------------------------------------------------------------------------- */

static void
check (WpProfile *a, WpProfile *b)
{
  for (WpCheck method = 0; method < WP_N_CHECKS; method++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) verdicts = wp_check_run (method, a, b, &error);
      g_autoptr (GString) records = g_string_new (NULL);

      g_assert_true ((verdicts == NULL) == (error != NULL));
      for (guint i = 0; verdicts != NULL && i < verdicts->len; i++)
        wp_verdict_record (verdicts->pdata[i], records);
    }
  wp_check_same_configuration (a, b);
}

static void
plot (const WpProfile *profile)
{
  for (guint32 i = 0; i < profile->models.len; i++)
    {
      double x[WP_MODEL_PLOT_POINTS], y[WP_MODEL_PLOT_POINTS];
      WpModel model;
      WpCurve curve;

      if (wp_model_read (profile, i, &model, NULL))
        wp_model_plot (&model, profile->values, WP_MODEL_PLOT_POINTS, x, y);
      wp_curve_read (profile, i, &curve);
    }
}

static void
change (WpProfile *profile, FuzzRandom *choice)
{
  WpClusters clusters = WP_CLUSTERS_DEFAULTS;
  WpRegression options = WP_REGRESSION_DEFAULTS;

  options.method = fuzz_below (choice, WP_N_REGRESSIONS);
  options.steps = 1 + fuzz_below (choice, 5);
  options.seed = fuzz_below (choice, 1000);
  wp_regression_analysis (&options, profile, NULL);
  plot (profile);
  clusters.strategy = fuzz_below (choice, 2);
  clusters.relative_width = fuzz_one_in (choice, 2);
  clusters.relative_height = fuzz_one_in (choice, 2);
  if (fuzz_one_in (choice, 2))
    clusters.width = clusters.height = 3;
  wp_postprocess_normalize (profile);
  wp_postprocess_filter (profile);
  wp_postprocess_clusters (profile, &clusters);
}

static void
compare (const char *a, const char *b, FuzzRandom *choice)
{
  const char *one[] = { a, NULL }, *other[] = { b, NULL };
  const WpCompareOptions options = { .files = { one, other }, .normalise = fuzz_one_in (choice, 2) };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpComparison) comparison = wp_compare (&options, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true ((comparison == NULL) == (error != NULL));
  for (guint format = 0; comparison != NULL && format < WP_COMPARE_FORMAT_COUNT; format++)
    wp_comparison_write (text, comparison, format, fuzz_below (choice, 2) * 0.1);
  for (guint width = 0; comparison != NULL && width <= WP_DIFF_VANISHED; width++)
    {
      g_autoptr (WpRows) rows = wp_layout_diff (comparison, width, fuzz_one_in (choice, 2));

      if (fuzz_one_in (choice, 3))
        fuzz_show_rows (rows, choice);
    }
}

/* Saved again and reopened it is the same. */
static void
save (WpProfile *profile, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpProfile) again = NULL;

  if (!wp_profile_save (profile, path, &error))
    return;
  again = wp_profile_load (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->resources.len, ==, profile->resources.len);
  g_assert_cmpuint (again->models.len, ==, profile->models.len);
}

static WpProfile *
load (const guint8 *data, gsize n)
{
  return wp_profile_parse ("fuzz", (const char *) data, n, NULL, NULL);
}

static void
use (WpProfile *profile, const guint8 *data, gsize n, FuzzRandom *choice)
{
  g_autofree char *path = fuzz_path ("changed.perf");
  g_autoptr (WpProfile) changed = load (data, n);
  char original[40];
  int fd = fuzz_open (data, n, original);

  ask (profile);
  convert (profile);
  stack (profile);
  check (profile, profile);
  g_array_unref (wp_scatter_new (profile, "amount", "structure-unit-size"));
  change (changed, choice);
  check (profile, changed);
  save (changed, path);
  compare (original, original, choice);
  compare (original, path, choice);
  close (fd);
}

static void
open_document (const guint8 *data, gsize n, FuzzRandom *choice)
{
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, NULL);

  if (document != NULL && document->saved != NULL)
    fuzz_explain_all (document, choice);
  close (fd);
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  WpProfile *profile = load (data, n);

  if (n > 0 && data[0] == '{')
    open_document (data, n, &choice);
  read_figures (data, n);
  if (profile == NULL)
    return FALSE;
  use (profile, data, n, &choice);
  view (profile, &choice);
  return TRUE;
}

/* Its JSON, all of it; as a profile; as a saved recording. */
static gboolean
parse (const guint8 *data, gsize n)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_new ("fuzz", (const char *) data, n, NULL);
  g_autoptr (WpProfile) profile = load (data, n);
  g_autoptr (WpTrace) trace = NULL;
  g_autoptr (WpPaths) paths = NULL;

  wp_json_reader_skip (reader);
  wp_json_reader_finish (reader, NULL);
  wp_perun_load_text ("fuzz", (const char *) data, n, &trace, &paths, NULL, NULL);
  return profile != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "profile",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_json },
  .splice = fuzz_splice_json,
  .shorten = fuzz_shorten_json,
};
