/* report: the explanation table of a process, of the recorded command where none is named. */
#include "cli/open.h"
#include "cli/output.h"
#include "profile/model/summary.h"

typedef struct
{
  WpCliPathOptions paths;
  char *format;
  gboolean summary;
} Options;

/* Whether there is anything to explain unasked. */
static gboolean
knows_its_process (const WpDocument *document)
{
  WpIdArray tasks = { 0 };
  gboolean known = document->saved != NULL || wp_paths_find_tasks (document->trace, NULL, &tasks, NULL);

  wp_array_clear (&tasks);
  return known;
}

static void
write_summary (GString *out, const WpPaths *paths, const WpExplanation *explanation, WpReportFormat format)
{
  g_autoptr (WpAnswer) answer = wp_answer_new (paths, explanation, NULL, NULL);

  wp_summary_write (out, answer, format);
}

static int
explain (WpCliFile *file, const Options *options)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpExplanation) explanation = NULL;
  int status = wp_cli_find_paths (file, &options->paths);

  if (status != 0)
    return status;
  explanation = wp_explain (file->paths, file->from_ns, file->to_ns, NULL, NULL);
  if (options->summary)
    write_summary (out, file->paths, explanation, wp_report_format_from_id (options->format));
  else
    wp_report_write (out, file->document, explanation, file->paths, wp_report_format_from_id (options->format));
  if (options->paths.task == NULL && file->document->saved == NULL && g_str_equal (options->format, "text"))
    {
      g_autofree char *command = g_strdup_printf ("wakepath-cli tasks %s", file->spec);

      g_string_append_c (out, '\n');
      wp_cli_append_line (out, "The other tasks: ", command);
    }
  wp_cli_flush (out);
  return 0;
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  int status = wp_cli_open_for_paths (&file, operands[0], &options->paths, 0);

  wp_cli_default (&options->format, "text");
  if (status != 0)
    return status;
  if (options->paths.task != NULL || knows_its_process (file.document))
    return explain (&file, options);
  wp_cli_tasks (out, file.document, options->format);
  wp_cli_flush (out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTIONS_PATHS (Options, paths),
  WP_OPTIONS_FROM_TO (Options, paths),
  { "summary", 0, G_OPTION_ARG_NONE, offsetof (Options, summary), NULL,
    "The answer in words, and the longest waits, instead of the table" },
  WP_OPTION_TEXT_FORMAT (Options, format, "text|tsv|json|markdown"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_report = {
  .name = "report",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "What the time of a process was spent on",
  .description = "Without *--task* it is the process of the command that was recorded; where a recording has none, as one of _perf record -a_, its "
                 "tasks are listed to choose from, as *tasks* does.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
