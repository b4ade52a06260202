/* Which commits are to be profiled, as a user has chosen them. */
#pragma once

#include "base/progress.h"
#include "store/store.h"

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

/* A worker (workspace/worker.h): `data` is a WpRangeChoice. Gives a GArray of WpRangePick, oldest first, each commit once; free with g_array_unref().
 * Fails where a name is none or nothing is chosen. */
gpointer wp_range_choice_read (gpointer data, WpProgress *progress, GError **error);

/* --- what can be chosen, as rows of a list: commits that were selected elsewhere, a range that is typed, each branch ---------------------- */

typedef enum
{
  WP_RANGE_BY_SELECTION,
  WP_RANGE_BY_TEXT,
  WP_RANGE_BY_BRANCH, /* its newest commits */
} WpRangeSort;

typedef struct WpRangeChoices WpRangeChoices;

/* `selected`: full hashes, oldest first; may be none. */
WpRangeChoices *wp_range_choices_new (const char *folder, char **selected, WpStore *store);
void wp_range_choices_free (WpRangeChoices *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRangeChoices, wp_range_choices_free)

const char *const *wp_range_choices_names (const WpRangeChoices *self); /* of the rows, translated */
guint wp_range_choices_first (const WpRangeChoices *self, const char *branch); /* the row that is chosen at first; `branch` may be NULL */
WpRangeSort wp_range_choices_sort (const WpRangeChoices *self, guint row);
WpRangeChoice *wp_range_choices_take (const WpRangeChoices *self, guint row, const char *text, guint newest);
