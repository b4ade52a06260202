/* Draws what a view shows, small, into files in memory. */
#pragma once

#include "fuzz.h"
#include "plots/chart.h"
#include "view/rows.h"

/* Looks at rows through some viewports, finds boxes in them, and draws some of that; now and then a whole picture, which costs as much as
 * all the rest. */
void fuzz_show_rows (const WpRows *rows, FuzzRandom *choice);
void fuzz_show_chart (const WpChart *chart, FuzzRandom *choice);
