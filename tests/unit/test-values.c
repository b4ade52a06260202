/* Values of documents, and profiles of any shape made of them. Expected texts are Python's. */
#include "profile/model/profile.h"

#include <math.h>

static WpValue
read_text (WpValues *values, const char *text)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_new ("text", text, strlen (text), NULL);
  g_autoptr (GError) error = NULL;
  WpValue value = wp_values_read (values, reader);

  wp_json_reader_finish (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (value, !=, 0);
  return value;
}

static void
assert_written (const char *text, int indent, const char *expected)
{
  g_autoptr (WpValues) values = wp_values_new ();
  g_autoptr (GString) out = g_string_new (NULL);

  wp_value_write (values, read_text (values, text), indent, out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_text (void)
{
  static const char *const same[]
    = { "0", "-1", "1.0", "1e-05", "0.0001", "1e+16", "123456789012345.6", "0.1", "5e-324", "1.7976931348623157e+308", "-0.0",
        "9223372036854775807", "-9223372036854775808", "123456789012345678901234567890", "NaN", "Infinity", "-Infinity",
        "null", "true", "\"\"", "[]", "{}", "[[], {}, [1, [2.5]]]", "{\"a\": 1, \"b\": [\"x\", null], \"\": {\"c\": false}}",
        "\"\\u00e4 \\\\ \\\" \\n \\ud83d\\ude00 \\u0001 /\"", "134217728", "-134217728", "67108864", "-67108864",
        /* what UTF-8 cannot hold */
        "\"\\u0000\"", "\"a\\u0000\\u0000b\"", "\"\\ud83d\"", "\"\\ude00\\ud83d\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83dA\"",
        "\"\\ud83d\\ud83d\\ude00\\ude00\"", "\"\\udbfe\\u0000\"", "\"\\udbff\\udffe\"", "{\"\\u0000\": \"\\udfff\"}" };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    assert_written (same[i], -1, same[i]);
  assert_written ("100000000000000000.0", -1, "1e+17");
  assert_written ("\"~\x7f\"", -1, "\"~\\u007f\"");
  assert_written (" [ 1 , 1.50 , 1E2 ] ", -1, "[1, 1.5, 100.0]");
  assert_written ("{\"a\": 1, \"b\": 2, \"a\": 3}", -1, "{\"a\": 3, \"b\": 2}");
  assert_written ("{\"a\": [1, {\"b\": []}], \"c\": {}}", 2,
                  "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
}

static void
test_many_keys (void)
{
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (WpValues) values = wp_values_new ();
  WpValue object;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%s\"k%u\": %u", i > 0 ? ", " : "", i % 600, i);
  g_string_append_c (text, '}');
  object = read_text (values, text->str);
  g_assert_cmpuint (wp_value_count (values, object), ==, 600);
  g_assert_cmpint (wp_value_int (values, wp_value_get (values, object, "k0")), ==, 600);
  g_assert_cmpint (wp_value_int (values, wp_value_get (values, object, "k599")), ==, 599);
  g_assert_cmpstr (wp_value_string (values, wp_value_key (values, object, 1)), ==, "k1");
}

static void
assert_str (WpValues *values, const char *text, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_value_str (values, read_text (values, text), out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_str (void)
{
  g_autoptr (WpValues) values = wp_values_new ();

  assert_str (values, "\"it's\"", "it's");
  assert_str (values, "true", "True");
  assert_str (values, "null", "None");
  assert_str (values, "NaN", "nan");
  assert_str (values, "[\"\\u0000\", \"\\ud83d\"]", "['\\x00', '\\ud83d']");
  assert_str (values, "[1.0, \"it's\", \"x\", {\"a\": false}]", "[1.0, \"it's\", 'x', {'a': False}]");
}

static void
test_kept_once (void)
{
  g_autoptr (WpValues) values = wp_values_new ();
  WpValue list = read_text (values, "[{\"a\": [1, 5000000000]}, {\"a\": [1, 5000000000]}, {\"a\": [1.0, 5000000000]}]");

  g_assert_cmpuint (wp_value_item (values, list, 0), ==, wp_value_item (values, list, 1));
  g_assert_cmpuint (wp_value_item (values, list, 0), !=, wp_value_item (values, list, 2));
  g_assert_true (isnan (wp_value_number (values, wp_values_string (values, "1"))));
}

static void
test_set (void)
{
  g_autoptr (WpValues) values = wp_values_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  WpValue object = read_text (values, "{\"a\": 1, \"b\": 2}");

  object = wp_values_set (values, object, "a", wp_values_null (values));
  object = wp_values_set (values, object, "c", wp_values_int (values, 3));
  object = wp_values_set (values, object, "b", 0);
  object = wp_values_set (values, object, "missing", 0);
  wp_value_write (values, object, -1, out);
  g_assert_cmpstr (out->str, ==, "{\"a\": null, \"c\": 3}");
}

/* --- profiles -------------------------------------------------------------------------------------------------------- */

#define HEADER \
  "\"header\": {\"type\": \"memory\", \"cmd\": \"./x\", \"params\": \"-a\", \"workload\": \"w\", " \
  "\"units\": {\"memory\": \"B\"}}"

#define HEADER_ARGS \
  "\"header\": {\"type\": \"memory\", \"cmd\": \"./x\", \"params\": \"-a\", \"workload\": \"w\", " \
  "\"units\": {\"memory\": \"B\"}, \"args\": \"-a\"}"

static WpProfile *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  WpProfile *profile = wp_profile_parse ("x.perf", text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return profile;
}

static void
assert_document (WpProfile *profile, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_value_write (profile->values, wp_profile_document (profile), -1, out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_old_shape (void)
{
  static const char document[]
    = "{" HEADER ", \"snapshots\": [{\"time\": \"0.01\", \"resources\": [{\"amount\": 1, \"trace\": {\"chunk\": \"t1\"}}]}, "
      "{\"time\": \"0.02\", \"resources\": []}], \"global\": {\"resources\": [{\"amount\": 2.5}], \"models\": [{\"model\": \"linear\"}]}, "
      "\"chunks\": {\"t1\": [{\"function\": \"f\"}]}, \"machine\": 7}";
  static const char origin[] = "{\"origin\": \"0123456789012345678901234567890123456789\", ";
  g_autofree char *text = g_strconcat (origin, document + 1, NULL);
  g_autoptr (WpProfile) profile = parse (text);
  g_autofree char *command = wp_profile_command (profile);

  g_assert_cmpstr (profile->origin, ==, "0123456789012345678901234567890123456789");
  g_assert_cmpstr (command, ==, "./x -a w");
  g_assert_cmpstr (wp_profile_unit (profile), ==, "B");
  g_assert_cmpuint (profile->resources.len, ==, 2);
  g_assert_cmpuint (profile->resources.data[1].snapshot, ==, 2);
  g_assert_cmpuint (wp_value_count (profile->values, wp_profile_field (profile, 0, "trace")), ==, 1);
  g_assert_cmpuint (profile->models.len, ==, 1);
  assert_document (profile, document);

  /* Changed: made anew, with traces where they were. */
  wp_profile_add_postprocessor (profile, "filter", wp_values_object (profile->values, NULL, 0));
  assert_document (profile, "{\"header\": {\"type\": \"memory\", \"cmd\": \"./x\", \"params\": \"-a\", \"workload\": \"w\", "
                            "\"units\": {\"memory\": \"B\"}, \"args\": \"-a\"}, \"snapshots\": [{\"time\": \"0.01\", "
                            "\"resources\": [{\"amount\": 1, \"trace\": {\"chunk\": \"t1\"}}]}, {\"time\": \"0.02\", "
                            "\"resources\": []}], \"global\": {\"resources\": [{\"amount\": 2.5}], \"models\": "
                            "[{\"model\": \"linear\"}]}, \"chunks\": {\"t1\": [{\"function\": \"f\"}]}, \"machine\": 7, \"collector_info\": {}, \"postprocessors\": "
                            "[{\"name\": \"filter\", \"params\": {}}]}");
}

static void
test_new_shape (void)
{
  g_autoptr (WpProfile) profile
    = parse ("{" HEADER ", \"resources\": {\"f#0\": {\"amount\": [1, 2], \"order\": [7, 8]}, \"g#0\": {}}, "
             "\"resource_type_map\": {\"f#0\": {\"uid\": \"f\", \"snapshot\": 1, \"time\": \"0.5\"}, \"g#0\": {\"uid\": \"g\", "
             "\"amount\": 3}}, \"models\": [{\"model\": \"constant\"}]}");

  g_assert_cmpuint (profile->resources.len, ==, 3);
  g_assert_cmpuint (profile->resources.data[1].snapshot, ==, 1);
  g_assert_cmpint (wp_value_int (profile->values, wp_profile_field (profile, 1, "order")), ==, 8);
  g_assert_cmpstr (wp_value_string (profile->values, wp_profile_field (profile, 2, "uid")), ==, "g");
  g_assert_cmpuint (profile->models.len, ==, 1);
  assert_document (profile,
                   "{" HEADER_ARGS ", \"collector_info\": {}, \"postprocessors\": [], \"snapshots\": [{\"resources\": [{\"uid\": "
                   "\"g\", \"amount\": 3}]}, {\"time\": \"0.5\", \"resources\": [{\"amount\": 1, \"order\": 7, \"uid\": \"f\", "
                   "\"snapshot\": 1, \"time\": \"0.5\"}, {\"amount\": 2, \"order\": 8, \"uid\": \"f\", \"snapshot\": 1, \"time\": "
                   "\"0.5\"}]}], \"global\": {\"resources\": [], \"models\": [{\"model\": \"constant\"}]}}");
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "[]", "x.perf: not a profile: the document is no object" },
    { "{}", "x.perf: header: missing, so this is no profile" },
    { "{\"header\": {\"type\": 3}}", "x.perf: header.type: not a string" },
    { "{" HEADER ", \"snapshots\": [{}, {}, {}, {\"resources\": [{}, \"x\"]}]}", "x.perf: snapshots[3].resources[1]: not an object" },
    { "{" HEADER ", \"global\": {\"resources\": [{\"amount\": 1}, 4]}}", "x.perf: global.resources[1]: not an object" },
    { "{" HEADER ", \"global\": {\"models\": {}}}", "x.perf: global.models: not an array" },
    { "{" HEADER ", \"resources\": {\"f#0\": {\"amount\": 3}}, \"resource_type_map\": {\"f#0\": {}}}",
      "x.perf: resources[\"f#0\"].amount: not an array" },
    { "{" HEADER ", \"resources\": {\"f#0\": {}}}", "x.perf: resource_type_map: \"f#0\" is missing, or no object" },
    { "{" HEADER ", \"global\": {\"resources\": [{\"amount\": 1..2}]}}", "x.perf: global.resources[0].amount: not a number at byte" },
    { "{" HEADER ", \"global\": {\"resources\": [{\"amount\": 1}", "x.perf: global.resources[0]: the file ends too early" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (wp_profile_parse ("x.perf", rows[i].text, strlen (rows[i].text), NULL, &error));
      g_assert_nonnull (error);
      if (!g_str_has_prefix (error->message, rows[i].message))
        g_error ("%s, but got: %s", rows[i].message, error->message);
    }
}

/* What is of another kind than documented is told, once for each kind of it; the rest is read. */
static void
test_omissions (void)
{
  static const struct
  {
    const char *text, *lines; /* NULL: nothing to tell */
  } rows[] = {
    { "\"global\": {\"resources\": [{\"uid\": \"a\", \"amount\": true}, {\"uid\": {\"function\": \"a\", \"line\": 3}, \"amount\": 1.5}]}", NULL },
    { "\"snapshots\": [{\"resources\": []}, {\"resources\": [{\"uid\": \"a\", \"trace\": 7}, {\"uid\": \"a\", \"trace\": \"x\"}]}]",
      "x.perf: 2 × trace is no list (first: snapshots[1].resources[0]); those stacks are left out" },
    { "\"chunks\": {\"a\": []}, \"snapshots\": [{\"resources\": [{\"uid\": \"a\", \"trace\": {\"chunk\": \"a\"}}, {\"uid\": \"a\", \"trace\": {\"chunk\": \"b\"}}]}]",
      "x.perf: trace names a chunk that is not there (snapshots[0].resources[1]); those stacks are left out" },
    { "\"global\": {\"resources\": [{\"uid\": \"a\", \"amount\": null}, {\"uid\": \"a\", \"amount\": \"3\"}, {\"uid\": \"a\", \"amount\": NaN}]}",
      "x.perf: 2 × amount is no number (first: global.resources[0]); left out of totals, means and checks\n"
      "x.perf: amount is no finite number (global.resources[2]); left out of totals, means and checks" },
    { "\"global\": {\"resources\": [{\"amount\": 1}]}",
      "x.perf: uid is missing (global.resources[0]); left out of bars, flows, models and checks" },
    { "\"global\": {\"models\": [{\"uid\": \"a\", \"model\": \"linear\", \"coeffs\": [4, {\"name\": \"b1\", \"value\": \"x\"}]}]}",
      "x.perf: coeffs has an element that is no object (global.models[0]); such models are left out\n"
      "x.perf: value is no number (global.models[0]); such models are left out" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strdup_printf ("{" HEADER ", %s}", rows[i].text), *lines = NULL;
      g_autoptr (WpProfile) profile = wp_profile_parse ("x.perf", text, strlen (text), NULL, NULL);

      g_assert_nonnull (profile);
      lines = wp_omissions_tell (&profile->omissions, "x.perf");
      g_assert_cmpstr (lines, ==, rows[i].lines);
      g_assert_null (wp_omissions_tell (&profile->omissions, "x.perf"));
    }
}

/* Where both shapes stand in one file, both are read. */
static void
test_both_shapes (void)
{
  static const char text[] = "{" HEADER ", \"resources\": {\"f#0\": {\"amount\": [1, 2]}}, \"resource_type_map\": {\"f#0\": {\"uid\": \"f\", "
                             "\"snapshot\": 1, \"time\": \"0.5\"}}, \"snapshots\": [{\"time\": 0.25, \"resources\": [{\"uid\": \"g\", \"amount\": 4}]}], "
                             "\"global\": {\"resources\": [{\"uid\": \"h\", \"amount\": 8}]}}";
  g_autoptr (WpProfile) profile = wp_profile_parse ("x.perf", text, strlen (text), NULL, NULL);
  double sum = 0;

  g_assert_nonnull (profile);
  g_assert_cmpuint (profile->resources.len, ==, 4);
  for (guint32 i = 0; i < profile->resources.len; i++)
    sum += wp_value_number (profile->values, wp_profile_field (profile, i, "amount"));
  g_assert_cmpfloat (sum, ==, 15);
  g_assert_cmpuint (profile->snapshots.len, ==, 2);
  g_assert_cmpstr (wp_value_string (profile->values, profile->snapshots.data[0]), ==, "0.25");
  g_assert_cmpstr (wp_value_string (profile->values, profile->snapshots.data[1]), ==, "0.5");
}

/* NUL and halves of pairs: escapes for people, and the same again where they are written. */
static void
test_odd_texts (void)
{
  static const char text[] = "[\"a\\u0000b\", \"\\ud83d\"]";
  g_autoptr (WpJsonReader) reader = wp_json_reader_new ("x", text, strlen (text), NULL), again = wp_json_reader_new ("x", text, strlen (text), NULL);
  g_autoptr (WpValues) values = wp_values_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  WpValue list = wp_values_read (values, reader);

  g_assert_cmpstr (wp_value_string (values, wp_value_item (values, list, 0)), ==, "a\\x00b");
  wp_value_str (values, wp_value_item (values, list, 1), out);
  g_assert_cmpstr (out->str, ==, "\\ud83d");
  g_string_truncate (out, 0);
  wp_value_write (values, list, -1, out);
  g_assert_cmpstr (out->str, ==, text);
  g_assert_true (wp_json_reader_array (again) && wp_json_reader_item (again));
  g_assert_cmpstr (wp_json_reader_string (again), ==, "a\\x00b");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/values/text", test_text);
  g_test_add_func ("/values/many-keys", test_many_keys);
  g_test_add_func ("/values/str", test_str);
  g_test_add_func ("/values/kept-once", test_kept_once);
  g_test_add_func ("/values/set", test_set);
  g_test_add_func ("/profile/old-shape", test_old_shape);
  g_test_add_func ("/profile/new-shape", test_new_shape);
  g_test_add_func ("/profile/omissions", test_omissions);
  g_test_add_func ("/profile/both-shapes", test_both_shapes);
  g_test_add_func ("/profile/odd-texts", test_odd_texts);
  g_test_add_func ("/profile/refused", test_refused);
  return g_test_run ();
}
