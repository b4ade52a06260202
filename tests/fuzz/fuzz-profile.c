/* Opens any bytes as a saved profile; what opens is explained and merged, too. */
#include "paths/tree.h"
#include "profile/perun.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

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
