/* The git commit that a folder's work tree stands on, without git: enough to note it beside a recording. Private to
 * this folder. */
#pragma once

#include <glib.h>

/* In hexadecimal, or NULL when the folder is in no work tree or nothing is committed yet. Free with g_free(). */
char *wp_commit_of_folder (const char *folder);
