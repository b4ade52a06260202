/* Stacks with values as a window shows them, without a display: the flame view, the table, who calls whom, the filter and how it is undone, the order
 * of time. Whatever is seen in two places is the same in both. */
#include "stacks/formats.h"
#include "stacks/maker.h"
#include "view/layout.h"
#include "workspace/stacks/stacks-model.h"
#include "workspace/file/details-text.h"
#include "workspace/file/open-file.h"
#include "workspace/file/search.h"

#include <glib/gstdio.h>
#include <math.h>

#define RUN_UNTIL(condition)                                                                                                             \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    while (!(condition))                                                                                                                 \
      g_main_context_iteration (NULL, TRUE);                                                                                             \
  }                                                                                                                                      \
  G_STMT_END

static WpShared *
open_text (const char *content)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wakepath-stacks-XXXXXX", NULL);
  g_autoptr (WpOpened) opened = NULL;
  const WpViewOptions options = { 0 };
  GError *error = NULL;
  int fd = g_mkstemp (path);

  g_assert_true (fd >= 0 && g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  opened = wp_open_file (path, &options, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_assert_nonnull (opened->stacks);
  return wp_shared_ref (opened->stacks);
}

static WpStacksModel *
model_of (const char *content)
{
  g_autoptr (WpShared) stacks = open_text (content);
  WpStacksModel *model = wp_stacks_model_new (stacks);

  RUN_UNTIL (!wp_stacks_model_busy (model));
  g_assert_cmpstr (wp_stacks_model_failure (model), ==, NULL);
  return model;
}

static const WpStacksViews *
views_of (WpStacksModel *model)
{
  RUN_UNTIL (!wp_stacks_model_busy (model));
  return wp_shared_get (wp_stacks_model_views (model));
}

static guint32
frame_named (const WpStacksViews *views, const char *name)
{
  for (guint32 i = 0; i < views->graph->names->names.len; i++)
    if (g_str_equal (views->graph->names->names.data[i].name, name))
      return i;
  g_error ("no frame is called %s", name);
}

/* "a=1 b=2": of a column of a table, by name. */
static char *
column_of (WpShared *table, guint32 column)
{
  const WpGrid *grid = wp_shared_get (table);
  GString *text = g_string_new (NULL);

  for (guint32 r = 0; r < grid->n_rows; r++)
    g_string_append_printf (text, "%s%s=%g", r > 0 ? " " : "", wp_grid_text (grid, 0, r), grid->columns.data[column].numbers[r]);
  return g_string_free (text, FALSE);
}

static const char *const folded = "main;parse;read 30\nmain;parse 10\nmain;draw;read 20\nmain;idle 35\nmain;draw;draw;flush 5\n";

static void
check_column (WpShared *table, guint32 column, const char *expected)
{
  g_autofree char *found = column_of (table, column);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_functions (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);
  const WpStacksViews *views = views_of (model);

  g_assert_cmpint (views->total, ==, 100);
  check_column (views->functions, WP_FUNCTIONS_SELF, "main=0 parse=10 read=50 draw=0 idle=35 flush=5");
  check_column (views->functions, WP_FUNCTIONS_TOTAL, "main=100 parse=40 read=50 draw=25 idle=35 flush=5");
  check_column (views->functions, WP_FUNCTIONS_SAMPLES, "main=5 parse=2 read=2 draw=2 idle=1 flush=1");
  check_column (views->functions, WP_FUNCTIONS_TOTAL_SHARE, "main=1 parse=0.4 read=0.5 draw=0.25 idle=0.35 flush=0.05");
  g_assert_cmpint (((const WpRows *) wp_shared_get (views->rows))->end, ==, 100);
}

/* Both sides sum up to the function's total, whatever was called by whom. */
static void
test_callers (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);
  const WpStacksViews *views = views_of (model);
  const WpStacksCallers *callers;

  wp_stacks_model_select (model, frame_named (views, "draw"));
  views_of (model);
  callers = wp_shared_get (wp_stacks_model_callers (model));
  g_assert_nonnull (callers);
  g_assert_cmpint (callers->total, ==, 25);
  check_column (callers->callers, WP_CALLS_TOTAL, "main=25");
  check_column (callers->callees, WP_CALLS_TOTAL, "read=20 draw=5");
  g_assert_cmpuint (wp_stacks_callers_frame (callers, callers->callees, 0), ==, frame_named (views, "read"));
  wp_stacks_model_select (model, frame_named (views, "parse"));
  views_of (model);
  callers = wp_shared_get (wp_stacks_model_callers (model));
  check_column (callers->callees, WP_CALLS_TOTAL, "read=30 (itself)=10");
  wp_stacks_model_select (model, frame_named (views, "main"));
  views_of (model);
  check_column (((const WpStacksCallers *) wp_shared_get (wp_stacks_model_callers (model)))->callers, WP_CALLS_TOTAL, "(nobody)=100");
}

static guint32
location_named (WpStacksMaker *maker, const char *name)
{
  WpFrames *frames = maker->stacks->frames;

  for (WpId i = 1; i < frames->functions.len; i++)
    if (g_str_equal (wp_stacks_text (maker->stacks, frames->functions.data[i].name), name))
      return i;
  wp_array_push (&frames->functions, ((WpStackFunction) { .name = wp_strings_intern (maker->stacks->strings, name) }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
  return frames->locations.len - 1;
}

/* Objects and their bytes: 15 of 4 bytes on average. */
static WpShared *
make_heap (void)
{
  static const struct
  {
    const char *stack;
    gint64 values[2];
  } samples[] = { { "main;parse;read", { 3, 30 } }, { "main;parse", { 2, 10 } }, { "main;draw;read", { 9, 20 } }, { "main;draw", { 1, 0 } } };
  g_auto (WpStacksMaker) maker = { 0 };
  WpStrings *strings;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "objects"), wp_strings_intern (strings, "count"));
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "space"), wp_strings_intern (strings, "bytes"));
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_auto (GStrv) names = g_strsplit (samples[i].stack, ";", -1);
      WpId stack[4];
      guint n = 0;

      for (; names[n] != NULL; n++)
        stack[n] = location_named (&maker, names[n]);
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, stack, n), samples[i].values);
    }
  return wp_shared_new (wp_stacks_maker_take (&maker), (GDestroyNotify) wp_stacks_unref);
}

/* The first box with this name. */
static const WpBox *
box_called (const WpStacksViews *views, const char *name)
{
  const WpRows *rows = wp_shared_get (views->rows);

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), name))
      return &rows->boxes.data[i];
  g_error ("no box is called %s", name);
}

static char *
said_of (const WpStacksViews *views, const char *name)
{
  return wp_stacks_views_describe (views, box_called (views, name));
}

/* Means are those of each function, of each call and of everything; only widths are sums. */
static void
test_mean (void)
{
  g_autoptr (WpShared) heap = make_heap ();
  g_autoptr (WpStacksModel) model = wp_stacks_model_new (heap);
  WpStacksChoice choice = *wp_stacks_model_choice (model);
  g_autofree char *said = NULL, *all = NULL, *part = NULL;
  const WpStacksCallers *callers;

  choice.mean = TRUE;
  wp_stacks_model_choose (model, &choice);
  check_column (views_of (model)->functions, WP_FUNCTIONS_SELF, "main=0 parse=5 read=4 draw=0");
  check_column (views_of (model)->functions, WP_FUNCTIONS_TOTAL, "main=4 parse=8 read=4 draw=2");
  check_column (views_of (model)->functions, WP_FUNCTIONS_SELF_SHARE, "main=0 parse=0.166667 read=0.833333 draw=0");
  g_assert_cmpint (((const WpRows *) wp_shared_get (views_of (model)->rows))->end, ==, 60);
  said = said_of (views_of (model), "parse");
  g_assert_cmpstr (said, ==, "parse\nOn average itself 5 B, with all it called 8 B\nAs wide as the sum, 40 B (66.7 %)");
  all = wp_stacks_views_summary (views_of (model));
  g_assert_cmpstr (all, ==, "4 B on average");
  wp_stacks_model_select (model, frame_named (views_of (model), "read"));
  views_of (model);
  callers = wp_shared_get (wp_stacks_model_callers (model));
  g_assert_cmpint (callers->total, ==, 4);
  check_column (callers->callers, WP_CALLS_TOTAL, "parse=10 draw=2");
  check_column (callers->callers, WP_CALLS_SHARE, "parse=0.6 draw=0.4");
  wp_stacks_model_select (model, frame_named (views_of (model), "draw"));
  views_of (model);
  check_column (((const WpStacksCallers *) wp_shared_get (wp_stacks_model_callers (model)))->callees, WP_CALLS_TOTAL, "read=2");
  wp_stacks_model_add_step (model, WP_FILTER_FOCUS, "draw");
  part = wp_stacks_views_summary (views_of (model));
  g_assert_cmpstr (part, ==, "2 B on average, 4 B of everything");
}

/* A turned flame view has the same callers: they are counted in the upright one. */
static void
test_callers_inverted (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);
  WpStacksChoice choice = *wp_stacks_model_choice (model);

  choice.inverted = TRUE;
  wp_stacks_model_choose (model, &choice);
  wp_stacks_model_select (model, frame_named (views_of (model), "read"));
  views_of (model);
  check_column (((const WpStacksCallers *) wp_shared_get (wp_stacks_model_callers (model)))->callers, WP_CALLS_TOTAL, "parse=30 draw=20");
}

static void
test_filter (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);
  g_autofree char *pattern = wp_stacks_views_pattern (views_of (model), frame_named (views_of (model), "read"));
  g_autofree char *summary = NULL;
  GError *error = NULL;

  g_assert_cmpstr (pattern, ==, "^read$");
  g_assert_false (wp_stacks_model_can_undo (model));
  wp_stacks_model_add_step (model, WP_FILTER_FOCUS, pattern);
  g_assert_cmpint (views_of (model)->total, ==, 50);
  summary = wp_stacks_views_summary (views_of (model));
  g_assert_cmpstr (summary, ==, "50 of 100 (50.0 %)");
  g_assert_true (wp_stacks_model_type_step (model, "ignore=draw hide=parse", &error));
  g_assert_cmpint (views_of (model)->total, ==, 30);
  check_column (views_of (model)->functions, WP_FUNCTIONS_TOTAL, "main=30 read=30");
  g_assert_true (wp_stacks_model_type_step (model, "mai", &error)); /* a pattern alone is focused */
  g_assert_cmpuint (wp_stacks_model_filter (model)->len, ==, 4);
  wp_stacks_model_remove_step (model, 1);
  g_assert_cmpint (views_of (model)->total, ==, 50);
  for (guint i = 0; i < 4; i++)
    wp_stacks_model_undo (model);
  g_assert_cmpuint (wp_stacks_model_filter (model)->len, ==, 0);
  g_assert_cmpint (views_of (model)->total, ==, 100);
  g_assert_false (wp_stacks_model_can_undo (model));
  g_assert_false (wp_stacks_model_type_step (model, "a(", &error));
  g_assert_nonnull (strstr (error->message, "a("));
  g_error_free (error);
}

/* A pattern that comes from a file and cannot be one is said, and what was seen before stays. */
static void
test_wrong_pattern (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);

  wp_stacks_model_add_step (model, WP_FILTER_HIDE, "*");
  RUN_UNTIL (!wp_stacks_model_busy (model));
  g_assert_nonnull (wp_stacks_model_failure (model));
  g_assert_cmpint (((const WpStacksViews *) wp_shared_get (wp_stacks_model_views (model)))->total, ==, 100);
  wp_stacks_model_undo (model);
  g_assert_cmpint (views_of (model)->total, ==, 100);
  g_assert_cmpstr (wp_stacks_model_failure (model), ==, NULL);
}

/* The selected function is the same one among what a filter leaves. */
static void
test_selection_stays (void)
{
  g_autoptr (WpStacksModel) model = model_of (folded);

  wp_stacks_model_select (model, frame_named (views_of (model), "draw"));
  views_of (model);
  wp_stacks_model_add_step (model, WP_FILTER_FOCUS, "flush");
  views_of (model);
  check_column (((const WpStacksCallers *) wp_shared_get (wp_stacks_model_callers (model)))->callees, WP_CALLS_TOTAL, "draw=5");
}

#define EVENTED(events)                                                                                                                  \
  "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", \"shared\": {\"frames\": [{\"name\": \"a\"}, "                       \
  "{\"name\": \"b\", \"file\": \"b.c\"}]},"                                                                                                  \
  "\"profiles\": [{\"type\": \"evented\", \"unit\": \"nanoseconds\", \"name\": \"one\", \"startValue\": 0, \"endValue\": 99, \"events\": [" events "]}]}"
#define OPEN(frame, at) "{\"type\": \"O\", \"frame\": " #frame ", \"at\": " #at "}"
#define CLOSE(frame, at) "{\"type\": \"C\", \"frame\": " #frame ", \"at\": " #at "}"

/* "a 0-30 a 40-50 | b 10-20": from the roots on. */
static void
check_timeline (const WpStacksViews *views, const char *expected)
{
  const WpRows *rows = wp_shared_get (views->timeline);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_nonnull (rows);
  for (guint32 r = rows->rows.len; r-- > 0;)
    {
      g_string_append (text, r + 1 < rows->rows.len ? " |" : "");
      for (guint32 b = 0; b < rows->rows.data[r].n; b++)
        {
          const WpBox *box = &rows->boxes.data[rows->rows.data[r].first + b];

          g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, text->len > 0 ? " " : "", wp_rows_string (rows, box->label), box->start,
                                  box->end);
        }
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_timeline (void)
{
  g_autoptr (WpStacksModel) model
      = model_of (EVENTED (OPEN (0, 100) "," OPEN (1, 110) "," CLOSE (1, 120) "," CLOSE (0, 130) "," OPEN (0, 140) "," CLOSE (0, 150)));
  WpStacksChoice choice = *wp_stacks_model_choice (model);

  g_assert_null (views_of (model)->timeline);
  choice.timeline = TRUE;
  wp_stacks_model_choose (model, &choice);
  check_timeline (views_of (model), "a 0-30 a 40-50 | b 10-20");
  choice.from = 10;
  choice.to = 40;
  wp_stacks_model_choose (model, &choice);
  g_assert_cmpint (views_of (model)->total, ==, 20); /* of samples that begin there: b's, and a's behind it */
  check_timeline (views_of (model), "a 0-30 a 40-50 | b 10-20");
}

/* With the share of what is seen, and where it is from. */
static void
test_said (void)
{
  g_autoptr (WpShared) stacks = open_text (EVENTED (OPEN (0, 0) "," OPEN (1, 10) "," CLOSE (1, 20) "," CLOSE (0, 50)));
  WpFrames *frames = ((WpStacks *) wp_shared_get (stacks))->frames;
  g_autoptr (WpStacksModel) model = NULL;
  g_autofree char *whole = NULL, *seen = NULL, *gathered = NULL, *stack = NULL, *markdown = NULL, *turned = NULL;
  const WpStacksViews *views;
  WpStacksChoice choice;

  for (WpId i = 1; i < frames->functions.len; i++)
    frames->functions.data[i].start_line = frames->functions.data[i].file != 0 ? 7 : 0;
  model = wp_stacks_model_new (stacks);
  choice = *wp_stacks_model_choice (model);
  choice.timeline = TRUE;
  wp_stacks_model_choose (model, &choice);
  views = views_of (model);
  whole = wp_stacks_views_describe_moment (views, wp_shared_get (views->timeline), 0, 0, 0, 0);
  g_assert_cmpstr (whole, ==, "b\n10 ns from 10 ns on (20.0 % of what is seen)\nb.c:7");
  seen = wp_stacks_views_describe_moment (views, wp_shared_get (views->timeline), 0, 15, 35, 5);
  g_assert_cmpstr (seen, ==, "b\n10 ns from 5 ns on (25.0 % of what is seen)\nb.c:7");
  gathered = said_of (views, "b");
  g_assert_cmpstr (gathered, ==, "b\nSelf 10 ns (20.0 %) · Total 10 ns (20.0 %)\nb.c:7");
  stack = wp_stacks_views_stack (views, box_called (views, "b"));
  g_assert_cmpstr (stack, ==, "b\na");
  markdown = wp_said_markdown (gathered, stack);
  g_assert_cmpstr (markdown, ==, "### b\n\n- Self 10 ns (20.0 %) · Total 10 ns (20.0 %)\n- b.c:7\n\n**Stack**\n\n```\nb\na\n```\n");
  choice.inverted = TRUE;
  wp_stacks_model_choose (model, &choice);
  views = views_of (model);
  turned = wp_stacks_views_stack (views, box_called (views, "a"));
  g_assert_cmpstr (turned, ==, "b\na");
}

/* Of a recording moments are told from its start, as in its other views: also of a range, and of what a filter leaves. */
static void
test_timeline_of_recording (void)
{
  g_autoptr (WpShared) stacks
      = open_text (EVENTED (OPEN (0, 100) "," OPEN (1, 110) "," CLOSE (1, 120) "," CLOSE (0, 130) "," OPEN (0, 140) "," CLOSE (0, 150)));
  g_autoptr (WpStacksModel) model = NULL;
  WpStacksChoice choice;

  ((WpStacks *) wp_shared_get (stacks))->header.of_recording = TRUE;
  model = wp_stacks_model_new (stacks);
  choice = *wp_stacks_model_choice (model);
  choice.timeline = TRUE;
  choice.from = 110;
  choice.to = 140;
  wp_stacks_model_choose (model, &choice);
  check_timeline (views_of (model), "a 100-130 a 140-150 | b 110-120");
  g_assert_true (((const WpRows *) wp_shared_get (views_of (model)->timeline))->of_recording);
  g_assert_cmpint (views_of (model)->total, ==, 20);
  wp_stacks_model_add_step (model, WP_FILTER_FOCUS, "b");
  check_timeline (views_of (model), "a 110-120 | b 110-120");
  g_assert_true (((const WpRows *) wp_shared_get (views_of (model)->timeline))->of_recording);
  g_assert_cmpint (views_of (model)->total, ==, 10);
}

/* The second time that it is told of progress, which is at the next step. */
static void
cancel_second (const char *phase, double fraction, gpointer user_data)
{
  WpProgress *progress = user_data;

  if (fraction > 0)
    g_cancellable_cancel (progress->cancellable);
  progress->last_told = 0;
}

/* Given up in the midst of a thread, whose rows are not there yet. */
static void
test_timeline_cancelled (void)
{
  g_autoptr (GString) events = g_string_new (OPEN (0, 0));
  g_autoptr (WpShared) shared = NULL;
  g_autoptr (WpFrameNames) names = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable, .phase = "", .func = cancel_second, .user_data = &progress };
  g_autofree char *text = NULL;
  GError *error = NULL;

  for (guint i = 1; i < 10000; i++)
    g_string_append_printf (events, ",{\"type\": \"%s\", \"frame\": 1, \"at\": %u}", i % 2 != 0 ? "O" : "C", i);
  text = g_strdup_printf (EVENTED ("%s," CLOSE (1, 10001) "," CLOSE (0, 10002)), events->str);
  shared = open_text (text);
  names = wp_frame_names_new (wp_shared_get (shared), &(WpFrameNameOptions) { 0 });
  g_assert_null (wp_layout_timeline (wp_shared_get (shared), names, 0, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_error_free (error);
}

/* Values and moments at the limits of their type, whatever they come to: nothing goes around. */
static void
test_limits (void)
{
  g_autoptr (WpStacksModel) model = model_of ("main;a 9223372036854775807\nmain;b 9223372036854775807\nmain;c 9223372036854775807\nother 50\n");
  g_autoptr (WpStacksModel) timed = model_of (EVENTED (OPEN (0, -9.2e18) "," OPEN (1, 0) "," CLOSE (1, 9.2e18) "," CLOSE (0, 9.2e18)));
  WpStacksChoice choice = *wp_stacks_model_choice (timed);
  const WpRows *rows = wp_shared_get (views_of (model)->rows);

  for (guint32 i = 0; i < rows->boxes.len; i++)
    g_assert_cmpint (rows->boxes.data[i].start, <=, rows->boxes.data[i].end);
  wp_stacks_model_select (model, frame_named (views_of (model), "main"));
  views_of (model);
  g_assert_cmpint (((const WpStacksCallers *) wp_shared_get (wp_stacks_model_callers (model)))->total, ==, G_MAXINT64);
  choice.timeline = TRUE;
  choice.to = 10;
  wp_stacks_model_choose (timed, &choice);
  rows = wp_shared_get (views_of (timed)->timeline);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    g_assert_cmpint (rows->boxes.data[i].start, <, rows->boxes.data[i].end);
}

/* What stands on a match counts once; what is no regular expression is looked for as it stands. */
static void
test_search (void)
{
  g_autoptr (WpStacksModel) model = model_of ("main;draw;draw;x 10\nmain;operator() 30\nmain;draw 20\nmain;Idle 40\n");
  static const struct
  {
    const char *text, *said;
  } cases[] = {
    { "draw", "2 boxes · 30.0 %" }, { "^(draw|idle)$", "3 boxes · 70.0 %" }, { "operator(", "1 box · 30.0 %" }, { "()", "6 boxes · 100.0 %" },
    { "^raw", "Nothing found" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpSearch) search = wp_search_new ();
      g_autofree guint8 *boxes = wp_search_run (search, wp_shared_get (views_of (model)->rows), NULL, cases[i].text, G_MAXUINT32);
      g_autofree char *text = wp_search_text (search);

      g_assert_nonnull (boxes);
      g_assert_cmpstr (text, ==, cases[i].said);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workspace-stacks/functions", test_functions);
  g_test_add_func ("/workspace-stacks/callers", test_callers);
  g_test_add_func ("/workspace-stacks/mean", test_mean);
  g_test_add_func ("/workspace-stacks/callers-inverted", test_callers_inverted);
  g_test_add_func ("/workspace-stacks/filter", test_filter);
  g_test_add_func ("/workspace-stacks/wrong-pattern", test_wrong_pattern);
  g_test_add_func ("/workspace-stacks/selection-stays", test_selection_stays);
  g_test_add_func ("/workspace-stacks/timeline", test_timeline);
  g_test_add_func ("/workspace-stacks/said", test_said);
  g_test_add_func ("/workspace-stacks/timeline-of-recording", test_timeline_of_recording);
  g_test_add_func ("/workspace-stacks/timeline-cancelled", test_timeline_cancelled);
  g_test_add_func ("/workspace-stacks/limits", test_limits);
  g_test_add_func ("/workspace-stacks/search", test_search);
  return g_test_run ();
}
