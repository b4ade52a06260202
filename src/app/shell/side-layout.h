/* What a window shows, with a panel beside it; where there is too little room for both, the panel comes over it when it is asked for, and goes
 * with Escape, a click beside it or a swipe.
 *
 * Properties: content, side (GtkWidget): what is shown, and the panel; set once. shown (gboolean): whether the panel is. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_SIDE_LAYOUT (wp_side_layout_get_type ())
G_DECLARE_FINAL_TYPE (WpSideLayout, wp_side_layout, WP, SIDE_LAYOUT, AdwBin)

void wp_side_layout_keep (WpSideLayout *self); /* the panel's width, for the next window */
