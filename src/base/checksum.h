/* A checksum of many bytes, as fast as memory: for what this program wrote itself, and wants to know whether it is still that. Whatever becomes of one word of
 * 64 bits, the sum is another one. It is the same in each run and no protection against somebody who means harm. */
#pragma once

#include <glib.h>

guint64 wp_checksum (gconstpointer data, gsize n);
