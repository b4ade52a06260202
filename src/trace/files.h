/* Files and block devices by their numbers: which file has which path, and which device lies on which.
 *
 * The number of a file that is deleted goes to another one. What is said of a number holds for one file at a time, and a name that may be
 * another file's is not given. Times are those of the recording's own clock. */
#pragma once

#include "trace/trace.h"

/* The file that has this number now. While the trace is being built, WpDisk.file is what this returns; wp_trace_name_files() puts
 * names there. */
WpId wp_trace_file (WpTrace *self, guint32 dev, guint64 inode);
/* From `clock` on, the number is that of a new file. */
void wp_trace_new_file (WpTrace *self, guint32 dev, guint64 inode, gint64 clock);

#define WP_FILE_SEEN_LAST G_MAXINT64 /* after the recording's end */

/* The file with this number was seen at this path at the time `seen`. Of several paths the last one's that was seen at the end counts,
 * else the first's. */
void wp_trace_set_file_name (WpTrace *self, guint32 dev, guint64 inode, const char *path, gint64 seen);
/* The file that has this number at the recording's end was made at this time, or later by less than the 10 ms that a file system's
 * clock may be slow; what had the number before was another. */
void wp_trace_set_file_born (WpTrace *self, guint32 dev, guint64 inode, gint64 born);
/* Puts a name into each WpDisk.file: "file 1234 of vda1" where only the number is known for sure. */
void wp_trace_name_files (WpTrace *self);

/* Says that requests to `upper` become requests to `lower`: a disk below its partition, below what the device mapper made, below the file of
 * a loop device. Only what was said directly: no chains. */
void wp_trace_set_below (WpTrace *self, guint32 upper, guint32 lower);
/* Whether requests to the device may be for the file, a row of wp_trace_file(). TRUE where nothing is known. */
gboolean wp_trace_is_for_file (const WpTrace *self, WpId file, guint32 dev);

/* The device is a file's contents (loop0). */
void wp_trace_set_backing (WpTrace *self, guint32 dev, const char *path);
/* String: that file's path; 0 for any other device. */
WpId wp_trace_backing (const WpTrace *self, guint32 dev);

void wp_trace_free_files (WpTrace *self);
