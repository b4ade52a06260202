/* The checksum of an index, in a file of its own where Perun never looks: "SHA-1 SIZE\n". It says whether an index is as it was written, as
 * long as it is not older than the index: who writes after us does not know it. It is not synced: one that is torn says nothing. */
#pragma once

#include <gio/gio.h>

typedef enum
{
  WP_INDEX_SUM_UNKNOWN, /* there is none, or another program has written the index since */
  WP_INDEX_SUM_SAME,
  WP_INDEX_SUM_DAMAGED, /* nobody has written the index since, and yet its bytes are others */
} WpIndexSum;

gboolean wp_index_sum_write (const char *path, const GByteArray *bytes, GError **error);
WpIndexSum wp_index_sum_check (const char *path, const char *index, const guint8 *data, gsize n);
