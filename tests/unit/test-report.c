/* The explanation as a report: every format has all of it. */
#include "paths-maker.h"
#include "profile/model/report.h"

/* In TSV the lines of categories and those of sub-rows each sum to the total, their latency to the wall time, and the last category's cumulative share is 1. */
static void
test_report (void)
{
  static const char *const formats[WP_REPORT_FORMAT_COUNT] = {
    [WP_REPORT_TEXT] = "text", [WP_REPORT_TSV] = "tsv", [WP_REPORT_JSON] = "json", [WP_REPORT_MARKDOWN] = "markdown",
  };
  TraceMaker m;
  WpDocument document = { .path = (char *) "a.data" };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  gint64 categories = 0, rows = 0, latency = 0;

  make_chain (&m);
  document.trace = m.trace;
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 1500 * US, 3500 * US, NULL, NULL);
  g_assert_cmpint (e->total, ==, 2000 * US);
  g_assert_cmpfloat (wp_explanation_cumulative (e, WP_CATEGORY_UNACCOUNTED, FALSE), ==, 1.0);
  wp_report_write (out, &document, e, paths, WP_REPORT_TSV);
  lines = g_strsplit (out->str, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "category\tname\tns\tshare\t"));
  for (guint i = 1; lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);

      g_assert_cmpuint (g_strv_length (fields), ==, 10);
      if (wp_category_from_id (fields[0]) < WP_CATEGORY_COUNT)
        {
          categories += g_ascii_strtoll (fields[2], NULL, 10);
          latency += g_ascii_strtoll (fields[9], NULL, 10);
        }
      else if (g_str_equal (fields[0], "row"))
        rows += g_ascii_strtoll (fields[2], NULL, 10);
    }
  g_assert_cmpint (categories, ==, e->total);
  g_assert_cmpint (rows, ==, e->total);
  g_assert_cmpint (latency, ==, e->wall);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    {
      g_string_truncate (out, 0);
      wp_report_write (out, &document, e, paths, f);
      g_assert_nonnull (strstr (out->str, wp_category_name (WP_CATEGORY_NOT_SAMPLED)));
      g_assert_cmpuint (wp_report_format_from_id (formats[f]), ==, f);
    }
  g_assert_cmpuint (wp_report_format_from_id ("html"), ==, WP_REPORT_FORMAT_COUNT);
  wp_trace_free (m.trace);
}

/* A profile that was saved by others may call a task anything: what it says stays within its line. */
static void
test_report_name_of_lines (void)
{
  TraceMaker m;
  WpDocument document = { .path = (char *) "a.data" };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) e = NULL;

  trace_maker_init (&m);
  trace_maker_know (&m, 1, 1, "work");
  trace_maker_switch (&m, 0, 0, 0, 0, 1);
  trace_maker_switch (&m, 1000 * US, 0, 1, 16, 0);
  trace_maker_finish (&m);
  document.trace = m.trace;
  m.trace->tasks.data[1].name = wp_strings_intern (m.trace->strings, "two\nlines");
  paths = make_paths (m.trace, 1, NULL);
  e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  for (guint f = 0; f < WP_REPORT_FORMAT_COUNT; f++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wp_report_write (out, &document, e, paths, f);
      g_assert_nonnull (strstr (out->str, f == WP_REPORT_JSON ? "\"two\\u000alines\"" : "two lines"));
      g_assert_null (strstr (out->str, "two\n"));
    }
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/sums", test_report);
  g_test_add_func ("/report/name-of-lines", test_report_name_of_lines);
  return g_test_run ();
}
