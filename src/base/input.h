/* A whole file in memory, unpacked where it is packed: mapped, not read. */
#pragma once

#include "base/packed.h"

typedef struct
{
  const guint8 *data; /* n bytes; NULL when there are none */
  gsize n;
  const char *packing;  /* "gzip", "zstd", or NULL */
  WpUnpacked unpacked;  /* what unpacking found wrong; what came before stands in `data` */
  gsize mapped;         /* bytes of `data` that are a mapping: all of them, or 0 of what the caller gave */
} WpInput;

/* FALSE and an error that names the file. A plain file only. */
gboolean wp_input_open (WpInput *self, const char *path, WpProgress *progress, GError **error);
void wp_input_close (WpInput *self);

/* What comes before this byte has been read for the last time: memory need not hold it any longer. It can be read again, though. */
void wp_input_passed (const WpInput *self, gsize at);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpInput, wp_input_close)

/* For formats of which a part is of no use: FALSE where the file was cut off or damaged. */
gboolean wp_input_check_whole (const WpInput *self, const char *path, GError **error);
