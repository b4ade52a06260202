/* One look at a recording while it is made: its last seconds are read like any recording, and one process of it is
 * explained. On a worker; what is kept from one look to the next is in a WpLiveReader, of one worker at a time. */
#pragma once

#include "paths/answer.h"
#include "paths/tree.h"
#include "record/live-stream.h"
#include "workspace/shared.h"

typedef struct WpLiveReader WpLiveReader;

/* `fd`, `output`: see live-stream.h. `pid`: whose descendants count as one process; 0: nobody's. */
WpLiveReader *wp_live_reader_new (int fd, const char *output, gint32 pid, GError **error);
void wp_live_reader_free (WpLiveReader *self);

/* Columns of the table of functions. */
typedef enum
{
  WP_LIVE_NAME,
  WP_LIVE_RUNNING, /* in itself */
  WP_LIVE_WAITING,
  WP_LIVE_TOTAL,   /* both, with all that it called */
  WP_LIVE_SHARE,
  WP_LIVE_MODULE,
  WP_LIVE_N_COLUMNS
} WpLiveColumn;

typedef struct
{
  gint32 pid;
  char *name;
  gint64 ns; /* it ran */
} WpLiveProcess;

/* Immutable. Order and places are those of the look before. */
typedef struct
{
  gint64 wall;       /* ns that were looked at */
  gint32 pid;        /* of the process that is explained; 0: there is none */
  WpPaths *paths;    /* name and base tasks of it, nothing else; NULL: there is nothing to explain */
  WpExplanation *explanation;
  WpAnswer *answer;    /* its sentences; they lead nowhere, and there are no waits */
  WpTree *tree;
  WpShared *rows;      /* WpRows: its consolidated view */
  WpShared *functions; /* WpGrid */
  gboolean asleep;     /* it did not run at all */
  WP_ARRAY (WpLiveProcess) processes; /* that ran, the busiest first */
  double seconds;      /* of a processor that the look took */
} WpLiveReading;

void wp_live_reading_free (gpointer reading);

/* A box is known again by its name and those of what it stands on, itself first: free with g_strfreev(). Finding it: G_MAXUINT32, it is not
 * there. */
char **wp_live_reading_path (const WpLiveReading *self, guint32 box);
guint32 wp_live_reading_find (const WpLiveReading *self, char *const *path);

/* Its name, its time and the share of it, and its own time: lines. Free with g_free(). */
char *wp_live_reading_describe (const WpLiveReading *self, guint32 box);

typedef struct
{
  guint64 whole; /* bytes of the stream */
  gint64 ns;     /* the last of it */
  gint32 pid;    /* of the process to explain; 0: the family, else the one that ran most */
  WpDepth depth; /* of the consolidated view */
} WpLiveWish;

WpLiveReading *wp_live_reader_read (WpLiveReader *self, const WpLiveWish *wish, WpProgress *progress, GError **error);

/* Where nobody looks: what has come is not missed later, but nothing of it will be shown. */
gboolean wp_live_reader_follow (WpLiveReader *self, guint64 whole, WpProgress *progress, GError **error);
