/* What is appended to a stream after the helper has ended: the recorded command, the build ids of mapped files, and what
 * else we know of the recording. Private to this folder. */
#pragma once

#include "record/mapped-files.h"
#include "record/recorder.h"

/* What there is to say beside the options. */
typedef struct
{
  gint32 pid;          /* of the process of interest; 0: none */
  guint64 completed;   /* stacks that were cut, completed while they were turned into frames */
  const char *missing; /* or NULL */
  const char *sampled_only; /* of whom CPU samples were taken, in words; NULL: of all */
  const char *ended;   /* how the command did, in words, or NULL */
  GPtrArray *more;     /* further JSON objects, or NULL */
  const WpMappedFiles *mapped; /* for the build ids of paths, or NULL */
  const GPtrArray *own_names;  /* texts (trace/carried-names.h), or NULL */
} WpTrailer;

/* Appends build ids and features (read/perf/perf-numbers.h) to the file. */
gboolean wp_trailer_append (int fd, const WpRecordOptions *options, const WpTrailer *trailer, GError **error);
