/* Files that are put into the store: profiles as Perun has them, and what is made one of these. */
#pragma once

#include "profile/model/profile.h"

/* `converted`: the profile is made of stacks, those of another format (stacks/formats.h) or of a recording without task switches. A recording with
 * some is refused: it explains many processes. The errors name the file, the place in it and what to do. */
WpProfile *wp_store_incoming (const char *path, gboolean *converted, WpProgress *progress, GError **error);
