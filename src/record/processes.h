/* What runs on this machine, to choose from: processes with their names, users, CPU time and units. Read from /proc as the user, who sees all of
 * them or, where that is mounted so, only his own. Kernel threads, the dead and ourselves are left out. */
#pragma once

#include "base/array.h"
#include "record/task-stat.h"

typedef struct
{
  gint32 pid;
  guint32 uid;
  WpTaskStat stat;
  double share;  /* of one CPU: since the list before this one, else since it started */
  char *command; /* with its arguments, in one line; the name where the process does not say */
  char *user;
  char *unit;      /* of systemd, "cron.service"; "" in none */
} WpProcess;

typedef struct
{
  WP_ARRAY (WpProcess) rows; /* by pid */
  gint64 read_us;            /* when, by g_get_monotonic_time() */
  gboolean partial;          /* /proc is mounted so that it hides other users' processes */
} WpProcesses;

/* `before` may be NULL. Takes some 50 µs a process. */
WpProcesses *wp_processes_read (const WpProcesses *before);
void wp_processes_free (WpProcesses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProcesses, wp_processes_free)

/* Whether each word of `words` is in its name, command, user or unit, or is its pid; upper and lower case are one. */
gboolean wp_process_matches (const WpProcess *self, const char *words);

/* Whether it has not ended; another process with its number is not it. */
gboolean wp_process_lives (const WpProcess *self);

/* What stands in a process' cmdline, as one line of text: arguments end with a zero each there. Free with g_free(). */
char *wp_process_line (const char *text, gsize length);

/* The unit in the text of a process' cgroup file: the innermost service or scope. Free with g_free(); "" for none. */
char *wp_unit_of_cgroup (const char *text);

/* Those that `what` names: a pid; a unit ("cron.service", "cron"); a name, or its program's. Of several the oldest comes first. The list ends
 * with 0; free with g_free(). NULL, and WP_RECORD_ERROR_COMMAND: there is none. */
gint32 *wp_processes_find (const WpProcesses *self, const char *what, GError **error);
