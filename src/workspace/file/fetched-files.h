/* What debuginfod has brought and is kept: how much it is, and taking it away. Workers (workspace/worker.h); their data is the folder's path, their
 * result a WpFetched, to be freed with g_free(). */
#pragma once

#include "base/progress.h"

typedef struct
{
  guint n;       /* files */
  guint64 bytes;
} WpFetched;

char *wp_fetched_folder (void); /* free with g_free() */
gpointer wp_fetched_measure (gpointer folder, WpProgress *progress, GError **error);
gpointer wp_fetched_clear (gpointer folder, WpProgress *progress, GError **error); /* and measures what is left */
