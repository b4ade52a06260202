/* What is said of a wait chain: in tooltips, and to assistive technology. */
#pragma once

#include "workspace/file/analysis.h"

/* Whose stretch of time a box is, its share of from … to, which is seen (equal: all), and who waits for it, and who for that: a line each. Free with
 * g_free(). */
char *wp_strip_tooltip (const WpRows *strip, guint32 box, const WpAnalysis *analysis, double from, double to);

/* How long the work was in each band: a line each, in their order. Free with g_free(). */
char *wp_strip_text (const WpRows *strip);
