/* The row of what rules hide in flame views: a chip for each rule, which takes it back. It is there while there are rules and a flame view
 * is seen. Whoever has the rules takes them away and shows what is left, before a signal's handler returns.
 *
 * Signals:
 *   removed (uint rule)  the user takes this rule back
 *   cleared ()           … all of them
 *   left ()              nothing is left here that could have the keyboard */
#pragma once

#include <adwaita.h>

#include "paths/hide.h"

#define WP_TYPE_HIDDEN_BAR (wp_hidden_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpHiddenBar, wp_hidden_bar, WP, HIDDEN_BAR, AdwBin)

void wp_hidden_bar_show (WpHiddenBar *self, const WpHideRules *rules); /* NULL: none */
void wp_hidden_bar_set_wanted (WpHiddenBar *self, gboolean wanted); /* a flame view is seen */
