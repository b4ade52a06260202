/* Folders of this program's own among those of the user, which nobody else can look into nor put anything into: "wakepath/NAME" below the
 * user's cache or state folder, mode 0700.
 *
 * The user's folder itself may be a link, as people make them; it must lie where no other user can exchange it. What is below is opened
 * name by name, through no link, and must belong to the user. */
#pragma once

#include <gio/gio.h>

typedef enum
{
  WP_OWN_CACHE, /* where that cannot be used, $XDG_RUNTIME_DIR */
  WP_OWN_STATE,
} WpOwnPlace;

typedef struct
{
  int fd;
  char *path; /* absolute */
} WpOwnFolder;

#define WP_OWN_FOLDER_NONE ((WpOwnFolder) { .fd = -1 })

/* Made where it is missing. The error names the folder and the variable that chooses another one. */
gboolean wp_own_folder_open (WpOwnFolder *self, WpOwnPlace place, const char *name, GError **error);
gboolean wp_own_folder_exists (WpOwnPlace place, const char *name); /* something is there: for who would not make it */
void wp_own_folder_clear (WpOwnFolder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpOwnFolder, wp_own_folder_clear)

/* A folder right below this one: FALSE where it is not there, is a link, or belongs to another user; see errno (EPERM for the last). */
gboolean wp_own_folder_below (WpOwnFolder *self, const WpOwnFolder *above, const char *name);
