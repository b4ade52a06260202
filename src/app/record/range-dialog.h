/* Profiles commits: which ones, what is built and run in each, and how far it has come. It stands beside the window, which stays
 * usable. Closing it stops what is under way, once that was agreed to; the next time it goes on where it was, since what is registered is passed over. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_RANGE_DIALOG (wp_range_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WpRangeDialog, wp_range_dialog, WP, RANGE_DIALOG, AdwWindow)

/* `folder` is in a repository with a store; `commits`: full hashes, oldest first, that are chosen at first; of none, the newest ones of
 * `branch`, which may be NULL. What is filled in comes from the store's settings: execute.pre_run, and the matrix of cmds, args and
 * workloads. */
GtkWidget *wp_range_dialog_new (GtkWindow *parent, const char *folder, char **commits, const char *branch);

/* Whether what is under way would be given up: then it is asked whether to stop it. Agreed to, `action` (static) of the parent window is done once it has stopped. */
gboolean wp_range_dialog_holds (WpRangeDialog *self, const char *action);

gboolean wp_range_dialog_is_closing (WpRangeDialog *self); /* agreed to, and not over yet: it is not seen any more */
