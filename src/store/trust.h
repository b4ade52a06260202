/* Whether what a store's settings want to be run may run. A store comes with a clone or an archive, and local.yml with it: nothing that
 * it names is run before the user has seen it and said so. What the user typed, and the user's own shared.yml, need no trust.
 *
 * Trust is kept in the user's state folder, wakepath/trusted-stores, a file for each store: its real path, device and inode, and the SHA-256
 * of all that it would run, and of which repository it would use. Another folder in its place, or a command that changed, are not trusted. */
#pragma once

#include "store/store.h"

/* What local.yml would have run or used, as it stood when the store was opened. Where lists of shared.yml are multiplied with its own, the
 * products count as the store's. */
typedef struct
{
  char *folder;    /* of the store */
  char *file;      /* its local.yml */
  char **build;    /* lines for the shell, at each commit; NULL-terminated, as is the next */
  char **programs; /* that are recorded */
  char *repository; /* another one than that which the store lies in: its real path; or NULL */
  gboolean within;  /* it is among the files that the store came with */
  char hash[65];
} WpStoreCommands;

WpStoreCommands *wp_store_commands_new (const WpStore *store); /* never NULL */
void wp_store_commands_free (WpStoreCommands *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStoreCommands, wp_store_commands_free)

guint wp_store_commands_count (const WpStoreCommands *self); /* without the repository */

/* Whether there is anything to be trusted. */
gboolean wp_store_commands_ask (const WpStoreCommands *self);

/* Appends a command as people are to see it: "$ " before its first line, "> " before each other one, and whatever would not be seen, or
 * be obeyed by a terminal, as its number. `indent` stands before each line. */
void wp_store_command_show (GString *out, const char *indent, const char *command);

/* Whether these may run; nothing always may. */
gboolean wp_store_is_trusted (const WpStoreCommands *commands);

/* From now on these may, in this folder. */
gboolean wp_store_trust (const WpStoreCommands *commands, GError **error);

/* --- what has been trusted ------------------------------------------------------------------------------------------- */

/* Folders of stores (char *), sorted, whether they are still there or not. Free with g_ptr_array_unref(). */
GPtrArray *wp_store_trusted_folders (void);

/* `folder`: a store or what holds it; it may be gone, then its full path is needed. FALSE and an error, also where it was not trusted. */
gboolean wp_store_forget (const char *folder, GError **error);
