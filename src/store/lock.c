/* The store's lock: one program changes a store at a time. */
#include "store/lock-holder.h"
#include "store/store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME ".lock"
#define STEP (5 * 1000) /* µs */
#define PATIENCE (1 * G_USEC_PER_SEC)
#define LONGEST (30 * G_USEC_PER_SEC)

void
wp_store_on_waiting (WpStore *self, WpStoreWaitingFunc waiting, gpointer data)
{
  self->waiting = waiting;
  self->waiting_data = data;
}

static void
tell_waiting (const WpStore *self, int fd)
{
  g_autofree char *holder = wp_lock_holder (fd);

  if (self->waiting != NULL)
    self->waiting ((WpStore *) self, holder, self->waiting_data);
}

/* 0, or an errno: EWOULDBLOCK when it took too long. */
static int
wait_for (const WpStore *self, int fd)
{
  gint64 begun = g_get_monotonic_time ();
  gboolean told = FALSE;

  while (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      gint64 waited = g_get_monotonic_time () - begun;

      if ((errno != EWOULDBLOCK && errno != EINTR) || waited > LONGEST)
        return errno;
      if (waited > PATIENCE && !told)
        tell_waiting (self, fd);
      told = waited > PATIENCE;
      g_usleep (STEP);
    }
  return 0;
}

/* The file stays: taking it away would let two in. */
int
wp_store_lock (const WpStore *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, NAME, NULL);
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)), code = fd < 0 ? errno : wait_for (self, fd);

  if (code == 0)
    return fd;
  if (code == EWOULDBLOCK)
    {
      g_autofree char *holder = wp_lock_holder (fd);

      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_LOCKED,
                   "%s: %s has held the store's lock for %d s; end it, or try again when it is done; nothing was changed", path, holder,
                   (int) (LONGEST / G_USEC_PER_SEC));
    }
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  if (fd >= 0)
    close (fd);
  return -1;
}
