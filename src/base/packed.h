/* Files that are packed with gzip or zstd as a whole, told by their content. Damaged ones are G_IO_ERROR_INVALID_DATA. */
#pragma once

#include "base/progress.h"

/* Whether these first bytes are those of a packed file: "gzip", "zstd", or NULL. */
const char *wp_packing (const guint8 *data, gsize n);

/* Unpacks the beginning: up to `room` bytes from a packed file's first `n`. Returns how many there are. */
gsize wp_unpack_head (const guint8 *data, gsize n, guint8 *out, gsize room);

/* How far unpacking came. */
typedef struct
{
  gboolean cut;     /* the packed data ends too soon */
  gboolean damaged; /* it makes no sense from some place on, or its checksum is wrong */
  guint64 at;       /* the byte of the packed file where that is */
  gboolean padded;  /* zeros stand behind it, which some readers do not take */
} WpUnpacked;

/* Unpacks a whole file that is in memory into one without a name, which is returned open; -1 and an error when nothing
 * can be unpacked, or too much. What comes before a damage is kept. */
int wp_unpack (const char *path, const guint8 *data, gsize n, WpUnpacked *result, WpProgress *progress, GError **error);

/* For formats of which a part is of no use: FALSE, and an error, where what was unpacked is cut off or damaged. `packing`: wp_packing(). */
gboolean wp_unpacked_check_whole (const WpUnpacked *self, const char *path, const char *packing, GError **error);

/* Opens a plain file for reading, or what it holds when it is packed. For formats of which a part is of no use: it fails when that is cut
 * off or damaged. A pipe is read only where the path stands for one of this program's own descriptors, as /dev/stdin does. */
int wp_open_unpacked (const char *path, WpProgress *progress, GError **error);
