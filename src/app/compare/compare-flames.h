/* The flame views of a comparison: as wide as in A and as in B side by side, and what vanished, which stands elsewhere. What is shown or
 * selected in A or B is so in the other one too, and a label tells the change of what is selected. Menus have items for compare.hide,
 * compare.copy-details and compare.open-fold, which a click on the mark of a fold does, too. */
#pragma once

#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "workspace/compare/compare-data.h"

#define WP_TYPE_COMPARE_FLAMES (wp_compare_flames_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareFlames, wp_compare_flames, WP, COMPARE_FLAMES, AdwBin)

GtkWidget *wp_compare_flames_vanished (WpCompareFlames *self); /* the view of what vanished */
void wp_compare_flames_show (WpCompareFlames *self, WpShared *data); /* WpCompareData */
WpCanvas *wp_compare_flames_canvas (WpCompareFlames *self, WpCompareView view);
WpId wp_compare_flames_folded (WpCompareFlames *self); /* the selected node, where something is folded in it; else 0 */
const char *wp_compare_flames_hideable (WpCompareFlames *self, WpHideKind kind); /* of the selected frame; NULL: nothing */
char *wp_compare_flames_said (WpCompareFlames *self); /* of the selected frame, lines; NULL: none is. Free with g_free() */
void wp_compare_flames_fit (WpCompareFlames *self, int width); /* where there is little room A stands above B, not beside it */
