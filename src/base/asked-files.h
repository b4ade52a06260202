/* Which files were asked for while something was made, so that it can be told later whether it would come out the same.
 *
 * Who opens a file whose content goes into a result, or looks whether it is there, notes it. That is done in many places and threads; so all who are listening
 * hear of every file, also of what somebody else asks for at the same time. Then they know of too many files, never of too few. */
#pragma once

#include <glib.h>

/* Which state of a file it was. All 0: there was none. */
typedef struct
{
  guint64 inode;
  gint64 size, modified, changed; /* ns since 1970 */
} WpFileStamp;

WpFileStamp wp_file_stamp (const char *path); /* of "/proc" what tells this run of the system, with the modules of its kernel, from another one */
gboolean wp_file_stamp_equal (const WpFileStamp *a, const WpFileStamp *b);

#define WP_FILE_TICK (G_GINT64_CONSTANT (20000000)) /* ns. Clocks of file systems go on a hundred times a second, or more often */

/* Whether a file that changed then could have changed once more at this moment (ns since 1970) without another time: clocks of file systems tick. */
gboolean wp_file_stamp_is_fresh (const WpFileStamp *stamp, gint64 moment);

typedef struct
{
  char *path;
  WpFileStamp stamp; /* before it was opened for the first time */
} WpAskedFile;

typedef struct WpAskedFiles WpAskedFiles;

WpAskedFiles *wp_asked_files_listen (void);
void wp_asked_files_stop (WpAskedFiles *self); /* hears no more */
GArray *wp_asked_files_list (const WpAskedFiles *self); /* WpAskedFile, of one that has stopped; its own */
gboolean wp_asked_files_is_passing (const WpAskedFiles *self);
void wp_asked_files_free (WpAskedFiles *self); /* NULL is fine */

/* For who has asked for this one before anybody listened, and knows its stamp. */
void wp_asked_files_add (WpAskedFiles *self, const char *path, const WpFileStamp *stamp);

/* From any thread; free where nobody listens. What is in /proc or /sys counts as "/proc". */
void wp_asked_files_note (const char *path);
void wp_asked_files_note_passing (void); /* what was asked for may come out otherwise any time */
