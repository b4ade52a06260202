/* Queries, tables, groups, heap maps, models and checks. Expected results are Perun's where it has them. */
#include "profile/checks/checks.h"
#include "profile/model/flame-lines.h"
#include "profile/model/groups.h"
#include "profile/model/heap-map.h"
#include "profile/model/postprocess.h"
#include "profile/fit/regression.h"
#include "profile/model/scatter.h"

#include <math.h>

#define HEADER \
  "\"header\": {\"type\": \"memory\", \"cmd\": \"x\", \"args\": \"\", \"workload\": \"\", \"units\": {\"memory\": \"B\"}}"

static WpProfile *
parse (const char *rest)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf ("{" HEADER ", %s}", rest);
  WpProfile *profile = wp_profile_parse ("x.perf", text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return profile;
}

static WpProfile *
parse_resources (const char *resources)
{
  g_autofree char *rest = g_strdup_printf ("\"global\": {\"resources\": [%s]}", resources);

  return parse (rest);
}

static void
append_list (GString *out, const WpProfile *profile, const WpIdArray *values)
{
  for (guint32 i = 0; i < values->len; i++)
    {
      g_string_append (out, i > 0 ? " " : "");
      wp_value_write (profile->values, values->data[i], -1, out);
    }
}

/* --- flattening ------------------------------------------------------------------------------------------------------ */

static void
assert_flat (const char *resource, const char *expected)
{
  g_autoptr (WpProfile) profile = parse_resources (resource);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);
  g_autoptr (GString) out = g_string_new (NULL);
  WpItemArray items = { 0 };

  wp_flatten (flattener, profile->resources.data[0].value, &items);
  for (guint32 i = 0; i < items.len; i++)
    {
      g_string_append (out, i > 0 ? "|" : "");
      wp_value_str (profile->values, items.data[i].key, out);
      g_string_append_c (out, '=');
      wp_value_str (profile->values, items.data[i].value, out);
    }
  g_assert_cmpstr (out->str, ==, expected);
  wp_array_clear (&items);
}

static void
test_flatten (void)
{
  assert_flat ("{\"type\": \"memory\", \"amount\": 4, \"uid\": {\"line\": 22, \"function\": \"main\", \"source\": \"a.c\"}}",
               "type=memory|amount=4|uid:line=22|uid:function=main|uid:source=a.c|uid=a.c:main:22");
  assert_flat ("{\"a\": {\"b\": {\"c\": 1}, \"file\": null}}", "a:b:c=1|a:b=1|a:file=None|a=None:1:1");
  assert_flat ("{\"trace\": [{\"line\": 1.0, \"function\": \"f\"}, \"g\", [1, true], {}], \"e\": {}, \"l\": []}",
               "trace=1.0:f,g,1,True,|e=|l=");
  assert_flat ("{\"u\": {\"zz\": 1, \"b\": 2, \"bin\": 3}}", "u:zz=1|u:b=2|u:bin=3|u=3:2:1");
}

/* A chain of objects doubles its text at each level; it is cut, not refused. */
static void
test_flatten_doubling (void)
{
  g_autoptr (GString) text = g_string_new ("{\"a\": ");
  g_autoptr (WpProfile) profile = NULL;
  g_autoptr (WpFlattener) flattener = NULL;
  guint depth = WP_JSON_MAX_DEPTH - 6;

  for (guint i = 0; i < depth; i++)
    g_string_append (text, "{\"a\": ");
  g_string_append (text, "1");
  for (guint i = 0; i <= depth; i++)
    g_string_append_c (text, '}');
  profile = parse_resources (text->str);
  flattener = wp_flattener_new (profile->values);
  g_assert_cmpuint (strlen (wp_value_string (profile->values, wp_flatten_joined (flattener, profile->resources.data[0].value))), ==,
                    1024 * 1024);
}

/* --- queries --------------------------------------------------------------------------------------------------------- */

static void
assert_unique (WpProfile *profile, const char *key, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  WpIdArray found = { 0 };

  wp_query_unique_resource_values (profile, key, &found);
  append_list (out, profile, &found);
  g_assert_cmpstr (out->str, ==, expected);
  wp_array_clear (&found);
}

static void
test_unique (void)
{
  g_autoptr (WpProfile) profile
    = parse_resources ("{\"n\": 2.0, \"t\": [{\"f\": \"a\"}, {\"f\": \"b\"}], \"u\": {\"x\": 1, \"y\": 2}},"
                       "{\"n\": 1, \"t\": [{\"f\": \"b\"}], \"u\": {\"y\": 2.0, \"x\": true}},"
                       "{\"n\": true, \"t\": \"f\", \"u\": \"x\"}, {\"n\": 2, \"t\": [], \"u\": [NaN]}, {\"u\": [NaN]}");

  assert_unique (profile, "n", "2.0 1");
  assert_unique (profile, "t::f", "\"a\" \"b\"");
  assert_unique (profile, "u:x", "1");
  assert_unique (profile, "u", "{\"x\": 1, \"y\": 2} \"x\" [NaN] [NaN]");
  assert_unique (profile, "u::x", "");
  assert_unique (profile, "missing:too", "");
  assert_unique (profile, "", "");
}

static void
test_fields (void)
{
  g_autoptr (WpProfile) profile = parse_resources ("{\"b\": \"x\", \"u\": {\"l\": 1}}, {\"a\": true, \"b\": 1.5}");
  g_autoptr (GString) out = g_string_new (NULL);
  WpIdArray fields = { 0 };

  wp_query_fields (profile, FALSE, &fields);
  append_list (out, profile, &fields);
  g_assert_cmpstr (out->str, ==, "\"b\" \"u:l\" \"u\" \"a\"");
  fields.len = 0;
  g_string_truncate (out, 0);
  wp_query_fields (profile, TRUE, &fields);
  append_list (out, profile, &fields);
  g_assert_cmpstr (out->str, ==, "\"u:l\" \"a\" \"b\"");
  wp_array_clear (&fields);
}

/* --- table and groups ------------------------------------------------------------------------------------------------ */

static void
append_text (const char *text, gsize n, gpointer out)
{
  g_string_append_len (out, text, (gssize) n);
}

static void
test_table (void)
{
  g_autoptr (WpProfile) profile = parse ("\"snapshots\": [{\"time\": \"1\", \"resources\": [{\"a\": 1, \"b\": \"x,\\\"y\"}]}], "
                                         "\"global\": {\"resources\": [{\"c\": \"\"}]}");
  g_autoptr (WpResourceTable) table = wp_resource_table_new (profile, NULL, NULL);
  static const char *const expected[]
    = { "a,b,c,snapshots\n1,\"x,\"\"y\",,0\n,,\"\",1\n", "a\tb\tc\tsnapshots\n1\tx,\"y\t\t0\n\t\t\t1\n",
        "{\"columns\": [\"a\", \"b\", \"c\", \"snapshots\"], \"rows\": [\n[1, \"x,\\\"y\", NaN, 0],\n[NaN, NaN, \"\", 1]]}\n" };

  for (guint format = WP_RESOURCE_TABLE_CSV; format <= WP_RESOURCE_TABLE_JSON; format++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wp_resource_table_write (table, format, append_text, out);
      g_assert_cmpstr (out->str, ==, expected[format]);
    }
  g_assert_null (wp_resource_table_column (table, "d"));
}

static void
test_groups (void)
{
  g_autoptr (WpProfile) profile
    = parse_resources ("{\"a\": 3, \"p\": \"y\", \"x\": 5}, {\"a\": 1, \"p\": \"x\", \"x\": 2}, {\"a\": 1.0, \"p\": \"y\", \"x\": 5},"
                       "{\"p\": \"y\", \"x\": 3}, {\"a\": 8, \"x\": 3}, {\"a\": 2, \"p\": \"y\"}");
  g_autoptr (WpResourceTable) table = wp_resource_table_new (profile, NULL, NULL);
  static const double of_y[WP_N_GROUP_FUNCS] = { 6, 2, 3, 3, 2, 1, 3 };
  g_autoptr (WpFlow) flow = NULL;
  g_autoptr (GError) error = NULL;

  for (guint func = 0; func < WP_N_GROUP_FUNCS; func++)
    {
      WpBarArray bars = { 0 };

      g_assert_true (wp_bars (table, func, "a", "p", "p", &bars, NULL));
      g_assert_cmpuint (bars.len, ==, 2);
      g_assert_cmpstr (wp_value_string (profile->values, bars.data[1].per), ==, "y");
      g_assert_cmpfloat (bars.data[1].value, ==, of_y[func]);
      wp_array_clear (&bars);
    }
  flow = wp_flow_new (table, WP_GROUP_SUM, "a", "x", "p", TRUE, NULL);
  g_assert_cmpint (flow->first, ==, 2);
  g_assert_cmpint (flow->last, ==, 5);
  g_assert_cmpfloat (g_array_index (flow->lines, WpFlowLine, 0).at.data[3], ==, 1);
  g_assert_cmpfloat (g_array_index (flow->lines, WpFlowLine, 1).at.data[2], ==, 0);
  g_assert_cmpfloat (g_array_index (flow->lines, WpFlowLine, 1).at.data[3], ==, 4);
  g_assert_null (wp_flow_new (table, WP_GROUP_SUM, "p", "x", "p", TRUE, &error));
  g_assert_nonnull (strstr (error->message, "no resource has a number at the key “p”; numbers are in "));
}

static void
test_flow_too_wide (void)
{
  g_autoptr (WpProfile) profile = parse_resources ("{\"a\": 3, \"x\": -5e15}, {\"a\": 1, \"x\": 5e15}");
  g_autoptr (WpResourceTable) table = wp_resource_table_new (profile, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (wp_flow_new (table, WP_GROUP_SUM, "a", "x", "a", FALSE, &error));
  g_assert_nonnull (strstr (error->message, "too far apart"));
}

/* --- memory ---------------------------------------------------------------------------------------------------------- */

static WpProfile *
memory_profile (void)
{
  return parse ("\"snapshots\": ["
                "{\"time\": \"1\", \"resources\": [{\"subtype\": \"malloc\", \"address\": 100, \"amount\": 10, \"uid\": \"f\"},"
                "  {\"subtype\": \"malloc\", \"address\": 100, \"amount\": 4, \"uid\": \"g\"}]},"
                "{\"time\": \"2\", \"resources\": [{\"subtype\": \"free\", \"address\": 100, \"amount\": 0, \"uid\": \"f\"},"
                "  {\"subtype\": \"malloc\", \"address\": 300, \"amount\": 6, \"uid\": \"g\"}]},"
                "{\"time\": \"3\", \"resources\": []}]");
}

static void
test_heap_map (void)
{
  g_autoptr (WpProfile) profile = memory_profile ();
  g_autoptr (WpHeapMap) map = wp_heap_map_new (profile, NULL);
  static const struct
  {
    guint32 n;
    gint64 sum, max_address, min_amount;
  } expected[] = { { 2, 14, 110, 4 }, { 3, 20, 306, 4 }, { 2, 10, 306, 4 } };
  WpIdArray rows = { 0 };

  g_assert_cmpuint (map->info.len, ==, 2);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (map->snapshots.data[i].n, ==, expected[i].n);
      g_assert_cmpint (map->snapshots.data[i].sum_amount, ==, expected[i].sum);
      g_assert_cmpint (map->snapshots.data[i].max_address, ==, expected[i].max_address);
      g_assert_cmpint (map->snapshots.data[i].min_amount, ==, expected[i].min_amount);
    }
  wp_heap_map_at (map, 1, &rows);
  g_assert_cmpuint (rows.len, ==, 3);
  g_assert_cmpuint (rows.data[0], ==, 2); /* its own first */
  g_assert_cmpint (map->max_address, ==, 600);
  wp_array_clear (&rows);
}

static void
test_heat_map (void)
{
  g_autoptr (WpProfile) profile = memory_profile ();
  g_autoptr (WpHeatMap) map = wp_heat_map_new (profile, NULL);

  g_assert_cmpuint (map->map.len, ==, 500);
  g_assert_cmpuint (map->map.data[3], ==, 2);
  g_assert_cmpuint (map->map.data[4], ==, 1);
  g_assert_cmpuint (map->map.data[10], ==, 0);
  g_assert_cmpuint (map->map.data[205], ==, 1);
}

static void
test_flame (void)
{
  g_autoptr (WpProfile) profile
    = parse_resources ("{\"amount\": 4, \"trace\": [{\"function\": \"f\", \"source\": \"a.c\", \"line\": 3}, {\"function\": \"main\", "
                       "\"source\": \"a.c\", \"line\": 9}]}, {\"amount\": 5, \"uid\": \"leaf\", \"trace\": [{\"func\": \"root\"}, "
                       "{\"func\": \"mid\"}]}, {\"amount\": 1, \"trace\": []}, {\"amount\": 1, \"subtype\": \"free\", \"trace\": [\"x\"]}");
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint32 i = 0; i < profile->resources.len; i++)
    wp_flame_line (profile, i, WP_FLAME_AUTO, out);
  g_assert_cmpstr (out->str, ==, "f()~a.c~3;main()~a.c~9 4\nleaf;mid;root 5\n");
}

/* --- regression ------------------------------------------------------------------------------------------------------ */

static WpProfile *
curve (guint n, double (*at) (double x))
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 1; i <= n; i++)
    {
      g_string_append_printf (text, "%s{\"uid\": \"f\", \"structure-unit-size\": %u, \"amount\": ", i > 1 ? "," : "", i);
      wp_python_float (at (i), text);
      g_string_append_c (text, '}');
    }
  return parse_resources (text->str);
}

static double
parabola (double x)
{
  return 3 + 2 * x + 0.5 * x * x;
}

static double
by_power (double x)
{
  return 5 * pow (x, 1.5);
}

static double
in_parts (double x)
{
  return x <= 20 ? 10 + 3 * x : x * x * x;
}

static void
assert_best (double (*at) (double), WpModelKind kind, double b0, double b1)
{
  g_autoptr (WpProfile) profile = curve (40, at);
  WpRegression options = WP_REGRESSION_DEFAULTS;
  WpModelArray models = { 0 };
  const WpModel *best;

  wp_regression_models (&options, profile, &models, NULL);
  g_assert_cmpuint (models.len, ==, 6);
  best = models.data;
  for (guint32 i = 1; i < models.len; i++)
    if (models.data[i].r_square > best->r_square)
      best = &models.data[i];
  g_assert_cmpstr (wp_model_kind_id (best->kind), ==, wp_model_kind_id (kind));
  g_assert_cmpfloat_with_epsilon (best->b[0], b0, 1e-6);
  g_assert_cmpfloat_with_epsilon (best->b[1], b1, 1e-6);
  g_assert_cmpfloat_with_epsilon (wp_model_at (best, 7), at (7), 1e-6);
  wp_array_clear (&models);
}

static void
test_regression (void)
{
  assert_best (parabola, WP_MODEL_QUADRATIC, 3, 2);
  assert_best (by_power, WP_MODEL_POWER, 5, 1.5);
}

static guint32
count_models (WpProfile *profile, WpRegressionMethod method, guint seed)
{
  WpRegression options = WP_REGRESSION_DEFAULTS;
  WpModelArray models = { 0 };
  guint32 n;

  options.method = method;
  options.seed = seed;
  options.models = WP_MODEL_ALL & ~(1u << WP_MODEL_CONSTANT);
  wp_regression_models (&options, profile, &models, NULL);
  n = models.len;
  wp_array_clear (&models);
  return n;
}

static void
test_regression_methods (void)
{
  g_autoptr (WpProfile) profile = curve (40, in_parts);

  g_assert_cmpuint (count_models (profile, WP_REGRESSION_FULL, 0), ==, 5);
  g_assert_cmpuint (count_models (profile, WP_REGRESSION_INTERVAL, 0), ==, 3);
  g_assert_cmpuint (count_models (profile, WP_REGRESSION_ITERATIVE, 1), ==, 1);
  g_assert_cmpuint (count_models (profile, WP_REGRESSION_INITIAL_GUESS, 2), ==, 1);
  g_assert_cmpuint (count_models (profile, WP_REGRESSION_BISECTION, 0), >, 1);
}

static void
test_regression_stored (void)
{
  g_autoptr (WpProfile) profile = curve (10, parabola), few = curve (2, parabola);
  WpRegression options = WP_REGRESSION_DEFAULTS;
  WpValue document;
  guint32 skipped;

  wp_regression_analysis (&options, profile, &skipped);
  g_assert_cmpuint (skipped, ==, 0);
  document = wp_profile_document (profile);
  g_assert_cmpuint (wp_value_count (profile->values, wp_value_get (profile->values, wp_value_get (profile->values, document, "global"),
                                                                   "models")), ==, 6);
  g_assert_cmpuint (wp_value_count (profile->values, wp_value_get (profile->values, document, "postprocessors")), ==, 1);
  wp_regression_analysis (&options, few, &skipped);
  g_assert_cmpuint (skipped, ==, 1);
  g_assert_cmpuint (few->models.len, ==, 0);
}

static void
test_parts (void)
{
  static const guint32 expected[] = { 0, 15, 30, 44, 58, 72, 86, 100 };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (wp_regression_part (100, 7, i), ==, expected[i]);
  g_assert_cmpuint (wp_regression_part (7, 2, 1), ==, 4);
}

static void
test_scatter (void)
{
  g_autoptr (WpProfile) profile = curve (12, parabola);
  WpRegression options = WP_REGRESSION_DEFAULTS;
  g_autoptr (GArray) scatters = NULL;

  options.method = WP_REGRESSION_INTERVAL;
  wp_regression_analysis (&options, profile, NULL);
  scatters = wp_scatter_new (profile, "amount", "structure-unit-size");
  g_assert_cmpuint (scatters->len, ==, 3);
  g_assert_cmpuint (g_array_index (scatters, WpScatter, 2).series.points.len, ==, 12);
  g_assert_cmpuint (g_array_index (scatters, WpScatter, 2).models.len, >=, 1);
}

/* --- postprocessors -------------------------------------------------------------------------------------------------- */

static void
test_normalizer (void)
{
  g_autoptr (WpProfile) profile = parse_resources ("{\"type\": \"a\", \"amount\": 2}, {\"type\": \"a\", \"amount\": 4},"
                                                   "{\"type\": \"b\", \"amount\": 0}, {\"uid\": \"none\"}");
  static const double expected[] = { 0.5, 1, 1 };

  wp_postprocess_normalize (profile);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (wp_value_number (profile->values, wp_profile_field (profile, i, "amount")), ==, expected[i]);
  g_assert_cmpuint (wp_profile_field (profile, 3, "amount"), ==, 0);
  g_assert_cmpuint (profile->postprocessors.len, ==, 1);
}

static void
test_clusters (void)
{
  g_autoptr (WpProfile) profile = parse_resources ("{\"uid\": \"f\", \"amount\": 30}, {\"uid\": \"f\", \"amount\": 1},"
                                                   "{\"uid\": \"g\", \"amount\": 7}, {\"uid\": \"f\", \"amount\": 9}");
  WpClusters options = { .strategy = WP_CLUSTER_SLIDING_WINDOW, .width = 5, .height = 10 };
  static const gint64 expected[] = { 2, 1, 1, 1 };

  wp_postprocess_clusters (profile, &options);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (wp_value_int (profile->values, wp_profile_field (profile, i, "cluster")), ==, expected[i]);
}

/* --- checks ---------------------------------------------------------------------------------------------------------- */

static void
assert_verdict (WpCheck check, WpProfile *baseline, WpProfile *target, WpCheckChange change)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) verdicts = wp_check_run (check, baseline, target, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (verdicts->len, ==, 1);
  g_assert_cmpstr (wp_change_id (((const WpCheckVerdict *) g_ptr_array_index (verdicts, 0))->change), ==, wp_change_id (change));
}

static void
test_check_amounts (void)
{
  g_autoptr (WpProfile) one = parse_resources ("{\"uid\": \"f\", \"amount\": 1}, {\"uid\": \"gone\", \"amount\": 1}");
  g_autoptr (WpProfile) two = parse_resources ("{\"uid\": \"f\", \"amount\": 2}");
  g_autoptr (GPtrArray) verdicts = wp_check_run (WP_CHECK_AVERAGE_AMOUNT_THRESHOLD, one, two, NULL);
  g_autoptr (GString) record = g_string_new (NULL);

  wp_verdict_record (g_ptr_array_index (verdicts, 0), record);
  g_assert_cmpstr (record->str, ==, "f PerformanceChange.Degradation memory 1.0B 2.0B 2.0 no 0");
  assert_verdict (WP_CHECK_AVERAGE_AMOUNT_THRESHOLD, two, one, WP_CHANGE_OPTIMIZATION);
  assert_verdict (WP_CHECK_AVERAGE_AMOUNT_THRESHOLD, two, two, WP_CHANGE_NONE);
}

static double
steeper (double x)
{
  return 4 * parabola (x);
}

static void
test_check_models (void)
{
  g_autoptr (WpProfile) base = curve (1200, parabola), worse = curve (1200, steeper), few = curve (50, parabola);
  WpRegression options = WP_REGRESSION_DEFAULTS;
  g_autoptr (GError) error = NULL;

  wp_regression_analysis (&options, base, NULL);
  wp_regression_analysis (&options, worse, NULL);
  wp_regression_analysis (&options, few, NULL);
  for (WpCheck check = WP_CHECK_POLYNOMIAL_REGRESSION; check <= WP_CHECK_LOCAL_STATISTICS; check++)
    {
      assert_verdict (check, base, worse, WP_CHANGE_DEGRADATION);
      assert_verdict (check, worse, base, WP_CHANGE_OPTIMIZATION);
      assert_verdict (check, base, base, WP_CHANGE_NONE);
    }
  g_assert_null (wp_check_run (WP_CHECK_FAST_CHECK, few, worse, &error));
  g_assert_nonnull (strstr (error->message, "too few points"));
}

static WpProfile *
exclusive_times (double odd)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%s{\"uid\": \"f%u\", \"location\": \"lib\", \"exclusive\": %.0f}", i > 0 ? "," : "", i,
                            i == 7 ? odd : 1e8 + 1e5 * i * (odd > 2e8));
  return parse_resources (text->str);
}

static void
test_check_outliers (void)
{
  g_autoptr (WpProfile) base = exclusive_times (1e8), worse = exclusive_times (9e8), none = parse_resources ("{\"uid\": \"f\"}");
  g_autoptr (GPtrArray) verdicts = wp_check_run (WP_CHECK_EXCLUSIVE_TIME_OUTLIERS, base, worse, NULL);
  const WpCheckVerdict *first = g_ptr_array_index (verdicts, 0), *total = g_ptr_array_index (verdicts, 20);

  g_assert_cmpuint (verdicts->len, ==, 21);
  g_assert_cmpstr (first->location, ==, "f7");
  g_assert_cmpint (first->change, ==, WP_CHANGE_SEVERE_DEGRADATION);
  g_assert_cmpint (total->change, ==, WP_CHANGE_TOTAL_DEGRADATION);
  g_assert_null (wp_check_run (WP_CHECK_EXCLUSIVE_TIME_OUTLIERS, base, none, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/flatten", test_flatten);
  g_test_add_func ("/query/flatten-doubling", test_flatten_doubling);
  g_test_add_func ("/query/unique", test_unique);
  g_test_add_func ("/query/fields", test_fields);
  g_test_add_func ("/query/table", test_table);
  g_test_add_func ("/query/groups", test_groups);
  g_test_add_func ("/query/flow-too-wide", test_flow_too_wide);
  g_test_add_func ("/query/heap-map", test_heap_map);
  g_test_add_func ("/query/heat-map", test_heat_map);
  g_test_add_func ("/query/flame", test_flame);
  g_test_add_func ("/query/regression", test_regression);
  g_test_add_func ("/query/regression-methods", test_regression_methods);
  g_test_add_func ("/query/regression-stored", test_regression_stored);
  g_test_add_func ("/query/parts", test_parts);
  g_test_add_func ("/query/scatter", test_scatter);
  g_test_add_func ("/query/normalizer", test_normalizer);
  g_test_add_func ("/query/clusters", test_clusters);
  g_test_add_func ("/query/check-amounts", test_check_amounts);
  g_test_add_func ("/query/check-models", test_check_models);
  g_test_add_func ("/query/check-outliers", test_check_outliers);
  return g_test_run ();
}
