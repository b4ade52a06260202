/* Which commits are to be profiled, as a user has chosen them. */
#pragma once

#include "base/progress.h"

typedef struct
{
  char *folder;
  char **hashes; /* these; or NULL */
  char *text;    /* or ranges (A..B), branches, tags and hashes with blanks between; or NULL */
  char *branch;  /* or the newest ones of this branch */
  guint newest;
} WpRangeChoice;

typedef struct
{
  char hash[41];
  char *subject;
} WpRangePick;

void wp_range_choice_free (gpointer choice);

/* A job (workspace/job.h): `data` is a WpRangeChoice. Gives a GArray of WpRangePick, oldest first, each commit once; free with g_array_unref().
 * Fails where a name is none or nothing is chosen. */
gpointer wp_range_choice_read (gpointer data, WpProgress *progress, GError **error);
