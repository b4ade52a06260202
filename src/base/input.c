#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/plain-file.h"

static gboolean
map (WpInput *self, const char *path, int fd, GError **error)
{
  struct stat st = { 0 };
  void *data = NULL;

  wp_mapped_guard ();
  if (fstat (fd, &st) != 0 || (st.st_size > 0 && (data = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED))
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s cannot be read: %s", path, g_strerror (errno));
      return FALSE;
    }
  self->data = data;
  self->n = self->mapped = st.st_size;
  return TRUE;
}

static gboolean
unpack (WpInput *self, const char *path, WpProgress *progress, GError **error)
{
  const WpInput packed = *self;
  gboolean done;
  int fd;

  wp_progress_phase (progress, "Unpacking");
  fd = wp_unpack (path, packed.data, packed.n, &self->unpacked, progress, error);
  if (fd < 0)
    return FALSE;
  done = map (self, path, fd, error);
  close (fd);
  if (done)
    munmap ((void *) packed.data, packed.n);
  return done;
}

gboolean
wp_input_open (WpInput *self, const char *path, WpProgress *progress, GError **error)
{
  int fd = wp_plain_file_open (AT_FDCWD, path, 0, WP_PLAIN_FILE_ANY_SIZE, error);
  gboolean done;

  *self = (WpInput) { 0 };
  if (fd < 0)
    return FALSE;
  done = map (self, path, fd, error);
  close (fd);
  if (!done)
    return FALSE;
  self->packing = wp_packing (self->data, self->n);
  if (self->packing == NULL || unpack (self, path, progress, error))
    return TRUE;
  wp_input_close (self);
  return FALSE;
}

void
wp_input_passed (const WpInput *self, gsize at)
{
  gsize pages = at & ~((gsize) sysconf (_SC_PAGESIZE) - 1);

  if (pages > 0 && pages <= self->mapped)
    madvise ((void *) self->data, pages, MADV_DONTNEED);
}

void
wp_input_close (WpInput *self)
{
  if (self->mapped > 0)
    munmap ((void *) self->data, self->mapped);
  *self = (WpInput) { 0 };
}

gboolean
wp_input_check_whole (const WpInput *self, const char *path, GError **error)
{
  return wp_unpacked_check_whole (&self->unpacked, path, self->packing, error);
}
