/* perf script text, which is explained like any other recording. */
#include "traced.h"

#include <unistd.h>

static gboolean
run (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () };
  FuzzRandom choice = fuzz_choice (data, n);
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (WpDocument) document = wp_document_open (path, &options, NULL, NULL);

  if (document != NULL)
    {
      g_autofree char *fault = wp_trace_check (document->trace);

      g_assert_cmpstr (fault, ==, NULL);
      fuzz_explain_all (document, &choice);
    }
  close (fd);
  return document != NULL;
}

static gboolean
parse (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () };
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (WpDocument) document = wp_document_open (path, &options, NULL, NULL);

  close (fd);
  return document != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "script",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_lines },
  .splice = fuzz_splice_lines,
  .shorten = fuzz_shorten_lines,
};
