/* log --history: a figure over the commits of a branch. */
#pragma once

#include "cli/store.h"

typedef struct
{
  const char *figure; /* as wp_figure_parse() has it */
  const char *command; /* only what was run by commands with this in them; NULL: everything */
  const char *format; /* text, json, csv, tsv, svg, png, pdf; NULL: as the output's name ends, else text */
  const char *output; /* a file; NULL: standard output */
} WpCliHistory;

/* From the store's commit on. Returns the exit status. */
int wp_cli_history (WpCliStore *store, const WpCliHistory *options);
