/* What a row of the Store page says, in words. */
#pragma once

#include "workspace/store/store-badges.h"
#include "workspace/store/store-rows.h"

/* All texts are there; "": nothing stands in that place. */
typedef struct
{
  char *title;
  char *badge;  /* beside the title: “HEAD” */
  char *change; /* of a commit: “12 % slower” */
  char *figure; /* at the end of the first line: a hash, a time, a number */
  char *facts;  /* the second line */
  char *more;   /* at its end */
} WpStoreRowWords;

/* What is known of a row's figures; each may be NULL. */
typedef struct
{
  const WpStoreFigure *figure; /* of its profile */
  const WpStoreRuns *runs;     /* of its repeats */
  const WpStoreBadge *badge;   /* of its commit */
} WpStoreRowFigures;

void wp_store_row_words (const WpStoreRow *row, const WpStoreRowFigures *figures, WpStoreRowWords *out);
void wp_store_row_words_clear (WpStoreRowWords *self);

char *wp_store_row_name (const WpStoreRowWords *self); /* all of it in one line, as it is read aloud. Free with g_free() */
/* What does not fit into the row; NULL: nothing. Free with g_free() */
char *wp_store_row_tip (const WpStoreRow *row, const WpStoreRowFigures *figures);

/* “make -j8”; where nothing was run, the file's name. Free with g_free() */
char *wp_store_what_was_run (const WpStoreEntry *entry);
