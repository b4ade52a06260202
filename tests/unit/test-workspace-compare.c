/* Two profiles compared as a window shows it, without a display: verdict, warnings, frames of a kind, flame views that map onto each other, what
 * the checks say, what is taken away. */
#include "stacks/formats.h"
#include "stacks/maker.h"
#include "workspace/compare/compare-model.h"
#include "workspace/compare/compare-verdicts.h"

#include "store-maker.h"

#include <math.h>

typedef struct
{
  StoreMaker maker;
  char *before, *after;
  WpCompareModel *model;
  guint n_cancelled;
} Fixture;

/* Stacks (outermost function first) with amounts, "main;parse=40". */
static char *
write_stacks (const Fixture *self, const char *name, const char *command, const char *const *stacks)
{
  char *path = g_build_filename (self->maker.folder, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_printf (text, "{\"header\": {\"type\": \"time\", \"cmd\": \"%s\", \"args\": \"\", \"workload\": \"\", \"units\": {\"time\": \"ms\"}}, "
                   "\"collector_info\": {\"name\": \"hand\", \"params\": {}}, \"global\": {\"resources\": [", command);
  for (guint i = 0; stacks[i] != NULL; i++)
    {
      g_auto (GStrv) halves = g_strsplit (stacks[i], "=", 2), frames = g_strsplit (halves[0], ";", -1);
      guint n = g_strv_length (frames);

      g_string_append_printf (text, "%s{\"type\": \"time\", \"subtype\": \"run\", \"amount\": %s, \"uid\": \"%s\", \"trace\": [", i > 0 ? ", " : "",
                              halves[1], frames[n - 1]);
      for (guint f = n; f-- > 0;)
        g_string_append_printf (text, "{\"function\": \"%s\", \"source\": \"/src/work.c\", \"line\": 1}%s", frames[f], f > 0 ? ", " : "]}");
    }
  g_string_append (text, "]}}");
  g_file_set_contents (path, text->str, -1, &error);
  g_assert_no_error (error);
  return path;
}

static void
on_cancelled (Fixture *self)
{
  self->n_cancelled++;
}

static void
settle (Fixture *self)
{
  RUN_UNTIL (!wp_compare_model_is_busy (self->model));
}

static void
set_up (Fixture *self, gconstpointer data)
{
  store_maker_set_up (&self->maker, data);
  self->before = write_stacks (self, "before.perf", "./work",
                               (const char *const[]) { "main;parse=40", "main;sort;swap=30", "main;sort;legacy=20", "main;write=10", NULL });
  self->after = write_stacks (self, "after.perf", "./work --new",
                              (const char *const[]) { "main;parse=41", "main;sort;swap=60", "main;cache=15", "main;write=4", NULL });
  self->model = wp_compare_model_new ((const char *const[]) { self->before, NULL }, (const char *const[]) { self->after, NULL }, NULL, WP_DEPTH_ALL);
  g_signal_connect_swapped (self->model, "cancelled", G_CALLBACK (on_cancelled), self);
  g_assert_cmpstr (wp_compare_model_title (self->model), ==, "Comparing");
  g_assert_true (wp_compare_model_is_busy (self->model));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->model);
  g_free (self->before);
  g_free (self->after);
  store_maker_tear_down (&self->maker, data);
}

static const WpCompareData *
data_of (Fixture *self)
{
  return wp_shared_get (wp_compare_model_data (self->model));
}

static void
assert_verdict (Fixture *self, const char *part)
{
  g_autofree char *verdict = wp_comparison_verdict_text (data_of (self)->comparison, 0);

  if (strstr (verdict, part) == NULL)
    g_error ("“%s” does not say “%s”", verdict, part);
}

static void
test_compared (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *warnings = NULL, *markdown = NULL;

  settle (self);
  g_assert_null (wp_compare_model_failure (self->model));
  g_assert_nonnull (strstr (wp_compare_model_title (self->model), " → "));
  assert_verdict (self, "Total +20.0 %");
  warnings = wp_compare_model_warnings (self->model);
  g_assert_nonnull (strstr (warnings, "The commands differ: A ran ./work, B ran ./work --new"));
  markdown = wp_compare_model_markdown (self->model, 0);
  g_assert_nonnull (strstr (markdown, "| "));
  g_assert_nonnull (strstr (markdown, "legacy"));
}

static void
test_swapped (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  settle (self);
  wp_compare_model_swap (self->model);
  g_assert_true (wp_compare_model_is_busy (self->model));
  settle (self);
  assert_verdict (self, "Total −16.7 %");
  g_assert_cmpstr (wp_compare_model_files (self->model, WP_SIDE_A)[0], ==, self->after);
}

static double
total_of (Fixture *self, const char *name, WpSide side)
{
  const WpComparison *c = data_of (self)->comparison;

  for (WpId n = 0; n < c->nodes.len; n++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[c->nodes.data[n].frame].name), name))
      return c->nodes.data[n].total[side];
  g_error ("there is no frame “%s”", name);
}

/* As if A had lasted as long as B. */
static void
test_normalised (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  double parse;

  settle (self);
  parse = total_of (self, "parse", WP_SIDE_A);
  wp_compare_model_set_normalise (self->model, TRUE);
  settle (self);
  g_assert_cmpfloat_with_epsilon (total_of (self, "parse", WP_SIDE_A), parse * 1.2, parse * 1e-6);
  wp_compare_model_set_normalise (self->model, FALSE);
  settle (self);
  g_assert_cmpfloat (total_of (self, "parse", WP_SIDE_A), ==, parse);
}

/* Samples of one stack, with objects and bytes. */
static char *
write_heap (const Fixture *self, const char *name, gint64 objects, gint64 bytes)
{
  char *path = g_build_filename (self->maker.folder, name, NULL);
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  WpFrames *frames;
  WpStrings *strings;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  frames = maker.stacks->frames;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "objects"), wp_strings_intern (strings, "count"));
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "space"), wp_strings_intern (strings, "bytes"));
  wp_array_push (&frames->functions, ((WpStackFunction) { .name = wp_strings_intern (strings, "main") }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .n_lines = 1 }));
  wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, &(WpId) { 1 }, 1), (gint64[]) { objects, bytes });
  stacks = wp_stacks_maker_take (&maker);
  g_assert_true (wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), path, NULL, NULL));
  return path;
}

/* Of stacks one chooses which values are compared; it stays chosen. */
static void
test_types (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  settle (self);
  g_assert_cmpuint (data_of (self)->comparison->types.len, ==, 0);
  g_object_unref (self->model);
  g_free (self->before);
  g_free (self->after);
  self->before = write_heap (self, "before.pb.gz", 10, 4096);
  self->after = write_heap (self, "after.pb.gz", 15, 2048);
  self->model = wp_compare_model_new ((const char *const[]) { self->before, NULL }, (const char *const[]) { self->after, NULL }, NULL, WP_DEPTH_ALL);
  settle (self);
  g_assert_cmpuint (data_of (self)->comparison->types.len, ==, 2);
  g_assert_cmpuint (data_of (self)->comparison->type, ==, 1);
  g_assert_cmpfloat (total_of (self, "main", WP_SIDE_B), ==, 2048);
  wp_compare_model_choose_type (self->model, 0);
  settle (self);
  g_assert_cmpuint (data_of (self)->comparison->type, ==, 0);
  g_assert_cmpfloat (total_of (self, "main", WP_SIDE_B), ==, 15);
  wp_compare_model_swap (self->model);
  settle (self);
  g_assert_cmpfloat (total_of (self, "main", WP_SIDE_B), ==, 10);
}

static void
test_cancelled (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  wp_compare_model_cancel (self->model);
  settle (self);
  g_assert_cmpuint (self->n_cancelled + (data_of (self) != NULL), ==, 1); /* it may have been done already */
}

static void
test_failed (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (WpCompareModel) model = NULL;

  settle (self);
  RUN_IN (self->maker.folder, "echo '{' > wrong.perf");
  g_free (self->after);
  self->after = g_build_filename (self->maker.folder, "wrong.perf", NULL);
  model = wp_compare_model_new ((const char *const[]) { self->before, NULL }, (const char *const[]) { self->after, NULL }, NULL, WP_DEPTH_ALL);
  RUN_UNTIL (!wp_compare_model_is_busy (model));
  g_assert_nonnull (strstr (wp_compare_model_failure (model), "wrong.perf"));
  g_assert_null (wp_compare_model_data (model));
}

/* --- frames ------------------------------------------------------------------------------------------------------------------- */

static guint
n_frames (Fixture *self, const char *wanted)
{
  guint presences;

  for (guint row = 0; wp_compare_presences (row, &presences) != NULL; row++)
    if (g_str_equal (wp_compare_presences (row, &presences), wanted))
      {
        WpCompareFrames *frames = wp_compare_frames_new (wp_compare_model_data (self->model), presences);
        WpGrid *grid = wp_compare_frames_run (frames, NULL, NULL);
        guint n = grid->n_rows;

        wp_grid_free (grid);
        wp_compare_frames_free (frames);
        return n;
      }
  g_error ("there is no row “%s”", wanted);
}

static void
test_frames (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  guint all;

  settle (self);
  all = n_frames (self, "All frames");
  g_assert_cmpuint (n_frames (self, "New"), ==, 1);      /* cache */
  g_assert_cmpuint (n_frames (self, "Vanished"), ==, 1); /* legacy */
  g_assert_cmpuint (n_frames (self, "In both"), ==, all - 2);
}

/* --- flame views ---------------------------------------------------------------------------------------------------------------- */

static const WpBox *
box_of (Fixture *self, WpCompareView view, const char *name)
{
  const WpComparison *c = data_of (self)->comparison;
  const WpRows *rows = wp_compare_rows (data_of (self), view);

  for (guint32 b = 0; b < rows->boxes.len; b++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[c->nodes.data[rows->boxes.data[b].ref].frame].name), name))
      return &rows->boxes.data[b];
  return NULL;
}

/* A place in a frame is as far from its edges in the other view; where that lacks the frame, in the box of its caller. */
static void
test_mapped (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const WpBox *a, *b, *sort_b;
  g_autofree char *text = NULL;
  double x, mapped;

  settle (self);
  a = box_of (self, WP_COMPARE_VIEW_A, "swap");
  b = box_of (self, WP_COMPARE_VIEW_B, "swap");
  x = (double) a->start + 0.25 * (double) (a->end - a->start);
  mapped = wp_compare_map (data_of (self), WP_COMPARE_VIEW_A, WP_COMPARE_VIEW_B, x);
  g_assert_cmpfloat_with_epsilon (mapped, (double) b->start + 0.25 * (double) (b->end - b->start), 1);
  a = box_of (self, WP_COMPARE_VIEW_A, "legacy");
  sort_b = box_of (self, WP_COMPARE_VIEW_B, "sort");
  mapped = wp_compare_map (data_of (self), WP_COMPARE_VIEW_A, WP_COMPARE_VIEW_B, (double) (a->start + a->end) / 2);
  g_assert_cmpfloat (mapped, >=, (double) sort_b->start);
  g_assert_cmpfloat (mapped, <=, (double) sort_b->end);
  g_assert_nonnull (box_of (self, WP_COMPARE_VIEW_VANISHED, "legacy"));
  g_assert_null (box_of (self, WP_COMPARE_VIEW_VANISHED, "cache"));
  text = wp_compare_describe (data_of (self), box_of (self, WP_COMPARE_VIEW_B, "swap")->ref);
  g_assert_nonnull (strstr (text, "\nA: 30.0 ms (30.0 %), itself 30.0 ms\nB: 60.0 ms (50.0 %), itself 60.0 ms\nChange: +30.0 ms (+100.0 %)"));
}

/* --- checks ---------------------------------------------------------------------------------------------------------------------- */

static WpVerdicts *
check (const char *const *a, const char *const *b, GError **error)
{
  WpVerdictsRequest *request = wp_verdicts_request_new (a, b);
  WpVerdicts *verdicts = wp_verdicts_run (request, NULL, error);

  wp_verdicts_request_free (request);
  return verdicts;
}

static void
test_checks (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const char *const a[] = { self->before, NULL }, *const b[] = { self->after, NULL }, *const several[] = { self->before, self->before, NULL };
  const char *const none[] = { "/nonexistent.perf", NULL };
  g_autoptr (GError) error = NULL;
  WpVerdicts *verdicts = check (a, b, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (verdicts->summary, "1 degradation"));
  g_assert_null (strstr (verdicts->summary, "profiles;"));
  g_assert_cmpuint (verdicts->grid->n_rows, >, 1);
  wp_verdicts_free (verdicts);
  verdicts = check (several, b, &error);
  g_assert_nonnull (strstr (verdicts->summary, " · of 2 and 1 profiles; what may be noise is no change"));
  wp_verdicts_free (verdicts);
  g_assert_null (check (a, none, &error));
  g_assert_nonnull (error);
}

/* --- a picture --------------------------------------------------------------------------------------------------------------------- */

static void
test_saved (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (self->maker.folder, "diff.svg", NULL), *drawn = NULL;
  g_autoptr (WpExport) picture = NULL;
  g_autoptr (GError) error = NULL;

  settle (self);
  picture = wp_compare_model_export (self->model, WP_COMPARE_VIEW_VANISHED, WP_THEME_LIGHT);
  g_assert_true (wp_export_write (picture, path, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &drawn, NULL, NULL));
  g_assert_nonnull (strstr (drawn, "legacy"));
  g_assert_false (wp_export_write (picture, "/tmp/a.txt", NULL, &error));
  g_assert_nonnull (strstr (error->message, "it must end in .png, .svg or .pdf"));
}

/* The sample beside itself: another depth and what is hidden change frames, and no figure. */
static void
assert_depths (WpCompareModel *model, double total, const char *frame, gboolean there)
{
  const WpComparison *c;
  gboolean found = FALSE;

  RUN_UNTIL (!wp_compare_model_is_busy (model));
  c = ((const WpCompareData *) wp_shared_get (wp_compare_model_data (model)))->comparison;
  g_assert_true (c->has_depths);
  g_assert_cmpfloat (c->nodes.data[0].total[WP_SIDE_A], ==, total);
  for (WpId f = 1; f < c->frames.len; f++)
    found |= g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), frame);
  g_assert_cmpint (found, ==, there);
}

static void
test_depths (Fixture *self G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  const char *const files[] = { g_getenv ("WP_SAMPLE"), NULL };
  g_autoptr (WpCompareModel) model = wp_compare_model_new (files, files, NULL, WP_DEPTH_FUNCTIONS);
  const WpCompareData *made;
  double total;
  WpId node = 1;

  RUN_UNTIL (!wp_compare_model_is_busy (model));
  g_assert_null (wp_compare_model_failure (model));
  made = wp_shared_get (wp_compare_model_data (model));
  total = made->comparison->nodes.data[0].total[WP_SIDE_A];
  g_assert_cmpfloat (total, >, 0);
  assert_depths (model, total, "main", TRUE);
  assert_depths (model, total, "runs", FALSE);
  while (g_strcmp0 (wp_compare_hideable (made, node, WP_HIDE_FUNCTION), "main") != 0)
    g_assert_cmpuint (++node, <, made->comparison->nodes.len);
  g_assert_cmpstr (wp_compare_hideable (made, node, WP_HIDE_MODULE), !=, NULL);
  for (WpId at = made->comparison->nodes.data[node].parent; at != 0; at = 0)
    g_assert_null (wp_compare_hideable (made, at, WP_HIDE_FUNCTION)); /* the process */
  wp_compare_model_hide (model, WP_HIDE_FUNCTION, "main");
  g_assert_cmpuint (wp_compare_model_hide_rules (model)->len, ==, 1);
  assert_depths (model, total, "main", FALSE);
  wp_compare_model_hide (model, WP_HIDE_FUNCTION, "main");
  g_assert_false (wp_compare_model_is_busy (model)); /* it is hidden already */
  wp_compare_model_set_depth (model, WP_DEPTH_ALL);
  assert_depths (model, total, "main", FALSE);
  assert_depths (model, total, "__schedule", TRUE);
  wp_compare_model_unhide (model, 0);
  g_assert_null (wp_compare_model_hide_rules (model));
  assert_depths (model, total, "main", TRUE);
  wp_compare_model_set_depth (model, WP_DEPTH_WAITS);
  assert_depths (model, total, "runs", TRUE);
  assert_depths (model, total, "main", FALSE);
}

/* --- folds ------------------------------------------------------------------------------------------------------------------------ */

static guint
n_folded (WpCompareModel *model)
{
  RUN_UNTIL (!wp_compare_model_is_busy (model));
  return ((const WpCompareData *) wp_shared_get (wp_compare_model_data (model)))->comparison->n_folded;
}

/* What is opened by hand stays, what a search opens goes with it, or with another text; another depth closes everything. */
static void
test_folds (Fixture *self G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  const char *const files[] = { g_getenv ("WP_SAMPLE"), NULL };
  g_autoptr (WpCompareModel) model = wp_compare_model_new (files, files, NULL, WP_DEPTH_FUNCTIONS);
  guint all, by_hand, both;
  double total;
  WpId node = 1;

  all = n_folded (model);
  total = ((const WpCompareData *) wp_shared_get (wp_compare_model_data (model)))->comparison->nodes.data[0].total[WP_SIDE_A];
  assert_depths (model, total, "__schedule", FALSE);
  while (wp_compare_count_folded (wp_shared_get (wp_compare_model_data (model)), node) == 0)
    node++;
  wp_compare_model_open_folds (model, node);
  by_hand = n_folded (model);
  g_assert_cmpuint (by_hand, <, all);
  g_assert_true (wp_compare_model_open_matching (model, "__SCHEDULE"));
  assert_depths (model, total, "__schedule", TRUE);
  both = n_folded (model);
  g_assert_cmpuint (both, <, by_hand);
  g_assert_false (wp_compare_model_open_matching (model, "__schedule")); /* they are open */
  g_assert_true (wp_compare_model_open_matching (model, "no such function"));
  g_assert_cmpuint (n_folded (model), ==, by_hand);
  g_assert_true (wp_compare_model_open_matching (model, "__schedule"));
  g_assert_cmpuint (n_folded (model), ==, both);
  wp_compare_model_close_found (model);
  g_assert_cmpuint (n_folded (model), ==, by_hand);
  wp_compare_model_close_found (model);
  g_assert_false (wp_compare_model_is_busy (model)); /* nothing was found */
  wp_compare_model_set_depth (model, WP_DEPTH_FUNCTIONS);
  g_assert_cmpuint (n_folded (model), ==, all);
  assert_depths (model, total, "__schedule", FALSE);
}

#define ADD(path, function) g_test_add ("/workspace/compare/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("compared", test_compared);
  ADD ("swapped", test_swapped);
  ADD ("normalised", test_normalised);
  ADD ("types", test_types);
  ADD ("depths", test_depths);
  ADD ("folds", test_folds);
  ADD ("cancelled", test_cancelled);
  ADD ("failed", test_failed);
  ADD ("frames", test_frames);
  ADD ("mapped", test_mapped);
  ADD ("checks", test_checks);
  ADD ("saved", test_saved);
  return run_tests_at_home ();
}
