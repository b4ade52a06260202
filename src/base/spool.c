#include "base/spool.h"

#include "base/mapped.h"
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A folder on a disk: what /tmp holds may count as memory. */
static const char *
folder (void)
{
  const char *wanted = g_getenv ("TMPDIR");

  if (wanted != NULL && *wanted == '/')
    return wanted;
  return g_access ("/var/tmp", W_OK) == 0 ? "/var/tmp" : g_get_tmp_dir ();
}

static int
open_nameless (void)
{
  int fd = TEMP_FAILURE_RETRY (open (folder (), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));

  if (fd < 0 && errno != ENOSPC)
    {
      g_autofree char *path = g_build_filename (folder (), "wakepath-XXXXXX", NULL);

      fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
      if (fd >= 0)
        g_unlink (path);
    }
  return fd;
}

static gboolean
cannot_write (const WpSpool *self, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code),
               "%s cannot be unpacked into %s: %s; make room there, or name another folder in TMPDIR", self->path,
               folder (), g_strerror (code));
  return FALSE;
}

WpSpool *
wp_spool_new (const char *path, guint64 packed_size, GError **error)
{
  WpSpool *self = g_new (WpSpool, 1);

  self->path = path;
  self->limit = MAX (WP_SPOOL_ALWAYS, MIN (packed_size, G_MAXINT64 / WP_SPOOL_RATIO) * WP_SPOOL_RATIO);
  self->size = self->pending = 0;
  self->fd = open_nameless ();
  if (self->fd >= 0)
    return self;
  cannot_write (self, errno, error);
  g_free (self);
  return NULL;
}

void
wp_spool_free (WpSpool *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

static gboolean
put (WpSpool *self, const guint8 *data, gsize n, GError **error)
{
  int code = wp_write_all (self->fd, data, n);

  return code == 0 || cannot_write (self, code, error);
}

static gboolean
flush (WpSpool *self, GError **error)
{
  gboolean done = put (self, self->buffer, self->pending, error);

  self->pending = 0;
  return done;
}

gboolean
wp_spool_write (WpSpool *self, const void *data, gsize n, GError **error)
{
  if (n > self->limit - self->size)
    {
      g_autofree char *limit = g_format_size_full (self->limit, G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   "%s would be more than %s when unpacked, more than a recording of its size can hold; if it is one all the "
                   "same, unpack it first", self->path, limit);
      return FALSE;
    }
  self->size += n;
  if (n > sizeof self->buffer - self->pending && !flush (self, error))
    return FALSE;
  if (n > sizeof self->buffer)
    return put (self, data, n, error);
  memcpy (self->buffer + self->pending, data, n);
  self->pending += n;
  return TRUE;
}

/* Blocks are taken first, so that a full disk is noticed here; where one is only noticed at a page that is written, its bytes are gone. */
gboolean
wp_spool_fill (WpSpool *self, gsize n, WpSpoolFillFunc fill, gpointer data)
{
  void *room;
  guint gone;

  if (n > self->limit || fallocate (self->fd, 0, 0, (off_t) n) != 0)
    return FALSE;
  room = mmap (NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
  if (room == MAP_FAILED)
    return FALSE;
  wp_mapped_guard ();
  gone = wp_mapped_gone ();
  if (fill (room, n, data) && gone == wp_mapped_gone ())
    self->size = n;
  munmap (room, n);
  return self->size > 0;
}

/* What a fill that failed left behind goes. */
int
wp_spool_finish (WpSpool *self, GError **error)
{
  int fd = self->fd;

  if (!flush (self, error))
    return -1;
  if (ftruncate (fd, (off_t) self->size) != 0)
    {
      cannot_write (self, errno, error);
      return -1;
    }
  lseek (fd, 0, SEEK_SET);
  self->fd = -1;
  return fd;
}
