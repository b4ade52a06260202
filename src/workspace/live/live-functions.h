/* The table of functions of an explained process as the live view has it (WpLiveColumn). */
#pragma once

#include "paths/explain.h"
#include "plots/grid.h"

/* Longest first; NULL where it was cancelled. */
WpGrid *wp_live_functions (const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress, GError **error);
