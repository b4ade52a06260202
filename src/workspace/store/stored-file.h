/* A store's object as a file of its own: what a file manager opens, whose name tells nothing. */
#pragma once

#include <glib.h>

/* Where what `path` holds can be read as it is: of an object, whose text is packed under a head, a file in the folder of
 * unpacked profiles (workspace/store/store-session.h); else the path itself. On a worker. Free with g_free(). */
char *wp_stored_file_unpack (const char *path, GError **error);

/* The SHA-1 that an object in its place has: the names of its folder and its own; else NULL. Free with g_free(). */
char *wp_stored_file_sha1 (const char *path);
