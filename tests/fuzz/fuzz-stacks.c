/* Stacks with values: an input is a profile of any format, unpacked. What is read is filtered, merged, subtracted, counted, written and read again. */
#include "fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stacks/filter.h"
#include "stacks/formats.h"
#include "stacks/merge.h"
#include "stacks/tags.h"
#include "stacks/trim.h"

static const char *const patterns[] = { "a", "^main$", ".", "x|y", "\\(", "[0-9]+", "key=v", "4kb:", ":16b", "1ms:20ms", "bytes=4kb", "req,init", "" };

static WpStacks *
read_bytes (const guint8 *data, gsize n)
{
  const WpInput input = { .data = data, .n = n };
  const WpStacksFormat *format = wp_stacks_format_of (data, n);

  return format != NULL ? format->read ("input", &input, NULL, NULL) : NULL;
}

/* What one writes to a descriptor, as text. */
static char *
written (const WpStacks *stacks, const char *format)
{
  int fd = memfd_create ("fuzz", 0);
  g_autoptr (GError) error = NULL;
  gsize size;
  char *text;

  if (!wp_stacks_format_named (format)->write (stacks, fd, NULL, &error))
    g_error ("%s cannot be written: %s", format, error->message);
  size = (gsize) lseek (fd, 0, SEEK_END);
  text = g_malloc0 (size + 1);
  if (pread (fd, text, size, 0) != (gssize) size)
    g_error ("what was written cannot be read");
  close (fd);
  return text;
}

/* Written and read, it is the same. */
static void
check_round_trip (const WpStacks *stacks)
{
  g_autofree char *path = fuzz_path ("again.pb.gz"), *before = written (stacks, "raw"), *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) again = NULL;

  if (!wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), path, NULL, &error))
    g_error ("%s", error->message);
  again = wp_stacks_open (path, NULL, NULL, &error);
  if (again == NULL)
    g_error ("what was written cannot be read: %s", error->message);
  after = written (again, "raw");
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

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  g_autoptr (WpStacks) read = read_bytes (data, n);
  g_autoptr (WpStacks) pruned = NULL, less = NULL, merged = NULL, difference = NULL, plain = NULL;

  if (read == NULL)
    return FALSE;
  check_round_trip (read);
  pruned = wp_stacks_drop_frames (read, NULL, NULL);
  less = filtered (pruned, &choice);
  if (less == NULL)
    return TRUE; /* a pattern that is none */
  check_round_trip (less);
  for (guint32 t = 0; t < less->types.len; t++)
    {
      const WpGraphOptions options = { .frames = { .by = fuzz_below (&choice, WP_FRAMES_BY_COUNT), .columns = fuzz_one_in (&choice, 2),
                                                   .without_inlined = fuzz_one_in (&choice, 2) },
                                       .type = t, .mean = fuzz_one_in (&choice, 4) };

      check_graph (less, &options);
      wp_tags_free (wp_tags_new (less, t, "auto"));
    }
  plain = wp_stacks_without_inlined (less);
  merged = wp_stacks_merge ((WpStacks *[]) { read, less, plain }, 3, NULL, NULL);
  if (merged != NULL)
    check_round_trip (merged);
  difference = wp_stacks_subtract (read, less, fuzz_below (&choice, 2), fuzz_one_in (&choice, 2), NULL, NULL);
  return TRUE;
}

static gboolean
parse (const guint8 *data, gsize n)
{
  g_autoptr (WpStacks) stacks = read_bytes (data, n);

  return stacks != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "stacks",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_proto, fuzz_change_json, fuzz_change_lines },
  .splice = fuzz_splice_proto,
  .shorten = fuzz_shorten_proto,
};
