/* Reading the threads of processes; see threads.h. */
#include "record/threads.h"

#include "base/sort.h"
#include "record/launch.h"

#define MEASURE_US (G_USEC_PER_SEC / 5)

static void
add_threads (WpThreadRows *self, gint32 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      WpThreadRow row = { .pid = pid };
      guint64 tid;

      if (!g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT32, &tid, NULL))
        continue;
      row.tid = (gint32) tid;
      if (wp_task_stat_read (pid, row.tid, &row.stat))
        wp_array_push (&self->rows, row);
    }
}

static int
compare_shares (const void *a, const void *b)
{
  const WpThreadRow *x = a, *y = b;

  return x->share != y->share ? WP_COMPARE (y->share, x->share) : WP_COMPARE (x->tid, y->tid);
}

/* FALSE: it has ended meanwhile. */
static gboolean
measure (WpThreadRow *row, gint64 before_us)
{
  WpTaskStat now;

  if (!wp_task_stat_read (row->pid, row->tid, &now))
    return FALSE;
  row->share = wp_task_share (&now, g_get_monotonic_time (), &row->stat, before_us);
  g_free (row->stat.name);
  row->stat = now;
  return TRUE;
}

WpThreadRows *
wp_threads_measure (const gint32 *pids)
{
  WpThreadRows *self = g_new0 (WpThreadRows, 1);
  gint64 before_us = g_get_monotonic_time ();
  guint32 n = 0;

  for (; *pids != 0; pids++)
    add_threads (self, *pids);
  g_usleep (MEASURE_US);
  for (guint32 i = 0; i < self->rows.len; i++)
    if (measure (&self->rows.data[i], before_us))
      self->rows.data[n++] = self->rows.data[i];
    else
      g_free (self->rows.data[i].stat.name);
  self->rows.len = n;
  wp_array_sort (&self->rows, compare_shares);
  return self;
}

void
wp_threads_free (WpThreadRows *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].stat.name);
  wp_array_clear (&self->rows);
  g_free (self);
}

gint32 *
wp_threads_parse (const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint n = g_strv_length (words);
  g_autofree gint32 *tids = g_new0 (gint32, n + 1);

  for (guint i = 0; i < n || n == 0; i++)
    {
      guint64 tid;

      if (n == 0 || !g_ascii_string_to_unsigned (words[i], 10, 1, G_MAXINT32, &tid, NULL))
        {
          g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "\"%s\" is no list of threads, as in 712,713", text);
          return NULL;
        }
      tids[i] = (gint32) tid;
    }
  return g_steal_pointer (&tids);
}

/* 0: there is no such thread. */
static gint32
process_of (gint32 tid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", tid), *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  line = g_strstr_len (text, -1, "\nTgid:\t"); /* a name cannot have a line of its own: it is escaped */
  return line != NULL ? (gint32) g_ascii_strtoll (line + strlen ("\nTgid:\t"), NULL, 10) : 0;
}

gint32 *
wp_threads_processes (const gint32 *tids, GError **error)
{
  WP_ARRAY (gint32) pids = { 0 };

  for (; *tids != 0; tids++)
    {
      gint32 pid = process_of (*tids);
      guint32 at = 0;

      if (pid == 0)
        {
          g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND,
                       "there is no thread %d; wakepath-cli processes --threads lists those that run", *tids);
          wp_array_clear (&pids);
          return NULL;
        }
      while (at < pids.len && pids.data[at] != pid)
        at++;
      if (at == pids.len)
        wp_array_push (&pids, pid);
    }
  wp_array_push (&pids, 0);
  return pids.data;
}
