/* What a window can save and export, without one: proposed names, formats, and what is in the files. */
#include <glib/gstdio.h>
#include <string.h>

#include "profile-fixture.h"
#include "stacks/formats.h"
#include "stacks/graph.h"
#include "workspace/file/export.h"
#include "workspace/file/open-file.h"
#include "workspace/stacks/calls-picture.h"

static char *folder;

static void
assert_suggested (const char *of, gboolean is_file, const char *suffix, const char *expected)
{
  g_autofree char *name = wp_export_suggest (of, is_file, suffix);

  g_assert_cmpstr (name, ==, expected);
}

static void
test_names (void)
{
  assert_suggested ("make", FALSE, ".perf", "make.perf");
  assert_suggested ("kworker/0:1", FALSE, ".perf", "kworker-0-1.perf");
  assert_suggested ("a.out", FALSE, ".tsv", "a.out.tsv"); /* a process is no file */
  assert_suggested ("memory.perf", TRUE, "-heap-map.png", "memory-heap-map.png");
  assert_suggested (".hidden", TRUE, ".png", ".hidden.png");
  assert_suggested ("", FALSE, ".perf", "profile.perf");
}

/* Writes to a file of this name and gives what is in it, or the error. */
static char *
written (WpExport *export, const char *name, GError **error)
{
  g_autoptr (WpExport) self = export;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_assert_cmpstr (wp_export_title (self), !=, "");
  if (!wp_export_write (self, path, NULL, error))
    {
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      return NULL;
    }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);
  return text;
}

static WpShared *
new_analysis (void)
{
  const WpViewOptions options = { 0 };
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "fork-wait-file.trace", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = wp_open_file (path, &options, NULL, &error);
  WpDocument *document = wp_shared_get (opened->document);
  WpAnalysisRequest *request;
  WpShared *analysis;

  g_assert_no_error (error);
  request = wp_analysis_request_new (opened->document, fixture_task (document->trace, "A"));
  analysis = wp_shared_new (wp_analysis_run (request, NULL, &error), wp_analysis_free);
  g_assert_no_error (error);
  wp_analysis_request_free (request);
  return analysis;
}

/* The name tells the format, and one that tells none is said to. */
static void
test_table (void)
{
  static const struct
  {
    const char *name, *has;
  } formats[] = { { "t.tsv", "\t" }, { "t.json", "\"total_ns\"" }, { "t.md", "| Waiting for disk or network" }, { "t.txt", "Waiting for disk or network" } };
  g_autoptr (WpShared) analysis = new_analysis ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *text = written (wp_export_table (analysis, "A.tsv"), formats[i].name, NULL);

      g_assert_nonnull (text);
      g_assert_nonnull (strstr (text, formats[i].has));
    }
  g_assert_null (written (wp_export_table (analysis, "A.tsv"), "t.doc", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_assert_nonnull (strstr (error->message, ".tsv, .json, .md"));
}

/* A saved explanation is opened with the same numbers. */
static void
test_profile (void)
{
  const WpViewOptions options = { 0 };
  g_autoptr (WpShared) analysis = new_analysis ();
  g_autoptr (WpExport) export = wp_export_explanation (analysis, "A.perf");
  g_autofree char *path = g_build_filename (folder, "A.perf", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = NULL;
  const WpAnalysis *saved = wp_shared_get (analysis);

  g_assert_cmpstr (wp_export_name (export), ==, "A.perf");
  g_assert_true (wp_export_write (export, path, NULL, &error));
  opened = wp_open_file (path, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((const WpDocument *) wp_shared_get (opened->document))->saved->parts.len, ==, saved->paths->parts.len);
  g_unlink (path);
}

/* What is explained, in a format of stacks that the name tells: all of its time, running or waiting. */
static void
test_explanation_as_stacks (void)
{
  const WpViewOptions options = { 0 };
  g_autoptr (WpShared) analysis = new_analysis ();
  g_autoptr (WpExport) export = wp_export_explanation (analysis, "A.perf");
  g_autofree char *path = g_build_filename (folder, "A.pb.gz", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = NULL;
  const WpStacks *stacks;

  g_assert_true (wp_export_write (export, path, NULL, &error));
  opened = wp_open_file (path, &options, NULL, &error);
  g_assert_no_error (error);
  stacks = wp_shared_get (opened->stacks);
  g_assert_nonnull (stacks);
  g_assert_cmpuint (stacks->types.len, ==, 3);
  g_assert_cmpint (wp_stacks_total (stacks, 0, FALSE) + wp_stacks_total (stacks, 1, FALSE), ==,
                   ((const WpAnalysis *) wp_shared_get (analysis))->explanation->total);
  g_unlink (path);
}

/* What a filter left says so, and that is not what was run. */
static void
check_filtered (WpShared *stacks)
{
  g_autofree char *path = g_build_filename (folder, "filtered.pb.gz", NULL);
  g_autoptr (WpExport) export = wp_export_stacks (stacks, "focus=work", "filtered.pb.gz");
  g_autoptr (WpStacks) again = NULL;

  g_assert_true (wp_export_write (export, path, NULL, NULL));
  again = wp_stacks_open (path, NULL, NULL, NULL);
  g_assert_cmpuint (again->comments.len, ==, 1);
  g_assert_cmpstr (wp_stacks_text (again, again->comments.data[0]), ==, "Filtered: focus=work");
  g_assert_null (wp_stacks_command (again));
  g_unlink (path);
}

/* Stacks are written in the format that the name tells, and can be read again; another name says which there are. */
static void
test_stacks (void)
{
  static const char *const names[] = { "s.pb.gz", "s.pb", "s.speedscope.json", "s.firefox.json", "s.trace.json", "s.folded" };
  const WpViewOptions options = { 0 };
  g_autofree char *path = g_build_filename (folder, "s.folded", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = NULL;

  g_assert_true (g_file_set_contents (path, "main;work 30\nmain 12\n", -1, NULL));
  opened = wp_open_file (path, &options, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (WpExport) export = wp_export_stacks (opened->stacks, NULL, names[i]);
      g_autofree char *other = g_build_filename (folder, names[i], NULL);
      g_autoptr (WpOpened) again = NULL;

      g_assert_true (wp_export_write (export, other, NULL, &error));
      again = wp_open_file (other, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (again->stacks);
      /* Trace events know nothing but microseconds. */
      g_assert_cmpint (wp_stacks_total (wp_shared_get (again->stacks), 0, FALSE), ==, g_str_has_suffix (names[i], ".trace.json") ? 42000 : 42);
      g_unlink (other);
    }
  check_filtered (opened->stacks);
  text = written (wp_export_stacks (opened->stacks, NULL, "s.pb.gz"), "s.docx", &error);
  g_assert_null (text);
  g_assert_nonnull (strstr (error->message, ".pb.gz (pprof), .speedscope.json"));
}

static void
test_recording (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "fork-wait-file.trace", NULL), *before = NULL;
  g_autofree char *text = written (wp_export_recording (path, "r.perf"), "copy.perf", NULL), *same = NULL;
  g_autoptr (WpExport) onto_itself = wp_export_recording (path, "r.perf");
  g_autoptr (WpExport) none = wp_export_recording ("/nowhere/to/be/found", "r.perf");
  g_autofree char *copy = g_build_filename (folder, "copy", NULL), *part = g_strconcat (copy, ".part", NULL);

  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  g_assert_cmpstr (text, ==, before);
  g_assert_true (wp_export_write (onto_itself, path, NULL, NULL)); /* it is there already, and stays */
  g_assert_true (g_file_get_contents (path, &same, NULL, NULL));
  g_assert_cmpstr (same, ==, before);
  g_assert_false (wp_export_write (none, copy, NULL, NULL));
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_set_contents (part, "of somebody else", -1, NULL)); /* no name beside it is taken */
  g_clear_pointer (&text, g_free);
  text = written (wp_export_recording (path, "r.perf"), "copy", NULL);
  g_assert_cmpstr (text, ==, before);
  g_clear_pointer (&same, g_free);
  g_assert_true (g_file_get_contents (part, &same, NULL, NULL));
  g_assert_cmpstr (same, ==, "of somebody else");
  g_unlink (part);
}

/* A picture of all rows, and one of what is visible, which is cut to it. */
static void
test_pictures (void)
{
  g_autoptr (WpShared) analysis = new_analysis ();
  WpShared *flame = ((const WpAnalysis *) wp_shared_get (analysis))->flame;
  const WpRows *rows = wp_shared_get (flame);
  g_autofree guint8 *highlight = g_new0 (guint8, rows->boxes.len);
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  WpViewport viewport = { .start = rows->start, .end = rows->start + 100000, .width = 400, .height = 100, .row_height = 20 };
  g_autofree char *all = written (wp_export_rows (flame, "A.png", &(WpExportPicture) { .title = "A" }), "p.svg", NULL), *visible = NULL;
  g_autoptr (GError) error = NULL;
  WpExport *export;

  g_assert_nonnull (strstr (all, "</svg>"));
  state.selected = 0;
  state.highlight = highlight;
  export = wp_export_rows (flame, "A.png",
                           &(WpExportPicture) { .title = "A", .visible = TRUE, .viewport = &viewport, .state = &state });
  memset (highlight, 1, rows->boxes.len); /* it keeps its own */
  g_assert_cmpstr (wp_export_title (export), ==, "Export Visible Part");
  visible = written (export, "v.svg", NULL);
  g_assert_nonnull (strstr (visible, "clip-path"));
  g_assert_cmpstr (visible, !=, all);
  g_assert_null (written (wp_export_rows (flame, "A.png", &(WpExportPicture) { .title = "A" }), "p.jpeg", &error));
  g_assert_nonnull (error);
}

/* The call graph: as a picture, and as what its renderers write. */
static void
test_calls (void)
{
  static const struct
  {
    const char *name, *begins, *has;
  } formats[] = { { "c.svg", "<?xml", "</svg>" }, { "c.png", "\x89PNG", "" },          { "c.pdf", "%PDF", "" },
                  { "c.dot", "digraph", "\"" },   { "c.json", "{", "thread_times" }, { "c.txt", "", "Caller" } };
  const WpCallsChoice choice = WP_CALLS_CHOICE_DEFAULT;
  g_autoptr (WpShared) analysis = new_analysis ();
  WpCallsRequest *request = wp_calls_request_new (&(WpCallsSource) { .analysis = analysis }, NULL, &choice);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpShared) picture = wp_shared_new (wp_calls_request_run (request, NULL, &error), (GDestroyNotify) wp_calls_picture_free);

  g_assert_no_error (error);
  wp_calls_request_free (request);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *text = written (wp_export_calls (picture, "c.svg", &(WpExportPicture) { .title = "A" }), formats[i].name, &error);

      g_assert_no_error (error);
      g_assert_true (g_str_has_prefix (text, formats[i].begins));
      g_assert_nonnull (strstr (text, formats[i].has));
    }
  g_assert_null (written (wp_export_calls (picture, "c.svg", &(WpExportPicture) { .title = "A" }), "c.doc", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
  g_assert_nonnull (strstr (error->message, ".svg, .png, .pdf, .txt, .dot, .json"));
}

/* What the views of another profile show: a chart, a grid, text, the profile itself. */
static void
test_plots (void)
{
  const WpViewOptions options = { 0 };
  const WpPlotOptions plain = WP_PLOT_OPTIONS_DEFAULT;
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "data", "kinds", "memory.perf", NULL);
  g_autoptr (WpOpened) opened = wp_open_file (path, &options, NULL, NULL);
  g_autoptr (WpPlotPicture) bars = wp_plots_draw (wp_shared_get (opened->plots), WP_PLOT_BARS, &plain, NULL, NULL);
  g_autoptr (WpPlotPicture) list = wp_plots_draw (wp_shared_get (opened->plots), WP_PLOT_RESOURCES, &plain, NULL, NULL);
  g_autoptr (WpShared) chart = wp_shared_new (g_steal_pointer (&bars->chart), (GDestroyNotify) wp_chart_free);
  g_autoptr (WpShared) grid = wp_shared_new (g_steal_pointer (&list->grid), (GDestroyNotify) wp_grid_free);
  guint32 order[] = { 2, 0 };
  g_autofree char *svg = written (wp_export_chart (chart, "c.png", &(WpExportPicture) { .title = "Bars" }), "c.svg", NULL);
  g_autofree char *tsv = written (wp_export_grid (grid, "g.tsv", g_memdup2 (order, sizeof order), 2), "g.tsv", NULL);
  g_autofree char *csv = written (wp_export_grid (grid, "g.tsv", g_memdup2 (order, sizeof order), 2), "g.csv", NULL);
  g_autofree char *text = written (wp_export_text ("Export", g_strdup ("raw"), "r.txt"), "r.txt", NULL);
  g_autofree char *profile = written (wp_export_plots (opened->plots, "m.perf"), "m.perf", NULL);
  g_auto (GStrv) lines = g_strsplit (tsv, "\n", -1);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (strstr (svg, "</svg>"));
  g_assert_cmpuint (g_strv_length (lines), ==, 4); /* a header, two rows, and the end */
  g_assert_nonnull (strchr (csv, ','));
  g_assert_cmpstr (text, ==, "raw");
  g_assert_nonnull (strstr (profile, "snapshots"));
  g_assert_null (written (wp_export_grid (grid, "g.tsv", g_memdup2 (order, sizeof order), 2), "g.json", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/export/names", test_names);
  g_test_add_func ("/export/table", test_table);
  g_test_add_func ("/export/profile", test_profile);
  g_test_add_func ("/export/explanation-as-stacks", test_explanation_as_stacks);
  g_test_add_func ("/export/stacks", test_stacks);
  g_test_add_func ("/export/recording", test_recording);
  g_test_add_func ("/export/pictures", test_pictures);
  g_test_add_func ("/export/calls", test_calls);
  g_test_add_func ("/export/plots", test_plots);
  result = g_test_run ();
  fixture_remove (folder);
  g_free (folder);
  return result;
}
