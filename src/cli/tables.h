/* Prints an assembled table, a row a line: operations, links. */
#pragma once

#include "base/json-writer.h"
#include "cli/command.h"
#include "trace/trace.h"

typedef void (*WpCliRowFunc) (GString *out, const WpTrace *trace, WpId row);
typedef void (*WpCliRowJsonFunc) (WpJsonWriter *json, const WpTrace *trace, WpId row);

typedef struct
{
  const char *header; /* of TSV */
  WpCliRowFunc tsv;
  WpCliRowJsonFunc json;
  guint32 (*count) (const WpTrace *trace); /* of the rows and row 0, which is none */
  gboolean symbols; /* rows have functions' names */
} WpCliTable;

typedef struct
{
  char *idle_task, *format;
} WpCliTableOptions;

extern const WpOption wp_cli_table_rows[];

/* Returns the exit status. */
int wp_cli_print_table (const WpCliTable *table, const WpCliTableOptions *options, const char *spec);
