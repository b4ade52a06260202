/* What is kept so that it need not be brought or read again: how much it is, and taking it away. `measure` and `clear` are workers (workspace/worker.h); their data
 * is the folder's path, their result a WpKeptFiles, to be freed with g_free(). */
#pragma once

#include "base/progress.h"

typedef struct
{
  guint n;       /* files */
  guint64 bytes;
} WpKeptFiles;

/* What debuginfod has brought. */
char *wp_fetched_folder (void); /* free with g_free() */
gpointer wp_fetched_measure (gpointer folder, WpProgress *progress, GError **error);
gpointer wp_fetched_clear (gpointer folder, WpProgress *progress, GError **error); /* and measures what is left */

/* What was read of recordings (read/sidecar/sidecar.h). */
char *wp_opened_folder (void); /* free with g_free() */
gpointer wp_opened_measure (gpointer folder, WpProgress *progress, GError **error);
gpointer wp_opened_clear (gpointer folder, WpProgress *progress, GError **error); /* and measures what is left */
