/* The rows of the Store page as one flat list (a GListModel of WpStoreRow): pending profiles under a heading, then commits, each followed by
 * its profiles unless it is folded. Repeats, which are profiles of one configuration at one commit, are one row, which unfolds to the single
 * ones. 32 bytes a row; items are made when they are asked for. All rows are of the same height, so that a list of any length scrolls
 * evenly.
 *
 * Signal: folded (): some row shows what is under it now, or hides it. */
#pragma once

#include "workspace/store/store-data.h"

typedef enum
{
  WP_STORE_ROW_HEADING, /* of the pending profiles */
  WP_STORE_ROW_PENDING,
  WP_STORE_ROW_COMMIT,
  WP_STORE_ROW_PROFILE, /* of the commit */
  WP_STORE_ROW_RUNS,    /* repeats, of the commit or pending */
} WpStoreRowKind;

#define WP_TYPE_STORE_ROW (wp_store_row_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreRow, wp_store_row, WP, STORE_ROW, GObject)

WpStoreRowKind wp_store_row_kind (const WpStoreRow *self);
WpStoreCommit *wp_store_row_commit (const WpStoreRow *self);   /* of a commit, its profiles and repeats; else NULL */
WpStoreProfile *wp_store_row_profile (const WpStoreRow *self); /* of profiles; else NULL */
GPtrArray *wp_store_row_runs (const WpStoreRow *self);         /* of repeats: WpStoreProfile, at least two; else NULL */
guint wp_store_row_run (const WpStoreRow *self);               /* of a profile that stands under repeats: which one, from 1; else 0 */
gboolean wp_store_row_folds (const WpStoreRow *self);          /* something can stand under it */
void wp_store_row_add_profiles (const WpStoreRow *self, GPtrArray *profiles); /* its profile or its repeats, with a reference each */
guint wp_store_row_count (const WpStoreRow *self);             /* a heading: how many profiles are under it */

#define WP_TYPE_STORE_ROWS (wp_store_rows_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreRows, wp_store_rows, WP, STORE_ROWS, GObject)

WpStoreRows *wp_store_rows_new (void);

/* What is there now; NULL: nothing. Rows that are the same stay where they are. */
void wp_store_rows_set (WpStoreRows *self, GPtrArray *pending, GPtrArray *commits);
void wp_store_rows_append (WpStoreRows *self, GPtrArray *commits);
GPtrArray *wp_store_rows_commits (WpStoreRows *self); /* of WpStoreCommit, those that are filtered away too */
guint wp_store_rows_n_minors (WpStoreRows *self);     /* how many of them have profiles */

typedef struct
{
  char *text;     /* every word of it must be in the commit or profile; casefolded by wp_store_rows_set_filter(). Words of up to three characters are
                   * beginnings of words, and are not looked for in hashes and names of files, which have any */
  char *type;     /* NULL: all */
  char *command;  /* NULL: all */
  gboolean with_profiles; /* only commits that have some */
} WpStoreFilter;

void wp_store_rows_set_filter (WpStoreRows *self, const WpStoreFilter *filter); /* copied */
gboolean wp_store_rows_is_filtered (WpStoreRows *self);
gboolean wp_store_rows_with_profiles (WpStoreRows *self); /* the filter asks for commits that have some */
gboolean wp_store_rows_lets_through (WpStoreRows *self, const WpStoreCommit *commit, const WpStoreProfile *profile);

/* Of rows that fold: a commit hides its profiles, repeats the single ones. At first commits show them and repeats do not. */
gboolean wp_store_rows_is_folded (WpStoreRows *self, const WpStoreRow *row);
void wp_store_rows_set_folded (WpStoreRows *self, const WpStoreRow *row, gboolean folded);
void wp_store_rows_toggle_folded (WpStoreRows *self, const WpStoreRow *row);

/* The nearest commit before this one, along the first parents, that has profiles; NULL: there is none among those that were read. */
WpStoreCommit *wp_store_rows_before (WpStoreRows *self, const WpStoreCommit *commit);

/* Where a commit's row is; G_MAXUINT: it is not there, or filtered away. */
guint wp_store_rows_find (WpStoreRows *self, const char *hash);

/* The distinct types ("type") or commands ("cmd") of all profiles, sorted; free with g_ptr_array_unref(). */
GPtrArray *wp_store_rows_distinct (WpStoreRows *self, gboolean commands);
