/* What the details pane and tooltips say about a box, without a window. */
#include <pango/pango.h>

#include "workspace-model.h"
#include "workspace/file/boxes.h"
#include "workspace/file/details-text.h"
#include "workspace/file/strip-text.h"

/* Links are GTK's, on top of Pango's markup. */
static char *
shown_text (const char *markup)
{
  g_autoptr (GRegex) links = g_regex_new ("</?a( href=\"[^\"]*\")?>", 0, 0, NULL);
  g_autofree char *without = g_regex_replace_literal (links, markup, -1, 0, "", 0, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  pango_parse_markup (without, -1, 0, NULL, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* Names in a trace may hold anything that markup gives a meaning to. */
static void
test_details (void)
{
  Model model;

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);

      for (guint32 i = 0; i < rows->boxes.len; i++)
        {
          WpId part = wp_box_part (&rows->boxes.data[i], &model.analysis, 0, G_MAXINT64, NULL);
          WpDetailsRequest request = { .rows = rows, .box = i, .part = part, .n_parts = 2, .trace = model.trace,
                                       .analysis = &model.analysis };
          g_autoptr (WpDetailsText) text = wp_details_text_new (&request);
          g_autoptr (WpDetailsText) bare = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i });
          g_autofree char *plain = wp_details_text_plain (text);
          g_autofree char *tip = wp_box_tooltip (&(WpTooltipRequest) { .rows = rows, .box = i, .part = part, .trace = model.trace, .analysis = &model.analysis }, NULL);
          const char *const markup[] = { text->stack, text->woken_by, text->woke, text->why };

          for (guint k = 0; k < G_N_ELEMENTS (markup); k++)
            if (markup[k] != NULL)
              {
                g_autofree char *shown = shown_text (markup[k]);

                g_assert_cmpstr (shown, !=, "");
              }
          g_assert_cmpstr (text->title, ==, wp_strings_get (rows->strings, rows->boxes.data[i].label));
          g_assert_true (g_str_has_prefix (plain, text->title));
          g_assert_null (strstr (plain, "<a href"));
          g_assert_true (g_str_has_prefix (tip, text->title));
          g_assert_cmpuint (bare->facts.len, >=, 2);
          g_assert_null (bare->stack);
        }
    }
  model_clear (&model);
}

/* Where several things went on at once, what of the elapsed time a box answers for is said; all boxes of processes together have it all. */
static void
assert_latency (const char *scenario)
{
  g_autofree char *file = g_strconcat (scenario, ".trace", NULL), *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", file, NULL);
  Model model;
  const WpExplanation *e;
  gint64 rows = 0;

  model_init_of (&model, wp_read (path, NULL, NULL, NULL), "A");
  e = model.analysis.explanation;
  g_assert_true (wp_explanation_is_parallel (e));
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    rows += e->latency[c];
  for (guint view = 1; view < 3; view++)
    {
      g_autoptr (WpRows) layed_out = layout (&model, view);
      gint64 sum = 0;

      for (guint32 i = 0; i < layed_out->boxes.len; i++)
        {
          const WpBox *box = &layed_out->boxes.data[i];
          WpId part = wp_box_part (box, &model.analysis, 0, G_MAXINT64, NULL);
          WpDetailsRequest request = { .rows = layed_out, .box = i, .part = part, .n_parts = 1, .trace = model.trace, .analysis = &model.analysis };
          g_autoptr (WpDetailsText) text = wp_details_text_new (&request);
          WpTooltipRequest hovered = { .rows = layed_out, .box = i, .part = part, .trace = model.trace, .analysis = &model.analysis };
          g_autofree char *plain = wp_details_text_plain (text), *tip = wp_box_tooltip (&hovered, NULL);

          if (box->ref_kind == WP_REF_NODE && box->frame == WP_FRAME_OF_TOP) /* a part of its node's */
            continue;
          g_assert_nonnull (strstr (plain, "Latency: "));
          g_assert_cmpint (strstr (tip, "of the elapsed time") != NULL, ==, box->ref_kind == WP_REF_NODE);
          if (box->ref_kind == WP_REF_NODE && model.analysis.tree->nodes.data[box->ref].parent == 0)
            sum += model.analysis.tree->nodes.data[box->ref].latency;
          else if (box->ref_kind == WP_REF_PART && box->frame == 0 && model.analysis.paths->parts.data[box->ref].parent == 0)
            sum += wp_box_latency (box, &model.analysis);
        }
      g_assert_cmpint (sum, ==, rows);
    }
  model_clear (&model);
}

/* With what a task's process was started is said of its boxes, and of no other's. */
static void
test_arguments (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "preempted.trace", NULL);
  g_autoptr (WpRows) rows = NULL;
  guint n = 0;
  Model model;

  model_init_of (&model, wp_read (path, NULL, NULL, NULL), "A");
  wp_trace_set_arguments (model.trace, 10, "/usr/bin/A --all");
  wp_trace_set_arguments (model.trace, 11, "sh before-B");
  rows = layout (&model, 0);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i, .trace = model.trace });
      g_autofree char *plain = wp_details_text_plain (text);
      gboolean of_a = strstr (plain, "Task: A") != NULL;

      g_assert_cmpint (strstr (plain, "Started as: /usr/bin/A --all") != NULL, ==, of_a);
      g_assert_null (strstr (plain, "before-B"));
      n += of_a;
    }
  g_assert_cmpuint (n, >=, 2);
  model_clear (&model);
}

static void
test_latency (void)
{
  assert_latency ("two-threads");
  assert_latency ("earlier-call");
  assert_latency ("call-tree");
  assert_latency ("ring-of-three");
}

/* What the program said that it was doing when a box began. */
static void
test_marks (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  WpMarkSpan mark = { 0 };
  guint n = 0;

  model_init (&model);
  for (WpId i = 1; i < model.trace->ops.len; i++)
    {
      const WpOp *op = &model.trace->ops.data[i];
      const WpTask *task = &model.trace->tasks.data[op->task];

      if (op->kind == WP_OP_RUN && op->end > op->start && task->pid > 0)
        mark = (WpMarkSpan) { .start = op->start, .end = op->end, .pid = task->pid, .tid = task->tid };
    }
  g_assert_cmpint (mark.pid, >, 0);
  mark.name = wp_strings_intern (model.trace->strings, "outer <");
  wp_array_push (&model.trace->marks, mark);
  mark.name = wp_strings_intern (model.trace->strings, "inner");
  wp_array_push (&model.trace->marks, mark);
  rows = layout (&model, 0);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpDetailsRequest request = { .rows = rows, .box = i, .trace = model.trace, .analysis = &model.analysis };
      g_autoptr (WpDetailsText) text = wp_details_text_new (&request);

      for (guint f = 0; f < text->facts.len; f++)
        if (g_str_equal (text->facts.data[f].label, "Mark"))
          {
            g_assert_cmpstr (text->facts.data[f].markup, ==, "outer &lt; › inner");
            g_assert_true (rows->boxes.data[i].start >= mark.start && rows->boxes.data[i].start < mark.end);
            n++;
          }
    }
  g_assert_cmpuint (n, >, 0);
  model_clear (&model);
}

/* Frames whose lines nobody has looked up are asked for; what is found stands behind their names. */
static void
test_sources (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  WpSources *sources = wp_sources_new ();
  GHashTable *found = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  WpDetailsRequest request = { .sources = sources };
  WpDetailsText *text = NULL;
  const char *markup;

  model_init (&model);
  rows = layout (&model, 1);
  request = (WpDetailsRequest) { .rows = rows, .trace = model.trace, .analysis = &model.analysis, .sources = sources };
  for (guint32 i = 0; i < rows->boxes.len && (text == NULL || text->frames->len == 0); i++)
    {
      g_clear_pointer (&text, wp_details_text_free);
      request.box = i;
      request.part = wp_box_part (&rows->boxes.data[i], &model.analysis, 0, G_MAXINT64, NULL);
      text = wp_details_text_new (&request);
    }
  g_assert_cmpuint (text->frames->len, >, 0);
  for (guint i = 0; i < text->frames->len; i++)
    g_hash_table_insert (found, GUINT_TO_POINTER (g_array_index (text->frames, WpId, i)),
                         i == 0 ? g_strdup (" here.c:12") : NULL);
  g_assert_false (wp_sources_get (sources, g_array_index (text->frames, WpId, 0), &markup));
  g_assert_true (wp_sources_add (sources, found));
  g_assert_false (wp_sources_add (sources, NULL));
  wp_details_text_free (text);
  text = wp_details_text_new (&request);
  g_assert_cmpuint (text->frames->len, ==, 0);
  g_assert_nonnull (strstr (text->stack, " here.c:12"));
  wp_details_text_free (text);
  wp_sources_free (sources);
  model_clear (&model);
}

/* Every link of every box leads to what is there. */
static void
follow_links (const WpTrace *trace, const char *markup, guint *n)
{
  g_autoptr (GRegex) links = g_regex_new ("<a href=\"([^\"]*)\">", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (gboolean more = g_regex_match (links, markup, 0, &match); more; more = g_match_info_next (match, NULL))
    {
      g_autofree char *uri = g_match_info_fetch (match, 1);
      WpId id = 0;
      WpLinkTarget target = wp_details_link (uri, trace, &id);

      if (wp_details_link_name (uri) != NULL)
        g_assert_cmpint (target, ==, WP_LINK_NOWHERE);
      else
        g_assert_cmpint (target, ==, g_str_has_prefix (uri, "op:") ? WP_LINK_TO_OP : WP_LINK_TO_TASK);
      ++*n;
    }
}

static void
test_links (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  guint n = 0;

  model_init (&model);
  rows = layout (&model, 1);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      WpSelection selection = wp_select_box (rows, i, model.trace, &model.analysis, 0, 1e18);
      g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i, .part = selection.part,
                                                                                  .n_parts = selection.n_parts, .trace = model.trace,
                                                                                  .analysis = &model.analysis });

      for (guint32 f = 0; f < text->facts.len; f++)
        follow_links (model.trace, text->facts.data[f].markup, &n);
      follow_links (model.trace, text->stack != NULL ? text->stack : "", &n);
      follow_links (model.trace, text->woken_by != NULL ? text->woken_by : "", &n);
      follow_links (model.trace, text->woke != NULL ? text->woke : "", &n);
    }
  g_assert_cmpuint (n, >, 50);
  model_clear (&model);
}

static void
test_bad_links (void)
{
  static const char *const bad[] = { "", "op", "op:", "op:0", "op:-1", "op:x", "op:99999999", "task:0", "task:99999999999999999999", "page:1", "find:x" };
  Model model;
  WpId id = 0;

  model_init (&model);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_cmpint (wp_details_link (bad[i], model.trace, &id), ==, WP_LINK_NOWHERE);
  g_assert_cmpint (wp_details_link ("op:1", NULL, &id), ==, WP_LINK_NOWHERE); /* symbols are being read */
  g_assert_cmpint (wp_details_link ("op:1", model.trace, &id), ==, WP_LINK_TO_OP);
  g_assert_cmpuint (id, ==, 1);
  g_assert_cmpstr (wp_details_link_name ("find:operator<"), ==, "operator<");
  g_assert_null (wp_details_link_name ("op:1"));
  model_clear (&model);
}

/* Who waits for whom, and how long: of each stretch that is lit in a scenario. */
static void
test_strip (void)
{
  static const char *const expected[] = {
    "A · Running · 60.0 µs (15.0 % of what is seen)",
    "A · Running · 30.0 µs (7.5 % of what is seen)",
    "B · Running · 50.0 µs (12.5 % of what is seen)\nA waits for B: 300 µs",
    "B · Sleeping · 2.00 µs (0.5 % of what is seen)\nA waits for B: 300 µs",
    "B · Waiting for a CPU · 8.00 µs (2.0 % of what is seen)\nA waits for B: 300 µs",
    "B · Running · 60.0 µs (15.0 % of what is seen)\nA waits for B: 300 µs",
    "8:1048000 · Queued for the disk · 10.0 µs (2.5 % of what is seen)\nB waits for 8:1048000: 192 µs\nA waits for B: 300 µs",
    "8:1048000 · Disk · 180 µs (45.0 % of what is seen)\nB waits for 8:1048000: 192 µs\nA waits for B: 300 µs",
  };
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "fork-wait-file.trace", NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  WpAnalysis analysis = { .paths = fixture_paths (trace, fixture_task (trace, "A")) };
  g_autoptr (WpExplanation) explanation = wp_explain (analysis.paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpRows) strip = wp_layout_strip (analysis.paths, explanation);
  g_autofree char *all = wp_strip_text (strip);

  g_assert_cmpuint (strip->boxes.len, ==, G_N_ELEMENTS (expected));
  for (guint32 i = 0; i < strip->boxes.len; i++)
    {
      g_autofree char *tip = wp_strip_tooltip (strip, i, &analysis, 0, 0);

      g_assert_cmpstr (tip, ==, expected[i]);
    }
  g_assert_cmpstr (all, ==, "A: active for 90.0 µs, of which it ran for 90.0 µs\nB: active for 120 µs, of which it ran for 110 µs\n"
                            "8:1048000: active for 190 µs");
  wp_paths_free (analysis.paths);
}

/* On which CPU it ran; and who had the CPU that it was pushed off. */
static void
test_cpu (void)
{
  static const struct
  {
    const char *box, *label, *value;
    guint times;
  } expected[] = { { "A", "CPU", "0", 2 }, { "B", "CPU", "0", 1 }, { "A", "Had the CPU", "B 100.0 %", 1 }, { "B", "Had the CPU", "A 100.0 %", 1 } };
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "preempted.trace", NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &(WpProcessesOptions) { .show_sleeps = TRUE }, NULL, NULL);
  guint found[G_N_ELEMENTS (expected)] = { 0 };

  for (guint32 box = 0; box < rows->boxes.len; box++)
    {
      g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = box, .trace = trace });
      const char *whose = wp_trace_task_name (trace, trace->ops.data[rows->boxes.data[box].ref].task);

      for (guint e = 0; e < G_N_ELEMENTS (expected); e++)
        for (guint f = 0; f < text->facts.len && g_str_equal (whose, expected[e].box); f++)
          if (g_str_equal (text->facts.data[f].label, expected[e].label))
            {
              g_autofree char *value = shown_text (text->facts.data[f].markup);

              g_assert_cmpstr (value, ==, expected[e].value);
              found[e]++;
            }
    }
  for (guint e = 0; e < G_N_ELEMENTS (expected); e++)
    g_assert_cmpuint (found[e], ==, expected[e].times);
}

/* On the row, in the tooltip, and in place of who woke it, who had the CPU: the longest first. */
static void
test_rivals (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "rivals.trace", NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  g_autoptr (WpRows) rows = wp_layout_processes (trace, &(WpProcessesOptions) { .show_sleeps = TRUE }, NULL, NULL);
  guint found = 0;

  for (guint32 box = 0; box < rows->boxes.len; box++)
    if (rows->boxes.data[box].kind == WP_BOX_RUNNABLE && g_str_equal (wp_rows_string (rows, rows->boxes.data[box].label), "B has the CPU"))
      {
        g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = box, .trace = trace });
        g_autofree char *tip = wp_box_tooltip (&(WpTooltipRequest) { .rows = rows, .box = box, .trace = trace }, NULL), *woken = shown_text (text->woken_by);

        g_assert_cmpstr (tip, ==, "B has the CPU\nWaiting for a CPU · 2.60 ms (43.3 % of what is seen)\nA (10)\nHad the CPU:\n▆▆▆▆▆▆▆▆ B 76.9 %\n▆▆ C 19.2 %");
        g_assert_cmpstr (woken, ==, "nobody: it was pushed off its CPU, and ready all the time\nMeanwhile had the CPU: B 76.9 %, C 19.2 %");
        found++;
      }
  g_assert_cmpuint (found, ==, 1);
}

static void
assert_distance (gint64 a, gint64 until_a, gint64 b, gint64 until_b, const char *expected)
{
  const WpBox first = { .start = a, .end = until_a }, second = { .start = b, .end = until_b };
  g_autofree char *text = wp_boxes_distance_text (&first, &second), *turned = wp_boxes_distance_text (&second, &first);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpstr (turned, ==, expected);
}

static void
test_distance (void)
{
  assert_distance (0, 10, 25, 30, "From start to start 25 ns; 15 ns between them; 30 ns in all");
  assert_distance (0, 10, 4, 30, "From start to start 4 ns; for 6 ns both last; 30 ns in all");
  assert_distance (0, 10, 10, 30, "From start to start 10 ns; 0 ns between them; 30 ns in all");
}

/* Why B, which read from a disk, let A wait for it: the sentence names who ended the wait, and what that had done. */
static void
test_why (void)
{
  static const struct
  {
    const char *label, *why;
  } expected[] = {
    { "waits for child B", "Woken by B (11), which had waited 192 µs for 8:1048000" },
    { "8:1048000: read 4 KiB", "B (11) asked for it" },
  };
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "fork-wait-file.trace", NULL);
  Model model;
  g_autoptr (WpRows) rows = NULL;

  model_init_of (&model, wp_read (path, NULL, NULL, NULL), "A");
  rows = wp_layout_flame (model.analysis.paths, model.analysis.explanation, (WpDepthChoice) { WP_DEPTH_WAITS, NULL, NULL }, NULL, NULL);
  for (guint e = 0; e < G_N_ELEMENTS (expected); e++)
    {
      gboolean found = FALSE;

      for (guint32 i = 0; i < rows->boxes.len; i++)
        if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), expected[e].label))
          {
            WpId part = wp_box_part (&rows->boxes.data[i], &model.analysis, 0, G_MAXINT64, NULL);
            g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i, .part = part, .n_parts = 1,
                                                                                        .trace = model.trace, .analysis = &model.analysis });
            g_autofree char *shown = shown_text (text->why), *plain = wp_details_text_plain (text);

            g_assert_cmpstr (shown, ==, expected[e].why);
            g_assert_nonnull (strstr (plain, expected[e].why));
            found = TRUE;
          }
      g_assert_true (found);
    }
  model_clear (&model);
}

/* Of what is seen, which share; of its time what nothing stands on; and whose code it is. */
static void
test_tooltip (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "scenarios", "fork-wait-file.trace", NULL), *whole = NULL, *part = NULL;
  Model model;
  g_autoptr (WpRows) rows = NULL;

  model_init_of (&model, wp_read (path, NULL, NULL, NULL), "A");
  rows = layout (&model, 1);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), "main") && rows->boxes.data[i].start == rows->start)
      {
        WpTooltipRequest request = { .rows = rows, .box = i, .part = rows->boxes.data[i].ref, .trace = model.trace, .analysis = &model.analysis };

        whole = wp_box_tooltip (&request, NULL);
        request.from = (double) rows->start;
        request.to = (double) rows->start + 2.0 * (double) (rows->end - rows->start);
        part = wp_box_tooltip (&request, NULL);
      }
  g_assert_nonnull (strstr (whole, "400 µs (100.0 % of what is seen)\nSelf 0 ns\nwork\nA (10)"));
  g_assert_nonnull (strstr (part, "(50.0 % of what is seen)"));
  model_clear (&model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/details/text", test_details);
  g_test_add_func ("/workspace/details-rivals", test_rivals);
  g_test_add_func ("/workspace/details-latency", test_latency);
  g_test_add_func ("/workspace/details-arguments", test_arguments);
  g_test_add_func ("/workspace/details-marks", test_marks);
  g_test_add_func ("/details/why", test_why);
  g_test_add_func ("/details/tooltip", test_tooltip);
  g_test_add_func ("/details/distance", test_distance);
  g_test_add_func ("/details/sources", test_sources);
  g_test_add_func ("/details/links", test_links);
  g_test_add_func ("/details/bad-links", test_bad_links);
  g_test_add_func ("/details/strip", test_strip);
  g_test_add_func ("/details/cpu", test_cpu);
  return g_test_run ();
}
