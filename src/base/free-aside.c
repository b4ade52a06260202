#include "base/free-aside.h"

#define MANY 65536 /* rows that are worth a thread's turn */

typedef struct
{
  gpointer thing;
  GDestroyNotify free_thing;
} Job;

static void
free_one (gpointer data, gpointer unused)
{
  Job *job = data;

  job->free_thing (job->thing);
  g_free (job);
}

static GThreadPool *
freeing (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (free_one, NULL, 1, FALSE, NULL));
  return pool;
}

void
wp_free_aside (gpointer thing, GDestroyNotify free_thing)
{
  Job job = { thing, free_thing };

  if (thing != NULL)
    g_thread_pool_push (freeing (), g_memdup2 (&job, sizeof job), NULL);
}

static void
tell (gpointer queue)
{
  g_async_queue_push (queue, queue);
}

/* One thread frees one after the other. */
void
wp_free_aside_settle (void)
{
  GAsyncQueue *queue = g_async_queue_new ();

  wp_free_aside (queue, tell);
  g_async_queue_pop (queue);
  g_async_queue_unref (queue);
}

void
wp_free_many_aside (gpointer thing, gsize n_rows, GDestroyNotify free_thing)
{
  if (n_rows >= MANY)
    wp_free_aside (thing, free_thing);
  else if (thing != NULL)
    free_thing (thing);
}
