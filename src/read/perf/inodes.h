/* The files that a recording speaks of by number: the recorder looks up their names when it is done. */
#pragma once

#include "base/array.h"
#include "base/progress.h"

typedef struct
{
  guint32 dev; /* major << 20 | minor: of the file system, as the kernel's events have it */
  guint64 inode;
  gint64 first; /* when it was spoken of first, by the recording's clock */
} WpInode;
typedef WP_ARRAY (WpInode) WpInodeArray;

/* All files that disk requests of this recording may belong to, each once, sorted. One pass over the records, no symbols.
 * `inodes` is a plain list, replaced. */
gboolean wp_recording_inodes (const char *path, WpInodeArray *inodes, WpProgress *progress, GError **error);
