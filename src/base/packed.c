#include "base/packed.h"

#include "base/bytes.h"
#include "base/mapped.h"
#include "base/plain-file.h"
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "config.h"
#ifdef WP_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#define AT_ONCE_MAX (256u << 20) /* half a second, in which nothing is told and nothing cancels */
#define DEFLATE_RATIO 1032       /* no byte becomes more */

/* Either library behind the same few calls. */
typedef struct
{
  const guint8 *in;
  gsize n_in;
  guint8 *out;
  gsize n_out;
  gboolean between; /* at the end of a member or frame: the file may end here */
  gboolean padded;
} Step;

typedef struct
{
  const char *name;
  guint8 magic[4];
  guint n_magic;
  gpointer (*start) (void);
  gboolean (*step) (gpointer stream, Step *step); /* FALSE: damaged */
  void (*stop) (gpointer stream);
  gboolean (*at_once) (const guint8 *data, gsize n, WpSpool *spool); /* a whole file, faster; FALSE: it takes steps. NULL: there is no such way */
} Packing;

/* --- gzip --------------------------------------------------------------------------------------------------------- */

static gpointer
gzip_start (void)
{
  z_stream *z = g_new0 (z_stream, 1);

  if (inflateInit2 (z, 15 + 16) != Z_OK)
    g_clear_pointer (&z, g_free);
  return z;
}

/* A file may be several members, one after another; zeros behind them are padding. */
static gboolean
gzip_step (gpointer stream, Step *step)
{
  z_stream *z = stream;
  int status;

  if (step->between && step->in[0] != 0x1f)
    {
      step->padded = step->in[0] == 0;
      step->n_in = 0;
      return step->padded;
    }
  z->next_in = (guint8 *) step->in;
  z->avail_in = MIN (step->n_in, G_MAXINT32);
  z->next_out = step->out;
  z->avail_out = MIN (step->n_out, G_MAXINT32);
  status = inflate (z, Z_NO_FLUSH);
  step->n_in -= z->next_in - step->in;
  step->n_out -= z->next_out - step->out;
  step->in = z->next_in;
  step->out = z->next_out;
  step->between = status == Z_STREAM_END;
  if (step->between)
    inflateReset (z);
  return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
}

static void
gzip_stop (gpointer stream)
{
  inflateEnd (stream);
  g_free (stream);
}

#ifdef WP_HAVE_LIBDEFLATE

typedef struct
{
  const guint8 *data;
  gsize n;
} Packed;

static gboolean
inflate_all (guint8 *room, gsize n, gpointer data)
{
  const Packed *packed = data;
  struct libdeflate_decompressor *libdeflate = libdeflate_alloc_decompressor ();
  gsize taken = 0;
  gboolean done = libdeflate != NULL
                  && libdeflate_gzip_decompress_ex (libdeflate, packed->data, packed->n, room, n, &taken, NULL) == LIBDEFLATE_SUCCESS;

  libdeflate_free_decompressor (libdeflate);
  return done && taken == packed->n;
}

/* One member with nothing behind it, whose last four bytes are its size. Whatever else it is, the steps say. */
static gboolean
gzip_at_once (const guint8 *data, gsize n, WpSpool *spool)
{
  Packed packed = { data, n };
  guint32 size = n > sizeof size ? GUINT32_FROM_LE (wp_read_u32 (data + n - sizeof size)) : 0;

  return size > 0 && size <= AT_ONCE_MAX && size / DEFLATE_RATIO <= n && wp_spool_fill (spool, size, inflate_all, &packed);
}

#else
#define gzip_at_once NULL
#endif

/* --- zstd --------------------------------------------------------------------------------------------------------- */

static gpointer
zstd_start (void)
{
  return ZSTD_createDStream ();
}

static gboolean
zstd_step (gpointer stream, Step *step)
{
  ZSTD_inBuffer in = { step->in, step->n_in, 0 };
  ZSTD_outBuffer out = { step->out, step->n_out, 0 };
  size_t status = ZSTD_decompressStream (stream, &out, &in);

  step->in += in.pos;
  step->n_in -= in.pos;
  step->out += out.pos;
  step->n_out -= out.pos;
  step->between = status == 0;
  return !ZSTD_isError (status);
}

static void
zstd_stop (gpointer stream)
{
  ZSTD_freeDStream (stream);
}

/* --- either ------------------------------------------------------------------------------------------------------- */

static const Packing packings[] = {
  { "gzip", { 0x1f, 0x8b }, 2, gzip_start, gzip_step, gzip_stop, gzip_at_once },
  { "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, zstd_start, zstd_step, zstd_stop },
};

static const Packing *
find_packing (const guint8 *data, gsize n)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    if (n >= packings[i].n_magic && memcmp (data, packings[i].magic, packings[i].n_magic) == 0)
      return &packings[i];
  return NULL;
}

const char *
wp_packing (const guint8 *data, gsize n)
{
  const Packing *packing = find_packing (data, n);

  return packing != NULL ? packing->name : NULL;
}

gsize
wp_unpack_head (const guint8 *data, gsize n, guint8 *out, gsize room)
{
  const Packing *packing = find_packing (data, n);
  gpointer stream = packing != NULL ? packing->start () : NULL;
  Step step = { .in = data, .n_in = n, .out = out, .n_out = room };

  while (stream != NULL && step.n_out > 0 && step.n_in > 0)
    {
      gsize before = step.n_in + step.n_out;

      if (!packing->step (stream, &step) || step.n_in + step.n_out == before)
        break;
    }
  if (stream != NULL)
    packing->stop (stream);
  return room - step.n_out;
}

#define PIECE (128 * 1024)

/* Goes on where all input is taken but some output may be left within the library: a full piece says so, unless it ended with it. */
static gboolean
unpack_all (const Packing *packing, gpointer stream, const guint8 *data, gsize n, WpSpool *spool, WpUnpacked *result,
            WpProgress *progress, GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE);
  Step step = { .in = data, .n_in = n };
  gboolean full = FALSE;

  while (step.n_in > 0 || (full && !step.between))
    {
      gsize before = step.n_in;

      step.out = piece;
      step.n_out = PIECE;
      result->damaged = !packing->step (stream, &step);
      full = step.n_out == 0;
      if (!wp_spool_write (spool, piece, PIECE - step.n_out, error)
          || !wp_progress_step (progress, (double) (n - step.n_in) / n, error))
        return FALSE;
      if (result->damaged || (step.n_in == before && step.n_out == PIECE))
        break;
    }
  result->padded = step.padded;
  result->cut = !step.between && !result->damaged;
  result->at = n - step.n_in;
  return TRUE;
}

int
wp_unpack (const char *path, const guint8 *data, gsize n, WpUnpacked *result, WpProgress *progress, GError **error)
{
  const Packing *packing = find_packing (data, n);
  gpointer stream = packing->start ();
  g_autoptr (WpSpool) spool = wp_spool_new (path, n, error);
  gboolean done;

  *result = (WpUnpacked){ 0 };
  if (spool == NULL || stream == NULL)
    {
      if (stream != NULL)
        packing->stop (stream);
      return -1;
    }
  done = wp_progress_step (progress, 0, error)
         && ((packing->at_once != NULL && packing->at_once (data, n, spool)) || unpack_all (packing, stream, data, n, spool, result, progress, error));
  packing->stop (stream);
  if (done && spool->size == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   "%s is packed with %s, but %s byte %" G_GUINT64_FORMAT " nothing can be unpacked; fetch or pack it again",
                   path, packing->name, result->cut ? "it is cut off: up to" : "it is damaged: at", result->at);
      done = FALSE;
    }
  return done ? wp_spool_finish (spool, error) : -1;
}

gboolean
wp_unpacked_check_whole (const WpUnpacked *self, const char *path, const char *packing, GError **error)
{
  if (!self->cut && !self->damaged)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s is packed with %s and %s at byte %" G_GUINT64_FORMAT "; fetch or pack it again", path,
               packing, self->cut ? "cut off" : "damaged", self->at);
  return FALSE;
}

static int
unpack_fd (const char *path, int fd, gsize size, WpProgress *progress, GError **error)
{
  guint8 *data = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  WpUnpacked result = { 0 };
  int unpacked;

  wp_mapped_guard ();
  if (data == MAP_FAILED)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s cannot be read: %s", path,
                   g_strerror (errno));
      return -1;
    }
  unpacked = wp_unpack (path, data, size, &result, progress, error);
  if (unpacked >= 0 && !wp_unpacked_check_whole (&result, path, wp_packing (data, size), error))
    {
      close (unpacked);
      unpacked = -1;
    }
  munmap (data, size);
  return unpacked;
}

/* The descriptor that a name stands for by which a shell hands one over, as for “<(…)” and “-”; -1: it stands for a file. */
static int
descriptor_of (const char *path)
{
  static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
  guint64 number;

  if (g_str_equal (path, "/dev/stdin"))
    return STDIN_FILENO;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (path, folders[i])
        && g_ascii_string_to_unsigned (path + strlen (folders[i]), 10, 0, G_MAXINT, &number, NULL))
      return (int) number;
  return -1;
}

/* A pipe that is open already is taken as it is; others may have nobody who writes to them. */
static int
open_given (const char *path, struct stat *st, GError **error)
{
  int given = descriptor_of (path), fd;

  if (given >= 0 && fstat (given, st) == 0 && !S_ISREG (st->st_mode))
    fd = fcntl (given, F_DUPFD_CLOEXEC, 0);
  else
    fd = wp_plain_file_open (AT_FDCWD, path, 0, WP_PLAIN_FILE_ANY_SIZE, error);
  if (fd < 0 || fstat (fd, st) == 0)
    return fd;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  close (fd);
  return -1;
}

int
wp_open_unpacked (const char *path, WpProgress *progress, GError **error)
{
  guint8 head[8];
  struct stat st;
  int fd = open_given (path, &st, error), unpacked;

  if (fd < 0)
    return -1;
  if (!S_ISREG (st.st_mode) || pread (fd, head, sizeof head, 0) != sizeof head || wp_packing (head, sizeof head) == NULL)
    return fd;
  unpacked = unpack_fd (path, fd, st.st_size, progress, error);
  close (fd);
  return unpacked;
}
