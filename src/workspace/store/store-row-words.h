/* What a row of the Store page says, in words. */
#pragma once

#include "workspace/store/store-figures.h"
#include "workspace/store/store-rows.h"

/* All texts are there; "": nothing stands in that place. */
typedef struct
{
  char *title;
  char *badge;  /* beside the title: “HEAD” */
  char *figure; /* at the end of the first line: a hash, a time, a number */
  char *facts;  /* the second line */
  char *more;   /* at its end */
} WpStoreRowWords;

/* `figure`: of the row's profile, as far as it is known; or NULL. */
void wp_store_row_words (const WpStoreRow *row, const WpStoreFigure *figure, WpStoreRowWords *out);
void wp_store_row_words_clear (WpStoreRowWords *self);

char *wp_store_row_name (const WpStoreRowWords *self); /* all of it in one line, as it is read aloud. Free with g_free() */
/* What does not fit into the row; NULL: nothing. Free with g_free() */
char *wp_store_row_tip (const WpStoreRow *row, const WpStoreFigure *figure);
