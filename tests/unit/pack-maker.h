/* Packs what perf-maker.h makes: into compressed records, and whole files. */
#pragma once

#include "perf-maker.h"

#include <zlib.h>
#include <zstd.h>

typedef struct
{
  guint32 type;
  gsize piece;     /* so many bytes go into one compressed record, wherever records of the kernel's end */
  gboolean frames; /* each is a stream of its own */
} PackCompressor;

static inline void
pack_record (GByteArray *out, const PackCompressor *how, const guint8 *data, gsize n)
{
  GByteArray *body = g_byte_array_new ();

  if (how->type == WP_PERF_RECORD_COMPRESSED2)
    maker_u64 (body, n);
  maker_bytes (body, data, n);
  if (how->type == WP_PERF_RECORD_COMPRESSED2)
    maker_pad (body, 8);
  maker_record (out, how->type, 0, body);
}

static inline GByteArray *
pack_records (GByteArray *records, const PackCompressor *how)
{
  GByteArray *out = g_byte_array_new ();
  ZSTD_CStream *stream = ZSTD_createCStream ();
  guint8 packed[16384];
  gsize done = 0;

  /* what the recorder made up stays as it is */
  while (((const guint32 *) (records->data + done))[0] != PERF_RECORD_SAMPLE)
    {
      guint16 size = *(const guint16 *) (records->data + done + 6);

      maker_bytes (out, records->data + done, size);
      done += size;
    }
  while (done < records->len)
    {
      ZSTD_inBuffer in = { records->data + done, MIN (how->piece, records->len - done), 0 };
      ZSTD_outBuffer to = { packed, sizeof packed, 0 };

      g_assert_cmpuint (ZSTD_compressStream2 (stream, &to, &in, how->frames ? ZSTD_e_end : ZSTD_e_flush), ==, 0);
      pack_record (out, how, packed, to.pos);
      maker_record (out, WP_PERF_RECORD_FINISHED_ROUND, 0, g_byte_array_new ());
      done += in.size;
    }
  ZSTD_freeCStream (stream);
  g_byte_array_unref (records);
  return out;
}

static inline GByteArray *
pack_gzip (const guint8 *data, gsize n, int level)
{
  GByteArray *out = g_byte_array_new ();
  z_stream z = { .next_in = (guint8 *) data, .avail_in = n };

  g_assert_cmpint (deflateInit2 (&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  g_byte_array_set_size (out, deflateBound (&z, n));
  z.next_out = out->data;
  z.avail_out = out->len;
  g_assert_cmpint (deflate (&z, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, z.total_out);
  deflateEnd (&z);
  return out;
}

static inline GByteArray *
pack_zstd (const guint8 *data, gsize n, int level)
{
  GByteArray *out = g_byte_array_new ();
  gsize size;

  g_byte_array_set_size (out, ZSTD_compressBound (n));
  size = ZSTD_compress (out->data, out->len, data, n, level);
  g_assert_false (ZSTD_isError (size));
  g_byte_array_set_size (out, size);
  return out;
}
