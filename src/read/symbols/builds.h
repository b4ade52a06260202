/* Which build of a file it was that was mapped, so that what is in the file now is taken for it only where it is the same.
 *
 * A build is known by a text: a build id in hexadecimal; "stamp …", the size and the last change of a file without one; or
 * WP_BUILD_GONE. Known of a file are its numbers as the kernel writes them into MMAP2 records, and its path. When all is added,
 * several threads may find. */
#pragma once

#include <glib.h>
#include <sys/stat.h>

#define WP_BUILD_GONE "-" /* what was mapped cannot be found any more: no file has such a build id */

typedef struct
{
  guint32 dev; /* major << 20 | minor */
  guint64 inode, generation; /* generation 0: not known */
} WpFileNumbers;

typedef struct WpBuilds WpBuilds;

WpBuilds *wp_builds_new (void);
void wp_builds_free (WpBuilds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpBuilds, wp_builds_free)

gboolean wp_is_build_id (const char *text); /* in hexadecimal */

void wp_builds_add_path (WpBuilds *self, const char *path, const char *build);
void wp_builds_add_file (WpBuilds *self, const WpFileNumbers *file, const char *build); /* not what is no build */

/* A file was mapped under this path. Where several files are, what was said of the path is of one of them, nobody knows which. */
void wp_builds_note (WpBuilds *self, const char *path, const WpFileNumbers *file);
gboolean wp_builds_is_one (const WpBuilds *self, const char *path);

/* The build id that a file must have to be the one that was mapped, WP_BUILD_GONE where none is, NULL: whatever is there.
 * `look`: what the recording does not say is compared with the file that is there now. What is returned lives as long as `self`. */
const char *wp_builds_find (WpBuilds *self, const char *path, const WpFileNumbers *file, gboolean look);

/* Where a file of this build can be read now, when that is not its path; NULL: not known. */
void wp_builds_set_place (WpBuilds *self, const char *build_id, const char *path);
const char *wp_builds_place (const WpBuilds *self, const char *build_id);

char *wp_build_stamp (const struct stat *found); /* "stamp SIZE NANOSECONDS" */
