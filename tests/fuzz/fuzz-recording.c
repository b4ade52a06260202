/* Recordings. */
#include "traced.h"

#include "base/packed.h"

#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* --- how much it is, once unpacked ------------------------------------------------------------------------------------ */

#define STREAM_HEADER 16
#define AT_DATA 40 /* in a file's header: where the records are, and how many bytes */

enum
{
  COMPRESSED = 81,
  COMPRESSED_2 = 83,
};

static guint64
get (const guint8 *data, gsize at, gsize width)
{
  guint64 value = 0;

  memcpy (&value, data + at, width);
  return value;
}

/* Bytes that come out of one record. What is damaged gives none, and a new stream begins behind it. */
static guint64
expand (ZSTD_DStream *stream, const guint8 *data, gsize n)
{
  static guint8 room[128 * 1024];
  ZSTD_inBuffer in = { data, n, 0 };
  ZSTD_outBuffer out = { room, sizeof room, 0 };
  guint64 total = 0;

  do
    {
      out.pos = 0;
      if (ZSTD_isError (ZSTD_decompressStream (stream, &out, &in)))
        {
          ZSTD_initDStream (stream);
          break;
        }
      total += out.pos;
    }
  while (in.pos < in.size || out.pos == out.size);
  return total;
}

/* With what is in compressed records. */
static guint64
expanded (const guint8 *data, gsize n)
{
  gboolean stream = n >= STREAM_HEADER && get (data, 8, 8) == STREAM_HEADER;
  guint64 at = stream ? STREAM_HEADER : n >= AT_DATA + 16 ? get (data, AT_DATA, 8) : n, total = n;
  ZSTD_DStream *zstd = ZSTD_createDStream ();

  for (guint64 size; at < n && n - at >= 8 && (size = get (data, at + 6, 2)) >= 8; at += size)
    {
      guint64 type = get (data, at, 4), head = type == COMPRESSED_2 ? 16 : 8, end = MIN (size, n - at);

      if ((type == COMPRESSED || type == COMPRESSED_2) && end > head)
        total += expand (zstd, data + at + head, end - head);
    }
  ZSTD_freeDStream (zstd);
  return total;
}

static guint64
unpacked (const guint8 *data, gsize n)
{
  WpUnpacked result;
  g_autoptr (GMappedFile) whole = NULL;
  int fd = wp_packing (data, n) != NULL ? wp_unpack ("input", data, n, &result, NULL, NULL) : -1;

  if (fd < 0)
    return expanded (data, n);
  whole = g_mapped_file_new_from_fd (fd, FALSE, NULL);
  close (fd);
  return whole != NULL ? expanded ((const guint8 *) g_mapped_file_get_contents (whole), g_mapped_file_get_length (whole)) : n;
}

const FuzzTarget fuzz_target = {
  .name = "recording",
  .run = fuzz_run_trace,
  .parse = fuzz_parse_trace,
  .changes = { fuzz_change_perf },
  .splice = fuzz_splice_perf,
  .shorten = fuzz_shorten_perf,
  .unpacked = unpacked,
};
