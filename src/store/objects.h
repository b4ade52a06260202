/* Objects: profiles kept under the SHA-1 of what they hold, OBJECTS/ab/cdef….
 *
 * An object is zlib's compression of "profile TYPE LENGTH" NUL TEXT: the type is the header's (memory, mixed or time), the length a
 * decimal number of characters, the text the document without `origin` as Python's json.dumps() writes it. The name is the SHA-1
 * of all that before compression. */
#pragma once

#include "profile/model/profile.h"

/* OBJECTS/ab/cdef…, for objects, indexes of commits and `.changes` alike. Free with g_free(). */
char *wp_object_path (const char *objects, const char *sha1);

/* Makes the folder of an object or index that is to be written; what killed programs left there goes. Called under the store's lock. */
gboolean wp_object_prepare (const char *path, GError **error);

/* One that is there already may be of somebody who was stopped before it was synced. */
gboolean wp_object_sync (const char *path, GError **error);

/* Writes the profile's object, unless it is there already and whole; gives its name. Called under the store's lock. */
gboolean wp_object_write (const char *objects, WpProfile *profile, char sha1[41], GError **error);

/* The beginning of an object's text, at most about `most` bytes of it; `whole`: nothing is missing. Neither its length nor its sha1 is
 * checked. */
char *wp_object_peek (const char *path, gsize most, gsize *n, gboolean *whole, GError **error);

/* The text of an object, ended by a NUL that does not count. `sha1`: what it must be; an object of another content is damaged. */
char *wp_object_read (const char *path, const char *sha1, gsize *n, GError **error);
