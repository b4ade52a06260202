/* The history of a figure: what profiles of the commits of a branch came to, one line for each thing that was run. */
#pragma once

#include "profile/model/figures.h"
#include "store/store.h"

typedef struct
{
  char hash[41];
  char *subject;
  gint64 time; /* seconds since 1970, UTC */
} WpHistoryCommit;

typedef struct
{
  guint32 commit; /* row of the commits */
  WpStoreEntry *entry;
  char *type;     /* which value type is meant, of a profile that was made of stacks: it is in a line for each; else NULL */
} WpHistoryProfile;

/* Profiles of the same collector, type, command, arguments and workload; those made of stacks of the same value type. */
typedef struct
{
  char *name;       /* unique */
  guint32 first, n; /* of the profiles */
} WpHistoryLine;

/* Immutable. All lists are plain. */
typedef struct
{
  WP_ARRAY (WpHistoryCommit) commits;   /* those that have profiles, the oldest first */
  WP_ARRAY (WpHistoryProfile) profiles; /* line by line, each in the order of the commits */
  WP_ARRAY (WpHistoryLine) lines;       /* that of the most profiles first */
  guint unreadable;                     /* indexes and entries that are damaged */
} WpHistory;

/* From a commit on, along all its ancestors. */
WpHistory *wp_history_new (WpStore *store, const char *head, WpProgress *progress, GError **error);
void wp_history_free (WpHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpHistory, wp_history_free)

/* Figures of one profile: of its beginning only, where that tells. */
gboolean wp_history_read (WpStore *store, const WpHistoryProfile *profile, const WpFigure *figures, guint n_figures,
                          WpFigureValue *values, WpProgress *progress, GError **error);

/* What the profiles of a line and a commit came to. */
typedef struct
{
  guint32 line, commit;
  guint32 first, n;      /* of the profiles */
  guint32 known;         /* how many of them have the figure */
  double median, low, high;
  WpUnit unit;           /* of the first of its line; values with another one are left out */
  char unit_name[24];
} WpHistoryPoint;

typedef struct
{
  WP_ARRAY (WpHistoryPoint) points; /* plain list, line by line; only what is known */
  guint other_units;                /* how many profiles are left out for their unit */
} WpHistoryPoints;

#define WP_HISTORY_ALL G_MAXUINT32

/* `values`: one for each profile; NaN: not known. `line`: a row of the lines, or WP_HISTORY_ALL. */
void wp_history_points (const WpHistory *self, const WpFigureValue *values, guint32 line, WpHistoryPoints *points);

/* A chart has one unit: that of the first point. Leaves out all points of another one. */
void wp_history_points_of_one_unit (WpHistoryPoints *points);
void wp_history_points_clear (WpHistoryPoints *points);

char *wp_history_amount (const WpHistoryPoint *point, double value); /* "4.2 ms", "97.3 %" */

typedef enum
{
  WP_HISTORY_TEXT,
  WP_HISTORY_JSON, /* an object a line */
  WP_HISTORY_CSV,
  WP_HISTORY_TSV,
} WpHistoryFormat;

/* `values` as above: JSON has each of them. Values are ns, bytes or plain. */
void wp_history_write (GString *out, const WpHistory *self, const WpFigure *figure, const WpHistoryPoints *points,
                       const WpFigureValue *values, WpHistoryFormat format);
