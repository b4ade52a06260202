/* Everything that can be done to stacks with values. */
#include "profiled.h"

#include "fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls/json.h"
#include "calls/renderers.h"
#include "stacks/filter.h"
#include "stacks/formats.h"
#include "stacks/merge.h"
#include "stacks/tags.h"
#include "stacks/trim.h"

static const char *const patterns[] = { "a", "^main$", ".", "x|y", "\\(", "[0-9]+", "key=v", "4kb:", ":16b", "1ms:20ms", "bytes=4kb", "req,init", "" };

/* What one writes to a descriptor, as text; NULL: it was refused. */
static char *
written (const WpStacks *stacks, const WpStacksFormat *format)
{
  int fd = memfd_create ("fuzz", 0);
  g_autoptr (GError) error = NULL;
  gsize size;
  char *text;

  if (!wp_stacks_write (stacks, format, fd, NULL, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
        g_error ("%s cannot be written: %s", format->id, error->message);
      close (fd);
      return NULL;
    }
  size = (gsize) lseek (fd, 0, SEEK_END);
  text = g_malloc0 (size + 1);
  if (pread (fd, text, size, 0) != (gssize) size)
    g_error ("what was written cannot be read");
  close (fd);
  return text;
}

/* In every text format: whatever is written there is read again. */
static void
check_formats (const WpStacks *stacks)
{
  static const char *const ids[] = { "speedscope", "firefox", "chrome" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const WpStacksFormat *format = wp_stacks_format_named (ids[i]);
      g_autofree char *text = written (stacks, format);
      const WpInput input = { .data = (const guint8 *) text, .n = text != NULL ? strlen (text) : 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (WpStacks) again = NULL;

      if (text == NULL)
        continue;
      if (!format->is (input.data, input.n))
        g_error ("what was written as %s is not told to be that", ids[i]);
      again = format->read ("again", &input, NULL, &error);
      if (again == NULL)
        g_error ("what was written as %s cannot be read: %s", ids[i], error->message);
    }
}

/* Written and read, it is the same. */
static void
check_round_trip (const WpStacks *stacks)
{
  const WpStacksFormat *raw = wp_stacks_format_named ("raw");
  g_autofree char *path = fuzz_path ("again.pb.gz"), *before = written (stacks, raw), *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) again = NULL;

  if (before == NULL)
    return;
  if (!wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), path, NULL, &error))
    g_error ("%s", error->message);
  again = wp_stacks_open (path, NULL, NULL, &error);
  if (again == NULL)
    g_error ("what was written cannot be read: %s", error->message);
  after = written (again, raw);
  if (!g_str_equal (before, after))
    g_error ("what was written is read as another one:\n%s\n%s", before, after);
}

/* Every sample with a stack is some node's own; of all, nothing is twice. */
static void
check_graph (const WpStacks *stacks, const WpGraphOptions *options)
{
  g_autoptr (WpGraph) graph = wp_graph_new (stacks, options, NULL, NULL);
  const WpTrimOptions trim = { .order = options->mean, .node_fraction = 0.01 };
  g_auto (WpTrimmed) trimmed = { 0 };
  guint64 flat = 0, samples = 0;

  for (guint32 i = 0; i < graph->nodes.len; i++)
    flat += (guint64) graph->nodes.data[i].flat.sum;
  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (stacks->sample_stacks.data[i] != 0)
      samples += (guint64) stacks->values[options->type].data[i];
  if (flat != samples)
    g_error ("nodes took %" G_GUINT64_FORMAT " where samples have %" G_GUINT64_FORMAT, flat, samples);
  wp_graph_trim (graph, &trim, wp_stacks_text (stacks, stacks->types.data[options->type].unit), NULL, &trimmed);
}

/* Written in each way; as JSON it is read again. */
void
fuzz_use_calls (WpCalls *calls, FuzzRandom *choice)
{
  const WpCallsShowOptions options = { .order = fuzz_below (choice, 3), .hide_self = { fuzz_below (choice, 3), 1 + fuzz_below (choice, 100) },
                                       .hide_subs = { fuzz_below (choice, 3), fuzz_below (choice, 100) }, .truncate = fuzz_below (choice, 60) };
  g_autoptr (WpCalls) both = wp_calls_merge ((WpCalls *[]) { calls, calls }, 2, NULL), again = NULL;
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (const WpCallsRenderer *renderer = wp_calls_renderers; renderer->id != NULL; renderer++)
    {
      g_autoptr (GString) text = g_string_new (NULL), text_of_both = g_string_new (NULL);

      renderer->append (calls, &options, text);
      if (both != NULL)
        renderer->append (both, &options, text_of_both);
    }
  wp_calls_append_json (calls, &options, json);
  again = wp_calls_json_read ("again", &(WpInput) { .data = (const guint8 *) json->str, .n = json->len }, NULL, &error);
  if (again == NULL)
    g_error ("what was written cannot be read: %s", error->message);
  if (again->nodes.len != calls->nodes.len || again->edges.len != calls->edges.len)
    g_error ("what was written is read as another one:\n%s", json->str);
}

/* Callers' times at a node sum up to its total, and so do callees'. */
static void
check_calls (const WpStacks *stacks, guint32 type, FuzzRandom *choice)
{
  const WpCallsOptions options = { .type = type, .lines = fuzz_one_in (choice, 2), .without_inlined = fuzz_one_in (choice, 2) };
  g_autoptr (WpCalls) calls = wp_calls_of_stacks (stacks, &options, NULL, NULL);

  for (guint32 i = 1; calls != NULL && calls->exact && i < calls->nodes.len; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[i];
      WpExact of_callers = 0, of_callees = 0;

      for (guint32 k = 0; k < node->n_callers; k++)
        of_callers += calls->edges.data[calls->callers.data[node->first_caller + k]].caller_time;
      for (guint32 k = 0; k < node->n_callees; k++)
        of_callees += calls->edges.data[calls->callees.data[node->first_callee + k]].callee_time;
      if (of_callers != node->total || of_callees != node->total)
        g_error ("calls at %s are not its total", wp_calls_text (calls, node->name));
    }
  if (calls != NULL)
    fuzz_use_calls (calls, choice);
}

static WpStacks *
filtered (WpStacks *stacks, FuzzRandom *choice)
{
  WpFilter filter = { 0 }, again = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *text_again = NULL;
  WpStacks *result;

  for (guint i = fuzz_below (choice, 4); i-- > 0;)
    wp_filter_add (&filter, fuzz_below (choice, WP_FILTER_KIND_COUNT), patterns[fuzz_below (choice, G_N_ELEMENTS (patterns))]);
  text = wp_filter_text (&filter);
  if (!wp_filter_parse (&again, text, &error))
    g_error ("%s", error->message);
  text_again = wp_filter_text (&again);
  if (!g_str_equal (text, text_again))
    g_error ("the filter %s is read as %s", text, text_again);
  result = wp_filter_apply (&filter, stacks, NULL, &error);
  wp_filter_clear (&filter);
  wp_filter_clear (&again);
  return result;
}

void
fuzz_use_stacks (WpStacks *read, FuzzRandom *choice)
{
  g_autoptr (WpStacks) pruned = NULL, less = NULL, merged = NULL, difference = NULL, plain = NULL;

  check_round_trip (read);
  check_formats (read);
  pruned = wp_stacks_drop_frames (read, NULL, NULL);
  less = filtered (pruned, choice);
  if (less == NULL)
    return; /* a pattern that is none */
  check_round_trip (less);
  for (guint32 t = 0; t < less->types.len; t++)
    {
      const WpGraphOptions options = { .frames = { .by = fuzz_below (choice, WP_FRAMES_BY_COUNT), .columns = fuzz_one_in (choice, 2),
                                                   .without_inlined = fuzz_one_in (choice, 2) },
                                       .type = t, .mean = fuzz_one_in (choice, 4), .calls = TRUE };

      check_graph (less, &options);
      wp_tags_free (wp_tags_new (less, t, "auto"));
      check_calls (less, t, choice);
    }
  plain = wp_stacks_without_inlined (less);
  merged = wp_stacks_merge ((WpStacks *[]) { read, less, plain }, 3, NULL, NULL);
  if (merged != NULL)
    check_round_trip (merged);
  difference = wp_stacks_subtract (read, less, fuzz_below (choice, 2), fuzz_one_in (choice, 2), NULL, NULL);
}
