#include "record/flight.h"

#define LEAST_NS (40 * G_GINT64_CONSTANT (1000000000)) /* so much stays on disk, for who looks at it live */

struct WpFlight
{
  GMutex lock; /* of the tail */
  WpTail *tail;
  gint64 keep; /* ns */
};

WpFlight *
wp_flight_new (int fd, double seconds)
{
  WpFlight *self = g_new0 (WpFlight, 1);

  g_mutex_init (&self->lock);
  self->tail = wp_tail_new (fd);
  self->keep = (gint64) (seconds * 1e9);
  return self;
}

void
wp_flight_free (WpFlight *self)
{
  if (self == NULL)
    return;
  wp_tail_free (self->tail);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
wp_flight_follow (WpFlight *self, guint64 bytes)
{
  if (!g_mutex_trylock (&self->lock))
    return;
  if (wp_tail_follow (self->tail, bytes, NULL)) /* damage is told when it is saved */
    wp_tail_forget (self->tail, MAX (self->keep, LEAST_NS), TRUE);
  g_mutex_unlock (&self->lock);
}

gboolean
wp_flight_save (WpFlight *self, guint64 bytes, int fd, GError **error)
{
  gboolean done;

  g_mutex_lock (&self->lock);
  done = wp_tail_follow (self->tail, bytes, error) && wp_tail_write (self->tail, self->keep, fd, error);
  g_mutex_unlock (&self->lock);
  return done;
}
