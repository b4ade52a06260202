/* Views of profiles that explain no process: which suit a real memory profile and a real one with models, and what they show.
 * usage: test-plots FOLDER, that of memory.perf and models.perf. */
#include "plots/plots.h"

#include <glib/gstdio.h>
#include <math.h>

static const char *folder;

static WpPlots *
open_kinds (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  WpPlots *kinds = wp_plots_open (path, NULL, &error);

  g_assert_no_error (error);
  return kinds;
}

static WpPlotPicture *
draw (WpPlots *kinds, WpPlot kind, WpPlotOptions options)
{
  g_autoptr (GError) error = NULL;
  WpPlotPicture *picture = wp_plots_draw (kinds, kind, &options, NULL, &error);

  g_assert_no_error (error);
  return picture;
}

static void
test_offered (void)
{
  g_autoptr (WpPlots) memory = open_kinds ("memory.perf"), models = open_kinds ("models.perf");
  guint any = 1u << WP_PLOT_BARS | 1u << WP_PLOT_FLOW | 1u << WP_PLOT_RESOURCES | 1u << WP_PLOT_RAW;
  g_autoptr (GError) error = NULL;
  WpPlotOptions options = WP_PLOT_OPTIONS_DEFAULT;
  WpPlot kind;

  g_assert_cmphex (memory->offered, ==, any | 1u << WP_PLOT_FLAME | 1u << WP_PLOT_HEAP_MAP | 1u << WP_PLOT_HEAT_MAP | 1u << WP_PLOT_ALLOCATIONS);
  g_assert_cmphex (models->offered, ==, any | 1u << WP_PLOT_SCATTER | 1u << WP_PLOT_MODELS);
  g_assert_cmpint (wp_plots_first (memory), ==, WP_PLOT_HEAP_MAP);
  g_assert_cmpint (wp_plots_first (models), ==, WP_PLOT_SCATTER);
  g_assert_true (wp_plot_find ("heat-map", &kind) && kind == WP_PLOT_HEAT_MAP);
  g_assert_false (wp_plot_find ("heatmap", &kind));
  g_assert_null (wp_plots_draw (models, WP_PLOT_HEAP_MAP, &options, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* Each view fills the member of its picture that its row says, and no other. */
static void
test_shows (void)
{
  g_autoptr (WpPlots) memory = open_kinds ("memory.perf"), models = open_kinds ("models.perf");

  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    {
      WpPlots *kinds = memory->offered & 1u << k ? memory : models;
      g_autoptr (WpPlotPicture) picture = draw (kinds, (WpPlot) k, WP_PLOT_OPTIONS_DEFAULT);
      const void *shown[WP_N_SHOWS] = { [WP_SHOWS_ROWS] = picture->rows, [WP_SHOWS_CHART] = picture->chart,
                                        [WP_SHOWS_GRID] = picture->grid, [WP_SHOWS_TEXT] = picture->text };

      for (guint s = 0; s < WP_N_SHOWS; s++)
        g_assert_true ((shown[s] != NULL) == (s == wp_plot_shows ((WpPlot) k)));
    }
}

static WpPlots *
parse_kinds (const char *text)
{
  g_autoptr (GError) error = NULL;
  WpProfile *profile = wp_profile_parse ("text", text, strlen (text), NULL, &error);
  WpPlots *kinds = profile != NULL ? wp_plots_new (profile, NULL, &error) : NULL;

  g_assert_no_error (error);
  return kinds;
}

/* What is allocated at an address: its size, its kind, how long it lives and where it comes from. */
static void
test_notes (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("memory.perf");
  g_autoptr (WpPlotPicture) one = draw (kinds, WP_PLOT_HEAP_MAP, (WpPlotOptions) { .snapshot = 157 });
  guint32 box = one->rows->rows.data[1].first;
  g_autofree char *text = wp_plot_describe_box (one->rows, one->notes, box, G_MAXUINT);
  g_autofree char *brief = wp_plot_describe_box (one->rows, one->notes, box, 1);

  g_assert_true (g_str_has_prefix (text, "foo2:31\n0x"));
  g_assert_nonnull (strstr (text, " B · "));
  g_assert_nonnull (strstr (text, "alloc\nallocated in snapshot "));
  g_assert_nonnull (strstr (text, "\nfoo2  test.c:31\n"));
  g_assert_nonnull (strstr (text, "\nmain  test.c:"));
  g_assert_true (g_str_has_suffix (brief, "\n…"));
  g_assert_null (strstr (brief, "main"));
}

/* More allocations than boxes: each snapshot still shows where something is, and says how much it leaves out. */
static void
test_crowded (void)
{
  GString *text = g_string_new ("{\"header\": {\"type\": \"memory\", \"units\": {\"memory\": \"B\"}}, \"snapshots\": [");
  g_autoptr (WpPlots) kinds = NULL;
  g_autoptr (WpPlotPicture) all = NULL;
  guint64 seen = 0;

  for (guint s = 0; s < 300; s++)
    {
      g_string_append_printf (text, "%s{\"time\": \"%u\", \"resources\": [", s > 0 ? ", " : "", s);
      for (guint i = 0; i < 60; i++)
        g_string_append_printf (text, "%s{\"type\": \"memory\", \"subtype\": \"malloc\", \"address\": %u, \"amount\": 16, "
                                      "\"uid\": \"f\"}", i > 0 ? ", " : "", 65536 + (s * 60 + i) * 16);
      g_string_append (text, "]}");
    }
  g_string_append (text, "]}");
  kinds = parse_kinds (text->str);
  all = draw (kinds, WP_PLOT_HEAP_MAP, (WpPlotOptions) { 0 });
  g_assert_cmpuint (all->rows->rows.len, ==, 300);
  g_assert_cmpuint (all->rows->boxes.len, <=, 2000000);
  for (guint32 b = 0; b < all->rows->rows.data[299].n; b++)
    {
      const WpBox *box = &all->rows->boxes.data[all->rows->rows.data[299].first + b];

      seen += 1 + all->notes->notes.data[box->ref].more;
    }
  g_assert_cmpuint (seen, ==, 300 * 60); /* all of them, in fewer boxes */
  g_assert_cmpuint (all->rows->rows.data[299].n, <, 300 * 60);
  g_string_free (text, TRUE);
}

/* Each row of the list has its trace; commas and quotes are quoted in CSV. */
static void
test_traces (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("memory.perf");
  g_autoptr (WpPlotPicture) list = draw (kinds, WP_PLOT_ALLOCATIONS, (WpPlotOptions) { 0 });
  g_autoptr (WpGrid) grid = wp_grid_new (1);
  g_autoptr (GString) csv = g_string_new (NULL);

  for (guint32 i = 0; i < list->grid->n_rows; i++)
    g_assert_nonnull (strstr (wp_strings_get (list->grid->strings, list->grid->details[i]), "main"));
  g_assert_cmpstr (wp_strings_get (list->grid->strings, list->grid->columns.data[3].name), ==, "Amount (B)");
  wp_grid_add (grid, "a");
  wp_grid_add (grid, "b,c");
  wp_grid_set_text (grid, 0, 0, "f(int, char)");
  wp_grid_set_text (grid, 1, 0, "say \"x\"");
  wp_grid_write_csv (grid, (const guint32[]) { 0 }, 1, csv);
  g_assert_cmpstr (csv->str, ==, "a,\"b,c\"\r\n\"f(int, char)\",\"say \"\"x\"\"\"\r\n");
}

/* Models are made, seen and kept in the file. */
static void
test_postprocess (void)
{
  g_autoptr (WpPlots) kinds = NULL, again = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wakepath-test-plots.perf", NULL);
  GString *text = g_string_new ("{\"header\": {\"type\": \"mixed\", \"units\": {\"mixed(time delta)\": \"us\"}}, \"global\": {\"resources\": [");
  WpPostprocess what = { WP_POSTPROCESS_REGRESSION, WP_REGRESSION_DEFAULTS, WP_CLUSTERS_DEFAULTS };
  g_autoptr (GError) error = NULL;
  guint32 skipped, lines = 0;

  for (guint i = 1; i <= 20; i++)
    g_string_append_printf (text, "%s{\"type\": \"mixed\", \"subtype\": \"time delta\", \"uid\": \"f\", \"amount\": %u, "
                                  "\"structure-unit-size\": %u}", i > 1 ? ", " : "", 3 * i + 2, i);
  g_string_append (text, "]}}");
  kinds = parse_kinds (text->str);
  g_assert_cmphex (kinds->offered & 1u << WP_PLOT_MODELS, ==, 0);
  g_assert_true (wp_plots_postprocess (kinds, &what, &skipped, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmphex (kinds->offered & 1u << WP_PLOT_MODELS, !=, 0);
  g_assert_true (wp_profile_save (kinds->profile, path, &error));
  again = wp_plots_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->profile->models.len, ==, 6);
  {
    g_autoptr (WpPlotPicture) picture = draw (again, WP_PLOT_SCATTER, WP_PLOT_OPTIONS_DEFAULT);

    for (guint32 s = 0; s < picture->chart->series.len; s++)
      lines += picture->chart->series.data[s].kind == WP_SERIES_LINE;
  }
  g_assert_cmpuint (lines, ==, 6);
  what.regression.per = "nothing";
  g_assert_false (wp_plots_postprocess (again, &what, &skipped, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_cmpuint (again->profile->postprocessors.len, ==, 1);
  what.which = WP_POSTPROCESS_NORMALIZER;
  g_clear_error (&error);
  g_assert_true (wp_plots_postprocess (again, &what, &skipped, NULL, &error));
  g_assert_cmpint (again->unit, ==, WP_UNIT_PLAIN);
  g_unlink (path);
  g_string_free (text, TRUE);
}

/* Models without a formula are drawn, too: means of buckets as steps, values at the points themselves. */
static void
test_curves (void)
{
  g_autoptr (WpPlots) kinds = parse_kinds (
    "{\"header\": {\"type\": \"mixed\", \"units\": {\"mixed(time delta)\": \"ns\"}}, \"global\": {\"resources\": ["
    "{\"type\": \"mixed\", \"uid\": \"f\", \"amount\": 1, \"structure-unit-size\": 0},"
    "{\"type\": \"mixed\", \"uid\": \"f\", \"amount\": 2, \"structure-unit-size\": 1},"
    "{\"type\": \"mixed\", \"uid\": \"f\", \"amount\": 9, \"structure-unit-size\": 4}], \"models\": ["
    "{\"uid\": \"f\", \"method\": \"regressogram\", \"r_square\": 1, \"x_interval_start\": 0, \"x_interval_end\": 4, \"bucket_stats\": [1.5, 9]},"
    "{\"uid\": \"f\", \"model\": \"moving_average\", \"r_square\": 1, \"x_start\": 0, \"x_end\": 4, \"bucket_stats\": [1, 2, 9]}]}}");
  g_autoptr (WpPlotPicture) picture = draw (kinds, WP_PLOT_SCATTER, WP_PLOT_OPTIONS_DEFAULT);
  const WpChart *chart = picture->chart;

  g_assert_cmpuint (chart->series.len, ==, 3);
  g_assert_cmpuint (chart->series.data[1].n, ==, 4); /* two steps */
  g_assert_cmpfloat (chart->points.data[chart->series.data[1].first + 2].x0, ==, 2);
  g_assert_cmpuint (chart->series.data[2].n, ==, 3);
  g_assert_cmpfloat (chart->points.data[chart->series.data[2].first + 1].x0, ==, 1);
  g_assert_cmpfloat (chart->points.data[chart->series.data[2].first + 2].x0, ==, 4);
}

/* f0 has least, f<n - 1> most of everything, at each of three sizes. */
static WpPlots *
many_functions (guint n)
{
  GString *text = g_string_new ("{\"header\": {\"type\": \"mixed\", \"units\": {\"mixed(time delta)\": \"us\"}}, \"global\": {\"resources\": [");
  WpPlots *kinds;

  for (guint i = 0; i < 3 * n; i++)
    g_string_append_printf (text, "%s{\"type\": \"mixed\", \"uid\": \"f%u\", \"amount\": %u, \"structure-unit-size\": %u}",
                            i > 0 ? ", " : "", i / 3, i / 3 + 1, i % 3);
  g_string_append (text, "]}}");
  kinds = parse_kinds (text->str);
  g_string_free (text, TRUE);
  return kinds;
}

static double
sum_of (const WpChart *chart, guint32 series)
{
  double sum = 0;

  for (guint32 i = 0; i < chart->series.data[series].n; i++)
    sum += chart->points.data[chart->series.data[series].first + i].value;
  return sum;
}

/* More functions than colours: the lightest are one, which comes last. */
static void
test_others (void)
{
  g_autoptr (WpPlots) eight = many_functions (8), nine = many_functions (9);
  g_autoptr (WpPlotPicture) all = draw (eight, WP_PLOT_BARS, (WpPlotOptions) { .per = "structure-unit-size", .stacked = TRUE });
  g_autoptr (WpPlotPicture) bars = draw (nine, WP_PLOT_BARS, (WpPlotOptions) { .per = "structure-unit-size", .stacked = TRUE });
  g_autoptr (WpPlotPicture) means = draw (nine, WP_PLOT_BARS, (WpPlotOptions) { .per = "structure-unit-size", .func = WP_GROUP_MEAN });
  g_autoptr (WpPlotPicture) flow = draw (nine, WP_PLOT_FLOW, (WpPlotOptions) { .stacked = TRUE });

  g_assert_cmpuint (all->chart->series.len, ==, 8);
  g_assert_cmpstr (wp_chart_string (all->chart, all->chart->series.data[0].name), ==, "f0");
  for (guint i = 0; i < 2; i++)
    {
      const WpChart *chart = i == 0 ? bars->chart : flow->chart;

      g_assert_cmpuint (chart->series.len, ==, 8);
      g_assert_cmpstr (wp_chart_string (chart, chart->series.data[0].name), ==, "f2");
      g_assert_cmpstr (wp_chart_string (chart, chart->series.data[7].name), ==, "2 others");
      g_assert_cmpuint (chart->series.data[7].color, ==, 7);
    }
  g_assert_cmpfloat (sum_of (bars->chart, 7), ==, 3 * (1 + 2) * 1000.); /* µs as ns */
  g_assert_cmpfloat (sum_of (means->chart, 7), ==, 3 * 1.5 * 1000.); /* of what they have, not of their means */
}

static guint
color_of (const WpChart *chart, const char *name)
{
  for (guint32 s = 0; s < chart->series.len; s++)
    if (g_str_equal (wp_chart_string (chart, chart->series.data[s].name), name))
      return chart->series.data[s].color;
  g_assert_not_reached ();
}

/* A function has one colour in all charts: by where it appears first in the profile, in whatever order a chart comes to it. */
static void
test_colors (void)
{
  static const WpPlot charts[] = { WP_PLOT_SCATTER, WP_PLOT_BARS, WP_PLOT_FLOW };
  g_autoptr (WpPlots) kinds = parse_kinds (
    "{\"header\": {\"type\": \"mixed\", \"units\": {\"mixed(time delta)\": \"ns\"}}, \"global\": {\"resources\": ["
    "{\"type\": \"mixed\", \"uid\": \"z\", \"amount\": 1, \"structure-unit-size\": 2},"
    "{\"type\": \"mixed\", \"uid\": \"m\", \"amount\": 2, \"structure-unit-size\": 1},"
    "{\"type\": \"mixed\", \"uid\": \"a\", \"amount\": 9, \"structure-unit-size\": 0}]}}");

  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (WpPlotPicture) picture = draw (kinds, charts[i], (WpPlotOptions) { .per = "structure-unit-size" });

      g_assert_cmpuint (color_of (picture->chart, "z"), ==, 0);
      g_assert_cmpuint (color_of (picture->chart, "m"), ==, 1);
      g_assert_cmpuint (color_of (picture->chart, "a"), ==, 2);
    }
}

/* A bar each, all of one colour; what stands for the others is the last. */
static void
test_many_bars (void)
{
  g_autoptr (WpPlots) nine = many_functions (9), fifty = many_functions (50);
  g_autoptr (WpPlotPicture) few = draw (nine, WP_PLOT_BARS, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) many = draw (fifty, WP_PLOT_BARS, (WpPlotOptions) { .stacked = FALSE });
  const WpChart *chart = many->chart;
  g_autofree char *says = wp_chart_describe (few->chart, 1);

  g_assert_cmpuint (few->chart->series.len, ==, 1);
  g_assert_cmpuint (few->chart->categories.len, ==, 9);
  g_assert_cmpstr (says, ==, "uid: f1\nsum of amount: 6.00 µs");
  g_assert_cmpuint (chart->categories.len, ==, 41);
  g_assert_cmpstr (wp_chart_string (chart, chart->categories.data[40]), ==, "10 others");
  g_assert_cmpuint (chart->series.len, ==, 2);
  g_assert_cmpuint (chart->series.data[1].n, ==, 1);
  g_assert_cmpfloat_with_epsilon (chart->points.data[chart->series.data[1].first].x0, 39.6, 1e-9);
  g_assert_cmpfloat (sum_of (chart, 1), ==, 3 * 55 * 1000.);
}

/* What is seen of models, and of amounts with their unit. */
static void
test_tables (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("models.perf");
  g_autoptr (WpPlotPicture) models = draw (kinds, WP_PLOT_MODELS, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) resources = draw (kinds, WP_PLOT_RESOURCES, WP_PLOT_OPTIONS_DEFAULT);
  const WpGrid *grid = models->grid;
  char buffer[WP_FORMAT_MAX];

  g_assert_cmpuint (grid->n_rows, ==, 10);
  g_assert_cmpstr (wp_strings_get (grid->strings, grid->columns.data[2].name), ==, "r²");
  g_assert_cmpstr (wp_grid_text (grid, 2, 0), ==, "0.17966835944667436");
  g_assert_cmpstr (wp_grid_shown (grid, 2, 0, buffer), ==, "0.180");
  g_assert_cmpuint (strlen (wp_grid_shown (grid, 6, 0, buffer)), <=, 8); /* b0 */
  grid = resources->grid;
  g_assert_cmpstr (wp_strings_get (grid->strings, grid->columns.data[1].name), ==, "amount (ms)");
}

/* A heat map has room for a million bytes: what lies above is told of. */
static void
test_far_apart (void)
{
  g_autoptr (WpPlots) kinds = parse_kinds (
    "{\"header\": {\"type\": \"memory\", \"units\": {\"memory\": \"B\"}}, \"snapshots\": [{\"time\": \"0.1\", \"resources\": ["
    "{\"type\": \"memory\", \"subtype\": \"malloc\", \"address\": 4096, \"amount\": 64, \"uid\": \"f\"},"
    "{\"type\": \"memory\", \"subtype\": \"malloc\", \"address\": 93824992235520, \"amount\": 64, \"uid\": \"g\"}]}]}");
  g_autoptr (WpPlots) near = open_kinds ("memory.perf");
  g_autoptr (WpPlotPicture) map = draw (kinds, WP_PLOT_HEAT_MAP, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) whole = draw (near, WP_PLOT_HEAT_MAP, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) two = draw (kinds, WP_PLOT_BARS, WP_PLOT_OPTIONS_DEFAULT);
  g_autofree char *says = wp_chart_describe (whole->chart, 0);

  g_assert_true (g_str_has_prefix (says, "0x1d29250 – 0x1d29251\n"));
  g_assert_cmpstr (wp_chart_string (map->chart, map->chart->title), ==, "How often each address below 0xf5240 was allocated or freed");
  g_assert_null (strstr (wp_chart_string (whole->chart, whole->chart->title), "below"));
  g_assert_cmpfloat (two->chart->x1 - two->chart->x0, ==, 6); /* two bars are no wider than six were */
  g_assert_cmpfloat (two->chart->x1 + two->chart->x0, ==, 1);
}

static void
test_empty (void)
{
  static const char text[] = "{\"header\": {\"type\": \"time\", \"units\": {\"time\": \"s\"}}, \"global\": {\"resources\": []}}";
  g_autoptr (GError) error = NULL;
  WpProfile *profile = wp_profile_parse ("empty", text, strlen (text), NULL, &error);
  g_autoptr (WpPlots) kinds = profile != NULL ? wp_plots_new (profile, NULL, &error) : NULL;

  g_assert_no_error (error);
  g_assert_cmphex (kinds->offered, ==, 1u << WP_PLOT_RAW);
  g_assert_cmpint (wp_plots_first (kinds), ==, WP_PLOT_RAW);
}

/* One snapshot: everything on top, then a row for each place, the largest first, which together are everything. */
static void
test_heap_map (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("memory.perf");
  g_autoptr (WpPlotPicture) all = draw (kinds, WP_PLOT_HEAP_MAP, (WpPlotOptions) { 0 });
  g_autoptr (WpPlotPicture) one = draw (kinds, WP_PLOT_HEAP_MAP, (WpPlotOptions) { .snapshot = 157 });
  gint64 sum[2] = { 0 };

  g_assert_cmpuint (all->rows->rows.len, ==, 266);
  g_assert_cmpint (all->rows->start % 64, ==, 0);
  g_assert_cmpint (all->rows->start, <=, 30577232);
  g_assert_cmpint (one->rows->start, ==, all->rows->start);
  g_assert_cmpint (one->rows->end, ==, all->rows->end);
  g_assert_cmpint (one->rows->x_unit, ==, WP_UNIT_ADDRESS);
  g_assert_cmpuint (one->rows->rows.len, ==, 5);
  g_assert_cmpstr (wp_rows_string (one->rows, one->rows->rows.data[0].label), ==, "All  36 B");
  g_assert_cmpstr (wp_rows_string (one->rows, one->rows->rows.data[1].label), ==, "foo2:31  16 B");
  for (guint32 r = 0; r < one->rows->rows.len; r++)
    for (guint32 b = 0; b < one->rows->rows.data[r].n; b++)
      {
        const WpBox *box = &one->rows->boxes.data[one->rows->rows.data[r].first + b];

        sum[r > 0] += box->end - box->start;
      }
  g_assert_cmpint (sum[1], ==, 36);
  g_assert_cmpuint (one->peak, ==, all->peak);
  g_assert_cmpint (kinds->heap->snapshots.data[all->peak - 1].sum_amount, ==, kinds->heap->max_sum_amount);
  for (guint s = 0; s + 1 < all->peak; s++)
    g_assert_cmpint (kinds->heap->snapshots.data[s].sum_amount, <, kinds->heap->max_sum_amount);
}

/* The flow is the running sum, last point included: 132 bytes were allocated in all; so wide is the flame graph, too. */
static void
test_sums (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("memory.perf");
  g_autoptr (WpPlotPicture) flow = draw (kinds, WP_PLOT_FLOW, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) bars = draw (kinds, WP_PLOT_BARS, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) flame = draw (kinds, WP_PLOT_FLAME, WP_PLOT_OPTIONS_DEFAULT);
  g_autoptr (WpPlotPicture) inverted = draw (kinds, WP_PLOT_FLAME, (WpPlotOptions) { .inverted = TRUE });
  double last = 0, sum = 0, top = 0;

  for (guint32 i = 0; i < flow->chart->points.len; i++)
    {
      top = MAX (top, flow->chart->points.data[i].y1);
      if (flow->chart->points.data[i].x1 == 267)
        last += flow->chart->points.data[i].value;
    }
  for (guint32 i = 0; i < bars->chart->points.len; i++)
    sum += bars->chart->points.data[i].value;
  g_assert_cmpfloat (last, ==, 132);
  g_assert_cmpfloat (top, ==, 132);
  g_assert_cmpfloat (sum, ==, 132);
  g_assert_cmpint (flame->rows->end - flame->rows->start, ==, 132);
  g_assert_cmpint (inverted->rows->end, ==, flame->rows->end);
  g_assert_cmpint (flame->rows->x_unit, ==, WP_UNIT_BYTES);
}

static void
test_scatter (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("models.perf");
  g_autoptr (WpPlotPicture) picture = draw (kinds, WP_PLOT_SCATTER, WP_PLOT_OPTIONS_DEFAULT);
  const WpChart *chart = picture->chart;
  guint points = 0, lines = 0;

  for (guint32 s = 0; s < chart->series.len; s++)
    {
      const WpChartSeries *series = &chart->series.data[s];

      if (series->kind == WP_SERIES_POINTS)
        points += series->n;
      else
        {
          lines++;
          g_assert_cmpuint (series->n, ==, 51);
          /* a model has the colour of the points of exactly its uid */
          g_assert_true (g_str_has_prefix (wp_chart_string (chart, series->name), wp_chart_string (chart, chart->series.data[series->color].name)));
        }
    }
  g_assert_cmpuint (points, ==, 26);
  g_assert_cmpuint (lines, ==, 10);
  g_assert_cmpint (chart->y.unit, ==, WP_UNIT_TIME); /* ms, painted as a time */
}

static void
test_allocations (void)
{
  g_autoptr (WpPlots) kinds = open_kinds ("memory.perf");
  static const struct
  {
    WpAllocationsMode mode;
    const char *of;
    guint rows;
    guint column;
    const char *first;
  } cases[] = {
    { WP_ALLOCATIONS_ALL, NULL, 20, 4, "main" },  { WP_ALLOCATIONS_TOP, NULL, 20, 3, "20" },
    { WP_ALLOCATIONS_MOST, NULL, 4, 0, "main" },  { WP_ALLOCATIONS_SUM, NULL, 4, 3, "56" },
    { WP_ALLOCATIONS_FUNC, "factorial", 4, 4, "factorial" }, { WP_ALLOCATIONS_FUNC, "nobody", 0, 0, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpPlotPicture) picture = draw (kinds, WP_PLOT_ALLOCATIONS, (WpPlotOptions) { .mode = cases[i].mode, .of = cases[i].of });

      g_assert_cmpuint (picture->grid->n_rows, ==, cases[i].rows);
      if (cases[i].first != NULL)
        g_assert_cmpstr (wp_grid_text (picture->grid, cases[i].column, 0), ==, cases[i].first);
    }
}

/* --- the grid -------------------------------------------------------------------------------------------------------- */

static WpGrid *
small_grid (void)
{
  static const char *const names[] = { "beta", "Alpha", "", "gamma" };
  static const double numbers[] = { 10, 9, NAN, -3 };
  WpGrid *grid = wp_grid_new (4);

  wp_grid_add (grid, "name");
  wp_grid_add (grid, "n");
  for (guint32 i = 0; i < 4; i++)
    {
      g_autofree char *text = isnan (numbers[i]) ? g_strdup ("") : g_strdup_printf ("%g", numbers[i]);

      wp_grid_set_text (grid, 0, i, names[i]);
      wp_grid_set_number (grid, 1, i, numbers[i], text);
    }
  return grid;
}

static void
check_order (const WpGrid *grid, const char *filter, guint32 column, gboolean descending, const char *expected)
{
  guint32 n;
  g_autofree guint32 *order = wp_grid_order (grid, filter, column, descending, &n, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (text, "%u", order[i]);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_grid (void)
{
  g_autoptr (WpGrid) grid = small_grid ();
  g_autoptr (GString) text = g_string_new (NULL);
  guint32 n;
  g_autofree guint32 *order = wp_grid_order (grid, "ALPHA", 0, FALSE, &n, NULL);

  check_order (grid, NULL, G_MAXUINT32, FALSE, "0123");
  check_order (grid, "", 1, FALSE, "3102");  /* as numbers: 9 before 10; what is empty comes last … */
  check_order (grid, NULL, 1, TRUE, "0132"); /* … whichever way */
  check_order (grid, NULL, 0, TRUE, "3012");
  check_order (grid, "a", G_MAXUINT32, FALSE, "013");
  check_order (grid, "10", G_MAXUINT32, FALSE, "0");
  wp_grid_write (grid, order, n, text);
  g_assert_cmpstr (text->str, ==, "name\tn\nAlpha\t9\n");
}

/* What a table shows has no more digits than can be looked at; what it holds has all. */
static void
test_shown (void)
{
  static const struct
  {
    WpGridShown shown;
    double number;
    const char *text, *expected;
  } cases[] = {
    { WP_GRID_TEXT, 0.17966835944667436, "0.17966835944667436", "0.17966835944667436" },
    { WP_GRID_DECIMALS, 0.17966835944667436, "0.17966835944667436", "0.180" },
    { WP_GRID_DECIMALS, 1, "1", "1.000" },
    { WP_GRID_ROUNDED, 12, "12", "12" },
    { WP_GRID_ROUNDED, 1.5, "1.5", "1.5" },
    { WP_GRID_ROUNDED, 16.049382571604202, "16.049382571604202", "16.0494" },
    { WP_GRID_ROUNDED, -1636543210.123456, "-1636543210.123456", "-1636543210.1" },
    { WP_GRID_ROUNDED, 0.000123456789, "0.000123456789", "0.000123457" },
  };
  g_autoptr (WpGrid) grid = wp_grid_new (1);
  char buffer[WP_FORMAT_MAX];

  for (guint32 i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      wp_grid_add (grid, "n");
      grid->columns.data[i].shown = (guint8) cases[i].shown;
      wp_grid_set_number (grid, i, 0, cases[i].number, cases[i].text);
      g_assert_cmpstr (wp_grid_shown (grid, i, 0, buffer), ==, cases[i].expected);
      g_assert_cmpstr (wp_grid_text (grid, i, 0), ==, cases[i].text);
    }
}

/* --- charts ---------------------------------------------------------------------------------------------------------- */

static void
test_chart (void)
{
  g_autoptr (WpChart) chart = wp_chart_new ("t", "x", "y");
  WpChartView view;
  g_autofree char *says = NULL;

  wp_chart_begin (chart, WP_SERIES_POINTS, "first", 0);
  wp_chart_point (chart, 0, 0);
  wp_chart_point (chart, NAN, 1); /* is no point */
  wp_chart_point (chart, 10, 100);
  wp_chart_begin (chart, WP_SERIES_LINE, "far", 0); /* does not make the chart larger */
  wp_chart_point (chart, 0, 1e9);
  wp_chart_finish (chart);
  g_assert_cmpuint (chart->points.len, ==, 3);
  g_assert_cmpuint (wp_chart_series_of (chart, 1), ==, 0);
  g_assert_cmpuint (wp_chart_series_of (chart, 2), ==, 1);
  g_assert_true (chart->x0 < 0 && chart->x1 > 10 && chart->y1 > 100 && chart->y1 < 120);
  says = wp_chart_describe (chart, 1);
  g_assert_cmpstr (says, ==, "first\nx: 10\ny: 100");

  view = wp_chart_whole (chart);
  wp_chart_view_zoom (&view, chart, 2, 5, 0, FALSE);
  g_assert_cmpfloat_with_epsilon (view.x1 - view.x0, (chart->x1 - chart->x0) / 2, 1e-9);
  g_assert_cmpfloat (view.y0, ==, chart->y0);
  wp_chart_view_pan (&view, chart, 1e9, 0);
  g_assert_cmpfloat_with_epsilon (view.x1, chart->x1, 1e-9);
  wp_chart_view_zoom (&view, chart, 1e-9, 5, 0, TRUE);
  g_assert_cmpfloat_with_epsilon (view.x0, chart->x0, 1e-9);
  g_assert_cmpfloat_with_epsilon (view.x1, chart->x1, 1e-9);
}

static void
test_units (void)
{
  static const struct
  {
    WpUnit unit;
    double value, step;
    const char *text;
  } cases[] = {
    { WP_UNIT_BYTES, 0, 0, "0 B" },          { WP_UNIT_BYTES, 20, 0, "20 B" },        { WP_UNIT_BYTES, 1536, 0, "1.50 KiB" },
    { WP_UNIT_BYTES, 1536, 512, "1.5 KiB" }, { WP_UNIT_ADDRESS, 0x1d29240, 64, "0x1d29240" }, { WP_UNIT_PLAIN, 12345, 0, "12345" },
    { WP_UNIT_PLAIN, 0.25, 0.05, "0.25" },   { WP_UNIT_PLAIN, 1e15, 0, "1e+15" },     { WP_UNIT_TIME, 1500000, 500000, "1.5 ms" },
    { WP_UNIT_TIME, 4710, 0, "4.71 µs" },
  };
  static const char *const bytes[] = { "kB", "KiB", "MB", "MiB", "GB", "GiB" };
  char buffer[WP_FORMAT_MAX];
  double factor;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (wp_unit_format_tick (cases[i].unit, cases[i].value, cases[i].step, buffer), ==, cases[i].text);
  g_assert_cmpint (wp_unit_from_name ("ms", &factor), ==, WP_UNIT_TIME);
  g_assert_cmpfloat (factor, ==, 1e6);
  g_assert_cmpint (wp_unit_from_name ("samples", &factor), ==, WP_UNIT_PLAIN);
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    {
      g_assert_cmpint (wp_unit_from_name (bytes[i], &factor), ==, WP_UNIT_BYTES);
      g_assert_cmpfloat (factor, ==, pow (1024, i / 2 + 1));
    }
  g_assert_cmpfloat (wp_unit_step (WP_UNIT_BYTES, 600), ==, 1024);
  g_assert_cmpfloat (wp_unit_step (WP_UNIT_PLAIN, 0.03), ==, 0.05);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = argc > 1 ? argv[1] : ".";
  g_test_add_func ("/kinds/notes", test_notes);
  g_test_add_func ("/kinds/crowded", test_crowded);
  g_test_add_func ("/kinds/traces", test_traces);
  g_test_add_func ("/kinds/postprocess", test_postprocess);
  g_test_add_func ("/kinds/curves", test_curves);
  g_test_add_func ("/kinds/offered", test_offered);
  g_test_add_func ("/kinds/shows", test_shows);
  g_test_add_func ("/kinds/empty", test_empty);
  g_test_add_func ("/kinds/heap-map", test_heap_map);
  g_test_add_func ("/kinds/sums", test_sums);
  g_test_add_func ("/kinds/scatter", test_scatter);
  g_test_add_func ("/kinds/allocations", test_allocations);
  g_test_add_func ("/kinds/grid", test_grid);
  g_test_add_func ("/kinds/shown", test_shown);
  g_test_add_func ("/kinds/tables", test_tables);
  g_test_add_func ("/kinds/far-apart", test_far_apart);
  g_test_add_func ("/kinds/others", test_others);
  g_test_add_func ("/kinds/colors", test_colors);
  g_test_add_func ("/kinds/many-bars", test_many_bars);
  g_test_add_func ("/kinds/chart", test_chart);
  g_test_add_func ("/kinds/units", test_units);
  return g_test_run ();
}
