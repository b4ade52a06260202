/* What a recording's numbers of devices and files are called, while that can still be found out. Private to this
 * folder. */
#pragma once

#include "record/mapped-files.h"

typedef struct
{
  GPtrArray *texts; /* JSON objects, each short enough for one record; their members add up */
  guint named;      /* files */
  gboolean cut;     /* looking for files was stopped */
} WpNames;

/* Looks up block devices, and the files that disk requests of the recording at `path` may belong to:
 * {"devices": {"254:0": "vda"}}, {"files": {"254:1": {"1234": "/usr/lib/x"}}}. A file that is gone, or cannot be told for sure,
 * gets no name; where the recording may speak of another file that had the number before, {"born": {"254:1": {"1234": ns}}} says
 * since when it is this one's. Which builds mapped files are, where their path alone does not tell it, is
 * {"builds": {"254:1": {"INODE:GENERATION": "…"}}} (read/symbols/builds.h). What lies on what is {"below": {"254:1": "254:0"}}, {"backing": {"7:0": "/home/image"}}. Takes two seconds at most, besides reading the recording. `folder` is looked through first. */
void wp_names_find (WpNames *self, const char *path, const WpMappedFiles *mapped, const char *folder, WpProgress *progress);
void wp_names_clear (WpNames *self);
