/* All that is ever done with a recording: read, symbols, control paths, explanation, call tree, save, reopen, save again. */
#pragma once

#include "paths/explain.h"
#include "base/diagnostics.h"

typedef struct
{
  gboolean opened;               /* it had something to show */
  gboolean found;                /* the process of interest is in it */
  gint64 ns[WP_CATEGORY_COUNT];  /* of the process of interest */
  gint64 total, wall;
  guint64 diagnostics[WP_DIAG_COUNT];
  guint32 tasks_checked;
  char *wrong;                   /* the first thing that must not be, or NULL */
} ChainResult;

typedef struct
{
  const char *task;      /* the process of interest, as for --task */
  const char *idle_task; /* what plays the idle task, or NULL */
  guint others;          /* so many other tasks are explained, too, the ones with the most operations; G_MAXUINT: all */
  gboolean symbols;
} ChainOptions;

/* What comes out of a file with these bytes. An error (nothing to show) is a result, too: `opened` is FALSE. Files are made in
 * `folder`. */
void chain_run (const guint8 *data, gsize size, const char *folder, const ChainOptions *options, ChainResult *result);
void chain_result_clear (ChainResult *self);
