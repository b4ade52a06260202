/* How much room sidecars take. */
#pragma once

#include "base/own-folder.h"

#define WP_SIDECARS_LARGEST (G_GUINT64_CONSTANT (4) << 30) /* bytes of all of them, but never more than a tenth of what is free without them */

/* Removes those whose recordings have changed or are gone, but for one of this name. */
void wp_sidecars_forget_gone (const WpOwnFolder *folder, const char *name);

guint64 wp_sidecars_limit (const WpOwnFolder *folder); /* bytes that all may have now */

/* Makes room for one of so many bytes in the place of `name`: those that nobody has used for the longest time go. FALSE: it alone is larger than `limit`. */
gboolean wp_sidecars_make_room (const WpOwnFolder *folder, const char *name, guint64 size, guint64 limit);
