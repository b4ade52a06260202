/* report: the explanation table of a process; without one, the tasks to choose from. */
#include "cli/command.h"
#include "cli/open.h"
#include "profile/model/report.h"

static int
explain (WpDocument *document, const WpPaths *paths, const WpCliOptions *options)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, options->from_ns, options->to_ns, NULL, NULL);

  wp_report_write (out, document, explanation, paths, wp_report_format_from_id (options->format));
  wp_cli_flush (out);
  return 0;
}

static int
report (WpDocument *document, const WpCliOptions *options)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (options->task != NULL || document->saved != NULL)
    return wp_cli_paths (document, options, explain);
  wp_cli_tasks (out, document, options->format);
  wp_cli_flush (out);
  return 0;
}

int
wp_cmd_report (int argc, char **argv)
{
  static const char *const formats[] = { "text", "tsv", "json", "markdown", NULL };

  return wp_cli_with_file (argc, argv, formats, TRUE, report);
}
