#include "workspace/shared.h"

#include "base/free-aside.h"

struct WpShared
{
  gpointer thing;
  GDestroyNotify free_thing;
};

static void
clear (gpointer data)
{
  WpShared *self = data;

  if (self->thing == NULL)
    return;
  if (g_main_context_is_owner (NULL))
    wp_free_aside (self->thing, self->free_thing);
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
