/* Files that are not what we wrote: cut, changed, reordered, someone else's. Each gets a message with the file and the place, or
 * is a profile that can be shown; nothing crashes. */
#include "profile-fixture.h"
#include "profile/model/document.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static char *path, *good;
static gsize good_len;

static void
write_bytes (const char *bytes, gsize len)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  g_assert_cmpint (write (fd, bytes, len), ==, (gssize) len);
  close (fd);
}

/* Opens what was written and, when that works, looks at all of it. Returns the message when it does not. */
static char *
try_bytes (const char *bytes, gsize len)
{
  WpTrace *trace = NULL;
  WpPaths *paths = NULL;
  GError *error = NULL;
  char *message;

  write_bytes (bytes, len);
  if (wp_perun_load (path, &trace, &paths, NULL, &error))
    {
      g_assert_no_error (error);
      g_free (fixture_describe (paths));
      wp_paths_free (paths);
      wp_trace_free (trace);
      return NULL;
    }
  g_assert_true (g_str_has_prefix (error->message, path));
  message = g_strdup (error->message + strlen (path) + 2);
  g_assert_cmpstr (message, !=, "");
  g_assert_true (g_utf8_validate (message, -1, NULL));
  g_error_free (error);
  return message;
}

static char *
try_text (const char *text)
{
  return try_bytes (text, strlen (text));
}

static gboolean
loads (const char *bytes, gsize len)
{
  g_autofree char *message = try_bytes (bytes, len);

  return message == NULL;
}

/* The good profile with one text in place of the first occurrence of another. */
static char *
with (const char *old, const char *new)
{
  const char *at = strstr (good, old);

  g_assert_nonnull (at);
  return g_strdup_printf ("%.*s%s%s", (int) (at - good), good, new, at + strlen (old));
}

static void
assert_message (const char *old, const char *new, const char *expected)
{
  g_autofree char *text = with (old, new), *message = try_text (text);

  g_assert_cmpstr (message, ==, expected);
}

static void
test_good (void)
{
  g_assert_true (loads (good, good_len));
}

static void
test_messages (void)
{
  assert_message ("\"amount\": 900", "\"amount\": \"900\"", "global.resources[1].amount: not a number");
  assert_message ("\"amount\": 900", "\"amount\": 9e2", "global.resources[1].amount: not a whole number");
  assert_message ("\"amount\": 900", "\"amount\": 900000000000000000000", "global.resources[1].amount: out of range");
  assert_message ("\"amount\": 900", "\"amount\": -900", "global.resources[1]: the amount is negative");
  assert_message ("\"amount\": 900, ", "", "global.resources[1]: “amount” is missing");
  assert_message ("\"amount\": 900", "\"amount\": 901", "part 1 of global.resources: it lies outside of operation 2");
  assert_message ("\"subtype\": \"sleep\"", "\"subtype\": \"nap\"", "global.resources[1].subtype: “nap” is not known here");
  assert_message ("\"subtype\": \"sleep\"", "\"subtype\": \"run\"", "part 1 of global.resources: operation 2 is not of its kind");
  assert_message ("\"operation\": 2", "\"operation\": 99", "part 1 of global.resources: operation 99 is not of its kind");
  assert_message ("\"path\": 1", "\"path\": 2", "part 0 of global.resources: there is no path 2");
  assert_message ("\"parent\": 2", "\"parent\": 17", "part 13 of global.resources: 17 cannot be its parent");
  assert_message ("{\"task\": 1, \"kind\": \"run\"", "{\"task\": 9, \"kind\": \"run\"",
                  "wakepath.operations[0].task: there is no task 9");
  assert_message ("\"start\": 1000, \"end\": 1100", "\"start\": 1200, \"end\": 1100",
                  "wakepath.operations[0].end: earlier than its start");
  assert_message ("\"start\": 1000, \"end\": 1100", "\"start\": 1000, \"end\": 1101",
                  "wakepath.operations[1].start: earlier than the operation before it allows");
  assert_message ("\"cause\": \"task\"", "\"cause\": \"luck\"", "wakepath.operations[1].cause: “luck” is not known here");
  assert_message ("\"flags\": [\"open-start\"]", "\"flags\": \"open-start\"", "wakepath.operations[0].flags: not an array");
  assert_message ("{\"chunk\": \"t1\"}", "{\"chunk\": \"x1\"}", "global.resources[20].trace.chunk: not the name of a chunk");
  assert_message ("\"explained_by\": ", "\"explained_by\": 9", "wakepath.operations[3].explained_by: there is no operation 917");
  assert_message ("\"version\": 1", "\"version\": 2",
                  "wakepath.version: written by a newer Wakepath (version 2 of the tables, 1 is the newest known here)");
  assert_message ("\"base_tasks\": [1]", "\"base_tasks\": [0]", "wakepath.base_tasks[0]: there is no task 0");
  assert_message ("\"wall_end\": 16000", "\"wall_end\": 16", "wakepath.wall_end: earlier than wall_start");
  assert_message ("\"start\": 2200, \"end\": 2250", "\"start\": 2250, \"end\": 2250", "wakepath.interrupts[0].end: not later than its start");
  assert_message ("\"end\": 2250", "\"end\": 2981", "wakepath.interrupts[1]: not behind the one before it");
  assert_message ("\"cpu\": 2, \"name\"", "\"cpu\": 0, \"name\"", "wakepath.interrupts[0].cpu: CPUs count from 1 here");
  assert_message ("\"chunks\": {", "\"global\": {", "global: stands there twice");
  assert_message ("\"t1\": [", "\"t2\": [", "chunks.t2: stands there twice");
  assert_message ("\"t1\": [", "\"trace\": [", "chunks.trace: not the name of a chunk");
}

/* At every place, so that each kind of row and value is cut in each of its parts. */
static void
test_truncated (void)
{
  for (gsize len = 0; len + 2 < good_len; len++)
    g_assert_false (loads (good, len));
}

/* The end of the JSON value that starts at `at`, for numbers, words and strings. */
static const char *
end_of_scalar (const char *at)
{
  if (*at != '"')
    return at + strspn (at, "-0123456789truefals");
  for (at++; *at != '"'; at++)
    at += *at == '\\';
  return at + 1;
}

/* Each value in turn, replaced by others of all types and sizes. */
static void
test_values (void)
{
  static const char *const others[] = { "0", "1", "2", "7", "-1", "1000", "16000", "65535", "4294967294", "4294967295",
                                        "2305843009213693952", "9223372036854775807", "18446744073709551615", "1e99", "0.5",
                                        "\"\"", "\"x\"", "\"run\"", "\"t1\"", "null", "true", "[]", "{}", "[[1]]" };
  guint refused = 0, shown = 0;

  for (const char *at = strstr (good, "\": "); at != NULL; at = strstr (at + 3, "\": "))
    {
      const char *value = at + 3, *end;

      if (*value == '{' || *value == '[')
        continue;
      end = end_of_scalar (value);
      for (guint i = 0; i < G_N_ELEMENTS (others); i++)
        {
          g_autofree char *text = g_strdup_printf ("%.*s%s%s", (int) (value - good), good, others[i], end);

          *(loads (text, strlen (text)) ? &shown : &refused) += 1;
        }
    }
  g_test_message ("%u changed files were refused, %u could be shown", refused, shown);
  g_assert_cmpuint (refused, >, 4000);
  g_assert_cmpuint (shown, >, 1000); /* names, pids, times that still fit */
}

/* Each line left out, and each line twice. */
static void
test_lines (void)
{
  const char *next;

  for (const char *line = good; *line != '\0'; line = next)
    {
      g_autofree char *without = NULL, *twice = NULL;

      next = strchr (line, '\n') + 1;
      without = g_strdup_printf ("%.*s%s", (int) (line - good), good, next);
      twice = g_strdup_printf ("%.*s%s", (int) (next - good), good, line);
      loads (without, strlen (without));
      loads (twice, strlen (twice));
    }
}

static void
test_bytes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  g_autofree char *text = g_memdup2 (good, good_len);
  guint refused = 0;

  for (guint i = 0; i < 6000; i++)
    {
      gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) good_len);

      text[at] = (char) g_rand_int_range (rand, 0, 256);
      refused += !loads (text, good_len);
      text[at] = good[at];
    }
  g_assert_cmpuint (refused, >, 2000);
}

/* Other tools write the keys in another order: the same numbers come out. */
static void
test_order (void)
{
  const char *tables = strstr (good, "\"wakepath\": "), *global = strstr (good, "\"global\": "),
             *chunks = strstr (good, "\"chunks\": "), *end = strrchr (good, '}');
  g_autofree char *text = g_strdup_printf ("{%.*s, %.*s %.*s \"last\": [{}]}", (int) (end - chunks), chunks,
                                           (int) (chunks - global), global, (int) (global - tables), tables);
  g_autofree char *expected = NULL, *found = NULL;
  WpTrace *trace;
  WpPaths *paths;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      write_bytes (i == 0 ? good : text, i < 2 ? strlen (i == 0 ? good : text) : 0);
      if (i < 2)
        wp_perun_load (path, &trace, &paths, NULL, &error);
      else
        wp_perun_load_text (path, text, strlen (text), &trace, &paths, NULL, &error);
      g_assert_no_error (error);
      g_free (found);
      found = fixture_describe (paths);
      if (i == 0)
        expected = g_strdup (found);
      g_assert_cmpstr (found, ==, expected);
      wp_paths_free (paths);
      wp_trace_free (trace);
    }
}

static void
test_foreign (void)
{
  static const char *const foreign[] = {
    "{\"header\": {\"type\": \"time\"}, \"collector_info\": {\"name\": \"time\", \"params\": {\"warmup\": 3}}, "
    "\"postprocessors\": [], \"global\": {\"resources\": [{\"amount\": 0.59, \"type\": \"time\", \"uid\": \"sys\"}]}}",
    "{\"global\": {\"resources\": [{\"amount\": 0.59}]}, \"chunks\": {\"a\": 1}, \"collector_info\": {\"name\": \"time\"}}",
    "{\"global\": {\"resources\": []}, \"collector_info\": {\"name\": \"memory\"}, \"collector_info\": {\"name\": \"time\"}, "
    "\"global\": {\"resources\": []}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    {
      g_autofree char *message = try_text (foreign[i]);

      g_assert_cmpstr (message, ==,
                       "a Perun profile of another collector (time), which explains no process; the window and "
                       "“wakepath-cli view” show it");
    }
}

static void
test_no_profile (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "{}", "JSON, but not a profile saved by Wakepath" },
    { "{\"a\": 1}", "JSON, but not a profile saved by Wakepath" },
    { "[1]", "not an object" },
    { "", "the file ends too early at byte 0" },
    { "PERFILE2", "not an object" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *message = try_text (rows[i].text);

      g_assert_cmpstr (message, ==, rows[i].message);
    }
}

static void
test_deep (void)
{
  GString *text = g_string_new ("{\"global\": {\"resources\": [{\"later\": ");
  g_autofree char *message = NULL;

  for (guint i = 0; i < 300000; i++)
    g_string_append_c (text, '[');
  message = try_text (text->str);
  g_assert_nonnull (strstr (message, "nested too deeply"));
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  g_autoptr (WpTrace) trace = fixture_everything ();
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  char *folder = fixture_folder ();
  int status;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (folder, "damaged.perf", NULL);
  g_assert_true (wp_perun_save (path, paths, explanation, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &good, &good_len, NULL));
  g_test_add_func ("/damage/good", test_good);
  g_test_add_func ("/damage/messages", test_messages);
  g_test_add_func ("/damage/truncated", test_truncated);
  g_test_add_func ("/damage/values", test_values);
  g_test_add_func ("/damage/lines", test_lines);
  g_test_add_func ("/damage/bytes", test_bytes);
  g_test_add_func ("/damage/order", test_order);
  g_test_add_func ("/damage/foreign", test_foreign);
  g_test_add_func ("/damage/no-profile", test_no_profile);
  g_test_add_func ("/damage/deep", test_deep);
  status = g_test_run ();
  fixture_remove (folder);
  g_free (folder);
  g_free (path);
  g_free (good);
  return status;
}
