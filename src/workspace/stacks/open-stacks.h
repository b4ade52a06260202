/* Opens any file as stacks with values: profiles of every format that the stacks room reads, and what else can be seen as stacks. */
#pragma once

#include "paths/depth.h"
#include "stacks/stacks.h"

#include "base/progress.h"

/* A saved explanation is what it explains. `task`: of a recording that process, explained (as --task has it); of a saved explanation it must be
 * what that explains; other files have none. NULL: no process is asked for. `depth`: the same of that process,
 * or, without one, that of the command; NULL: every frame. On a worker. The errors name the file, the place in it and what to do. */
WpStacks *wp_open_stacks (const char *path, const char *task, const WpDepthChoice *depth, WpProgress *progress, GError **error);

/* Only what the stacks room has a format for (G_IO_ERROR_NOT_SUPPORTED: it is something else), with names for what has none. */
WpStacks *wp_open_stacks_profile (const char *path, WpProgress *progress, GError **error);
