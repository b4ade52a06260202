/* What is selected in the store's rows, and what can be done with it. */
#pragma once

#include "workspace/store/store-model.h"

/* Rows (WpStoreRow) by their positions, in the list's order, without headings, which are selected with all others. Free with g_ptr_array_unref(). */
GPtrArray *wp_store_selected_rows (WpStoreModel *model, const guint *positions, guint n);

/* What can be true of the page and of the selected rows. */
typedef enum
{
  WP_STORE_FACT_FOLDER = 1 << 0,
  WP_STORE_FACT_STORE = 1 << 1,
  WP_STORE_FACT_COMMIT = 1 << 2,      /* in the repository */
  WP_STORE_FACT_PAGE = 1 << 3,        /* the window shows what can be saved */
  WP_STORE_FACT_ROW = 1 << 4,
  WP_STORE_FACT_PROFILE = 1 << 5,
  WP_STORE_FACT_ONE_PROFILE = 1 << 6, /* and nothing else */
  WP_STORE_FACT_ALL_PENDING = 1 << 7,
  WP_STORE_FACT_ONE_SORT = 1 << 8,    /* all pending or all registered, so that a question about them is one */
  WP_STORE_FACT_PAIR = 1 << 9,        /* two rows of profiles or repeats, or two commits that have profiles */
  WP_STORE_FACT_SOUND = 1 << 10,      /* no selected profile has a problem */
  WP_STORE_FACT_KNOWN = 1 << 11,      /* nor is one of an index that cannot be read */
  WP_STORE_FACT_FEW = 1 << 12,        /* no more profiles than tabs are opened at once */
} WpStoreFacts;

/* `savable`: the window shows what can be saved as a profile. */
WpStoreFacts wp_store_facts (WpStoreModel *model, const GPtrArray *rows, gboolean savable);

/* Whether an action of the page (“store.open”) can be used: one that needs anything waits for work that is under way. */
gboolean wp_store_allows (WpStoreModel *model, const char *action, WpStoreFacts facts);

/* Hashes of the selected commits, or of those of the selected profiles, each once and the oldest first. Free with g_strfreev(). */
char **wp_store_selected_commits (const GPtrArray *rows);

/* The names of profiles, the hashes of commits, a line each. Free with g_free(). */
char *wp_store_selected_names (const GPtrArray *rows);
