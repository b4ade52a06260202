/* What ThreadSanitizer cannot see of GLib. It knows the order of two accesses from what locks and atomics it watched, and GLib
 * is not built to be watched: its mutexes are futexes, its queues, pools, tasks and reference counts lock and count within. So
 * what was handed over rightly looks like a race. Preloaded, this stands between a program and GLib and tells of each way of
 * handing over that src/ uses, no more than GLib promises: an item of a queue orders what was done to that item, not all items.
 * Children that are not watched, or know no GLib, get it, too, and find it silent: it needs no symbol before it is called. */
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#include <dlfcn.h>
#include <gio/gio.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdlib.h>

#pragma weak __tsan_acquire
#pragma weak __tsan_release
#pragma weak __tsan_mutex_pre_lock
#pragma weak __tsan_mutex_post_lock
#pragma weak __tsan_mutex_pre_unlock
#pragma weak __tsan_mutex_post_unlock
#pragma weak __tsan_mutex_destroy

#define REAL(name) \
  ({ \
    static __typeof__ (&name) real; \
    if (real == NULL) \
      real = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name); \
    if (real == NULL) /* loaded late, and for a few only, as Python does */ \
      real = (__typeof__ (&name)) dlsym (dlopen ("libgio-2.0.so.0", RTLD_LAZY), #name); \
    real; \
  })

#define NUMBERS_MAX 4096 /* what libraries push as pointers that are none */

static void
acquire (gconstpointer at)
{
  if (__tsan_acquire != NULL && GPOINTER_TO_SIZE (at) > NUMBERS_MAX)
    __tsan_acquire ((gpointer) at);
}

static void
release (gconstpointer at)
{
  if (__tsan_release != NULL && GPOINTER_TO_SIZE (at) > NUMBERS_MAX)
    __tsan_release ((gpointer) at);
}

/* --- locks: by these annotations they are named in reports, and held against each other's order ------------------------ */

static void
before_lock (gpointer lock, unsigned flags)
{
  if (__tsan_mutex_pre_lock != NULL)
    __tsan_mutex_pre_lock (lock, flags);
}

static void
after_lock (gpointer lock, unsigned flags)
{
  if (__tsan_mutex_post_lock != NULL)
    __tsan_mutex_post_lock (lock, flags, 0);
}

static void
before_unlock (gpointer lock, unsigned flags)
{
  if (__tsan_mutex_pre_unlock != NULL)
    __tsan_mutex_pre_unlock (lock, flags);
}

static void
after_unlock (gpointer lock, unsigned flags)
{
  if (__tsan_mutex_post_unlock != NULL)
    __tsan_mutex_post_unlock (lock, flags);
}

#define LOCK(name, Type, flags) \
  void name (Type *lock) \
  { \
    before_lock (lock, flags); \
    REAL (name) (lock); \
    after_lock (lock, flags); \
  }

#define TRYLOCK(name, Type, flags) \
  gboolean name (Type *lock) \
  { \
    gboolean got; \
    before_lock (lock, (flags) | __tsan_mutex_try_lock); \
    got = REAL (name) (lock); \
    after_lock (lock, (flags) | __tsan_mutex_try_lock | (got ? 0 : __tsan_mutex_try_lock_failed)); \
    return got; \
  }

#define UNLOCK(name, Type, flags) \
  void name (Type *lock) \
  { \
    before_unlock (lock, flags); \
    REAL (name) (lock); \
    after_unlock (lock, flags); \
  }

#define CLEAR(name, Type) \
  void name (Type *lock) \
  { \
    REAL (name) (lock); \
    if (__tsan_mutex_destroy != NULL) \
      __tsan_mutex_destroy (lock, 0); \
  }

LOCK (g_mutex_lock, GMutex, 0)
TRYLOCK (g_mutex_trylock, GMutex, 0)
UNLOCK (g_mutex_unlock, GMutex, 0)
CLEAR (g_mutex_clear, GMutex)

LOCK (g_rec_mutex_lock, GRecMutex, __tsan_mutex_write_reentrant)
TRYLOCK (g_rec_mutex_trylock, GRecMutex, __tsan_mutex_write_reentrant)
UNLOCK (g_rec_mutex_unlock, GRecMutex, 0)
CLEAR (g_rec_mutex_clear, GRecMutex)

LOCK (g_rw_lock_writer_lock, GRWLock, 0)
TRYLOCK (g_rw_lock_writer_trylock, GRWLock, 0)
UNLOCK (g_rw_lock_writer_unlock, GRWLock, 0)
LOCK (g_rw_lock_reader_lock, GRWLock, __tsan_mutex_read_lock)
TRYLOCK (g_rw_lock_reader_trylock, GRWLock, __tsan_mutex_read_lock)
UNLOCK (g_rw_lock_reader_unlock, GRWLock, __tsan_mutex_read_lock)
CLEAR (g_rw_lock_clear, GRWLock)

/* Waiting is unlocking and locking; a signal orders nothing by itself. */
void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  before_unlock (mutex, 0);
  after_unlock (mutex, 0);
  REAL (g_cond_wait) (cond, mutex);
  before_lock (mutex, 0);
  after_lock (mutex, 0);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  before_unlock (mutex, 0);
  after_unlock (mutex, 0);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end_time);
  before_lock (mutex, 0);
  after_lock (mutex, 0);
  return signalled;
}

/* --- once: the way past an initialized place is an atomic of the program's own code ------------------------------------ */

gboolean
(g_once_init_enter) (volatile void *location)
{
  gboolean first = REAL (g_once_init_enter) (location);

  acquire ((gconstpointer) location);
  return first;
}

void
(g_once_init_leave) (volatile void *location, gsize result)
{
  release ((gconstpointer) location);
  REAL (g_once_init_leave) (location, result);
}

/* What GLib finds out once and keeps, behind one lock of its own: who reads the text must have gone through one, too. */
static pthread_mutex_t known = PTHREAD_MUTEX_INITIALIZER;

#define KNOWN(name) \
  const char *name (void) \
  { \
    const char *text; \
    pthread_mutex_lock (&known); \
    text = REAL (name) (); \
    pthread_mutex_unlock (&known); \
    return text; \
  }

KNOWN (g_get_home_dir)
KNOWN (g_get_user_cache_dir)
KNOWN (g_get_user_config_dir)
KNOWN (g_get_user_data_dir)
KNOWN (g_get_user_runtime_dir)
KNOWN (g_get_user_state_dir)
KNOWN (g_get_tmp_dir)
KNOWN (g_get_user_name)
KNOWN (g_get_host_name)

/* --- queues ------------------------------------------------------------------------------------------------------------ */

void
g_async_queue_push (GAsyncQueue *queue, gpointer item)
{
  release (item);
  REAL (g_async_queue_push) (queue, item);
}

#define POP(name, parameters, arguments) \
  gpointer name parameters \
  { \
    gpointer item = REAL (name) arguments; \
    acquire (item); \
    return item; \
  }

POP (g_async_queue_pop, (GAsyncQueue *queue), (queue))
POP (g_async_queue_try_pop, (GAsyncQueue *queue), (queue))
POP (g_async_queue_timeout_pop, (GAsyncQueue *queue, guint64 timeout), (queue, timeout))

/* --- pools: threads are pthreads, which the sanitizer knows, but those of a pool take up many jobs ---------------------- */

typedef struct
{
  GFunc func;
  gpointer data;
} Pool; /* for ever: a worker may be behind who frees the pool */

static void
run_item (gpointer item, gpointer data)
{
  Pool *self = data;

  acquire (item);
  self->func (item, self->data);
  release (self);
}

GThreadPool *
g_thread_pool_new_full (GFunc func, gpointer data, GDestroyNotify free_item, gint most, gboolean exclusive, GError **error)
{
  Pool *self = calloc (1, sizeof *self);

  self->func = func;
  self->data = data;
  return REAL (g_thread_pool_new_full) (run_item, self, free_item, most, exclusive, error);
}

GThreadPool *
g_thread_pool_new (GFunc func, gpointer data, gint most, gboolean exclusive, GError **error)
{
  return g_thread_pool_new_full (func, data, NULL, most, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer item, GError **error)
{
  release (item);
  return REAL (g_thread_pool_push) (pool, item, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  gpointer self = pool->user_data;

  REAL (g_thread_pool_free) (pool, immediate, wait);
  if (wait)
    acquire (self);
}

/* --- tasks: run by a pool inside of GIO, their results passed on by the main loop --------------------------------------- */

static GQuark
task_quark (void)
{
  return REAL (g_quark_from_static_string) ("wakepath-tsan-task");
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc func = (GTaskThreadFunc) (GCallback) REAL (g_object_get_qdata) ((GObject *) task, task_quark ());

  acquire (task);
  func (task, source, data, cancellable);
}

#define RUN_TASK(name) \
  void name (GTask *task, GTaskThreadFunc func) \
  { \
    REAL (g_object_set_qdata) ((GObject *) task, task_quark (), (gpointer) (GCallback) func); \
    release (task); \
    REAL (name) (task, run_task); \
  }

RUN_TASK (g_task_run_in_thread)
RUN_TASK (g_task_run_in_thread_sync)

#define RETURN(name, parameters, arguments) \
  void name parameters \
  { \
    release (task); \
    REAL (name) arguments; \
  }

RETURN (g_task_return_pointer, (GTask *task, gpointer result, GDestroyNotify free_result), (task, result, free_result))
RETURN (g_task_return_boolean, (GTask *task, gboolean result), (task, result))
RETURN (g_task_return_int, (GTask *task, gssize result), (task, result))
RETURN (g_task_return_error, (GTask *task, GError *error), (task, error))

#define PROPAGATE(Type, name) \
  Type name (GTask *task, GError **error) \
  { \
    acquire (task); \
    return REAL (name) (task, error); \
  }

PROPAGATE (gpointer, g_task_propagate_pointer)
PROPAGATE (gboolean, g_task_propagate_boolean)
PROPAGATE (gssize, g_task_propagate_int)

/* --- the main loop: an idle or timeout that another thread made --------------------------------------------------------- */

typedef struct
{
  GSourceFunc func;
  gpointer data;
  GDestroyNotify notify;
  gconstpointer given_by; /* what was let go when the source was attached */
} Callback;

static gboolean
call_back (gpointer data)
{
  Callback *self = data;

  acquire (self->given_by);
  return self->func (self->data);
}

static void
free_callback (gpointer data)
{
  Callback *self = data;

  if (self->notify != NULL)
    self->notify (self->data);
  free (self);
}

static Callback *
callback_new (GSourceFunc func, gpointer data, GDestroyNotify notify, gconstpointer given_by)
{
  Callback *self = malloc (sizeof *self);

  *self = (Callback){ func, data, notify, given_by != NULL ? given_by : self };
  release (self->given_by);
  return self;
}

guint
g_idle_add_full (gint priority, GSourceFunc func, gpointer data, GDestroyNotify notify)
{
  return REAL (g_idle_add_full) (priority, call_back, callback_new (func, data, notify, NULL), free_callback);
}

guint
g_idle_add (GSourceFunc func, gpointer data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, func, data, NULL);
}

/* Sources of other kinds call functions of other kinds. */
void
g_source_set_callback (GSource *source, GSourceFunc func, gpointer data, GDestroyNotify notify)
{
  if (func == NULL || source->source_funcs != REAL (g_idle_funcs))
    REAL (g_source_set_callback) (source, func, data, notify);
  else
    REAL (g_source_set_callback) (source, call_back, callback_new (func, data, notify, source), free_callback);
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  if (source->source_funcs == REAL (g_idle_funcs))
    release (source);
  return REAL (g_source_attach) (source, context);
}

/* --- counted references: who gives the last back sees what all did who had one ------------------------------------------ */

static __thread GDestroyNotify clear_box; /* of the box that is being released */

static void
on_last (gpointer box)
{
  GDestroyNotify clear = clear_box;

  acquire (box);
  if (clear != NULL)
    clear (box);
}

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  GDestroyNotify before = clear_box;

  release (box);
  clear_box = clear;
  REAL (g_atomic_rc_box_release_full) (box, on_last);
  clear_box = before;
}

void
g_atomic_rc_box_release (gpointer box)
{
  g_atomic_rc_box_release_full (box, NULL);
}

void
(g_object_unref) (gpointer object)
{
  volatile guint *count = &((GObject *) object)->ref_count; /* another place than that of a task's own hand-overs */

  release ((gconstpointer) count);
  if (*count == 1)
    acquire ((gconstpointer) count);
  REAL (g_object_unref) (object);
}
