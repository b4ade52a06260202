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

/* Whether what the store's own settings name may be run: of what is wanted, its build lines, its programs, or both. Where not, what they
 * are and how they are trusted goes to standard error. */
gboolean wp_cli_may_run (const WpStore *store, gboolean build, gboolean programs);

/* Profiles the commits (full hashes) by the command, or by the store's job matrix where that is NULL. Returns the exit status. */
int wp_cli_range_commits (const WpCliStore *store, const WpCliRange *options, char **commits, char **command);
