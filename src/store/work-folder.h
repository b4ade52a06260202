/* Folders of this program's own making in which commits are checked out, built and recorded, and the record of them.
 *
 * A folder is below the user's cache folder, wakepath/ranges/NAME; what is in it belongs to whoever made it. Its record is below the user's state
 * folder, wakepath/ranges/NAME, where nothing that comes with a repository reaches: path, device, inode and birth of the folder, and the
 * repository that it is for. The maker holds a lock on the record as long as it lives, so that a crash is known by a record
 * without a lock, whatever has happened to numbers of processes.
 *
 * Only what has a record is ever removed, below descriptors, and only where it is still what the record says. */
#pragma once

#include "base/file-id.h"
#include "base/own-folder.h"

/* The one folder in it that a repository may know of. */
#define WP_WORK_TREE "tree"

typedef struct WpWorkFolder WpWorkFolder;

/* `repository`: an absolute path. */
WpWorkFolder *wp_work_folder_new (const char *repository, GError **error);

const char *wp_work_folder_path (const WpWorkFolder *self);
int wp_work_folder_fd (const WpWorkFolder *self);             /* -1 where the folder is gone */
const char *wp_work_folder_name (const WpWorkFolder *self);   /* "wakepath-0123456789abcdef", not used before */
char *wp_work_folder_tree (const WpWorkFolder *self);         /* path of the work tree in it; free with g_free() */
int wp_work_folder_repository (const WpWorkFolder *self, GError **error); /* a descriptor of it; -1: it is not there any more, or another one is */
const char *wp_work_folder_repository_path (const WpWorkFolder *self);

void wp_work_folder_unlink (const WpWorkFolder *self, const char *name); /* a file in it, if it is there */

/* Removes the folder with all that is in it, and then the record; what could not be removed keeps its record. */
void wp_work_folder_free (WpWorkFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpWorkFolder, wp_work_folder_free)

void wp_work_folder_keep (WpWorkFolder *self); /* there is something of somebody else in it: freeing removes nothing */

/* Calls `before` for each folder whose maker is gone, and frees it. What a crash left empty goes, too. */
typedef void (*WpWorkFolderFunc) (WpWorkFolder *self);
void wp_work_folders_clean (WpWorkFolderFunc before);
