/* Text forms of filters: an input is one. What can be read is written, read again and done to a small profile. */
#include "fuzz.h"

#include <gio/gio.h>

#include "stacks/filter.h"
#include "stacks/graph.h"

static WpStacks *profile;

/* Stacks of one location each, some with an inlined function, on top of one another and whole; labels of both kinds. */
static WpStacks *
make_profile (void)
{
  static const char *const names[] = { "main", "a::b(int)", "operator()()", "(anonymous namespace)::x", ".run.time", "\xff", "" };
  g_auto (WpStacksMaker) maker = { 0 };
  WpStrings *strings;
  WpFrames *frames;
  WpId below = 0;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  frames = maker.stacks->frames;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "cpu"), wp_strings_intern (strings, "nanoseconds"));
  wp_array_push (&frames->modules, ((WpStackModule) { .file = wp_strings_intern (strings, "/bin/program") }));
  for (guint32 i = 0; i < G_N_ELEMENTS (names); i++)
    {
      WpId name = wp_strings_intern (strings, names[i]);

      wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name, .file = wp_strings_intern (strings, "a/b.c") }));
      wp_array_push (&frames->lines, ((WpStackLine) { .function = i + 1, .line = i }));
      wp_array_push (&frames->locations, ((WpLocation) { .module = i % 2, .first_line = i / 2, .n_lines = 1 + i % 2 }));
    }
  for (guint32 i = 0; i < 4 * G_N_ELEMENTS (names); i++)
    {
      const WpId run[] = { 1 + i % G_N_ELEMENTS (names), 1 + i / 4 };

      below = wp_stacks_maker_stack (&maker, i % 5 == 0 ? 0 : below, run, 1 + i % 2);
      if (i % 3 > 0)
        wp_stacks_maker_label (&maker, wp_strings_intern (strings, "thread"), wp_strings_intern (strings, names[i % G_N_ELEMENTS (names)]));
      if (i % 4 > 0)
        wp_stacks_maker_number (&maker, wp_strings_intern (strings, "bytes"), (gint64) i << (i % 40), i % 4 > 1 ? wp_strings_intern (strings, "kb") : 0);
      wp_stacks_maker_sample (&maker, i % 6 == 0 ? 0 : below, &(gint64) { i });
    }
  return wp_stacks_maker_take (&maker);
}

static void
set_up (void)
{
  profile = make_profile ();
}

/* What is left refers to rows that there are, and prefixes come first. */
static void
check (const WpStacks *stacks)
{
  const WpGraphOptions options = { .calls = TRUE };
  const WpFrames *frames = stacks->frames;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (stacks->sample_stacks.data[i] >= frames->nodes.len || stacks->sample_labels.data[i] >= stacks->labels->sets.len)
      g_error ("sample %u has no stack or no labels", i);
  for (WpId i = 1; i < frames->nodes.len; i++)
    {
      const WpStackNode *node = &frames->nodes.data[i];

      if (node->prefix >= i || node->n == 0 || node->first + node->n > frames->runs.n)
        g_error ("stack %u stands on %u, %u locations from %" G_GUINT64_FORMAT, i, node->prefix, node->n, node->first);
    }
  wp_graph_free (wp_graph_new (stacks, &options, NULL, NULL));
}

static gboolean
run (const guint8 *data, gsize n)
{
  g_autofree char *text = g_strndup ((const char *) data, n), *written = NULL, *again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) less = NULL;
  WpFilter filter = { 0 }, second = { 0 };

  if (wp_filter_parse (&filter, text, NULL))
    {
      written = wp_filter_text (&filter);
      if (!wp_filter_parse (&second, written, &error))
        g_error ("%s", error->message);
      again = wp_filter_text (&second);
      if (!g_str_equal (written, again))
        g_error ("the filter %s is read as %s", written, again);
      less = wp_filter_apply (&filter, profile, NULL, NULL);
      if (less != NULL)
        check (less);
    }
  wp_filter_clear (&filter);
  wp_filter_clear (&second);
  return less != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "filters",
  .set_up = set_up,
  .run = run,
  .changes = { fuzz_change_lines },
  .splice = fuzz_splice_lines,
  .shorten = fuzz_shorten_lines,
};
