/* What runs on this machine: ourselves left out, a child of ours with what it is called; search; units in the text of cgroup files; threads. */
#include "record/launch.h"
#include "record/processes.h"
#include "record/threads.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const WpProcess *
row_of (const WpProcesses *processes, gint32 pid)
{
  for (guint32 i = 0; i < processes->rows.len; i++)
    if (processes->rows.data[i].pid == pid)
      return &processes->rows.data[i];
  return NULL;
}

/* A child with a name and an argument that nothing else has. */
static GPid
start_child (const char *seconds)
{
  const char *argv[] = { "sleep", seconds, NULL };
  GPid pid;
  g_autoptr (GError) error = NULL;

  g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static void
end_child (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static void
test_rows (void)
{
  GPid child = start_child ("7654.25");
  g_autoptr (WpProcesses) processes = NULL, again = NULL;
  const WpProcess *row;

  do /* until it is what it is to be */
    {
      g_clear_pointer (&processes, wp_processes_free);
      processes = wp_processes_read (NULL);
      row = row_of (processes, child);
      g_assert_nonnull (row);
    }
  while (!g_str_equal (row->command, "sleep 7654.25"));
  g_assert_cmpstr (row->stat.name, ==, "sleep");
  g_assert_cmpstr (row->user, ==, g_get_user_name ());
  g_assert_cmpuint (row->uid, ==, getuid ());
  g_assert_cmpuint (row->stat.threads, ==, 1);
  g_assert_cmpfloat (row->share, <, 0.5);
  g_assert_null (row_of (processes, getpid ()));
  g_assert_null (row_of (processes, 2)); /* a kernel thread, or nobody */
  for (guint32 i = 1; i < processes->rows.len; i++)
    g_assert_cmpint (processes->rows.data[i - 1].pid, <, processes->rows.data[i].pid);
  again = wp_processes_read (processes);
  g_assert_cmpuint (row_of (again, child)->stat.started, ==, row->stat.started);
  end_child (child);
}

/* CPU time since the list before, not since the process began. */
static void
test_share (void)
{
  g_autoptr (WpProcesses) before = NULL, after = NULL;
  GPid child = fork ();
  const WpProcess *row;

  if (child == 0)
    for (;;)
      ;
  for (;;)
    {
      g_clear_pointer (&before, wp_processes_free);
      before = wp_processes_read (NULL);
      if (row_of (before, child)->stat.cpu_ns > 0)
        break;
    }
  kill (child, SIGSTOP);
  waitpid (child, NULL, WUNTRACED);
  g_clear_pointer (&before, wp_processes_free);
  before = wp_processes_read (NULL);
  g_usleep (1000);
  after = wp_processes_read (before);
  row = row_of (after, child);
  g_assert_cmpfloat (row_of (before, child)->share, >, 0);
  g_assert_cmpfloat (row->share, ==, 0);
  g_assert_cmpint (row->stat.state, ==, 'T');
  end_child (child);
}

static void
test_search (void)
{
  char name[] = "Worker", command[] = "/usr/bin/worker --fast Ünit", user[] = "daemon", unit[] = "queue.service";
  const WpProcess row = { .pid = 4711, .stat.name = name, .command = command, .user = user, .unit = unit };
  static const struct
  {
    const char *words;
    gboolean matches;
  } cases[] = { { "", TRUE }, { "  ", TRUE }, { "work", TRUE }, { "WORK fast", TRUE }, { "daemon queue", TRUE }, { "4711", TRUE }, { "471", FALSE },
                { "üNIT", TRUE }, { "worker slow", FALSE }, { "4711 worker", TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_true (wp_process_matches (&row, cases[i].words) == cases[i].matches);
}

static void
test_units (void)
{
  static const char *const cases[][2] = {
    { "0::/system.slice/cron.service\n", "cron.service" },
    { "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-editor@7.scope\n", "app-editor@7.scope" },
    { "0::/system.slice/web.service/workers\n", "web.service" },
    { "12:pids:/\n1:name=systemd:/system.slice/old.service\n0::/\n", "old.service" },
    { "0::/\n", "" },
    { "", "" },
    { "0::/init.scope", "init.scope" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *unit = wp_unit_of_cgroup (cases[i][0]);

      g_assert_cmpstr (unit, ==, cases[i][1]);
    }
}

/* A number, then a unit, then a name; of several the oldest first. */
static void
test_find (void)
{
  char a[] = "pool", b[] = "pool", c[] = "web", none[] = "", web[] = "web.service", of_pool[] = "/opt/pool --all", script[] = "/usr/bin/python3 web.py";
  WpProcess rows[] = { { .pid = 5, .stat = { .started = 9, .name = a }, .command = of_pool, .unit = none },
                       { .pid = 7, .stat = { .started = 3, .name = b }, .command = b, .unit = none },
                       { .pid = 8, .stat = { .started = 8, .name = c }, .command = script, .unit = web },
                       { .pid = 9, .stat = { .started = 7, .name = c }, .command = script, .unit = none } };
  const WpProcesses list = { .rows = { .data = rows, .len = G_N_ELEMENTS (rows) } };
  static const struct
  {
    const char *what;
    gint32 pids[3];
  } cases[] = { { "5", { 5 } }, { "pool", { 7, 5 } }, { "web", { 8 } }, { "web.service", { 8 } }, { "python3", { 9, 8 } }, { "6", { 0 } }, { "we", { 0 } } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gint32 *pids = wp_processes_find (&list, cases[i].what, &error);

      if (cases[i].pids[0] == 0)
        g_assert_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND);
      for (guint k = 0; pids != NULL && k <= 2; k++)
        {
          g_assert_cmpint (pids[k], ==, cases[i].pids[k]);
          if (pids[k] == 0)
            break;
        }
      g_assert_true ((pids == NULL) == (cases[i].pids[0] == 0));
    }
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  GMutex mutex;
  GCond cond;
  gint32 tid; /* 0: not there yet */
  gboolean end;
} Busy;

/* A thread with a name, that runs all the time. */
static gpointer
be_busy (gpointer data)
{
  Busy *busy = data;

  g_mutex_lock (&busy->mutex);
  busy->tid = gettid ();
  g_cond_signal (&busy->cond);
  g_mutex_unlock (&busy->mutex);
  while (!g_atomic_int_get (&busy->end))
    ;
  return NULL;
}

static void
test_threads (void)
{
  Busy busy = { 0 };
  GThread *thread = g_thread_new ("digger", be_busy, &busy);
  const gint32 pids[] = { getpid (), 0 };
  g_autoptr (WpThreadRows) threads = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gint32 *of = NULL;

  g_mutex_lock (&busy.mutex);
  while (busy.tid == 0)
    g_cond_wait (&busy.cond, &busy.mutex);
  g_mutex_unlock (&busy.mutex);
  threads = wp_threads_measure (pids);
  of = wp_threads_processes ((const gint32[]) { busy.tid, getpid (), 0 }, &error);
  g_atomic_int_set (&busy.end, TRUE);
  g_thread_join (thread);
  g_assert_no_error (error);
  g_assert_cmpint (of[0], ==, getpid ());
  g_assert_cmpint (of[1], ==, 0);
  g_assert_cmpuint (threads->rows.len, >=, 2);
  g_assert_cmpint (threads->rows.data[0].tid, ==, busy.tid); /* the busiest comes first */
  g_assert_cmpint (threads->rows.data[0].pid, ==, getpid ());
  g_assert_cmpstr (threads->rows.data[0].stat.name, ==, "digger");
  g_assert_cmpfloat (threads->rows.data[0].share, >, threads->rows.data[1].share);
  g_assert_null (wp_threads_processes ((const gint32[]) { busy.tid, 0 }, &error)); /* it has ended */
  g_assert_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND);
}

static void
test_lists (void)
{
  static const char *const wrong[] = { "", ",", "7,", "7,,8", "7 8", "-7", "0", "seven", "4294967296" };
  g_autofree gint32 *tids = wp_threads_parse ("7,8", NULL);

  g_assert_cmpint (tids[0], ==, 7);
  g_assert_cmpint (tids[1], ==, 8);
  g_assert_cmpint (tids[2], ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (wp_threads_parse (wrong[i], &error));
      g_assert_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/processes/rows", test_rows);
  g_test_add_func ("/processes/share", test_share);
  g_test_add_func ("/processes/search", test_search);
  g_test_add_func ("/processes/units", test_units);
  g_test_add_func ("/processes/find", test_find);
  g_test_add_func ("/processes/threads", test_threads);
  g_test_add_func ("/processes/lists", test_lists);
  return g_test_run ();
}
