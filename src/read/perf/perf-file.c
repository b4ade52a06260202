/* The header of a perf.data in file or stream mode, and the walk over its records. */
#include "read/perf/perf-file.h"

#define FILE_HEADER_SIZE 104
#define STREAM_HEADER_SIZE 16

void
wp_perf_file_init (WpPerfFile *self, WpReader *reader)
{
  *self = (WpPerfFile){ .reader = reader, .arch = wp_cfi_arch (NULL) };
  self->builds = reader->options->builds != NULL ? reader->options->builds : wp_builds_new ();
  self->formats = wp_perf_formats_new (&reader->trace->diagnostics);
  self->kernel = wp_kernel_symbols_new (reader->trace, reader->options->symbol_root);
  wp_kernel_symbols_keep (self->kernel, reader->options->kernel);
}

void
wp_perf_file_clear (WpPerfFile *self)
{
  wp_array_clear (&self->attrs);
  wp_array_clear (&self->pauses);
  wp_array_clear (&self->rates);
  wp_array_clear (&self->waits);
  wp_pair_map_clear (&self->ids);
  wp_perf_formats_free (self->formats);
  if (self->builds != self->reader->options->builds)
    wp_builds_free (self->builds);
  wp_kernel_symbols_free (self->kernel);
  if (self->kernel_parts != NULL)
    g_string_free (self->kernel_parts, TRUE);
  g_free (self->kernel_text);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static gboolean
inside (const WpPerfFile *self, guint64 offset, guint64 size)
{
  return offset <= self->reader->size && size <= self->reader->size - offset;
}

static void
read_attrs (WpPerfFile *self, guint64 attr_size, guint64 offset, guint64 size)
{
  const guint8 *data = self->reader->data;
  guint64 left = self->reader->size; /* no two events share ids */

  if (attr_size < PERF_ATTR_SIZE_VER0 + 16 || attr_size > 4096)
    {
      wp_perf_file_damaged (self);
      return;
    }
  for (; size >= attr_size && inside (self, offset, attr_size); offset += attr_size, size -= attr_size)
    {
      guint64 ids = wp_read_u64 (data + offset + attr_size - 16),
        ids_size = wp_read_u64 (data + offset + attr_size - 8);

      if (!inside (self, ids, ids_size) || ids_size > left)
        {
          wp_perf_file_damaged (self);
          ids_size = 0;
          ids = 0;
        }
      left -= ids_size;
      wp_perf_file_add_attr (self, data + offset, attr_size - 16, data + ids, ids_size / 8);
    }
}

/* A table behind the records says where each feature is. */
static void
read_features (WpPerfFile *self, guint64 table, const guint8 *bitmap)
{
  WpDiagnostics *diagnostics = &self->reader->trace->diagnostics;
  const guint8 *data = self->reader->data;

  for (guint feature = 0; feature < 256; feature++)
    {
      guint64 offset, size;

      if (!(bitmap[feature / 8] & (1 << (feature % 8))))
        continue;
      if (!inside (self, table, 16))
        {
          diagnostics->n[WP_DIAG_TRUNCATED] = 1;
          return;
        }
      offset = wp_read_u64 (data + table);
      size = wp_read_u64 (data + table + 8);
      table += 16;
      if (inside (self, offset, size))
        wp_perf_file_feature (self, feature, data + offset, size);
      else
        diagnostics->n[WP_DIAG_TRUNCATED] = 1;
    }
}

static gboolean
open_file_mode (WpPerfFile *self, GError **error)
{
  const guint8 *data = self->reader->data;
  guint64 start, size;

  if (self->reader->size < FILE_HEADER_SIZE)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                   "%s is cut off within its header (at byte %" G_GSIZE_FORMAT "); record it again", self->reader->path,
                   self->reader->size);
      return FALSE;
    }
  read_attrs (self, wp_read_u64 (data + 16), wp_read_u64 (data + 24), wp_read_u64 (data + 32));
  start = wp_read_u64 (data + 40);
  size = wp_read_u64 (data + 48);
  if (start > self->reader->size)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                   "%s is cut off or damaged: its header (at byte 40) says that events begin at byte %" G_GUINT64_FORMAT
                   ", and the file has %" G_GSIZE_FORMAT "; record it again", self->reader->path, start,
                     self->reader->size);
      return FALSE;
    }
  self->data_start = start;
  if (size == 0 || !inside (self, start, size))
    { /* perf was ended before it could say how much there is, or the file is cut off */
      self->reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
      self->data_end = self->reader->size;
      return TRUE;
    }
  self->data_end = start + size;
  read_features (self, self->data_end, data + 72);
  return TRUE;
}

gboolean
wp_perf_is_stream (const WpReader *reader)
{
  return reader->size >= STREAM_HEADER_SIZE && memcmp (reader->data, "PERFILE2", 8) == 0 && wp_read_u64 (reader->data + 8) == STREAM_HEADER_SIZE;
}

gboolean
wp_perf_file_open (WpPerfFile *self, GError **error)
{
  if (wp_read_u64 (self->reader->data + 8) != STREAM_HEADER_SIZE)
    return open_file_mode (self, error);
  self->data_start = STREAM_HEADER_SIZE;
  self->data_end = self->reader->size;
  return TRUE;
}

gboolean
wp_perf_file_replace (WpPerfFile *self, int fd, GError **error)
{
  gboolean done = wp_reader_map (self->reader, fd, error);

  self->data_start = 0;
  self->data_end = self->reader->size;
  return done;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

guint64
wp_perf_trailing (const WpPerfRecord *header)
{
  const guint8 *record = (const guint8 *) header;

  if (header->type == WP_PERF_RECORD_TRACING_DATA && header->size >= 12)
    return ((guint64) wp_read_u32 (record + 8) + 7) / 8 * 8;
  if (header->type == WP_PERF_RECORD_AUXTRACE && header->size >= 16)
    return wp_read_u64 (record + 8) / 8 * 8;
  return 0;
}

static gboolean
has_head (const WpPerfFile *self, guint64 offset)
{
  const WpPerfRecord *header = wp_perf_file_record (self, offset);

  return self->data_end - offset >= sizeof *header && header->type != 0 && header->type <= WP_PERF_RECORD_LAST
         && header->size >= sizeof *header;
}

gboolean
wp_perf_file_cut_off (const WpPerfFile *self, guint64 offset)
{
  return has_head (self, offset) && wp_perf_file_record (self, offset)->size > self->data_end - offset;
}

gboolean
wp_perf_file_plausible (const WpPerfFile *self, guint64 offset)
{
  return has_head (self, offset) && wp_perf_file_record (self, offset)->size <= self->data_end - offset;
}

/* Three in a row, or all up to the end. */
guint64
wp_perf_file_resynchronize (const WpPerfFile *self, guint64 offset)
{
  for (offset++; self->data_end - offset >= sizeof (WpPerfRecord); offset++)
    {
      guint64 at = offset;
      guint chain = 0;

      while (chain < 3 && at < self->data_end && wp_perf_file_plausible (self, at))
        {
          at += wp_perf_file_record (self, at)->size;
          chain++;
        }
      if (chain == 3 || (chain > 0 && at == self->data_end))
        return offset;
    }
  return self->data_end;
}
