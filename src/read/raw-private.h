/* What reads raw events (raw-events.h) of each format. */
#pragma once

#include "read/raw-events.h"
#include "read/read-private.h"

typedef struct
{
  gint64 from, to; /* [from, to) */
  guint32 most;
} WpRawWindow;

gboolean wp_perf_raw (WpReader *reader, const WpRawWindow *window, WpRawEvents *out, GError **error);
gboolean wp_script_raw (WpReader *reader, const WpRawWindow *window, WpRawEvents *out, GError **error);
