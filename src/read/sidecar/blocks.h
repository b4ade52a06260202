/* A file of blocks, each of which is an array of rows: written as a whole, and mapped back to where its rows are used as they stand.
 *
 *   head · title, a text that says what the file is of · a line for each block · the blocks
 *
 * Each part begins at a multiple of 64 bytes, numbers are this machine's, and all of it is covered by sums (base/checksum.h). */
#pragma once

#include <gio/gio.h>

typedef struct
{
  gconstpointer data; /* NULL where n is 0 */
  guint32 n, row;     /* rows, and the bytes of one */
} WpBlock;

/* Writes to an empty file from its beginning. FALSE: it could not be, or was cancelled. */
gboolean wp_blocks_write (int fd, const char *title, const WpBlock *blocks, guint n_blocks, GCancellable *cancellable);

/* The same as a file of the user's alone, in the place of one of this name, once all of it is there. Not synced: one that is torn does not fit its sums. */
gboolean wp_blocks_keep (const char *path, const char *title, const WpBlock *blocks, guint n_blocks, GCancellable *cancellable);

guint64 wp_blocks_size (const char *title, const WpBlock *blocks, guint n_blocks); /* of the file */

/* Whether these rows of a block are what they may be. All blocks have their rows and numbers of them by then. Any thread calls it, for a stretch of rows each
 * time. */
typedef gboolean (*WpBlocksFit) (gpointer data, guint block, guint32 from, guint32 to);

/* Maps the file; `title` may be NULL: any. `blocks` has the bytes of a row of each, and is given the rest: what must not be written to, and
 * is there until `*map` of `*size` bytes is unmapped. FALSE, and nothing is mapped: it is no such file, has another title or other rows, or was
 * changed or cut. The blocks themselves are not looked at yet. */
gboolean wp_blocks_map (int fd, const char *title, WpBlock *blocks, guint n_blocks, void **map, gsize *size);

/* All sums, and `fit` for all rows: on several threads where there is much. */
gboolean wp_blocks_check (const void *map, const WpBlock *blocks, guint n_blocks, WpBlocksFit fit, gpointer data);
