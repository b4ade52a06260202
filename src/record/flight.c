#include "record/flight.h"

#include "base/format.h"
#include "record/recorder.h"

#include <errno.h>
#include <string.h>

#define LEAST_NS (40 * WP_NS_PER_S) /* so much stays on disk, for who looks at it live */

struct WpFlight
{
  GMutex lock; /* of the tail */
  WpTail *tail;
  gint64 keep; /* ns */
  GThreadPool *follower; /* of one thread */
  guint64 bytes;   /* for it */
  gint follows;    /* whether it does, or is to */
  char *failure;   /* why it is not followed any more; set once */
  char *stuck;     /* why what is old is not given back any more; set once */
};

/* Damage stays, so that nothing is followed behind it. With the lock. */
static gboolean
follow (WpFlight *self, guint64 bytes)
{
  g_autoptr (GError) error = NULL;

  if (self->failure != NULL)
    return FALSE;
  if (wp_tail_follow (self->tail, bytes, &error))
    return TRUE;
  g_atomic_pointer_set (&self->failure, g_strdup_printf ("the last seconds: %s; nothing behind that is kept", error->message));
  return FALSE;
}

static void
follow_and_forget (gpointer unused, gpointer data)
{
  WpFlight *self = data;

  g_mutex_lock (&self->lock);
  if (follow (self, self->bytes) && !wp_tail_forget (self->tail, MAX (self->keep, LEAST_NS), TRUE) && self->stuck == NULL)
    g_atomic_pointer_set (&self->stuck, g_strdup_printf ("the end: the file system does not take back what is old (%s), and the recording ended "
                                                         "before it filled the disk", g_strerror (errno)));
  g_mutex_unlock (&self->lock);
  g_atomic_int_set (&self->follows, FALSE);
}

gboolean
wp_flight_check (int fd, const char *output, GError **error)
{
  g_autofree char *folder = NULL;

  if (wp_tail_can_punch (fd))
    return TRUE;
  folder = g_path_get_dirname (output);
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT,
               "the file system of the folder %s does not take back what is old (%s), so that keeping the last seconds would fill it; choose a folder "
               "on another one, such as ext4, XFS, Btrfs or tmpfs, or keep all", folder, g_strerror (errno));
  return FALSE;
}

WpFlight *
wp_flight_new (int fd, double seconds)
{
  WpFlight *self = g_new0 (WpFlight, 1);

  g_mutex_init (&self->lock);
  self->tail = wp_tail_new (fd);
  self->keep = (gint64) (seconds * 1e9);
  self->follower = g_thread_pool_new (follow_and_forget, self, 1, FALSE, NULL);
  return self;
}

void
wp_flight_free (WpFlight *self)
{
  if (self == NULL)
    return;
  g_thread_pool_free (self->follower, FALSE, TRUE);
  wp_tail_free (self->tail);
  g_mutex_clear (&self->lock);
  g_free (self->failure);
  g_free (self->stuck);
  g_free (self);
}

void
wp_flight_follow (WpFlight *self, guint64 bytes)
{
  if (!g_atomic_int_compare_and_exchange (&self->follows, FALSE, TRUE))
    return;
  self->bytes = bytes;
  g_thread_pool_push (self->follower, self, NULL);
}

gboolean
wp_flight_save (WpFlight *self, guint64 bytes, int fd, GError **error)
{
  gboolean done;

  g_mutex_lock (&self->lock);
  follow (self, bytes);
  done = wp_tail_end (self->tail) != 0 || self->failure == NULL;
  if (done)
    done = wp_tail_write (self->tail, self->keep, fd, error);
  else
    g_set_error_literal (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, self->failure);
  g_mutex_unlock (&self->lock);
  return done;
}

gboolean
wp_flight_is_stuck (WpFlight *self)
{
  return g_atomic_pointer_get (&self->stuck) != NULL;
}

/* Once each; takes `missing`. */
static char *
add_missing (char *missing, const char *sentence)
{
  char *both;

  if (sentence == NULL || (missing != NULL && strstr (missing, sentence) != NULL))
    return missing;
  both = missing != NULL ? g_strjoin ("\n", missing, sentence, NULL) : g_strdup (sentence);
  g_free (missing);
  return both;
}

char *
wp_flight_missing (WpFlight *self, const char *missing)
{
  return add_missing (add_missing (g_strdup (missing), g_atomic_pointer_get (&self->failure)), g_atomic_pointer_get (&self->stuck));
}
