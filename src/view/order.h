/* In which order the Process Running View shows tasks. */
#pragma once

#include "view/layout.h"

/* What is known of a task besides its row in the trace. */
typedef struct
{
  WpId task;
  gint64 cpu;    /* ns it ran */
  gint64 first;  /* its first moment */
  gboolean group; /* out: unlike the one before it */
} WpTaskRow;
typedef WP_ARRAY (WpTaskRow) WpTaskRows;

/* Sorts `rows`; for WP_SORT_RELATED tasks of one name are together, and names with many links between them near each
 * other; `heads` says for each task whose row its links count for, NULL: its own. Near-linear in tasks and links. */
void wp_order_tasks (const WpTrace *trace, WpTaskRows *rows, WpSort sort, const WpId *heads);
