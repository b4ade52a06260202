/* What /proc says of one task in one line: a process by its number alone, a thread by both. */
#pragma once

#include <glib.h>

typedef struct
{
  char *name; /* the kernel's, 15 bytes at most, as one line; free with g_free() */
  char state; /* as the kernel has it: R, S, D, T, … */
  guint threads;
  guint64 started; /* ticks since the machine started: with the number it tells a task from any other */
  gint64 cpu_ns;   /* on CPUs so far; of a process, of all its threads */
} WpTaskStat;

/* `tid` 0: of the process. FALSE: it has ended, or is the kernel's own. */
gboolean wp_task_stat_read (gint32 pid, gint32 tid, WpTaskStat *stat);

/* Of one CPU, since `before` was read at `before_us` (by g_get_monotonic_time(); NULL, or that of another task: since it started) up to `now_us`. */
double wp_task_share (const WpTaskStat *now, gint64 now_us, const WpTaskStat *before, gint64 before_us);

/* One line of valid text, whatever a process wrote there. Free with g_free(). */
char *wp_task_text (const char *text, gsize length);
