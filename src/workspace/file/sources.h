/* Source lines and inlined functions of the frames that were shown: looked up by a worker when a stack is shown for the first
 * time, kept as markup. For the main thread. */
#pragma once

#include "trace/trace.h"
#include "workspace/worker.h"
#include "workspace/shared.h"

typedef struct WpSources WpSources;

WpSources *wp_sources_new (void);
void wp_sources_free (WpSources *self);

/* FALSE: nobody has looked it up. `markup` is what follows a frame's name, or NULL when nothing is known. */
gboolean wp_sources_get (const WpSources *self, WpId frame, const char **markup);

/* Looks frames (of a shared WpDocument) up; `done` gives its result to wp_sources_add(). */
WpWorker *wp_sources_start (WpSources *self, WpShared *document, const GArray *frames, WpWorkerDone done, gpointer user_data);

/* Takes the result of such a worker (NULL: nothing); TRUE when it tells something new. */
gboolean wp_sources_add (WpSources *self, gpointer result);
