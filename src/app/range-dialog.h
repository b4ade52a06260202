/* Profiles chosen commits: what is built and run in each, and how far it has come. It goes on while it is open; closing it asks
 * nothing and stops it, and opened again it goes on where it was. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_RANGE_DIALOG (wp_range_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WpRangeDialog, wp_range_dialog, WP, RANGE_DIALOG, AdwWindow)

/* `folder` is in a repository with a store; `commits`: full hashes, oldest first. What is filled in at first comes from the store's
 * settings: execute.pre_run, and the first of cmds, args and workloads. */
GtkWidget *wp_range_dialog_new (GtkWindow *parent, const char *folder, char **commits);
