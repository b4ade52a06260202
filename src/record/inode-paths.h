/* From inode numbers to paths. Private to this folder. */
#pragma once

#include "read/perf/inodes.h"

typedef struct WpFileNames WpFileNames;

gint64 wp_file_names_1970 (void); /* by the recording's clock */

WpFileNames *wp_file_names_new (const WpInode *inodes, guint n, GCancellable *cancellable);
void wp_file_names_free (WpFileNames *self);

/* Three ways, each for those that are not known yet. Every path is checked: what has another inode or device now is not
 * taken. */
void wp_file_names_try (WpFileNames *self, guint32 dev, guint64 inode, const char *path);
void wp_file_names_by_handle (WpFileNames *self); /* as root: the kernel tells */
void wp_file_names_by_walk (WpFileNames *self, const char *first_folder);

guint wp_file_names_left (const WpFileNames *self);
gboolean wp_file_names_cut (const WpFileNames *self); /* the time was up */
const char *wp_file_names_get (const WpFileNames *self, guint i); /* of inodes[i], or NULL */
gint64 wp_file_names_made (const WpFileNames *self, guint i);      /* when that file was made, by the recording's clock */
