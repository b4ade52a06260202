/* The three flame views of a comparison: as wide as in A, as in B, and what vanished. What is shown or selected in A or B is so in the other one
 * too, and a label tells the change of what is selected. */
#pragma once

#include <adwaita.h>

#include "workspace/compare-data.h"
#include "app/canvas/view.h"

typedef struct
{
  WpView *view[WP_N_COMPARE_VIEWS];
  GtkLabel *node;
  const WpCompareData *data; /* the page's; NULL: nothing is shown yet */
  gboolean following;        /* a view follows the other one: that is no reason to follow back */
} WpCompareFlames;

void wp_compare_flames_build (WpCompareFlames *self, AdwBin *const bins[WP_N_COMPARE_VIEWS], GtkLabel *node);
void wp_compare_flames_show (WpCompareFlames *self, const WpCompareData *data);
void wp_compare_flames_clear (WpCompareFlames *self); /* while the views are still there */
