/* Where file systems are mounted, as this process sees them. Private to this folder. */
#pragma once

#include <glib.h>

typedef struct
{
  guint32 dev; /* major << 20 | minor */
  char *point;
} WpMount;

GArray *wp_mounts_read (void); /* of WpMount, in the kernel's order; free with g_array_unref() */

/* What stat() says of this file is that inode: major << 20 | minor. Sets `made` to when it was made, in ns since 1970, or where its
 * file system does not know, to when it was changed last: that number was not another file's since. */
gboolean wp_mounts_same_file (const char *path, guint32 dev, guint64 inode, gint64 *made);
