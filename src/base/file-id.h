/* Which file a descriptor is of, so that it is known again and told from another one that has come into its place. */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 device, inode;
  gint64 born;   /* ns since 1970; 0 where the file system does not know */
  guint64 mount; /* of this system's run; 0 where the kernel does not tell */
  guint32 owner, mode;
} WpFileId;

gboolean wp_file_id (int fd, WpFileId *id); /* FALSE: see errno */

/* Of two that were taken at any time. Numbers of devices are given anew whenever the system starts: a birth, to the nanosecond, says more. */
gboolean wp_file_id_equal (const WpFileId *a, const WpFileId *b);

/* What of it lasts from one run of the system to the next, as a line. */
void wp_file_id_append (const WpFileId *self, GString *text);
