/* What the depth of flame views is chosen with: linked toggles, one for each depth; and the depth that is kept for the next time. */
#pragma once

#include <gtk/gtk.h>

#include "paths/depth.h"

/* `action` has the id of a depth (a string) as its state. */
GtkWidget *wp_depth_chooser_new (const char *action);

char *wp_depth_folded_text (guint n); /* "312 frames folded". Free with g_free() */

WpDepth wp_depth_kept (void);
void wp_depth_keep (WpDepth depth);
