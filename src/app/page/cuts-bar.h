/* The bar that says how many branches of a workspace are cut, and takes that back. */
#pragma once

#include <adwaita.h>

#include "workspace/file/workspace.h"

#define WP_TYPE_CUTS_BAR (wp_cuts_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpCutsBar, wp_cuts_bar, WP, CUTS_BAR, AdwBin)

void wp_cuts_bar_watch (WpCutsBar *self, WpWorkspace *workspace);
