/* The history of a figure as a chart: commits along x, a line for each thing that was run. */
#pragma once

#include "plots/chart.h"
#include "store/history.h"

/* Commits stand evenly, the oldest at the left. `picked`: rows of the points marked A and B, or G_MAXUINT32; NULL: none. The first
 * chart points are those of `points`, in their order. */
WpChart *wp_history_chart (const WpHistory *self, const WpFigure *figure, const WpHistoryPoints *points, const guint32 picked[2]);
