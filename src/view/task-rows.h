/* Which rows Processes has for threads: in which order, which stand under which, and what is folded.
 *
 * A *strand* is a thread with all of its programs: an exec stays on its row. Threads stand under the one that leads their process. Example:
 *
 *   make (10)
 *   ▾ cc1 (12)          open: this row is that of its leader
 *       worker (13)
 *   ▸ link (15) · 4 threads   closed: all of them on one row
 *   ▸ 37 other tasks
 *   ▸ 212 processes asleep   that slept all the time */
#pragma once

#include "view/order.h"

typedef struct
{
  WpId first, last; /* tasks: its programs, joined by `after` */
  WpId process;     /* the last task of the thread that leads its process; itself where it does */
  gint64 cpu, start;
  gboolean slept;   /* all the time */
} WpStrand;

/* A row: strands first … first + n - 1 of the plan. None: it only names what stands under it. */
typedef struct
{
  guint32 first, n;
  WpId task;        /* whose it is; 0: of those that a fold stands for */
  guint32 fold_count; /* how many tasks, or sleeping processes, a row of others stands for */
  gint32 key;         /* as in WpRow */
  guint8 fold;      /* WpFold */
  guint8 indent;
  gboolean group;   /* a group begins here */
  gboolean shared;  /* the row is a process', and others have its name, too */
  gboolean pinned;
  gboolean stray;   /* links do not lead here: its strands only fill it */
} WpTaskLine;

typedef struct
{
  WP_ARRAY (WpStrand) strands; /* in the order of the lines */
  WP_ARRAY (WpTaskLine) lines;
} WpTaskPlan;

/* Near-linear in tasks and links. */
void wp_task_plan_init (WpTaskPlan *self, const WpTrace *trace, const WpProcessesOptions *options);
void wp_task_plan_clear (WpTaskPlan *self);

/* Whether a task's name has what is looked for; `wanted` is folded to one case, or NULL. */
gboolean wp_task_name_has (const WpTrace *trace, WpId task, const char *wanted);
