/* Which profiles of two commits are compared with one another: those of the same thing that was run. */
#pragma once

#include "workspace/store/store-rows.h"

typedef struct
{
  GPtrArray *a, *b; /* WpStoreProfile: what was, what is now; at least one each */
  char *names[2];    /* subjects of their commits; "": of none */
} WpStorePair;

void wp_store_pair_free (gpointer pair);

/* What is compared where two rows are selected: two profiles or all repeats of two, or, of two commits, for each type, command, arguments, workload and collector of
 * which both have a profile that can be read and that the filter of `rows` lets through, all of these. `newer` stands above the other one in
 * the list. A GPtrArray of WpStorePair in the newer one's order, free with g_ptr_array_unref(); NULL with `error` set, a sentence for the user: no pair, or more than can be shown at once. */
GPtrArray *wp_store_pairs_of_rows (WpStoreRows *rows, const WpStoreRow *newer, const WpStoreRow *older, GError **error);
