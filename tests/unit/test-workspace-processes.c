/* The list of processes to choose from: its order, what is typed, that rows stay themselves and, while it is held, where they are. */
#include "workspace/record/process-model.h"

#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  gint32 pid;
  guint64 started;
  double share;
  const char *name, *unit;
} Given;

static WpProcesses *
processes (const Given *given, guint n)
{
  WpProcesses *self = g_new0 (WpProcesses, 1);

  for (guint i = 0; i < n; i++)
    wp_array_push (&self->rows, ((WpProcess) { .pid = given[i].pid,
                                               .stat = { .started = given[i].started, .name = g_strdup (given[i].name) },
                                               .share = given[i].share,
                                               .command = g_strdup_printf ("/bin/%s", given[i].name),
                                               .user = g_strdup ("root"),
                                               .unit = g_strdup (given[i].unit) }));
  return self;
}

static WpProcessRow *
row (WpProcessModel *model, guint position)
{
  g_autoptr (WpProcessRow) item = g_list_model_get_item (G_LIST_MODEL (model), position);

  return item;
}

/* Pids in the order of the list, those that have ended with a minus. */
static char *
listed (WpProcessModel *model)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    g_string_append_printf (text, " %s%d", wp_process_row_has_ended (row (model, i)) ? "-" : "", wp_process_row_get (row (model, i))->pid);
  return g_string_free (text, FALSE);
}

#define assert_listed(model, expected)                     \
  G_STMT_START                                             \
  {                                                        \
    g_autofree char *is = listed (model);                  \
                                                           \
    g_assert_cmpstr (is, ==, expected);                    \
  }                                                        \
  G_STMT_END

static const Given first[] = { { 2, 10, 0.1, "init", "init.scope" },
                               { 5, 20, 0.5, "pools", "web.service" },
                               { 7, 30, 0, "pool", "web.service" },
                               { 9, 40, 0, "cron", "cron.service" } };

/* 5 is another one now; 7 has become busy; 9 has ended; 8 is new. */
static const Given second[] = { { 2, 10, 0.1, "init", "init.scope" },
                                { 5, 99, 0, "other", "" },
                                { 7, 30, 0.7, "pool", "web.service" },
                                { 8, 95, 0.3, "new", "web.service" } };

static WpProcessModel *
model_of_first (void)
{
  WpProcessModel *model = wp_process_model_new ();

  wp_process_model_take (model, processes (first, G_N_ELEMENTS (first)));
  return model;
}

static int
by_column (gconstpointer a, gconstpointer b, gpointer column)
{
  return wp_process_compare (GPOINTER_TO_UINT (column), wp_process_row_get ((WpProcessRow *) a), wp_process_row_get ((WpProcessRow *) b));
}

static void
test_order (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();
  static const struct
  {
    WpProcessColumn column;
    const char *listed;
  } cases[] = { { WP_PROCESS_PID, " 2 5 7 9" },   { WP_PROCESS_SHARE, " 7 9 2 5" },  { WP_PROCESS_UNIT, " 9 2 5 7" },
                { WP_PROCESS_USER, " 2 5 7 9" }, { WP_PROCESS_NAME, " 9 2 7 5" },  { WP_PROCESS_COMMAND, " 9 2 7 5" } };

  assert_listed (model, " 5 2 7 9");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      wp_process_model_set_order (model, by_column, GUINT_TO_POINTER (cases[i].column));
      assert_listed (model, cases[i].listed);
    }
  wp_process_model_set_order (model, NULL, NULL);
  assert_listed (model, " 5 2 7 9");
}

static void
test_words (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();

  wp_process_model_set_words (model, "POOL web");
  assert_listed (model, " 5 7");
  g_assert_cmpuint (wp_process_model_count (model), ==, 4);
  wp_process_model_set_words (model, "nothing");
  assert_listed (model, "");
  wp_process_model_set_words (model, "");
  assert_listed (model, " 5 2 7 9");
}

static void
count (WpProcessRow *changed, guint *times)
{
  (*times)++;
}

static void
test_refresh (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();
  g_autoptr (WpProcessRow) pool = g_object_ref (row (model, 2)), gone = g_object_ref (row (model, 0));
  guint times = 0;

  g_assert_cmpint (wp_process_row_get (pool)->pid, ==, 7);
  g_signal_connect (pool, "changed", G_CALLBACK (count), &times);
  wp_process_model_take (model, processes (second, G_N_ELEMENTS (second)));
  assert_listed (model, " 7 8 2 5");
  g_assert_true (row (model, 0) == pool);
  g_assert_cmpuint (times, ==, 1);
  g_assert_cmpfloat (wp_process_row_get (pool)->share, ==, 0.7);
  g_assert_true (wp_process_row_has_ended (gone)); /* though a process has its number */
  g_assert_cmpstr (wp_process_row_get (gone)->stat.name, ==, "pools");
  g_assert_true (row (model, 3) != gone);
}

static void
test_held (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();

  wp_process_model_hold (model, TRUE);
  wp_process_model_take (model, processes (second, G_N_ELEMENTS (second)));
  assert_listed (model, " -5 2 7 -9 5 8");
  g_assert_cmpfloat (wp_process_row_get (row (model, 2))->share, ==, 0.7);
  wp_process_model_take (model, processes (second, G_N_ELEMENTS (second)));
  assert_listed (model, " -5 2 7 -9 5 8");
  wp_process_model_set_words (model, "pool"); /* that is asked for by the keyboard */
  assert_listed (model, " 7");
  wp_process_model_set_words (model, "");
  wp_process_model_hold (model, FALSE);
  assert_listed (model, " 7 8 2 5");
}

typedef struct
{
  guint position, removed, added, times;
} Change;

static void
note_change (GListModel *model, guint position, guint removed, guint added, Change *change)
{
  *change = (Change) { position, removed, added, change->times + 1 };
}

/* Only what differs is told; nothing is where nothing does. */
static void
test_changes (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();
  Given busy[G_N_ELEMENTS (first)];
  Change change = { 0 };

  memcpy (busy, first, sizeof first);
  g_signal_connect (model, "items-changed", G_CALLBACK (note_change), &change);
  wp_process_model_take (model, processes (first, G_N_ELEMENTS (first)));
  g_assert_cmpuint (change.times, ==, 0);
  busy[3].share = 0.05;
  wp_process_model_take (model, processes (busy, G_N_ELEMENTS (busy)));
  assert_listed (model, " 5 2 9 7");
  g_assert_cmpuint (change.times, ==, 1);
  g_assert_true (change.position == 2 && change.removed == 2 && change.added == 2);
  wp_process_model_take (model, processes (busy, 3));
  g_assert_true (change.position == 2 && change.removed == 1 && change.added == 0);
}

static char *
recalled (WpProcessModel *model, const char *words)
{
  g_autofree gint32 *pids = wp_process_model_recall (model, words);
  GString *text = g_string_new (NULL);

  for (guint i = 0; pids != NULL && pids[i] != 0; i++)
    g_string_append_printf (text, " %d", pids[i]);
  return g_string_free (text, FALSE);
}

/* A whole unit by its name, whoever is in it then; part of one by the process'. */
static void
test_remember (void)
{
  g_autoptr (WpProcessModel) model = model_of_first ();
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_autofree char *one = NULL, *both = NULL, *mixed = NULL, *unit = NULL, *name = NULL, *several = NULL, *none = NULL;
  static const Given same[] = { { 7, 30, 0, "pool", "" }, { 8, 95, 0, "pool", "" } };

  g_ptr_array_add (rows, row (model, 2));
  one = wp_process_model_remember (model, rows);
  g_assert_cmpstr (one, ==, "pool");
  g_ptr_array_add (rows, row (model, 0));
  both = wp_process_model_remember (model, rows);
  g_assert_cmpstr (both, ==, "web.service");
  g_ptr_array_add (rows, row (model, 3));
  mixed = wp_process_model_remember (model, rows);
  g_assert_cmpstr (mixed, ==, "pool");
  wp_process_model_take (model, processes (second, G_N_ELEMENTS (second)));
  unit = recalled (model, "web.service");
  g_assert_cmpstr (unit, ==, " 7 8");
  name = recalled (model, "pool");
  g_assert_cmpstr (name, ==, " 7");
  wp_process_model_take (model, processes (same, G_N_ELEMENTS (same)));
  several = recalled (model, "pool");
  g_assert_cmpstr (several, ==, "");
  none = recalled (model, "cron");
  g_assert_cmpstr (none, ==, "");
}

/* What a worker reads, of this machine: a child of ours, until it has ended. */
static void
test_worker (void)
{
  g_autoptr (WpProcessModel) model = wp_process_model_new ();
  g_autofree char *words = NULL;
  gboolean read = FALSE;
  GPid child = fork ();
  g_autoptr (WpProcessRow) found = NULL;

  if (child == 0)
    for (;;)
      pause ();
  words = g_strdup_printf ("%d", child);
  wp_process_model_set_words (model, words);
  g_signal_connect_swapped (model, "refreshed", G_CALLBACK (g_atomic_int_inc), &read);
  wp_process_model_refresh (model);
  while (!read)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 1);
  found = g_object_ref (row (model, 0));
  g_assert_true (wp_process_lives (wp_process_row_get (found)));
  g_assert_false (wp_process_model_is_partial (model) && getuid () == 0);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  g_assert_false (wp_process_lives (wp_process_row_get (found)));
  read = FALSE;
  wp_process_model_refresh (model);
  while (!read)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
  g_assert_true (wp_process_row_has_ended (found));
  wp_process_model_refresh (model); /* that nobody waits for */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workspace/processes/order", test_order);
  g_test_add_func ("/workspace/processes/words", test_words);
  g_test_add_func ("/workspace/processes/refresh", test_refresh);
  g_test_add_func ("/workspace/processes/held", test_held);
  g_test_add_func ("/workspace/processes/changes", test_changes);
  g_test_add_func ("/workspace/processes/remember", test_remember);
  g_test_add_func ("/workspace/processes/worker", test_worker);
  return g_test_run ();
}
