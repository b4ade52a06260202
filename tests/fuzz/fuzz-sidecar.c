/* What is kept beside a recording: the input is the text of one, which is read and kept as blocks; some of their numbers are changed, and then it fits its
 * sums again. It is refused, or everything that can be done to a trace is done to it, but saving. */
#include "traced.h"

#include "read/sidecar/columns.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHANGES 8

static WpTrace *
read_text (const guint8 *data, gsize n)
{
  const WpReadOptions options = { .symbol_root = fuzz_folder () };
  char path[40];
  int fd = fuzz_open (data, n, path);
  WpTrace *trace = wp_read (path, &options, NULL, NULL);

  close (fd);
  return trace;
}

/* A number of a row becomes another one, or a row comes into the place of another. */
static void
change_block (guint8 *rows, const WpBlock *block, FuzzRandom *choice)
{
  const guint32 row = fuzz_below (choice, block->n);
  const guint64 number = fuzz_one_in (choice, 2) ? fuzz_below (choice, 64) : fuzz_number (choice);
  const guint wanted = fuzz_one_in (choice, 3) ? 1 : fuzz_one_in (choice, 2) ? 4 : 8, width = MIN (block->row, wanted);

  if (fuzz_one_in (choice, 8))
    memcpy (rows + (gsize) row * block->row, rows + (gsize) fuzz_below (choice, block->n) * block->row, block->row);
  else
    memcpy (rows + (gsize) row * block->row + fuzz_below (choice, block->row / width) * width, &number, width);
}

/* As it comes back. */
static WpTrace *
keep_and_open (const WpBlock *blocks)
{
  WpSidecarBlocks opened;
  int fd = memfd_create ("sidecar", MFD_CLOEXEC);
  gboolean mapped;
  void *map;
  gsize size;

  wp_sidecar_blocks_empty (&opened);
  g_assert_true (wp_blocks_write (fd, "title", blocks, WP_SIDECAR_BLOCKS, NULL));
  mapped = wp_blocks_map (fd, "title", opened.blocks, WP_SIDECAR_BLOCKS, &map, &size);
  g_assert_true (mapped);
  close (fd);
  wp_sidecar_is_up_to_date (&opened);
  return wp_sidecar_trace (&opened, map, size);
}

static WpTrace *
change_and_open (const WpTrace *trace, FuzzRandom *choice)
{
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (WpAskedFile));
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_free);
  const guint n = fuzz_below (choice, CHANGES);
  WpSidecarBlocks kept;
  WpTrace *opened;

  g_array_append_val (asked, ((WpAskedFile) { (char *) "/nonexistent", { 1, 2, 3, 4 } }));
  g_assert_true (wp_sidecar_blocks_of (&kept, trace, asked));
  for (guint b = 0; b < WP_SIDECAR_BLOCKS; b++)
    {
      g_ptr_array_add (copies, g_memdup2 (kept.blocks[b].data, (gsize) kept.blocks[b].n * kept.blocks[b].row));
      kept.blocks[b].data = copies->pdata[b];
    }
  for (guint i = 0; i < n; i++)
    {
      const guint b = fuzz_below (choice, WP_SIDECAR_BLOCKS);

      if (kept.blocks[b].n > 0)
        change_block (copies->pdata[b], &kept.blocks[b], choice);
    }
  opened = keep_and_open (kept.blocks);
  g_assert_true (opened != NULL || n > 0);
  wp_sidecar_blocks_clear (&kept);
  return opened;
}

static WpDocument *
open_changed (const guint8 *data, gsize n, FuzzRandom *choice)
{
  g_autoptr (WpTrace) trace = read_text (data, n);
  WpTrace *opened = trace != NULL ? change_and_open (trace, choice) : NULL;
  WpDocument *document;

  if (opened == NULL)
    return NULL;
  document = g_new0 (WpDocument, 1);
  document->path = g_strdup ("input");
  document->format = WP_FORMAT_PERF_SCRIPT;
  document->trace = opened;
  return document;
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  g_autoptr (WpDocument) document = open_changed (data, n, &choice);
  g_autofree char *fault = document != NULL ? wp_trace_check (document->trace) : NULL;

  g_assert_cmpstr (fault, ==, NULL);
  if (document != NULL)
    fuzz_see_all (document, &choice);
  return document != NULL;
}

static gboolean
parse (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  g_autoptr (WpDocument) document = open_changed (data, n, &choice);

  return document != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "sidecar",
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_lines },
  .splice = fuzz_splice_lines,
  .shorten = fuzz_shorten_lines,
};
