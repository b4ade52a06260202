/* Debugging information from where DEBUGINFOD_URLS says, by build id. A thread of its own asks, since libdebuginfod
 * waits: whoever waits for it can leave at any time. What is brought stays in libdebuginfod's cache. */
#pragma once

#include "base/progress.h"

typedef struct WpDebuginfod WpDebuginfod;

/* Whether anything is fetched at all, in the whole process, as the variable says where from. At first it is. From any thread. */
void wp_debuginfod_allow (gboolean allowed);

/* NULL where DEBUGINFOD_URLS is not set, nothing is to be fetched, or libdebuginfod is not installed. All files together get this many seconds. */
WpDebuginfod *wp_debuginfod_new (double seconds);
void wp_debuginfod_free (WpDebuginfod *self);

/* Fetches the debug file of this build id; or the source file that it was made of, whose absolute path is `source` (NULL: none). Its path, to be
 * freed with g_free(). NULL: the servers do not have it, the time is over or they have said nothing for some seconds (then all later ones are
 * NULL too), or an error when cancelled. */
char *wp_debuginfod_fetch (WpDebuginfod *self, const char *build_id, const char *source, WpProgress *progress, GError **error);
