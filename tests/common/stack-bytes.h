/* Whether a recording holds registers and stack bytes: what its attributes ask for. */
#pragma once

#include "base/bytes.h"
#include "read/perf/perf-file.h"

/* `data` is a perf.data stream, whose attributes come before what the kernel wrote. */
static inline gboolean
stream_has_stack_bytes (const guint8 *data, gsize size)
{
  const gsize at = sizeof (WpPerfRecord) + G_STRUCT_OFFSET (struct perf_event_attr, sample_type);

  for (gsize offset = 16; offset < size && size - offset >= sizeof (WpPerfRecord);)
    {
      const WpPerfRecord *header = (const WpPerfRecord *) (data + offset);

      if (header->type < WP_PERF_RECORD_USER_FIRST || header->size < sizeof *header || header->size > size - offset)
        return FALSE;
      if (header->type == WP_PERF_RECORD_ATTR && header->size >= at + 8
          && (wp_read_u64 (data + offset + at) & PERF_SAMPLE_STACK_USER))
        return TRUE;
      offset += header->size + wp_perf_trailing (header);
    }
  return FALSE;
}
