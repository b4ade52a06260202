/* What is unpacked goes to a file without a name, where it can be mapped: it may be larger than memory, and is gone
 * when it is closed. What grows out of all proportion is refused: 512 times the size of the file it came from (but 256 MiB
 * are always allowed), with G_IO_ERROR_INVALID_DATA. */
#pragma once

#include <gio/gio.h>

#define WP_SPOOL_RATIO 512
#define WP_SPOOL_ALWAYS (G_GUINT64_CONSTANT (256) << 20)

typedef struct
{
  const char *path; /* of the packed file, for messages */
  guint64 limit, size;
  int fd;
  guint pending;
  guint8 buffer[128 * 1024];
} WpSpool;

/* `path` must outlive it. */
WpSpool *wp_spool_new (const char *path, guint64 packed_size, GError **error);
void wp_spool_free (WpSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSpool, wp_spool_free)

gboolean wp_spool_write (WpSpool *self, const void *data, gsize n, GError **error);

/* In place of writing: `fill` puts `n` bytes into the file's mapping; FALSE: it cannot. FALSE where that, or the mapping, failed: the spool is as empty
 * as before, and may be written to. */
typedef gboolean (*WpSpoolFillFunc) (guint8 *room, gsize n, gpointer data);
gboolean wp_spool_fill (WpSpool *self, gsize n, WpSpoolFillFunc fill, gpointer data);

/* Ends the writing and hands over the file, at its start; -1 and an error when it could not be written. */
int wp_spool_finish (WpSpool *self, GError **error);
