/* Prints the assembled tables. */
#include "cli/tables.h"

#include "cli/open.h"
#include "cli/output.h"

const WpOption wp_cli_table_rows[] = {
  WP_OPTION_IDLE_TASK (WpCliTableOptions, idle_task),
  WP_OPTION_TEXT_FORMAT (WpCliTableOptions, format, "tsv|json"),
  WP_OPTION_END,
};

int
wp_cli_print_table (const WpCliTable *table, const WpCliTableOptions *options, const char *spec)
{
  gboolean as_json = g_strcmp0 (options->format, "json") == 0;
  g_autoptr (GString) out = g_string_new (as_json ? NULL : table->header);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);
  g_auto (WpCliFile) file = { 0 };
  int status = wp_cli_open (&file, spec, options->idle_task, table->symbols ? 0 : WP_CLI_NO_SYMBOLS);

  if (status != 0)
    return status;
  for (WpId row = 1; row < table->count (file.document->trace); row++)
    {
      if (as_json)
        table->json (json, file.document->trace, row);
      else
        table->tsv (out, file.document->trace, row);
      wp_cli_flush_full (out);
    }
  wp_cli_flush (out);
  return 0;
}
