/* A button for the folders that sources were found in, as the settings keep them: its popover lists them, and each can be forgotten. It is not
 * there while there are none.
 *
 * Signal: forgotten (): a folder is not looked in any more. */
#pragma once

#include <adwaita.h>

#define WP_SOURCE_FOLDERS_KEY "source-folders" /* "FROM=TO", as WpSourcePlaces has them */

/* A row of a list for one of them, with a button that calls `forget` with itself, which has the mapping as its data "mapping", and `data`. */
GtkWidget *wp_source_folder_row_new (const char *mapping, GCallback forget, gpointer data);

#define WP_TYPE_SOURCE_FOLDERS (wp_source_folders_get_type ())
G_DECLARE_FINAL_TYPE (WpSourceFolders, wp_source_folders, WP, SOURCE_FOLDERS, AdwBin)
