/* Hands a number from one thread to another in each way that shim.c tells of: rightly, or so that one thread still writes it when
 * it is the other's. ThreadSanitizer must keep silent of the first and report the second.
 *
 *   hand-over WAY right|wrong */
#include <gio/gio.h>

typedef struct
{
  gint n[2];
  GMutex lock;
  gpointer passage; /* queue, main loop, or what is initialized once */
} Item;

static gboolean wrong;

static void
read_item (Item *item)
{
  g_assert_cmpint (item->n[0], >=, 1);
}

/* After it was given away. */
static void
give (Item *item)
{
  if (wrong)
    item->n[0] = 2;
}

static gpointer
lock_it (gpointer data)
{
  Item *item = data;

  g_mutex_lock (&item->lock);
  item->n[0]++;
  g_mutex_unlock (&item->lock);
  return NULL;
}

static void
by_mutex (Item *item)
{
  GThread *thread = g_thread_new ("other", lock_it, item);

  give (item);
  lock_it (item);
  g_thread_join (thread);
}

static gpointer
pop (gpointer data)
{
  read_item (g_async_queue_pop (data));
  return NULL;
}

static void
by_queue (Item *item)
{
  GAsyncQueue *queue = g_async_queue_new ();
  GThread *thread = g_thread_new ("other", pop, queue);

  item->n[0] = 1;
  g_async_queue_push (queue, item);
  give (item);
  g_thread_join (thread);
  g_async_queue_unref (queue);
}

static void
job (gpointer data, gpointer user_data)
{
  Item *item = data;

  read_item (item);
  item->n[0]++;
}

static void
by_pool (Item *item)
{
  GThreadPool *pool = g_thread_pool_new (job, NULL, 2, FALSE, NULL);

  item->n[0] = 1;
  g_thread_pool_push (pool, item, NULL);
  give (item);
  g_thread_pool_free (pool, FALSE, TRUE);
  item->n[0]++;
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Item *item = data;

  read_item (item);
  item->n[0]++;
  g_task_return_boolean (task, TRUE);
}

static void
on_task (GObject *source, GAsyncResult *result, gpointer data)
{
  Item *item = data;

  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  read_item (item);
  g_main_loop_quit (item->passage);
}

static void
by_task (Item *item)
{
  GTask *task = g_task_new (NULL, NULL, on_task, item);

  item->n[0] = 1;
  item->passage = g_main_loop_new (NULL, FALSE);
  g_task_set_task_data (task, item, NULL);
  g_task_run_in_thread (task, run_task);
  give (item);
  g_object_unref (task);
  g_main_loop_run (item->passage);
  g_main_loop_unref (item->passage);
}

static gboolean
on_idle (gpointer data)
{
  Item *item = data;

  read_item (item);
  g_main_loop_quit (item->passage);
  return G_SOURCE_REMOVE;
}

static gpointer
tell (gpointer data)
{
  Item *item = data;

  item->n[0] = 1;
  g_idle_add (on_idle, item);
  give (item);
  return NULL;
}

static void
by_idle (Item *item)
{
  GThread *thread;

  item->passage = g_main_loop_new (NULL, FALSE);
  thread = g_thread_new ("other", tell, item);
  g_main_loop_run (item->passage);
  g_thread_join (thread);
  g_main_loop_unref (item->passage);
}

static gpointer
use_once (gpointer data)
{
  static gsize made;
  Item *item = data;

  if (g_once_init_enter (&made))
    {
      item->n[0] = 1;
      g_once_init_leave (&made, 1);
      give (item);
    }
  read_item (item);
  return NULL;
}

static void
by_once (Item *item)
{
  GThread *thread = g_thread_new ("other", use_once, item);

  use_once (item);
  g_thread_join (thread);
}

static void
on_last (gpointer data)
{
  Item *item = data;

  g_assert_cmpint (item->n[0] + item->n[1], >=, 1);
}

static gpointer
leave_box (gpointer data)
{
  Item *item = data;

  item->n[wrong ? 0 : 1] = 1;
  g_atomic_rc_box_release_full (item, on_last);
  return NULL;
}

static void
by_box (Item *unused)
{
  Item *item = g_atomic_rc_box_new0 (Item);
  GThread *thread = g_thread_new ("other", leave_box, g_atomic_rc_box_acquire (item));

  item->n[0] = 1;
  g_atomic_rc_box_release_full (item, on_last);
  g_thread_join (thread);
}

static const struct
{
  const char *name;
  void (*func) (Item *item);
} ways[] = { { "mutex", by_mutex }, { "queue", by_queue }, { "pool", by_pool }, { "task", by_task },
             { "idle", by_idle },   { "once", by_once },   { "box", by_box } };

int
main (int argc, char **argv)
{
  Item *item = g_new0 (Item, 1);

  g_assert_cmpint (argc, ==, 3);
  wrong = g_str_equal (argv[2], "wrong");
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (g_str_equal (argv[1], ways[i].name))
      ways[i].func (item);
  g_free (item);
  return 0;
}
