/* Marks that recorded programs left in files, as samply has it: a program writes lines "START END NAME" into a file
 * marker-PID.txt, or marker-PID-TID.txt of one thread, both times in nanoseconds of CLOCK_MONOTONIC, and maps that file to be
 * executed, so that the recording tells where it is. Private to this folder.
 *
 * Nothing is believed of such a file: it is read as the user, once recording has ended, if it is the very file that the
 * process in its name had mapped, a regular one, the user's own and not too large. */
#pragma once

#include "record/mapped-files.h"

/* FALSE: it is called otherwise. tid 0: of the whole process. */
gboolean wp_marker_file_of (const char *path, gint32 *pid, gint32 *tid);

/* Adds to `texts` (JSON objects of the trailer) what was marked since recording began. Returns what was not read and why, a
 * sentence a line; NULL: nothing. Free with g_free(). */
char *wp_marks_read (const WpMappedFiles *mapped, gint64 since, GPtrArray *texts);
