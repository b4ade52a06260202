/* Control paths: what a process of interest did and waited for, as parts of operations on top of one another.
 *
 * The algorithm ("recursive stack making") and its eight rules are in DESIGN.md, "Control paths". A part is a stretch of one
 * operation; any nanosecond of an operation is in at most one part. A part stands on its parent: the parent sleeps
 * (or is queued) because of it. Parts without a parent are the bottom of their control path.
 */
#pragma once

#include "base/progress.h"
#include "paths/sleep-ends.h"
#include "trace/thresholds.h"
#include "trace/trace.h"

typedef struct
{
  gint64 grace;           /* how far a child may overflow its parent, ns */
  gboolean merge_threads; /* boxes are named by process instead of by thread */
  gboolean started_work;  /* work that was started by what is placed, and that nobody waits for, gets control paths too */
  const WpIdArray *cuts;  /* cut by hand: operations where a walk stops, so that neither they nor what led to them is placed
                           * by it. Sorted, plain list; not owned (that of WpPaths.options lives with the paths); NULL: none */
} WpPathOptions;

#define WP_PATH_OPTIONS_DEFAULT ((WpPathOptions) { .grace = WP_GRACE_DEFAULT })

typedef struct
{
  gint64 start, end; /* ns; within the operation */
  WpId op;
  WpId parent;       /* the part it stands on, or 0 */
  WpId path;         /* its control path */
  WpId first_child;  /* children in time order: first_child, then next of each */
  WpId next;
  WpId waits_path;   /* a sleep that waits for another control path (or its own): that path, else 0 */
  WpId waits_part;   /* … and the part that was found placed; its siblings count too */
  guint8 cut;        /* 1: a sleep whose cause was not followed further, at an operation of WpPathOptions.cuts */
} WpPart;

/* What it waits for is drawn in another lane. */
static inline gboolean
wp_part_waits_elsewhere (const WpPart *self)
{
  return self->waits_path != 0 && self->waits_path != self->path && self->first_child == 0;
}

typedef struct
{
  WpId first_part; /* the first part without a parent; they follow by `next` in time order */
  WpId last_part;
  WpId task;       /* of its first part: names the path */
  gint64 start, end;
  guint32 lane;    /* paths that do not overlap in time may share one; the base paths come first, those
                    * that were started last */
  gboolean base;
  gboolean started; /* work that was started by what is placed, and that nobody waits for */
} WpPath;

typedef struct
{
  const WpTrace *trace; /* not owned */
  WpPathOptions options;
  WpIdArray cuts;       /* what options.cuts points to, unless that is NULL */
  WP_ARRAY (WpPart) parts; /* row 0 is empty */
  WP_ARRAY (WpPath) paths; /* row 0 is empty */
  WpIdArray base_tasks;    /* plain list: the tasks whose time is explained, one for each base path (with those after its execs) */
  guint32 n_lanes;
  gint64 wall_start, wall_end; /* first to last moment of the base paths */
  char *name;              /* of the process of interest */
  WpSleepEnd *sleep_ends;  /* by operation; NULL: of a saved profile, where the trace is asked */
} WpPaths;

/* When a sleep was woken, as wp_trace_woken() says. */
static inline gint64
wp_paths_woken (const WpPaths *self, WpId sleep)
{
  return self->sleep_ends != NULL ? wp_sleep_end_time (self->sleep_ends, self->trace, sleep) : wp_trace_woken (self->trace, sleep);
}

/* Works out the control paths of the given tasks. Returns NULL only when cancelled. `progress` may be NULL. */
WpPaths *wp_paths_new (const WpTrace *trace, const WpId *tasks, guint n_tasks, const WpPathOptions *options,
                       WpProgress *progress, GError **error);
void wp_paths_free (WpPaths *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPaths, wp_paths_free)

/* Which tasks `--task SPEC` means: a name (the recorded command's own process first if it has that name, else the
 * earliest process with it; all its threads), NAME:TID, or a TID (its last program). A NULL spec means the recorded command.
 * Appends to `tasks`; fails with a message that names near misses. Of a chain of execs, the tasks from the named one on are
 * added. */
gboolean wp_paths_find_tasks (const WpTrace *trace, const char *spec, WpIdArray *tasks, GError **error);

/* The process (its first task and all its threads) that one task belongs to. */
void wp_paths_process_of (const WpTrace *trace, WpId task, WpIdArray *tasks);

/* A stretch of a part with one stack: a run is divided equally among its samples, anything else is one slice. */
typedef struct
{
  gint64 start, end;
  WpId stack; /* 0: nothing known (a run without samples, an operation of a device) */
} WpSlice;
typedef WP_ARRAY (WpSlice) WpSliceArray;

/* Replaces what is in `slices`. At least one slice, tiling the part. */
void wp_part_slices (const WpPaths *self, WpId part, WpSliceArray *slices);

/* What a task's boxes are called, a string of the trace: its own name, or that of its process. */
WpId wp_paths_task_name (const WpPaths *self, WpId task);

/* The name of the box that a part's frames stand on: its process, or the device. */
const char *wp_part_name (const WpPaths *self, WpId part);

/* Checks the invariants (nothing placed twice, children in time order and within grace of their parent); NULL when all hold. */
char *wp_paths_check (const WpPaths *self);
