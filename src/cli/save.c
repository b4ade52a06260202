/* save: what explains one process, as a profile small enough to keep. */
#include "cli/command.h"
#include "cli/open.h"
#include "profile/perun.h"

static int
save (WpDocument *document, const WpCliOptions *options)
{
  GError *error = NULL;
  gboolean owned, done;
  WpPaths *paths = wp_cli_paths (document, options, &owned, &error);
  g_autoptr (WpExplanation) explanation = NULL;
  g_autofree char *file = g_strdup (options->output);

  if (paths == NULL)
    return wp_cli_fail (error);
  if (file == NULL)
    file = g_strdup_printf ("%s.perf", paths->name);
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  done = wp_perun_save (file, paths, explanation, NULL, &error);
  if (owned)
    wp_paths_free (paths);
  if (!done)
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

int
wp_cmd_save (int argc, char **argv)
{
  static const char *const formats[] = { "perf", NULL };
  g_auto (WpCliOptions) options = { 0 };
  g_autoptr (WpDocument) document = NULL;
  GError *error = NULL;
  int status = wp_cli_parse (argc, argv, formats, &options);

  if (status != 0)
    return status;
  document = wp_cli_open (&options, &error);
  if (document == NULL)
    return wp_cli_fail (error);
  return save (document, &options);
}
