/* What the history plot asks of the store, on workers (workspace/worker.h): the commits with their profiles, figures of these a handful at a time, and
 * files of those that are to be opened or compared. */
#pragma once

#include "workspace/store/store-session.h"
#include "base/progress.h"
#include "store/history.h"
#include "workspace/shared.h"

typedef struct
{
  char *folder, *branch; /* branch NULL: HEAD */
} WpHistoryRequest;

typedef struct
{
  WpStoreSession *session;
  WpShared *history; /* WpHistory */
} WpHistoryGathered;

void wp_history_request_free (gpointer request);
void wp_history_gathered_free (gpointer gathered);
gpointer wp_history_gather (gpointer request, WpProgress *progress, GError **error); /* gives a WpHistoryGathered */

/* Figures of some profiles. */
typedef struct
{
  WpStoreSession *session;
  WpShared *history;
  GPtrArray *figures; /* WpFigure */
  GArray *profiles;   /* guint32, rows */
} WpHistoryReading;

typedef struct
{
  GPtrArray *figures;    /* as they were asked for */
  GArray *profiles;
  guint n;               /* how many of the profiles have been read: the first ones, for as long as it may take */
  WpFigureValue *values; /* profile by profile, a value for each figure */
  guint failed;
  char *problem;         /* of the first that failed, or NULL */
} WpHistoryValues;

void wp_history_reading_free (gpointer reading);
void wp_history_values_free (gpointer values);
gpointer wp_history_read_some (gpointer reading, WpProgress *progress, GError **error); /* gives a WpHistoryValues */

/* Profiles as files; one list for each of two sides. */
typedef struct
{
  WpStoreSession *session;
  WpShared *history;
  GArray *profiles[2]; /* guint32, rows */
} WpHistoryWish;

typedef struct
{
  GPtrArray *paths[2]; /* char *, NULL-terminated */
  GPtrArray *names[2]; /* what a tab is called */
  char *subjects[3];   /* of the sides' commits, NULL-terminated; "": of none */
} WpHistoryFiles;

void wp_history_wish_free (gpointer wish);
void wp_history_files_free (gpointer files);
gpointer wp_history_unpack (gpointer wish, WpProgress *progress, GError **error); /* gives a WpHistoryFiles */
