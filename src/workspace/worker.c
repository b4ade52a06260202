#include "workspace/worker.h"

#include <sys/resource.h>

#define NICE 5 /* where processors are few, what the main thread draws comes first */

struct WpWorker
{
  WpWorkerSpec spec;
  GCancellable *cancellable;
  gboolean dropped; /* main thread only */

  GMutex lock; /* what the worker last told */
  const char *phase;
  double fraction;
  guint telling; /* source of the idle that passes it on, 0: none */
};

static void
job_free (gpointer data)
{
  WpWorker *self = data;

  if (self->spec.free_data != NULL)
    self->spec.free_data (self->spec.data);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->lock);
}

static void
job_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, job_free);
}

static gboolean
tell (gpointer data)
{
  WpWorker *self = data;
  const char *phase;
  double fraction;

  g_mutex_lock (&self->lock);
  phase = self->phase;
  fraction = self->fraction;
  self->telling = 0;
  g_mutex_unlock (&self->lock);

  if (!self->dropped && self->spec.told != NULL)
    self->spec.told (phase, fraction, self->spec.user_data);
  return G_SOURCE_REMOVE;
}

static void
progressed (const char *phase, double fraction, gpointer data)
{
  WpWorker *self = data;

  g_mutex_lock (&self->lock);
  self->phase = phase;
  self->fraction = fraction;
  if (self->telling == 0)
    self->telling = g_idle_add_full (G_PRIORITY_DEFAULT, tell, g_atomic_rc_box_acquire (self), job_unref);
  g_mutex_unlock (&self->lock);
}

/* Threads that the work starts are as nice as this one. A thread of its own: those of GTask's pool would stay nice, and go on with the work of others. */
static gpointer
work (gpointer data)
{
  g_autoptr (GTask) task = data;
  WpWorker *self = g_task_get_task_data (task);
  GError *error = NULL;
  WpProgress progress = { .cancellable = self->cancellable, .func = progressed, .user_data = self };
  gpointer result;

  setpriority (PRIO_PROCESS, 0, getpriority (PRIO_PROCESS, 0) + NICE); /* of Linux: of this thread */
  result = self->spec.run (self->spec.data, &progress, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, self->spec.free_result);
  return NULL;
}

static void
finished (GObject *source, GAsyncResult *async, gpointer user_data)
{
  WpWorker *self = g_task_get_task_data (G_TASK (async));
  g_autoptr (GError) error = NULL;
  gpointer result = g_task_propagate_pointer (G_TASK (async), &error);

  if (!self->dropped)
    {
      self->dropped = TRUE;
      self->spec.done (result, error, self->spec.user_data);
    }
  else if (result != NULL && self->spec.free_result != NULL)
    self->spec.free_result (result);
}

WpWorker *
wp_worker_start (const WpWorkerSpec *spec)
{
  WpWorker *self = g_atomic_rc_box_new0 (WpWorker);
  GTask *task;

  self->spec = *spec;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);

  task = g_task_new (NULL, self->cancellable, finished, NULL);
  g_task_set_source_tag (task, wp_worker_start);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, job_unref);
  g_thread_unref (g_thread_new ("worker", work, task));
  return self;
}

void
wp_worker_drop (WpWorker **worker)
{
  WpWorker *self = g_steal_pointer (worker);

  if (self == NULL)
    return;
  self->dropped = TRUE;
  g_cancellable_cancel (self->cancellable);
}

void
wp_worker_cancel (WpWorker *worker)
{
  if (worker != NULL)
    g_cancellable_cancel (worker->cancellable);
}
