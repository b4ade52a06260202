/* Objects: profiles kept under the SHA-1 of what they hold, OBJECTS/ab/cdef….
 *
 * An object is zlib's compression of "profile TYPE LENGTH" NUL TEXT: the type is the header's (memory, mixed or time), the length a
 * decimal number of characters, the text the document without `origin` as Python's json.dumps() writes it. The name is the SHA-1
 * of all that before compression. */
#pragma once

#include "profile/profile.h"

#define WP_OBJECT_MAX (G_GUINT64_CONSTANT (4) << 30) /* bytes of one object, unpacked */

/* OBJECTS/ab/cdef…, for objects, indexes of commits and `.changes` alike. Free with g_free(). */
char *wp_object_path (const char *objects, const char *sha1);

/* Writes the profile's object, unless it is there already; gives its name. */
gboolean wp_object_write (const char *objects, WpProfile *profile, char sha1[41], GError **error);

/* The text of an object, ended by a NUL that does not count. `sha1`: what it must be; an object of another content is damaged. */
char *wp_object_read (const char *path, const char *sha1, gsize *n, GError **error);
