/* Comparisons of hand-made profiles, and of saved ones of our own. */
#include "profile-fixture.h"
#include "profile/compare/compare-private.h"
#include "view/layout.h"

#include <math.h>

static WpProfile *
parse (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  WpProfile *profile = wp_profile_parse (name, text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return profile;
}

/* A profile of times with one resource for each pair of stack ("main;f", outermost first) and amount. */
static char *
profile_text (const char *unit, const char *const *stacks, const int *amounts)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text,
                   "{\"header\": {\"type\": \"time\", \"cmd\": \"x\", \"args\": \"\", \"workload\": \"w\", "
                   "\"units\": {\"time\": \"%s\"}}, \"collector_info\": {\"name\": \"t\", \"params\": {}}, "
                   "\"global\": {\"resources\": [",
                   unit);
  for (guint i = 0; stacks[i] != NULL; i++)
    {
      g_auto (GStrv) frames = g_strsplit (stacks[i], ";", -1);
      guint n = g_strv_length (frames);

      g_string_append_printf (text, "%s{\"amount\": %d, \"type\": \"time\", \"subtype\": \"run\", \"uid\": \"%s\", \"trace\": [",
                              i > 0 ? ", " : "", amounts[i], frames[n - 1]);
      for (guint k = n; k-- > 0;)
        g_string_append_printf (text, "%s{\"function\": \"%s\", \"source\": \"/src/%c.c\", \"line\": %u}", k + 1 < n ? ", " : "",
                                frames[k], frames[k][0], i + k);
      g_string_append (text, "]}");
    }
  g_string_append (text, "]}}");
  return g_string_free (text, FALSE);
}

static void
add (WpComparer *comparer, WpSide side, const char *unit, const char *const *stacks, const int *amounts)
{
  g_autofree char *text = profile_text (unit, stacks, amounts);
  g_autoptr (WpProfile) profile = parse (side == WP_SIDE_A ? "/tmp/a.perf" : "/tmp/b.perf", text);
  g_autoptr (GError) error = NULL;

  g_assert_true (wp_comparer_add_profile (comparer, side, profile, &error));
  g_assert_no_error (error);
}

static const char *const stacks[] = { "main;f", "main;f;f", "main;g", "main;g;h", "main;k", NULL };

/* f 30 → 30 of which 10 recursive, g 5 → 15, h 20 → 0 (vanished), k 0 → 7 (new). */
static const int amounts_a[] = { 20, 10, 5, 20, 0 }, amounts_b[] = { 20, 10, 15, 0, 7 };

static WpComparison *
compare_pair (const int *a, const int *b, gboolean normalise)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);

  add (comparer, WP_SIDE_A, "us", stacks, a);
  add (comparer, WP_SIDE_B, "us", stacks, b);
  return wp_comparer_finish (comparer, normalise);
}

static const WpComparedFrame *
frame_of (const WpComparison *c, const char *name)
{
  for (WpId f = 1; f < c->frames.len; f++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), name))
      return &c->frames.data[f];
  g_error ("no frame %s", name);
}

static void
assert_change (const WpChange *change, double a, double b)
{
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_A], a, 1e-6);
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_B], b, 1e-6);
}

static void
test_pair (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);

  g_assert_cmpint (c->unit, ==, WP_UNIT_TIME);
  g_assert_cmpstr (c->rows.data[0].id, ==, "total");
  assert_change (&c->rows.data[0].change, 55000, 52000);
  assert_change (&frame_of (c, "f")->self, 30000, 30000);
  assert_change (&frame_of (c, "f")->total, 30000, 30000); /* recursion counts once */
  assert_change (&frame_of (c, "g")->total, 25000, 15000);
  assert_change (&frame_of (c, "main")->total, 55000, 52000);
  assert_change (&frame_of (c, "main")->self, 0, 0);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "h")), ==, WP_PRESENCE_VANISHED);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "k")), ==, WP_PRESENCE_NEW);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "f")), ==, WP_PRESENCE_COMMON);
  /* the largest change of self is first */
  g_assert_true (&c->frames.data[1] == frame_of (c, "h"));
  g_assert_cmpint (c->rows.data[0].change.evidence, ==, WP_EVIDENCE_NONE);
  g_assert_cmpint (wp_comparison_verdict (c, 0), ==, WP_VERDICT_UNKNOWN);
  g_assert_cmpint (wp_comparison_verdict (c, 0.05), ==, WP_VERDICT_OPTIMIZATION);
  g_assert_cmpint (wp_comparison_verdict (c, 0.06), ==, WP_VERDICT_NO_CHANGE);
  g_assert_cmpuint (c->warnings->len, ==, 0);
}

static void
test_order (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_b, amounts_a, FALSE);

  assert_change (&c->rows.data[0].change, 52000, 55000);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "h")), ==, WP_PRESENCE_NEW);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "k")), ==, WP_PRESENCE_VANISHED);
  g_assert_cmpint (wp_comparison_verdict (c, 0.05), ==, WP_VERDICT_DEGRADATION);
}

static void
test_normalised (void)
{
  static const int twice[] = { 40, 20, 10, 40, 0 };
  g_autoptr (WpComparison) c = compare_pair (amounts_a, twice, TRUE);

  assert_change (&c->rows.data[0].change, 55000, 110000); /* the table never is */
  for (WpId f = 1; f < c->frames.len; f++)
    {
      g_assert_cmpfloat_with_epsilon (wp_change_absolute (&c->frames.data[f].self), 0, 1e-6);
      g_assert_cmpfloat_with_epsilon (wp_change_absolute (&c->frames.data[f].total), 0, 1e-6);
    }
  g_assert_cmpfloat_with_epsilon (c->factor, 2, 1e-12);
}

/* Amounts of the same unit are the same whatever it is called; others are refused. */
static void
test_units (void)
{
  static const int in_ms[] = { 20, 10, 5, 20, 0 }, in_us[] = { 20000, 10000, 5000, 20000, 0 };
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 2);
  g_autofree char *text = profile_text ("sample", stacks, in_ms);
  g_autoptr (WpProfile) profile = parse ("/tmp/c.perf", text);
  g_autoptr (GError) error = NULL;

  add (comparer, WP_SIDE_A, "ms", stacks, in_ms);
  add (comparer, WP_SIDE_B, "us", stacks, in_us);
  g_assert_cmpfloat (comparer->result->nodes.data[0].total[WP_SIDE_A], ==, 2 * comparer->result->nodes.data[0].total[WP_SIDE_B]);
  g_assert_false (wp_comparer_add_profile (comparer, WP_SIDE_B, profile, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "/tmp/c.perf: amounts are in sample, those before in ms"));
}

static WpComparison *
compare_sets (const int *times_a, const int *times_b, guint n)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (n, n);

  for (guint side = 0; side < WP_N_SIDES; side++)
    for (guint i = 0; i < n; i++)
      {
        int amounts[] = { side == WP_SIDE_A ? times_a[i] : times_b[i], 0, 1000, 0, 0 };

        add (comparer, side, "ns", stacks, amounts);
      }
  return wp_comparer_finish (comparer, FALSE);
}

/* Noise is told from change: g is always the same, f is clearly slower. */
static void
test_sets (void)
{
  static const int before[] = { 10000, 10400, 9800, 10200, 10100 }, after[] = { 12000, 11800, 12500, 12300, 12100 };
  static const int again[] = { 10050, 10300, 9900, 10250, 10150 };
  g_autoptr (WpComparison) slower = compare_sets (before, after, 5), same = compare_sets (before, again, 5);
  g_autoptr (WpComparison) few = compare_sets (before, after, 3);
  g_autofree char *text = wp_comparison_verdict_text (slower, 0), *few_text = wp_comparison_verdict_text (few, 0);

  g_assert_cmpint (wp_comparison_verdict (slower, 0), ==, WP_VERDICT_DEGRADATION);
  g_assert_cmpint (wp_comparison_verdict (slower, 0.15), ==, WP_VERDICT_DEGRADATION);
  g_assert_cmpint (wp_comparison_verdict (slower, 0.25), ==, WP_VERDICT_NO_CHANGE); /* shift 2000 of 11100 */
  g_assert_nonnull (strstr (text, "Degradation: Total +18.4 %. Mann–Whitney U test, two-sided, exact: p = 0.008, n = 5 and 5"));
  g_assert_cmpint (frame_of (slower, "f")->self.evidence, ==, WP_EVIDENCE_CHANGE);
  g_assert_cmpfloat_with_epsilon (frame_of (slower, "f")->self.shift, 2000, 150);
  g_assert_cmpint (frame_of (slower, "g")->self.evidence, ==, WP_EVIDENCE_NOISE);
  g_assert_cmpint (wp_comparison_verdict (same, 0), ==, WP_VERDICT_NO_CHANGE);
  g_assert_cmpint (frame_of (same, "f")->self.evidence, ==, WP_EVIDENCE_NOISE);
  g_assert_cmpint (wp_comparison_verdict (few, 0), ==, WP_VERDICT_UNKNOWN);
  g_assert_nonnull (strstr (few_text, "too few to tell change from noise"));
}

/* The stacks of profiles with `func` stand the other way round, and their uid is on top. */
static void
test_new_traces (void)
{
  static const char text[]
    = "{\"header\": {\"type\": \"time\", \"cmd\": \"ls\", \"workload\": \"\", \"units\": {\"time\": \"sample\"}}, "
      "\"collector_info\": {\"name\": \"kperf\", \"params\": {}}, \"resources\": {\"leaf#0\": {\"amount\": [2, 3]}}, "
      "\"resource_type_map\": {\"leaf#0\": {\"type\": \"time\", \"uid\": \"leaf\", \"trace\": [{\"func\": \"outer\"}, {\"func\": "
      "\"inner\"}]}}}";
  g_autoptr (WpProfile) profile = parse ("/tmp/k.perf", text);
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  g_autoptr (WpComparison) c = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_true (wp_comparer_add_profile (comparer, WP_SIDE_A, profile, NULL));
  g_assert_true (wp_comparer_add_profile (comparer, WP_SIDE_B, profile, NULL));
  c = wp_comparer_finish (comparer, FALSE);
  wp_comparison_write (out, c, WP_COMPARE_FOLDED, 0);
  g_assert_cmpstr (out->str, ==, "outer;inner;leaf 5 5\n");
}

/* --- our own --------------------------------------------------------------------------------------------------------- */

static WpComparison *
compare_own (WpTrace *a, WpTrace *b, const char *task)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  WpDocument documents[] = { { .path = (char *) "/tmp/a.perf", .trace = a }, { .path = (char *) "/tmp/b.perf", .trace = b } };

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_autoptr (WpPaths) paths = fixture_paths (documents[side].trace, fixture_task (documents[side].trace, task));

      g_assert_true (wp_comparer_add_paths (comparer, side, &documents[side], paths, NULL, NULL));
    }
  return wp_comparer_finish (comparer, FALSE);
}

static void
test_same_recording (void)
{
  WpTrace *trace = fixture_everything ();
  g_autoptr (WpComparison) c = compare_own (trace, trace, "client");
  double categories = 0, own = 0;

  g_assert_cmpstr (c->rows.data[0].id, ==, "wall");
  g_assert_cmpuint (c->warnings->len, ==, 0);
  for (guint32 r = 0; r < c->rows.len; r++)
    {
      g_assert_cmpfloat (wp_change_absolute (&c->rows.data[r].change), ==, 0);
      if (c->rows.data[r].level == WP_ROW_CATEGORY)
        categories += c->rows.data[r].change.mean[WP_SIDE_A];
    }
  for (WpId f = 1; f < c->frames.len; f++)
    own += c->frames.data[f].self.mean[WP_SIDE_B];
  g_assert_cmpfloat (categories, >, 0);
  g_assert_cmpfloat (categories, ==, c->rows.data[1].change.mean[WP_SIDE_A]); /* both add up to the total */
  g_assert_cmpfloat (own, ==, categories);
  g_assert_cmpfloat (c->nodes.data[0].total[WP_SIDE_B], ==, categories);
  wp_trace_free (trace);
}

static void
test_warnings (void)
{
  WpTrace *a = fixture_everything (), *b = fixture_everything ();
  g_autoptr (WpComparison) c = NULL;
  g_autoptr (GString) all = g_string_new (NULL);

  g_free (b->host);
  b->host = g_strdup ("elsewhere");
  g_free (b->kernel);
  b->kernel = g_strdup ("7.0");
  g_free (b->command);
  b->command = g_strdup ("another 100 %s");
  c = compare_own (a, b, "client");
  for (guint i = 0; i < c->warnings->len; i++)
    g_string_append_printf (all, "%s\n", (char *) c->warnings->pdata[i]);
  if (a->host != NULL)
    g_assert_nonnull (strstr (all->str, "B is of elsewhere"));
  if (a->kernel != NULL)
    g_assert_nonnull (strstr (all->str, "B on 7.0"));
  if (a->command != NULL)
    g_assert_nonnull (strstr (all->str, "B ran another 100 %s"));
  g_assert_cmpuint (c->warnings->len, ==, (a->host != NULL) + (a->kernel != NULL) + (a->command != NULL));
  g_assert_cmpuint (c->warnings->len, >, 0);
  wp_trace_free (a);
  wp_trace_free (b);
}

/* --- the picture ----------------------------------------------------------------------------------------------------- */

static const WpBox *
box_of (const WpRows *rows, const char *label)
{
  for (guint32 b = 0; b < rows->boxes.len; b++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[b].label), label))
      return &rows->boxes.data[b];
  return NULL;
}

static void
test_layout (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);
  g_autoptr (WpRows) b = wp_layout_diff (c, WP_DIFF_B, FALSE), a = wp_layout_diff (c, WP_DIFF_A, FALSE);
  g_autoptr (WpRows) gone = wp_layout_diff (c, WP_DIFF_VANISHED, TRUE);

  g_assert_cmpint (b->end, ==, 52000);
  g_assert_cmpint (a->end, ==, 55000);
  g_assert_cmpint (gone->end, ==, 20000);
  g_assert_cmpint (box_of (b, "k  new")->kind, ==, WP_BOX_NEW);
  g_assert_null (box_of (b, "h  vanished"));
  g_assert_cmpint (box_of (a, "h  vanished")->kind, ==, WP_BOX_VANISHED);
  g_assert_null (box_of (a, "k  new"));
  g_assert_cmpint (box_of (b, "f")->kind, ==, WP_BOX_SAME);
  g_assert_cmpint (box_of (b, "g  −40.0 %")->kind, ==, WP_BOX_MUCH_LESS);
  g_assert_cmpint (box_of (b, "main  −5.5 %")->kind, ==, WP_BOX_LESS);
  g_assert_cmpuint (gone->rows.len, ==, 3); /* main, g, h: an icicle */
  g_assert_cmpuint (gone->boxes.len, ==, 3);
  g_assert_cmpint (gone->boxes.data[0].end, ==, 20000);
  for (guint32 r = 0; r < b->rows.len; r++)
    for (guint32 i = b->rows.data[r].first; i + 1 < b->rows.data[r].first + b->rows.data[r].n; i++)
      g_assert_cmpint (b->boxes.data[i].end, <=, b->boxes.data[i + 1].start);
}

static void
test_formats (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);
  g_autoptr (GString) out = g_string_new (NULL);

  wp_comparison_write (out, c, WP_COMPARE_FOLDED, 0);
  g_assert_nonnull (strstr (out->str, "main;g;h 20000 0\n"));
  g_assert_nonnull (strstr (out->str, "main;k 0 7000\n"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_TEXT, 0);
  g_assert_nonnull (strstr (out->str, "Unknown: Total −5.5 %. 1 and 1 profiles are too few"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_MARKDOWN, 0.01);
  g_assert_nonnull (strstr (out->str, "**Optimization: Total −5.5 %."));
  g_assert_nonnull (strstr (out->str, "| h  h.c | 20.0 µs | 0 ns | −20.0 µs | vanished |  |\n"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_TSV, 0);
  g_assert_nonnull (strstr (out->str, "self\th\th.c\t20000\t0\t-20000\t-1\t\t\t\t\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/pair", test_pair);
  g_test_add_func ("/compare/order", test_order);
  g_test_add_func ("/compare/normalised", test_normalised);
  g_test_add_func ("/compare/units", test_units);
  g_test_add_func ("/compare/sets", test_sets);
  g_test_add_func ("/compare/new-traces", test_new_traces);
  g_test_add_func ("/compare/same-recording", test_same_recording);
  g_test_add_func ("/compare/warnings", test_warnings);
  g_test_add_func ("/compare/layout", test_layout);
  g_test_add_func ("/compare/formats", test_formats);
  return g_test_run ();
}
