/* The bar that is there while the symbols of a workspace are being read: how far that is, and a button that goes on without the rest. */
#pragma once

#include <adwaita.h>

#include "workspace/file/workspace.h"

#define WP_TYPE_SYMBOLS_BAR (wp_symbols_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpSymbolsBar, wp_symbols_bar, WP, SYMBOLS_BAR, AdwBin)

void wp_symbols_bar_watch (WpSymbolsBar *self, WpWorkspace *workspace); /* before it starts */
