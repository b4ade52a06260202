/* What the Store page does that takes longer than a moment: a worker (workspace/worker.h) each, one at a time. */
#pragma once

#include "workspace/store/store-data.h"
#include "workspace/shared.h"

typedef struct
{
  WpStoreSession *session;
  GPtrArray *profiles; /* WpStoreProfile */
  GPtrArray *paths;    /* char *: files to add */
  GPtrArray *pairs;    /* WpStorePair (workspace/store/store-pairs.h): what is compared; else NULL */
  WpShared *analysis;  /* WpAnalysis to save, or NULL */
  WpShared *plots;     /* WpPlots to save, that differ from their file; or NULL */
  char minor[41];      /* where what does not tell its own commit goes */
  char *recorded;      /* the commit that `analysis` was recorded at, or NULL */
} WpStoreWork;

/* What came of it. */
typedef struct
{
  char *text; /* a sentence for the user, or NULL */
  GPtrArray *paths, *names; /* char *: files to open, and what they are called */
  GPtrArray *side_names; /* GStrv: of each pair those of A and B, as WpStorePair has them */
  GPtrArray *sides; /* GStrv: files of the first pair's A, of its B, of the next one's A, … */
} WpStoreOutcome;

WpStoreWork *wp_store_work_new (WpStoreSession *session, const char *minor); /* with nothing to work on yet */
void wp_store_work_free (gpointer work);
void wp_store_outcome_free (gpointer outcome);

/* On the worker. `data` is a WpStoreWork, the result a WpStoreOutcome. */
gpointer wp_store_work_unpack (gpointer data, WpProgress *progress, GError **error);   /* the pairs, or else the profiles */
gpointer wp_store_work_add (gpointer data, WpProgress *progress, GError **error);      /* the analysis, the plots and the files, as local.yml wants it */
gpointer wp_store_work_register (gpointer data, WpProgress *progress, GError **error); /* pending ones, each with its commit or `minor` */
gpointer wp_store_work_remove (gpointer data, WpProgress *progress, GError **error);
