/* log --history: a figure over the commits of a branch. */
#pragma once

#include "cli/store.h"

typedef struct
{
  const char *figure; /* as wp_figure_parse() has it */
  const char *run;    /* only what was run under this name; NULL: everything */
  const char *format; /* text, json, csv, tsv; NULL: text */
  const char *output; /* a file: its suffix tells the format, pictures too; NULL: standard output */
} WpCliHistory;

/* From the store's commit on. Returns the exit status. */
int wp_cli_history (WpCliStore *store, const WpCliHistory *options);
