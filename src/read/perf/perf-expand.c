/* All records are written anew, unpacked and whole, and are read from there. */
#include "read/perf/perf-expand.h"

#include "base/spool.h"

#include <unistd.h>
#include <zstd.h>

#define RECORDS_PER_STEP 256
#define RECORD_MAX 65535

typedef struct
{
  WpPerfFile *file;
  WpSpool *spool;
  ZSTD_DStream *stream;
  gboolean lost; /* the stream was damaged: nothing can be read until one begins */
  guint n_partial;
  guint8 partial[RECORD_MAX]; /* a record of which the end is still to come */
  guint8 piece[128 * 1024];
} Expander;

static gboolean
is_compressed (const WpPerfRecord *header)
{
  return header->type == WP_PERF_RECORD_COMPRESSED || header->type == WP_PERF_RECORD_COMPRESSED2;
}

/* What of a compressed record is data, as far as the file goes. */
static const guint8 *
packed_data (const WpPerfRecord *header, gsize left, gsize *n)
{
  const guint8 *record = (const guint8 *) header;
  gsize begin = header->type == WP_PERF_RECORD_COMPRESSED2 ? 16 : 8, end = MIN (header->size, left);

  *n = end > begin ? end - begin : 0;
  if (begin == 16 && *n > 0)
    *n = MIN (*n, wp_read_u64 (record + 8));
  return record + begin;
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static void
lose_stream (Expander *self)
{
  wp_perf_file_damaged (self->file);
  self->lost = TRUE;
  self->n_partial = 0;
}

/* Passes on the whole records among these bytes and keeps the rest. */
static gboolean
take_bytes (Expander *self, const guint8 *data, gsize n, GError **error)
{
  while (n > 0 || self->n_partial >= sizeof (WpPerfRecord))
    {
      WpPerfRecord header = { .size = sizeof header };
      gsize take;

      if (self->n_partial >= sizeof header)
        memcpy (&header, self->partial, sizeof header);
      if (header.size < sizeof header)
        {
          lose_stream (self);
          return TRUE;
        }
      take = MIN (n, header.size - self->n_partial);
      memcpy (self->partial + self->n_partial, data, take);
      self->n_partial += take;
      data += take;
      n -= take;
      if (self->n_partial < header.size)
        return TRUE;
      memcpy (&header, self->partial, sizeof header);
      if (header.size != self->n_partial)
        continue;
      if (!wp_spool_write (self->spool, self->partial, header.size, error))
        return FALSE;
      self->n_partial = 0;
    }
  return TRUE;
}

static gboolean
unpack_record (Expander *self, const guint8 *data, gsize n, GError **error)
{
  ZSTD_inBuffer in = { data, n, 0 };
  gboolean full = FALSE;

  if (self->lost && (n < 4 || wp_read_u32 (data) != ZSTD_MAGICNUMBER))
    return TRUE;
  if (self->lost)
    ZSTD_initDStream (self->stream);
  self->lost = FALSE;
  while ((in.pos < in.size || full) && !self->lost)
    {
      ZSTD_outBuffer out = { self->piece, sizeof self->piece, 0 };
      gsize before = in.pos;

      if (ZSTD_isError (ZSTD_decompressStream (self->stream, &out, &in)))
        {
          lose_stream (self);
          return TRUE;
        }
      if (!take_bytes (self, self->piece, out.pos, error))
        return FALSE;
      full = out.pos == out.size;
      if (in.pos == before && out.pos == 0)
        break;
    }
  return TRUE;
}

/* --- all records -------------------------------------------------------------------------------------------------- */

/* Copies or unpacks the record at `*offset` and moves on to the next. */
static gboolean
expand_record (Expander *self, guint64 *offset, GError **error)
{
  const WpPerfFile *file = self->file;
  const WpPerfRecord *header = wp_perf_file_record (file, *offset);
  guint64 left = file->data_end - *offset, size;
  gboolean done;
  gsize n;

  if (!wp_perf_file_plausible (file, *offset) && !(left >= sizeof *header && is_compressed (header)
                                              && header->size >= sizeof *header))
    { /* damaged or cut off: copied, so that the reader of the records sees it */
      guint64 next = wp_perf_file_resynchronize (file, *offset);

      done = wp_spool_write (self->spool, header, next - *offset, error);
      *offset = next;
      return done;
    }
  if (is_compressed (header))
    {
      const guint8 *data = packed_data (header, left, &n);

      file->reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] |= header->size > left;
      *offset += MIN (header->size, left);
      return unpack_record (self, data, n, error);
    }
  size = header->size + MIN (wp_perf_trailing (header), left - header->size);
  done = wp_spool_write (self->spool, header, size, error);
  *offset += size;
  return done;
}

static gboolean
expand_all (Expander *self, GError **error)
{
  WpPerfFile *file = self->file;
  guint64 offset = file->data_start;

  for (guint count = 0; offset < file->data_end; count++)
    if ((count % RECORDS_PER_STEP == 0
         && !wp_progress_step (file->reader->progress,
                               (double) (offset - file->data_start) / (file->data_end - file->data_start), error))
        || !expand_record (self, &offset, error))
      return FALSE;
  if (self->n_partial > 0)
    file->reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
  return TRUE;
}

/* Where anything is compressed all that the kernel wrote is, so it is enough to look until the first sample. */
static gboolean
has_compressed (const WpPerfFile *self)
{
  guint64 offset = self->data_start;

  while (offset < self->data_end && self->data_end - offset >= sizeof (WpPerfRecord))
    {
      const WpPerfRecord *header = wp_perf_file_record (self, offset);
      guint64 size = header->size;

      if (is_compressed (header))
        return TRUE;
      if (header->type == PERF_RECORD_SAMPLE || size < sizeof *header || size > self->data_end - offset)
        return FALSE;
      size += MIN (wp_perf_trailing (header), self->data_end - offset - size);
      offset += size;
    }
  return FALSE;
}

gboolean
wp_perf_expand (WpPerfFile *file, GError **error)
{
  g_autofree Expander *expander = NULL;
  g_autoptr (WpSpool) spool = NULL;
  gboolean done;
  int fd;

  if (!has_compressed (file))
    return TRUE;
  spool = wp_spool_new (file->reader->path, file->reader->mapped[0].size, error); /* however often it was packed */
  if (spool == NULL)
    return FALSE;
  wp_progress_phase (file->reader->progress, "Unpacking");
  expander = g_new (Expander, 1);
  expander->file = file;
  expander->spool = spool;
  expander->stream = ZSTD_createDStream ();
  expander->lost = FALSE;
  expander->n_partial = 0;
  done = expand_all (expander, error);
  ZSTD_freeDStream (expander->stream);
  fd = done ? wp_spool_finish (spool, error) : -1;
  if (fd < 0)
    return FALSE;
  done = wp_perf_file_replace (file, fd, error);
  close (fd);
  wp_progress_phase (file->reader->progress, "Reading");
  return done;
}
