/* What is asked of a function's source, and the worker that finds it. For the main thread. */
#pragma once

#include "workspace/shared.h"
#include "workspace/stacks/source-text.h"
#include "workspace/worker.h"

typedef struct
{
  const char *function; /* as a node is called that stands for functions */
  guint32 type;         /* of values */
  gboolean mean;        /* divided by the values of the first type */
  gboolean without_inlined;
  gint64 total;         /* that shares are of; 0: of all values */
  const char *unit;     /* that values are shown in; NULL: what suits each */
  const char *folder;   /* of the profile's file, where sources are looked for, too; NULL: none */
} WpSourceRequest;

/* A copy that lasts, with a reference to the stacks. It never changes, and is counted. */
typedef struct
{
  WpSourceRequest request; /* its texts are owned; `total` is set */
  WpShared *stacks;        /* of WpStacks */
  const char *unit;        /* of the values */
} WpSourceWanted;

WpSourceWanted *wp_source_wanted_new (WpShared *stacks, const WpSourceRequest *request);
WpSourceWanted *wp_source_wanted_ref (WpSourceWanted *self);
void wp_source_wanted_unref (WpSourceWanted *self);

/* One of both. */
typedef struct
{
  GPtrArray *sources; /* of WpSourceText */
  WpSourceText *code;
} WpSourceFound;

void wp_source_found_free (WpSourceFound *self);

/* Looks for sources, or for code; `done` gets a WpSourceFound. `mappings` as in WpSourcePlaces are copied. */
WpWorker *wp_source_start (WpSourceWanted *wanted, gboolean code, char **mappings, WpWorkerDone done, gpointer user_data);
