/* The threads of processes that run now, to choose some of them: their names and CPU time. Read from /proc as the user. */
#pragma once

#include "base/array.h"
#include "record/task-stat.h"

typedef struct
{
  gint32 pid, tid;
  WpTaskStat stat; /* `threads` is that of the process */
  double share;    /* of one CPU, as it was measured */
} WpThreadRow;

typedef struct
{
  WP_ARRAY (WpThreadRow) rows; /* the busiest first */
} WpThreadRows;

/* Of these processes, a list that ends with 0. Takes a fifth of a second, to see who is busy. Those that end meanwhile are left out. */
WpThreadRows *wp_threads_measure (const gint32 *pids);
void wp_threads_free (WpThreadRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpThreadRows, wp_threads_free)

/* "712,713": numbers of threads, in a list that ends with 0; g_free(). NULL, and WP_RECORD_ERROR_COMMAND: this is no such list. */
gint32 *wp_threads_parse (const char *text, GError **error);

/* The processes of threads, each once, in the same order, in a list that ends with 0; g_free(). NULL, and WP_RECORD_ERROR_COMMAND: one of them is no
 * thread that runs. */
gint32 *wp_threads_processes (const gint32 *tids, GError **error);
