/* Formats of stacks with values that have files in tests/fuzz/corpus/stacks: what is read from them, and written and read again. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/sort.h"
#include "stacks/formats.h"

static WpStacks *
read_bytes (const char *content, gsize n, const char *format, GError **error)
{
  const WpInput input = { .data = (const guint8 *) content, .n = n };
  const WpStacksFormat *found = wp_stacks_format_of (input.data, input.n);

  g_assert_nonnull (found);
  g_assert_cmpstr (found->id, ==, format);
  return found->read ("input", &input, NULL, error);
}

static char *
corpus_file (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_TESTS"), "fuzz", "corpus", "stacks", name, NULL);
  g_autoptr (GError) error = NULL;
  char *content;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  return content;
}

static WpStacks *
read_corpus (const char *name, const char *format)
{
  g_autofree char *content = corpus_file (name);
  g_autoptr (GError) error = NULL;
  WpStacks *stacks = read_bytes (content, strlen (content), format, &error);

  g_assert_no_error (error);
  return stacks;
}

/* What a format writes. */
static char *
written (const WpStacks *stacks, const char *format)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-stacks-XXXXXX", NULL), *path = g_build_filename (folder, "x", NULL);
  g_autoptr (GError) error = NULL;
  char *content = NULL;

  wp_stacks_save (stacks, wp_stacks_format_named (format), path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_remove (path);
  g_rmdir (folder);
  return content;
}

static void
append_line (GString *out, const WpStacks *stacks, const WpStackLine *line)
{
  const WpStackFunction *function = &stacks->frames->functions.data[line->function];
  const char *file = wp_stacks_text (stacks, function->file);

  g_string_append (out, wp_stacks_text (stacks, function->name));
  if (*file != '\0')
    g_string_append_printf (out, "(%s:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ")", file, line->line, line->column);
}

/* "module!outer>inlined" */
static void
append_location (GString *out, const WpStacks *stacks, const WpLocation *location)
{
  const char *module = wp_stacks_text (stacks, stacks->frames->modules.data[location->module].file);

  if (*module != '\0')
    g_string_append_printf (out, "%s!", module);
  if (location->n_lines == 0)
    g_string_append_printf (out, "0x%" G_GINT64_MODIFIER "x", location->address);
  for (guint32 l = location->n_lines; l-- > 0;)
    {
      append_line (out, stacks, &stacks->frames->lines.data[location->first_line + l]);
      g_string_append (out, l > 0 ? ">" : "");
    }
}

/* A line for each sample: "process/thread moment values: stack". */
static char *
describe (const WpStacks *stacks)
{
  GString *out = g_string_new (NULL);
  WpIdArray stack = { 0 };

  for (guint32 t = 0; t < stacks->types.len; t++)
    g_string_append_printf (out, "%s%s/%s", t > 0 ? " " : "", wp_stacks_text (stacks, stacks->types.data[t].type),
                            wp_stacks_text (stacks, stacks->types.data[t].unit));
  g_string_append_c (out, '\n');
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      if (stacks->sample_threads.len > 0)
        {
          const WpStackThread *thread = &stacks->threads.data[stacks->sample_threads.data[i]];

          g_string_append_printf (out, "%s:%" G_GINT64_FORMAT "/%s:%" G_GINT64_FORMAT " ", wp_stacks_text (stacks, thread->process), thread->pid,
                                  wp_stacks_text (stacks, thread->name), thread->tid);
        }
      if (stacks->moments.len > 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT " ", stacks->moments.data[i]);
      for (guint32 t = 0; t < stacks->types.len; t++)
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, t > 0 ? "," : "", stacks->values[t].data[i]);
      g_string_append_c (out, ':');
      wp_frames_stack (stacks->frames, stacks->sample_stacks.data[i], &stack);
      for (guint32 l = stack.len; l-- > 0;)
        {
          g_string_append_c (out, ' ');
          append_location (out, stacks, &stacks->frames->locations.data[stack.data[l]]);
        }
      g_string_append_c (out, '\n');
    }
  wp_array_clear (&stack);
  return g_string_free (out, FALSE);
}

/* --- Firefox ------------------------------------------------------------------------------------------------------ */

/* Version 70: weights of all three types; a null stack; inlined functions; an address without a name, one with a symbol; CPU time, whose first
 * value is not known. */
static void
test_firefox (void)
{
  g_autoptr (WpStacks) stacks = read_corpus ("processed.firefox.json", "firefox");
  g_autofree char *found = describe (stacks);

  g_assert_cmpstr (found, ==,
                   "samples/count time/nanoseconds space/bytes cpu/nanoseconds\n"
                   "app:12/main:12 100000000 1,0,0,0: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)>deeper(/src/b.h:30:0) /lib/libc.so.6!0x1f0\n"
                   "app:12/main:12 102500000 1,0,0,500000: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)>deeper(/src/b.h:30:0)\n"
                   "app:12/main:12 103500000 1,0,0,0: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)>deeper(/src/b.h:30:0) /lib/libc.so.6!0x1f0 "
                   "/lib/libc.so.6!write\n"
                   "app:12/main:12 104500000 1,0,0,250500: click(https://example.org/page.js:3:40)\n"
                   ":12/worker:13 500000 2,0,0,0: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)>deeper(/src/b.h:30:0)\n"
                   ":12/worker:13 200000000 -1,0,0,0: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)\n"
                   ":12/allocator:14 7000000 0,0,4096,0: /opt/app!main(/src/a.c:10:1)\n"
                   ":12/tracer:15 8000000 0,250000,0,0: /opt/app!main(/src/a.c:10:1)>inlined(/src/b.h:20:2)\n");
  g_assert_cmpint (stacks->header.time, ==, 1700000000000250000);
  g_assert_cmpint (stacks->header.duration, ==, 250500000);
  g_assert_cmpint (stacks->header.period, ==, 1000000);
  g_assert_cmpuint (wp_stacks_default_type (stacks), ==, 0);
  g_assert_cmpstr (wp_stacks_text (stacks, stacks->frames->modules.data[1].build_id), ==, "AB0");
  g_assert_cmpstr (wp_stacks_text (stacks, stacks->frames->modules.data[2].build_id), ==, "cdef");
}

/* Values of the type that is shown, inlined functions marked. */
static void
test_firefox_as_folded (void)
{
  g_autoptr (WpStacks) stacks = read_corpus ("processed.firefox.json", "firefox");
  g_autofree char *found = written (stacks, "folded");

  g_assert_cmpstr (found, ==, "click 1\nmain;inlined_[i] -1\nmain;inlined_[i];deeper_[i] 3\n"
                              "main;inlined_[i];deeper_[i];[libc.so.6] 1\nmain;inlined_[i];deeper_[i];[libc.so.6];write 1\n");
}

/* Before version 41: tables, texts and libs of each thread. */
static void
test_old_firefox (void)
{
  g_autoptr (WpStacks) stacks = read_corpus ("old.firefox.json", "firefox");
  g_autofree char *found = describe (stacks);

  g_assert_cmpstr (found, ==,
                   "samples/count\n"
                   ":7/GeckoMain:8 1000000 1: (root) /opt/xul!0x123\n"
                   ":7/GeckoMain:8 2000000 1: (root) /opt/xul!0x123\n"
                   ":7/GeckoMain:8 3000000 1: (root)\n");
  g_assert_cmpuint (stacks->frames->modules.data[1].start, ==, 0);
}

/* Gecko's own: rows with schemas before and behind them, texts that say what frames are, processes within each other with clocks of their own. */
static void
test_gecko (void)
{
  g_autoptr (WpStacks) stacks = read_corpus ("gecko.firefox.json", "firefox");
  g_autofree char *found = describe (stacks);

  g_assert_cmpstr (found, ==,
                   "samples/count cpu/nanoseconds\n"
                   ":20/GeckoMain:20 10000000 1,0: (root) /opt/firefox!0x100000123 work(https://example.org/two.js:7:9) /opt/firefox!native\n"
                   ":20/GeckoMain:20 12000000 1,300: (root) /opt/firefox!0x100000123 work(https://example.org/two.js:7:9)\n"
                   ":20/GeckoMain:20 16000000 1,100: (root) /opt/firefox!0x100000123 work(https://example.org/two.js:7:9) /opt/firefox!native "
                   "(root scope) https://example.org/page.js(https://example.org/page.js:0:0)\n"
                   ":20/GeckoMain:20 18000000 1,0: (root) short(https://example.org/by-number.js:0:0)\n"
                   ":30/Content:30 501000000 1,0: 0x200000000\n");
  g_assert_cmpuint (stacks->frames->modules.data[1].start, ==, 4294967296);
}

/* Damage: each with the place and what is wrong. */
static void
test_wrong_firefox (void)
{
  static const struct
  {
    const char *from, *to, *message;
  } damages[] = {
    { "\"stack\": [3, null", "\"stack\": [99, null", "input: threads[0].samples.stack[0]: 99 is none of the 7 rows that there are" },
    { "\"stack\": [3, null", "\"stack\": [-2, null", "input: threads[0].samples.stack[0]: -2 is none of the 7 rows that there are" },
    { "\"stack\": [3, null", "\"stack\": [0.5, null", "input: threads[0].samples.stack[0]: 0.5 is none of the 7 rows that there are" },
    { "\"stack\": [3, null", "\"stack\": [9007199254740993, null", "input: threads[0].samples.stack[0]: 9007199254740992 is none of the 7 rows that there are" },
    { "\"stack\": [3, null", "\"stack\": [NaN, null", "input: threads[0].samples.stack[0]: not a number that can be counted with" },
    { "\"stack\": [3, null", "\"stack\": [\"3\", null", "input: threads[0].samples.stack[0]: not a number" },
    { "\"stack\": [3, null", "\"stack\": [[3], null", "input: threads[0].samples.stack[0]: not a number" },
    { "\"timeDeltas\": [100, ", "\"timeDeltas\": [", "input: threads[0].samples.timeDeltas: 4 rows for 5 samples" },
    { "\"timeDeltas\"", "\"unknown\"", "input: threads[0].samples: they have neither time nor timeDeltas" },
    { "\"weightType\": \"bytes\"", "\"weightType\": \"pounds\"", "input: threads[2].samples.weightType: not a type of weights: samples, tracing-ms or bytes" },
    { "\"prefixOffset\": [0, 1,", "\"prefixOffset\": [0, 2,", "input: shared.stackTable.prefixOffset[1]: there is no row 2 before it" },
    { "\"prefixOffset\": [0, 1,", "\"prefixOffset\": [0, -1,", "input: shared.stackTable.prefixOffset[1]: there is no row -1 before it" },
    { "\"prefixOffset\": [0, 1, 1, 1, 1, 5, 0]", "\"prefix\": [null, 0, 2, 2, 1, 0, null]",
      "input: shared.stackTable.prefix[2]: a stack stands on one that comes before it, and 2 does not" },
    { "\"frame\": [0, 1,", "\"frame\": [0, 77,", "input: shared.stackTable.frame[1]: 77 is none of the 6 rows that there are" },
    { "\"frame\": [0, 1,", "\"frame\": [0, null,", "input: shared.stackTable.frame[1]: every stack has a frame" },
    { "\"func\": [0, 1,", "\"func\": [0, null,", "input: shared.frameTable.func[1]: every frame has a function" },
    { "\"func\": [0, 1,", "\"func\": [0, 6,", "input: shared.frameTable.func[1]: 6 is none of the 6 rows that there are" },
    { "\"name\": [0, 1, 2,", "\"name\": [0, 11, 2,", "input: shared.funcTable.name[1]: 11 is none of the 11 rows that there are" },
    { "\"lib\": [0, ", "\"lib\": [2, ", "input: shared.frameTable.lib[0]: 2 is none of the 2 rows that there are" },
    { "\"source\": [0, ", "\"source\": [3, ", "input: shared.funcTable.source[0]: 3 is none of the 3 rows that there are" },
    { "\"filename\": [5, ", "\"filename\": [55, ", "input: shared.sources.filename[0]: 55 is none of the 11 rows that there are" },
    { "\"stackTable\"", "\"noTable\"", "input: threads[0].samples.stack[0]: 3 is none of the 0 rows that there are" },
    { "\"frameTable\"", "\"noTable\"", "input: shared.stackTable.frame[0]: 0 is none of the 0 rows that there are" },
    { "\"stringArray\"", "\"noArray\"", "input: shared.funcTable.name[0]: 0 is none of the 0 rows that there are" },
    { "\"stackTable\": {", "\"stackTable\": 5, \"other\": {", "input: shared.stackTable: not an object" },
    { "\"threads\": [", "\"threads\": {\"x\": 1}, \"others\": [", "input: threads: not an array" },
    { "\"libs\": [", "\"libs\": [5, ", "input: libs[0]: not an object" },
  };
  g_autofree char *whole = corpus_file ("processed.firefox.json");

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_auto (GStrv) parts = g_strsplit (whole, damages[i].from, 2);
      g_autofree char *content = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (WpStacks) stacks = NULL;

      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      content = g_strconcat (parts[0], damages[i].to, parts[1], NULL);
      stacks = read_bytes (content, strlen (content), "firefox", &error);
      g_assert_null (stacks);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_cmpstr (error->message, ==, damages[i].message);
    }
}

/* What is written is read as the same, and written once more the same: of each file that other programs' formats have, in any format that holds it.
 * Addresses become those within their files. */
static void
test_firefox_again (void)
{
  static const char *const files[][2] = {
    { "processed.firefox.json", "firefox" }, { "old.firefox.json", "firefox" }, { "gecko.firefox.json", "firefox" }, { "events.chrome.json", "chrome" },
    { "two.speedscope.json", "speedscope" }, { "marks.folded", "folded" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (WpStacks) stacks = read_corpus (files[i][0], files[i][1]), again = NULL;
      g_autofree char *once = written (stacks, "firefox"), *twice = NULL;
      g_autoptr (GError) error = NULL;

      again = read_bytes (once, strlen (once), "firefox", &error);
      g_assert_no_error (error);
      twice = written (again, "firefox");
      g_assert_cmpstr (once, ==, twice);
    }
}

static char *
sorted_lines (char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  qsort (lines, g_strv_length (lines), sizeof *lines, wp_compare_texts);
  g_free (text);
  return g_strjoinv ("\n", lines);
}

/* Nothing is lost, but the order of threads. */
static void
check_same (const char *content, const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_bytes (content, strlen (content), from, &error), again = NULL;
  g_autofree char *converted = NULL, *before = NULL, *after = NULL;

  g_assert_no_error (error);
  converted = written (stacks, to);
  again = read_bytes (converted, strlen (converted), to, &error);
  g_assert_no_error (error);
  before = sorted_lines (describe (stacks));
  after = sorted_lines (describe (again));
  g_assert_cmpstr (before, ==, after);
}

static void
test_same (void)
{
  static const char events[] = "[{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": 10, \"dur\": 10},"
                               "{\"ph\": \"X\", \"name\": \"b\", \"pid\": 1, \"tid\": 2, \"ts\": 10, \"dur\": 5.5},"
                               "{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": 30, \"dur\": 1},"
                               "{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 3, \"ts\": 1700000000000000.25, \"dur\": 1},"
                               "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 3, \"args\": {\"name\": \"t\"}},"
                               "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"p\"}}]";
  g_autofree char *old = corpus_file ("old.firefox.json"), *chrome = corpus_file ("events.chrome.json");

  check_same (old, "firefox", "firefox");
  check_same (chrome, "chrome", "firefox");
  check_same (events, "chrome", "firefox");
  check_same (events, "chrome", "chrome");
}

/* --- Chrome ------------------------------------------------------------------------------------------------------- */

static char *
as_chrome (const char *content, const char *format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_bytes (content, strlen (content), format, &error);

  g_assert_no_error (error);
  return written (stacks, "chrome");
}

#define CHROME(events) "{\n\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n" events "\n]\n}\n"

/* Without moments one after another, a unit a microsecond; what neighbours have in common is one event. */
static void
test_chrome_of_folded (void)
{
  g_autofree char *found = as_chrome ("main;work;read_[k] 30\nmain;work 12\nmain;none 0\nother 2\n", "folded");

  g_assert_cmpstr (found, ==,
                   CHROME ("{\"ph\": \"X\", \"name\": \"main\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 42},\n"
                           "{\"ph\": \"X\", \"name\": \"work\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 42},\n"
                           "{\"ph\": \"X\", \"name\": \"read\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 30},\n"
                           "{\"ph\": \"X\", \"name\": \"other\", \"pid\": 0, \"tid\": 0, \"ts\": 42, \"dur\": 2}"));
}

/* Samples without a length last until the next one of their thread, and the last one for the period; a gap ends what is open. */
static void
test_chrome_of_samples (void)
{
  g_autoptr (WpStacks) stacks = read_corpus ("old.firefox.json", "firefox");
  g_autofree char *found = written (stacks, "chrome");

  g_assert_cmpstr (found, ==,
                   CHROME ("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 7, \"tid\": 8, \"args\": {\"name\": \"GeckoMain\"}},\n"
                           "{\"ph\": \"X\", \"name\": \"(root)\", \"pid\": 7, \"tid\": 8, \"ts\": 1000, \"dur\": 3000},\n"
                           "{\"ph\": \"X\", \"name\": \"0x123\", \"pid\": 7, \"tid\": 8, \"ts\": 1000, \"dur\": 2000}"));
}

static void
test_chrome_of_difference (void)
{
  g_autoptr (WpStacks) stacks = read_bytes ("a;b -1\n", 7, "folded", NULL);
  g_autoptr (GError) error = NULL;
  int fd = open ("/dev/null", O_WRONLY);

  g_assert_false (wp_stacks_write (stacks, wp_stacks_format_named ("chrome"), fd, NULL, &error));
  g_assert_cmpstr (error->message, ==, "trace events last for a time, and samples of a difference may be less than none");
  close (fd);
}

static void
assert_folded (const char *content, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = read_bytes (content, strlen (content), "folded", &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = describe (stacks);
  g_assert_cmpstr (found, ==, expected);
}

/* Numbers at the ends of names are values only where every line has two. */
static void
test_folded_values (void)
{
  assert_folded ("main;work 40 50\n# a comment 1\nmain;Thread 3 57\n", "before/count after/count\n40,50: main work\n3,57: main Thread\n");
  assert_folded ("Thread 3 57\nmain;work 40\n", "samples/count\n57: Thread 3\n40: main work\n");
  assert_folded ("main;Thread 3 57\nmain;work\nmain;work 40\n", "samples/count\n57: main Thread 3\n1: main work\n40: main work\n");
  assert_folded ("main;work\nmain;rest\n", "samples/count\n1: main work\n1: main rest\n");
}

/* Where any value has decimals all are millionths; decimals in names and those that are zeros make no difference. */
static void
test_folded_decimals (void)
{
  assert_folded ("main;f 12.5\nmain;g 3\nmain;h\n", "samples/millionths\n12500000: main f\n3000000: main g\n1000000: main h\n");
  assert_folded ("main;f 12.\nmain;g 3.00\nmain;h 1e3\n", "samples/count\n12: main f\n3: main g\n1000: main h\n");
  assert_folded ("main;f -0.25\nmain;g 5e-05\n", "samples/millionths\n-250000: main f\n50: main g\n");
  assert_folded ("main;f 0.5 2\nmain;g 1 1\n", "before/millionths after/millionths\n500000,2000000: main f\n1000000,1000000: main g\n");
  assert_folded ("main;Python 3.11 7\nmain 9223372036854775807\n", "samples/count\n7: main Python 3.11\n9223372036854775807: main\n");
  assert_folded ("main;f .5\nmain;f 1.5.2\nmain;f -\nmain;f 1e\n",
                 "samples/count\n1: main f .5\n1: main f 1.5.2\n1: main f -\n1: main f 1e\n");
}

/* Functions that are inlined in each other without end: a location for each would have the lines of all before it. */
static void
test_inlined_without_end (void)
{
  g_autoptr (GString) text = g_string_new ("a");
  g_autoptr (WpStacks) stacks = NULL;

  for (guint i = 0; i < 10000; i++)
    g_string_append (text, ";a_[i]");
  g_string_append (text, " 1\n");
  stacks = read_bytes (text->str, text->len, "folded", NULL);
  g_assert_cmpuint (stacks->frames->lines.len, <, 100 * 10000);
}

/* --- proportion --------------------------------------------------------------------------------------------------- */

/* A loop of calls n deep, in which n calls more come and go: a few events, and 2n² frames where each sample has a stack of its own. */
static WpStacks *
make_deep (guint n)
{
  g_autoptr (GString) content = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (content, "{\"ph\": \"B\", \"name\": \"f\", \"ts\": %u},", i);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (content, "{\"ph\": \"X\", \"name\": \"g\", \"ts\": %u, \"dur\": 1},", n + 2 * i);
  g_string_append (content, "{\"ph\": \"M\"}]");
  return read_bytes (content->str, content->len, "chrome", NULL);
}

static void
test_proportion (void)
{
  g_autoptr (WpStacks) deep = make_deep (1000), deeper = make_deep (8000);
  g_autoptr (GError) error = NULL;
  int fd = open ("/dev/null", O_WRONLY);

  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    {
      gboolean is_tree = g_str_equal (format->id, "firefox");

      if (format->write == NULL)
        continue;
      g_test_message ("%s", format->id);
      g_assert_true (wp_stacks_write (deep, format, fd, NULL, NULL));
      g_assert_true (wp_stacks_write (deeper, format, fd, NULL, &error) == is_tree);
      g_assert_true (is_tree || strstr (error->message, ", out of all proportion; ") != NULL);
      g_clear_error (&error);
    }
  close (fd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stacks-formats/firefox", test_firefox);
  g_test_add_func ("/stacks-formats/firefox-as-folded", test_firefox_as_folded);
  g_test_add_func ("/stacks-formats/old-firefox", test_old_firefox);
  g_test_add_func ("/stacks-formats/gecko", test_gecko);
  g_test_add_func ("/stacks-formats/wrong-firefox", test_wrong_firefox);
  g_test_add_func ("/stacks-formats/firefox-again", test_firefox_again);
  g_test_add_func ("/stacks-formats/same", test_same);
  g_test_add_func ("/stacks-formats/folded-values", test_folded_values);
  g_test_add_func ("/stacks-formats/folded-decimals", test_folded_decimals);
  g_test_add_func ("/stacks-formats/inlined-without-end", test_inlined_without_end);
  g_test_add_func ("/stacks-formats/chrome-of-folded", test_chrome_of_folded);
  g_test_add_func ("/stacks-formats/chrome-of-samples", test_chrome_of_samples);
  g_test_add_func ("/stacks-formats/chrome-of-difference", test_chrome_of_difference);
  g_test_add_func ("/stacks-formats/proportion", test_proportion);
  return g_test_run ();
}
