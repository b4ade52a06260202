/* In which order things stand that are looked at again and again: as they were seen first. What is new comes behind
 * what was there, whatever its size, so that nothing jumps. */
#pragma once

#include "paths/explain.h"
#include "paths/tree.h"
#include "plots/grid.h"

typedef struct WpLiveOrder WpLiveOrder;

WpLiveOrder *wp_live_order_new (void);
void wp_live_order_free (WpLiveOrder *self);

/* Children of each node; those of a parent that is seen for the first time stay as they are. */
void wp_live_order_tree (WpLiveOrder *self, WpTree *tree);

/* Rows of each category. The pieces go: who looks at them would look at others' rows. */
void wp_live_order_explanation (WpLiveOrder *self, WpExplanation *explanation);

/* The rows of a table that are known by the texts of two columns, those of before first. What is not there any more
 * keeps its row, with these texts and zeros; only when such rows are too many, they go. A new grid. */
WpGrid *wp_live_order_grid (WpLiveOrder *self, const WpGrid *grid, guint32 key, guint32 other);
