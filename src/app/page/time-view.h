/* What the time was spent on as one bar, over the explanation table: its categories beside one another in the picture's colours.
 *
 * Signal: category-clicked (uint): a category's part was clicked. */
#pragma once

#include <gtk/gtk.h>

#include "paths/explain.h"

#define WP_TYPE_TIME_VIEW (wp_time_view_get_type ())
G_DECLARE_FINAL_TYPE (WpTimeView, wp_time_view, WP, TIME_VIEW, GtkDrawingArea)

void wp_time_view_show (WpTimeView *self, const WpExplanation *explanation, gboolean longest_first); /* read, not kept */
void wp_time_view_choose (WpTimeView *self, WpCategory category); /* WP_CATEGORY_COUNT: none */
