/* The events of a recording around a box, as a table to look at (plots/grid.h). */
#pragma once

#include "plots/grid.h"
#include "workspace/file/boxes.h"
#include "workspace/shared.h"
#include "workspace/worker.h"

#define WP_RAW_MOST 50000 /* rows */

/* A table, and what it is of. */
typedef struct
{
  WpShared *grid; /* WpGrid: time, CPU, task, event, fields */
  gboolean more;  /* there are more in that time */
} WpRawTable;

void wp_raw_table_free (WpRawTable *self);

/* Which stretch is meant: of a part or an operation its own, else the box'; with a little before and after, so that what began and ended it is
 * there. Times of the trace. */
void wp_raw_stretch (const WpBox *box, const WpRows *rows, const WpSelection *selection, const WpTrace *trace, const WpAnalysis *analysis,
                     gint64 *from, gint64 *to);

/* Reads [from, to) of a recording (a shared WpDocument). `done` gets a WpRawTable; times in it count from `origin`. */
WpWorker *wp_raw_start (WpShared *document, gint64 from, gint64 to, gint64 origin, WpWorkerDone done, gpointer user_data);
