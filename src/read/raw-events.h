/* What a recording has of a stretch of time, event by event and as it stands there: for looking at, where what was made of it leaves a question.
 * Nothing is assembled, and no stack is unwound. */
#pragma once

#include "base/array.h"
#include "base/intern.h"
#include "base/progress.h"

typedef struct
{
  gint64 time;  /* ns, by the recording's own clock */
  gint32 pid, tid; /* -1: not said */
  guint32 cpu;  /* its number + 1; 0: not said */
  WpId task;    /* string: what it is called there; 0: the record does not say it */
  WpId event;   /* string: "sched:sched_switch", "PERF_RECORD_COMM" */
  WpId fields;  /* string: "prev_comm=sh prev_pid=10 …", or 0 */
} WpRawEvent;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpRawEvent) rows; /* plain list, in the order of time */
  gboolean more;              /* there are more in that time than were wanted: these are the first */
} WpRawEvents;

/* Of [from, to), ns by the recording's clock, at most `most`. NULL and an error: it cannot be read, or was cancelled. Only the records of that
 * time are decoded; the others are passed over. `progress` may be NULL. */
WpRawEvents *wp_raw_events_read (const char *path, gint64 from, gint64 to, guint32 most, WpProgress *progress, GError **error);
void wp_raw_events_free (WpRawEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRawEvents, wp_raw_events_free)
