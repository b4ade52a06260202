/* The files that processes had mapped as programs while it was recorded, and which builds they are: found out at the end, while most of
 * them are still there. Private to this folder.
 *
 * A file counts only if it is the very one that was mapped, and has not changed since. It is looked for under its path, then under the
 * same path as other processes see it: those in other mount namespaces, and below other roots. Nothing is opened before it is known to be
 * that file, nor read but the notes in it. */
#pragma once

#include "base/progress.h"
#include "read/symbols/builds.h"

#include <sys/stat.h>

typedef struct
{
  char *path;
  WpFileNumbers file;
  gint64 first; /* when it was mapped first, by the recording's clock; 0: before the recording */
  char *build;  /* see read/symbols/builds.h; NULL: not looked for, or not in time */
  gboolean by_path; /* the build id of its path tells it */
  gboolean marker;  /* it is called as marker files are, and the process in its name mapped it (record/marks.h) */
} WpMappedFile;

typedef struct
{
  GArray *files; /* of WpMappedFile, each once, by path */
  GArray *kept;  /* descriptors: the places that builds know */
} WpMappedFiles;

/* Of the recording at `path`, a stream of our own making. */
void wp_mapped_files_read (WpMappedFiles *self, const char *path);
void wp_mapped_files_clear (WpMappedFiles *self);

/* Opens a file of these for reading: only the very one that was mapped, if it belongs to this user, and not through a link. Else -1. `found` is what
 * stands there; st_mode 0: nothing. */
int wp_mapped_file_open (const WpMappedFile *file, struct stat *found);

/* Finds the builds, writes them into the rows and tells `builds`, together with the places that are known until clearing. `since`: when
 * recording began, by the recording's clock. Takes a second at most. */
void wp_mapped_files_find (WpMappedFiles *self, WpBuilds *builds, gint64 since, GCancellable *cancellable);
