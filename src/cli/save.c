/* save: what explains one process, as a profile small enough to keep. */
#include "cli/command.h"
#include "cli/open.h"
#include "profile/perun.h"

static int
save (WpDocument *document, const WpPaths *paths, const WpCliOptions *options)
{
  GError *error = NULL;
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autofree char *file = g_strdup (options->output);

  (void) document;
  if (file == NULL)
    file = g_strdup_printf ("%s.perf", paths->name);
  if (!wp_perun_save (file, paths, explanation, NULL, &error))
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

int
wp_cmd_save (int argc, char **argv)
{
  static const char *const formats[] = { "perf", NULL };

  return wp_cli_with_paths (argc, argv, formats, save);
}
