/* Reading a saved profile, in two steps: perun-load.c and perun-load-info.c take what is there as it comes in the file,
 * perun-join.c checks what the tables say of one another and makes ids of names. */
#pragma once

#include "base/json-reader.h"
#include "profile/perun/perun-fields.h"
#include "profile/perun/perun.h"

typedef struct
{
  WpId chunk; /* the number in its name */
  WpId stack;
} WpChunk;

typedef struct
{
  const char *path;
  const char *text; /* of the document where it is in memory, else NULL */
  gsize text_len;
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

typedef struct
{
  const char *key;
  void (*read) (WpPerunLoader *self);
} WpPerunSection;

/* Reads an object whose keys are sections, in ours each of them at most once; what is not known is skipped. */
void wp_perun_read_sections (WpPerunLoader *self, const WpPerunSection *sections, guint n);

/* Reads an array of rows, each into `row`, and hands it to `add`. */
void wp_perun_read_rows (WpPerunLoader *self, const WpTable *table, gpointer row,
                         void (*add) (WpPerunLoader *self, gconstpointer row));

/* Reads a string, in place of the one that is there. */
void wp_perun_read_text (WpPerunLoader *self, char **text);

void wp_perun_read_collector (WpPerunLoader *self);
void wp_perun_read_postprocessors (WpPerunLoader *self);

/* FALSE when something does not fit; the reader knows what. */
gboolean wp_perun_join (WpPerunLoader *self);
