/* Call graphs as Racket writes them: JSON. */
#include "fuzz.h"
#include "profiled.h"

#include "calls/json.h"

static WpCalls *
read_bytes (const guint8 *data, gsize n)
{
  const WpInput input = { .data = data, .n = n };

  return wp_calls_json_read ("input", &input, NULL, NULL);
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  g_autoptr (WpCalls) calls = read_bytes (data, n);

  if (calls != NULL)
    fuzz_use_calls (calls, &choice);
  return calls != NULL;
}

static gboolean
parse (const guint8 *data, gsize n)
{
  g_autoptr (WpCalls) calls = read_bytes (data, n);

  return calls != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "calls",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_json },
  .splice = fuzz_splice_json,
  .shorten = fuzz_shorten_json,
};
