/* A counted reference to something immutable that the main thread and workers look at together: a document, rows,
 * an analysis. Taking and dropping references is safe on any thread; the last one to go frees the thing. The main
 * thread never does that itself: it hands it to a thread. */
#pragma once

#include <glib.h>

typedef struct WpShared WpShared;

WpShared *wp_shared_new (gpointer thing, GDestroyNotify free_thing); /* takes the thing */
WpShared *wp_shared_ref (WpShared *self);                            /* NULL gives NULL */
void wp_shared_unref (WpShared *self);                               /* NULL is fine */
gpointer wp_shared_get (const WpShared *self);                       /* NULL gives NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpShared, wp_shared_unref)
