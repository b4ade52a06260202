/* Removes a folder and all that is in it, below a descriptor: never by a path that somebody could lead elsewhere meanwhile, never through a
 * symbolic link, never into another file system that is mounted there, and never a folder that belongs to another user. */
#pragma once

#include <gio/gio.h>

/* `name`: one name in the folder `parent`. What is not there any more is no error. Stops at the first thing that cannot be removed; the error
 * names it as seen from the parent. */
gboolean wp_remove_tree (int parent, const char *name, GError **error);

/* The same for a folder that the caller has made under a name of its own, as by g_dir_make_tmp(); what cannot be removed stays. NULL: none. */
void wp_remove_made_folder (const char *path);
