/* A document: what is opened from one file. A recording gives a trace whose tasks can all be explained; a saved profile
 * gives the part of a trace that explains one process, and its paths. */
#pragma once

#include "paths/explain.h"
#include "read/read.h"

typedef struct
{
  char *path;      /* the file */
  WpFormat format;
  WpTrace *trace;
  WpPaths *saved;  /* a saved profile: its control paths; a recording: NULL */
  struct WpSidecar *sidecar; /* of a recording: with what it opens again without being read (read/sidecar/sidecar.h); or NULL */
  gboolean named;  /* to the end */
} WpDocument;

/* Opens any file we read, by content. Symbols are not looked up yet for a recording (wp_document_name()), but where it has a sidecar, which has them. */
WpDocument *wp_document_open (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error);
void wp_document_free (WpDocument *self);

/* Gives a recording's user frames their functions: wp_read_symbols() with the options that it was opened with. FALSE: it was cancelled. */
gboolean wp_document_name (WpDocument *self, const WpReadOptions *options, WpProgress *progress, GError **error);

/* What was read and named is kept for the next time, where it is worth that: now, or aside, by a thread that gives way to all others, while nothing but notes
 * changes. */
void wp_document_keep (WpDocument *self);
void wp_document_keep_aside (WpDocument *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDocument, wp_document_free)

/* The control paths to show for `spec` (see wp_paths_find_tasks()): newly made for a recording, the saved ones for a
 * profile (which fails if they are of another process). `*owned` says whether the caller frees the result. */
WpPaths *wp_document_paths (WpDocument *self, const char *spec, const WpPathOptions *options, gboolean *owned,
                            WpProgress *progress, GError **error);
