/* What is appended to a stream after the helper has ended: the recorded command, the build ids of mapped files, and what
 * else we know of the recording. Private to this folder. */
#pragma once

#include "record/mapped-files.h"
#include "record/recorder.h"

#define WP_FEATURE_CMDLINE 11
#define WP_FEATURE_WAKEPATH 200 /* ours: JSON; other readers skip it */
#define WP_FEATURE_OWN_NAMES 201 /* ours as well: trace/own-names.h */

/* What there is to say beside the options. */
typedef struct
{
  gint32 pid;          /* of the command; 0: none */
  guint64 completed;   /* stacks that were cut, completed while they were turned into frames */
  const char *missing; /* or NULL */
  GPtrArray *more;     /* further JSON objects */
  const WpMappedFiles *mapped; /* for the build ids of paths */
  const GPtrArray *own_names;  /* texts (trace/own-names.h), or NULL */
} WpTrailer;

/* Appends build ids and both features to the file; the last in several records, whose members add up. */
gboolean wp_trailer_append (int fd, const WpRecordOptions *options, const WpTrailer *trailer, GError **error);
