/* The commits of a range as a list shows them, with how far each one is. A worker goes on with the range's own: what is shown is what was
 * reported last. */
#pragma once

#include "range/range.h"

typedef struct
{
  char **hashes;   /* NULL: none is chosen */
  GArray *commits; /* WpRangeCommit, as many */
} WpRangeList;

WpRangeList *wp_range_list_new (void);
void wp_range_list_free (WpRangeList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRangeList, wp_range_list_free)

void wp_range_list_set (WpRangeList *self, const GArray *picks); /* WpRangePick (workspace/range/range-choice.h); NULL: none */
const WpRangeCommit *wp_range_list_get (const WpRangeList *self, guint position); /* NULL: there is none */

void wp_range_list_take (WpRangeList *self, const WpRange *range); /* how far it is */
gboolean wp_range_list_is_left (const WpRangeList *self);          /* something that another start would do */
char *wp_range_list_summary (const WpRangeList *self);             /* how many of them came to what. Free with g_free() */
