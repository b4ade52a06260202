/* Which tasks a specification means: a name, NAME:TID, a TID, or nothing (the recorded command). */
#include "base/hash.h"
#include "paths/paths.h"

#include <stdlib.h>

static gboolean
is_thread (const WpTask *task)
{
  return task->kind == WP_TASK_THREAD && !(task->flags & WP_TASK_IDLE) && task->n_ops > 0;
}

static gint64
first_time (const WpTrace *trace, const WpTask *task)
{
  return trace->ops.data[task->first_op].start;
}

static gint64
last_time (const WpTrace *trace, const WpTask *task)
{
  return trace->ops.data[task->first_op + task->n_ops - 1].end;
}

/* Adds a task and, of its process, the threads that belong to the same program: those of the same pid that were alive
 * between this program's beginning and its next exec. */
void
wp_paths_process_of (const WpTrace *trace, WpId task, WpIdArray *tasks)
{
  const WpTask *wanted = &trace->tasks.data[task];
  gint64 from = first_time (trace, wanted), to;
  WpId last = task;

  while (trace->tasks.data[last].after != 0)
    last = trace->tasks.data[last].after;
  to = last_time (trace, &trace->tasks.data[last]);
  for (WpId t = task; t != 0; t = trace->tasks.data[t].after)
    wp_array_push (tasks, t);
  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *other = &trace->tasks.data[t];

      if (is_thread (other) && wanted->pid > 0 && other->pid == wanted->pid && other->tid != wanted->tid
          && last_time (trace, other) > from && first_time (trace, other) < to)
        wp_array_push (tasks, t);
    }
}

static gboolean
has_run (const WpTrace *trace, const WpTask *task)
{
  return task->n_ops > 1 || trace->ops.data[task->first_op].kind == WP_OP_RUN;
}

/* The earliest task of a process with this name; that of the recorded command is preferred. Threads that are not the
 * leader count only when no leader has the name, and those that never ran only when none did that: what comes of a thread when it is
 * dead, by a clock that was set, looks like another one. */
static WpId
find_by_name (const WpTrace *trace, const char *name, gint32 tid)
{
  WpId id = wp_strings_find (trace->strings, name), best = 0;
  int best_rank = -1;

  if (id == 0)
    return 0;
  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *task = &trace->tasks.data[t];
      int rank = (task->tid == task->pid || task->pid <= 0 ? 1 : 0)
                 + (trace->command_pid > 0 && task->pid == trace->command_pid ? 2 : 0);

      if (!is_thread (task) || task->name != id || (tid > 0 && task->tid != tid))
        continue;
      rank += has_run (trace, task) ? 4 : 0;
      if (rank > best_rank
          || (rank == best_rank && first_time (trace, task) < first_time (trace, &trace->tasks.data[best])))
        {
          best = t;
          best_rank = rank;
        }
    }
  return best;
}

/* The last program of a thread: before its exec it was but a copy of whoever forked it. */
static WpId
find_by_tid (const WpTrace *trace, gint64 tid)
{
  WpId task = 0;

  for (WpId t = 1; task == 0 && t < trace->tasks.len; t++)
    if (is_thread (&trace->tasks.data[t]) && trace->tasks.data[t].tid == tid)
      task = t;
  while (task != 0 && trace->tasks.data[task].after != 0 && is_thread (&trace->tasks.data[trace->tasks.data[task].after]))
    task = trace->tasks.data[task].after;
  return task;
}

/* Names that contain the wanted one or begin alike, a few of them. */
static char *
near_misses (const WpTrace *trace, const char *name)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);
  GString *out = g_string_new (NULL);
  guint n = 0;

  for (WpId t = 1; t < trace->tasks.len && n < 5; t++)
    {
      const char *other = wp_trace_task_name (trace, t);

      if (!is_thread (&trace->tasks.data[t]) || *other == '\0'
          || !g_hash_table_add (seen, GUINT_TO_POINTER (trace->tasks.data[t].name)))
        continue;
      if (strstr (other, name) == NULL && strstr (name, other) == NULL && g_ascii_strncasecmp (other, name, 3) != 0)
        continue;
      g_string_append_printf (out, "%s%s", n++ > 0 ? ", " : "", other);
    }
  if (n == 0)
    g_string_assign (out, "the command `tasks` lists all");
  else
    g_string_prepend (out, "did you mean ");
  return g_string_free (out, FALSE);
}

gboolean
wp_paths_find_tasks (const WpTrace *trace, const char *spec, WpIdArray *tasks, GError **error)
{
  g_autofree char *name = NULL, *misses = NULL;
  const char *colon = spec != NULL ? strrchr (spec, ':') : NULL;
  char *end = NULL;
  WpId task = 0;

  if (spec == NULL || *spec == '\0')
    {
      task = trace->command_pid > 0 ? find_by_tid (trace, trace->command_pid) : 0;
      if (task == 0 && trace->command_pid > 0)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     "the recorded process, %d, did nothing while it was recorded; name another one", trace->command_pid);
      else if (task == 0)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     "the recording does not say which process it was made for; name one");
    }
  else
    {
      task = find_by_name (trace, spec, 0);
      if (task == 0 && colon != NULL)
        {
          name = g_strndup (spec, colon - spec);
          task = find_by_name (trace, name, atoi (colon + 1));
        }
      if (task == 0 && g_ascii_isdigit (*spec))
        {
          gint64 tid = g_ascii_strtoll (spec, &end, 10);

          task = *end == '\0' ? find_by_tid (trace, tid) : 0;
        }
      if (task == 0)
        {
          misses = near_misses (trace, spec);
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no task is called “%s”; %s", spec, misses);
        }
    }
  if (task == 0)
    return FALSE;
  wp_paths_process_of (trace, task, tasks);
  return TRUE;
}
