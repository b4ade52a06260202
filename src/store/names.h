/* Which commits have any file among the objects, by one look at each of the folders there: for who walks through many commits, of which most
 * have none. It says how things were when it was made. */
#pragma once

#include "store/store.h"

typedef struct WpStoreNames WpStoreNames;

WpStoreNames *wp_store_names_new (const WpStore *self);
void wp_store_names_free (WpStoreNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStoreNames, wp_store_names_free)

/* FALSE: there is neither an index nor a `.changes` of this commit. TRUE: there may be; whoever opens it sees. */
gboolean wp_store_names_may_have (const WpStoreNames *self, const char *minor);
