/* Marks: what a program said that it was doing, from when to when. It writes them into a file of its own, a line each, in the
 * form that samply reads (record/marks.h). */
#pragma once

#include "trace/trace.h"

/* "START END NAME" with both times in ns and one blank between: TRUE, and where the name begins. It must not be empty, nor END
 * before START. */
gboolean wp_mark_parse (const char *line, gint64 *start, gint64 *end, const char **name);

/* Once, when all marks are there, with times of the recording's own clock: puts them in their order, makes times those of the
 * trace, and drops what was not within it. */
void wp_trace_place_marks (WpTrace *self);

/* --- which marks stand at a moment -------------------------------------------------------------------------------- */

#define WP_MARKS_DEEP 8 /* of a process, and as many of each thread: what is begun in more is not looked at */

/* Marks within marks, as a tree: row 0 is none. */
typedef struct
{
  WpId name;
  guint32 outer; /* row */
} WpMarkPath;

/* Of one moment: the names of the marks of a thread, outermost first; how many. Looks at all that the thread began before. */
guint wp_trace_marks_at (const WpTrace *self, gint32 pid, gint32 tid, gint64 time, WpId names[2 * WP_MARKS_DEEP]);

/* Of many. */
typedef struct WpMarkTimes WpMarkTimes;

WpMarkTimes *wp_mark_times_new (const WpTrace *trace); /* not kept */
void wp_mark_times_free (WpMarkTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpMarkTimes, wp_mark_times_free)

/* The innermost mark of a thread at a moment, with those that it is in: a row of the paths; 0: none. Those of its process are
 * around its own. Marks that only overlap count as if the one that began later were within the other one. */
guint32 wp_mark_times_at (WpMarkTimes *self, gint32 pid, gint32 tid, gint64 time);

/* The names of a row, outermost first; how many. */
guint wp_mark_times_names (const WpMarkTimes *self, guint32 path, WpId names[2 * WP_MARKS_DEEP]);
