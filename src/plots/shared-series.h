/* Which values of a field are seen for themselves in a chart, and what becomes of the others: the lightest ones are made one, so that
 * there are no more series than colours, and no more bars than a window is wide. */
#pragma once

#include "plots/plots.h"

#define WP_PLOT_SERIES_MOST 7 /* series with colours of their own, beside the others, which have the last of the colours */

typedef struct
{
  WpResourceTable table; /* the profile's, but for the column below; stands on it */
  WpValue *cells;        /* of that column; NULL: nothing was gathered */
  WpValue others;        /* what stands in it for all the others, “12 others”; 0: nothing does */
  GHashTable *ranks;     /* of the values that are kept: one more than how many of them appear before it in the profile */
} WpPlotOthers;

/* Keeps the `most` values of `field` whose resources weigh most: by the sum of the sizes of `of`, or NULL: by their number. Where there
 * is but one more than that, it stays. Clear with wp_plot_others_clear(), also when nothing was gathered. */
void wp_plot_others_gather (WpPlotOthers *self, WpPlots *kinds, const char *field, const char *of, guint32 most);
void wp_plot_others_clear (WpPlotOthers *self);

/* Which colour a series has: the same in each chart that keeps the same values. The others have the last of the colours, a grey. */
guint wp_plot_series_color (const WpPlotOthers *self, WpValue value);

/* How many different values a field has, where it has texts; 0: its values are numbers, or there is no such field. */
guint32 wp_plot_count_texts (const WpPlots *kinds, const char *field);
