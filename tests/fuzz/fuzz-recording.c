/* Recordings: what is opened is explained for every process, drawn in every layout, and exported. */
#include "traced.h"

#include "read/packed.h"

#include <sys/stat.h>
#include <unistd.h>

static gboolean
run (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () };
  FuzzRandom choice = fuzz_choice (data, n);
  char path[40];
  int fd = fuzz_open (data, n, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (path, &options, NULL, &error);

  g_assert_true ((document == NULL) == (error != NULL));
  if (document != NULL)
    {
      g_autofree char *fault = wp_trace_check (document->trace);

      g_assert_cmpstr (fault, ==, NULL);
      if (document->saved == NULL)
        wp_read_symbols (document->trace, &options, NULL, NULL);
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

static guint64
unpacked (const guint8 *data, gsize n)
{
  WpUnpacked result;
  struct stat st = { 0 };
  int fd = wp_packing (data, n) != NULL ? wp_unpack ("input", data, n, &result, NULL, NULL) : -1;

  if (fd < 0)
    return n;
  if (fstat (fd, &st) != 0)
    st.st_size = 0;
  close (fd);
  return (guint64) st.st_size;
}

const FuzzTarget fuzz_target = {
  .name = "recording",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_perf },
  .splice = fuzz_splice_perf,
  .shorten = fuzz_shorten_perf,
  .unpacked = unpacked,
};
