/* Stacks with values: an input is a profile of any format, unpacked. */
#include "fuzz.h"
#include "profiled.h"

#include "stacks/formats.h"

static WpStacks *
read_bytes (const guint8 *data, gsize n)
{
  const WpInput input = { .data = data, .n = n };
  const WpStacksFormat *format = wp_stacks_format_of (data, n);

  return format != NULL ? format->read ("input", &input, NULL, NULL) : NULL;
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  g_autoptr (WpStacks) read = read_bytes (data, n);

  if (read != NULL)
    fuzz_use_stacks (read, &choice);
  return read != NULL;
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
