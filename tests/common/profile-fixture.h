/* Traces to save: one with one of everything, and random ones; and comparing what two sets of control paths say. */
#pragma once

#include "paths/tree.h"
#include "profile/perun/perun.h"

/* A process that runs, is preempted, reads from a disk, asks a host, calls a server (with a triangle of its own), sleeps,
 * and loses events; every kind of operation, cause and flag that a profile can hold is in it. */
WpTrace *fixture_everything (void);

/* Any sequence of events at all, on a dozen tasks. */
WpTrace *fixture_random (guint32 seed, guint events);

/* The control paths of one task's process. */
WpPaths *fixture_paths (const WpTrace *trace, WpId task);

/* The first task of that name. */
WpId fixture_task (const WpTrace *trace, const char *name);

/* Everything that the views and the table show of the paths, as text. */
char *fixture_describe (const WpPaths *paths);

/* A folder of its own under the temporary one; fixture_remove() removes it with the files in it. */
char *fixture_folder (void);
void fixture_remove (const char *folder);
