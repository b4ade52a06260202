#include "read/sidecar/title.h"

#include "config.h"

#include "base/file-id.h"
#include "read/sidecar/columns.h"
#include "read/sidecar/program.h"
#include "read/symbols/debuginfod.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

static void
append (GString *text, const char *what, const char *value)
{
  g_autofree char *quoted = value != NULL ? g_strescape (value, NULL) : NULL;

  g_string_append_printf (text, "%s %s\n", what, quoted != NULL ? quoted : "-");
}

static gboolean
may_fetch (const WpReadOptions *options)
{
  WpDebuginfod *debuginfod = options->no_fetching ? NULL : wp_debuginfod_new (0);
  const gboolean may = debuginfod != NULL;

  wp_debuginfod_free (debuginfod);
  return may;
}

static void
append_options (GString *text, const WpReadOptions *options)
{
  append (text, "idle task", options->idle_task);
  append (text, "root", options->symbol_root);
  g_string_append_printf (text, "samples %d, fetching %d\n", options->all_samples, may_fetch (options));
}

/* Names come from different files with these, and from this machine only where it is the recording's. */
static void
append_surroundings (GString *text)
{
  static const char *const variables[] = { "DEBUGINFOD_URLS", "DEBUGINFOD_CACHE_PATH", "PERF_BUILDID_DIR" };
  struct utsname system;
  const gboolean known = uname (&system) == 0;

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    append (text, variables[i], g_getenv (variables[i]));
  append (text, "home", g_get_home_dir ());
  append (text, "host", g_get_host_name ());
  append (text, "kernel", known ? system.release : NULL);
  append (text, "machine", known ? system.machine : NULL);
  g_string_append_printf (text, "user %u\n", (guint) geteuid ());
}

char *
wp_sidecar_title (const WpReadOptions *options, const WpFileStamp *stamp)
{
  GString *text = g_string_new ("wakepath " WP_VERSION " " WP_PROGRAM_SUM "\n");
  WpSidecarBlocks blocks;

  wp_sidecar_blocks_empty (&blocks);
  g_string_append_printf (text, "order %u, rows ", G_BYTE_ORDER);
  wp_sidecar_append_rows (&blocks, text);
  append_options (g_string_append_c (text, '\n'), options);
  append_surroundings (text);
  g_string_append_printf (text, "recording %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", stamp->inode,
                          stamp->size, stamp->modified, stamp->changed);
  return g_string_free (text, FALSE);
}

/* Numbers of devices are given anew whenever the system starts: see file-id.h. */
char *
wp_sidecar_name (const char *path, const WpReadOptions *options)
{
  int fd = TEMP_FAILURE_RETRY (open (path, O_PATH | O_CLOEXEC));
  g_autoptr (GString) text = NULL;
  WpFileId id;
  gboolean found = fd >= 0 && wp_file_id (fd, &id);

  if (fd >= 0)
    close (fd);
  if (!found)
    return NULL;
  text = g_string_new (NULL);
  wp_file_id_append (&id, text);
  append_options (text, options);
  return g_compute_checksum_for_string (G_CHECKSUM_SHA1, text->str, (gssize) text->len);
}
