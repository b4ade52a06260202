/* What becomes a file as a whole is written under a hidden name beside it first: ".NAME.wakepath-XXXXXX". Who writes it holds a lock on it
 * (flock) for as long as it has that name: one without was left by a program that was killed, and the next one to write there removes it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* A new one for what is to be `wanted`, empty, locked, after removing what was left in that folder: a descriptor to read and write, and its
 * name. -1 and errno: there is none. */
int wp_hidden_file_open (const char *wanted, mode_t mode, char **path);

/* A name for a file without one, which has to be locked first. Another file may have it, though hardly. */
char *wp_hidden_file_path (const char *wanted);
void wp_hidden_file_lock (int fd);

/* 0, or an errno: what is there is no file, and must not be replaced by one: a folder (EISDIR), a device or a pipe (EINVAL). */
int wp_hidden_file_check (const char *wanted);

/* Removes what was left in the folder of `wanted`. */
void wp_hidden_file_remove_left (const char *wanted);
