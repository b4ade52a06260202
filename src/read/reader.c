/* A recording that is read: its file mapped, its events counted. */
#include "base/mapped.h"
#include "base/plain-file.h"
#include "read/read-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK (wp-read-error-quark, wp_read_error)

gboolean
wp_reader_has_switches (WpReader *self, gboolean has)
{
  self->no_switches = !has;
  if (!has && self->options->all_samples)
    wp_assembler_no_switches (self->assembler);
  return has || self->options->all_samples;
}

guint32
wp_reader_event_row (WpReader *self, WpId name)
{
  WpTrace *trace = self->trace;
  guint32 *known = wp_pair_map_at (&self->event_rows, name, 0);

  if (*known == 0)
    {
      wp_array_push (&trace->events, ((WpEventCount) { .name = name }));
      *known = trace->events.len;
    }
  return *known - 1;
}

void
wp_reader_count_event (WpReader *self, WpId name, guint32 *row)
{
  if (*row == G_MAXUINT32)
    *row = wp_reader_event_row (self, name);
  self->trace->events.data[*row].count++;
  self->trace->diagnostics.n[WP_DIAG_EVENTS]++;
}

static gboolean
cannot_read (const WpReader *self, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be read: %s", self->path,
               g_strerror (code));
  return FALSE;
}

gboolean
wp_reader_map (WpReader *self, int fd, GError **error)
{
  struct stat st;
  void *data = MAP_FAILED;

  g_assert (self->n_mapped < G_N_ELEMENTS (self->mapped));
  wp_mapped_guard ();
  errno = EINVAL;
  if (fstat (fd, &st) == 0 && st.st_size > 0)
    data = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return cannot_read (self, errno, error);
  self->data = self->mapped[self->n_mapped].data = data;
  self->size = self->mapped[self->n_mapped++].size = st.st_size;
  if (self->n_mapped == 1)
    {
      self->changed = st.st_mtim;
      self->owner = st.st_uid;
      self->gone = wp_mapped_gone ();
    }
  madvise (data, st.st_size, MADV_WILLNEED);
  return TRUE;
}

gboolean
wp_reader_open (WpReader *self, GError **error)
{
  int fd = wp_plain_file_open (AT_FDCWD, self->path, 0, WP_PLAIN_FILE_ANY_SIZE, error);
  gboolean done;

  if (fd < 0)
    return FALSE;
  done = wp_reader_map (self, fd, error);
  close (fd);
  return done;
}

void
wp_reader_close (WpReader *self)
{
  while (self->n_mapped > 0)
    {
      self->n_mapped--;
      munmap ((void *) self->mapped[self->n_mapped].data, self->mapped[self->n_mapped].size);
    }
}
