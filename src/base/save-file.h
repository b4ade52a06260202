/* Replaces a file as a whole or not at all: writes to a hidden name in the same folder (base/hidden-file.h), syncs, renames. */
#pragma once

#include <gio/gio.h>

typedef struct
{
  char *path;      /* what is replaced; of a symbolic link, what it leads to */
  char *temporary;
  int fd;          /* write here */
} WpSaveFile;

gboolean wp_save_file_open (WpSaveFile *self, const char *path, GError **error);

/* Syncs and renames. `write_error` is the errno of a write that failed before, or 0. On failure the file stays as it
 * was, the temporary one is gone, and the error says so; or, where only the folder could not be synced at the end, it is replaced and the error
 * says that. Frees what the structure holds. */
gboolean wp_save_file_commit (WpSaveFile *self, int write_error, GError **error);

/* All of it at once. */
gboolean wp_save_text (const char *path, const char *text, gsize n, GError **error);

void wp_save_file_abort (WpSaveFile *self);

/* Makes a file that is there already as durable as one that was just written; only its name, or its absence. */
gboolean wp_save_sync (const char *path, GError **error);
gboolean wp_save_sync_folder (const char *path, GError **error);

/* Makes a folder where there is none, and sees to it that it outlives a crash. */
gboolean wp_save_folder (const char *path, GError **error);
