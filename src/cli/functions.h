/* Functions with what they took: the rows of top, in any of its formats, and the numbers in those of peek. */
#pragma once

#include "base/array.h"
#include "cli/stacks.h"

#define WP_CLI_FUNCTION_FORMATS "text|tsv|csv|json"

typedef struct
{
  const WpCliStacks *profile;
  const WpGraph *graph;
  const WpTrimmed *trimmed;
  GString *out;
} WpCliFunctions;

/* "     10ms 10.0% 30.0%      20ms 20.0%", without a line's end. Adds what it took itself to `sum`, which the second share is of. */
void wp_cli_functions_put_numbers (const WpCliFunctions *self, guint32 node, gint64 *sum);

/* A row for each that is shown: its numbers as they are, in the unit of the type. "tsv", "csv" or "json". */
void wp_cli_functions_put_table (const WpCliFunctions *self, const char *format);
