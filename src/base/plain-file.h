/* Opening files by names that others chose: plain files only, known to be such before they are opened.
 *
 * A name in a clone, an archive or a recording may lead to a device that answers an open, to a pipe that nobody writes to, to
 * /dev/zero, or to more than memory has. Errors name the file and are of G_FILE_ERROR, by errno where there is one. */
#pragma once

#include <gio/gio.h>

#define WP_PLAIN_FILE_ANY_SIZE G_MAXUINT64

/* A descriptor for reading, -1 and an error. `folder` is what a name that is not absolute is looked for in, as with openat(): a descriptor
 * or AT_FDCWD; `flags` are 0 or O_NOFOLLOW; `limit`: of more bytes it is refused. The kernel may go on adding to a file. */
int wp_plain_file_open (int folder, const char *name, int flags, guint64 limit, GError **error);

/* All of it, with a NUL behind that does not count in `n`, which may be NULL. Never more than `limit` bytes are taken in, whatever
 * size the file says it has. NULL and an error; free with g_free(). */
char *wp_plain_file_read (const char *path, guint64 limit, gsize *n, GError **error);
