/* Reading a saved profile, in two steps: perun-load.c takes the tables as they come in the file, perun-join.c checks what
 * they say of one another and makes ids of names. */
#pragma once

#include "profile/json-reader.h"
#include "profile/perun-fields.h"
#include "profile/perun.h"

typedef struct
{
  WpId chunk; /* the number in its name */
  WpId stack;
} WpChunk;

typedef struct
{
  const char *path;
  WpJsonReader *reader;
  WpTrace *trace; /* until it is joined, stacks of operations, samples and links are numbers of chunks */
  WpPaths *paths;
  WP_ARRAY (WpChunk) chunks;
  WP_ARRAY (WpSavedFrame) frames; /* of the chunk that is being read */
  WP_ARRAY (WpSavedOp) ops;       /* emptied when joined */
  GHashTable *devices;            /* string → row of the trace's devices */
  char *collector;
  gboolean ours;   /* it has our tables, or will have */
  gboolean looked; /* whether it will was looked up */
} WpPerunLoader;

/* FALSE when something does not fit; the reader knows what. */
gboolean wp_perun_join (WpPerunLoader *self);
