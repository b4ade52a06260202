#include "read/symbols/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <stdlib.h>
#include <unistd.h>

#define QUIET_MAX (4 * G_TIME_SPAN_SECOND) /* a server that says nothing for so long is not asked again */
#define LOOK_EVERY (50 * G_TIME_SPAN_MILLISECOND)

/* Loaded when it is wanted first, as elfutils does: with curl it brings thirty libraries, which take a third of the time in which the program
 * starts. */
typedef struct
{
  typeof (debuginfod_begin) *begin;
  typeof (debuginfod_end) *end;
  typeof (debuginfod_set_user_data) *set_user_data;
  typeof (debuginfod_get_user_data) *get_user_data;
  typeof (debuginfod_set_progressfn) *set_progressfn;
  typeof (debuginfod_find_source) *find_source;
  typeof (debuginfod_find_debuginfo) *find_debuginfo;
} Library;

/* Shared by who asks and who waits; the last to leave frees it. */
typedef struct
{
  gint users;
  gint abandoned;
  gint signs; /* of life: changes while something comes */
  GMutex lock;
  GCond answered;
  gboolean done;
  char *build_id;
  char *source; /* NULL: its debug file is wanted */
  char *path; /* the answer, or NULL */
} Download;

struct WpDebuginfod
{
  gint64 deadline; /* monotonic µs */
};

static gpointer
load_library (gpointer data)
{
  void *handle = dlopen ("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
  Library *self;

  if (handle == NULL)
    return NULL;
  self = g_new (Library, 1);
  self->begin = dlsym (handle, "debuginfod_begin");
  self->end = dlsym (handle, "debuginfod_end");
  self->set_user_data = dlsym (handle, "debuginfod_set_user_data");
  self->get_user_data = dlsym (handle, "debuginfod_get_user_data");
  self->set_progressfn = dlsym (handle, "debuginfod_set_progressfn");
  self->find_source = dlsym (handle, "debuginfod_find_source");
  self->find_debuginfo = dlsym (handle, "debuginfod_find_debuginfo");
  if (self->begin != NULL && self->end != NULL && self->set_user_data != NULL && self->get_user_data != NULL
      && self->set_progressfn != NULL && self->find_source != NULL && self->find_debuginfo != NULL)
    return self;
  g_free (self);
  dlclose (handle);
  return NULL;
}

/* NULL: it is not installed, or lacks what is needed. */
static const Library *
library (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, load_library, NULL);
}

static gint is_forbidden;

void
wp_debuginfod_allow (gboolean allowed)
{
  g_atomic_int_set (&is_forbidden, !allowed);
}

WpDebuginfod *
wp_debuginfod_new (double seconds)
{
  const char *urls = g_getenv ("DEBUGINFOD_URLS");
  WpDebuginfod *self;

  if (g_atomic_int_get (&is_forbidden) || urls == NULL || strspn (urls, " \t") == strlen (urls) || library () == NULL)
    return NULL;
  self = g_new0 (WpDebuginfod, 1);
  self->deadline = g_get_monotonic_time () + (gint64) (seconds * G_TIME_SPAN_SECOND);
  return self;
}

void
wp_debuginfod_free (WpDebuginfod *self)
{
  g_free (self);
}

static void
request_unref (Download *request)
{
  if (!g_atomic_int_dec_and_test (&request->users))
    return;
  g_mutex_clear (&request->lock);
  g_cond_clear (&request->answered);
  g_free (request->build_id);
  g_free (request->source);
  g_free (request->path);
  g_free (request);
}

/* libdebuginfod calls this while it waits; anything but 0 makes it give up. */
static int
is_abandoned (debuginfod_client *client, long done, long all)
{
  Download *request = library ()->get_user_data (client);

  if (all > 0) /* else nothing has come, and `done` counts how often we were called */
    g_atomic_int_set (&request->signs, (gint) (done & G_MAXINT));
  return g_atomic_int_get (&request->abandoned);
}

static char *
ask (Download *request)
{
  const Library *lib = library ();
  debuginfod_client *client = lib->begin ();
  char *path = NULL, *copy;
  int fd;

  if (client == NULL)
    return NULL;
  lib->set_user_data (client, request);
  lib->set_progressfn (client, is_abandoned);
  if (request->source != NULL)
    fd = lib->find_source (client, (const unsigned char *) request->build_id, 0, request->source, &path);
  else
    fd = lib->find_debuginfo (client, (const unsigned char *) request->build_id, 0, &path);
  copy = fd >= 0 ? g_strdup (path) : NULL;
  free (path);
  if (fd >= 0)
    close (fd);
  lib->end (client);
  return copy;
}

static gpointer
request_thread (gpointer data)
{
  Download *request = data;
  char *path = ask (request);

  g_mutex_lock (&request->lock);
  request->path = path;
  request->done = TRUE;
  g_cond_signal (&request->answered);
  g_mutex_unlock (&request->lock);
  request_unref (request);
  return NULL;
}

/* Waits until there is an answer, the time is over, nothing comes, or nobody wants it any more. */
static char *
wait_for (Download *request, gint64 deadline, WpProgress *progress, GError **error)
{
  gint64 now = g_get_monotonic_time (), quiet_since = now;
  gint signs = 0;
  char *path = NULL;

  g_mutex_lock (&request->lock);
  while (!request->done && wp_progress_step (progress, 0, error) && now < MIN (deadline, quiet_since + QUIET_MAX))
    {
      g_cond_wait_until (&request->answered, &request->lock, MIN (deadline, now + LOOK_EVERY));
      now = g_get_monotonic_time ();
      if (g_atomic_int_get (&request->signs) != signs)
        quiet_since = now;
      signs = g_atomic_int_get (&request->signs);
    }
  if (request->done)
    path = g_steal_pointer (&request->path);
  else
    g_atomic_int_set (&request->abandoned, TRUE);
  g_mutex_unlock (&request->lock);
  return path;
}

char *
wp_debuginfod_fetch (WpDebuginfod *self, const char *build_id, const char *source, WpProgress *progress, GError **error)
{
  Download *request;
  char *path;

  if (g_get_monotonic_time () >= self->deadline)
    return NULL;
  request = g_new0 (Download, 1);
  request->users = 2;
  g_mutex_init (&request->lock);
  g_cond_init (&request->answered);
  request->build_id = g_strdup (build_id);
  request->source = g_strdup (source);
  g_thread_unref (g_thread_new ("debuginfod", request_thread, request));
  path = wait_for (request, self->deadline, progress, error);
  if (g_atomic_int_get (&request->abandoned))
    self->deadline = 0;
  request_unref (request);
  return path;
}
