/* Profiling commits, as `range` and a check that collects first do it. */
#pragma once

#include "cli/store.h"

/* What the user said; 0 and NULL: local.yml may say it, else it is as for a recording. */
typedef struct
{
  char *build, *stacks;
  int repeat, rate;
  double duration;
  gboolean again;
  const char *log; /* end of the logs' names, see WpRangeOptions */
  gboolean aside;  /* what is told goes to standard error */
} WpCliRange;

/* Profiles the commits (full hashes) by the command, or by the store's job matrix where that is NULL. Returns the exit status. */
int wp_cli_range_commits (const WpCliStore *store, const WpCliRange *options, char **commits, char **command);
