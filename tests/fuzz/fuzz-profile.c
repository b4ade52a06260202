/* Opens any bytes as a saved profile; what opens is explained and merged, too. */
#include "profile-fixture.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
void wp_fuzz_seeds (GPtrArray *seeds);

/* The profile of one process of a trace. */
static void
add_seed (GPtrArray *seeds, const char *path, WpTrace *trace)
{
  WpPaths *paths = fixture_paths (trace, 1);
  WpExplanation *explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  char *text;
  gsize len;

  g_assert_true (wp_perun_save (path, paths, explanation, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  g_ptr_array_add (seeds, g_byte_array_new_take ((guint8 *) text, len));
  wp_explanation_free (explanation);
  wp_paths_free (paths);
  wp_trace_free (trace);
}

void
wp_fuzz_seeds (GPtrArray *seeds)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "seed.perf", NULL);

  add_seed (seeds, path, fixture_everything ());
  for (guint seed = 1; seed < 4; seed++)
    add_seed (seeds, path, fixture_random (seed, 40 * seed));
  fixture_remove (folder);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("profile", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  WpTrace *trace;
  WpPaths *paths;

  if (fd >= 0 && write (fd, data, size) == (ssize_t) size && wp_perun_load (path, &trace, &paths, NULL, NULL))
    {
      wp_explanation_free (wp_explain (paths, 0, G_MAXINT64, NULL, NULL));
      wp_tree_free (wp_tree_new (paths, NULL, NULL, NULL));
      wp_paths_free (paths);
      wp_trace_free (trace);
    }
  if (fd >= 0)
    close (fd);
  return 0;
}
