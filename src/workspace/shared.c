#include "workspace/shared.h"

struct WpShared
{
  gpointer thing;
  GDestroyNotify free_thing;
};

static void
free_one (gpointer data, gpointer unused)
{
  WpShared *self = data;

  self->free_thing (self->thing);
  g_free (self);
}

/* One thread frees what the main thread was the last to need: giving back the memory of a large recording takes longer than a frame may. */
static GThreadPool *
freeing (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (free_one, NULL, 1, FALSE, NULL));
  return pool;
}

static void
clear (gpointer data)
{
  WpShared *self = data;

  if (self->thing == NULL)
    return;
  if (g_main_context_is_owner (NULL))
    g_thread_pool_push (freeing (), g_memdup2 (self, sizeof *self), NULL);
  else
    self->free_thing (self->thing);
}

WpShared *
wp_shared_new (gpointer thing, GDestroyNotify free_thing)
{
  WpShared *self = g_atomic_rc_box_new (WpShared);

  self->thing = thing;
  self->free_thing = free_thing;
  return self;
}

WpShared *
wp_shared_ref (WpShared *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

void
wp_shared_unref (WpShared *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear);
}

gpointer
wp_shared_get (const WpShared *self)
{
  return self != NULL ? self->thing : NULL;
}
